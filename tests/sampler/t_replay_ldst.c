/* The order in which a replayed core's requests leave it. */
#include "sampler/replay.h"

#include "tests/sampler/traced.h"

#define EVEN "clock.icnt=1400", "clock.l2=1400", "clock.dram=1400"

static struct replay_result replayed(const struct traced *x)
{
    const struct replay_opts o = {.n = 1, .alone = true};
    struct replay_result r;
    struct replay *p = replay_new(&x->cfg, &o);
    replay_run(p, &x->t, 1, &r);
    replay_free(p);
    return r;
}

/* An L1D of one line. A load of two lines asks for the higher one first, so that it holds the lower
 * one when a load of that one follows. */
static void the_highest_address_goes_first(void)
{
    static const char *const tiny[] = {EVEN, "partition.count=1", "l1d.size=128", "l1d.ways=1",
                                       NULL};
    struct traced x;
    traced_open(&x,
                "mul.wide.u32 %rd5, %r1, 8; add.s64 %rd6, %rd1, %rd5;\n"
                "ld.global.u32 %r3, [%rd6]; add.s32 %r3, %r3, 1;\n"
                "ld.global.u32 %r4, [%rd1]; add.s32 %r4, %r4, 1;",
                tiny, (struct traced_shape){.ctas = 1, .threads = 32, .want = 1});
    const struct replay_result r = replayed(&x);
    CU_ASSERT_EQUAL(r.l1d_accesses, 3);
    CU_ASSERT_EQUAL(r.l1d_misses, 2);
    traced_close(&x);
}

/* Two partitions. 6 warps store to 32 lines each of one of them, and a seventh, when they have all
 * asked, loads a line of the other one. Where queues are short it waits until most of theirs are
 * served, 16 cycles each on DRAM's bus; else it takes what t_replay.c says, with 12 to open a row
 * and 16 to the second command. */
static void a_request_that_is_not_taken_holds_up_those_behind_it(void)
{
    static const char *const queues[2] = {"partition.icnt_to_l2=1", "partition.icnt_to_l2=1024"};
    double latency[2];
    for (int i = 0; i < 2; i++) {
        const char *const settings[] = {EVEN,
                                        "partition.count=2",
                                        "partition.l2_to_dram=1",
                                        "dram.queue=1",
                                        "dram.tCCD=16",
                                        "dram.tCCDL=16",
                                        "l1d.miss_queue=512",
                                        queues[i],
                                        NULL};
        struct traced x;
        traced_open(&x,
                    "mov.u32 %r9, %tid.x; shr.u32 %r10, %r9, 5; setp.eq.u32 %p1, %r10, 6;\n"
                    "mul.wide.u32 %rd5, %r9, 2048; add.s64 %rd6, %rd1, %rd5; @%p1 bra M;\n"
                    "st.global.u32 [%rd6], %r9; exit;\n"
                    "M: mov.u32 %r2, 0;\n"
                    "K: add.s32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 10; @%p2 bra K;\n"
                    "ld.global.u32 %r3, [%rd1+256]; add.s32 %r3, %r3, 1;",
                    settings, (struct traced_shape){.ctas = 1, .threads = 7 * 32, .want = 1});
        latency[i] = replayed(&x).read_latency;
        traced_close(&x);
    }
    CU_ASSERT_EQUAL(latency[1], 2 + 2 + 120 + 2 + 100 + 1 + 12 + 16 + 12 + 2 + 5);
    CU_ASSERT_TRUE(latency[0] > 2 * latency[1]);
}

/* An L1D of one line: each of the three lines of local memory that are loaded, stored to and put
 * out is written back, which nobody waits for and is not counted as a read. */
static void dirty_lines_are_written_back(void)
{
    static const char *const tiny[] = {EVEN, "partition.count=1", "l1d.size=128", "l1d.ways=1",
                                       NULL};
    struct traced x;
    traced_open(&x,
                ".local .align 4 .b8 a[16];\n"
                "ld.local.u32 %r3, [a]; st.local.u32 [a], %r3;\n"
                "ld.local.u32 %r3, [a+4]; st.local.u32 [a+4], %r3;\n"
                "ld.local.u32 %r3, [a+8]; st.local.u32 [a+8], %r3;\n"
                "ld.local.u32 %r3, [a+12]; add.s32 %r3, %r3, 1;",
                tiny, (struct traced_shape){.ctas = 1, .threads = 32, .want = 1});
    const struct replay_result r = replayed(&x);
    CU_ASSERT_EQUAL(r.l1d_misses, 4);
    CU_ASSERT_EQUAL(r.dram_reads_first, 4);
    traced_close(&x);
}

/* A line that is there takes as much longer as its cache says, one on its way does not. */
static void hits_take_their_latency(void)
{
    double cycles[2];
    for (int i = 0; i < 2; i++) {
        const char *const settings[] = {EVEN, "partition.count=1",
                                        i ? "l1d.hit_latency=100" : "l1d.hit_latency=0", NULL};
        struct traced x;
        traced_open(&x,
                    "ld.global.u32 %r3, [%rd1]; and.b32 %r3, %r3, 0;\n"
                    "cvt.u64.u32 %rd5, %r3; add.s64 %rd6, %rd1, %rd5;\n"
                    "ld.global.u32 %r4, [%rd6]; add.s32 %r4, %r4, 1;",
                    settings, (struct traced_shape){.ctas = 1, .threads = 32, .want = 1});
        cycles[i] = replayed(&x).cycles;
        traced_close(&x);
    }
    CU_ASSERT_EQUAL(cycles[1] - cycles[0], 100);
}

/* 32 stores and a miss queue of 2: a place is free when the network takes the request, a cycle or
 * two later, not when it is answered. */
static void a_place_is_free_when_the_network_has_the_request(void)
{
    static const char *const two[] = {EVEN, "partition.count=1", "l1d.miss_queue=2", NULL};
    struct traced x;
    traced_open(&x,
                "mul.wide.u32 %rd5, %r1, 128; add.s64 %rd6, %rd1, %rd5;\n"
                "st.global.u32 [%rd6], %r1;",
                two, (struct traced_shape){.ctas = 1, .threads = 32, .want = 1});
    const double cycles = replayed(&x).cycles;
    CU_ASSERT_TRUE(cycles > 2 * 32 && cycles < 2000); /* a fetch, parameters, the stores; not 16 */
    traced_close(&x);
}

/* An atomic whose result nobody needs, and 100 instructions that need 6 cycles each. */
static void a_warp_waits_for_its_atomics_if_the_core_says_so(void)
{
    static char body[4096];
    double cycles[2];
    char *at = body + sprintf(body, "atom.global.add.u32 %%r3, [%%rd1], 1;\n");
    for (int i = 0; i < 100; i++)
        at += sprintf(at, "add.u32 %%r4, %%r4, 1;\n");
    for (int i = 0; i < 2; i++) {
        const char *const settings[] = {EVEN, "partition.count=1", "l1i.size=16384",
                                        i ? "atomics_block=true" : "atomics_block=false", NULL};
        struct traced x;
        traced_open(&x, body, settings, (struct traced_shape){.ctas = 1, .threads = 32, .want = 1});
        cycles[i] = replayed(&x).cycles;
        traced_close(&x);
    }
    CU_ASSERT_TRUE(cycles[1] > cycles[0] + 250);
}

SUITE("replayed requests", T(a_place_is_free_when_the_network_has_the_request),
      T(a_warp_waits_for_its_atomics_if_the_core_says_so), T(dirty_lines_are_written_back),
      T(hits_take_their_latency), T(the_highest_address_goes_first),
      T(a_request_that_is_not_taken_holds_up_those_behind_it))
