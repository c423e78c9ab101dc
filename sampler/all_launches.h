/* sampler/all_launches.h -- a program that is short enough is replayed from its first launch to its
 * last: all CTAs of all launches, in order, on all cores, so that each launch finds caches, DRAM
 * and the next core in turn as the launch before left them. The shorter the program, the more of
 * its time is chance: it is replayed again, perturbed, where it is fastest, and means are taken. */
#ifndef MDP_SAMPLER_ALL_LAUNCHES_H
#define MDP_SAMPLER_ALL_LAUNCHES_H

#include "sampler/replayed.h"

struct all_launches {
    const struct gpu_cfg *cfg; /* borrowed */
    struct traced_launch {
        struct trace trace;
        int group; /* of like launches */
    } * launch;    /* owned, [launches], in order */
    int launches;
    bool (*progress)(void *user, double fraction); /* of the replays; false: stop; NULL is fine */
    void *user;
    int jobs; /* host threads of the replays; 0: one. progress() is called from any, one at a time
               */
    /* What it cost: added to. */
    uint64_t insts; /* warp instructions replayed */
    double seconds; /* CPU time, of all threads */
};

/* Rounds of a launch's CTAs, x cores: what recording them takes memory for. */
uint64_t all_launches_places(const struct gpu_cfg *cfg, uint64_t ctas);
/* Whether a program of so many warp instructions and places is replayed from end to end. */
bool all_launches_fit(uint64_t warp_insts, uint64_t places);
/* Of so many launches, none of which is traced yet. */
void all_launches_init(struct all_launches *w, const struct gpu_cfg *cfg, int launches);
void all_launches_fini(struct all_launches *w);
/* What launch i, of a group, is to be traced into while it is executed. */
struct trace *all_launches_trace(struct all_launches *w, int i, const struct launch *l, int group);
/* All launches are traced, and their kernels still there: fills each group's replay_*
 * but replay_alone, at all degrees of the kernel that has room for most CTAs. A
 * kernel with less room has as many as fit, but finds what the others left. False: progress() said
 * so. */
bool all_launches_replay(struct all_launches *w, struct sample *kernel, int groups, struct err *e);

#endif
