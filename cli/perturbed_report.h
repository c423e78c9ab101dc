/* cli/perturbed_report.h -- IPC of the runs of each degree that --perturbed asks for: what those of
 * one degree differ by is chance. */
#ifndef MDP_CLI_PERTURBED_REPORT_H
#define MDP_CLI_PERTURBED_REPORT_H

#include <stdio.h>

#include "sim/gpu/gpu_cfg.h"

struct perturbed_runs {
    const void *of; /* borrowed: of what is asked */
    int n_max;
    int runs;                          /* run 0 is the plain one, the others are perturbed */
    int by[GPU_CFG_PERTURBATIONS + 1]; /* core cycles, by run */
    double (*ipc)(const void *of, int run, int n);
    double (*mean)(const void *of, int n); /* ... of all runs */
};

/* Of so many runs beside the plain one, on this GPU; the rest is the caller's. */
struct perturbed_runs perturbed_runs_of(const struct gpu_cfg *cfg, int perturbed);
/* Standard deviation of the runs' IPCs, NAN of one run. */
double perturbed_deviation(const struct perturbed_runs *p, int n);
/* A column a run, no more of them than a screen has unless `all`; then what there is over all. */
void perturbed_print(FILE *out, const struct perturbed_runs *p, bool all);

#endif
