/* cli/search.h -- what `search` and `compare` share: all degrees of a target, as table and chart.
 */
#ifndef MDP_CLI_SEARCH_H
#define MDP_CLI_SEARCH_H

#include "cli/runner.h"

struct search {
    struct run_result *all; /* owned; n = 1 .. n_max */
    int n_max, best;        /* best: index in all of the optimum, by the mean of all runs */
    int least;      /* with fewer CTAs at once a run never ends, and is as it is here; 1: all end */
    double seconds; /* CPU time of `all`, host code and checks included */
    /* --perturbed: as often searched once more, perturbed by some core cycles (gpu_cfg.h) */
    struct perturbed_search {
        int by;
        struct run_result *all; /* owned */
    } * perturbed;              /* owned */
    int perturbations;
};

/* n_max 0: finds the occupancy limit by a functional run first. total_ctas: see run_plan. With
 * --db what is recorded is not run again. */
bool search_run(const struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                int n_max, uint64_t total_ctas, struct search *out, struct err *e);
/* --shard: its part of the runs into --db; on stderr how many. */
bool search_shard(const struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                  struct err *e);
void search_release(struct search *s);
/* Thread instructions of the work, which are those at the largest degree (who waits for others
 * executes more the longer it waits), a cycle: of run i (0: the plain one, then the perturbed
 * ones); over the cycles of all runs. */
double search_run_ipc(const struct search *s, int i, int n);
double search_ipc(const struct search *s, int n);

/* predicted: IPC by n, or NULL; chosen: 0 for none. */
void search_chart(FILE *out, const char *title, const struct search *s, const double *predicted,
                  int chosen);

#endif
