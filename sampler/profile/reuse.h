/* sampler/profile/reuse.h -- LRU stack distances of a stream of cache lines (Mattson et al. 1970; a
 * tree over time as in Bennett and Kruskal 1975): how many other lines were touched since the
 * line's last access. In a fully associative cache of C lines with LRU, the accesses at distance C
 * and more, and the cold ones, miss. */
#ifndef MDP_SAMPLER_REUSE_H
#define MDP_SAMPLER_REUSE_H

#include "base/types.h"

struct reuse; /* opaque */

struct reuse *reuse_new(void);
void reuse_free(struct reuse *r);

void reuse_load(struct reuse *r, uint64_t line);

uint64_t reuse_cold(const struct reuse *r); /* loads of lines not loaded before */
/* Adds the distances of all other loads to out[BUCKETS] (base/buckets.h). */
void reuse_histogram(const struct reuse *r, double *out);

#endif
