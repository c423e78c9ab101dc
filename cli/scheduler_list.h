/* cli/scheduler_list.h -- the lists of --warp-schedulers and --cta-schedulers, and the combinations
 * of one entry of each.
 *
 *   LIST   ENTRY,ENTRY...
 *   ENTRY  NAME[:PARAMETER=VALUE]...   a scheduler of `list schedulers`, parameters of the GPU
 *          n=K                         static, at most K CTAs a core       (CTA schedulers alone)
 *          optimum                     static, the best of all degrees     (CTA schedulers alone)
 */
#ifndef MDP_CLI_SCHEDULER_LIST_H
#define MDP_CLI_SCHEDULER_LIST_H

#include "base/err.h"
#include "sim/gpu/gpu_cfg.h"

struct scheduler_choice { /* an entry */
    char *text;           /* owned: as it was written, the name of its column */
    int n;                /* 0: as many CTAs as fit */
    bool optimum;
};

struct scheduler_list {
    struct scheduler_choice *one; /* owned */
    int count;
};

struct combination {
    const struct scheduler_choice *warp, *cta; /* borrowed; NULL: that list was not given */
    char *name; /* owned: "lrr", "dyncta", of two lists "lrr/dyncta" */
    struct gpu_cfg cfg;
    char hash[17]; /* of cfg */
};

struct combinations {
    struct scheduler_list warp, cta; /* owned */
    struct combination *one;         /* owned; every warp scheduler with every CTA scheduler */
    int count;
    int baseline; /* index */
};

/* NULL lists: not given (one of them is). cfg: the GPU without them. baseline: the name of a
 * combination, NULL: the first. False and e, with the near names: no such scheduler, parameter or
 * combination, an entry that is empty or there twice, values that contradict each other.
 * combinations_free in any case. */
bool combinations_make(struct combinations *c, const char *warp, const char *cta,
                       const char *baseline, const struct gpu_cfg *cfg, struct err *e);
void combinations_free(struct combinations *c);

/* What the choice of a combination is called: its entry, or the GPU's scheduler. */
const char *combination_warp(const struct combination *c);
const char *combination_cta(const struct combination *c);

#endif
