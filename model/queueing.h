/* model/queueing.h -- ours: throughput at every degree from traces that the sampler replayed on a
 * queueing model of a few cores and of the memory that all cores share (sampler/replay.h), and then
 * dealt to all cores (sampler/deal.h). The sample has the cycles of a launch at every degree, three
 * times; the model says how much each counts.
 *
 *   time(n) = fast * (slow / fast) ^ dram_slow * (even / fast) ^ smooth * windows
 *     fast     DRAM as its commands say
 *     slow     DRAM 1.3 times as slow
 *     even     the rate of n at once drawn half of the way to those of n - 1 and n + 1
 *     windows  what short windows of the whole GPU found at some degrees, if there are any: `trust`
 *              of the ratio to the replay there, the less the further away in log n (`reach`)
 *
 * The largest degree is kept unless another one promises more than `margin` above it. */
#ifndef MDP_MODEL_QUEUEING_H
#define MDP_MODEL_QUEUEING_H

#include "model/model.h"

/* field, type, min, max, default, unit, help. Defaults equal the bundled file. */
#define QUEUEING_COEFFS(X)                                                                       \
    X(dram_slow, REAL, -2, 4, 0.0, "x 30 %",                                                     \
      "how much slower DRAM is than its commands' timing says")                                  \
    X(smooth, REAL, 0, 1, 0.5, "ratio",                                                          \
      "how far rates are evened; 1: half of the way to the neighbours'")                         \
    X(trust, REAL, 0, 1, 0.2, "ratio", "how much of a window's ratio to the replay is believed") \
    X(reach, REAL, 0.1, 100, 2, "log n", "distance over which a window's say falls to 1 / e")    \
    X(margin, REAL, 0, 1, 0.06, "ratio",                                                         \
      "gain over the largest degree for which another is chosen")                                \
    X(error, REAL, 0, 2, 0.1, "log", "standard deviation of the logarithm of a predicted IPC")

PARAM_STRUCT(queueing_coeff, QUEUEING_COEFFS);

extern const struct model_ops model_queueing;

/* How much a launch waits for DRAM, n CTAs at once a core: 0: slower DRAM changes nothing; 1: its
 * time is DRAM's. */
double queueing_dram(const struct sample *s, int n);
/* DRAM reads of a CTA, mean over the launch. */
double queueing_reads(const struct sample *s, int n);
extern const struct model_column queueing_columns[]; /* queueing_explain.c */

#endif
