/* detail.c -- what happens to each launch of the program:
 *
 *   not selected, over the limit, or --functional   executed
 *   launched before with the same scalars           executed; takes the time of that launch
 *   either, and what it would write is known         not even executed (known.h)
 *   run                                             simulated in place
 *   search, sample, compare                         tried out on copies of memory, then executed */
#include "program/detail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_time.h"
#include "base/demangle.h"
#include "program/known.h"
#include "program/measure.h"
#include "program/repeat.h"
#include "sampler/window.h"
#include "sim/func/run.h"

#define TRACKED_CTAS      (1u << 24)
#define LINK_BYTES_PER_US 8000 /* PCIe 2.0 x16 */

struct kernel_state { /* a kernel at one block and its resources */
    struct record_kernel k;
    char *name;            /* whole; owned */
    bool selected;         /* by --kernel */
    uint64_t detailed;     /* launches simulated or sampled */
    double insts, cycles;  /* of those that were simulated: thread instructions, time */
    uint64_t sample_insts; /* of the launch whose sample is kept */
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
    uint64_t *cta_insts; /* of the running launch, where they are counted */
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
                         const struct func_counts *c)
{
    double at_once = (double)gpu_cfg_issue_bound(&d->plan->cfg, 1);
    double cycles = k->insts > 0 ? (double)c->thread_insts * k->cycles / k->insts
                                 : (double)c->warp_insts / at_once;
    return 1 + (uint64_t)cycles;
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

/* -- launches */

static enum launch_how how_of(const struct detail *d, const struct kernel_state *k,
                              const struct repeat *r)
{
    const struct program_plan *p = d->plan;
    if (p->functional || !k->selected || (p->only_launch >= 0 && p->only_launch != d->number))
        return HOW_EXECUTED;
    bool again = p->anew && r->seen % p->anew == 0;
    if (r->detailed && !again && p->only_launch < 0)
        return HOW_REPEATED;
    return p->max_launches && k->detailed >= p->max_launches ? HOW_EXECUTED : HOW_DETAILED;
}

static void count_cta(void *user, const struct warp *w, const struct step *st)
{
    struct detail *d = user;
    if (st->warp_done)
        d->cta_insts[w->cta->linear] += w->steps;
}

static bool execute(struct detail *d, struct launch *l, struct func_counts *c,
                    struct record_launch *r, struct err *e)
{
    struct func_opts fo = {.max_warp_insts =
                               gpu_cfg_issue_bound(&d->plan->cfg, d->plan->max_cycles),
                           .resident = d->kernel[r->kernel].k.n_max * d->plan->cfg.top.cores,
                           .on_step = d->cta_insts ? count_cta : NULL,
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

static void put_run(struct detail *d, const struct kernel_state *k, struct record_run *run)
{
    run->kernel = k->k.kernel;
    run->launch = d->number;
    recorder_put(d->recorder, RECORD_RUN, run, sizeof *run);
}

static void learn(struct kernel_state *k, struct record_launch *r, const struct run_stats *st)
{
    r->cycles = st->cycles;
    k->insts += (double)st->thread_insts;
    k->cycles += (double)st->cycles;
}

static bool run_detailed(struct detail *d, struct kernel_state *k, struct launch *l,
                         struct record_launch *r, struct err *e)
{
    struct record_run run;
    if (!simulate(d, k, l, &run, e))
        return false;
    put_run(d, k, &run);
    r->warp_insts = run.stats.warp_insts;
    r->thread_insts = run.stats.thread_insts;
    r->ctas = run.stats.ctas;
    learn(k, r, &run.stats);
    return true;
}

/* The sample is taken of the kernel's largest launch, at the CTA nearest to its mean: what the CTAs
 * do is known when the launch has been executed, so memory as it was before is kept until then. */
static bool keep_sample(struct detail *d, struct kernel_state *k, struct launch *before,
                        const struct func_counts *c, struct err *e)
{
    if (k->sample_insts && c->warp_insts <= k->sample_insts)
        return true;
    k->sample_insts = c->warp_insts;
    uint64_t ctas = launch_ctas(before);
    struct sampled_cta cta = {.number = (uint64_t)(d->plan->cta > 0 ? d->plan->cta : 0),
                              .warp_insts = c->warp_insts / ctas,
                              .most = c->warp_insts,
                              .all = c->warp_insts};
    if (d->cta_insts) {
        cta.number = window_nearest(d->cta_insts, ctas, ratio(c->warp_insts, ctas));
        cta.most = d->cta_insts[cta.number];
    }
    if (cta.number >= ctas)
        return err_set(e, "kernel %s has %llu CTAs; there is no CTA %llu to sample", k->k.name,
                       (unsigned long long)ctas, (unsigned long long)cta.number);
    struct record_sample s = {.kernel = k->k.kernel, .launch = d->number};
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
        put_run(d, k, &run[n]);
    if (ok)
        learn(k, r, &run[k->k.n_max].stats);
    free(run);
    return ok;
}

/* A launch that faults faults again when it is executed, on the real memory: that is what the
 * program gets to see, so failures of the trials alone are not its business. */
static bool try_out(struct detail *d, struct kernel_state *k, struct launch *l,
                    struct record_launch *r, struct err *e)
{
    struct func_counts c = {0};
    struct launch before = *l;
    struct err trial;
    bool sampled = d->plan->sample;
    bool tried = !d->plan->search || try_degrees(d, k, l, r, &trial);
    if (sampled) {
        uint64_t ctas = launch_ctas(l);
        before.mem = devmem_clone(l->mem);
        before.why = NULL;
        if (d->plan->cta < 0 && ctas > 1 && ctas <= TRACKED_CTAS)
            d->cta_insts = xcalloc(ctas, sizeof *d->cta_insts);
    }
    bool ok = execute(d, l, &c, r, e);
    if (ok && tried && sampled)
        tried = keep_sample(d, k, &before, &c, &trial);
    if (sampled)
        devmem_free(before.mem);
    free(d->cta_insts);
    d->cta_insts = NULL;
    if (ok && !tried)
        fprintf(stderr, "mdpredict: launch %d is executed, but not measured: %s\n", d->number,
                trial.msg);
    return ok;
}

static bool only_execute(struct detail *d, struct kernel_state *k, struct launch *l,
                         const struct repeat *rep, struct record_launch *r, struct err *e)
{
    const struct func_counts *before = known_apply(d->known, l);
    struct func_counts c = before ? *before : (struct func_counts){0};
    if (!before)
        known_begin(d->known, l);
    bool ok = before || execute(d, l, &c, r, e);
    r->known = before != NULL;
    r->warp_insts = c.warp_insts;
    r->thread_insts = c.thread_insts;
    r->ctas = c.ctas;
    r->cycles = rep->cycles ? rep->cycles : estimate(d, k, &c);
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
    struct record_launch r = {.kernel = k->k.kernel, .launch = d->number, .how = how_of(d, k, rep)};
    memcpy(r.grid, l->grid, sizeof r.grid);
    rep->seen++;
    bool ok;
    if (r.how == HOW_DETAILED)
        known_begin(d->known, l);
    if (r.how != HOW_DETAILED)
        ok = only_execute(d, k, l, rep, &r, e);
    else if (d->plan->search || d->plan->sample)
        ok = try_out(d, k, l, &r, e);
    else
        ok = run_detailed(d, k, l, &r, e);
    if (ok && r.how == HOW_DETAILED) {
        k->detailed++;
        rep->detailed = true;
        if (!r.cycles)
            r.cycles = estimate(
                d, k,
                &(struct func_counts){.warp_insts = r.warp_insts, .thread_insts = r.thread_insts});
        rep->cycles = r.cycles;
    }
    if (ok && !r.known)
        known_learn(d->known, l,
                    &(struct func_counts){.warp_insts = r.warp_insts,
                                          .thread_insts = r.thread_insts,
                                          .ctas = r.ctas});
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
        free(d->kernel[i].name);
    free(d->kernel);
    free(d);
}

const struct executor *detail_executor(struct detail *d)
{
    return &d->x;
}
