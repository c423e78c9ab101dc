/* detail.c -- what happens to each launch of the program:
 *
 *   not selected, over the limit, or --functional   executed
 *   launched before with the same scalars           executed; takes the time of that launch
 *   either, and what it would write is known         not even executed (known.h)
 *   run                                             simulated in place
 *   search, sample, compare                         executed and looked at; measured on copies of
 *                                                   memory as it was before if it is unlike those
 *                                                   that were (sampler/launch_group.h) */
#include "program/detail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_time.h"
#include "base/demangle.h"
#include "program/known.h"
#include "program/measure.h"
#include "program/repeat.h"
#include "program/undo.h"
#include "sampler/launch_group.h"
#include "sampler/window.h"
#include "sim/func/run.h"

#define TRACKED_CTAS      (1u << 24)
#define LINK_BYTES_PER_US 8000       /* PCIe 2.0 x16 */
#define UNDO_ROOM         (4u << 20) /* bytes that are copied of what a launch overwrites */
#define UNDO_PER_INST     64         /* ... and for each warp instruction: a few ns for 30 */

struct simulated { /* of launches that were: thread instructions, time */
    double insts, cycles;
};

struct kernel_state { /* a kernel at one block and its resources */
    struct record_kernel k;
    char *name;        /* whole; owned */
    bool selected;     /* by --kernel */
    uint64_t detailed; /* launches simulated or sampled */
    struct simulated all;
    struct kind { /* launches alike */
        struct launch_group group;
        bool tried, measured; /* one of them; and it could be */
        struct simulated seen;
    } * kind; /* owned */
    int kinds;
    uint64_t latest_insts; /* warp instructions of the latest launch */
};

struct detail {
    struct recorder *recorder; /* borrowed */
    const struct program_plan *plan;
    struct executor x;
    struct kernel_state *kernel; /* owned */
    int kernels;
    struct repeats *repeats; /* owned */
    struct known *known;     /* owned */
    struct gpu *gpu;         /* owned; of a plain run; NULL until the first launch */
    int number;              /* of the running launch in the process */
    struct degrees degrees;
    psec_t now;
    uint64_t *cta_insts;         /* of the running launch, where they are counted */
    struct memory_watch *memory; /* ... where it is looked at */
    struct undo undo;            /* ... where memory may be wanted as it was before */
};

/* -- time */

static psec_t now(void *self)
{
    return ((struct detail *)self)->now;
}

static void copied(void *self, uint64_t bytes, enum copy_route route)
{
    struct detail *d = self;
    const struct dram_cfg *m = &d->plan->cfg.mem.dram;
    uint64_t per_us = LINK_BYTES_PER_US;
    if (route != COPY_OVER_LINK) /* a copy reads as much as it writes */
        per_us = (uint64_t)m->bus_bytes * (uint64_t)m->chips * (uint64_t)m->data_rate *
                 (uint64_t)d->plan->cfg.mem.partition.count * (uint64_t)d->plan->cfg.clock.dram /
                 (route == COPY_ON_DEVICE ? 2 : 1);
    d->now += (psec_t)((double)bytes * 1e6 / (double)(per_us ? per_us : 1));
}

static void pass(struct detail *d, uint64_t cycles)
{
    d->now += cycles * 1000000 / (uint64_t)d->plan->cfg.clock.core;
}

/* Cycles of a launch that was only executed: see README.md, Time. */
static uint64_t estimate(const struct detail *d, const struct kernel_state *k,
                         const struct record_launch *r)
{
    const struct simulated *like =
        r->group >= 0 && r->group < k->kinds ? &k->kind[r->group].seen : &k->all;
    const struct simulated *of = like->insts > 0 ? like : &k->all;
    double at_once = (double)gpu_cfg_issue_bound(&d->plan->cfg, 1);
    double cycles = of->insts > 0 ? (double)r->thread_insts * of->cycles / of->insts
                                  : (double)r->warp_insts / at_once;
    return 1 + (uint64_t)cycles;
}

static uint64_t cycles_like(const struct detail *d, const struct kernel_state *k,
                            const struct repeat *rep, const struct record_launch *r)
{
    return rep->cycles && rep->group == r->group ? rep->cycles : estimate(d, k, r);
}

/* -- kernels */

/* A kernel that would not fit for its registers alone is one that a compiler for this GPU gives
 * fewer of them: as many as there are for its threads. */
static void fit_registers(const struct gpu_cfg *cfg, struct launch *l, struct record_kernel *k)
{
    k->n_max = gpu_occupancy(cfg, l, &k->limit);
    if (k->n_max > 0 || k->limit != OCC_REGISTERS)
        return;
    int each = cfg->sm.registers / (launch_warps(l) * WARP_SIZE);
    each -= each % cfg->sm.register_granularity;
    if (each < 1)
        return;
    char *name = demangle_short(l->kernel->name);
    fprintf(stderr,
            "mdpredict: %s: %d registers a thread are too many for a block of %d threads on "
            "this GPU; simulated with %d, as a compiler for it has to do with\n",
            name, launch_regs(l), launch_threads(l), each);
    free(name);
    l->regs_override = each;
    k->n_max = gpu_occupancy(cfg, l, &k->limit);
    k->regs = each;
}

/* What is too long to be demangled later is cut as it would be read. */
static void shown_name(const char *name, struct record_kernel *k)
{
    if (strlen(name) < sizeof k->name) {
        snprintf(k->name, sizeof k->name, "%s", name);
        return;
    }
    char *plain = demangle_short(name);
    snprintf(k->name, sizeof k->name, "%.*s...", KERNEL_NAME - 4, plain);
    free(plain);
}

static bool is_selected(const struct detail *d, const char *name)
{
    if (!*d->plan->kernel)
        return true;
    char *plain = demangle(name);
    bool yes = strstr(name, d->plan->kernel) || strstr(plain, d->plan->kernel);
    free(plain);
    return yes;
}

static struct kernel_state *kernel_of(struct detail *d, struct launch *l)
{
    for (int i = 0; i < d->kernels; i++) {
        struct kernel_state *k = &d->kernel[i];
        if (strcmp(k->name, l->kernel->name) == 0 &&
            memcmp(k->k.block, l->block, sizeof l->block) == 0 && k->k.shared == launch_shared(l)) {
            if (k->k.regs != launch_regs(l))
                l->regs_override = k->k.regs;
            return k;
        }
    }
    d->kernel = xrealloc(d->kernel, (size_t)(d->kernels + 1) * sizeof *d->kernel);
    struct kernel_state *k = &d->kernel[d->kernels];
    *k = (struct kernel_state){.k = {.kernel = d->kernels,
                                     .regs = launch_regs(l),
                                     .static_shared = l->kernel->shared_bytes,
                                     .shared = launch_shared(l)}};
    d->kernels++;
    k->name = xstrdup(l->kernel->name);
    shown_name(k->name, &k->k);
    memcpy(k->k.block, l->block, sizeof k->k.block);
    fit_registers(&d->plan->cfg, l, &k->k);
    k->selected = is_selected(d, k->name);
    recorder_put(d->recorder, RECORD_KERNEL, &k->k, sizeof k->k);
    return k;
}

static void kernel_fini(struct kernel_state *k)
{
    for (int i = 0; i < k->kinds; i++)
        launch_group_fini(&k->kind[i].group);
    free(k->kind);
    free(k->name);
}

/* -- launches */

static bool may_measure(const struct detail *d, const struct kernel_state *k)
{
    return !d->plan->max_launches || k->detailed < d->plan->max_launches;
}

static enum launch_how how_of(const struct detail *d, const struct kernel_state *k,
                              const struct repeat *r)
{
    const struct program_plan *p = d->plan;
    if (p->functional || !k->selected || (p->only_launch >= 0 && p->only_launch != d->number))
        return HOW_EXECUTED;
    bool again = p->anew && r->seen % p->anew == 0;
    if (r->detailed && !again && p->only_launch < 0)
        return HOW_REPEATED;
    return may_measure(d, k) ? HOW_DETAILED : HOW_EXECUTED;
}

/* It is measured on copies of memory, or told from those that were. */
static bool tries(const struct detail *d, const struct kernel_state *k)
{
    const struct program_plan *p = d->plan;
    return (p->search || p->sample) && !p->functional && k->selected &&
           (p->only_launch < 0 || p->only_launch == d->number);
}

static bool is_watched(void *user, uint64_t cta)
{
    return memory_watch_follows(((struct detail *)user)->memory, cta);
}

static void watch_step(void *user, const struct warp *w, const struct step *st)
{
    memory_watch_step(((struct detail *)user)->memory, w, st);
}

static void count_cta(void *user, uint64_t cta, uint64_t warp_insts)
{
    struct detail *d = user;
    if (d->cta_insts)
        d->cta_insts[cta] = warp_insts;
}

static bool execute(struct detail *d, struct launch *l, struct func_counts *c,
                    struct record_launch *r, struct err *e)
{
    struct func_opts fo = {.max_warp_insts =
                               gpu_cfg_issue_bound(&d->plan->cfg, d->plan->max_cycles),
                           .resident = d->kernel[r->kernel].k.n_max * d->plan->cfg.top.cores,
                           .on_step = d->memory ? watch_step : NULL,
                           .follows = is_watched,
                           .on_done = count_cta,
                           .user = d};
    double start = cpu_seconds();
    bool ok = func_run(l, &fo, c, e);
    r->seconds = cpu_seconds() - start;
    r->warp_insts = c->warp_insts;
    r->thread_insts = c->thread_insts;
    r->ctas = c->ctas;
    return ok;
}

static bool simulate(struct detail *d, const struct kernel_state *k, struct launch *l,
                     struct record_run *run, struct err *e)
{
    if (!d->gpu && !(d->gpu = gpu_new(&d->plan->cfg, e)))
        return false;
    int n = d->plan->n > 0 && d->plan->n < k->k.n_max ? d->plan->n : k->k.n_max;
    struct gpu_opts o = {
        .n = n, .max_cycles = d->plan->max_cycles, .only_core = -1, .trace_working_set = true};
    *run = (struct record_run){.n = n};
    double start = cpu_seconds();
    bool ok = gpu_launch(d->gpu, l, &o, &run->stats, e);
    run->host_seconds = cpu_seconds() - start;
    if (!ok) { /* CTAs are left on its cores */
        gpu_free(d->gpu);
        d->gpu = NULL;
    }
    return ok;
}

static void put_run(struct detail *d, const struct kernel_state *k, int group,
                    struct record_run *run)
{
    run->group = group;
    run->kernel = k->k.kernel;
    run->launch = d->number;
    recorder_put(d->recorder, RECORD_RUN, run, sizeof *run);
}

static void learn(struct simulated *s, struct record_launch *r, const struct run_stats *st)
{
    r->cycles = st->cycles;
    s->insts += (double)st->thread_insts;
    s->cycles += (double)st->cycles;
}

static bool run_detailed(struct detail *d, struct kernel_state *k, struct launch *l,
                         struct record_launch *r, struct err *e)
{
    struct record_run run;
    known_begin(d->known, l);
    if (!simulate(d, k, l, &run, e))
        return false;
    put_run(d, k, r->group, &run);
    r->warp_insts = run.stats.warp_insts;
    r->thread_insts = run.stats.thread_insts;
    r->ctas = run.stats.ctas;
    learn(&k->all, r, &run.stats);
    return true;
}

/* What it would do is known. */
static bool apply_known(struct detail *d, const struct launch *l, struct record_launch *r)
{
    const struct known_launch *is = known_apply(d->known, l);
    if (!is)
        return false;
    r->known = true;
    r->warp_insts = is->counts.warp_insts;
    r->thread_insts = is->counts.thread_insts;
    r->ctas = is->counts.ctas;
    r->group = is->group;
    return true;
}

/* Memory of `before` is as the launch found it: what its CTAs do was known only when it had run. */
static bool keep_sample(struct detail *d, struct kernel_state *k, struct launch *before,
                        const struct record_launch *r, struct err *e)
{
    uint64_t ctas = launch_ctas(before);
    struct sampled_cta cta = {.number = (uint64_t)(d->plan->cta > 0 ? d->plan->cta : 0),
                              .warp_insts = r->warp_insts / ctas,
                              .most = r->warp_insts,
                              .all = r->warp_insts};
    if (d->cta_insts) {
        cta.number = window_nearest(d->cta_insts, ctas, ratio(r->warp_insts, ctas));
        cta.most = d->cta_insts[cta.number];
    }
    if (cta.number >= ctas)
        return err_set(e, "kernel %s has %llu CTAs; there is no CTA %llu to sample", k->k.name,
                       (unsigned long long)ctas, (unsigned long long)cta.number);
    struct record_sample s = {.kernel = k->k.kernel,
                              .launch = d->number,
                              .group = r->group,
                              .launch_insts = (double)r->warp_insts};
    if (!measure_sample(d->plan, before, &cta, &s, e))
        return false;
    s.sample.warps_per_cta = launch_warps(before);
    s.sample.threads_per_cta = launch_threads(before);
    recorder_put(d->recorder, RECORD_SAMPLE, &s, sizeof s);
    return true;
}

static bool try_degrees(struct detail *d, struct kernel_state *k, struct launch *l,
                        struct record_launch *r, struct err *e)
{
    struct record_run *run = xcalloc((size_t)k->k.n_max + 1, sizeof *run);
    bool ok = measure_degrees(&d->degrees, d->plan, l, k->k.n_max, run, e);
    for (int n = 1; ok && n <= k->k.n_max; n++)
        put_run(d, k, r->group, &run[n]);
    if (ok) {
        learn(&k->all, r, &run[k->k.n_max].stats);
        learn(&k->kind[r->group].seen, r, &run[k->k.n_max].stats);
    }
    free(run);
    return ok;
}

/* Failures of the trials alone are not the program's business. */
static void measure(struct detail *d, struct kernel_state *k, struct launch *before,
                    struct record_launch *r)
{
    struct err trial;
    struct kind *of = &k->kind[r->group];
    const bool ok = (!d->plan->search || try_degrees(d, k, before, r, &trial)) &&
                    (!d->plan->sample || of->measured || keep_sample(d, k, before, r, &trial));
    if (!ok)
        fprintf(stderr, "mdpredict: launch %d is executed, but not measured: %s\n", d->number,
                trial.msg);
    of->tried = true;
    of->measured |= ok;
}

static int kind_of(struct kernel_state *k, const struct launch *l, const struct func_counts *c,
                   struct memory_watch *memory)
{
    const struct memory_use use = memory_watch_mean(memory);
    const struct launch_was was = {l, c, &use};
    for (int i = 0; i < k->kinds; i++)
        if (launch_group_holds(&k->kind[i].group, &was))
            return i;
    k->kind = xrealloc(k->kind, (size_t)(k->kinds + 1) * sizeof *k->kind);
    k->kind[k->kinds] = (struct kind){.group = launch_group_begin(&was)};
    return k->kinds++;
}

static void before_store(void *self, const struct alloc *al)
{
    struct detail *d = self;
    undo_storing(&d->undo, al);
    known_storing(d->known, al);
}

/* Nothing like it has run. */
static bool is_new(const struct kernel_state *k, const struct launch *l)
{
    bool new = true;
    for (int i = 0; i < k->kinds; i++)
        new &= !launch_group_may_hold(&k->kind[i].group, l);
    return new;
}

static enum launch_how how_told(const struct kernel_state *k, const struct record_launch *r)
{
    return r->group >= 0 && k->kind[r->group].measured ? HOW_REPEATED : HOW_EXECUTED;
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

/* Executes it, and looks at what it does: r->group. Before it has run nobody knows whether it is
 * like an earlier one; `before` has memory as it was then if `sure`, else undo has what it takes.
 */
static bool execute_watched(struct detail *d, struct kernel_state *k, struct launch *l, bool sure,
                            struct launch *before, struct record_launch *r, struct err *e)
{
    const uint64_t ctas = launch_ctas(l);
    struct func_counts c = {0};
    known_begin(d->known, l);
    if (sure)
        before->mem = devmem_clone(l->mem);
    else if (may_measure(d, k)) {
        d->undo.room = UNDO_ROOM + UNDO_PER_INST * k->latest_insts;
        devmem_watch(l->mem, before_store, d);
    }
    if (d->plan->cta < 0 && ctas > 1 && ctas <= TRACKED_CTAS)
        d->cta_insts = xcalloc(ctas, sizeof *d->cta_insts);
    d->memory = memory_watch_new(&d->plan->cfg, ctas);
    const bool ok = execute(d, l, &c, r, e);
    devmem_watch(l->mem, NULL, NULL);
    if (ok)
        r->group = kind_of(k, l, &c, d->memory);
    memory_watch_free(d->memory);
    d->memory = NULL;
    k->latest_insts = c.warp_insts;
    return ok;
}

/* A launch that is to be measured, or credited to the group of like ones that was. */
static bool try_out(struct detail *d, struct kernel_state *k, struct launch *l, struct repeat *rep,
                    struct record_launch *r, struct err *e)
{
    const bool anew = r->how == HOW_DETAILED && (d->plan->search || d->plan->only_launch >= 0);
    struct launch before = *l;
    before.mem = NULL;
    before.why = NULL;
    if (!anew && !rep->missed && apply_known(d, l, r)) {
        r->how = how_told(k, r);
        r->cycles = cycles_like(d, k, rep, r);
        return true;
    }
    const bool sure = may_measure(d, k) && (anew || rep->missed || is_new(k, l));
    const bool ok = execute_watched(d, k, l, sure, &before, r, e);
    const bool wanted = ok && may_measure(d, k) && (anew || !k->kind[r->group].tried);
    if (wanted && !before.mem)
        before.mem = as_before(d, l, rep);
    undo_fini(&d->undo);
    if (wanted && before.mem) {
        rep->missed = false;
        measure(d, k, &before, r);
        r->how = HOW_DETAILED;
    } else if (ok) {
        r->how = how_told(k, r);
        r->cycles = cycles_like(d, k, rep, r);
    }
    devmem_free(before.mem);
    free(d->cta_insts);
    d->cta_insts = NULL;
    return ok;
}

static bool only_execute(struct detail *d, struct kernel_state *k, struct launch *l,
                         const struct repeat *rep, struct record_launch *r, struct err *e)
{
    struct func_counts c = {0};
    bool ok = apply_known(d, l, r);
    if (!ok) {
        known_begin(d->known, l);
        ok = execute(d, l, &c, r, e);
    }
    r->cycles = cycles_like(d, k, rep, r);
    return ok;
}

static bool refuse(struct detail *d, struct launch *l, enum fault_kind kind, const struct err *e)
{
    l->why->kind = kind;
    recorder_put_fault(d->recorder, kind == FAULT_UNSUPPORTED, e->msg);
    return false;
}

/* For a new context, of whose memory no cache and no open row holds anything. */
static void power_on(struct detail *d)
{
    degrees_free(&d->degrees);
    gpu_free(d->gpu);
    d->gpu = NULL;
    known_forget(d->known);
}

static bool on_launch(void *self, struct launch *l, struct err *e)
{
    struct detail *d = self;
    if (l->sequence == 0)
        power_on(d);
    d->number++;
    l->printf_file = stdout;
    l->lenient_barriers = true; /* a user's program does what hardware lets it do */
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
                              .group = d->plan->search || d->plan->sample ? -1 : 0};
    memcpy(r.grid, l->grid, sizeof r.grid);
    rep->seen++;
    bool ok;
    if (tries(d, k))
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
        rep->group = r.group;
    }
    if (ok && !r.known)
        known_learn(d->known, l,
                    &(struct known_launch){.counts = {.warp_insts = r.warp_insts,
                                                      .thread_insts = r.thread_insts,
                                                      .ctas = r.ctas},
                                           .group = r.group});
    pass(d, r.cycles);
    fflush(stdout); /* what the kernel printed comes before what the host prints without stdio */
    if (ok)
        recorder_put(d->recorder, RECORD_LAUNCH, &r, sizeof r);
    else
        recorder_put_fault(d->recorder, false, e->msg);
    return ok;
}

struct detail *detail_new(struct recorder *r)
{
    struct detail *d = xcalloc(1, sizeof *d);
    d->recorder = r;
    d->plan = recorder_plan(r);
    d->number = -1;
    d->repeats = repeats_new();
    d->known = known_new();
    d->x = (struct executor){
        .launch = on_launch, .self = d, .device = &d->plan->cfg, .now = now, .copy = copied};
    return d;
}

void detail_free(struct detail *d)
{
    if (!d)
        return;
    degrees_free(&d->degrees);
    gpu_free(d->gpu);
    repeats_free(d->repeats);
    known_free(d->known);
    for (int i = 0; i < d->kernels; i++)
        kernel_fini(&d->kernel[i]);
    free(d->kernel);
    free(d);
}

const struct executor *detail_executor(struct detail *d)
{
    return &d->x;
}
