/* sampler/project.h -- what many CTAs of a core, and then a launch, would do: traces replayed at
 * every degree, and dealt to all cores (deal.h). */
#ifndef MDP_SAMPLER_PROJECT_H
#define MDP_SAMPLER_PROJECT_H

#include "model/sample.h"
#include "sampler/code_seen.h"
#include "sampler/replay.h"

struct projection {
    const struct gpu_cfg *cfg;    /* borrowed */
    const struct trace *trace;    /* borrowed: of a launch, or of a part of one */
    const struct l2_state *l2;    /* borrowed; as it finds L2; NULL: empty */
    const struct l1_state *l1;    /* [L1_STATES]: the same of L1s */
    const struct code_seen *code; /* [L1_STATES], borrowed: before it; NULL: nothing */
    int core;                     /* of `code` and `l1`, that core 0 of the trace is */
    uint64_t most_ctas;  /* of one of the launches that `l1` is of; where a core has room for its
                            share of them they were dealt round */
    double launch_insts; /* warp instructions of a mean launch like the last one; 0: as its own */
    int jobs;            /* host threads; 0: one */
    /* what it cost: added to */
    uint64_t insts; /* replayed */
    double seconds; /* CPU time, of all threads */
};

/* Fills d's replay_* up to d's n_max. Launches of more or fewer
 * instructions than the one replayed take in proportion. */
void project(struct projection *p, struct sample *d);

/* Fills replay_alone alone: of CTA 0 of core 0, with cold caches. */
void project_alone(struct projection *p, struct sample *d);
/* r, of t's CTAs as they are recorded, as of the whole CTAs. */
void project_uncut(const struct trace *t, struct replay_result *r);

/* What is worth tracing of a launch, or of its CTAs from..to - 1 (to 0: of all), whose CTA `first`,
 * counted from `from` on, is the first one of core 0: the middle ones, or all if it is whole. */
struct project_extent {
    uint64_t from, to, first;
    double cta_insts; /* warp instructions of a CTA, mean */
    bool whole;       /* to be replayed whole */
};

/* A launch of so many warp instructions is traced and replayed whole. */
bool project_whole(double warp_insts);
void project_trace(struct trace *t, const struct gpu_cfg *cfg, const struct launch *l,
                   struct project_extent x);
/* A launch by itself, of whose CTAs each has about cta_insts warp instructions: executes it (memory
 * is changed), at most max_warp_insts, and projects. Costs are added to p, whose traces are not
 * looked at; *executed: warp instructions, added to. */
bool project_launch(struct projection *p, struct launch *l, double cta_insts,
                    uint64_t max_warp_insts, uint64_t *executed, struct sample *d, struct err *e);

#endif
