/* Launches that are replayed whole, beside what dealing them by hand gives. */
#include "sampler/replay.h"

#include <math.h>
#include <stdlib.h>

#include "tests/sampler/traced.h"

#define EVEN "clock.icnt=1400", "clock.l2=1400", "clock.dram=1400", "partition.count=1"

/* CTAs 0 and 1 go 2000 times round a loop of 3 instructions, all others 500 times. */
#define LONG_AND_SHORT                                                                \
    "mov.u32 %r9, %ctaid.x; setp.lt.u32 %p1, %r9, 2; selp.u32 %r9, 2000, 500, %p1;\n" \
    "mov.u32 %r2, 0;\n"                                                               \
    "L: add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r9; @%p1 bra L;"

static struct replay *replayed(const struct traced *x, int n, int rounds, bool whole,
                               struct replay_result *out)
{
    const struct replay_opts o = {
        .n = n, .whole = whole, .first = (int)((x->t.stride - x->t.own) % x->t.stride)};
    struct replay *r = replay_new(&x->cfg, &o);
    for (int i = 0; i < (whole ? x->cfg.top.cores : 0); i++)
        replay_set_code(r, i, x->run.l.kernel);
    replay_run(r, &x->t, rounds, out);
    return r;
}

static void open_launch(struct traced *x, const char *body, const char *cores, int ctas,
                        uint64_t first)
{
    const char *const settings[] = {EVEN, cores, NULL};
    traced_open(x, body, settings,
                (struct traced_shape){.ctas = ctas, .threads = 32, .first = first, .want = ctas});
}

static int ctas_of(const struct replay *r, int core)
{
    int n;
    replay_ctas(r, core, &n);
    return n;
}

/* 4 cores, one CTA at once, 12 CTAs: the two long ones take as long as 4 short ones, so that cores
 * 2 and 3 get 4 more than the other two, who get none: 1, 1, 5, 5. Dealt round they would be 3
 * each, and the launch as long as 6 short ones. */
static void a_core_gets_the_next_cta_when_it_has_room(void)
{
    struct traced x;
    struct replay_result r;
    open_launch(&x, LONG_AND_SHORT, "cores=4", 12, 0);
    struct replay *p = replayed(&x, 1, 3, true, &r);
    int ctas;
    const struct replay_cta *one = replay_ctas(p, 0, &ctas);
    const double longer = one[0].end - one[0].start;
    const struct replay_cta *two = replay_ctas(p, 2, &ctas);
    const double shorter = two[0].end - two[0].start;
    CU_ASSERT_DOUBLE_EQUAL(longer / shorter, 4, 0.15); /* parameters are fetched once */
    CU_ASSERT(ctas_of(p, 0) <= 2 && ctas_of(p, 1) <= 2);
    CU_ASSERT(ctas_of(p, 2) >= 4 && ctas_of(p, 3) >= 4);
    CU_ASSERT_EQUAL(r.ctas, 12);
    CU_ASSERT_EQUAL(r.cores, 4);
    CU_ASSERT_EQUAL(r.first_ctas, 4);
    CU_ASSERT_TRUE(r.cycles < 5.2 * shorter);
    CU_ASSERT_EQUAL(r.cycles, r.last);
    replay_free(p);
    traced_close(&x);
}

/* 2 cores, one CTA at once. CTA 0 ends with a store that DRAM acknowledges 2000 cycles later; CTA 1
 * is done before that, though its last instruction comes after CTA 0's, and so its core gets CTA 2.
 */
static void a_core_has_room_when_stores_are_acknowledged(void)
{
    const char *const settings[] = {EVEN, "cores=2", "dram.latency=2000", NULL};
    struct traced x;
    struct replay_result r;
    traced_open(&x,
                "mov.u32 %r9, %ctaid.x; setp.eq.u32 %p1, %r9, 0;\n"
                "@%p1 st.global.u32 [%rd3], %r9; @%p1 exit; mov.u32 %r2, 0;\n"
                "L: add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 30; @%p1 bra L;",
                settings, (struct traced_shape){.ctas = 3, .threads = 32, .want = 2});
    struct replay *p = replayed(&x, 1, 2, true, &r);
    int ctas;
    const struct replay_cta *store = replay_ctas(p, 0, &ctas);
    CU_ASSERT_EQUAL_FATAL(ctas, 1);
    CU_ASSERT_TRUE(store->end - store->start > 2000);
    const struct replay_cta *loops = replay_ctas(p, 1, &ctas);
    CU_ASSERT_EQUAL_FATAL(ctas, 2);
    CU_ASSERT_TRUE(loops[0].end > store->start + 100);
    CU_ASSERT_EQUAL(loops[1].start, loops[0].end);
    replay_free(p);
    traced_close(&x);
}

/* Each CTA once, wherever core 0 stands in a round: what all execute is what was traced. The last
 * round has CTAs for some cores alone. */
static void every_cta_runs_once(void)
{
    for (uint64_t first = 0; first < 4; first++)
        for (int n = 1; n <= 3; n++) {
            struct traced x;
            struct replay_result r;
            open_launch(&x, LONG_AND_SHORT, "cores=4", 14, first);
            struct replay *p = replayed(&x, n, 4, true, &r);
            int all = 0;
            for (int i = 0; i < 4; i++)
                all += ctas_of(p, i);
            CU_ASSERT_EQUAL(all, 14);
            CU_ASSERT_EQUAL(r.ctas, 14);
            CU_ASSERT_EQUAL(r.insts, x.t.insts);
            replay_free(p);
            traced_close(&x);
        }
}

/* Each core gets one in the first cycle: core 0 is that of CTA 3, of 4, and core 1 that of CTA 0.
 * The long ones are 0 and 1, on cores 1 and 2. */
static void cores_are_counted_from_the_first_ones_on(void)
{
    struct traced x;
    struct replay_result r;
    open_launch(&x, LONG_AND_SHORT, "cores=4", 4, 3);
    struct replay *p = replayed(&x, 1, 1, true, &r);
    double stay[4];
    for (int i = 0; i < 4; i++) {
        int ctas;
        const struct replay_cta *c = replay_ctas(p, i, &ctas);
        CU_ASSERT_EQUAL_FATAL(ctas, 1);
        CU_ASSERT_EQUAL(c->start, 0);
        stay[i] = c->end - c->start;
    }
    CU_ASSERT(stay[1] > 3 * stay[0] && stay[2] > 3 * stay[3]);
    replay_free(p);
    traced_close(&x);
}

/* The core whose CTA is as long as the first one, and the core in front of it has none such. */
static int core_of_cta_0(const struct replay *r, double longer)
{
    for (int i = 0; i < 4; i++) {
        int ctas;
        const struct replay_cta *c = replay_ctas(r, i, &ctas),
                                *before = replay_ctas(r, (i + 3) % 4, &ctas);
        if (c->end - c->start > 0.9 * longer && before->end - before->start < 0.9 * longer)
            return i;
    }
    return -1;
}

/* 4 cores, 5 CTAs one at once, of which the first two are long: the fifth goes to core 2, which is
 * done first. Of the next launch core 3 gets the first one, and so the long ones are on 3 and 0. */
static void a_launch_goes_on_behind_the_last_cta_of_the_one_before(void)
{
    struct traced x;
    struct replay_result r;
    open_launch(&x, LONG_AND_SHORT, "cores=4", 5, 0);
    struct replay *p = replayed(&x, 1, 2, true, &r);
    int ctas;
    const struct replay_cta *first = replay_ctas(p, 0, &ctas);
    const double longer = first->end - first->start;
    CU_ASSERT_EQUAL(core_of_cta_0(p, longer), 0);
    CU_ASSERT_EQUAL(ctas_of(p, 2), 2);
    replay_run(p, &x.t, 2, &r);
    CU_ASSERT_EQUAL(core_of_cta_0(p, longer), 3);
    replay_free(p);
    traced_close(&x);
}

/* A launch that has room for 2 CTAs on a core: 1 at once is 1, 3 are 2. */
static void a_launch_has_its_own_room(void)
{
    static const struct {
        int n, fits, at_once;
    } row[] = {{1, 2, 1}, {3, 2, 2}, {3, 0, 3}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct traced x;
        struct replay_result r;
        open_launch(&x, LONG_AND_SHORT, "cores=4", 16, 0);
        x.t.fits = row[i].fits;
        const struct replay_opts o = {.n = row[i].n, .whole = true};
        struct replay *p = replay_new(&x.cfg, &o);
        replay_run(p, &x.t, 4, &r);
        CU_ASSERT_EQUAL(r.first_ctas, 4 * (uint64_t)row[i].at_once);
        CU_ASSERT_EQUAL(r.ctas, 16);
        replay_free(p);
        traced_close(&x);
    }
}

/* A stream, each CTA of lines of its own, 16 of 128 bytes: DRAM is what it takes, however CTAs are
 * dealt. */
static void dealt_or_round_dram_is_asked_for_the_same(void)
{
    static const char *const body =
        "mov.u32 %r9, %ctaid.x; mul.wide.u32 %rd5, %r9, 2048; mul.wide.u32 %rd6, %r1, 64;\n"
        "add.s64 %rd6, %rd6, %rd5; add.s64 %rd6, %rd6, %rd1;\n"
        "ld.global.u32 %r3, [%rd6]; add.s32 %r3, %r3, 1;";
    struct replay_result r[2];
    for (int whole = 0; whole < 2; whole++) {
        struct traced x;
        open_launch(&x, body, "cores=15", 15 * 8, 0);
        const struct replay_opts o = {.n = 4, .whole = whole};
        struct replay *p = replay_new(&x.cfg, &o);
        replay_run(p, &x.t, 8, &r[whole]);
        replay_free(p);
        traced_close(&x);
    }
    CU_ASSERT_EQUAL(r[0].dram_reads_first + r[0].dram_reads_later, 15 * 8 * 16);
    CU_ASSERT_EQUAL(r[1].dram_reads_first + r[1].dram_reads_later, 15 * 8 * 16);
    CU_ASSERT_DOUBLE_EQUAL(r[0].last / r[1].last, 1, 0.1);
    CU_ASSERT_DOUBLE_EQUAL(r[0].bus / r[1].bus, 1, 0.1);
    CU_ASSERT_TRUE(r[1].bus > 0.5 && r[1].bus < 1);
}

/* A launch after itself, each CTA with its 16 lines on the core that had it before: they are there,
 * unless launches begin with empty L1s, of which DRAM tells. */
static void l1_is_flushed_between_launches_if_the_gpu_does(void)
{
    static const char *const body =
        "mov.u32 %r9, %ctaid.x; mul.wide.u32 %rd5, %r9, 2048; mul.wide.u32 %rd6, %r1, 64;\n"
        "add.s64 %rd6, %rd6, %rd5; add.s64 %rd6, %rd6, %rd1;\n"
        "ld.global.u32 %r3, [%rd6]; add.s32 %r3, %r3, 1;";
    for (int i = 0; i < 4; i++) {
        const bool flushes = i & 1, whole = i & 2;
        const uint64_t lines = 15 * 16;
        struct traced x;
        struct replay_result r;
        open_launch(&x, body, "cores=15", 15, 0);
        x.cfg.top.flush_l1 = flushes;
        struct replay *p = replayed(&x, 1, 1, whole, &r);
        CU_ASSERT_EQUAL(r.l1d_misses, lines);
        const double bus = r.bus * r.last;
        replay_run(p, &x.t, 1, &r);
        CU_ASSERT_EQUAL(r.l1d_accesses, lines);
        CU_ASSERT_EQUAL(r.l1d_misses, flushes ? lines : 0);
        CU_ASSERT_TRUE(flushes ? r.bus * r.last > 0.7 * bus : r.bus * r.last < 0.1 * bus);
        replay_free(p);
        traced_close(&x);
    }
}

static struct replay_result cut(const struct traced *x, int n, uint64_t most_insts)
{
    const struct replay_opts o = {
        .n = n, .whole = true, .first = 1 % x->cfg.top.cores, .most_insts = most_insts};
    struct replay *r = replay_new(&x->cfg, &o);
    struct replay_result out;
    replay_run(r, &x->t, x->t.ctas, &out);
    replay_free(r);
    return out;
}

/* With more than so many instructions a launch ends, whatever is still on its way, in the cycle
 * that issued the last of them: the more the later, and the whole launch if it has no more. */
static void a_limit_of_instructions_ends_a_launch(void)
{
    struct traced x;
    open_launch(&x,
                "mul.wide.u32 %rd6, %r1, 64; add.s64 %rd6, %rd6, %rd1;\n"
                "ld.global.u32 %r2, [%rd6]; add.s32 %r3, %r2, 1; st.global.u32 [%rd6], %r3;",
                "cores=4", 12, 0);
    const struct replay_result all = cut(&x, 2, 0);
    double before = 0;
    for (uint64_t most = 1; most < all.insts; most += 7) {
        const struct replay_result r = cut(&x, 2, most);
        CU_ASSERT_TRUE(r.insts > most && r.insts <= most + 4 * 2); /* two schedulers a core */
        CU_ASSERT_TRUE(r.cycles >= before && r.cycles <= all.cycles);
        before = r.cycles;
    }
    CU_ASSERT_TRUE(before > 0);
    CU_ASSERT_EQUAL(cut(&x, 2, all.insts).cycles, all.cycles);
    CU_ASSERT_EQUAL(cut(&x, 2, all.insts).insts, all.insts);
    traced_close(&x);
}

SUITE("replay whole", T(a_core_gets_the_next_cta_when_it_has_room),
      T(a_core_has_room_when_stores_are_acknowledged), T(every_cta_runs_once),
      T(cores_are_counted_from_the_first_ones_on),
      T(a_launch_goes_on_behind_the_last_cta_of_the_one_before), T(a_launch_has_its_own_room),
      T(a_limit_of_instructions_ends_a_launch), T(dealt_or_round_dram_is_asked_for_the_same),
      T(l1_is_flushed_between_launches_if_the_gpu_does))
