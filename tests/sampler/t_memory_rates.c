/* What memory delivers, beside what the configuration lets it deliver at most; and the issue rate,
 * which models take from the configuration. */
#include "sampler/window/memory_rates.h"

#include <math.h>
#include <string.h>

#include "sampler/pilot/scale_model.h"
#include "tests/func/ptxrun.h"
#include "tests/gpu/whole.h"

static const char *const gpus[] = {"awatramani2015", "gpgpusim321",        "kayiran2013",
                                   "park2015",       "kayiran2013-mesh56", "kayiran2013-mesh110",
                                   "yen2014"};
#define GPUS      (sizeof gpus / sizeof *gpus)
#define EVERY_GPU (SANITIZED ? 2 : 1)

static struct memory_rates rates_by(const struct gpu_cfg *cfg, const struct sampling *by)
{
    struct memory_rates r;
    struct err e = {""};
    const bool ok = memory_rates_measure(cfg, by, &r, &e);
    if (!ok)
        printf("\n  %s\n", e.msg);
    CU_ASSERT_TRUE(ok);
    return r;
}

static struct memory_rates rates_of(const struct gpu_cfg *cfg)
{
    return rates_by(cfg, sampling_or_default(NULL));
}

/* L1D lines a core cycle: the data buses of all channels; the network's way back, one flit a cycle
 * and partition. */
static double bus_limit(const struct gpu_cfg *c)
{
    const struct dram_cfg *d = &c->mem.dram;
    return (double)d->bus_bytes * d->chips * d->data_rate * c->mem.partition.count * c->clock.dram /
           ((double)c->clock.core * c->mem.l1d.line);
}

static double reply_limit(const struct gpu_cfg *c)
{
    const double flits =
        ceil((double)(c->mem.l1d.line + c->icnt.header_bytes) / c->icnt.flit_bytes);
    return c->mem.partition.count * (double)c->clock.icnt / c->clock.core / flits;
}

/* Core cycles: the fixed delays on the way to DRAM, a row that is opened and a line that is read.
 */
static double least_latency(const struct gpu_cfg *c)
{
    const struct dram_cfg *d = &c->mem.dram;
    const double line = c->mem.l1d.line / ((double)d->bus_bytes * d->chips * d->data_rate);
    return c->mem.partition.rop_latency + d->latency +
           (d->tRCD + d->tCL + line) * c->clock.core / c->clock.dram;
}

static void rates_lie_below_what_the_configuration_allows(void)
{
    for (size_t i = 0; i < GPUS; i += EVERY_GPU) {
        const struct gpu_cfg cfg = whole_gpu(gpus[i], NULL);
        const struct memory_rates r = rates_of(&cfg);
        const double most = fmin(bus_limit(&cfg), reply_limit(&cfg));
        const bool l2 = cfg.mem.l2.enabled && !cfg.mem.partition.l2_texture_only;
        if (!(r.dram > 0.4 * most && r.dram < most))
            printf("\n  %s: %g of %g\n", gpus[i], r.dram, most);
        CU_ASSERT(r.dram > 0.4 * most && r.dram < most);
        CU_ASSERT_EQUAL(r.l2 > 0, l2);
        CU_ASSERT(!l2 || (r.l2 > 0.99 * r.dram && r.l2 < reply_limit(&cfg)));
        CU_ASSERT(r.known && r.warp_insts > 0 && r.seconds > 0);
        CU_ASSERT(r.latency > least_latency(&cfg) && r.latency < 4 * least_latency(&cfg));
        CU_ASSERT_EQUAL(
            r.warp_insts,
            memory_rates_insts(&cfg, sampling_or_default(NULL))); /* known without measuring */
    }
}

static void the_same_gpu_gives_the_same_rates(void)
{
    const struct gpu_cfg cfg = whole_gpu("park2015", NULL);
    const struct memory_rates a = rates_of(&cfg), b = rates_of(&cfg);
    CU_ASSERT_EQUAL(a.dram, b.dram);
    CU_ASSERT_EQUAL(a.l2, b.l2);
    CU_ASSERT_EQUAL(a.warp_insts, b.warp_insts);
}

/* Half the clock of DRAM: half as much; of L2 as before. */
static void dram_follows_its_clock(void)
{
    struct gpu_cfg cfg = whole_gpu("park2015", NULL);
    const struct memory_rates full = rates_of(&cfg);
    cfg.clock.dram /= 2;
    const struct memory_rates half = rates_of(&cfg);
    CU_ASSERT_DOUBLE_EQUAL(half.dram / full.dram, 0.5, 0.05);
    CU_ASSERT_DOUBLE_EQUAL(half.l2 / full.l2, 1, 0.05);
}

/* Flits of 8 bytes instead of 32: a line is 17, and nothing else bounds. */
static void a_narrow_network_bounds_both(void)
{
    struct gpu_cfg cfg = whole_gpu("park2015", NULL);
    cfg.icnt.flit_bytes = 8;
    cfg.icnt.inject_flits = cfg.icnt.boundary_flits = 32;
    const struct memory_rates r = rates_of(&cfg);
    CU_ASSERT_DOUBLE_EQUAL(r.l2 / reply_limit(&cfg), 0.975, 0.025);
    CU_ASSERT(r.dram < r.l2);
}

/* Ten ports that ask eight have more in each other's way than two that ask two; on a mesh both wait
 * for the partitions. A slice whose network is as much slower delivers its share. */
static void a_large_switch_delivers_less_for_a_port(void)
{
    const struct sampling *by = sampling_or_default(NULL);
    struct err e = {""};
    for (size_t i = 0; i < GPUS; i++) {
        const struct gpu_cfg cfg = whole_gpu(gpus[i], NULL);
        struct memory_rates r = rates_of(&cfg), again;
        const double cores = scale_model_slice(&cfg, &by->pilot), l2 = r.l2;
        CU_ASSERT_TRUE_FATAL(memory_rates_network(&cfg, by, &r, &e));
        CU_ASSERT_EQUAL(r.warp_insts, memory_rates_network_insts(&cfg, by));
        CU_ASSERT(r.network > 0.85 && r.network <= 1);
        CU_ASSERT_EQUAL(r.l2, l2);
        if (r.l2 <= 0)
            CU_ASSERT(r.network == 1 && r.warp_insts == 0);
        if (strstr(gpus[i], "mesh"))
            CU_ASSERT(r.network > 0.99);
        if (strcmp(gpus[i], "kayiran2013") != 0)
            continue;
        CU_ASSERT(r.network < 0.95);
        struct gpu_cfg slice;
        CU_ASSERT_TRUE_FATAL(scale_model(&cfg, (int)cores, r.network, &slice, &e));
        slice.mem.model.partitions = 0;
        again = rates_of(&slice); /* of this one it takes all */
        CU_ASSERT_DOUBLE_EQUAL(again.l2 / (r.l2 * r.network * cores / cfg.top.cores), 1, 0.03);
    }
}

/* ---- the whole GPU, and cores ---- */

struct grid {
    const char *body;
    int ctas, threads;
    uint64_t bytes;
};

static struct run_stats whole_grid(const struct gpu_cfg *cfg, const struct grid *g)
{
    struct run_stats st = {0};
    struct ptxrun r;
    char text[8192];
    const struct gpu_opts o = {.n = 8, .only_core = -1};
    KERNEL_TEXT(text, g->body);
    ptxrun_open(&r, text, g->threads, g->bytes);
    r.l.grid[0] = g->ctas;
    struct gpu *gpu = gpu_new(cfg, &r.err);
    CU_ASSERT_TRUE(gpu && gpu_launch(gpu, &r.l, &o, &st, &r.err));
    gpu_free(gpu);
    ptxrun_close(&r);
    return st;
}

/* 15 cores that load 20 lines a warp, with its start and end: some less than the slice's rate. */
static void a_slice_stands_for_the_gpu(void)
{
    const struct grid g = {
        .body = "mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 256, %r1; mul.wide.u32 %rd5, %r3, 4;"
                "add.u64 %rd5, %rd1, %rd5; mov.u32 %r4, 20;"
                "again: ld.global.u32 %r5, [%rd5]; add.u64 %rd5, %rd5, 61440; sub.u32 %r4, %r4, 1;"
                "setp.ne.u32 %p1, %r4, 0; @%p1 bra again;",
        .ctas = 60,
        .threads = 256,
        .bytes = 20 * 61440};
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    const struct run_stats st = whole_grid(&cfg, &g);
    CU_ASSERT_EQUAL(st.dram_reads, 60 * 8 * 20);
    CU_ASSERT_DOUBLE_EQUAL((double)st.dram_reads / (double)st.cycles / rates_of(&cfg).dram, 0.95,
                           0.07);
}

/* Additions that depend on nothing near, 1000 of each of 32 warps: no core issues more than its
 * schedulers can. One that issues a warp in four cycles reaches that; where two issue in each,
 * banks of registers and, of awatramani2015, units that take two cycles for a warp leave the rest.
 */
static void no_core_exceeds_the_issue_rate(void)
{
    char body[8192] = "mov.u32 %r20, 40; again: ", one[64];
    for (int i = 0; i < 24; i++) {
        snprintf(one, sizeof one, "add.u32 %%r%d, %%r1, %d; ", 2 + i % 16, i);
        strcat(body, one);
    }
    strcat(body, "sub.u32 %r20, %r20, 1; setp.ne.u32 %p1, %r20, 0; @%p1 bra again;");
    for (size_t i = 0; i < GPUS; i += EVERY_GPU) {
        const struct gpu_cfg cfg = whole_gpu(gpus[i], NULL);
        const struct grid g = {body, cfg.top.cores * 4, 256, 8192};
        const struct run_stats st = whole_grid(&cfg, &g);
        const double rate = (double)cfg.sm.schedulers / cfg.sm.issue_interval,
                     reached = (double)st.warp_insts / (double)st.cycles / cfg.top.cores;
        const double least = cfg.sm.issue_interval > 1 ? 0.95 : 0.45;
        if (!(reached > least * rate && reached <= rate))
            printf("\n  %s: %g of %g\n", gpus[i], reached, rate);
        CU_ASSERT(reached > least * rate && reached <= rate);
    }
}

/* Four lines in flight hide little of a latency, more in a row take longer to the same end. */
static void rows_say_how_they_are_measured(void)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    const struct memory_rates plain = rates_of(&cfg);
    struct sampling by = *sampling_or_default(NULL);
    by.rates.in_flight = 4;
    const struct memory_rates few = rates_by(&cfg, &by);
    CU_ASSERT(few.dram < 0.8 * plain.dram);
    CU_ASSERT_EQUAL(few.warp_insts, memory_rates_insts(&cfg, &by));
    by = *sampling_or_default(NULL);
    by.rates.loads = 8;
    const struct memory_rates longer = rates_by(&cfg, &by);
    CU_ASSERT(fabs(longer.dram / plain.dram - 1) < 0.2);
    CU_ASSERT_EQUAL(longer.warp_insts, memory_rates_insts(&cfg, &by));
    CU_ASSERT(longer.warp_insts > plain.warp_insts);
    by = *sampling_or_default(NULL);
    by.rates.from = 0; /* with the queues' filling */
    by.rates.to = 1;   /* and the last warps' end */
    CU_ASSERT(rates_by(&cfg, &by).dram < plain.dram);
    by.rates.to = 0; /* of nothing there is no rate */
    struct memory_rates none;
    struct err e = {""};
    CU_ASSERT_FALSE(memory_rates_measure(&cfg, &by, &none, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "measuring the memory: rates.from, rates.to"));
}

SUITE("memory rates", T(rates_lie_below_what_the_configuration_allows),
      T(the_same_gpu_gives_the_same_rates), T(dram_follows_its_clock),
      T(a_narrow_network_bounds_both), T(a_large_switch_delivers_less_for_a_port),
      T(a_slice_stands_for_the_gpu), T(no_core_exceeds_the_issue_rate),
      T(rows_say_how_they_are_measured))
