/* cli/sample_report.h -- a sample and what it cost, for sample of a target and of a program. */
#ifndef MDP_CLI_SAMPLE_REPORT_H
#define MDP_CLI_SAMPLE_REPORT_H

#include "cli/output_rows.h"
#include "cli/price.h"
#include "model/model.h"
#include "sampler/sample_launch.h"

void sample_cost_output(struct output *out, const struct sample_cost *c);
/* CPU seconds that a simulation is expected to take for a warp instruction: as pilots and whole
 * simulations did; of windows alone, as those or the kernels that measure the memory, whichever
 * were faster: a CTA alone keeps the simulator at many cycles in which little happens. all: where
 * the memory's are; may be c. 0: not known. */
double sample_cost_rate(const struct sample_cost *c, const struct sample_cost *all);
/* The parts of a price, and an estimate of one simulation and of a search: at the speed of what was
 * simulated. n_max: degrees. */
void sample_cost_price(const struct sample_cost *c, int n_max, struct price *out);

/* What a prediction says of every n: prediction_rows, OUTPUT_BY_N, arrays in JSON. */
enum { PREDICTED_IPC, PREDICTED_READS };
const double *prediction_values(const struct prediction *p, const struct output_row *r);
void prediction_output(struct output *out, const struct prediction *p);

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
/* As arrays by n, interval_rows, if any is known. */
enum { INTERVAL_LOW, INTERVAL_HIGH };
void sample_interval_output(struct output *out, const struct model_kernels *k,
                            const struct prediction *p);

#endif
