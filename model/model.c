#include "model/model.h"

#include <math.h>
#include <string.h>

#include "model/bottleneck.h"
#include "model/pilots.h"
#include "model/segmented.h"
#include "model/yen2014.h"

static const struct model_ops *const models[] = {&model_bottleneck, &model_segmented,
                                                 &model_yen2014, &model_pilots};
#define NMODELS ((int)(sizeof models / sizeof *models))

const struct model_ops *model_at(int i)
{
    return i >= 0 && i < NMODELS ? models[i] : NULL;
}

const struct model_ops *model_find(const char *name)
{
    for (int i = 0; i < NMODELS; i++)
        if (strcmp(models[i]->name, name) == 0)
            return models[i];
    return NULL;
}

/* A CTA alone is refused by a unit for some of its time, and waits for memory for some, which grows
 * as the latency of reads does; instructions come from there too. Whatever it takes longer beside
 * others than that it waits for what others are using: units, unless what it waits for alone is
 * data, whose way is not all in the latency of reads. */
double model_unit_wait(const struct sample *s, const struct prediction *p, int n)
{
    const double refused = s->alu_unit_cycles + s->mem_unit_cycles,
                 memory = s->mem_dep_cycles + s->fetch_cycles,
                 all = s->issue_cycles + s->alu_dep_cycles + s->barrier_cycles + memory + refused;
    if (!(all > 0 && p->cta_cycles[n] > 0))
        return 0;
    const double slower = p->mf_latency[1] > 0 ? p->mf_latency[n] / p->mf_latency[1] - 1 : 0;
    const double alone = p->cta_cycles[1] * (1 + memory / all * fmax(0, slower));
    const bool computes = s->alu_dep_cycles + refused >= s->mem_dep_cycles;
    const double beside = computes ? fmax(0, p->cta_cycles[n] - alone) : 0;
    return (p->cta_cycles[1] * refused / all + beside) / p->cta_cycles[n];
}

/* These name what bounds a launch, and choose no degree. Lines that are read again bound nothing
 * where hardly any access misses. */
#define THRASH_MISS_RATE 0.1
#define THRASH_READS     1.25 /* times those of a CTA alone */
#define ISSUE_BOUND      0.8  /* of the IPC that the issue slots allow */

const char *model_bound(const struct sample *s, const struct prediction *p, int n, bool dram)
{
    if (fmin(n, s->n_max) > ceil(sample_share(s)))
        return bound_name(BOUND_GRID);
    if (p->ipc[n] > ISSUE_BOUND * sample_issue_limit(s))
        return bound_name(BOUND_ISSUE);
    const bool units = !dram && model_unit_wait(s, p, n) > MODEL_UNIT_BOUND;
    if (!units && p->miss_rate[n] > THRASH_MISS_RATE &&
        p->dram_reads_per_cta[n] > THRASH_READS * p->dram_reads_per_cta[1])
        return bound_name(BOUND_THRASH);
    if (dram)
        return bound_name(BOUND_DRAM);
    return bound_name(units ? BOUND_UNITS : BOUND_LATENCY);
}

int model_decide(const double *ipc, int n_max, bool prefer_high)
{
    const double equal = 1e-9;
    int best = 1;
    for (int n = 2; n <= n_max; n++) {
        double gain = ipc[n] - ipc[best], slack = equal * fabs(ipc[best]);
        if (gain > slack || (prefer_high && gain >= -slack))
            best = n;
    }
    return best;
}

void model_choose(struct prediction *p)
{
    const double half = sqrt(1 + p->margin);
    double worth[MODEL_N_MAX + 1];
    for (int n = 1; n <= p->n_max; n++)
        worth[n] = p->ipc[n] * (p->simulated[n] ? 1 : n == p->n_max ? half : 1 / half);
    int best = model_decide(worth, p->n_max, p->compute_bound);
    best = best < p->least ? p->least : best;
    p->chosen_n = p->margin > 0 && worth[best] <= worth[p->n_max] ? p->n_max : best;
}

/* Simulated with n at once, and it took so long; 0: it was not. */
static double simulated_cycles(const struct sample *s, int n)
{
    return s->pilot_insts[n - 1] > 0 ? s->pilot_cycles[n - 1] : 0;
}

/* What waits for memory, takes longer than with fewer at once, and misses more often than with the
 * fewest that were simulated. */
static bool thrashes(const struct sample *s, int n, enum bound alone)
{
    const double miss_rate = s->pilot_miss_rate[n - 1];
    double least = INFINITY;
    int fewest = n;
    for (int m = n - 1; m >= 1; m--)
        if (simulated_cycles(s, m) > 0) {
            least = fmin(least, simulated_cycles(s, m));
            fewest = m;
        }
    return (alone == BOUND_LATENCY || alone == BOUND_DRAM || alone == BOUND_BANKS ||
            alone == BOUND_NETWORK || alone == BOUND_MSHRS) &&
           simulated_cycles(s, n) > least && miss_rate > THRASH_MISS_RATE &&
           miss_rate > THRASH_READS * s->pilot_miss_rate[fewest - 1];
}

static enum bound simulated_bound(const struct sample *s, int n)
{
    const enum bound alone = bound_of_number(s->pilot_bound[n - 1]);
    return thrashes(s, n, alone) ? BOUND_THRASH : alone;
}

enum bound model_bound_beyond(enum bound of_share, bool beyond)
{
    return beyond && (of_share == BOUND_LATENCY || of_share == BOUND_BARRIER) ? BOUND_GRID
                                                                              : of_share;
}

void model_simulated_bounds(const struct sample *s, struct prediction *p)
{
    const int most = sample_degrees(s);
    for (int n = 1; n <= p->n_max; n++) {
        const int at = n < most ? n : most;
        const enum bound b = simulated_cycles(s, at) > 0 ? simulated_bound(s, at) : BOUND_UNKNOWN;
        if (b != BOUND_UNKNOWN)
            p->bound[n] = bound_name(model_bound_beyond(b, n > at));
    }
}

void model_leave_out(const struct sample *s, struct prediction *p)
{
    const int least = sample_least(s);
    if (least == 1)
        return;
    p->least = least;
    for (int n = 1; n < least; n++) {
        p->ipc[n] = p->ipc[least];
        p->dram_reads_per_cta[n] = p->dram_reads_per_cta[least];
        p->miss_rate[n] = p->miss_rate[least];
        p->mf_latency[n] = p->mf_latency[least];
        p->cta_cycles[n] = p->cta_cycles[least];
        p->bound[n] = bound_name(BOUND_NEVER_ENDS);
    }
    p->chosen_n = p->chosen_n < least ? least : p->chosen_n;
}

void model_searched(const struct sample *s, struct prediction *p)
{
    const int most = sample_degrees(s);
    double ipc = 1;
    *p = (struct prediction){.n_max = (int)s->n_max, .least = sample_least(s)};
    for (int n = p->n_max; n >= 1; n--) {
        const double found = pilots_ipc(s, n < most ? n : most);
        ipc = found > 0 ? found : ipc;
        p->ipc[n] = ipc;
        p->dram_reads_per_cta[n] = p->miss_rate[n] = p->mf_latency[n] = p->cta_cycles[n] = NAN;
        p->bound[n] = bound_name(n < p->least           ? BOUND_NEVER_ENDS
                                 : sample_skipped(s, n) ? BOUND_CANNOT_WIN
                                                        : BOUND_UNKNOWN);
    }
    model_simulated_bounds(s, p);
    model_choose(p);
}

static int at_most(const struct prediction *p, int n)
{
    const int last = p->last > p->n_max ? p->last : p->n_max;
    return n < last ? n : last;
}

/* Grids of a cluster differ by less than a fifth (similarity.classes): the largest is no larger
 * than this times the mean. Only a fit asks for it (same_from), to leave out what is no evidence.
 */
#define LARGEST_GRID 1.25

/* From here on a core has no more of the kernel's CTAs at once: none fits, or none is left. */
static int fills_at(const struct sample *s, const struct prediction *p)
{
    const double grid = s->launches > 1 ? LARGEST_GRID * s->grid_ctas : s->grid_ctas;
    const double most = s->cores > 0 ? ceil(grid / s->cores) : p->n_max;
    return most < 1 ? 1 : most < p->n_max ? (int)most : p->n_max;
}

static int same_from(const struct sample *s, const struct prediction *p, int kernels)
{
    int most = 1;
    for (int k = 0; k < kernels; k++) {
        const int n = fills_at(&s[k], &p[k]);
        most = n > most ? n : most;
    }
    return most;
}

void model_combine(const struct sample *s, const struct prediction *p, int kernels,
                   struct prediction *out)
{
    if (kernels == 1) {
        *out = *p;
        out->same_from = same_from(s, p, 1);
        return;
    }
    *out = (struct prediction){.compute_bound = true, .same_from = same_from(s, p, kernels)};
    for (int k = 0; k < kernels; k++) {
        out->n_max = p[k].n_max > out->n_max ? p[k].n_max : out->n_max;
        out->least = p[k].least > out->least ? p[k].least : out->least;
        out->compute_bound &= p[k].compute_bound;
        out->margin = fmax(out->margin, p[k].margin);
        out->error = fmax(out->error, p[k].error);
        out->error_correlation = fmax(out->error_correlation, p[k].error_correlation);
        out->correlation_length = fmax(out->correlation_length, p[k].correlation_length);
    }
    for (int n = 1; n <= out->n_max; n++) {
        double insts = 0, time = 0, longest = 0, ctas = 0;
        for (int k = 0; k < kernels; k++) {
            const int m = at_most(&p[k], n);
            double t = p[k].ipc[m] > 0 ? s[k].total_thread_insts / p[k].ipc[m] : 0;
            insts += s[k].total_thread_insts;
            time += t;
            if (t >= longest) { /* the kernel that takes most of the time says what bounds it */
                longest = t;
                out->bound[n] = p[k].bound[m];
            }
            ctas += s[k].total_ctas; /* the rest: means over CTAs */
            out->dram_reads_per_cta[n] += s[k].total_ctas * p[k].dram_reads_per_cta[m];
            out->miss_rate[n] += s[k].total_ctas * p[k].miss_rate[m];
            out->mf_latency[n] += s[k].total_ctas * p[k].mf_latency[m];
            out->cta_cycles[n] += s[k].total_ctas * p[k].cta_cycles[m];
        }
        if (n < out->least)
            out->bound[n] = bound_name(BOUND_NEVER_ENDS);
        out->ipc[n] = time > 0 ? insts / time : 0;
        out->dram_reads_per_cta[n] /= fmax(ctas, 1);
        out->miss_rate[n] /= fmax(ctas, 1);
        out->mf_latency[n] /= fmax(ctas, 1);
        out->cta_cycles[n] /= fmax(ctas, 1);
    }
    model_choose(out);
}

static double time_of(const struct model_kernels *k, int i, int n)
{
    const double ipc = k->prediction[i].ipc[at_most(&k->prediction[i], n)];
    return ipc > 0 ? k->sample[i].total_thread_insts / ipc : 0;
}

double model_column(const struct model_column *c, const void *coeff, const struct model_kernels *k,
                    int n)
{
    double sum = 0, time = 0;
    for (int i = 0; i < k->kernels; i++) {
        const struct prediction *p = &k->prediction[i];
        if (sample_searched(&k->sample[i]))
            continue;
        const double t = k->kernels > 1 ? time_of(k, i, n) : 1;
        sum += t * c->value(coeff, &k->sample[i], p, at_most(p, n));
        time += t;
    }
    return time > 0 ? sum / time : NAN;
}

double model_error(const struct prediction *p, int n)
{
    return hypot(p->error, p->fit_error[n]);
}
