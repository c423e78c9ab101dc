#include "sampler/pilot/pilot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cpu_time.h"
#include "base/stats.h"
#include "sampler/pilot/cta_share.h"
#include "sampler/pilot/scale_model.h"
#include "sim/gpu/gpu.h"
#include "sim/mem/warm.h"
#include "sim/sm/sm.h"

/* A share is cut when so many CTAs have ended for each place on a core, and the rate of the last
 * half of what was simulated differs from that of the quarter before by less than this. */
#define CUT_WAVES  2
#define CUT_WHOLE  6 /* shares of so many CTAs a place are never cut */
#define CUT_STEADY 0.02
#define WARM_UP    0.25 /* of the instructions, that are left out of a rate */
/* CTAs that wait for others may wait for one that the model leaves out. Where that is not proved,
 * whoever executes more than the launch has, and 4 times the model's share of it, is taken to wait:
 * one CTA may do the work of all, and a lock may be tried several times. */
#define WAITS_TIMES 4
#define WAITS_LEAST 65536
#define TRIAL_TIMES 100 /* pilot_trial_cycles() */
#define TRIAL_LEAST 1000000
#define RECENT      64 /* allocations, of which something may be in L2 */

/* Of a launch whose CTAs wait for each other: the part of its work after which it may be cut; of
 * one whose CTAs do the same many times, too, and how steady its rate has to be; core cycles
 * between two looks. */
#define PART_LEAST     0.1
#define REPEATS_LEAST  0.25
#define REPEATS_STEADY 0.1
#define LOOK_EVERY     2048
#define MOST_CTAS      0.9 /* of those that don't, that have ended beside most_part of the work */

struct point { /* of work done */
    double cycles, insts;
};

struct progress_of_run {
    struct point *point; /* owned */
    uint64_t points, room;
    uint64_t least; /* CTAs that have to end before it is cut; 0: it is not */
    /* Of all, and to be done at least and at most, where CTAs wait; 0: they do not. */
    double work, least_work, most_work;
    uint64_t most_ctas; /* ... that have to end, beside most_work */
};

/* Cycles in which so many instructions had been issued, between the points that are known. */
static double cycles_at(const struct progress_of_run *r, double insts)
{
    struct point before = {0, 0};
    uint64_t low = 0, high = r->points; /* the first one with so many */
    while (low < high) {
        const uint64_t mid = (low + high) / 2;
        if (r->point[mid].insts < insts)
            low = mid + 1;
        else
            high = mid;
    }
    if (low > 0)
        before = r->point[low - 1];
    if (low == r->points)
        return before.cycles;
    const struct point p = r->point[low];
    return p.insts > before.insts
               ? before.cycles +
                     (p.cycles - before.cycles) * (insts - before.insts) / (p.insts - before.insts)
               : p.cycles;
}

/* Instructions a cycle between two parts of those simulated. */
static double rate(const struct progress_of_run *r, double from, double to)
{
    const double all = r->point[r->points - 1].insts;
    const double cycles = cycles_at(r, to * all) - cycles_at(r, from * all);
    return cycles > 0 ? (to - from) * all / cycles : 0;
}

static bool steady(const struct progress_of_run *r, double within)
{
    const double last = rate(r, 0.5, 1), before = rate(r, 0.25, 0.5);
    return before > 0 && fabs(last / before - 1) < within;
}

static void add_point(struct progress_of_run *r, cycle_t cycles, uint64_t insts)
{
    if (r->points == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->point = xrealloc(r->point, (size_t)r->room * sizeof *r->point);
    }
    r->point[r->points++] = (struct point){(double)cycles, (double)insts};
}

static bool on_work(void *user, const struct gpu_work *w)
{
    struct progress_of_run *r = user;
    add_point(r, w->cycles, w->warp_insts);
    return !r->least || w->ctas < r->least || !steady(r, CUT_STEADY);
}

/* What waits is no work. */
static bool on_work_of_waiting(void *user, const struct gpu_work *w)
{
    struct progress_of_run *r = user;
    const double done = (double)(w->warp_insts - w->polls);
    add_point(r, w->cycles, w->warp_insts - w->polls);
    if (done >= r->most_work && w->ctas >= r->most_ctas)
        return false;
    return done < r->least_work || w->ctas < r->least ||
           !steady(r, r->least ? CUT_STEADY : REPEATS_STEADY);
}

/* A share that ran to its end takes as long as the launch, but for CTAs of another length. What a
 * cut one left goes on at its rate, up to the instructions that so many cores get in the mean. */
static double extrapolate(const struct pilot *p, const struct progress_of_run *r,
                          const struct run_stats *st, uint64_t grid, bool cut)
{
    const double cycles = (double)st->cycles, insts = (double)st->warp_insts;
    if (p->longest_bounds)
        return cycles;
    if (!cut)
        return cycles * ((double)p->launch_insts / (double)grid) / (insts / (double)st->ctas);
    const double of_cores = (double)p->launch_insts * p->cores / p->full->top.cores;
    return cycles + fmax(0, of_cores - insts) / rate(r, WARM_UP, 1);
}

/* Likewise, of all cores. Where work was not what it took, of which none is left at the end, CTAs
 * tell. */
static double extrapolate_waiting(const struct progress_of_run *r, const struct run_stats *st,
                                  uint64_t share)
{
    const double done = r->point[r->points - 1].insts, cycles = (double)st->cycles;
    const double by_work = cycles + fmax(0, r->work - done) / rate(r, WARM_UP, 1);
    return r->most_ctas && done >= r->most_work
               ? fmax(by_work, cycles * (double)share / (double)st->ctas)
               : by_work;
}

/* What the launch takes; of one whose CTAs wait, the part that was simulated, too. */
static void extrapolated(const struct pilot *p, const struct progress_of_run *r,
                         const struct run_stats *st, uint64_t grid, uint64_t share,
                         struct pilot_result *out)
{
    const bool cut = st->ctas < share;
    if (p->work <= 0) {
        out->cycles = extrapolate(p, r, st, grid, cut);
    } else if (cut) {
        out->cycles = extrapolate_waiting(r, st, share);
        out->part = fmin(1, r->point[r->points - 1].insts / p->work);
    } else {
        out->cycles = (double)st->cycles;
    }
}

struct clock_watch {
    double deadline;
    bool stopped;
};

static bool before_deadline(void *user, uint64_t done, uint64_t all, cycle_t now)
{
    struct clock_watch *w = user;
    (void)done;
    (void)all;
    (void)now;
    w->stopped = process_cpu_seconds() >= w->deadline;
    return !w->stopped;
}

/* What earlier launches left in the GPU's L2, the kernel's code too, of which the slice's
 * partitions have their shares. */
static struct warm *lines_before(const struct pilot *p, const struct launch *l,
                                 const struct gpu_cfg *slice)
{
    const struct alloc *al[RECENT];
    struct warm_range range[RECENT + 1];
    int ranges = 0;
    if (!p->full->mem.l2.enabled)
        return NULL;
    const double of_all = (double)slice->top.cores / p->full->top.cores,
                 share = of_all / slice->mem.partition.count;
    double bytes = 0;
    if (p->code_since)
        range[ranges++] =
            (struct warm_range){SM_CODE_BASE, (uint64_t)l->kernel->ninst * SM_INST_BYTES};
    const int n = devmem_recent(l->mem, al, RECENT);
    for (int i = 0; i < n && bytes * share < (double)slice->mem.l2.size; i++) {
        range[ranges++] = (struct warm_range){al[i]->base + al[i]->moved, al[i]->bytes};
        bytes += (double)al[i]->bytes;
    }
    return warm_new(range, ranges, p->full->mem.l2.line, share);
}

/* CTAs are left out. */
static bool is_slice(const struct pilot *p)
{
    return p->cores < p->full->top.cores;
}

static uint64_t most_insts(const struct pilot *p)
{
    const double share = (double)p->cores / p->full->top.cores;
    return (uint64_t)((double)p->launch_insts * (1 + WAITS_TIMES * share)) + WAITS_LEAST;
}

static bool simulate(const struct pilot *p, struct launch *l, struct gpu *g,
                     const struct gpu_opts *opts, struct pilot_result *out, struct err *e)
{
    const uint64_t places = (uint64_t)opts->n * (uint64_t)p->cores, share = opts->num_ctas;
    struct progress_of_run r = {.work = p->work,
                                .least_work = p->work * (p->repeats ? REPEATS_LEAST : PART_LEAST),
                                .most_work = p->work * p->most_part,
                                .most_ctas =
                                    p->repeats ? 0 : (uint64_t)(MOST_CTAS * (double)share)};
    struct clock_watch w = {.deadline = p->deadline};
    struct run_stats st = {0};
    struct gpu_opts o = *opts;
    if (p->work > 0)
        r.least = p->repeats ? 0 : share > CUT_WAVES * places ? CUT_WAVES * places : share;
    else if (!p->whole && !p->longest_bounds && share > CUT_WHOLE * places)
        r.least = CUT_WAVES * places;
    o.work = p->work > 0 ? on_work_of_waiting : on_work;
    o.work_every = p->work > 0 ? LOOK_EVERY : 0;
    o.work_user = &r;
    o.progress = p->deadline > 0 ? before_deadline : NULL;
    o.progress_user = &w;
    if (is_slice(p))
        o.max_warp_insts = most_insts(p);
    const bool ok = gpu_launch(g, l, &o, &st, e);
    out->warp_insts = st.warp_insts;
    out->thread_insts = st.thread_insts;
    out->ctas = st.ctas;
    out->share = share;
    out->waits = o.max_warp_insts && st.warp_insts > o.max_warp_insts;
    out->stopped = w.stopped || out->waits;
    out->part = 1;
    if (ok && !out->stopped)
        extrapolated(p, &r, &st, launch_ctas(l), share, out);
    free(r.point);
    return ok || w.stopped;
}

bool pilot_run(const struct pilot *p, const struct launch *l, int n, struct pilot_result *out,
               struct err *e)
{
    const double start = cpu_seconds();
    struct gpu_cfg cfg;
    *out = (struct pilot_result){0};
    struct gpu *g = scale_model(p->full, p->cores, &cfg, e) ? gpu_new(&cfg, e) : NULL;
    if (!g)
        return err_prefix(e, "a scale model of %d cores", p->cores);
    uint64_t *list;
    struct launch copy = *l;
    struct fault why = {0};
    copy.mem = devmem_share(l->mem);
    copy.why = &why;
    const uint64_t share = launch_ctas(l) / (uint64_t)p->full->top.cores;
    const bool may_cut = !p->whole && p->work <= 0 && share >= (uint64_t)(CUT_WHOLE * n);
    const struct cta_share_of of = {.grid = launch_ctas(l),
                                    .cores = cfg.top.cores,
                                    .all_cores = p->full->top.cores,
                                    .spread = p->uneven && may_cut,
                                    .with = p->longest_bounds ? p->longest : NO_CTA};
    struct gpu_opts o = {.n = n,
                         .max_cycles = p->max_cycles,
                         .num_ctas = cta_share(&of, &list),
                         .cta_list = list,
                         .alone = true,
                         .only_core = -1,
                         .warm = lines_before(p, l, &cfg),
                         .code_since = p->code_since};
    const bool ok = simulate(p, &copy, g, &o, out, e);
    out->too_long = why.kind == FAULT_LIMIT;
    const bool stuck = why.kind == FAULT_NEVER_ENDS, waits = stuck && is_slice(p);
    out->never_ends = stuck && !waits;
    out->waits |= waits;
    out->stopped |= waits;
    devmem_free(copy.mem);
    gpu_free(g);
    warm_free(o.warm);
    free(list);
    out->seconds = cpu_seconds() - start;
    return ok || waits;
}

uint64_t pilot_trial_cycles(uint64_t cycles, uint64_t max_cycles)
{
    const uint64_t trial = TRIAL_LEAST + TRIAL_TIMES * cycles;
    return max_cycles && max_cycles < trial ? max_cycles : trial;
}
