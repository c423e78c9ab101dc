#include "model/pilots.h"

#include <math.h>

static const struct param coeff_rows[] = {
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct pilot_coeff, f, t, lo, hi, d, u, h)
    PILOT_COEFFS(ROW)
#undef ROW
};

static const struct param_group coeff_groups[] = {
    {"", coeff_rows, sizeof coeff_rows / sizeof *coeff_rows, 0}, {NULL, NULL, 0, 0}};

struct pilot_coeff pilots_at(const struct pilot_coeff *c, enum effort effort)
{
    struct pilot_coeff at = *c;
    if (effort == EFFORT_THOROUGH)
        at.budget = at.budget_short = c->budget_thorough;
    else
        at.worth_short = c->worth;
    return at;
}

double pilots_ipc(const struct sample *s, int n)
{
    const double cycles = s->pilot_cycles[n - 1];
    return cycles > 0 ? s->launch_thread_insts / cycles : 0;
}

/* The next smaller degree that has a pilot stands for those that have none: beyond the CTAs that a
 * core gets all degrees are the same. */
static void predict(const void *coeff, const struct sample *s, struct prediction *p)
{
    const struct pilot_coeff *k = coeff;
    *p = (struct prediction){.n_max = (int)s->n_max,
                             .error = k->error,
                             .error_correlation = k->error_correlation,
                             .correlation_length = k->correlation_length};
    for (int n = 1; n <= p->n_max; n++) {
        p->ipc[n] = pilots_ipc(s, n);
        if (p->ipc[n] <= 0 && n > 1)
            p->ipc[n] = p->ipc[n - 1];
        p->bound[n] = bound_name(BOUND_UNKNOWN);
    }
    model_choose(p);
}

static const struct model_stage stages[] = {{.name = NULL}};
static const struct model_column columns[] = {{.name = NULL}};

const struct model_ops model_pilots = {
    .name = "pilots",
    .help = "pilot simulations alone, at the degrees that a sample has them of",
    .groups = coeff_groups,
    .coeff_size = sizeof(struct pilot_coeff),
    .needs_pilots = true,
    .stages = stages,
    .columns = columns,
    .predict = predict,
};
