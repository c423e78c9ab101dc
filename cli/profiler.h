/* cli/profiler.h -- fills the profile database. Each result is recorded as soon as it is there, and
 * what is recorded is not run again, so that a profile that was cut off goes on where it was. */
#ifndef MDP_CLI_PROFILER_H
#define MDP_CLI_PROFILER_H

#include "cli/options.h"
#include "fitter/store/profile.h"

struct profile_point { /* of the space that is profiled: a workload on a GPU, at every degree */
    struct gpu_cfg cfg;
    char hash[17]; /* in.config points here */
    char *target;  /* owned, with its size; in.target points here */
    struct profile_input in;
    double warp_insts;     /* of one run, for progress; 0: not known yet */
    int n_max;             /* the largest degree of its sample */
    int searched;          /* degrees that this process has run, not perturbed */
    double search_seconds; /* CPU time of these */
};

/* Warp instructions of all that a point takes, about: its program is executed, without timing. */
bool profiler_cost(const struct options *o, const struct profile_point *p, double *out,
                   struct err *e);

/* Of every point what is not recorded: its sample and price, and, without --samples, its runs;
 * with --prices its price alone, with --no-samples its runs alone. o->jobs at a time. What was done
 * is told on stderr. */
bool profiler_run(const struct options *o, struct profile *db, struct profile_point *point,
                  int points, struct err *e);

#endif
