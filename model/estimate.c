#include "model/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"

double estimate_pilot_ipc(const struct sample *s, int n)
{
    const double cycles = s->pilot_cycles[n - 1];
    return cycles > 0 ? s->launch_thread_insts / cycles : 0;
}

double estimate_pilot_insts(const struct sample *s, int n)
{
    return s->pilot_insts[n - 1];
}

/* How far off its predictions are. */
static struct error_curve errors_of(const struct prediction *p)
{
    return (struct error_curve){.error = p->error, .shared = p->alike, .reach = p->reach};
}

static void plan_of(const struct prediction *p, const struct pilot_coeff *pilots,
                    const struct sample *s, double program_insts, struct pilot_plan *out)
{
    const struct error_curve errors = errors_of(p);
    pilot_plan_init(out, pilots, p->n_max, sample_degrees(s), p->ipc, &errors, s->total_warp_insts,
                    program_insts);
}

void estimate_plan(const struct model_coeffs *c, const struct pilot_coeff *pilots,
                   const struct sample *s, double program_insts, struct pilot_plan *out)
{
    struct prediction kernel, all;
    model_predict(c, s, 1, &kernel, &all);
    plan_of(&kernel, pilots, s, program_insts, out);
}

static bool has_pilots(const struct sample *s)
{
    for (int n = 1; n <= SAMPLE_DEGREES; n++)
        if (s->pilot_cycles[n - 1] > 0)
            return true;
    return false;
}

/* Puts what is known of a curve into its prediction. */
static void apply(const struct posterior *known, double margin, bool choose, struct prediction *p)
{
    for (int n = 1; n <= p->n_max; n++) {
        p->ipc[n] = posterior_ipc(known, n);
        p->deviation[n] = sqrt(fmax(0, posterior_covariance(known, n, n)));
    }
    if (choose)
        p->chosen_n = pilot_choose(known, margin);
}

static struct posterior *known_of(const struct prediction *p, const struct pilot_coeff *pilots,
                                  const struct sample *s)
{
    struct pilot_plan plan;
    plan_of(p, pilots, s, 0, &plan);
    for (int n = 1; n <= plan.most; n++)
        if (s->pilot_cycles[n - 1] > 0)
            pilot_plan_tell(&plan, n, estimate_pilot_ipc(s, n), estimate_pilot_insts(s, n));
    return plan.posterior;
}

void estimate(const struct model_coeffs *c, const struct pilot_coeff *pilots,
              const struct sample *s, int kernels, struct prediction *kernel,
              struct prediction *all)
{
    struct posterior **known = xcalloc((size_t)kernels, sizeof(struct posterior *));
    double *insts = xcalloc((size_t)kernels, sizeof *insts);
    bool any = false;
    model_predict(c, s, kernels, kernel, all);
    for (int k = 0; k < kernels; k++) {
        const bool has = has_pilots(&s[k]);
        any |= has;
        insts[k] = s[k].total_thread_insts;
        known[k] = known_of(&kernel[k], pilots, &s[k]);
        apply(known[k], pilots->margin, has, &kernel[k]);
    }
    struct posterior *sum = posterior_sum((const struct posterior *const *)known, insts, kernels);
    apply(sum, pilots->margin, any, all);
    posterior_free(sum);
    for (int k = 0; k < kernels; k++)
        posterior_free(known[k]);
    free(known);
    free(insts);
}
