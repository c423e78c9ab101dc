/* sampler/profile/launch_profile.h -- what a target launches: its launches in order, put into
 * clusters that one sample can stand for; which launch represents each, and which of its CTAs. */
#ifndef MDP_SAMPLER_LAUNCH_PROFILE_H
#define MDP_SAMPLER_LAUNCH_PROFILE_H

#include "sampler/profile/launch_cluster.h"
#include "sampler/profile/launch_facts.h"

struct launch_seen {
    int cluster;
    uint64_t ctas;
    struct launch_facts facts;
};

struct launch_profile {
    struct launch_clusters like;
    struct launch_seen *launch; /* owned */
    int launches;
};

/* The launch has run: what it was. look: what watched it. */
void launch_profile_add(struct launch_profile *c, const struct launch *l,
                        const struct func_counts *n, const struct launch_watch *look);
/* All have run: chooses representatives. */
void launch_profile_close(struct launch_profile *c);
void launch_profile_free(struct launch_profile *c);
/* The cluster that launch i represents; NULL: none. */
const struct launch_cluster *launch_profile_cluster_at(const struct launch_profile *c, int i);

#endif
