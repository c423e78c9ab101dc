/* fitter/store/profile.h -- the profile database: what full runs and samples measured, a row a
 * kernel. Nothing else sees SQLite.
 *
 * A degree may be run several times, perturbed: every memory partition takes a few core cycles more
 * or less, which means nothing to a program. What degrees still differ by is the degrees', what
 * runs of one degree differ by is chance (Alameldeen and Wood, "Variability in architectural
 * simulations of multi-threaded workloads", HPCA 2003).
 *
 *   config   hash, text: the whole GPU configuration, as params_dump writes it
 *   run      PROFILE_INPUT, n (as asked for), perturbation, PROFILE_KERNEL, PROFILE_COUNTERS
 *   sample   PROFILE_INPUT, kernel, every field of a sample (model/sample.h); lists as text
 *   price    PROFILE_INPUT, every PROFILE_PRICE: CPU time, one row an application in one setting
 *   result   of `search`: results.h
 *
 * What belongs to one run is recorded in one transaction, when it has finished: a process that is
 * killed loses what was under way, nothing else. Prices and the samples' pilot_seconds depend on
 * the host and its load; nothing else does. A connection is used by one thread at a time; several
 * processes may fill one file. */
#ifndef MDP_FITTER_STORE_PROFILE_H
#define MDP_FITTER_STORE_PROFILE_H

#include <stdio.h>

#include "base/err.h"
#include "base/stats.h"
#include "model/sample.h"

#define PROFILE_SCHEMA 8

#define PROFILE_PERTURBATION 31 /* core cycles, the most, either way */

/* What was simulated, and on what. field, C type, SQL type, meaning; config, target, seed,
 * numbering and warps, with n and the kernel, name a row. */
#define PROFILE_INPUT(X)                                                     \
    X(config, const char *, TEXT, "hash of the GPU configuration")           \
    X(gpu, const char *, TEXT, "its name")                                   \
    X(l1d_bytes, int64_t, INTEGER, "its L1D's capacity; 0: none")            \
    X(target, const char *, TEXT, "workload and size")                       \
    X(seed, int64_t, INTEGER, "of the workload's input")                     \
    X(numbering, const char *, TEXT, "of its nodes or atoms")                \
    X(warps, int64_t, INTEGER, "a CTA, as asked for; 0: the workload's own") \
    X(revision, const char *, TEXT, "of the simulator's source")
struct profile_input {
#define X(field, ctype, sql, help) ctype field;
    PROFILE_INPUT(X)
#undef X
};

/* A distinct kernel of a run, summed over its launches; n: as simulated. */
#define PROFILE_KERNEL(X)         \
    X(kernel, const char *, TEXT) \
    X(launches, int64_t, INTEGER) \
    X(kernel_n, int64_t, INTEGER) \
    X(n_max, int64_t, INTEGER)
struct profile_kernel {
#define X(field, ctype, sql) ctype field;
    PROFILE_KERNEL(X)
#undef X
    struct run_stats stats; /* of it, PROFILE_COUNTERS are kept; the others are read as 0 */
};
/* What models, fits and tables read of a run: rows stay good when other counters come or change. */
#define PROFILE_COUNTERS(X) \
    X(cycles)               \
    X(warp_insts)           \
    X(thread_insts)         \
    X(ctas)                 \
    X(cta_cycles_sum)       \
    X(l1d_accesses)         \
    X(l1d_misses)           \
    X(dram_reads)           \
    X(mf_latency_sum)       \
    X(mf_latency_count)

/* CPU seconds of one thread, all measured one after the other by one process, so that they can be
 * compared with each other and with the sample's pilot_seconds. On another host they are others. */
#define PROFILE_PRICE(X)                                                                         \
    X(functional_seconds, "executing the program without timing, once; the launch profile; and " \
                          "all else that a sample needs beside windows and pilots")              \
    X(window_seconds, "windows: simulating single CTAs and executing a few of them")             \
    X(simulation_seconds, "one simulation of the whole program at the default degree")           \
    X(search_seconds, "one simulation at every degree; 0: not measured")
struct profile_price {
#define X(field, help) double field;
    PROFILE_PRICE(X)
#undef X
};

/* Which run of an input. */
struct profile_run {
    int n;            /* as asked for */
    int perturbation; /* core cycles by which the partitions' rop_latency is longer; 0: the GPU's */
};

struct profile;
struct csv_table;

/* Opens the file or, with create, makes it; NULL: none, it is in memory. NULL and e: it can't be
 * read, is no profile database, or its schema is another. */
struct profile *profile_open(const char *path, bool create, struct err *e);
void profile_close(struct profile *p); /* NULL is fine */

/* *out: that run of `in` is recorded (run.n = 0: its sample is). */
bool profile_has(struct profile *p, const struct profile_input *in, struct profile_run run,
                 bool *out, struct err *e);
/* Over the kernels of the recorded sample: the largest n_max, the warp instructions of a full run;
 * 0 when no sample is recorded. */
bool profile_limits(struct profile *p, const struct profile_input *in, int *n_max,
                    double *warp_insts, struct err *e);

/* text: the whole configuration. Recorded once for each hash. */
bool profile_add_config(struct profile *p, const char *hash, const char *text, struct err *e);
/* Replaces what is there. */
bool profile_add_run(struct profile *p, const struct profile_input *in, struct profile_run run,
                     const struct profile_kernel *kernel, int kernels, struct err *e);
bool profile_add_sample(struct profile *p, const struct profile_input *in,
                        const struct sample *kernel, int kernels, struct err *e);

/* Replaces what is there. */
bool profile_add_price(struct profile *p, const struct profile_input *in,
                       const struct profile_price *price, struct err *e);
bool profile_has_price(struct profile *p, const struct profile_input *in, bool *out, struct err *e);
/* Of a price that is recorded; without one nothing happens. */
bool profile_set_search_seconds(struct profile *p, const struct profile_input *in, double seconds,
                                struct err *e);

/* Who looks at what is recorded. What he is given lives until he returns. */
struct profile_visitor {
    void (*sample)(void *user, const struct profile_input *in, const struct sample *s);
    void (*run)(void *user, const struct profile_input *in, struct profile_run run,
                const struct profile_kernel *k);
    void (*price)(void *user, const struct profile_input *in, const struct profile_price *p);
    void *user;
};
/* Every recorded sample, in the order of an export, and after each kernel's first, unless v->run is
 * NULL, that kernel's runs, n ascending, of each n the perturbation. */
bool profile_walk(struct profile *p, const struct profile_visitor *v, struct err *e);
/* Every recorded run, in the order of an export: a kernel after the other of each n. */
bool profile_walk_runs(struct profile *p, const struct profile_visitor *v, struct err *e);
/* Every recorded price, in the order of an export. */
bool profile_walk_prices(struct profile *p, const struct profile_visitor *v, struct err *e);

enum profile_table { PROFILE_RUNS, PROFILE_SAMPLES, PROFILE_PRICES };
#define PROFILE_TABLES 3
/* "runs", "samples", "prices". */
bool profile_table_find(const char *name, enum profile_table *out, struct err *e);
/* CSV, a heading first, sorted by what names a row: the same contents give the same bytes. */
bool profile_export(struct profile *p, enum profile_table t, FILE *out, struct err *e);
/* The other way: all rows of such a file or, after an error, none. A row that is there already is
 * replaced. The texts of configurations are no part of it: what is run later records them. */
bool profile_import(struct profile *p, enum profile_table t, const char *path, struct err *e);
/* The same of a file that was read. */
bool profile_import_table(struct profile *p, enum profile_table t, const struct csv_table *csv,
                          struct err *e);
/* A profile in memory, of FOLDER/runs.csv, FOLDER/samples.csv and, if it is there,
 * FOLDER/prices.csv. */
struct profile *profile_open_csv(const char *folder, struct err *e);

#endif
