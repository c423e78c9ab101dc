/* cli/perturbed_report.h -- IPC of the runs of each degree that --perturbed asks for: what those of
 * one degree differ by is chance. */
#ifndef MDP_CLI_PERTURBED_REPORT_H
#define MDP_CLI_PERTURBED_REPORT_H

#include <stdio.h>

#include "model/model.h"
#include "sim/gpu/gpu_cfg.h"

struct perturbed_runs {
    int n_max;
    int runs;                          /* run 0 is the plain one, the others are perturbed */
    int by[GPU_CFG_PERTURBATIONS + 1]; /* core cycles, by run */
    double ipc[GPU_CFG_PERTURBATIONS + 1][MODEL_N_MAX + 1]; /* by run and n */
    double mean[MODEL_N_MAX + 1];                           /* ... of all runs */
    double deviation[MODEL_N_MAX + 1];                      /* standard deviation; NAN of one run */
};

/* by, ipc and mean are there: adds the deviations. */
void perturbed_deviations(struct perturbed_runs *p);
/* A column a run, no more of them than a screen has unless `all`; then what there is over all. */
void perturbed_print(FILE *out, const struct perturbed_runs *p, bool all);

#endif
