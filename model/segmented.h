/* model/segmented.h -- the three stages of yen2014 (growth of DRAM reads, of latency, of the time
 * in the pipelines, from n - 1 to n) as curves whose slopes and breakpoints are fitted to profiles.
 *
 *   stage 1  dr = (r(n-1) / r(n)) ^ (refetch * (1 - m / saturation)) * what n CTAs share
 *            r(n) = min(1, fill * capacity / n working sets), the part of a CTA's lines that stays
 *            in the L1D;  m: miss rate at n - 1
 *   stage 2  lat = (n / (n - 1)) ^ slope(load)    load: DRAM's, if a CTA took as long as before
 *   stage 3  a CTA's time = lat ^ (by_latency * h) * dr ^ (by_reads * h) * (n / (n - 1)) ^
 *            slope(issue)                         h: share of its time in which it waits for memory
 *   waves    of a core's share of the grid: partly whole ones, partly as many as the share has
 *
 * Each slope is straight over a load of 0 to 1, and constant beyond.
 * Not modelled: L2, banks and rows of DRAM. */
#ifndef MDP_MODEL_SEGMENTED_H
#define MDP_MODEL_SEGMENTED_H

#include "model/model.h"

/* field, type, min, max, default, unit, help. Defaults: where a fit begins. */
#define SEGMENTED_COEFFS(X)                                                                       \
    X(dr_fill, REAL, 0.05, 20, 1.0, "x capacity", "working sets that fit the L1D")                \
    X(dr_refetch, REAL, 0, 4, 0.5, "log/log", "slope of DRAM reads over what no longer fits")     \
    X(dr_saturation, REAL, 0.05, 2, 1.0, "ratio", "miss rate from which DRAM reads grow no more") \
    X(dr_shared, REAL, -1, 0.95, 0.1, "ratio",                                                    \
      "of lines that CTAs share, those read once for both")                                       \
    X(lat_low, REAL, -1, 2, 0.1, "log/log", "slope of latency over n, DRAM at rest")              \
    X(lat_rise, REAL, -4, 4, 0.5, "log/log", "by so much more at full load")                      \
    X(pipe_latency, REAL, 0, 4, 0.7, "log/log", "slope of a CTA's memory time over latency")      \
    X(pipe_reads, REAL, 0, 4, 0.3, "log/log", "slope of a CTA's memory time over its DRAM reads") \
    X(pipe_low, REAL, -1, 2, 0.1, "log/log", "slope of a CTA's time over n, no slots used")       \
    X(pipe_rise, REAL, -4, 4, 0.5, "log/log", "by so much more at full load")                     \
    X(wave_step, REAL, 0, 1, 0.5, "ratio", "0: CTAs end one by one; 1: all n at once")            \
    X(margin, REAL, 0, 1, 0.03, "ratio",                                                          \
      "gain over the largest degree for which another is chosen")                                 \
    X(error, REAL, 0, 2, 0.45, "log", "standard deviation of the logarithm of a predicted IPC")

PARAM_STRUCT(segmented_coeff, SEGMENTED_COEFFS);

extern const struct model_ops model_segmented;

/* low + rise * load; a load beyond 1 counts as 1. */
double segmented_slope(double low, double rise, double load);

#endif
