#include "sampler/pilot/pilot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cpu_time.h"
#include "base/stats.h"
#include "sampler/pilot/cta_share.h"
#include "sampler/pilot/scale_model.h"
#include "sampler/pilot/work_done.h"
#include "sim/gpu/gpu.h"
#include "sim/mem/warm.h"
#include "sim/sm/sm.h"

#define DEADLINE_EVERY 8192 /* core cycles: in some ten milliseconds of a CPU */

struct watch {
    const struct sampling *by; /* borrowed */
    struct work_done done;
    uint64_t least; /* CTAs that have to end before it is cut; 0: it is not */
    /* Where CTAs wait: of all, and to be done at least, at most, and at most if few CTAs have
     * ended; 0: they do not. */
    double work, least_work, most_work, end_work;
    uint64_t most_ctas; /* ... that have to end, beside most_work */
    double all;         /* warp instructions of the share, with a very long CTA; 0: it has none */
    double alone_from;  /* ... done when it was left alone; 0: it is not */
    double longest;     /* ... that it has */
    double drawn;       /* warp instructions with which it is done, since CTAs draw work; 0: no */
    uint64_t waiting;   /* gpu_work.waiting */
    double most_insts;  /* after which it stops; 0: no limit */
    bool stopped;       /* there */
};

/* A very long CTA, when the others have ended. */
static bool may_cut_alone(struct watch *x, const struct gpu_work *w)
{
    const double done = (double)w->warp_insts;
    if (w->ctas < x->least)
        return false;
    if (x->alone_from <= 0)
        x->alone_from = done;
    return done - x->alone_from >= x->by->pilot.long_part * x->longest &&
           work_done_steady(&x->done, x->alone_from, &x->by->pilot, x->by->pilot.cut_steady);
}

static bool on_work(void *user, const struct gpu_work *w)
{
    struct watch *x = user;
    x->waiting = w->waiting;
    work_done_add(&x->done,
                  &(struct work_point){(double)w->cycles, (double)w->warp_insts, w->ctas});
    x->stopped = x->most_insts > 0 && (double)w->warp_insts > x->most_insts;
    if (x->stopped)
        return false;
    if (x->drawn > 0 && (double)w->warp_insts >= x->drawn)
        return false;
    if (x->all > 0)
        return !may_cut_alone(x, w);
    return !x->least || w->ctas < x->least ||
           !work_done_steady(&x->done, 0, &x->by->pilot, x->by->pilot.cut_steady);
}

/* What waits is no work. */
static bool on_work_of_waiting(void *user, const struct gpu_work *w)
{
    struct watch *x = user;
    const double done = (double)(w->warp_insts - w->polls);
    x->waiting = w->waiting;
    work_done_add(&x->done, &(struct work_point){(double)w->cycles, done, w->ctas});
    if (done >= x->end_work || (done >= x->most_work && w->ctas >= x->most_ctas))
        return false;
    return done < x->least_work || w->ctas < x->least ||
           !work_done_steady(&x->done, 0, &x->by->pilot,
                             x->least ? x->by->pilot.cut_steady : x->by->waits.often_steady);
}

/* Cycles with so many more instructions at a rate; 0: nobody knows it. */
static double going_on(double cycles, double insts, double rate)
{
    return insts > 0 && rate > 0 ? cycles + insts / rate : cycles;
}

static const struct sampling *rules(const struct pilot *p)
{
    return sampling_or_default(p->by);
}

/* Of the launch, those that so many cores get in the mean. */
static double instructions_of(const struct pilot *p)
{
    return (double)p->launch_insts * p->cores / p->full->top.cores;
}

static bool ends_with_longest(const struct pilot *p)
{
    return p->longest_bounds || p->one_is_longer;
}

/* A share that ran to its end takes as long as the launch, but for CTAs of another length. What a
 * cut one left goes on at its rate, up to the instructions that so many cores get. Where CTAs draw
 * work, it is done when it has these. */
static double extrapolate(const struct pilot *p, const struct watch *x, const struct run_stats *st,
                          uint64_t grid, bool cut)
{
    const double cycles = (double)st->cycles, insts = (double)st->warp_insts;
    const double of_cores = instructions_of(p);
    if (x->drawn > 0 && insts >= x->drawn)
        return cycles * of_cores / insts;
    if (ends_with_longest(p))
        return cut ? going_on(cycles, x->all - insts, work_done_rate(&x->done, x->alone_from))
                   : cycles;
    if (!cut)
        return cycles * ((double)p->launch_insts / (double)grid) / (insts / (double)st->ctas);
    return going_on(cycles, of_cores - insts,
                    work_done_rate(&x->done, x->by->pilot.warm_up * insts));
}

/* Likewise, of all cores. Where work was not what it took, of which none is left at the end, CTAs
 * tell. */
static double extrapolate_waiting(const struct watch *x, const struct run_stats *st, uint64_t share)
{
    const double done = work_done_insts(&x->done), cycles = (double)st->cycles;
    const double by_work =
        going_on(cycles, x->work - done, work_done_rate(&x->done, x->by->pilot.warm_up * done));
    return x->most_ctas && st->ctas >= x->most_ctas
               ? fmax(by_work, cycles * (double)share / (double)st->ctas)
               : by_work;
}

/* Of the whole launch, whose first CTAs took so many: as long, where work bounds both, or as the
 * chain from one CTA to the next is longer. Who waits all the time is in the way of the others:
 * then their own ends tell how long that is. */
static double of_all(const struct pilot *p, const struct watch *x, uint64_t share, uint64_t grid,
                     double cycles)
{
    const double first = work_done_first(&x->done), hops = (double)share - 1;
    double hop = p->hop;
    if (cycles - first < x->by->waits.chain * hops * hop)
        hop = fmax(hop, work_done_hop(&x->done));
    return fmax(cycles, first + ((double)grid - 1) * hop);
}

/* What the launch takes; of one whose CTAs wait, the part that was simulated, too. */
static void extrapolated(const struct pilot *p, const struct watch *x, const struct run_stats *st,
                         const struct launch *l, struct pilot_result *out)
{
    const uint64_t grid = launch_ctas(l), share = out->share;
    const bool cut = st->ctas < share;
    if (p->work <= 0) {
        out->cycles = extrapolate(p, x, st, grid, cut);
        return;
    }
    out->cycles = cut ? extrapolate_waiting(x, st, share) : (double)st->cycles;
    out->part = cut ? fmin(1, work_done_insts(&x->done) / p->work) : (double)share / (double)grid;
    if (p->in_order)
        out->cycles = of_all(p, x, share, grid, out->cycles);
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

/* Lines of an allocation that the last launch that used it did; of those that nobody follows all.
 */
static double lines_of_last(const struct alloc *al, const uint32_t *used, uint64_t lines)
{
    uint64_t n = used ? 0 : lines;
    for (uint64_t i = 0; used && i < lines; i++)
        n += used[i] == (uint32_t)al->last_used;
    return (double)n;
}

/* Of what nobody follows the end, as far as L2 can hold it. */
static struct warm_range range_of(const struct alloc *al, const uint32_t *used, double held_bytes)
{
    const uint64_t bytes =
        used || (double)al->bytes <= held_bytes ? al->bytes : (uint64_t)held_bytes;
    return (struct warm_range){al->base + al->moved + al->bytes - bytes, bytes, used};
}

/* What earlier launches left in the GPU's L2, the kernel's code too, of which the slice's
 * partitions have their shares. What was used before as many lines as it holds is gone. */
static struct warm *lines_before(const struct pilot *p, const struct launch *l,
                                 const struct gpu_cfg *slice)
{
    const struct alloc *al[PILOT_RECENT_DATA];
    struct warm_range range[PILOT_RECENT_DATA + 1];
    uint32_t *used[PILOT_RECENT_DATA];
    const int line = p->full->mem.l2.line;
    int ranges = 0, n = 0;
    double later = 0;
    if (!p->full->mem.l2.enabled)
        return NULL;
    const double of_all = (double)slice->top.cores / p->full->top.cores,
                 share = of_all / slice->mem.partition.count,
                 held = (double)slice->mem.l2.size / line;
    if (p->code_ran)
        range[ranges++] =
            (struct warm_range){SM_CODE_BASE, (uint64_t)l->kernel->ninst * SM_INST_BYTES, NULL};
    for (const int all = devmem_recent(l->mem, al, rules(p)->pilot.recent_data); n < all; n++) {
        uint64_t lines = al[n]->bytes / (uint64_t)line;
        if (n && later * share >= held && al[n]->last_used < al[n - 1]->last_used)
            break;
        used[n] = devmem_lines_used(l->mem, al[n], &lines);
        later += lines_of_last(al[n], used[n], lines);
        range[ranges++] = range_of(al[n], used[n], held / share * line);
    }
    struct warm *w = warm_new(range, ranges, line, share);
    for (int i = 0; i < n; i++)
        free(used[i]);
    return w;
}

/* CTAs are left out. */
static bool is_slice(const struct pilot *p)
{
    return p->cores < p->full->top.cores;
}

static uint64_t most_insts(const struct pilot *p)
{
    const struct pilot_params *by = &rules(p)->pilot;
    const double share = (double)p->cores / p->full->top.cores;
    return (uint64_t)((double)p->launch_insts * (1 + by->waits_times * share)) +
           (uint64_t)by->waits_least;
}

/* Leaves the launch's memory as it is. *why: of a fault. */
static bool launch_on(const struct pilot *p, const struct launch *l, const struct gpu_cfg *cfg,
                      struct gpu_opts *o, struct run_stats *st, struct fault *why, struct err *e)
{
    struct gpu *g = gpu_new(cfg, e);
    if (!g)
        return false;
    struct launch copy = *l;
    copy.mem = devmem_share(l->mem);
    copy.why = why;
    o->warm = lines_before(p, l, cfg);
    const bool ok = gpu_launch(g, &copy, o, st, e);
    warm_free(o->warm);
    devmem_free(copy.mem);
    gpu_free(g);
    return ok;
}

/* Waves of CTAs after which a share may be cut; 0: it is too short. */
static uint64_t waves_to_cut(const struct pilot *p, uint64_t share, uint64_t places)
{
    const struct pilot_params *by = &rules(p)->pilot;
    const uint64_t whole = (uint64_t)(p->uneven ? by->uneven_whole : by->cut_whole);
    return share <= whole * places ? 0 : (uint64_t)(p->uneven ? by->uneven_waves : by->cut_waves);
}

static struct watch watch_of(const struct pilot *p, const struct launch *l,
                             const struct gpu_opts *o)
{
    const struct sampling *by = rules(p);
    const uint64_t places = (uint64_t)o->n * (uint64_t)p->cores, share = o->num_ctas,
                   waves = (uint64_t)by->pilot.cut_waves * places;
    const double work = p->in_order ? p->work * (double)share / (double)launch_ctas(l) : p->work;
    struct watch x = {
        .by = by,
        .work = work,
        .least_work = work * (p->repeats ? by->waits.often_least : by->waits.part_least),
        .most_work = work * p->most_part,
        .end_work = p->end_part > 0 ? work * p->end_part : INFINITY,
        .most_ctas = p->by_completed ? (uint64_t)(by->waits.ctas * (double)share) : 0};
    x.most_insts = p->most_insts;
    x.drawn = p->draws ? instructions_of(p) : 0;
    if (p->longest_bounds && !p->whole && p->longest_insts >= (uint64_t)by->pilot.very_long) {
        const double longest = (double)p->longest_insts, others = (double)launch_ctas(l) - 1;
        x.all = longest;
        if (share > 1)
            x.all += (double)(share - 1) * ((double)p->launch_insts - longest) / others;
        x.longest = longest;
        x.least = share - 1;
    }
    if (p->work > 0)
        x.least = p->repeats ? 0 : share > waves ? waves : share;
    else if (!p->whole && !ends_with_longest(p))
        x.least = waves_to_cut(p, share, places) * places;
    return x;
}

static void set_faults(const struct pilot *p, const struct fault *why, struct pilot_result *out)
{
    const bool stuck = why->kind == FAULT_NEVER_ENDS, waits = stuck && is_slice(p);
    out->too_long |= why->kind == FAULT_LIMIT;
    out->never_ends = stuck && !waits;
    out->waits |= waits;
    out->stopped |= waits;
}

static void set_bound(const struct gpu_cfg *cfg, const struct watch *x, const struct run_stats *st,
                      struct pilot_result *out)
{
    const struct bound_counts c = {.stats = st,
                                   .ctas = out->share,
                                   .waiting = x->waiting,
                                   .issue_interval = cfg->sm.issue_interval,
                                   .channels = cfg->mem.partition.count};
    out->bound = bound_of_counts(&c, &x->by->bound);
    out->miss_rate = stats_rate(st, RATE_l1d_miss_rate);
}

static bool simulate(const struct pilot *p, const struct launch *l, const struct gpu_cfg *cfg,
                     const struct gpu_opts *opts, struct pilot_result *out, struct err *e)
{
    struct gpu_opts o = *opts;
    struct watch x = watch_of(p, l, opts);
    struct clock_watch w = {.deadline = p->deadline};
    struct run_stats st = {0};
    struct fault why = {0};
    o.work = p->work > 0 ? on_work_of_waiting : on_work;
    o.work_every =
        p->work > 0 || x.drawn > 0 || x.all > 0 ? (uint64_t)rules(p)->waits.look_every : 0;
    o.work_user = &x;
    o.progress = p->deadline > 0 ? before_deadline : NULL;
    o.progress_user = &w;
    o.progress_every = DEADLINE_EVERY;
    const bool limited = p->max_insts > 0;
    if (limited)
        o.max_warp_insts = p->max_insts;
    else if (is_slice(p) && p->work <= 0)
        o.max_warp_insts = most_insts(p);
    bool ok = launch_on(p, l, cfg, &o, &st, &why, e);
    const bool beyond = o.max_warp_insts && st.warp_insts > o.max_warp_insts;
    out->warp_insts = st.warp_insts;
    out->thread_insts = st.thread_insts;
    out->resident_cycles = (double)st.resident_cta_cycles;
    out->ctas = st.ctas;
    out->share = o.num_ctas;
    out->waits = beyond && !limited;
    out->too_long = beyond && limited;
    if (out->too_long)
        ok = err_set(e, "kernel %s: still running after %llu warp instructions", l->kernel->name,
                     (unsigned long long)st.warp_insts);
    out->stopped = w.stopped || x.stopped || out->waits;
    out->part = 1;
    if (ok && !out->stopped)
        extrapolated(p, &x, &st, l, out);
    set_bound(cfg, &x, &st, out);
    work_done_free(&x.done);
    set_faults(p, &why, out);
    return ok || w.stopped || out->waits;
}

/* No fewer than CTAs that meet on a core. */
static uint64_t rounds_together(const struct pilot *p, const struct launch *l)
{
    enum occ_limit why;
    const int least = rules(p)->pilot.together, most = gpu_occupancy(p->full, l, &why);
    return (uint64_t)(most > least ? most : least);
}

/* CTAs that the model's cores get; *list: owned by the caller; NULL: the first ones. */
static uint64_t ctas_of_model(const struct pilot *p, const struct launch *l, int n, int cores,
                              uint64_t **list)
{
    const uint64_t grid = launch_ctas(l), all = (uint64_t)p->full->top.cores;
    const bool may_cut = !p->whole && p->work <= 0 && waves_to_cut(p, grid / all, (uint64_t)n);
    const struct cta_share_of of = {
        .grid = grid,
        .cores = cores,
        .all_cores = p->full->top.cores,
        .together = rounds_together(p, l),
        .block = p->uneven && may_cut ? (uint64_t)(rules(p)->pilot.uneven_block * n) : 0,
        .with = ends_with_longest(p) ? p->longest : NO_CTA};
    *list = NULL;
    return p->in_order ? (grid * (uint64_t)cores + all - 1) / all : cta_share(&of, list);
}

static bool model_of(const struct pilot *p, struct gpu_cfg *cfg, struct err *e)
{
    if (!scale_model(p->full, p->cores, p->network > 0 ? p->network : 1, cfg, e))
        return err_prefix(e, "a scale model of %d cores", p->cores);
    cfg->mem.model.unlimited = !p->camping || p->longest_bounds;
    cfg->mem.model.lead = rules(p)->pilot.share_lead;
    return true;
}

bool pilot_run(const struct pilot *p, const struct launch *l, int n, struct pilot_result *out,
               struct err *e)
{
    const double start = cpu_seconds();
    struct gpu_cfg cfg;
    uint64_t *list;
    *out = (struct pilot_result){0};
    if (!model_of(p, &cfg, e))
        return false;
    struct gpu_opts o = {.n = n,
                         .max_cycles = p->max_cycles,
                         .num_ctas = ctas_of_model(p, l, n, cfg.top.cores, &list),
                         .cta_list = list,
                         .alone = true,
                         .only_core = -1,
                         .code_since = p->code_since};
    const bool ok = simulate(p, l, &cfg, &o, out, e);
    free(list);
    out->seconds = cpu_seconds() - start;
    return ok;
}

static bool on_end(void *user, const struct gpu_work *w)
{
    work_done_add(user, &(struct work_point){(double)w->cycles, 0, w->ctas});
    return true;
}

bool pilot_hop(const struct pilot *p, const struct launch *l, double *hop, struct pilot_result *out,
               struct err *e)
{
    const double start = cpu_seconds();
    const int each = rules(p)->waits.hop_ctas;
    const uint64_t some = (uint64_t)each * (uint64_t)p->cores, grid = launch_ctas(l);
    struct gpu_cfg cfg;
    struct work_done done = {0};
    struct run_stats st = {0};
    struct fault why = {0};
    struct gpu_opts o = {.n = each,
                         .max_cycles = p->max_cycles,
                         .num_ctas = some < grid ? some : grid,
                         .alone = true,
                         .only_core = -1,
                         .code_since = p->code_since,
                         .work = on_end,
                         .work_user = &done};
    const bool ok = model_of(p, &cfg, e) && launch_on(p, l, &cfg, &o, &st, &why, e);
    *hop = ok ? work_done_hop(&done) : 0;
    work_done_free(&done);
    *out = (struct pilot_result){.warp_insts = st.warp_insts,
                                 .thread_insts = st.thread_insts,
                                 .seconds = cpu_seconds() - start};
    return ok;
}

void pilot_keep(const struct pilot_result *r, int n, struct sample *d)
{
    if (r->stopped)
        return;
    d->pilot_cycles[n - 1] = r->never_ends ? 0 : r->cycles;
    d->pilot_insts[n - 1] = (double)r->warp_insts;
    d->pilot_seconds[n - 1] = r->seconds;
    d->pilot_bound[n - 1] = r->never_ends ? BOUND_UNKNOWN : r->bound;
    d->pilot_miss_rate[n - 1] = r->never_ends ? 0 : r->miss_rate;
}

uint64_t pilot_limit_cycles(uint64_t cycles, int most, const struct waits_params *by,
                            uint64_t max_cycles)
{
    const int each = by->limit_each * most,
              times = each > by->limit_cycles ? each : by->limit_cycles;
    const uint64_t limit = (uint64_t)by->limit_least + (uint64_t)times * cycles;
    return max_cycles && max_cycles < limit ? max_cycles : limit;
}
