/* model/bound.h -- what bounds a launch with n CTAs at once on each core: the names that models and
 * simulations share, and what the counters of a simulation say of it. */
#ifndef MDP_MODEL_BOUND_H
#define MDP_MODEL_BOUND_H

#include "base/params.h"
#include "base/stats.h"

#define BOUNDS(X) /* its number stands in samples */ \
    X(UNKNOWN, "not known")                          \
    X(ISSUE, "issue")                                \
    X(UNITS, "execution units")                      \
    X(PORT, "LD/ST unit")                            \
    X(FETCH, "instruction cache")                    \
    X(DRAM, "DRAM bandwidth")                        \
    X(BANKS, "DRAM banks")                           \
    X(NETWORK, "network")                            \
    X(MSHRS, "MSHRs")                                \
    X(THRASH, "L1D thrash")                          \
    X(BARRIER, "barriers")                           \
    X(LATENCY, "latency")                            \
    X(GRID, "grid")                                  \
    X(LONGEST, "longest CTA")                        \
    X(WAITING, "CTAs that wait")                     \
    X(NEVER_ENDS, "never ends")                      \
    X(CANNOT_WIN, "cannot win")

enum bound {
#define X(name, text) BOUND_##name,
    BOUNDS(X)
#undef X
        BOUND_COUNT
};

const char *bound_name(enum bound b);
/* Of a number out of a sample; what is none of them is not known. */
enum bound bound_of_number(double v);

#define BOUND_PARAMS(X) /* field, type, lowest, highest, default, unit, help */                    \
    X(most, REAL, 0, 1, 0.5, "ratio",                                                              \
      "a larger part of CTAs' time in waiting for others, of cores' time without a CTA, of the "   \
      "latency of reads in the network and before it bounds a simulation")                         \
    X(full, REAL, 0, 1, 0.7, "ratio",                                                              \
      "from this part of the time on, issue slots, units and data buses of DRAM that are taken "   \
      "bound it")                                                                                  \
    X(queue, REAL, 0, 1e9, 0.8, "reads",                                                           \
      "from so many on that wait at a DRAM channel, in the mean, DRAM bounds it: as many as wait " \
      "at random for what is taken for 0.7 of the time")

PARAM_STRUCT(bound_params, BOUND_PARAMS);

struct bound_counts {              /* of one simulation */
    const struct run_stats *stats; /* borrowed */
    uint64_t ctas;                 /* that the cores were given */
    uint64_t waiting;   /* cycles in which a warp of a CTA only waited (a poll loop), summed over
                           CTAs */
    int issue_interval; /* cycles from a scheduler's issue to its next */
    int channels;       /* of DRAM */
};

/* What bounded it, by its own counters alone: not whether L1D thrashes, which others tell. */
enum bound bound_of_counts(const struct bound_counts *c, const struct bound_params *by);

#endif
