/* sampler/profile/memory_use.h -- how a launch uses memory, told from a few of its CTAs, one of
 * each of equal parts of the grid, as they are executed without timing. Launches of the same
 * instructions may touch memory in unlike ways: one reuses a few lines, another strays over
 * megabytes; and so may the parts of one launch. The numbers here tell them apart; they predict
 * nothing. */
#ifndef MDP_SAMPLER_MEMORY_USE_H
#define MDP_SAMPLER_MEMORY_USE_H

#include "sampler/sampling.h"
#include "sampler/window/requests.h"

#define MEMORY_USE_SIZES   8
#define MEMORY_USE_STRIDES 4

/* Transactions for a warp instruction, of one CTA or the mean of several. */
struct memory_use {
    double all, stores;                 /* stores: atomics too */
    double missed[MEMORY_USE_SIZES];    /* by an LRU cache of 4^k lines that nobody else uses */
    double strides[MEMORY_USE_STRIDES]; /* that lie at least 8^k lines from the one before */
    double own; /* lines, x those that the CTAs looked at touch together: 1 if they share none */
};

/* Largest difference of any of these numbers, x the larger `all`; of `own`, x the lesser part of
 * the transactions that miss everywhere. */
double memory_use_difference(const struct memory_use *a, const struct memory_use *b,
                             const struct similarity_params *by);
/* Whether one may stand for the other. */
bool memory_use_similar(const struct memory_use *a, const struct memory_use *b,
                        const struct similarity_params *by);

struct memory_watch; /* opaque */
struct memory_watch *memory_watch_new(const struct gpu_cfg *cfg, uint64_t ctas,
                                      const struct watch_params *by);
/* Looks at by->few of those CTAs, for memory_watch_few_mean() alone. */
struct memory_watch *memory_watch_new_few(const struct gpu_cfg *cfg, uint64_t ctas,
                                          const struct watch_params *by);
void memory_watch_free(struct memory_watch *m);
/* memory_watch_step() is wanted of this CTA; of the others it does nothing. */
bool memory_watch_follows(const struct memory_watch *m, uint64_t cta);
void memory_watch_step(struct memory_watch *m, const struct warp *w, const struct step *st);
/* Mean of all CTAs that were looked at. */
struct memory_use memory_watch_mean(struct memory_watch *m);
/* Mean of the few that a glance looks at: to be compared with the same of a launch with as many
 * CTAs. */
struct memory_use memory_watch_few_mean(const struct memory_watch *m);

/* Whether the first CTAs of the grid, similarity.first_from to first_to of sampling.h, use memory
 * unlike the rest. NULL: nobody has looked; false. */
bool memory_watch_uneven(struct memory_watch *m, const struct similarity_params *by);

#endif
