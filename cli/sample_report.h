/* cli/sample_report.h -- a sample and what it cost, for sample of a target and of a program. */
#ifndef MDP_CLI_SAMPLE_REPORT_H
#define MDP_CLI_SAMPLE_REPORT_H

#include "cli/price.h"
#include "model/model.h"
#include "sampler/sample_launch.h"

struct sample_cost_row {
    const char *name, *unit, *help;
    size_t off;
    enum { COST_UINT, COST_REAL } type;
};
extern const struct sample_cost_row sample_cost_rows[]; /* ends with name == NULL */
void sample_cost_output(struct output *out, const struct sample_cost *c);
/* The parts of a price, and an estimate of one simulation and of a search: at the speed of what was
 * simulated. n_max: degrees. */
void sample_cost_price(const struct sample_cost *c, int n_max, struct price *out);

/* What a prediction says of every n: arrays of it, as JSON has them. */
struct prediction_row {
    const char *name, *unit, *help;
    size_t off; /* in struct prediction: double[MODEL_N_MAX + 1] */
};
extern const struct prediction_row prediction_rows[]; /* ends with name == NULL */
const double *prediction_values(const struct prediction *p, const struct prediction_row *r);

/* Every field, into the present object. */
void sample_output(struct output *out, const struct sample *s);
void sample_print(FILE *out, const struct sample *s);
/* A row a degree: predictions, intervals, bounds. */
void sample_print_degrees(FILE *out, const struct model_kernels *k, const struct prediction *p);

/* Standard deviation of the logarithm of IPC(n); 0: not known. */
double sample_deviation(const struct model_kernels *k, const struct prediction *p, int n);
/* The interval that holds IPC(n) with a probability of 80 %. False, and NAN: not known. */
bool sample_interval(const struct model_kernels *k, const struct prediction *p, int n, double *low,
                     double *high);
/* Any of them is. */
bool sample_intervals_known(const struct model_kernels *k, const struct prediction *p);
/* As arrays by n, if any is known. */
void sample_interval_output(struct output *out, const struct model_kernels *k,
                            const struct prediction *p);

#endif
