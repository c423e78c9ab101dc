#include "model/bottleneck.h"

#include <math.h>

static const struct param coeff_rows[] = {
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct bottleneck_coeff, f, t, lo, hi, d, u, h)
    BOTTLENECK_COEFFS(ROW)
#undef ROW
};

static const struct param_group coeff_groups[] = {
    {"", coeff_rows, sizeof coeff_rows / sizeof *coeff_rows, 0}, {NULL, NULL, 0, 0}};

static double ratio_or(double a, double b, double otherwise)
{
    return b > 0 ? a / b : otherwise;
}

/* From means over the CTAs that were followed, and from the window's, to the launch's mean CTA. */
static double followed_scale(const struct sample *s)
{
    return ratio_or(ratio_or(s->total_warp_insts, s->total_ctas, 0), s->followed_insts, 1);
}

static double window_scale(const struct sample *s)
{
    return ratio_or(ratio_or(s->total_warp_insts, s->total_ctas, 0), s->warp_insts, 1);
}

static double at_n(const double *v, int n)
{
    return v[(n < SAMPLE_DEGREES ? n : SAMPLE_DEGREES) - 1];
}

static void fill_demands(const struct bottleneck_coeff *k, const struct sample *s, int n,
                         struct bottleneck_point *p)
{
    const double f = followed_scale(s), past = f * s->past_lines, stores = f * s->store_lines;
    const double active = fmin(s->cores, s->grid_ctas);
    p->misses = f * at_n(s->l1d_misses_at, n);
    const bool l2 = s->l2_lines > 0;
    const double fresh = l2 ? f * s->next_lines : p->misses;
    p->reads = past + fmin(p->misses, fresh);
    double *d = p->demand;
    d[RES_ISSUE] = ratio_or(f * s->followed_insts, s->issue_rate, 0);
    d[RES_UNITS] = f * fmax(s->sp_cycles, fmax(s->sfu_cycles, s->dp_cycles));
    d[RES_PORT] = f * s->port_cycles;
    d[RES_FETCH] = k->fetch * s->memory_latency * f * at_n(s->l1i_misses_at, n);
    d[RES_DRAM] =
        ratio_or(active * (k->reads * p->reads + k->writes * stores), s->dram_lines_per_cycle, 0);
    d[RES_BANKS] = active * (p->reads + stores) * s->bank_cycles;
    d[RES_MSHRS] = k->held * ratio_or(p->misses * s->mf_latency, s->mshrs, 0);
    d[RES_L2] = ratio_or(active * (p->misses + past), s->l2_lines_per_cycle, 0);
}

/* What is left of a part of the window's time without what cold caches cost it: a hyperbola, from
 * all of it where they take nothing towards nothing where they would take more than there is. */
static double left_of(double all, double cold)
{
    return all > 0 ? all * all / (all + cold) : 0;
}

/* The window's time has each stall once for each scheduler that has a warp. What is left is no less
 * than the time in which they issue. */
static double alone(const struct bottleneck_coeff *k, const struct sample *s, int n)
{
    const double at_once = fmax(1, fmin(s->schedulers, s->warps_per_cta));
    const double fetch = s->fetch_cycles / at_once,
                 memory = (s->mem_dep_cycles + s->mem_unit_cycles) / at_once;
    const double again = s->l1i_misses_at[0];
    const double warm_fetch = fetch * ratio_or(again, again + s->code_lines, 0),
                 warm = left_of(memory, k->cold_data * s->mf_latency);
    const double misses = at_n(s->l1d_misses_at, n);
    const double growth =
        s->l1d_misses > 0 && misses > 0 ? pow(misses / s->l1d_misses, k->by_misses) : 1;
    const double cold = fetch - warm_fetch + memory - warm * growth;
    return window_scale(s) * fmax(s->issue_cycles / at_once, s->cta_cycles - cold);
}

/* With m at once, (alone^t + (sum of (m demand)^s)^(t / s))^(1 / t): what does not depend on m. */
static void prepare_time(const struct bottleneck_coeff *k, struct bottleneck_point *p)
{
    double sum = 0;
    for (int i = 0; i < RES_COUNT; i++)
        sum += p->demand[i] > 0 ? pow(p->demand[i], k->sum_power) : 0;
    p->both = pow(sum, k->time_power / k->sum_power);
    p->own = pow(p->alone, k->time_power);
}

static double time_of(const struct bottleneck_coeff *k, const struct bottleneck_point *p, double m)
{
    return pow(p->own + p->both * pow(m, k->time_power), 1 / k->time_power);
}

/* Rounds that all begin together end together; later ones do so less and less. */
static double core_cycles(const struct bottleneck_coeff *k, const struct bottleneck_point *p,
                          double share)
{
    const double ctas = ceil(share - 1e-9), full = floor(ctas / p->m), rest = ctas - full * p->m,
                 rounds = ceil(ctas / p->m);
    const double whole = full * p->time + (rest > 0 ? time_of(k, p, rest) : 0),
                 even = fmax(1, share / p->m) * p->time, wave = pow(k->wave, rounds - 1);
    return wave * whole + (1 - wave) * even;
}

/* Times what the cores take: by less, that is as good a reason. It names what bounds a launch, and
 * chooses no degree. */
#define LONGER 1.1

/* A launch takes as long as its longest CTA, too, which begins with its round. */
static double longest_cycles(const struct sample *s, const struct bottleneck_point *p)
{
    const double rounds_before = floor(s->longest_at / (fmax(1, s->cores) * p->m));
    return (rounds_before + 1) * p->time + p->alone * (fmax(1, s->longest_cta) - 1);
}

struct bottleneck_point bottleneck_at(const struct bottleneck_coeff *k, const struct sample *s,
                                      int n)
{
    const double share = sample_share(s);
    struct bottleneck_point p = {.m = fmax(1, fmin(n, ceil(share - 1e-9)))};
    fill_demands(k, s, n, &p);
    p.alone = alone(k, s, n);
    prepare_time(k, &p);
    p.time = time_of(k, &p, p.m);
    const double cores = core_cycles(k, &p, share), longest = longest_cycles(s, &p);
    p.longest = longest > LONGER * cores;
    p.launch = fmax(cores, longest) + k->start * s->mf_latency;
    return p;
}

/* ---- what bounds it ---- */

/* Times the misses of one alone: what is read again is most of what is more.
 * It chooses no degree either. */
#define THRASH 1.25

static bool is_memory(enum resource r)
{
    return r == RES_DRAM || r == RES_BANKS || r == RES_L2 || r == RES_MSHRS;
}

/* More of its window than for all else that it waits for. */
static bool waits_at_barriers(const struct sample *s)
{
    return s->barrier_cycles >
           s->mem_dep_cycles + s->mem_unit_cycles + s->alu_dep_cycles + s->fetch_cycles;
}

/* The largest of what m CTAs ask for, or a CTA's own time. A CTA that waits for what others have
 * pushed out of L1D has no more latency than before, but more of it: with so many the launch takes
 * longer than with some fewer (`least`). */
static const char *bound_of(const struct sample *s, const struct bottleneck_point *p,
                            const struct bottleneck_point *one, double least, int n)
{
    static const enum bound by[] = {BOUND_ISSUE, BOUND_UNITS,   BOUND_PORT,  BOUND_FETCH,
                                    BOUND_DRAM,  BOUND_NETWORK, BOUND_BANKS, BOUND_MSHRS};
    int most = 0;
    const bool beyond = n > ceil(sample_share(s) - 1e-9);
    if (p->longest)
        return bound_name(BOUND_LONGEST);
    for (int i = 1; i < RES_COUNT; i++)
        most = p->demand[i] > p->demand[most] ? i : most;
    const bool alone = p->m * p->demand[most] < p->alone,
               memory = alone ? p->launch > least : is_memory((enum resource)most);
    if (memory && p->misses > THRASH * one->misses)
        return bound_name(BOUND_THRASH);
    if (alone)
        return bound_name(
            model_bound_beyond(waits_at_barriers(s) ? BOUND_BARRIER : BOUND_LATENCY, beyond));
    return bound_name(by[most]);
}

/* Of the time in which others are in a CTA's way, what they are on the way to memory. */
static double memory_queue(const struct bottleneck_coeff *k, const struct bottleneck_point *p)
{
    double all = 0, memory = 0;
    for (int i = 0; i < RES_COUNT; i++) {
        const double d = p->demand[i] > 0 ? pow(p->demand[i], k->sum_power) : 0;
        all += d;
        memory += is_memory((enum resource)i) ? d : 0;
    }
    return ratio_or(memory, all, 0) * (p->time - p->alone);
}

static void predict(const void *coeff, const struct sample *s, struct prediction *p)
{
    const struct bottleneck_coeff *k = coeff;
    const struct bottleneck_point one = bottleneck_at(k, s, 1);
    double least = INFINITY;
    *p = (struct prediction){.n_max = (int)fmax(1, fmin(s->n_max, MODEL_N_MAX)),
                             .margin = k->margin,
                             .error = k->error,
                             .error_correlation = k->error_correlation,
                             .correlation_length = k->correlation_length};
    for (int n = 1; n <= p->n_max; n++) {
        const struct bottleneck_point at = bottleneck_at(k, s, n);
        const double loads = followed_scale(s) * s->load_lines, rounds = fmax(1, s->memory_rounds);
        p->dram_reads_per_cta[n] = at.reads;
        p->miss_rate[n] = fmin(1, ratio_or(at.misses, loads, 0));
        p->mf_latency[n] = s->mf_latency + memory_queue(k, &at) / rounds;
        p->cta_cycles[n] = at.time;
        p->ipc[n] = ratio_or(ratio_or(s->total_thread_insts, s->launches, 0), at.launch, 0);
        p->bound[n] = bound_of(s, &at, &one, least, n);
        least = fmin(least, at.launch);
    }
    model_choose(p);
}

/* ---- as a fit sees it: the cycles of all launches of a kernel ---- */

static double predicted_time(const void *coeff, const struct model_step *t)
{
    double cycles = 0;
    for (int i = 0; i < t->parts; i++)
        cycles += t->part[i].launches * bottleneck_at(coeff, &t->part[i], t->n).launch;
    return cycles;
}

static double observed_time(const struct model_step *t)
{
    return t->now->cycles;
}

static const char *const time_coeffs[] = {"time_power", "sum_power", "cold_data", "by_misses",
                                          "fetch",      "reads",     "writes",    "held",
                                          "wave",       "start",     NULL};
static const struct model_jump no_jumps[] = {{NULL, NULL}};

static const struct model_stage stages[] = {{.name = "time",
                                             .coeff = time_coeffs,
                                             .jump = no_jumps,
                                             .whole = true,
                                             .predicted = predicted_time,
                                             .observed = observed_time},
                                            {.name = NULL}};

/* ---- what m CTAs ask for, as parts of the time that they take ---- */

static double part_of(const void *coeff, const struct sample *s, int n, enum resource r)
{
    const struct bottleneck_point p = bottleneck_at(coeff, s, n);
    return p.m * p.demand[r] / p.time;
}

#define EXPLAIN(name, r)                                                    \
    static double explain_##name(const void *coeff, const struct sample *s, \
                                 const struct prediction *p, int n)         \
    {                                                                       \
        (void)p;                                                            \
        return part_of(coeff, s, n, r);                                     \
    }
EXPLAIN(issue, RES_ISSUE)
EXPLAIN(units, RES_UNITS)
EXPLAIN(port, RES_PORT)
EXPLAIN(fetch, RES_FETCH)
EXPLAIN(dram, RES_DRAM)
EXPLAIN(banks, RES_BANKS)
EXPLAIN(l2, RES_L2)
EXPLAIN(mshrs, RES_MSHRS)

static double explain_alone(const void *coeff, const struct sample *s, const struct prediction *p,
                            int n)
{
    (void)p;
    const struct bottleneck_point at = bottleneck_at(coeff, s, n);
    return at.alone / at.time;
}

static double explain_misses(const void *coeff, const struct sample *s, const struct prediction *p,
                             int n)
{
    (void)p;
    return bottleneck_at(coeff, s, n).misses;
}

static const struct model_column columns[] = {
    {"l1d_misses", "requests", "of a CTA, n at once", explain_misses},
    {"alone", "ratio", "a CTA's time without others, of its time with n at once", explain_alone},
    {"issue", "ratio", "of that time, what n CTAs take of the issue slots", explain_issue},
    {"units", "ratio", "... of the arithmetic units", explain_units},
    {"port", "ratio", "... of the LD/ST unit", explain_port},
    {"fetch", "ratio", "... of the way to code that L1I lost", explain_fetch},
    {"dram", "ratio", "... of DRAM, with those of other cores", explain_dram},
    {"banks", "ratio", "... of DRAM's channel and bank that are asked most, likewise",
     explain_banks},
    {"l2", "ratio", "... of L2 and the network, likewise", explain_l2},
    {"mshrs", "ratio", "... of L1D's MSHRs", explain_mshrs},
    {NULL, NULL, NULL, NULL}};

const struct model_ops model_bottleneck = {
    .name = "bottleneck",
    .help = "closed form: what n CTAs ask of each resource, and a CTA's own time, as a power mean",
    .groups = coeff_groups,
    .coeff_size = sizeof(struct bottleneck_coeff),
    .refines = true,
    .stages = stages,
    .columns = columns,
    .predict = predict,
};
