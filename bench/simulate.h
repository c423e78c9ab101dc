/* bench/simulate.h -- one target at one degree, start to end. */
#ifndef MDP_BENCH_SIMULATE_H
#define MDP_BENCH_SIMULATE_H

#include "base/stats.h"
#include "sim/gpu/gpu_cfg.h"

#define SIMULATION_LAUNCHES 6 /* as many as a reference run has at most */

struct simulation {
    struct run_stats total; /* over launches */
    double seconds;         /* CPU time of the simulation alone */
    int launches;
    struct run_stats after[SIMULATION_LAUNCHES]; /* the total after each of the first ones */
};

/* Results are verified. */
bool simulate(const char *target, const struct gpu_cfg *cfg, int n, struct simulation *out,
              struct err *e);

#endif
