/* bench/simulate.h -- one target at one degree, start to end. */
#ifndef MDP_BENCH_SIMULATE_H
#define MDP_BENCH_SIMULATE_H

#include "base/stats.h"
#include "sim/gpu/gpu_cfg.h"

/* Results are verified. *stats is the sum over launches, *seconds the CPU time of the simulation
 * alone. */
bool simulate(const char *target, const struct gpu_cfg *cfg, int n, struct run_stats *stats,
              double *seconds, struct err *e);

#endif
