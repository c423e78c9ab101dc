/* model/bottleneck.h -- IPC against n in closed form, from one CTA's window and from a few CTAs
 * that were executed without timing (sampler/window/interleave.h).
 *
 *   demands   cycles for which one CTA takes each resource: issue slots, arithmetic units, LD/ST
 *             unit, MSHRs, fetching code that L1I lost; and, shared by all cores, DRAM's buses and
 *             banks, L2 and the network. What buses, L2 and network deliver, and what a load
 *             alone takes, is measured (sampler/window/memory_rates.h); what banks do follows from
 *             addresses (sampler/profile/bank_use.h). Reads follow from the L1D misses with n at
 *             once; with an L2 they are of lines that no other CTA of the core has loaded
 *   alone(n)  a CTA's time without others: the window's, less what cold caches cost it there: of
 *             the lines of code that it fetches, those that a CTA among others does not; what it
 *             waits for memory grows with its misses. What its warps wait at barriers is in it
 *   both(n)   (sum of (m demand)^sum_power)^(1 / sum_power), m of n at once: resources overlap
 *   time(n)   (alone^time_power + both^time_power)^(1 / time_power): the larger bounds, and near
 *             each other they delay each other
 *   launch    whole rounds of n CTAs where these are few, else as many as the core's share has; no
 *             less than its longest CTA, which begins with its round and alone takes longer as it
 *             has more instructions
 *
 * Every coefficient is a ratio: of rates and latencies that are measured on the GPU, or of times. A
 * GPU that no fit has seen needs no applications.
 *
 * Not modelled: what many CTAs that ask one partition at once keep waiting on the way there;
 * requests of less than a line of L1D, which take less of DRAM; what the launch before has left in
 * L1D. A GPU of few MSHRs has these in its measured rates, too. */
#ifndef MDP_MODEL_BOTTLENECK_H
#define MDP_MODEL_BOTTLENECK_H

#include "model/model.h"

/* field, type, min, max, default, unit, help. Defaults: where a fit begins. */
#define BOTTLENECK_COEFFS(X)                                                                       \
    X(time_power, REAL, 1, 12, 2.4, "", "power mean of a CTA's own time and of what all ask for")  \
    X(sum_power, REAL, 1, 12, 3.5, "", "the same of the resources' demands")                       \
    X(cold_data, REAL, 0, 40, 1.2, "x latency", "of a window's time, waiting for cold data")       \
    X(by_misses, REAL, 0, 3, 0.4, "log/log", "slope of a CTA's own memory time over its misses")   \
    X(fetch, REAL, 0, 10, 0.2, "x latency", "demand of a line of code that misses in L1I")         \
    X(reads, REAL, 0.2, 10, 1, "x", "demand on DRAM, of what a stream of reads takes")             \
    X(writes, REAL, 0, 10, 0.8, "x", "demand on DRAM of a store, in such reads")                   \
    X(held, REAL, 0, 10, 1.4, "x latency", "for which a miss holds an MSHR")                       \
    X(wave, REAL, 0, 1, 0.6, "ratio", "of a round's end that is a wait for all: each round again") \
    X(start, REAL, 0, 10, 2, "x latency", "before and behind a launch's CTAs")                     \
    X(margin, REAL, 0, 1, 0.04, "ratio",                                                           \
      "gain over the largest degree for which another is chosen")                                  \
    X(error, REAL, 0, 2, 0.2, "log", "standard deviation of the logarithm of a predicted IPC")     \
    X(error_correlation, REAL, 0, 1, 0.5, "ratio", "of that error, what the next degrees share")   \
    X(correlation_length, REAL, 0.01, 10, 1, "log",                                                \
      "over which that falls to 1 / e: of the ratio of two degrees")

PARAM_STRUCT(bottleneck_coeff, BOTTLENECK_COEFFS);

extern const struct model_ops model_bottleneck;

/* Cycles for which a CTA takes each resource, n at once. */
enum resource {
    RES_ISSUE,
    RES_UNITS,
    RES_PORT,
    RES_FETCH,
    RES_DRAM,
    RES_L2,
    RES_BANKS,
    RES_MSHRS,
    RES_COUNT
};
struct bottleneck_point {
    double m;                 /* CTAs that are at once on a core that has work */
    double misses, reads;     /* of a CTA: L1D's; DRAM reads */
    double demand[RES_COUNT]; /* of one CTA */
    double alone, time;       /* of a CTA: without others; with m at once */
    double own, both;         /* powers of alone, and of what all resources take of one CTA */
    double launch;            /* cycles */
    bool longest;             /* ... of its longest CTA, which bounds it */
};
struct bottleneck_point bottleneck_at(const struct bottleneck_coeff *k, const struct sample *s,
                                      int n);

#endif
