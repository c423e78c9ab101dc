#include "model/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* How far off its predictions are. What a model doesn't know of its errors is as it is of pilots;
 * and of a window that leaves out waiting no model knows it. */
static struct error_curve errors_of(const struct prediction *p, const struct pilot_coeff *c,
                                    const struct sample *s)
{
    const bool known = p->error > 0 && !sample_leaves_out_waiting(s);
    return (struct error_curve){
        .error = known ? p->error : fmax(p->error, c->unknown_error),
        .error_correlation = p->error_correlation > 0 ? p->error_correlation : c->error_correlation,
        .correlation_length =
            p->error_correlation > 0 ? p->correlation_length : c->correlation_length};
}

/* Where nothing is to be chosen a pilot tells the time alone: of a launch that is not short, if its
 * longest CTA, which the window may have and the pilot has, is a small part of it. */
static bool wants_single(const struct pilot_coeff *c, const struct sample *s)
{
    return s->launch_warp_insts >= c->single_insts && s->longest_cta > 0 &&
           s->longest_cta <= c->single_part * s->grid_ctas;
}

/* As if all launches took as many cycles for an instruction. */
static double program_cycles(const struct sample *s, double program_insts)
{
    const double cycles = s->pilot_cycles[sample_degrees(s) - 1];
    return cycles > 0 ? program_insts * cycles / s->launch_warp_insts : 0;
}

bool estimate_is_short(const struct pilot_coeff *pilots, const struct sample *s,
                       double program_insts)
{
    return program_insts <= pilots->short_insts &&
           program_cycles(s, program_insts) <= pilots->short_cycles;
}

double estimate_budget(const struct pilot_coeff *pilots, const struct sample *s,
                       double program_insts)
{
    const bool is_short = estimate_is_short(pilots, s, program_insts);
    return s->total_warp_insts * (is_short ? pilots->budget_short : pilots->budget);
}

static void plan_of(const struct prediction *p, const struct pilot_coeff *pilots,
                    const struct sample *s, double program_insts, struct pilot_plan *out)
{
    const struct error_curve errors = errors_of(p, pilots, s);
    pilot_plan_init(out, pilots, p->n_max, sample_degrees(s), p->ipc, &errors, s->total_warp_insts,
                    estimate_budget(pilots, s, program_insts));
    if (estimate_is_short(pilots, s, program_insts))
        out->worth = pilots->worth_short;
    out->single = wants_single(pilots, s);
    out->share = sample_searched(s) ? 0 : sample_share(s); /* else no pilot is cut by waves */
    if (p->least > 1)
        out->least = p->least;
}

void estimate_plan(const struct model_coeffs *c, const struct pilot_coeff *pilots,
                   const struct sample *s, double program_insts, struct pilot_plan *out)
{
    struct prediction kernel, all;
    model_predict(c, s, 1, &kernel, &all);
    plan_of(&kernel, pilots, s, program_insts, out);
    for (int n = sample_degrees(s); n >= out->least; n--)
        if (s->pilot_cycles[n - 1] > 0)
            pilot_plan_tell(out, n, pilots_ipc(s, n), s->pilot_insts[n - 1]);
}

double estimate_pilot_gain(const struct model_coeffs *c, const struct pilot_coeff *pilots,
                           const struct sample *s)
{
    struct pilot_plan plan;
    double gain;
    estimate_plan(c, pilots, s, 0, &plan);
    const bool any = plan.pilots && pilot_plan_wants(&plan, &gain);
    return any ? gain : 0;
}

/* Beyond the degrees that differ all are as the last of them. */
static int differing(const struct posterior *p, int n)
{
    const int last = posterior_n_max(p);
    return n < last ? n : last;
}

/* ln IPC, cautiously. */
static double promise(const struct posterior *known, const struct pilot_coeff *c, int n)
{
    return log(posterior_ipc(known, n)) -
           c->caution * sqrt(fmax(0, posterior_covariance(known, n, n)));
}

static bool is_seen(const struct prediction *p, int n)
{
    return p->piloted[n] || p->simulated[n];
}

static int count_seen(const struct prediction *p, int last)
{
    int seen = 0;
    for (int n = 1; n <= last; n++)
        seen += is_seen(p, n);
    return seen;
}

/* The largest degree unless another gains enough; of the others only those count that were
 * simulated: a model that is far off promises most where nobody has looked. Where a budget ended
 * before the second pilot, that would be the default whatever the model says: there all count. */
static int choose(const struct posterior *known, const struct prediction *p,
                  const struct pilot_coeff *c)
{
    const int last = posterior_n_max(known);
    const bool all = p->wants_pilot && count_seen(p, last) < 2;
    int best = last;
    for (int n = p->least > 1 ? p->least : 1; n < last; n++) {
        const double least = best == last ? c->least_gain : 0;
        if ((all || is_seen(p, n)) && promise(known, c, n) > promise(known, c, best) + least)
            best = n;
    }
    return best == last ? p->n_max : best;
}

static double difference(const struct posterior *known, int n, int m)
{
    return sqrt(fmax(0, posterior_covariance(known, n, n) + posterior_covariance(known, m, m) -
                            2 * posterior_covariance(known, n, m)));
}

/* Puts what is known of a curve into its prediction. */
static void apply(const struct posterior *known, const struct pilot_coeff *c, struct prediction *p)
{
    const bool any = count_seen(p, p->n_max) > 0;
    for (int n = 1; n <= p->n_max; n++) {
        const int at = differing(known, n);
        p->ipc[n] = posterior_ipc(known, at);
        p->deviation[n] = sqrt(fmax(0, posterior_covariance(known, at, at)));
    }
    if (any)
        p->chosen_n = choose(known, p, c);
    const int chosen = differing(known, p->chosen_n);
    p->gain_deviation = difference(known, chosen, posterior_n_max(known));
    if (!any && p->error <= 0) { /* of a model that doesn't know its error */
        memset(p->deviation, 0, sizeof p->deviation);
        p->gain_deviation = 0;
    }
    for (int n = 1; n <= p->n_max; n++)
        p->undecided[n] = n >= p->least && !(p->least && p->simulated[n]) &&
                          differing(known, n) != chosen &&
                          posterior_improvement(known, differing(known, n), chosen) > c->worth_run;
}

static struct posterior *known_of(const struct pilot_coeff *pilots, const struct sample *s,
                                  struct prediction *p)
{
    struct pilot_plan plan;
    plan_of(p, pilots, s, 0, &plan);
    for (int n = plan.least; n <= plan.most; n++)
        if (s->pilot_cycles[n - 1] > 0)
            pilot_plan_tell(&plan, n, pilots_ipc(s, n), 0);
    for (int n = 1; n <= p->n_max; n++)
        p->piloted[n] = plan.known[n < plan.most ? n : plan.most];
    double gain;
    plan.worth = pilots->worth;
    p->wants_pilot = plan.pilots < 2 && pilot_plan_wants(&plan, &gain);
    return pilot_plan_known(&plan);
}

/* Simulated whole, at every degree: nobody has to guess. */
static struct posterior *known_of_searched(const struct pilot_coeff *pilots, const struct sample *s,
                                           struct prediction *p)
{
    struct pilot_plan plan;
    plan_of(p, pilots, s, 0, &plan);
    struct posterior *known = pilot_plan_known(&plan);
    for (int n = 1; n <= p->n_max; n++) {
        const int at = differing(known, n);
        p->simulated[n] = p->piloted[n] = s->pilot_cycles[at - 1] > 0;
        if (n == at && p->simulated[n])
            posterior_run(known, n, pilots_ipc(s, n), pilots->run_error);
    }
    return known;
}

static int at_most(const struct prediction *p, int n)
{
    return n < p->n_max ? n : p->n_max;
}

struct posterior *estimate(const struct model_coeffs *c, const struct pilot_coeff *pilots,
                           const struct sample *s, int kernels, struct prediction *kernel,
                           struct prediction *all)
{
    struct posterior **known = xcalloc((size_t)kernels, sizeof(struct posterior *));
    double *insts = xcalloc((size_t)kernels, sizeof *insts);
    int longest = 0;
    model_predict(c, s, kernels, kernel, all);
    for (int k = 0; k < kernels; k++) {
        insts[k] = s[k].total_thread_insts;
        known[k] = sample_whole(&s[k]) ? known_of_searched(pilots, &s[k], &kernel[k])
                                       : known_of(pilots, &s[k], &kernel[k]);
        apply(known[k], pilots, &kernel[k]);
        if (insts[k] / kernel[k].ipc[kernel[k].n_max] >
            insts[longest] / kernel[longest].ipc[kernel[longest].n_max])
            longest = k;
    }
    all->wants_pilot = kernel[longest].wants_pilot;
    for (int n = 1; n <= all->n_max; n++) {
        all->piloted[n] = kernel[longest].piloted[at_most(&kernel[longest], n)];
        all->simulated[n] = true;
        for (int k = 0; k < kernels; k++) {
            const bool simulated = kernel[k].simulated[at_most(&kernel[k], n)];
            all->simulated[n] &= simulated;
            all->piloted[n] &= simulated || !sample_whole(&s[k]);
        }
    }
    struct posterior *sum = posterior_sum((const struct posterior *const *)known, insts, kernels);
    apply(sum, pilots, all);
    for (int k = 0; k < kernels; k++)
        posterior_free(known[k]);
    free(known);
    free(insts);
    return sum;
}

int estimate_next_run(const struct posterior *known, const struct pilot_coeff *pilots,
                      const struct prediction *all)
{
    int best = 0;
    double most = pilots->worth_run;
    if (!all->simulated[all->chosen_n])
        return all->chosen_n;
    if (all->far_off && !all->simulated[all->n_max]) /* its gain is over that */
        return all->n_max;
    for (int n = all->least > 1 ? all->least : 1; n <= all->n_max; n++) {
        const double gain = all->simulated[n]
                                ? 0
                                : posterior_improvement(known, differing(known, n),
                                                        differing(known, all->chosen_n));
        if (gain > most) {
            most = gain;
            best = n;
        }
    }
    return best;
}

void estimate_run(struct posterior *known, const struct pilot_coeff *pilots, int n, double ipc,
                  struct prediction *all)
{
    const int at = differing(known, n);
    const double usual = sqrt(posterior_covariance(known, at, at) + pow(pilots->run_error, 2));
    all->far_off |= fabs(log(ipc / posterior_ipc(known, at))) > pilots->far_off * usual;
    posterior_run(known, at, ipc, pilots->run_error);
    for (int i = 1; i <= all->n_max; i++)
        all->simulated[i] |= differing(known, i) == differing(known, n);
    apply(known, pilots, all);
}
