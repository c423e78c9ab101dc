/* model/yen2014.h -- the three-stage model of Yen, "A Cache Behavior Aware Multithreading Degree
 * Decision Scheme on GPGPUs" (2014), chapters 4 and 5.
 *
 *   stage 1  DRAM reads of a CTA      grow by dr_inc(n)   from miss rate, L1D capacity, working set
 *   stage 2  latency of a read        grows by lat(n)     from miss rate, its change, working set
 *   stage 3  pipeline                 stretches by pipe(n)
 *   CTA time(n) = CTA time(n-1) * dr_inc(n) * lat(n) * pipe(n);  IPC(n) = n CTAs a core every
 *   CTA time(n), on all cores
 *
 * Each step looks at the state predicted for n - 1, from the sampled n = 1 on (Figure 8).
 * Not modelled (nor by the paper): waves and tail of the grid, L2, DRAM bandwidth as such. */
#ifndef MDP_MODEL_YEN2014_H
#define MDP_MODEL_YEN2014_H

#include "model/model.h"

/* field, type, min, max, default, unit, help (with the page). Defaults equal the bundled file. */
#define YEN2014_COEFFS(X)                                                                          \
    X(dr_refetch_part, REAL, 0, 1, 0.35, "ratio",                                                  \
      "evicted reusable lines read again, cache mildly oversubscribed (derived: Table 5, bfs)")    \
    X(dr_refetch, REAL, 0, 1, 0.7, "ratio",                                                        \
      "evicted reusable lines read again, cache oversubscribed (derived: Table 5)")                \
    X(dr_part_limit, REAL, 1, 100, 2.0, "x capacity",                                              \
      "working sets of all resident CTAs up to which the cache is mildly oversubscribed")          \
    X(dr_saturation, REAL, 0, 1, 0.67, "ratio",                                                    \
      "miss rate from which DRAM reads grow no more (p. 18, Table 5: largest that grew)")          \
    X(compute_bound, REAL, 0, 10, 0.05, "reads/inst",                                              \
      "predicted DRAM reads a warp instruction below which a kernel is compute-bound (p. 28)")     \
    X(lat_low_miss, REAL, 0, 1, 0.15, "ratio",                                                     \
      "miss rate below which latency hardly grows (p. 28)")                                        \
    X(lat_mid_miss, REAL, 0, 1, 0.3, "ratio",                                                      \
      "miss rate below which latency grows a little (p. 28)")                                      \
    X(lat_high_miss, REAL, 0, 1, 0.85, "ratio",                                                    \
      "miss rate above which latency hardly grows (p. 28)")                                        \
    X(lat_low, REAL, 1, 10, 1.03, "x", "latency growth outside low_miss .. high_miss (p. 28)")     \
    X(lat_mid, REAL, 1, 10, 1.1, "x", "latency growth from low_miss to mid_miss (p. 28)")          \
    X(lat_jump_ws, REAL, 0, 1000, 5.0, "x capacity", "working set of a CTA for lat_jump (p. 28)")  \
    X(lat_jump_delta, REAL, 0, 1, 0.1, "ratio", "rise of the miss rate for lat_jump (p. 28)")      \
    X(lat_jump, REAL, 1, 10, 1.9, "x", "latency growth beyond both (p. 28)")                       \
    X(lat_huge_ws, REAL, 0, 1000, 15.0, "x capacity", "working set of a CTA for lat_huge (p. 28)") \
    X(lat_huge_delta, REAL, 0, 1, 0.04, "ratio", "rise of the miss rate for lat_huge (p. 28)")     \
    X(lat_huge, REAL, 1, 10, 1.75, "x", "latency growth beyond both (p. 28)")                      \
    X(lat_other, REAL, 1, 10, 1.1, "x", "latency growth in all other cases (p. 28)")               \
    X(pipe_fits, REAL, 1, 10, 1.05, "x", "pipeline effect while all working sets fit (p. 28)")     \
    X(pipe_reads, REAL, 0, 1000, 5.0, "x capacity", "DRAM reads of a CTA for pipe_heavy (p. 28)")  \
    X(pipe_heavy, REAL, 1, 10, 1.2, "x", "pipeline effect beyond (p. 22, p. 28)")                  \
    X(pipe_other, REAL, 1, 10, 1.1, "x", "pipeline effect in all other cases (p. 22, p. 28)")      \
    X(error, REAL, 0, 10, 0, "log",                                                                \
      "standard deviation of the logarithm of a predicted IPC; 0: not known (the paper)")

PARAM_STRUCT(yen2014_coeff, YEN2014_COEFFS);

extern const struct model_ops model_yen2014;

/* One step of each stage, for tests and for explaining a prediction. State before: CTAs n - 1. */
struct yen2014_state {
    double miss_rate, dram_reads; /* of one CTA, at the n - 1 that the step starts from */
};
double yen2014_dr_inc(const struct yen2014_coeff *k, const struct sample *s,
                      const struct yen2014_state *before, int n);
double yen2014_latency(const struct yen2014_coeff *k, const struct sample *s, double miss_before,
                       double miss_now);
double yen2014_pipeline(const struct yen2014_coeff *k, const struct sample *s, double dram_reads,
                        int n);

#endif
