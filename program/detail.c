/* detail.c -- what happens to each launch of the program:
 *
 *   not selected, over the limit, or --functional   executed
 *   launched before with the same scalars           executed; takes the time of that launch
 *   either, and what it would write is known         not even executed (known.h)
 *   run                                             simulated in place
 *   search, sample, compare                         executed, and mostly looked at (repeat.h)
 *   ... and unlike those that were measured         measured, too, on copies of memory as it was
 *                                                   before (sampler/profile/launch_cluster.h) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/demangle.h"
#include "base/progress.h"
#include "program/detail_int.h"

/* -- time */

static psec_t now(void *self)
{
    return ((struct detail *)self)->time.now;
}

static void copied(void *self, uint64_t bytes, enum copy_route route)
{
    device_time_copy(&((struct detail *)self)->time, bytes, route);
}
/* -- what is to be done with a launch */

static enum launch_how how_of(const struct detail *d, const struct kernel_state *k,
                              const struct repeat *r)
{
    const struct program_plan *p = d->plan;
    if (p->functional || !k->k.selected || (p->only_launch >= 0 && p->only_launch != d->number))
        return HOW_EXECUTED;
    bool again = p->anew && r->seen % p->anew == 0;
    if (r->detailed && !again && p->only_launch < 0)
        return HOW_REPEATED;
    return detail_may_measure(d, k) ? HOW_DETAILED : HOW_EXECUTED;
}

/* Whether `run` simulates it, whatever is asked for now: what one simulation costs. */
static bool is_for_run(const struct detail *d, struct kernel_state *k, const struct repeat *r)
{
    const struct program_plan *p = d->plan;
    const bool again = p->anew && r->seen % p->anew == 0;
    if (!k->k.selected || (p->only_launch >= 0 && p->only_launch != d->number) ||
        (r->seen && !again && p->only_launch < 0) ||
        (p->max_launches && k->for_run >= p->max_launches))
        return false;
    k->for_run++;
    return true;
}

/* It is measured on copies of memory, or told from those that were. */
static bool tries(const struct detail *d, const struct kernel_state *k)
{
    const struct program_plan *p = d->plan;
    return (p->search || p->sample) && !p->functional && k->k.selected &&
           (p->only_launch < 0 || p->only_launch == d->number);
}

/* -- the executor */

/* The running launch has failed; k NULL: nobody looked which kernel it is of. */
static void put_failed(struct detail *d, const struct kernel_state *k, enum failed_why why,
                       const struct err *e)
{
    const struct record_fault f = {.kernel = k ? k->k.kernel : -1, .launch = d->number, .why = why};
    recorder_put_fault(d->recorder, &f, e->msg);
}

static bool never_ended(const struct fault *f)
{
    return f->kind == FAULT_LIMIT || f->kind == FAULT_NEVER_ENDS;
}

static bool refuse(struct detail *d, struct launch *l, enum fault_kind kind, const struct err *e)
{
    l->why->kind = kind;
    put_failed(d, NULL, kind == FAULT_UNSUPPORTED ? FAILED_UNSUPPORTED : FAILED_BY_PROGRAM, e);
    return false;
}

static struct kernel_state *kernel_of(struct detail *d, struct launch *l)
{
    struct kernel_state *k = kernels_find(&d->kernels, l);
    if (!k) {
        k = kernels_add(&d->kernels, d->plan, l);
        recorder_put(d->recorder, RECORD_KERNEL, &k->k, sizeof k->k);
    }
    return k;
}

/* -- launches that wait for others (sim/frontend/pending.h) */

struct waiting {
    struct detail *d;
    int number;
    bool (*others)(void *user, bool stuck);
    void *others_user;
};

/* What d says of the running launch is another's afterwards. */
static bool others_go_on(void *user, bool stuck)
{
    struct waiting *w = user;
    w->d->disturbed |= stuck;
    const bool ok = w->others(w->others_user, stuck);
    w->d->number = w->number;
    return ok;
}

/* While another one waits: it is executed, and no more. */
static bool execute_beside(struct detail *d, struct kernel_state *k, struct launch *l,
                           struct record_launch *r, struct err *e)
{
    d->disturbed = true;
    r->how = HOW_EXECUTED;
    const bool ok = detail_execute(d, k, l, &(struct func_opts){0}, r, e);
    r->cycles = detail_estimate(d, k, r);
    return ok;
}

static void learn_known(struct detail *d, const struct launch *l, const struct record_launch *r)
{
    if (!d->disturbed) {
        known_learn(d->known, l,
                    &(struct known_launch){.counts = detail_counts(r), .cluster = r->cluster});
        return;
    }
    devmem_watch(l->mem, NULL, NULL);
    devmem_usage_end(l->mem);
    known_forget(d->known);
}

static void free_degrees(struct detail *d, int device)
{
    for (int i = 0; i <= d->plan->perturbed; i++)
        degrees_free(&d->degrees[device][i]);
}

/* For a new context, of whose memory no cache and no open row holds anything. */
static void power_on(struct detail *d, int device)
{
    free_degrees(d, device);
    gpu_free(d->gpu[device]);
    d->gpu[device] = NULL;
    known_forget(d->known);
    sampling_driver_reset(&d->driver, device);
}

static void tell_stray(void *self, const char *text)
{
    (void)self;
    fflush(stdout);
    fprintf(stderr, "mdpredict: %s (--lenient)\n", text);
}

/* Seconds since its first call. */
static double waited(const struct detail *d)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - d->begun.tv_sec);
}

struct titled {
    int number;
    const char *kernel; /* its name */
};

static char *launch_title(const void *user)
{
    const struct titled *t = user;
    char *kernel = demangle_short(t->kernel);
    char *title = xasprintf("launch %d: %s", t->number, kernel);
    free(kernel);
    return title;
}

static char *pilots_title(const void *user)
{
    (void)user;
    return xstrdup("pilots that are worth it");
}

static bool run_launch(struct detail *d, struct launch *l, struct err *e)
{
    if (l->sequence == 0)
        power_on(d, l->device);
    l->printf_file = stdout;
    l->strays = d->plan->lenient ? &d->strays : NULL;
    if (d->races)
        races_begin(d->races, l);
    l->threads = THREADS_INDEPENDENT; /* a user's program does what GPUs of today let it do */
    if (!launch_init(l, e))
        return refuse(d, l, FAULT_UNSUPPORTED, e);
    struct kernel_state *k = kernel_of(d, l);
    if (k->k.n_max < 1 && !d->plan->functional) {
        err_set(e, "kernel %s: not even one CTA fits on a core (%s)", k->k.name,
                occ_limit_name(k->k.limit));
        return refuse(d, l, FAULT_TOO_LARGE, e);
    }
    if (!d->plan->functional && !gpu_has_room(&d->plan->cfg, l, e))
        return refuse(d, l, FAULT_TOO_LARGE, e);
    if (d->plan->sample && d->plan->cfg.mem.l2.enabled) /* what launches leave there for others */
        devmem_follow_lines(l->mem, d->plan->cfg.mem.l2.line);
    struct repeat *rep = repeats_find(d->repeats, l, k->k.kernel);
    struct record_launch r = {.kernel = k->k.kernel,
                              .launch = d->number,
                              .how = how_of(d, k, rep),
                              .for_run = is_for_run(d, k, rep),
                              .cluster = d->plan->search || d->plan->sample ? -1 : 0};
    memcpy(r.grid, l->grid, sizeof r.grid);
    recorder_put(d->recorder, RECORD_BEGIN, &(struct record_begin){r.kernel, d->number},
                 sizeof(struct record_begin));
    rep->seen++;
    bool ok;
    if (d->running > 1)
        ok = execute_beside(d, k, l, &r, e);
    else if (tries(d, k))
        ok = detail_try_out(d, k, l, rep, &r, e);
    else if (r.how == HOW_DETAILED)
        ok = detail_simulate(d, k, l, &r, e);
    else
        ok = detail_only_execute(d, k, l, rep, &r, e);
    if (ok && r.how == HOW_DETAILED) {
        k->detailed++;
        rep->detailed = true;
        if (!r.cycles)
            r.cycles = detail_estimate(d, k, &r);
        rep->cycles = r.cycles;
        rep->thread_insts = r.thread_insts;
        rep->cluster = r.cluster;
    }
    if (ok && !r.known)
        learn_known(d, l, &r);
    sampling_driver_ran(&d->driver, l);
    d->executed_insts += (double)r.warp_insts;
    clusters_count(&k->clusters, r.cluster, r.warp_insts);
    device_time_pass(&d->time, r.cycles);
    fflush(stdout); /* what the kernel printed comes before what the host prints without stdio */
    if (ok)
        recorder_put(d->recorder, RECORD_LAUNCH, &r, sizeof r);
    else
        put_failed(d, k, never_ended(l->why) ? FAILED_ABANDONED : FAILED_BY_PROGRAM, e);
    return ok;
}

static void put_side(struct record_race_side *to, const struct race_side *s)
{
    to->ptx = s->ptx;
    to->thread = s->thread;
    to->kind = s->kind;
    snprintf(to->text, sizeof to->text, "%s", s->text);
    snprintf(to->source, sizeof to->source, "%s", s->source ? s->source : "");
}

/* What the launch has found that was not known before it, and more of what was. */
static void put_races(struct detail *d)
{
    const int n = d->races ? races_count(d->races) : 0;
    for (int i = 0; i < n; i++) {
        const struct race *x = &races_all(d->races)[i];
        struct record_race r = {.race = i, .count = x->count, .addr = x->addr};
        if (!x->news)
            continue;
        snprintf(r.kernel, sizeof r.kernel, "%s", x->kernel);
        snprintf(r.module, sizeof r.module, "%s", x->module);
        memcpy(r.cta, x->cta, sizeof r.cta);
        for (int k = 0; k < 2; k++)
            put_side(&r.side[k], &x->side[k]);
        recorder_put(d->recorder, RECORD_RACE, &r, sizeof r);
    }
    if (n)
        races_told(d->races);
}

static bool on_launch(void *self, struct launch *l, struct err *e)
{
    struct detail *d = self;
    struct waiting w = {d, d->launches++, l->others, l->others_user};
    d->number = w.number;
    d->running++;
    if (l->others) {
        l->others = others_go_on;
        l->others_user = &w; // cppcheck-suppress autoVariables; until run_launch() returns
    }
    const struct titled title = {w.number, l->kernel->name};
    struct progress *line = d->line = progress_beside(launch_title, &title, waited(d));
    const bool ok = run_launch(d, l, e);
    d->line = NULL;
    progress_free(line);
    put_races(d);
    if (--d->running == 0)
        d->disturbed = false;
    return ok;
}

static void say(void *user, const char *sentence)
{
    (void)user;
    fprintf(stderr, "mdpredict: %s\n", sentence);
}

struct detail *detail_new(struct recorder *r)
{
    struct detail *d = xcalloc(1, sizeof *d);
    d->recorder = r;
    d->plan = recorder_plan(r);
    d->time.cfg = &d->plan->cfg;
    d->repeats = repeats_new(&d->plan->rules);
    d->known = known_new();
    measure_driver(d->plan, &d->model, &d->driver);
    d->driver.say = say;
    sampling_driver_begin(&d->driver);
    d->tracer = tracer_new(r);
    d->races = d->plan->race ? races_new() : NULL;
    clock_gettime(CLOCK_MONOTONIC, &d->begun);
    strays_init(&d->strays, tell_stray, d);
    d->x = (struct executor){
        .launch = on_launch, .self = d, .device = &d->plan->cfg, .now = now, .copy = copied};
    return d;
}

int detail_launches(const struct detail *d)
{
    return d->launches;
}

/* Said of its first at once. */
static void tell_too_late(struct kernel_state *k)
{
    char *name = demangle_short(k->k.name);
    if (k->too_late > 1)
        fprintf(stderr,
                "mdpredict: %d more launch%s of %s %s executed, but not measured, for the same "
                "reason\n",
                k->too_late - 1, k->too_late > 2 ? "es" : "", name, k->too_late > 2 ? "are" : "is");
    free(name);
    k->too_late = 0;
}

static double insts_of(void *user, const struct unfinished_launch *x)
{
    const struct kept_sample *of = x->owner;
    (void)user;
    return clusters_insts(&of->kernel->clusters, of->sample.cluster);
}

/* What is sampled further is recorded again, with what that took. */
static void took(void *user, struct unfinished_launch *x, bool ok, const struct sample_cost *cost)
{
    struct detail *d = user;
    struct kept_sample *of = x->owner;
    of->sample.cost = *cost;
    if (!ok)
        detail_put_tried(d, of->kernel, cost);
    else if (cost->pilot_warp_insts)
        recorder_put(d->recorder, RECORD_SAMPLE, &of->sample, sizeof of->sample);
}

static void on_further(void *user, double done)
{
    progress_at(((struct detail *)user)->line, done, NULL);
}

/* What is left of the budgets goes to those launches that it was too little for. */
static void finish(struct detail *d)
{
    d->ended = true;
    if (d->running) /* exit() in a signal's handler */
        return;
    struct progress *line = progress_beside(pilots_title, NULL, waited(d));
    d->line = line;
    sampling_driver_finish(&d->driver, d->executed_insts,
                           &(struct sampling_end){insts_of, took, on_further, d});
    d->line = NULL;
    progress_free(line);
}

void detail_end(struct detail *d)
{
    finish(d);
    for (int i = 0; i < d->kernels.count; i++)
        tell_too_late(d->kernels.kernel[i]);
    for (int i = 0; i < d->kernels.count; i++)
        hot_lines_end(&d->kernels.kernel[i]->hot, d->recorder, i);
    tracer_close(d->tracer);
    d->tracer = NULL;
}

const struct executor *detail_executor(struct detail *d)
{
    return &d->x;
}
