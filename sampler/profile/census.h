/* sampler/profile/census.h -- what a target launches: its launches in order, put into groups that
 * one sample can stand for, and which launch, which core and which CTAs are looked at for each
 * group.
 */
#ifndef MDP_SAMPLER_CENSUS_H
#define MDP_SAMPLER_CENSUS_H

#include "sampler/profile/launch_group.h"

#define CENSUS_COLD 8 /* of so many launches or fewer the first is a group of its own */

struct launch_seen {
    int group;
    uint64_t ctas, warp_insts, thread_insts;
    uint64_t cta;        /* the one whose warp instructions are nearest to the launch's mean */
    bool uneven;         /* its first CTAs use memory unlike the rest */
    uint64_t most_insts; /* warp instructions of a CTA, at most; of all if that is not known */
};

struct census {
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
#endif
