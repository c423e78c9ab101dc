/* detail.c -- what happens to each launch of the program:
 *
 *   not selected, over the limit, or --functional   executed
 *   launched before with the same scalars           executed; takes the time of that launch
 *   either, and what it would write is known         not even executed (known.h)
 *   run                                             simulated in place
 *   search, sample, compare                         executed and looked at; measured on copies of
 *                                                   memory as it was before if it is unlike those
 *                                                   that were (sampler/profile/launch_cluster.h) */
#include "program/detail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cpu_time.h"
#include "base/demangle.h"
#include "base/progress.h"
#include "program/device_time.h"
#include "program/kernels.h"
#include "program/known.h"
#include "program/measure.h"
#include "program/repeat.h"
#include "program/tracer.h"
#include "program/undo.h"
#include "sampler/profile/launch_watch.h"
#include "sim/func/stray.h"

#define TRACKED_CTAS  (1u << 24)
#define UNDO_ROOM     (4u << 20) /* bytes that are copied of what a launch overwrites */
#define UNDO_PER_INST 64         /* ... and for each warp instruction: a few ns for 30 */

struct detail {
    struct recorder *recorder; /* borrowed */
    const struct program_plan *plan;
    struct executor x;
    struct kernels kernels;
    struct repeats *repeats;         /* owned */
    struct known *known;             /* owned */
    struct tracer *tracer;           /* owned; NULL: nothing is recorded */
    struct gpu *gpu[DEVMEM_DEVICES]; /* owned; of a plain run; NULL until the first launch */
    int number;                      /* of the running launch in the process */
    int launches;                    /* so far */
    int running;                     /* of them, at present: all but one wait for others */
    struct progress *line; /* borrowed; of the launch that began last; NULL: it has ended */
    struct timespec begun; /* when the program made its first call */
    bool disturbed;        /* ... have waited: nothing is learned of what they read and wrote */
    struct degrees degrees[DEVMEM_DEVICES];
    struct strays strays; /* of a lenient plan */
    struct device_time time;
    struct memory_rates rates; /* of the plan's GPU */
    bool rates_known;
    struct launch_facts facts; /* of the running launch, where it is looked at */
    struct undo undo;          /* ... where memory may be wanted as it was before */
};

/* -- time */

static psec_t now(void *self)
{
    return ((struct detail *)self)->time.now;
}

static void copied(void *self, uint64_t bytes, enum copy_route route)
{
    device_time_copy(&((struct detail *)self)->time, bytes, route);
}

/* Cycles of a launch that was only executed: see docs/programs.md, Time. */
static uint64_t estimate(const struct detail *d, const struct kernel_state *k,
                         const struct record_launch *r)
{
    double cycles;
    if (!clusters_cycles(&k->clusters, r->cluster, r->thread_insts, &cycles))
        cycles = (double)r->warp_insts / (double)gpu_cfg_issue_bound(&d->plan->cfg, 1);
    return 1 + (uint64_t)cycles;
}

static uint64_t cycles_like(const struct detail *d, const struct kernel_state *k,
                            const struct repeat *rep, const struct record_launch *r)
{
    return rep->cycles && rep->cluster == r->cluster ? rep->cycles : estimate(d, k, r);
}

/* -- what is to be done with a launch */

static bool may_measure(const struct detail *d, const struct kernel_state *k)
{
    return !d->plan->max_launches || k->detailed < d->plan->max_launches;
}

static enum launch_how how_of(const struct detail *d, const struct kernel_state *k,
                              const struct repeat *r)
{
    const struct program_plan *p = d->plan;
    if (p->functional || !k->k.selected || (p->only_launch >= 0 && p->only_launch != d->number))
        return HOW_EXECUTED;
    bool again = p->anew && r->seen % p->anew == 0;
    if (r->detailed && !again && p->only_launch < 0)
        return HOW_REPEATED;
    return may_measure(d, k) ? HOW_DETAILED : HOW_EXECUTED;
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

/* It goes into the trace. */
static bool records(const struct detail *d, const struct kernel_state *k)
{
    return d->tracer && k->k.selected &&
           (d->plan->only_launch < 0 || d->plan->only_launch == d->number);
}

/* -- executed */

static void count(struct record_launch *r, const struct func_counts *c)
{
    r->warp_insts = c->warp_insts;
    r->thread_insts = c->thread_insts;
    r->ctas = c->ctas;
}

static struct func_counts counts_of(const struct record_launch *r)
{
    return (struct func_counts){
        .warp_insts = r->warp_insts, .thread_insts = r->thread_insts, .ctas = r->ctas};
}

/* fo: has the hooks that look at it, if any do. */
static bool on_progress(void *line, uint64_t done, uint64_t all)
{
    progress_at(line, all ? (double)done / (double)all : 0, "without timing");
    return true;
}

static bool execute(struct detail *d, const struct kernel_state *k, struct launch *l,
                    struct func_opts *fo, struct record_launch *r, struct err *e)
{
    struct func_counts c = {0};
    fo->max_warp_insts = gpu_cfg_issue_bound(&d->plan->cfg, d->plan->max_cycles);
    fo->resident = k->k.n_max * d->plan->cfg.top.cores;
    fo->progress = on_progress;
    fo->progress_user = d->line;
    double start = cpu_seconds();
    bool ok =
        records(d, k) ? tracer_launch(d->tracer, l, fo->resident, &c, e) : func_run(l, fo, &c, e);
    r->seconds = cpu_seconds() - start;
    count(r, &c);
    return ok;
}

/* What it would do is known. */
static bool apply_known(struct detail *d, const struct launch *l, struct record_launch *r)
{
    const struct known_launch *is = known_apply(d->known, l);
    if (!is)
        return false;
    r->known = true;
    count(r, &is->counts);
    r->cluster = is->cluster;
    return true;
}

static bool only_execute(struct detail *d, struct kernel_state *k, struct launch *l,
                         const struct repeat *rep, struct record_launch *r, struct err *e)
{
    bool ok = !records(d, k) && apply_known(d, l, r);
    if (!ok) {
        known_begin(d->known, l);
        ok = execute(d, k, l, &(struct func_opts){0}, r, e);
    }
    r->cycles = cycles_like(d, k, rep, r);
    return ok;
}

/* -- simulated in place */

static void put_run(struct detail *d, const struct record_launch *r, struct record_run *run)
{
    run->kernel = r->kernel;
    run->launch = r->launch;
    run->cluster = r->cluster;
    recorder_put(d->recorder, RECORD_RUN, run, sizeof *run);
}

/* It was simulated, as one of its cluster (none in a plain run). */
static void learn(struct kernel_state *k, struct record_launch *r, const struct run_stats *st)
{
    r->cycles = st->cycles;
    clusters_learn(&k->clusters, r->cluster, st->thread_insts, st->cycles);
}

static bool run_detailed(struct detail *d, struct kernel_state *k, struct launch *l,
                         struct record_launch *r, struct err *e)
{
    const int asked = d->plan->n > 0 && d->plan->n < k->k.n_max ? d->plan->n : k->k.n_max;
    const int least = measure_least(d->plan, l), n = asked < least ? least : asked;
    struct record_run run = {.n = n};
    struct measure_progress progress = {.line = d->line, .runs = 1};
    const struct measure_opts with = {
        .max_cycles = d->plan->max_cycles,
        .progress = &progress,
        .counts =
            d->plan->hot ? hot_lines_begin(&k->hot, d->recorder, k->k.kernel, l->kernel) : NULL};
    known_begin(d->known, l);
    if (!measure_launch(&d->gpu[l->device], d->plan, l, &with, &run, e))
        return false;
    put_run(d, r, &run);
    if (with.counts)
        hot_lines_counted(&k->hot, d->recorder, k->k.kernel);
    count(r, &(struct func_counts){run.stats.warp_insts, run.stats.thread_insts, run.stats.ctas});
    learn(k, r, &run.stats);
    return true;
}

/* -- executed, and measured on copies of memory */

/* Memory of `before` is as the launch found it: what its CTAs do was known only when it had run. */
static bool keep_sample(struct detail *d, struct kernel_state *k, struct launch *before,
                        const struct record_launch *r, struct err *e)
{
    struct record_sample s = {.kernel = k->k.kernel,
                              .launch = d->number,
                              .cluster = r->cluster,
                              .launch_insts = (double)r->warp_insts};
    if (!d->rates_known) {
        if (!memory_rates_measure(&d->plan->cfg, &d->rates, e))
            return false;
        sample_cost_memory(&s.cost, &d->rates);
        d->rates_known = true;
    }
    if (!measure_sample(d->plan, &(struct measured_launch){before, &d->facts, &d->rates}, &s, e))
        return false;
    recorder_put(d->recorder, RECORD_SAMPLE, &s, sizeof s);
    return true;
}

/* A cooperative launch has one degree: there is nothing to predict, and no CTA runs alone. */
static bool try_least(struct detail *d, struct kernel_state *k, struct launch *l,
                      struct record_launch *r, struct err *e)
{
    struct record_run run = {.n = measure_least(d->plan, l)};
    struct launch copy = *l;
    struct gpu *g = NULL;
    copy.printf_file = fopen("/dev/null", "w");
    struct measure_progress progress = {.line = d->line, .runs = 1};
    const struct measure_opts with = {.max_cycles = d->plan->max_cycles, .progress = &progress};
    const bool ok = copy.printf_file && measure_launch(&g, d->plan, &copy, &with, &run, e);
    if (copy.printf_file)
        fclose(copy.printf_file);
    gpu_free(g);
    if (!ok)
        return false;
    fprintf(stderr,
            "mdpredict: launch %d is cooperative: all its CTAs are on the cores at once, so that "
            "no degree can be chosen; it is simulated at n = %d\n",
            d->number, run.n);
    put_run(d, r, &run);
    learn(k, r, &run.stats);
    return true;
}

static bool try_degrees(struct detail *d, struct kernel_state *k, struct launch *l,
                        struct record_launch *r, struct err *e)
{
    struct record_run *run = xcalloc((size_t)k->k.n_max + 1, sizeof *run);
    const struct measured_degrees all = {.out = run, .n_max = k->k.n_max, .line = d->line};
    bool ok = measure_degrees(&d->degrees[l->device], d->plan, l, &all, e);
    for (int n = 1; ok && n <= k->k.n_max; n++)
        put_run(d, r, &run[n]);
    if (ok)
        learn(k, r, &run[k->k.n_max].stats);
    free(run);
    return ok;
}

/* Failures of the trials alone are not the program's business. */
static void measure(struct detail *d, struct kernel_state *k, struct launch *before,
                    struct record_launch *r)
{
    struct err trial;
    const bool one = before->workspace && !d->plan->search;
    const bool ok =
        (!one || try_least(d, k, before, r, &trial)) &&
        (!d->plan->search || try_degrees(d, k, before, r, &trial)) &&
        (!d->plan->sample || before->workspace || clusters_measured(&k->clusters, r->cluster) ||
         keep_sample(d, k, before, r, &trial));
    if (!ok)
        fprintf(stderr, "mdpredict: launch %d is executed, but not measured: %s\n", d->number,
                trial.msg);
    clusters_try(&k->clusters, r->cluster, ok);
}

static void before_store(void *self, const struct alloc *al)
{
    struct detail *d = self;
    undo_storing(&d->undo, al);
    known_storing(d->known, al);
}

/* It has run, and is to be measured: memory as it was before. NULL: it was not kept, but will be
 * for the next launch with these scalars. */
static struct devmem *as_before(struct detail *d, const struct launch *l, struct repeat *rep)
{
    struct devmem *m = undo_clone(&d->undo, l->mem);
    rep->missed = !m;
    if (!m)
        fprintf(
            stderr,
            "mdpredict: launch %d is executed, but not measured: that it is unlike those before "
            "it was seen too late to keep memory as it was; the next one like it may be\n",
            d->number);
    return m;
}

/* Executes it, and looks at what it does: r->cluster, d->facts. Before it has run nobody knows
 * whether it is like an earlier one; `before` has memory as it was then if `sure`, else undo has
 * what it takes. */
static bool execute_watched(struct detail *d, struct kernel_state *k, struct launch *l, bool sure,
                            struct launch *before, struct record_launch *r, struct err *e)
{
    struct launch_watch look;
    struct func_opts fo = {0};
    known_begin(d->known, l);
    if (sure)
        before->mem = devmem_clone(l->mem);
    else if (may_measure(d, k)) {
        d->undo.room = UNDO_ROOM + UNDO_PER_INST * k->latest_insts;
        devmem_watch(l->mem, before_store, d);
    }
    launch_watch_begin(&look, &d->plan->cfg, launch_ctas(l), d->plan->cta < 0 ? TRACKED_CTAS : 0,
                       &fo);
    const bool ok = execute(d, k, l, &fo, r, e);
    devmem_watch(l->mem, NULL, NULL);
    k->latest_insts = r->warp_insts;
    if (ok) {
        const struct func_counts c = counts_of(r);
        const struct memory_use use = memory_watch_mean(look.memory);
        r->cluster = clusters_of(&k->clusters, &(struct launch_was){l, &c, &use});
        d->facts = measure_facts(d->plan, &look, &c);
    }
    launch_watch_end(&look);
    return ok;
}

/* It is not measured: one like it was, or none. */
static void credit(const struct detail *d, const struct kernel_state *k, const struct repeat *rep,
                   struct record_launch *r)
{
    r->how = clusters_measured(&k->clusters, r->cluster) ? HOW_REPEATED : HOW_EXECUTED;
    r->cycles = cycles_like(d, k, rep, r);
}

/* A launch that is to be measured, or credited to the cluster of like ones that was. */
static bool try_out(struct detail *d, struct kernel_state *k, struct launch *l, struct repeat *rep,
                    struct record_launch *r, struct err *e)
{
    const bool anew = r->how == HOW_DETAILED && (d->plan->search || d->plan->only_launch >= 0);
    struct launch before = *l;
    before.mem = NULL;
    before.why = NULL;
    before.others = NULL; /* on a copy of memory nobody helps it */
    before.launches = NULL;
    if (!anew && !rep->missed && apply_known(d, l, r)) {
        credit(d, k, rep, r);
        return true;
    }
    const bool sure = may_measure(d, k) &&
                      (anew || rep->missed || !launch_clusters_may_hold(&k->clusters.like, l));
    const bool ok = execute_watched(d, k, l, sure, &before, r, e);
    const bool wanted =
        ok && may_measure(d, k) && (anew || !clusters_tried(&k->clusters, r->cluster));
    if (wanted && !before.mem)
        before.mem = as_before(d, l, rep);
    undo_fini(&d->undo);
    if (wanted && before.mem) {
        rep->missed = false;
        measure(d, k, &before, r);
        r->how = HOW_DETAILED;
    } else if (ok)
        credit(d, k, rep, r);
    devmem_free(before.mem);
    return ok;
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
    const bool ok = execute(d, k, l, &(struct func_opts){0}, r, e);
    r->cycles = estimate(d, k, r);
    return ok;
}

static void learn_known(struct detail *d, const struct launch *l, const struct record_launch *r)
{
    if (!d->disturbed) {
        known_learn(d->known, l,
                    &(struct known_launch){.counts = counts_of(r), .cluster = r->cluster});
        return;
    }
    devmem_watch(l->mem, NULL, NULL);
    devmem_usage_end(l->mem);
    known_forget(d->known);
}

/* For a new context, of whose memory no cache and no open row holds anything. */
static void power_on(struct detail *d, int device)
{
    degrees_free(&d->degrees[device]);
    gpu_free(d->gpu[device]);
    d->gpu[device] = NULL;
    known_forget(d->known);
}

static void tell_stray(void *self, const char *text)
{
    (void)self;
    fflush(stdout);
    fprintf(stderr, "mdpredict: %s (--lenient)\n", text);
}

static struct progress *progress_of(const struct detail *d, const struct launch *l)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    char *kernel = demangle_short(l->kernel->name);
    char *title = xasprintf("launch %d: %s", d->number, kernel);
    struct progress *p = progress_beside(title, (double)(now.tv_sec - d->begun.tv_sec));
    free(title);
    free(kernel);
    return p;
}

static bool run_launch(struct detail *d, struct launch *l, struct err *e)
{
    if (l->sequence == 0)
        power_on(d, l->device);
    l->printf_file = stdout;
    l->strays = d->plan->lenient ? &d->strays : NULL;
    l->threads = THREADS_INDEPENDENT; /* a user's program does what GPUs of today let it do */
    if (!launch_init(l, e))
        return refuse(d, l, FAULT_UNSUPPORTED, e);
    struct kernel_state *k = kernel_of(d, l);
    if (k->k.n_max < 1 && !d->plan->functional) {
        err_set(e, "kernel %s: not even one CTA fits on a core (%s)", k->k.name,
                occ_limit_name(k->k.limit));
        return refuse(d, l, FAULT_TOO_LARGE, e);
    }
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
        ok = try_out(d, k, l, rep, &r, e);
    else if (r.how == HOW_DETAILED)
        ok = run_detailed(d, k, l, &r, e);
    else
        ok = only_execute(d, k, l, rep, &r, e);
    if (ok && r.how == HOW_DETAILED) {
        k->detailed++;
        rep->detailed = true;
        if (!r.cycles)
            r.cycles = estimate(d, k, &r);
        rep->cycles = r.cycles;
        rep->cluster = r.cluster;
    }
    if (ok && !r.known)
        learn_known(d, l, &r);
    device_time_pass(&d->time, r.cycles);
    fflush(stdout); /* what the kernel printed comes before what the host prints without stdio */
    if (ok)
        recorder_put(d->recorder, RECORD_LAUNCH, &r, sizeof r);
    else
        put_failed(d, k, never_ended(l->why) ? FAILED_ABANDONED : FAILED_BY_PROGRAM, e);
    return ok;
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
    struct progress *line = d->line = progress_of(d, l);
    const bool ok = run_launch(d, l, e);
    d->line = NULL;
    progress_free(line);
    if (--d->running == 0)
        d->disturbed = false;
    return ok;
}

struct detail *detail_new(struct recorder *r)
{
    struct detail *d = xcalloc(1, sizeof *d);
    d->recorder = r;
    d->plan = recorder_plan(r);
    d->time.cfg = &d->plan->cfg;
    d->repeats = repeats_new();
    d->known = known_new();
    d->tracer = tracer_new(r);
    clock_gettime(CLOCK_MONOTONIC, &d->begun);
    strays_init(&d->strays, tell_stray, d);
    d->x = (struct executor){
        .launch = on_launch, .self = d, .device = &d->plan->cfg, .now = now, .copy = copied};
    return d;
}

void detail_end(struct detail *d)
{
    for (int i = 0; i < d->kernels.count; i++)
        hot_lines_end(&d->kernels.kernel[i]->hot, d->recorder, i);
    tracer_close(d->tracer);
    d->tracer = NULL;
}

void detail_free(struct detail *d)
{
    if (!d)
        return;
    detail_end(d);
    for (int i = 0; i < DEVMEM_DEVICES; i++) {
        degrees_free(&d->degrees[i]);
        gpu_free(d->gpu[i]);
    }
    repeats_free(d->repeats);
    known_free(d->known);
    kernels_fini(&d->kernels);
    strays_fini(&d->strays);
    free(d);
}

const struct executor *detail_executor(struct detail *d)
{
    return &d->x;
}
