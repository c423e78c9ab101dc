/* The partitions that replayed cores share, by themselves. All clocks are equal unless a test says
 * otherwise; one partition. A read whose row is open takes 120 in the ROP, a cycle into each of two
 * queues, 100 to DRAM and one to its scheduler, tCCDL 3 to its second column command, tCL 12 to its
 * data, and a cycle out of a queue: 239. A row that has to be opened takes tRCD 12 more. */
#include "sampler/partitions.h"
#include "tests/gpu/whole.h"

#include <math.h>

#define EVEN "clock.icnt=1400", "clock.l2=1400", "clock.dram=1400", "partition.count=1"
#define OPEN 239
#define MOST 64

static const char *const even[] = {EVEN, NULL};

struct heard { /* of the requests, by their token, in the order in which they were sent */
    double passed[MOST], replied[MOST];
    struct mem_req *back[MOST];
    int passes, replies;
};

struct part_fix {
    struct gpu_cfg cfg;
    struct heard heard;
    struct partitions *m;
    int sent;
};

static void on_passed(void *user, struct mem_req *r, double t)
{
    struct heard *h = user;
    h->passed[r->token] = t;
    h->passes++;
}

static void on_replied(void *user, struct mem_req *r, double t)
{
    struct heard *h = user;
    h->replied[r->token] = t;
    h->back[h->replies++] = r;
}

static void open_parts(struct part_fix *f, const char *const *settings)
{
    *f = (struct part_fix){.cfg = whole_gpu("yen2014", settings)};
    const struct partitions_user told = {&f->heard, on_passed, on_replied};
    f->m = partitions_new(&f->cfg, NULL, &told);
    CU_ASSERT_EQUAL(partitions_next(f->m), REPLAY_NEVER);
}

static void close_parts(struct part_fix *f)
{
    partitions_run(f->m, REPLAY_NEVER);
    CU_ASSERT_EQUAL(partitions_next(f->m), REPLAY_NEVER);
    for (int i = 0; i < f->heard.replies; i++)
        partitions_give_back(f->m, f->heard.back[i]);
    partitions_free(f->m);
}

static int send_at(struct part_fix *f, addr_t addr, enum req_kind kind, double t)
{
    struct mem_req *r = partitions_request(f->m);
    r->addr = r->line = addr;
    r->bytes = 128;
    r->kind = (uint8_t)kind;
    r->write = kind == REQ_GLOBAL_WRITE || kind == REQ_L1_WRITEBACK;
    r->token = f->sent;
    partitions_send(f->m, r, t);
    return f->sent++;
}

static void a_read_takes_what_its_stages_take(void)
{
    struct part_fix f;
    open_parts(&f, even);
    send_at(&f, 0, REQ_GLOBAL_READ, 1000);
    CU_ASSERT_EQUAL(partitions_next(f.m), 1000);
    send_at(&f, 128, REQ_GLOBAL_READ, 2000);
    send_at(&f, 256, REQ_TEX_READ, 3000); /* not through the ROP: a cycle into its queue less too */
    partitions_run(f.m, REPLAY_NEVER);
    CU_ASSERT_EQUAL(f.heard.passed[0], 1000);
    CU_ASSERT_EQUAL(f.heard.replied[0], 1000 + OPEN + 12);
    CU_ASSERT_EQUAL(f.heard.replied[1], 2000 + OPEN);
    CU_ASSERT_EQUAL(f.heard.replied[2], 3000 + OPEN - 121);
    close_parts(&f);
}

/* In whatever order they are told, and if it is too late, they pass as soon as they can. Nothing
 * happens before it is asked for. */
static void requests_come_by_time(void)
{
    struct part_fix f;
    open_parts(&f, even);
    const int second = send_at(&f, 128, REQ_GLOBAL_READ, 500);
    const int first = send_at(&f, 0, REQ_GLOBAL_READ, 400);
    partitions_run(f.m, 450);
    CU_ASSERT(f.heard.passes == 1 && f.heard.passed[first] == 400);
    CU_ASSERT_EQUAL(partitions_next(f.m), 500);
    partitions_run(f.m, 500.5);
    CU_ASSERT(f.heard.passes == 2 && f.heard.passed[second] == 500);
    const int late = send_at(&f, 256, REQ_GLOBAL_READ, 100);
    partitions_run(f.m, REPLAY_NEVER);
    CU_ASSERT_EQUAL(f.heard.passed[late], 501);
    CU_ASSERT_EQUAL(f.heard.replies, 3);
    close_parts(&f);
}

/* DRAM is busy and everything else is not when a request comes that should have long been there:
 * its cycles go on from where they are. DRAM takes a line in 64 of its own, 1.5 core cycles each.
 */
static void what_comes_too_late_turns_no_clock_back(void)
{
    static const char *const slow[] = {
        "clock.l2=700",  "clock.dram=924", "partition.count=1", "dram.tCCD=32",
        "dram.tCCDL=32", "dram.queue=64",  "clock.icnt=1400",   NULL};
    struct part_fix f;
    open_parts(&f, slow);
    for (int i = 0; i < 8; i++)
        send_at(&f, (addr_t)i * 128, REQ_GLOBAL_READ, 0);
    for (int i = 0; i < 8; i++) {
        partitions_run(f.m, 500 + 17 * i);
        send_at(&f, 4096 + (addr_t)i * 128, REQ_GLOBAL_READ, 10 * i);
    }
    partitions_run(f.m, REPLAY_NEVER);
    CU_ASSERT_EQUAL(f.heard.replies, 16);
    for (int i = 0; i < 16; i++)
        CU_ASSERT_TRUE(f.heard.replied[i] > f.heard.passed[i] + 220);
    for (int i = 0; i + 1 < f.heard.replies; i++)
        CU_ASSERT_TRUE(f.heard.replied[f.heard.back[i + 1]->token] >=
                       f.heard.replied[f.heard.back[i]->token] + 64 * 1400.0 / 924 - 4);
    struct run_stats s = {0};
    partitions_stats(f.m, &s);
    CU_ASSERT_TRUE(
        fabs((double)s.dram_cycles * 1400 / 924 - f.heard.replied[f.heard.back[15]->token]) < 8);
    close_parts(&f);
}

/* 128 bytes with a header of 8 are 5 flits of 32, a request is one: of two stores the second passes
 * 5 cycles behind the first, and so do replies of reads; acknowledgements and requests of reads
 * one.
 */
static void ports_take_a_flit_a_cycle(void)
{
    static const char *const none_waits[] = {EVEN, "icnt.inject_flits=5", NULL};
    struct part_fix f;
    open_parts(&f, none_waits);
    send_at(&f, 0, REQ_GLOBAL_WRITE, 1000);
    send_at(&f, 128, REQ_GLOBAL_WRITE, 1000);
    send_at(&f, 0, REQ_GLOBAL_READ, 2000);
    send_at(&f, 128, REQ_GLOBAL_READ, 2000);
    partitions_run(f.m, REPLAY_NEVER);
    CU_ASSERT_EQUAL(f.heard.passed[0], 1000);
    CU_ASSERT_EQUAL(f.heard.passed[1], 1005);
    CU_ASSERT_EQUAL(f.heard.passed[3], 2001);
    CU_ASSERT_EQUAL(f.heard.replied[2], 2000 + OPEN);
    CU_ASSERT_TRUE(f.heard.replied[3] >= f.heard.replied[2] + 5);
    close_parts(&f);
}

/* Its queue has one place, and DRAM takes a line in 64 cycles: what does not fit waits in front. */
static void a_full_partition_takes_nothing(void)
{
    static const char *const tiny[] = {EVEN,
                                       "partition.icnt_to_l2=1",
                                       "partition.l2_to_dram=1",
                                       "partition.rop_latency=0",
                                       "dram.queue=1",
                                       "dram.latency=0",
                                       "dram.tCCD=32",
                                       "dram.tCCDL=32",
                                       NULL};
    struct part_fix f;
    open_parts(&f, tiny);
    for (int i = 0; i < 16; i++)
        send_at(&f, (addr_t)i * 128, REQ_GLOBAL_READ, 0);
    partitions_run(f.m, 640);
    CU_ASSERT(f.heard.passes > 9 && f.heard.passes < 15);
    CU_ASSERT(f.heard.replies > 8 && f.heard.replies < 11);
    partitions_run(f.m, REPLAY_NEVER);
    CU_ASSERT(f.heard.passes == 16 && f.heard.replies == 16);
    for (int i = 1; i < 16; i++)
        CU_ASSERT_TRUE(f.heard.replied[i] >= f.heard.replied[i - 1] + 64);
    close_parts(&f);
}

/* The other line of the row is served before a row that was asked for earlier. */
static void an_open_row_goes_first(void)
{
    struct part_fix f;
    open_parts(&f, even);
    send_at(&f, 0, REQ_GLOBAL_READ, 1000);
    const int other = send_at(&f, 65536, REQ_GLOBAL_READ, 1001);
    const int same = send_at(&f, 128, REQ_GLOBAL_READ, 1002);
    partitions_run(f.m, REPLAY_NEVER);
    CU_ASSERT_TRUE(f.heard.replied[same] < f.heard.replied[other]);
    CU_ASSERT_TRUE(f.heard.replied[other] >= f.heard.replied[0] + 12 + 12);
    close_parts(&f);
}

/* An eviction is not answered; a line that L2 holds does not go to DRAM. */
static void what_l2_holds_is_back_at_once(void)
{
    static const char *const l2[] = {EVEN, "l2.enabled=true", NULL};
    struct part_fix f;
    struct run_stats s = {0};
    open_parts(&f, l2);
    partitions_hold(f.m, 4096);
    send_at(&f, 4096 + 32, REQ_GLOBAL_READ, 1000);
    send_at(&f, 4096, REQ_L1_WRITEBACK, 2000);
    partitions_run(f.m, REPLAY_NEVER);
    CU_ASSERT_EQUAL(f.heard.replied[0], 1000 + 121);
    CU_ASSERT(f.heard.passes == 2 && f.heard.replies == 1);
    partitions_stats(f.m, &s);
    CU_ASSERT(s.l2_accesses == 2 && s.dram_reads == 0);
    close_parts(&f);
}

/* Ticks of clocks that are no multiples of each other: latencies are in core cycles, so that only
 * what DRAM does takes longer with a slower clock. */
static void clocks_tick_by_themselves(void)
{
    double took[2];
    for (int i = 0; i < 2; i++) {
        const char *const settings[] = {"clock.l2=700", i ? "clock.dram=300" : "clock.dram=924",
                                        "clock.icnt=1400", "partition.count=1", NULL};
        struct part_fix f;
        open_parts(&f, settings);
        send_at(&f, 0, REQ_GLOBAL_READ, 1000);
        partitions_run(f.m, REPLAY_NEVER);
        took[i] = f.heard.replied[0] - 1000;
        close_parts(&f);
    }
    const double dram = 12 + 3 + 12; /* its cycles: tRCD, tCCDL, tCL */
    CU_ASSERT_DOUBLE_EQUAL(took[1] - took[0], dram * (1400.0 / 300 - 1400.0 / 924), 16);
    CU_ASSERT_DOUBLE_EQUAL(took[0], 220 + dram * 1400 / 924, 12);
}

SUITE("partitions of a replay", T(a_read_takes_what_its_stages_take), T(requests_come_by_time),
      T(what_comes_too_late_turns_no_clock_back), T(ports_take_a_flit_a_cycle),
      T(a_full_partition_takes_nothing), T(an_open_row_goes_first),
      T(what_l2_holds_is_back_at_once), T(clocks_tick_by_themselves))
