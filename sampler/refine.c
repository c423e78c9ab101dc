#include "sampler/refine.h"

#include "base/cpu_time.h"
#include "base/stats.h"
#include "sim/gpu/gpu.h"

bool refine(struct refinement *r, struct launch *l, int n, uint64_t max_insts, struct sample *d,
            struct err *e)
{
    const struct gpu_cfg *cfg = r->p->cfg;
    const uint64_t cores = (uint64_t)cfg->top.cores;
    const uint64_t traced = r->p->trace[r->p->traces - 1]->first;
    const uint64_t first = traced - traced % cores; /* the round that they belong to */
    const int i = (int)d->refine_windows;
    struct gpu *g = i < SAMPLE_WINDOWS ? gpu_new(cfg, e) : NULL;
    if (!g)
        return i < SAMPLE_WINDOWS ? false : err_set(e, "at most %d windows", SAMPLE_WINDOWS);
    const struct gpu_opts o = {.n = n,
                               .max_cycles = r->max_cycles,
                               .max_warp_insts = max_insts,
                               .first_cta = first,
                               .num_ctas = launch_ctas(l) - first,
                               .only_core = -1};
    struct run_stats st = {0};
    const double start = cpu_seconds();
    const bool ok = gpu_launch(g, l, &o, &st, e);
    r->seconds += cpu_seconds() - start;
    gpu_free(g);
    d->refine_warp_insts += (double)st.warp_insts;
    const double replayed = ok ? project_mark(r->p, d, n, st.warp_insts / cores) : 0;
    if (replayed <= 0)
        return ok;
    d->refine_n[i] = n;
    d->refine_ratio[i] = (double)st.cycles / replayed;
    d->refine_windows++;
    return true;
}
