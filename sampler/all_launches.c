#include "sampler/all_launches.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/cpu_time.h"
#include "base/err.h"
#include "base/pool.h"
#include "sampler/project.h"

/* What a replay is off by is partly chance, as is what it predicts: a short program is replayed
 * again, perturbed, at the degrees at which it is fastest. */
#define REPEATS_LEAST  3
#define REPEATS_MOST   9
#define REPEATED_INSTS (1 << 21) /* warp instructions of all replays of a degree, the most */
#define REPEATED_ERROR 0.01      /* of mean cycles: a standard error that is good enough */
#define REPEATED_NEAR  1.15      /* x cycles at the fastest degree: those that are replayed again */

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

/* The replays of one degree, and, of the last one, of those behind it that are alike. */
struct degree {
    int n, last;
    int replays;
    double cycles;        /* of all launches, summed over replays */
    double squares;       /* ... deviations from their mean, squared */
    struct replayed *sum; /* owned: [last - n + 1][groups] */
};

struct degrees {
    struct all_launches *w;
    int groups, most;
    int alike; /* from this degree on all are: no core gets more CTAs */
    struct degree at[SAMPLE_DEGREES];
    struct degree *next[SAMPLE_DEGREES]; /* borrowed: those that are replayed side by side */
    int nexts, done;                     /* ... of which are done */
    double from, to;                     /* progress before these, and behind them */
    pthread_mutex_t lock;                /* of done and of w's cost */
};

static bool tell(struct degrees *s, uint64_t insts, double seconds)
{
    struct all_launches *w = s->w;
    pthread_mutex_lock(&s->lock);
    w->insts += insts;
    w->seconds += seconds;
    const double at = s->from + (s->to - s->from) * ++s->done / s->nexts;
    const bool on = !w->progress || w->progress(w->user, at);
    pthread_mutex_unlock(&s->lock);
    return on;
}

/* All launches, added to the sums. *insts: warp instructions that were replayed. Returns cycles. */
static double replay_launches(const struct degrees *s, const struct gpu_cfg *cfg, struct degree *d,
                              uint64_t *insts)
{
    const struct all_launches *w = s->w;
    const struct replay_opts o = {
        .n = d->n, .whole = true, .first = 1 % cfg->top.cores}; /* as the dispatcher has it */
    struct replay *r = replay_new(cfg, &o);
    double cycles = 0;
    for (int k = 0; k < w->launches; k++) {
        const struct trace *t = &w->launch[k].trace;
        struct replay_result x;
        replay_run(r, t, t->ctas, &x);
        *insts += x.insts;
        cycles += x.cycles;
        for (int m = d->n; m <= d->last; m++) {
            struct replay_result at = x;
            at.wave = replay_wave(r, m);
            project_uncut(t, &at);
            replayed_add(&d->sum[(m - d->n) * s->groups + w->launch[k].group], &at);
        }
    }
    replay_free(r);
    return cycles;
}

static double mean_cycles(const struct degree *d)
{
    return d->cycles / d->replays;
}

/* A pool_job: one replay more. */
static bool at_degree(void *user, int i, struct err *e)
{
    struct degrees *s = user;
    struct degree *d = s->next[i];
    struct gpu_cfg cfg = *s->w->cfg;
    const double start = cpu_seconds();
    uint64_t insts = 0;
    gpu_cfg_perturb(&cfg, gpu_cfg_perturbation(&cfg, d->replays));
    const double cycles = replay_launches(s, &cfg, d, &insts);
    const double off = d->replays ? cycles - mean_cycles(d) : 0;
    d->cycles += cycles;
    d->replays++;
    d->squares += off * (cycles - mean_cycles(d));
    return tell(s, insts, cpu_seconds() - start) || err_set(e, "stopped");
}

/* Standard error of the mean / the mean; 0: not known. */
static double chance(const struct degree *d)
{
    const double n = d->replays;
    return n > 1 ? sqrt(d->squares / (n - 1) / n) / mean_cycles(d) : 0;
}

static bool is_sure(const struct degree *d)
{
    return d->replays >= REPEATS_LEAST && chance(d) <= REPEATED_ERROR;
}

/* Fills s->next with the degrees that are to be replayed once more. insts: of one replay. */
static bool find_next(struct degrees *s, double insts)
{
    double least = INFINITY;
    for (int i = 0; i < s->alike; i++)
        least = fmin(least, mean_cycles(&s->at[i]));
    s->nexts = s->done = 0;
    for (int i = 0; i < s->alike; i++) {
        struct degree *d = &s->at[i];
        const bool room = d->replays < REPEATS_MOST && (d->replays + 1) * insts <= REPEATED_INSTS;
        if (room && !is_sure(d) && mean_cycles(d) <= REPEATED_NEAR * least)
            s->next[s->nexts++] = d;
    }
    return s->nexts > 0;
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

static double traced_insts(const struct all_launches *w)
{
    double insts = 0;
    for (int i = 0; i < w->launches; i++)
        insts += (double)w->launch[i].trace.insts;
    return insts;
}

/* At all degrees once; then again and again where that is worth it. Each round is half of the
 * progress that is left. */
static bool replay_all(struct degrees *s, struct err *e)
{
    const double insts = traced_insts(s->w);
    const int threads = s->w->jobs > 1 ? s->w->jobs : 1;
    for (int i = 0; i < s->alike; i++)
        s->next[s->nexts++] = &s->at[i];
    s->to = 2 * insts <= REPEATED_INSTS ? 0.5 : 1;
    if (!pool_run(threads, s->nexts, at_degree, s, e))
        return false;
    while (find_next(s, insts)) {
        s->from = s->to;
        s->to += (1 - s->to) / 2;
        if (!pool_run(threads, s->nexts, at_degree, s, e))
            return false;
    }
    return !s->w->progress || s->w->progress(s->w->user, 1) || err_set(e, "stopped");
}

static void fill(const struct degrees *s, struct sample *kernel)
{
    for (int k = 0; k < s->groups; k++) {
        for (int i = 0; i < s->alike; i++)
            for (int m = s->at[i].n; m <= s->at[i].last; m++) {
                replayed_fill(&s->at[i].sum[(m - s->at[i].n) * s->groups + k], m, &kernel[k]);
                kernel[k].replay_chance[m - 1] = chance(&s->at[i]);
            }
        for (int n = 1; n <= s->most; n++) {
            kernel[k].replay_launch[n - 1] = kernel[k].replay_cycles[n - 1];
            kernel[k].replay_launch_even[n - 1] =
                replayed_even(kernel[k].replay_cycles, n, s->most);
        }
    }
}

bool all_launches_replay(struct all_launches *w, struct sample *kernel, int groups, struct err *e)
{
    struct degrees s = {.w = w, .groups = groups, .most = largest(w)};
    s.alike = alike_from(w, s.most);
    for (int i = 0; i < s.alike; i++) {
        struct degree *d = &s.at[i];
        *d = (struct degree){.n = i + 1, .last = i + 1 == s.alike ? s.most : i + 1};
        d->sum = xcalloc((size_t)(groups * (d->last - i)), sizeof *d->sum);
    }
    pthread_mutex_init(&s.lock, NULL);
    const bool ok = replay_all(&s, e);
    pthread_mutex_destroy(&s.lock);
    if (ok)
        fill(&s, kernel);
    for (int i = 0; i < s.alike; i++)
        free(s.at[i].sum);
    return ok;
}
