#include "sampler/all_launches.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/cpu_time.h"
#include "base/err.h"
#include "base/pool.h"
#include "sampler/project.h"

/* What a replay is off by is partly chance, as it is of what it predicts: short programs are replayed
 * several times, perturbed, up to so many, as long as that has no more warp instructions. */
#define REPEATS        5
#define REPEATED_INSTS (1 << 20)
#define PLACES (1 << 17) /* of up to 32 warps, 32 bytes each: 128 MB at most, mostly much less */

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

struct degrees {
    struct all_launches *w;
    struct sample *kernel;
    int groups, most;
    int alike; /* from this degree on all are: no core gets more CTAs */
    int repeats;
    int done;
    pthread_mutex_t lock; /* of done and of w's cost */
};

static bool tell(struct degrees *s, uint64_t insts, double seconds)
{
    struct all_launches *w = s->w;
    pthread_mutex_lock(&s->lock);
    w->insts += insts;
    w->seconds += seconds;
    const bool on = !w->progress || w->progress(w->user, (double)++s->done / s->alike);
    pthread_mutex_unlock(&s->lock);
    return on;
}

/* All launches, n CTAs at once, added to the sums of n..last, group by group. Returns the warp
 * instructions that were replayed. */
static uint64_t replay_launches(const struct degrees *s, const struct gpu_cfg *cfg, int n, int last,
                                struct replayed *sum)
{
    const struct all_launches *w = s->w;
    const struct replay_opts o = {
        .n = n, .whole = true, .first = 1 % cfg->top.cores}; /* as the dispatcher has it */
    struct replay *r = replay_new(cfg, &o);
    uint64_t insts = 0;
    for (int k = 0; k < w->launches; k++) {
        const struct trace *t = &w->launch[k].trace;
        struct replay_result x;
        replay_run(r, t, t->ctas, &x);
        insts += x.insts;
        for (int m = n; m <= last; m++) {
            struct replay_result at = x;
            at.wave = replay_wave(r, m);
            project_uncut(t, &at);
            replayed_add(&sum[(m - n) * s->groups + w->launch[k].group], &at);
        }
    }
    replay_free(r);
    return insts;
}

/* A pool_job: all launches, and CTAs, i + 1 at once; and the degrees behind it that are alike. */
static bool at_degree(void *user, int i, struct err *e)
{
    struct degrees *s = user;
    const double start = cpu_seconds();
    const int n = i + 1, last = n == s->alike ? s->most : n;
    struct replayed *sum = xcalloc((size_t)(s->groups * (last - i)), sizeof *sum);
    uint64_t insts = 0;
    for (int k = 0; k < s->repeats; k++) {
        struct gpu_cfg cfg = *s->w->cfg;
        gpu_cfg_perturb(&cfg, gpu_cfg_perturbation(&cfg, k));
        insts += replay_launches(s, &cfg, n, last, sum);
    }
    for (int m = n; m <= last; m++)
        for (int k = 0; k < s->groups; k++)
            replayed_fill(&sum[(m - n) * s->groups + k], m, &s->kernel[k]);
    free(sum);
    return tell(s, insts, cpu_seconds() - start) || err_set(e, "stopped");
}

static int largest(const struct all_launches *w)
{
    int n = 1;
    for (int i = 0; i < w->launches; i++)
        n = w->launch[i].trace.fits > n ? w->launch[i].trace.fits : n;
    return n < SAMPLE_DEGREES ? n : SAMPLE_DEGREES;
}

static int alike_from(const struct all_launches *w, int most)
{
    int n = 1;
    for (int i = 0; i < w->launches; i++) {
        const struct trace *t = &w->launch[i].trace;
        const uint64_t a_core = (t->all + t->stride - 1) / t->stride;
        const int needs = a_core < (uint64_t)t->fits ? (int)a_core : t->fits;
        n = needs > n ? needs : n;
    }
    return n < most ? n : most;
}

static int repeats(const struct all_launches *w)
{
    double insts = 0;
    for (int i = 0; i < w->launches; i++)
        insts += (double)w->launch[i].trace.insts;
    return (int)fmax(1, fmin(REPEATS, REPEATED_INSTS / fmax(1, insts)));
}

bool all_launches_replay(struct all_launches *w, struct sample *kernel, int groups, struct err *e)
{
    struct degrees s = {.w = w, .kernel = kernel, .groups = groups, .most = largest(w)};
    s.alike = alike_from(w, s.most);
    s.repeats = repeats(w);
    pthread_mutex_init(&s.lock, NULL);
    const bool ok = pool_run(w->jobs > 1 ? w->jobs : 1, s.alike, at_degree, &s, e);
    pthread_mutex_destroy(&s.lock);
    for (int k = 0; ok && k < groups; k++)
        for (int n = 1; n <= s.most; n++) {
            kernel[k].replay_launch[n - 1] = kernel[k].replay_cycles[n - 1];
            kernel[k].replay_launch_even[n - 1] = replayed_even(kernel[k].replay_cycles, n, s.most);
        }
    return ok;
}
