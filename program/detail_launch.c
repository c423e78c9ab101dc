#include "program/detail_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_time.h"
#include "base/demangle.h"
#include "sampler/representative.h"

uint64_t detail_estimate(const struct detail *d, const struct kernel_state *k,
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
    if (!rep->cycles || rep->cluster != r->cluster)
        return detail_estimate(d, k, r);
    const double more = fmax(1, (double)r->thread_insts) / fmax(1, (double)rep->thread_insts);
    return (uint64_t)llround((double)rep->cycles * more);
}

bool detail_may_measure(const struct detail *d, const struct kernel_state *k)
{
    return !d->plan->max_launches || k->detailed < d->plan->max_launches;
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
    r->polls = c->polls;
    r->waits = c->waits;
}

struct func_counts detail_counts(const struct record_launch *r)
{
    return (struct func_counts){.warp_insts = r->warp_insts,
                                .thread_insts = r->thread_insts,
                                .ctas = r->ctas,
                                .polls = r->polls,
                                .waits = r->waits};
}

static struct launch_size size_of(const struct detail *d, const struct record_launch *r)
{
    const struct func_counts c = detail_counts(r);
    return launch_size_of(&d->plan->rules.similarity, c.ctas, func_work(&c));
}

/* fo: has the hooks that look at it, if any do. */
static bool on_progress(void *line, uint64_t done, uint64_t all)
{
    progress_at(line, all ? (double)done / (double)all : 0, "without timing");
    return true;
}

bool detail_execute(struct detail *d, const struct kernel_state *k, struct launch *l,
                    struct func_opts *fo, struct record_launch *r, struct err *e)
{
    struct func_counts c = {0};
    const uint64_t most = gpu_cfg_issue_bound(&d->plan->cfg, d->plan->max_cycles);
    if (!fo->max_warp_insts || (most && most < fo->max_warp_insts))
        fo->max_warp_insts = most;
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

bool detail_only_execute(struct detail *d, struct kernel_state *k, struct launch *l,
                         const struct repeat *rep, struct record_launch *r, struct err *e)
{
    bool ok = !records(d, k) && apply_known(d, l, r);
    if (!ok) {
        known_begin(d->known, l);
        ok = detail_execute(d, k, l, &(struct func_opts){0}, r, e);
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

bool detail_simulate(struct detail *d, struct kernel_state *k, struct launch *l,
                     struct record_launch *r, struct err *e)
{
    const int asked = d->plan->n > 0 && d->plan->n < k->k.n_max ? d->plan->n : k->k.n_max;
    const int least = gpu_least_degree(&d->plan->cfg, l), n = asked < least ? least : asked;
    struct record_run run = {.n = n, .ran = n};
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
    count(r, &(struct func_counts){.warp_insts = run.stats.warp_insts,
                                   .thread_insts = run.stats.thread_insts,
                                   .ctas = run.stats.ctas});
    learn(k, r, &run.stats);
    return true;
}

/* -- executed, and measured on copies of memory */

void detail_put_tried(const struct detail *d, const struct kernel_state *k,
                      const struct sample_cost *cost)
{
    const struct record_tried tried = {.kernel = k->k.kernel, .cost = *cost};
    recorder_put(d->recorder, RECORD_TRIED, &tried, sizeof tried);
}

/* All its CTAs were simulated, at the default degree too. */
static void learn_searched(struct kernel_state *k, struct record_launch *r, const struct sample *s)
{
    r->cycles = (uint64_t)s->pilot_cycles[sample_degrees(s) - 1];
    clusters_learn(&k->clusters, r->cluster, r->thread_insts, r->cycles);
}

/* Of like launches one. Memory of `before` is as the launch found it: what its CTAs do was known
 * only when it had run. */
static bool keep_sample(struct detail *d, struct kernel_state *k, struct launch *before,
                        struct record_launch *r, struct err *e)
{
    struct record_sample s = {.kernel = k->k.kernel,
                              .launch = d->number,
                              .cluster = r->cluster,
                              .launch_insts = (double)r->warp_insts,
                              .thread_insts = (double)r->thread_insts};
    struct unfinished *kept = &d->driver.unfinished;
    const bool may_go_on =
        !d->ended &&
        unfinished_has_room(kept, devmem_kept_bytes(before->mem, &d->used), &d->plan->rules.pilot);
    struct sampled_launch x = {.l = before,
                               .facts = &d->facts,
                               .waits = k->waits,
                               .told = before->workspace,
                               .may_go_on = may_go_on};
    const bool ok = measure_sample(&d->driver, d->plan, &x, &s, e);
    k->waits = x.waits;
    if (!ok) {
        detail_put_tried(d, k, &s.cost);
        return false;
    }
    if (sample_searched(&s.sample) && !d->plan->search) /* the search knows better */
        learn_searched(k, r, &s.sample);
    recorder_put(d->recorder, RECORD_SAMPLE, &s, sizeof s);
    const double gain = may_go_on ? sampling_driver_gain(&d->driver, &s.sample) : 0;
    if (gain > 0) {
        struct kept_sample *of = xmalloc(sizeof *of);
        *of = (struct kept_sample){k, s};
        unfinished_keep(
            kept, before, &d->used,
            &(struct unfinished_launch){
                .facts = d->facts, .sample = &of->sample.sample, .gain = gain, .owner = of});
        before->mem = NULL;
    }
    return true;
}

/* It has one degree. */
static void say_cooperative(const struct detail *d, const struct launch *l)
{
    const bool one = d->plan->sample && d->plan->sampling.effort == EFFORT_WINDOW;
    fprintf(stderr,
            "mdpredict: launch %d is cooperative: all its CTAs are on the cores at once, so that "
            "no degree can be chosen; %s at n = %d%s\n",
            d->number, one ? "what one of them does is predicted" : "it is simulated",
            gpu_least_degree(&d->plan->cfg, l), one ? "; how long it waits is not known" : "");
}

/* Plain, and perturbed. */
static bool try_degrees(struct detail *d, struct kernel_state *k, struct launch *l,
                        struct record_launch *r, struct err *e)
{
    const int n_max = k->k.n_max, each = n_max + 1, last = d->plan->perturbed;
    struct record_run *run = xcalloc((size_t)each * ((size_t)last + 1), sizeof *run);
    const double start = process_cpu_seconds();
    bool ok = true;
    for (int i = 0; ok && i <= last; i++) {
        const struct measured_degrees all = {
            .out = run + i * each, .n_max = n_max, .perturbation = i, .line = d->line};
        ok = measure_degrees(&d->degrees[l->device][i], d->plan, l, &all, e);
    }
    if (!ok)
        detail_put_tried(d, k, &(struct sample_cost){.run_seconds = process_cpu_seconds() - start});
    for (int i = 0; ok && i <= last; i++)
        for (int n = 1; n <= n_max; n++)
            put_run(d, r, &run[i * each + n]);
    if (ok && run[1].ran > gpu_least_degree(&d->plan->cfg, l))
        sampling_driver_say_least(&d->driver, k->k.name, run[1].ran);
    if (run[n_max].stats.ctas == launch_ctas(l)) /* a lower degree may have failed */
        learn(k, r, &run[n_max].stats);
    free(run);
    return ok;
}

/* What fails in measuring alone is not the program's business. */
static void measure(struct detail *d, struct kernel_state *k, struct launch *before,
                    struct record_launch *r)
{
    struct err failed;
    const bool cooperative = before->workspace;
    k->waits |= cooperative;
    const bool ok = (!d->plan->search || try_degrees(d, k, before, r, &failed)) &&
                    (!d->plan->sample || clusters_measured(&k->clusters, r->cluster) ||
                     keep_sample(d, k, before, r, &failed));
    if (ok && cooperative && !d->plan->search)
        say_cooperative(d, before);
    if (!ok) {
        char *why = demangle_text(failed.msg);
        fprintf(stderr, "mdpredict: launch %d is executed, but not measured: %s\n", d->number, why);
        free(why);
    }
    clusters_try(&k->clusters, r->cluster, ok);
}

static void before_store(void *self, const struct alloc *al)
{
    struct detail *d = self;
    undo_storing(&d->undo, al);
    known_storing(d->known, al);
}

/* It has run, and is to be measured: memory as it was before. NULL: it was not kept. Each kernel is
 * told of once: detail_end() counts. */
static struct devmem *as_before(struct detail *d, struct kernel_state *k, const struct launch *l)
{
    struct devmem *m = undo_clone(&d->undo, l->mem);
    if (!m && detail_may_measure(d, k) && k->too_late++ == 0)
        fprintf(
            stderr,
            "mdpredict: launch %d is executed, but not measured: that it is unlike those before "
            "it was seen too late to keep memory as it was; the next one like it may be\n",
            d->number);
    return m;
}

/* Executes it, and looks at what it does: r->cluster, d->facts. most: warp instructions; 0: as
 * many as --max-cycles allows. */
static bool look_closely(struct detail *d, struct kernel_state *k, struct launch *l,
                         struct repeat *rep, uint64_t most, struct record_launch *r, struct err *e)
{
    struct launch_watch look;
    struct func_opts fo = {.max_warp_insts = most};
    launch_watch_begin(&look, &d->plan->cfg, l, &d->plan->rules.watch, &fo);
    const bool ok = detail_execute(d, k, l, &fo, r, e);
    if (ok) {
        const struct func_counts c = detail_counts(r);
        const struct memory_use use = memory_watch_mean(look.memory),
                                few = memory_watch_few_mean(look.memory);
        r->cluster = clusters_of(&k->clusters, &(struct launch_was){l, &c, &use});
        const struct launch_size size = size_of(d, r);
        repeat_looked_at(rep, r->cluster, &size, &few);
        if (rep != &k->single && gpu_most_degree(&d->plan->cfg, l) == 1)
            repeat_looked_at(&k->single, r->cluster, &size, &few);
        d->facts = launch_facts_of(&c, &look, &d->plan->rules.similarity);
        sampling_driver_ask(&d->driver, l, &d->facts);
    }
    launch_watch_end(&look);
    return ok;
}

static void watch_undo(struct detail *d, const struct kernel_state *k, const struct launch *l)
{
    const struct repeat_params *by = &d->plan->rules.repeat;
    d->undo.lost = !detail_may_measure(d, k);
    if (d->undo.lost)
        return;
    d->undo.room = (uint64_t)by->undo + (uint64_t)by->undo_each * k->latest_insts;
    devmem_watch(l->mem, before_store, d);
}

/* Before it has run nobody knows whether it is like an earlier one; `before` has memory as it was
 * then if `sure`, else undo has what it takes. */
static bool execute_watched(struct detail *d, struct kernel_state *k, struct launch *l,
                            struct repeat *rep, bool sure, struct launch *before,
                            struct record_launch *r, struct err *e)
{
    known_begin(d->known, l);
    if (sure)
        before->mem = devmem_clone(l->mem);
    else
        watch_undo(d, k, l);
    const bool ok = look_closely(d, k, l, rep, 0, r, e);
    devmem_watch(l->mem, NULL, NULL);
    k->latest_insts = r->warp_insts;
    return ok;
}

/* A glance found it unlike all before it: it is executed once more, on memory as it was before, if
 * that was kept. It may have waited for the host, which will not answer again. */
static bool look_again(struct detail *d, struct kernel_state *k, const struct launch *l,
                       struct repeat *rep, struct launch *before, struct record_launch *r)
{
    const struct repeat_params *by = &d->plan->rules.repeat;
    struct err ignored;
    struct record_launch again = *r;
    before->mem = d->disturbed ? NULL : as_before(d, k, l);
    if (!before->mem)
        return false;
    struct launch copy = *before;
    copy.mem = devmem_share(before->mem);
    const bool ok = look_closely(
        d, k, &copy, rep, (uint64_t)by->again_least + (uint64_t)by->again_times * r->warp_insts,
        &again, &ignored);
    devmem_free(copy.mem);
    r->seconds += again.seconds;
    if (ok) {
        r->cluster = again.cluster;
        return true;
    }
    devmem_free(before->mem);
    before->mem = NULL;
    return false;
}

/* A few of its CTAs are looked at, to tell which of those before it it is like. before->mem: there
 * is none such, and d->facts tell of it. */
static bool execute_glanced(struct detail *d, struct kernel_state *k, struct launch *l,
                            struct repeat *rep, struct launch *before, struct record_launch *r,
                            struct err *e)
{
    struct launch_watch look;
    struct func_opts fo = {0};
    known_begin(d->known, l);
    watch_undo(d, k, l);
    launch_watch_begin_few(&look, &d->plan->cfg, l, &d->plan->rules.watch, &fo);
    const bool ok = detail_execute(d, k, l, &fo, r, e);
    devmem_watch(l->mem, NULL, NULL);
    k->latest_insts = r->warp_insts;
    const struct memory_use few = memory_watch_few_mean(look.memory);
    launch_watch_end(&look);
    if (!ok)
        return false;
    const struct launch_size size = size_of(d, r);
    r->cluster = repeat_glanced_at(rep, &size, &few);
    if (r->cluster < 0 && !look_again(d, k, l, rep, before, r))
        repeat_missed(rep);
    return true;
}

/* It is not measured: one like it was, or none. */
static void credit(const struct detail *d, const struct kernel_state *k, const struct repeat *rep,
                   struct record_launch *r)
{
    r->how = clusters_measured(&k->clusters, r->cluster) ? HOW_REPEATED : HOW_EXECUTED;
    r->cycles = cycles_like(d, k, rep, r);
}

/* It is not known, and taken to be like those with its scalars that were looked at. */
static bool execute_unseen(struct detail *d, struct kernel_state *k, struct launch *l,
                           struct repeat *rep, bool one_degree, struct record_launch *r,
                           struct err *e)
{
    known_begin(d->known, l);
    const bool ok = detail_execute(d, k, l, &(struct func_opts){0}, r, e);
    const struct launch_size size = size_of(d, r);
    r->cluster = ok ? repeat_executed(rep, &size, one_degree) : -1;
    if (r->cluster < 0)
        k->sought_insts = r->warp_insts;
    k->latest_insts = r->warp_insts;
    credit(d, k, rep, r);
    return ok;
}

/* A launch that is to be measured, or credited to the cluster of like ones that was. */
bool detail_try_out(struct detail *d, struct kernel_state *k, struct launch *l, struct repeat *rep,
                    struct record_launch *r, struct err *e)
{
    const bool anew = r->how == HOW_DETAILED && (d->plan->search || d->plan->only_launch >= 0);
    struct launch before = *l;
    before.mem = NULL;
    before.why = NULL;
    before.others = NULL; /* on a copy of memory nobody helps it */
    before.launches = NULL;
    bool one_degree = gpu_most_degree(&d->plan->cfg, l) == 1;
    const bool is_new = !anew && one_degree && !rep->looks;
    k->single.seen += is_new;
    /* Scalars that are new may be a size that is another each time: behind many such launches
     * others are told by their instructions, unless those do not tell. */
    const bool told =
        is_new && k->single.seen > (uint64_t)d->plan->rules.repeat.single && !k->single.mixed;
    if (told) {
        rep = &k->single;
        one_degree = false;
    }
    rep->missed &= !clusters_tried(&k->clusters, rep->missed_of); /* by others since */
    enum repeat_wants wants = anew ? REPEAT_LOOK : repeat_wants(rep, one_degree);
    if (told && wants == REPEAT_GLANCE) /* of sizes that grow each is like the one before */
        wants = REPEAT_LOOK;
    if (!anew && !rep->missed && !(wants && rep->guessed) && apply_known(d, l, r)) {
        credit(d, k, rep, r);
        return true;
    }
    if (wants == REPEAT_UNSEEN)
        return execute_unseen(d, k, l, rep, one_degree, r, e);
    r->looked_at = true;
    if (rep->seeks && k->latest_insts < k->sought_insts) /* it may be the one */
        k->latest_insts = k->sought_insts;
    bool ok;
    if (wants == REPEAT_GLANCE) {
        ok = execute_glanced(d, k, l, rep, &before, r, e);
    } else {
        const bool sure = detail_may_measure(d, k) &&
                          (anew || rep->missed || !launch_clusters_may_hold(&k->clusters.like, l));
        ok = execute_watched(d, k, l, rep, sure, &before, r, e);
    }
    const bool wanted = ok && (wants == REPEAT_LOOK || before.mem) && detail_may_measure(d, k) &&
                        (anew || !clusters_tried(&k->clusters, r->cluster));
    if (wanted && !before.mem) {
        before.mem = as_before(d, k, l);
        rep->missed = !before.mem;
        rep->missed_of = r->cluster;
    }
    undo_fini(&d->undo);
    d->used = devmem_usage(l->mem);
    if (wanted && before.mem) {
        rep->missed = false;
        measure(d, k, &before, r);
        r->how = HOW_DETAILED;
    } else if (ok)
        credit(d, k, rep, r);
    devmem_free(before.mem);
    return ok;
}
