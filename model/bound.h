/* model/bound.h -- what bounds a launch with n CTAs at once on each core: the names that all models
 * share. */
#ifndef MDP_MODEL_BOUND_H
#define MDP_MODEL_BOUND_H

#define BOUNDS(X)                 \
    X(UNKNOWN, "not known")       \
    X(ISSUE, "issue")             \
    X(UNITS, "execution units")   \
    X(PORT, "LD/ST unit")         \
    X(FETCH, "instruction cache") \
    X(DRAM, "DRAM bandwidth")     \
    X(NETWORK, "network")         \
    X(THRASH, "L1D thrash")       \
    X(LATENCY, "latency")         \
    X(GRID, "grid")               \
    X(LONGEST, "longest CTA")     \
    X(WAITING, "CTAs that wait")  \
    X(NEVER_ENDS, "never ends")   \
    X(CANNOT_WIN, "cannot win")

enum bound {
#define X(name, text) BOUND_##name,
    BOUNDS(X)
#undef X
        BOUND_COUNT
};

const char *bound_name(enum bound b);

#endif
