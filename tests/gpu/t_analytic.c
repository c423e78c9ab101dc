/* Kernels on a whole GPU whose cycles, bandwidth or hits follow by hand. */
#include "sim/gpu/gpu.h"
#include "tests/sm/loops.h"

struct rig { /* a GPU and one kernel */
    struct fix f;
    struct gpu *gpu;
    struct run_stats st, per_core[16];
};

static void rig_start(struct rig *r, const char *const *settings, const char *body)
{
    struct err e = {""};
    memset(r, 0, sizeof *r);
    gpu_cfg_default(&r->f.cfg);
    for (; *settings; settings++)
        CU_ASSERT_TRUE_FATAL(params_set(gpu_cfg_groups(), &r->f.cfg, *settings, &e));
    r->gpu = gpu_new(&r->f.cfg, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r->gpu);
    r->f.mem = devmem_new();
    r->f.buffer = devmem_alloc(r->f.mem, 1 << 20, "buffer");
    fix_kernel(&r->f, body);
}

static uint64_t rig_run(struct rig *r, int ctas, int threads, int n)
{
    struct err e = {""};
    struct launch *l = &r->f.launch;
    const struct gpu_opts o = {.n = n, .only_core = -1, .per_core = r->per_core};
    l->grid[0] = ctas;
    l->grid[1] = l->grid[2] = l->block[1] = l->block[2] = 1;
    l->block[0] = threads;
    memset(&r->st, 0, sizeof r->st);
    memset(r->per_core, 0, sizeof r->per_core);
    if (!gpu_launch(r->gpu, l, &o, &r->st, &e))
        fprintf(stderr, "%s\n", e.msg);
    CU_ASSERT_TRUE(gpu_drain(r->gpu, 100000));
    return r->st.cycles;
}

static void rig_end(struct rig *r)
{
    gpu_free(r->gpu);
    devmem_free(r->f.mem);
    module_free(r->f.module);
    free(r->f.launch.params);
}

static uint64_t chase_cycles(const char *const *settings, int loads, int rounds)
{
    char body[4096], *at = body;
    struct rig r;
    at +=
        sprintf(at, "ld.param.u64 %%rd1, [p]; st.global.u64 [%%rd1], %%rd1; mov.u32 %%r1, 0;\nL:");
    for (int i = 0; i < loads; i++)
        at += sprintf(at, "ld.global.cg.u64 %%rd1, [%%rd1];\n");
    sprintf(at, "add.s32 %%r1, %%r1, 1; setp.lt.s32 %%p1, %%r1, %d; @%%p1 bra L; ret;", rounds);
    rig_start(&r, settings, body);
    const uint64_t cycles = rig_run(&r, 1, 32, 1);
    rig_end(&r);
    return cycles;
}

static double hop(const char *const *settings)
{
    const uint64_t many = chase_cycles(settings, 24, 40) - chase_cycles(settings, 24, 20);
    const uint64_t few = chase_cycles(settings, 8, 40) - chase_cycles(settings, 8, 20);
    return (double)(many - few) / (16 * 20);
}

#define EQUAL_CLOCKS "clock.core=700", "clock.icnt=1400", "clock.l2=700", "clock.dram=700"

/* With one clock for core, L2 and DRAM, from the cycle in which the request leaves the core:
 *   1    it crosses the network (which is twice as fast) and enters its partition
 *   236  there, up to the L2's part of that cycle: t_partition.c derives 240 - 1 for two columns of
 *        an open row, and 32 bytes need one, CCDL = 3 earlier
 *   2    half a cycle to the reply network, two flits of half a cycle each, the core's next edge
 *   7    from the reply at the core to the next request: t_timing.c */
static void a_pointer_chase_takes_its_cycles_a_hop(void)
{
    static const struct {
        const char *more[4];
        double cycles;
    } rows[] = {
        {{NULL}, 1 + 236 + 2 + 7},
        {{"partition.rop_latency=0", "dram.latency=0", NULL}, 1 + 236 + 2 + 7 - 120 - 100},
        {{"dram.tCL=20", NULL}, 1 + 236 + 2 + 7 + 8},
        /* five flits for two: three half cycles more, to the core's next edge */
        {{"icnt.flit_bytes=8", "icnt.inject_flits=20", "icnt.boundary_flits=20", NULL},
         1 + 236 + 3 + 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *set[9] = {"cores=1", EQUAL_CLOCKS};
        for (int k = 0; rows[i].more[k]; k++)
            set[5 + k] = rows[i].more[k];
        near(hop(set), rows[i].cycles);
    }
}

static double stream_column(const char *const *settings)
{
    uint64_t cycles[2], columns[2];
    for (int k = 0; k < 2; k++) {
        char body[1024];
        struct rig r;
        snprintf(body, sizeof body,
                 "ld.param.u64 %%rd1, [p]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd2, %%r1, 4;\n"
                 "add.s64 %%rd1, %%rd1, %%rd2; mov.u32 %%r2, 0;\n"
                 "L: ld.global.cg.u32 %%r3, [%%rd1]; ld.global.cg.u32 %%r4, [%%rd1+1024];\n"
                 "ld.global.cg.u32 %%r5, [%%rd1+2048]; ld.global.cg.u32 %%r6, [%%rd1+3072];\n"
                 "ld.global.cg.u32 %%r7, [%%rd1+4096]; ld.global.cg.u32 %%r8, [%%rd1+5120];\n"
                 "add.s32 %%r2, %%r2, 1; setp.lt.s32 %%p1, %%r2, %d; @%%p1 bra L; ret;",
                 10 + 10 * k);
        rig_start(&r, settings, body);
        rig_run(&r, 15 * 6, 256, 6);
        cycles[k] = r.st.dram_cycles;
        columns[k] = r.st.dram_cmd_rd;
        rig_end(&r);
    }
    return (double)(cycles[1] - cycles[0]) / (double)(columns[1] - columns[0]);
}

/* 90 CTAs of 8 warps read the same 6 KB past L1, which lie in one bank group of one channel: a
 * column every CCDL cycles, or every CCD where that is longer. */
static void a_stream_from_one_row_saturates_its_channel(void)
{
    static const struct {
        const char *set;
        double cycles;
    } rows[] = {{"dram.tCCDL=3", 3}, {"dram.tCCDL=2", 2}, {"dram.tCCDL=5", 5}, {"dram.tCCD=4", 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += SANITIZED ? 3 : 1) {
        const char *const set[] = {EQUAL_CLOCKS, "partition.count=1", rows[i].set, NULL};
        near(stream_column(set), rows[i].cycles);
    }
}

static const char one_word[] =
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
    "add.s64 %rd1, %rd1, %rd2; ld.global.u32 %r3, [%rd1]; ret;";

/* 256 words are 8 lines; a second launch finds them, or not. */
static void l1_is_flushed_between_kernels_when_asked(void)
{
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {"cores=1", k ? "flush_l1=true" : "flush_l1=false", NULL};
        struct rig r;
        rig_start(&r, set, one_word);
        rig_run(&r, 1, 256, 1);
        CU_ASSERT_EQUAL(r.st.l1d_misses, 8);
        rig_run(&r, 1, 256, 1);
        CU_ASSERT_EQUAL(r.st.l1d_misses, k ? 8 : 0);
        rig_end(&r);
    }
}

/* A CTA a core and cycle, the second core first: 1 2 0, then 1. */
static void ctas_go_round_the_cores(void)
{
    const char *const set[] = {"cores=3", "cta_scheduler=static", NULL};
    struct rig r;
    rig_start(&r, set, "ret;");
    rig_run(&r, 4, 32, 2);
    CU_ASSERT_EQUAL(r.per_core[0].ctas, 1);
    CU_ASSERT_EQUAL(r.per_core[1].ctas, 2);
    CU_ASSERT_EQUAL(r.per_core[2].ctas, 1);
    rig_end(&r);
}

SUITE("analytic kernels", T(a_pointer_chase_takes_its_cycles_a_hop),
      T(a_stream_from_one_row_saturates_its_channel), T(l1_is_flushed_between_kernels_when_asked),
      T(ctas_go_round_the_cores))
