#include "sampler/all_launches.h"

#include <stdlib.h>

#include "base/cpu_time.h"
#include "base/err.h"
#include "sampler/project.h"

#define PLACES (1 << 17) /* of up to 32 warps, 40 bytes each: 160 MB at most, mostly much less */

uint64_t all_launches_places(const struct gpu_cfg *cfg, uint64_t ctas)
{
    const uint64_t cores = (uint64_t)cfg->top.cores;
    return (ctas + cores - 1) / cores * cores;
}

bool all_launches_fit(uint64_t warp_insts, uint64_t places)
{
    return project_whole((double)warp_insts) && places <= PLACES;
}

void all_launches_init(struct all_launches *w, const struct gpu_cfg *cfg, int launches)
{
    *w = (struct all_launches){
        .cfg = cfg, .launch = xcalloc((size_t)launches, sizeof *w->launch), .launches = launches};
}

void all_launches_fini(struct all_launches *w)
{
    for (int i = 0; i < w->launches; i++)
        trace_fini(&w->launch[i].trace);
    free(w->launch);
    *w = (struct all_launches){0};
}

struct trace *all_launches_trace(struct all_launches *w, int i, const struct launch *l, int group)
{
    struct trace *t = &w->launch[i].trace;
    project_trace(t, w->cfg, l, (struct project_extent){.whole = true});
    w->launch[i].group = group;
    return t;
}

/* sum: of each group. */
static void replay_launches(struct all_launches *w, const struct replay_opts *o,
                            struct replayed *sum)
{
    struct replay *r = replay_new(w->cfg, o);
    for (int i = 0; i < w->launches; i++) {
        const struct trace *t = &w->launch[i].trace;
        struct replay_result x;
        replay_run(r, t, t->ctas, &x);
        w->insts += x.insts;
        project_uncut(t, &x);
        replayed_add(&sum[w->launch[i].group], &x);
    }
    replay_free(r);
}

static int largest(const struct all_launches *w)
{
    int n = 1;
    for (int i = 0; i < w->launches; i++)
        n = w->launch[i].trace.fits > n ? w->launch[i].trace.fits : n;
    return n < SAMPLE_DEGREES ? n : SAMPLE_DEGREES;
}

bool all_launches_replay(struct all_launches *w, struct sample *kernel, int groups)
{
    const double start = cpu_seconds();
    const int most = largest(w);
    struct replay_opts o = {.whole = true,
                            .first = 1 % w->cfg->top.cores}; /* as the dispatcher has it */
    bool goes_on = true;
    for (o.n = 1; o.n <= most && goes_on; o.n++) {
        struct replayed *sum = xcalloc((size_t)groups, sizeof *sum);
        replay_launches(w, &o, sum);
        for (int k = 0; k < groups; k++)
            replayed_fill(&sum[k], o.n, &kernel[k]);
        free(sum);
        goes_on = !w->progress || w->progress(w->user, (double)o.n / most);
    }
    for (int k = 0; k < groups; k++)
        for (int n = 1; n <= most; n++) {
            kernel[k].replay_launch[n - 1] = kernel[k].replay_cycles[n - 1];
            kernel[k].replay_launch_even[n - 1] = replayed_even(kernel[k].replay_cycles, n, most);
        }
    w->seconds += cpu_seconds() - start;
    return goes_on;
}
