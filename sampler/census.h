/* sampler/census.h -- what a target launches: its launches in order, put into groups that one
 * sample can stand for, and which launch, which core and which CTAs are looked at for each group.
 */
#ifndef MDP_SAMPLER_CENSUS_H
#define MDP_SAMPLER_CENSUS_H

#include "sampler/launch_group.h"

#define CENSUS_COLD 8 /* of so many launches or fewer the first is a group of its own */

struct launch_seen {
    int group;
    uint64_t ctas, warp_insts, thread_insts;
    uint64_t cta;        /* the one whose warp instructions are nearest to the launch's mean */
    uint64_t most_insts; /* warp instructions of a CTA, at most; of all if that is not known */
    int core;            /* whose CTAs stand for those of all cores */
    int last_core;       /* that got the last CTA before this launch */
    int parts; /* that use memory in unlike ways, one after the other in the grid; of a launch that
                  is replayed whole: 1 */
    uint64_t cut[MEMORY_PARTS]; /* the first CTA of each */
};

struct census {
    int cores;
    struct launch_group *group; /* owned */
    int groups;
    struct launch_seen *launch; /* owned */
    int launches;
};

/* The launch has run: what it was. cta_insts: warp instructions of each CTA; memory: what watched
 * it; NULL: not known. */
void census_add(struct census *c, const struct launch *l, const struct func_counts *n,
                const uint64_t *cta_insts, struct memory_watch *memory);
/* All have run: picks. */
void census_close(struct census *c);
void census_free(struct census *c);
/* The group that launch i stands for; NULL: none. */
const struct launch_group *census_group_at(const struct census *c, int i);
/* Of launch i and those right before it, whose lines L1s may still hold (as many as do the same
 * work together): CTAs of the largest. */
uint64_t census_most_ctas(const struct census *c, int i);
/* The first CTA of launch i that `core` gets, where the round goes on from the launch before. */
uint64_t census_first_cta(const struct census *c, int i, int core);

#endif
