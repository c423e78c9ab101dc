/* tests/sampler/pilot_rig.h -- a launch of a small kernel and a pilot of it: each test changes what
 * it needs. */
#ifndef MDP_TESTS_SAMPLER_PILOT_RIG_H
#define MDP_TESTS_SAMPLER_PILOT_RIG_H

#include "sampler/pilot/pilot.h"
#include "tests/func/ptxrun.h"
#include "tests/gpu/whole.h"

struct rig {
    struct gpu_cfg cfg;
    struct ptxrun r;
    struct pilot pilot;
};

static inline void rig_open_with(struct rig *x, const char *gpu, const char *text, int threads,
                                 int ctas, int bytes)
{
    struct func_counts n;
    *x = (struct rig){.cfg = whole_gpu(gpu, NULL)};
    CU_ASSERT_TRUE_FATAL(ptxrun_open(&x->r, text, threads, bytes));
    x->r.l.grid[0] = ctas;
    CU_ASSERT_TRUE_FATAL(launch_init(&x->r.l, &x->r.err));
    struct launch copy = x->r.l;
    copy.mem = devmem_share(x->r.mem);
    x->r.opts.resident = gpu_resident_ctas(&x->cfg, &x->r.l);
    CU_ASSERT_TRUE_FATAL(func_run(&copy, &x->r.opts, &n, &x->r.err));
    devmem_free(copy.mem);
    x->pilot = (struct pilot){
        .full = &x->cfg, .launch_insts = n.warp_insts, .camping = true, .whole = true};
}

static inline void rig_open(struct rig *x, const char *gpu, const char *text, int threads, int ctas)
{
    rig_open_with(x, gpu, text, threads, ctas, 4 << 20);
}

static inline struct pilot_result pilot(struct rig *x, int cores, int n)
{
    struct pilot_result p;
    struct err e = {""};
    x->pilot.cores = cores;
    const bool ok = pilot_run(&x->pilot, &x->r.l, n, &p, &e);
    if (!ok)
        printf("\n  %s\n", e.msg);
    CU_ASSERT_TRUE_FATAL(ok);
    return p;
}

#endif
