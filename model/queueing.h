/* model/queueing.h -- ours: throughput at every degree from traces that the sampler replayed on a
 * queueing model of one core and of the memory that all cores share (sampler/replay.h). The model
 * itself adds what the replay leaves out: the rest of the grid in waves, with its last one filled
 * in part; how slow DRAM really is; and how much a degree may differ from its neighbours.
 *
 *   time(n) of a launch = the replayed CTAs, then the rest of a core's share
 *     in step (all n end at once):  whole waves, and for a part f of one  alone + f (wave - alone)
 *     out of step:                  as many waves, and parts of one, as are left
 *   between both by how far the ends of the last n CTAs lie apart
 *   time(n) = time with DRAM as its commands say ^ (1 - s) * time with DRAM 1.3 times as slow ^ s
 *   log IPC(n) is drawn towards its neighbours' mean by `smooth`, and moved by what short windows
 * of the whole GPU found at some degrees, if there are any: by `trust` of the ratio there, the less
 *   the further away in log n (`reach`)
 *
 * The largest degree is kept unless another one promises more than `margin` above it. */
#ifndef MDP_MODEL_QUEUEING_H
#define MDP_MODEL_QUEUEING_H

#include "model/model.h"

#define QUEUEING_SLOW 1.3 /* how much slower the sampler's second replay has DRAM */

/* field, type, min, max, default, unit, help. Defaults equal the bundled file. */
#define QUEUEING_COEFFS(X)                                                                       \
    X(dram_slow, REAL, -2, 4, 0.0, "x 30 %",                                                     \
      "how much slower DRAM is than its commands' timing says")                                  \
    X(smooth, REAL, 0, 1, 0.5, "ratio", "how much of a degree's IPC is its neighbours'")         \
    X(trust, REAL, 0, 1, 0.5, "ratio", "how much of a window's ratio to the replay is believed") \
    X(reach, REAL, 0.1, 100, 2, "log n", "distance over which a window's say falls to 1 / e")    \
    X(margin, REAL, 0, 1, 0.07, "ratio",                                                         \
      "gain over the largest degree for which another is chosen")                                \
    X(error, REAL, 0, 2, 0.13, "log", "standard deviation of the logarithm of a predicted IPC")

PARAM_STRUCT(queueing_coeff, QUEUEING_COEFFS);

extern const struct model_ops model_queueing;

/* How much a launch waits for DRAM, n CTAs at once a core: 0: slower DRAM changes nothing; 1: its
 * time is DRAM's. */
double queueing_dram(const struct sample *s, int n);
/* DRAM reads of a CTA, mean over the launch. */
double queueing_reads(const struct sample *s, int n);
extern const struct model_column queueing_columns[]; /* queueing_explain.c */

#endif
