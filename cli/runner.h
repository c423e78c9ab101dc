/* cli/runner.h -- simulates a target at one degree, or at all of them on a pool of threads. */
#ifndef MDP_CLI_RUNNER_H
#define MDP_CLI_RUNNER_H

#include "base/stats.h"
#include "cli/hot_spots.h"
#include "cli/intervals.h"
#include "cli/output.h"
#include "cli/set_degree.h"
#include "sim/frontend/target.h"
#include "sim/gpu/gpu.h"

struct launch_result {
    char *kernel;              /* owned */
    int n;                     /* simulated CTAs a core */
    int block[3];              /* threads of a CTA */
    struct cta_resources uses; /* with the occupancy limit and what sets it */
    struct run_stats stats;    /* functional: warp_insts, thread_insts and ctas only */
    double host_seconds;
    const char *note; /* gpu_note(); NULL: nothing */
};

struct run_result {
    int n, n_max; /* as asked for, but at most n_max; largest limit of its kernels */
    int least; /* of a search: with fewer at once it never ends, and is as it is here; 0: it does */
    bool never_ends; /* of a simulation that failed: its CTAs wait for ever, with n at once */
    struct run_stats total;       /* over launches */
    struct sched_counts sched;    /* the warp scheduler's own */
    double host_seconds;          /* CPU time of the launches alone */
    double seconds;               /* ... of everything: host code and checks too */
    struct launch_result *launch; /* owned; in order of launch */
    int launches;
    struct run_stats *core; /* owned; NULL: not asked for; over launches, by core */
    int cores;
};

struct run_plan {
    const struct target *target;
    const struct gpu_cfg *cfg;
    int n; /* 0: the occupancy limit */
    bool functional;
    uint64_t max_cycles;
    FILE *kernel_output; /* what kernels print; borrowed */
    uint64_t total_ctas; /* of all launches, for progress; 0: unknown */
    /* Now and then: the fraction done of all launches, or, when their CTAs are unknown, of the
     * running one. False: stop. NULL is fine. */
    bool (*progress)(void *user, double fraction);
    void *user;
    bool per_core;
    bool partial;                /* what was measured before a failure is kept */
    struct intervals *intervals; /* borrowed; NULL: nobody asks */
    struct hot_spots *hot;       /* likewise */
    struct races *races;         /* likewise */
};

struct result_store; /* cli/result_store.h */

/* Results are verified too. False and e: a fault, a failed check, no CTA fits; *out is empty then
 * but for never_ends, unless p->partial. */
bool runner_run(const struct run_plan *p, struct run_result *out, struct err *e);
void run_result_release(struct run_result *r);
void run_result_copy(struct run_result *to, const struct run_result *from);

/* Runs n = 1 .. n_max, `jobs` at a time, and puts what ends with the fewest CTAs at once in place
 * of what never ends; p->n and p->progress are not used; progress goes to stderr. Results are those
 * of runner_run whatever `jobs` is. With a store what it has is read, and what runs is recorded.
 * *out: array of n_max, by n; free with runner_release. */
bool runner_search(const struct run_plan *p, int n_max, int jobs, struct result_store *store,
                   struct run_result **out, struct err *e);
void runner_release(struct run_result *all, int count);

/* What the warp scheduler has to say of the kernels, once for each, to stderr. */
void runner_notes(const struct run_result *r);

/* The fields of a result into an object that is open in out, with its "kernels". gpu: its name. */
void runner_output(struct output *out, const char *gpu, const struct run_plan *p,
                   const struct run_result *r);

/* Every counter and rate, into an object that is open. */
void runner_output_stats(struct output *out, const struct run_stats *s);

#endif
