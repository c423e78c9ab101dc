/* program/outcome.h -- what the program's processes recorded, summed up by kernel. */
#ifndef MDP_PROGRAM_OUTCOME_H
#define MDP_PROGRAM_OUTCOME_H

#include "program/plan.h"

struct program_degree { /* a kernel's detailed launches at one n */
    struct run_stats stats;
    double host_seconds;
    int launches;
};

struct program_kernel {
    int process;
    struct record_kernel k;
    uint64_t launches, detailed, repeated, executed;
    uint64_t known;                          /* of the latter two: neither was needed */
    uint64_t ctas, warp_insts, thread_insts; /* of all launches */
    uint64_t cycles;                         /* of all launches, where events have seen them */
    double seconds;                          /* CPU time of executing without timing */
    struct program_degree *at;               /* owned; [n_max + 1] by n */
    bool sampled;
    struct record_sample sample; /* with the totals over launches filled in */
};

struct outcome {
    struct program_kernel *kernel; /* owned; in order of first launch */
    int kernels;
    uint64_t launches, detailed, repeated, known;
    int devices; /* processes that made a CUDA call */
    int faults, refused;
    char fault[1024]; /* the first one's text; of those that are refused, if any is */
};

/* False and e: they are not whole, which only a bug could cause. */
bool outcome_read(const char *records, size_t bytes, struct outcome *out, struct err *e);
void outcome_release(struct outcome *o);

/* What the detailed launches stand for: all launches' thread instructions over theirs. */
double outcome_weight(const struct program_kernel *k, int n);
/* Cycles of all launches at degree n (more than n_max: n_max); 0: never simulated. */
double outcome_cycles(const struct program_kernel *k, int n);

#endif
