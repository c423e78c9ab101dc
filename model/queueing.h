/* model/queueing.h -- ours: throughput at every degree from traces that the sampler replayed on a
 * queueing model of cores and of the memory that they share (sampler/replay.h); of long launches a
 * few cores' CTAs, which then are dealt to all (sampler/deal.h). The sample has the cycles of a
 * launch at every degree.
 *
 *   time(n) = as_is * exp(dram_slow * bus) * (even / as_is) ^ smooth
 *     as_is    as replayed
 *     bus      part of the time for which DRAM's buses are taken
 *     even     the rate of n at once drawn half of the way to those of n - 1 and n + 1
 *
 * The largest degree is kept unless another one promises more than `margin` above it. */
#ifndef MDP_MODEL_QUEUEING_H
#define MDP_MODEL_QUEUEING_H

#include "model/model.h"

/* field, type, min, max, default, unit, help. Defaults: where a fit begins. */
#define QUEUEING_COEFFS(X)                                                                   \
    X(dram_slow, REAL, -2, 2, 0, "log",                                                      \
      "how much longer a launch takes for which DRAM's buses are always taken")              \
    X(smooth, REAL, 0, 1, 0.1, "ratio",                                                      \
      "how far rates are evened; 1: half of the way to the neighbours'")                     \
    X(margin, REAL, 0, 1, 0.04, "ratio",                                                     \
      "gain over the largest degree for which another is chosen")                            \
    X(error, REAL, 0, 2, 0.015, "log",                                                       \
      "standard deviation of the logarithm of a predicted IPC, where all CTAs are replayed") \
    X(dealt, REAL, 0, 2, 0.05, "log",                                                        \
      "... that comes to it where next to none of a launch's is, and they are dealt")        \
    X(alike, REAL, 0, 1, 0.5, "ratio",                                                       \
      "of the error that is found by simulating a degree, what its neighbours have too")     \
    X(reach, REAL, 0.1, 100, 0.7, "log n", "distance over which that falls to 1 / e")

PARAM_STRUCT(queueing_coeff, QUEUEING_COEFFS);

extern const struct model_ops model_queueing;

/* Buses that are taken for more of the time bound a launch. */
#define QUEUEING_DRAM_BOUND 0.6

/* DRAM reads of a CTA, mean over the launch. */
double queueing_reads(const struct sample *s, int n);
extern const struct model_column queueing_columns[]; /* queueing_explain.c */

#endif
