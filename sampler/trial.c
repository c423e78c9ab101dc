#include "sampler/trial.h"

#include <math.h>
#include <stdio.h>

#include "base/cpu_time.h"
#include "sampler/replay.h"
#include "sim/func/run.h"

#define PART       64        /* of a program's instructions one in so many is tried */
#define MOST       (1 << 21) /* warp instructions */
#define CORE_PARTS 8         /* recorded of a core, x what it executes in the mean */

struct trial {
    const struct gpu_cfg *cfg; /* borrowed */
    uint64_t insts;            /* warp instructions: it ends as soon as more were issued */
    uint64_t max_cycles;       /* it may take; 0: no limit */
    struct sample_set *set;    /* its costs are added to */
    struct sample *d;          /* of the kernel that is tried */
};

static struct trial trial_in(const struct gpu_cfg *cfg, const struct sampler_opts *o,
                             struct sample_set *set)
{
    return (struct trial){.cfg = cfg,
                          .insts = (uint64_t)fmax(1, fmin(MOST, set->program_insts / PART)),
                          .max_cycles = o->max_cycles,
                          .set = set,
                          .d = &set->kernel[set->tried_kernel]};
}

/* CTAs of the launch's first rounds, as many as a core may come to. */
static int rounds(const struct trial *x, const struct launch *l, double cta_insts, int fits)
{
    const double cores = x->cfg->top.cores, all = ceil((double)launch_ctas(l) / cores);
    const double through = (double)x->insts / cores / fmax(1, cta_insts);
    return (int)fmin(all, fits + 2 * ceil(through));
}

/* Of a warp. */
static uint32_t most_recorded(const struct trial *x, const struct trace *t)
{
    const double a_core = (double)x->insts / x->cfg->top.cores;
    return (uint32_t)fmin(t->most, fmax(64, CORE_PARTS * a_core / t->warps_per_cta));
}

static bool trace(struct trial *x, struct launch *l, struct tracing *to, struct err *e)
{
    const double cta_insts = x->d->total_warp_insts / fmax(1, x->d->total_ctas);
    const double start = cpu_seconds();
    const int fits = gpu_occupancy(x->cfg, l, NULL), cores = x->cfg->top.cores;
    const uint64_t all = launch_ctas(l);
    const int most = rounds(x, l, cta_insts, fits);
    const uint64_t want = (uint64_t)most * (uint64_t)cores;
    struct func_opts fo = {.num_ctas = want < all ? want : all,
                           .resident = fits * cores,
                           .max_warp_insts = gpu_cfg_issue_bound(x->cfg, x->max_cycles),
                           .on_step = tracing_step,
                           .user = to};
    struct func_counts c = {0};
    to->made.cfg = x->cfg;
    trace_init(&to->t, x->cfg, l, 0, most);
    to->t.most = most_recorded(x, &to->t);
    to->t.fits = fits;
    const bool ok = func_run(l, &fo, &c, e);
    to->t.whole = true; /* now that what is recorded has been bounded */
    x->set->functional_seconds += cpu_seconds() - start;
    x->set->functional_warp_insts += c.warp_insts;
    return ok;
}

static bool simulate(struct trial *x, struct launch *l, int n, struct run_stats *st, struct err *e)
{
    const struct gpu_opts o = {
        .n = n, .max_cycles = x->max_cycles, .max_warp_insts = x->insts, .only_core = -1};
    const double start = cpu_seconds();
    struct gpu *g = gpu_new(x->cfg, e);
    const bool ok = g && gpu_launch(g, l, &o, st, e);
    gpu_free(g);
    x->set->host_seconds += cpu_seconds() - start;
    x->set->warp_insts += st->warp_insts;
    return ok || err_prefix(e, "n = %d", n);
}

static void replay(struct trial *x, const struct trace *t, int n, struct replay_result *out)
{
    const struct replay_opts o = {.n = n,
                                  .whole = true,
                                  .first = 1 % x->cfg->top.cores, /* as the dispatcher has it */
                                  .most_insts = x->insts};
    const double start = cpu_seconds();
    struct replay *r = replay_new(x->cfg, &o);
    replay_run(r, t, t->ctas, out);
    replay_free(r);
    x->set->replay_seconds += cpu_seconds() - start;
    x->set->replayed_warp_insts += out->insts;
}

/* A replay that came to the end of what was recorded of a warp or of the launch, while the
 * simulator had more to do, says nothing. */
static void fill(const struct trial *x, int n, const struct run_stats *st,
                 const struct replay_result *r)
{
    struct sample *d = x->d;
    const bool both = !r->short_of_insts && (st->warp_insts > x->insts) == (r->insts > x->insts);
    const double insts = (double)st->warp_insts;
    d->trial_insts[n - 1] = insts;
    d->trial_cycles[n - 1] = (double)st->cycles;
    d->trial_replayed[n - 1] = both && r->insts ? r->cycles * insts / (double)r->insts : 0;
}

static bool at_degree(struct trial *x, struct launch *l, const struct trace *t, int n,
                      struct err *e)
{
    struct devmem_snapshot *before = devmem_save(l->mem);
    struct run_stats st = {0};
    struct replay_result r;
    const bool ok = simulate(x, l, n, &st, e);
    devmem_restore(l->mem, before);
    if (!ok)
        return false;
    replay(x, t, n, &r);
    fill(x, n, &st, &r);
    return true;
}

static bool take(struct trial *x, struct launch *l, int from, int to, struct err *e)
{
    struct devmem_snapshot *before = devmem_save(l->mem);
    struct tracing traced = {0};
    bool ok = trace(x, l, &traced, e);
    devmem_restore(l->mem, before);
    for (int n = from; ok && n <= to; n++)
        ok = at_degree(x, l, &traced.t, n, e);
    trace_fini(&traced.t);
    return ok;
}

bool trial_of_launch(const struct gpu_cfg *cfg, const struct sampler_opts *o, struct launch *l,
                     struct sample_set *set, struct err *e)
{
    struct trial x = trial_in(cfg, o, set);
    return take(&x, l, 1, (int)x.d->n_max, e);
}

struct pass {
    struct trial x;
    int at, n;
    FILE *nowhere; /* what kernels print */
    bool done;
};

static bool execute(struct trial *x, struct launch *l, struct err *e)
{
    struct func_opts o = {.resident = gpu_occupancy(x->cfg, l, NULL) * x->cfg->top.cores,
                          .max_warp_insts = gpu_cfg_issue_bound(x->cfg, x->max_cycles)};
    struct func_counts c = {0};
    const double start = cpu_seconds();
    const bool ok = func_run(l, &o, &c, e);
    x->set->functional_seconds += cpu_seconds() - start;
    x->set->functional_warp_insts += c.warp_insts;
    return ok;
}

static bool on_launch(void *self, struct launch *l, struct err *e)
{
    struct pass *p = self;
    l->printf_file = p->nowhere;
    if (!launch_init(l, e))
        return false;
    if (p->at++ < p->x.set->tried_launch)
        return execute(&p->x, l, e);
    p->done = take(&p->x, l, p->n, p->n, e);
    return p->done && err_set(e, "the trial is done");
}

bool sampler_try(const struct target *t, const struct gpu_cfg *cfg, const struct sampler_opts *o,
                 int n, struct sample_set *set, struct err *e)
{
    struct pass p = {.x = trial_in(cfg, o, set), .nowhere = fopen("/dev/null", "w")};
    p.n = (int)fmin(n, p.x.d->n_max);
    struct executor executor = {.launch = on_launch, .self = &p};
    if (!p.nowhere)
        return err_set(e, "cannot open /dev/null");
    const bool ran = target_run(t, &executor, false, e);
    fclose(p.nowhere);
    return p.done || (ran && err_set(e, "%s launched less than before", target_name(t)));
}
