/* bench/reference.h -- the reference runs of GPGPU-Sim 3.2.1 (data/reference) and the same
 * runs on our simulator. */
#ifndef MDP_BENCH_REFERENCE_H
#define MDP_BENCH_REFERENCE_H

#include "base/stats.h"
#include "bench/simulate.h"
#include "sim/gpu/gpu_cfg.h"

struct reference { /* one row of results.csv, its launches, and what we measured for it */
    char kernel[32], l2[8], scheduler[8];
    int cores, n, l1d_kb;
    double cycles, thread_insts, warp_insts, ipc, l1d_accesses, l1d_misses, dram_reads;
    double latency; /* mean memory latency, core cycles; 0: not stated */
    double cpu_s;   /* CPU seconds that GPGPU-Sim took */
    int launches;
    double launch_cycles[SIMULATION_LAUNCHES]; /* launches.csv; they add up to `cycles` */
    struct run_stats ours;
    double our_launch_cycles[SIMULATION_LAUNCHES];
    double host_s; /* CPU seconds of our simulation, or of our whole process */
};

/* The rows of results.csv under dir, of one kernel or (NULL) of all. NULL and e: no file or no row.
 */
struct reference *reference_load(const char *dir, const char *kernel, int *count, struct err *e);
/* What the row changes in the configuration that all runs share. */
void reference_cfg(const struct reference *row, struct gpu_cfg *cfg);
/* Rows that differ in n alone. */
bool reference_same_setting(const struct reference *a, const struct reference *b);
/* Simulates rows[0 .. count) on `threads` host threads. */
bool reference_run(const char *dir, const struct gpu_cfg *base, struct reference *rows, int count,
                   int threads, struct err *e);

struct reference_set {     /* what a benchmark's command line asks for */
    const char *dir;       /* REFERENCE_DIR */
    const char *with;      /* the other argument */
    bool each;             /* -r: report every row */
    struct reference *row; /* owned */
    int count;
};

/* The command line of the benchmarks, `[-k KERNEL] [-r] REFERENCE_DIR WITH`: reads it and loads the
 * rows. 0, or the exit code after a message on stderr. */
int reference_open(int argc, char **argv, const char *with, struct reference_set *out);

#endif
