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
    double warp_insts; /* of one run, for progress; 0: not known yet */
};

/* Samples and, without --samples, runs whatever of the points is not recorded, o->jobs at a time.
 * What was done is told on stderr. */
bool profiler_run(const struct options *o, struct profile *db, struct profile_point *point,
                  int points, struct err *e);

#endif
