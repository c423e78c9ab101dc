/* tests/sampler/launch_rig.h -- a launch of a small kernel on yen2014, and how it is sampled: each
 * test changes what it needs. */
#ifndef MDP_TESTS_SAMPLER_LAUNCH_RIG_H
#define MDP_TESTS_SAMPLER_LAUNCH_RIG_H

#include "sampler/sample_launch.h"
#include "tests/func/ptxrun.h"
#include "tests/gpu/whole.h"

/* 64 threads a CTA. Each adds its CTA's number to a word of its own, with a load and a store, and
 * counts itself: 5 instructions of the head, 4 for the address, 5, and the end. */
static const char stores[] = HEADER KERNEL(
    "mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1; mul.wide.u32 %rd5, %r3, 4;\n"
    "add.u64 %rd5, %rd1, %rd5; ld.global.u32 %r4, [%rd5]; add.u32 %r4, %r4, %r2;\n"
    "st.global.u32 [%rd5], %r4; atom.global.add.u32 %r5, [%rd2], 1;");
#define INSTS 14 /* a warp's */

/* The same rise and fall for every kernel; its best is 3. */
static inline void predict(const void *coeff, const struct sample *s, struct prediction *p)
{
    static const double hill[] = {0, 10, 14, 15, 14, 13, 12, 11, 10};
    (void)coeff;
    *p = (struct prediction){
        .n_max = (int)s->n_max, .error = 0.3, .error_correlation = 0.3, .correlation_length = 1};
    for (int n = 1; n <= p->n_max; n++)
        p->ipc[n] = hill[n < 8 ? n : 8];
    model_choose(p);
}

static const struct model_ops ops = {.name = "hill", .predict = predict};
static const struct model_coeffs hilly = {.model = &ops};

struct rig {
    struct gpu_cfg cfg;
    struct ptxrun r;
    struct launch_facts facts;
    struct sample_opts o;
    struct memory_rates rates;
    struct sample d;
    struct sample_cost cost;
    struct err e;
};

static inline void rig_with(struct rig *x, const char *text, const char *const *settings, int ctas)
{
    struct func_counts n;
    *x = (struct rig){.cfg = whole_gpu("yen2014", settings)};
    CU_ASSERT_TRUE_FATAL(ptxrun_open(&x->r, text, 64, 4 << 20));
    x->r.l.grid[0] = ctas;
    CU_ASSERT_TRUE_FATAL(launch_init(&x->r.l, &x->e));
    struct launch copy = x->r.l;
    x->r.opts.resident = gpu_resident_ctas(&x->cfg, &x->r.l);
    copy.mem = devmem_share(x->r.mem);
    CU_ASSERT_TRUE_FATAL(func_run(&copy, &x->r.opts, &n, &x->e));
    devmem_free(copy.mem);
    x->facts = (struct launch_facts){.cta = 1,
                                     .most_insts = 2 * INSTS,
                                     .warp_insts = n.warp_insts,
                                     .thread_insts = n.thread_insts,
                                     .work = func_work(&n),
                                     .waits = n.waits,
                                     .camping = true};
    params_default(model_pilots.groups, &x->o.pilots);
    x->o.effort = EFFORT_QUICK;
    x->o.model = &hilly;
    x->o.program_insts = (double)n.warp_insts;
    x->o.rates = &x->rates;
}

static inline void rig_open(struct rig *x, const char *const *settings, int ctas)
{
    rig_with(x, stores, settings, ctas);
}

/* What is summed over like launches is the caller's. */
static inline void begin_sample(struct rig *x)
{
    x->d = (struct sample){.launches = 1,
                           .grid_ctas = x->r.l.grid[0],
                           .total_ctas = x->r.l.grid[0],
                           .total_warp_insts = (double)x->facts.warp_insts,
                           .total_thread_insts = (double)x->facts.thread_insts};
}

static inline bool take(struct rig *x)
{
    begin_sample(x);
    return sample_launch(&x->cfg, &x->o, &x->facts, &x->r.l, &x->d, &x->cost, &x->e);
}

static inline void taken(struct rig *x)
{
    const bool ok = take(x);
    if (!ok)
        printf("\n  %s\n", x->e.msg);
    CU_ASSERT_TRUE_FATAL(ok);
}

static inline int pilots(const struct sample *d, double *insts)
{
    int n = 0;
    *insts = 0;
    for (int i = 0; i < SAMPLE_DEGREES; i++) {
        n += d->pilot_cycles[i] > 0;
        *insts += d->pilot_insts[i];
        CU_ASSERT_EQUAL(d->pilot_cycles[i] > 0, d->pilot_insts[i] > 0);
    }
    return n;
}

#endif
