#include "cli/runner.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpu_time.h"
#include "cli/kernel_notes.h"
#include "program/online.h"
#include "sim/func/race.h"
#include "sim/func/run.h"

struct run {
    const struct run_plan *plan;
    struct run_result *out;
    struct gpu *gpu;           /* owned; NULL in a functional run */
    struct coefficients coeff; /* of the CTA scheduler's model, if it has one */
    struct sampling rules;     /* ... by which that samples a CTA */
    struct online online;
    double ctas; /* of the running launch */
    struct fault why;
};

static bool on_progress(const struct run *r, double of_launch)
{
    const struct run_plan *p = r->plan;
    double before = (double)r->out->total.ctas, all = (double)p->total_ctas;
    return p->progress(p->user, all > 0 ? (before + of_launch * r->ctas) / all : of_launch);
}

static bool on_gpu_progress(void *user, uint64_t done, uint64_t all, cycle_t now)
{
    (void)now;
    return on_progress(user, ratio(done, all));
}

static bool on_func_progress(void *user, uint64_t done, uint64_t all)
{
    return on_progress(user, ratio(done, all));
}

static bool simulate(struct run *r, struct launch *l, struct launch_result *lr, struct err *e)
{
    struct gpu_opts o = {.n = lr->n,
                         .max_cycles = r->plan->max_cycles,
                         .only_core = -1,
                         .trace_working_set = true,
                         .predictor = online_predictor(&r->online, l),
                         .progress = r->plan->progress ? on_gpu_progress : NULL,
                         .progress_user = r,
                         .per_core = r->out->core};
    if (r->plan->hot)
        o.inst_counts = hot_spots_of(r->plan->hot, l->kernel);
    struct intervals *iv = r->plan->intervals;
    if (iv) {
        iv->kernel = lr->kernel;
        iv->launch = r->out->launches - 1;
        o.every = iv->every;
        o.interval = intervals_row;
        o.interval_user = iv;
    }
    const bool ok = gpu_launch(r->gpu, l, &o, &lr->stats, e);
    lr->note = gpu_note(r->gpu);
    if (r->plan->hot)
        hot_spots_add(r->plan->hot, l->kernel, &lr->stats);
    return ok;
}

/* --max-cycles bounds a functional run too: no GPU issues more than its schedulers can. */
static bool execute(struct run *r, struct launch *l, struct launch_result *lr, struct err *e)
{
    struct func_opts o = {.max_warp_insts = gpu_cfg_issue_bound(r->plan->cfg, r->plan->max_cycles),
                          .resident = lr->uses.n_max * r->plan->cfg->top.cores,
                          .progress = r->plan->progress ? on_func_progress : NULL,
                          .progress_user = r};
    struct func_counts c = {.ctas = launch_ctas(l)};
    bool ok = l->recorded || func_run(l, &o, &c, e); /* a survey of a trace needs no more */
    lr->stats.warp_insts = c.warp_insts;
    lr->stats.thread_insts = c.thread_insts;
    lr->stats.ctas = c.ctas;
    return ok;
}

static struct launch_result *new_launch(struct run_result *out)
{
    out->launch = xrealloc(out->launch, (size_t)(out->launches + 1) * sizeof *out->launch);
    struct launch_result *lr = &out->launch[out->launches++];
    *lr = (struct launch_result){0};
    return lr;
}

static bool on_launch(void *self, struct launch *l, struct err *e)
{
    struct run *r = self;
    l->printf_file = r->plan->kernel_output;
    l->why = &r->why;
    if (!launch_init(l, e))
        return false;
    struct launch_result *lr = new_launch(r->out);
    r->ctas = (double)launch_ctas(l);
    lr->kernel = xstrdup(l->kernel->name);
    memcpy(lr->block, l->block, sizeof lr->block);
    lr->uses = gpu_cta_resources(r->plan->cfg, l);
    if (lr->uses.n_max < 1 && !r->plan->functional)
        return err_set(e, "kernel %s: not even one CTA fits on a core (%s)", lr->kernel,
                       occ_limit_name(lr->uses.limit));
    lr->n = r->plan->n > 0 && r->plan->n < lr->uses.n_max ? r->plan->n : lr->uses.n_max;
    if (!r->plan->functional && !gpu_has_room(r->plan->cfg, l, e))
        return false;
    const int least = gpu_least_degree(r->plan->cfg, l);
    lr->n = lr->n < least ? least : lr->n;
    if (r->plan->races)
        races_begin(r->plan->races, l);
    double start = cpu_seconds();
    bool ok = r->plan->functional ? execute(r, l, lr, e) : simulate(r, l, lr, e);
    lr->host_seconds = cpu_seconds() - start;
    r->out->host_seconds += lr->host_seconds;
    stats_add(&r->out->total, &lr->stats);
    if (lr->uses.n_max > r->out->n_max)
        r->out->n_max = lr->uses.n_max;
    return ok;
}

static void stop_online(struct run *r)
{
    online_fini(&r->online);
    if (r->coeff.model)
        coefficients_release(&r->coeff);
}

/* With what its CTA scheduler needs; NULL and e: neither is there. */
static struct gpu *start_gpu(struct run *r, struct err *e)
{
    const struct run_plan *p = r->plan;
    struct gpu *g = NULL;
    if (online_coefficients(&r->coeff, p->cfg, e) &&
        (!r->coeff.model || sampling_load(&r->rules, e))) {
        const struct model_coeffs with =
            r->coeff.model ? coefficients_model(&r->coeff) : (struct model_coeffs){0};
        online_init(&r->online, p->cfg, &with, &r->rules, p->max_cycles);
        g = gpu_new(p->cfg, e);
    }
    if (!g)
        stop_online(r);
    return g;
}

bool runner_run(const struct run_plan *p, struct run_result *out, struct err *e)
{
    const double start = cpu_seconds();
    *out = (struct run_result){0};
    struct run r = {.plan = p, .out = out};
    if (!p->functional) {
        r.gpu = start_gpu(&r, e);
        if (!r.gpu)
            return false;
    }
    if (p->per_core) {
        out->cores = p->cfg->top.cores;
        out->core = xcalloc((size_t)out->cores, sizeof *out->core);
    }
    struct executor x = {.launch = on_launch, .self = &r};
    bool ok = target_run(p->target, &x, true, e);
    if (r.gpu)
        gpu_sched_counts(r.gpu, &out->sched);
    gpu_free(r.gpu);
    stop_online(&r);
    if (ok && out->launches == 0)
        ok = err_set(e, "%s launches no kernel", target_name(p->target));
    out->n = p->n > 0 && p->n < out->n_max ? p->n : out->n_max;
    out->seconds = cpu_seconds() - start;
    if (!ok && !p->partial)
        run_result_release(out);
    out->never_ends = !ok && r.why.kind == FAULT_NEVER_ENDS;
    return ok;
}

void runner_notes(const struct run_result *r)
{
    struct kernel_notes notes = {0};
    kernel_notes_add(&notes, r);
    kernel_notes_print(&notes);
}

void run_result_copy(struct run_result *to, const struct run_result *from)
{
    *to = *from;
    to->launch = xcalloc((size_t)from->launches + 1, sizeof *to->launch);
    for (int i = 0; i < from->launches; i++) {
        to->launch[i] = from->launch[i];
        to->launch[i].kernel = xstrdup(from->launch[i].kernel);
    }
    to->core = from->core ? xcalloc((size_t)from->cores + 1, sizeof *to->core) : NULL;
    for (int i = 0; from->core && i < from->cores; i++)
        to->core[i] = from->core[i];
}

void run_result_release(struct run_result *r)
{
    for (int i = 0; i < r->launches; i++)
        free(r->launch[i].kernel);
    free(r->launch);
    free(r->core);
    *r = (struct run_result){0};
}
