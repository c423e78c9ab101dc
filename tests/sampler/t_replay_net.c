/* What replayed cores send through the network, and what comes back. All clocks are equal; a flit
 * takes a cycle, a line 5 of them. */
#include "sampler/replay.h"

#include "tests/sampler/traced.h"

/* Two cycles until the network has a request and two through it; one out of the partition's last
 * queue, and two flits back. */
#define WAY (2 + 2 + 1 + 2)

#define EVEN "clock.icnt=1400", "clock.l2=1400", "clock.dram=1400", "partition.count=1"

static struct replay_result replayed(const struct traced *x, int n, bool whole)
{
    const struct replay_opts o = {.n = n, .alone = !whole, .whole = whole};
    struct replay_result r;
    struct replay *p = replay_new(&x->cfg, &o);
    for (int i = 0; i < (whole ? x->cfg.top.cores : 1); i++)
        replay_set_code(p, i, x->run.l.kernel);
    replay_run(p, &x->t, x->t.ctas, &r);
    replay_free(p);
    return r;
}

/* Past L1, 32 bytes that L2 has by then are asked for a cycle behind others that it has not: they
 * are back after their way and the ROP's, with a cycle from there into L2. The others go on from
 * L2, by 2 queues, with DRAM's latency, a cycle to the scheduler, tCCDL to the second column
 * command and tCL to its data, and by 2 queues and the line's filling back; their row is open,
 * since the parameters lie there. */
static void replies_pass_each_other(void)
{
    static const char *const l2[] = {EVEN, "l2.enabled=true", "l1d.enabled=false", NULL};
    struct traced x;
    traced_open(&x,
                "ld.global.u32 %r3, [%rd1]; add.s32 %r3, %r3, 1;\n"
                "ld.global.u32 %r4, [%rd1+128]; ld.global.u32 %r5, [%rd1];\n"
                "add.s32 %r4, %r4, %r5;",
                l2, (struct traced_shape){.ctas = 1, .threads = 32, .want = 1});
    const struct replay_result r = replayed(&x, 1, false);
    CU_ASSERT_EQUAL(3 * r.read_latency, 2 * (WAY + 121 + 2 + 100 + 1 + 3 + 12 + 2) + WAY + 121);
    traced_close(&x);
}

/* Two partitions, stores of 64 lines to one of them by two warps, and a load from the other by a
 * third one when they have all been made, one a cycle. A store is 2 flits of 4 cycles: the
 * load waits for most of them. */
static void requests_keep_their_order(void)
{
    static const char *const two[] = {"clock.icnt=350",     "clock.dram=1400",
                                      "partition.count=2",  "partition.icnt_to_l2=1024",
                                      "l1d.miss_queue=512", NULL};
    struct traced x;
    traced_open(&x,
                "mov.u32 %r9, %tid.x; shr.u32 %r10, %r9, 5; setp.eq.u32 %p1, %r10, 2;\n"
                "mul.wide.u32 %rd5, %r9, 512; add.s64 %rd6, %rd1, %rd5; @%p1 bra M;\n"
                "st.global.u32 [%rd6], %r9; exit;\n"
                "M: mov.u32 %r2, 0;\n"
                "K: add.s32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 3; @%p2 bra K;\n"
                "ld.global.u32 %r3, [%rd1+256]; add.s32 %r3, %r3, 1;",
                two, (struct traced_shape){.ctas = 1, .threads = 3 * 32, .want = 1});
    const struct replay_result r = replayed(&x, 1, false);
    const double by_itself = WAY + 120 + 100 + 12 + 2 + 12;
    CU_ASSERT_TRUE(r.read_latency > by_itself + 4 * 64);
    CU_ASSERT_TRUE(r.read_latency < by_itself + 8 * 64);
    traced_close(&x);
}

/* Three cores, each of whose CTAs reads 32 lines: 5 flits each through a port of its own, or of
 * the cluster's. */
static void cores_of_a_cluster_share_a_port(void)
{
    double cycles[2];
    for (int cluster = 0; cluster < 2; cluster++) {
        const char *const settings[] = {"clock.icnt=350", "clock.dram=1400", "cores=3",
                                        cluster ? "cluster_size=3" : "cluster_size=1", NULL};
        struct traced x;
        traced_open(&x,
                    "mov.u32 %r9, %ctaid.x; mul.wide.u32 %rd5, %r9, 4096;\n"
                    "mul.wide.u32 %rd6, %r1, 128; add.s64 %rd6, %rd6, %rd5;\n"
                    "add.s64 %rd6, %rd6, %rd1; ld.global.u32 %r3, [%rd6]; add.s32 %r3, %r3, 1;",
                    settings, (struct traced_shape){.ctas = 24, .threads = 32, .want = 8});
        cycles[cluster] = replayed(&x, 8, true).cycles;
        traced_close(&x);
    }
    CU_ASSERT_TRUE(cycles[1] > 24 * 32 * 5 * 4);
    CU_ASSERT_TRUE(cycles[0] < 0.6 * cycles[1]);
}

/* 30 stores to one partition, which takes one in 32 cycles, and a load from the other partition
 * behind them. By itself it takes its way, 12 to open a row, 32 to the second command, 12 to its
 * data and some queues. With one virtual channel it waits for all but the 12 stores that the
 * network's buffers at the partition hold; with 16 there is one for it. */
static void virtual_channels_pass_each_other(void)
{
    double latency[2];
    for (int i = 0; i < 2; i++) {
        const char *const settings[] = {"clock.icnt=1400",
                                        "clock.l2=1400",
                                        "clock.dram=1400",
                                        "partition.count=2",
                                        "partition.icnt_to_l2=1",
                                        "partition.l2_to_dram=1",
                                        "partition.rop_latency=0",
                                        "dram.queue=1",
                                        "dram.latency=0",
                                        "dram.tCCD=32",
                                        "dram.tCCDL=32",
                                        "icnt.topology=fly",
                                        "icnt.inject_flits=512",
                                        "l1d.miss_queue=512",
                                        i ? "icnt.vcs=16" : "icnt.vcs=1",
                                        NULL};
        struct traced x;
        traced_open(&x,
                    "mov.u32 %r9, %tid.x; shr.u32 %r10, %r9, 5; setp.eq.u32 %p1, %r10, 1;\n"
                    "mul.wide.u32 %rd5, %r9, 512; add.s64 %rd6, %rd1, %rd5; @%p1 bra M;\n"
                    "setp.lt.u32 %p2, %r9, 30; @%p2 st.global.u32 [%rd6], %r9; exit;\n"
                    "M: mov.u32 %r2, 0;\n"
                    "K: add.s32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 3; @%p2 bra K;\n"
                    "ld.global.u32 %r3, [%rd1+256]; add.s32 %r3, %r3, 1;",
                    settings, (struct traced_shape){.ctas = 1, .threads = 2 * 32, .want = 1});
        latency[i] = replayed(&x, 1, false).read_latency;
        traced_close(&x);
    }
    const double by_itself = WAY + 12 + 32 + 12;
    CU_ASSERT_TRUE(latency[0] > by_itself + 10 * 32);
    CU_ASSERT_TRUE(latency[1] < by_itself + 32);
}

/* Both cores of a cluster store to a partition that takes one request in 64 cycles; each core may
 * have one that waits for the node's buffers, and is told when the other's passes. 2 x 32 stores.
 */
static void cores_of_a_cluster_wait_for_each_other(void)
{
    static const char *const tight[] = {"clock.icnt=1400",        "clock.l2=1400",
                                        "clock.dram=1400",        "cores=2",
                                        "cluster_size=2",         "partition.count=1",
                                        "partition.icnt_to_l2=1", "partition.l2_to_dram=1",
                                        "dram.queue=1",           "dram.tCCD=32",
                                        "dram.tCCDL=32",          "icnt.inject_flits=5",
                                        "l1d.miss_queue=2",       NULL};
    struct traced x;
    traced_open(&x,
                "mov.u32 %r9, %ctaid.x; mul.wide.u32 %rd5, %r9, 4096;\n"
                "mul.wide.u32 %rd6, %r1, 128; add.s64 %rd6, %rd6, %rd5;\n"
                "add.s64 %rd6, %rd6, %rd1; st.global.u32 [%rd6], %r9;",
                tight, (struct traced_shape){.ctas = 2, .threads = 32, .want = 1});
    const struct replay_result r = replayed(&x, 1, true);
    CU_ASSERT_EQUAL(r.ctas, 2);
    CU_ASSERT_TRUE(r.cycles > 64 * 32 && r.cycles < 64 * 32 + 1000); /* a store is a command */
    traced_close(&x);
}

SUITE("replayed network", T(replies_pass_each_other), T(requests_keep_their_order),
      T(cores_of_a_cluster_share_a_port), T(virtual_channels_pass_each_other),
      T(cores_of_a_cluster_wait_for_each_other))
