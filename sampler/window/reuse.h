/* sampler/window/reuse.h -- LRU stack distances of a stream of cache lines, for several numbers of
 * sets at once (Mattson et al. 1970; a tree over time as in Bennett and Kruskal 1975): how many
 * other lines of the same set were touched since the line's last access. With S sets of W ways and
 * LRU, the accesses at distance W and more, and the cold ones, miss. */
#ifndef MDP_SAMPLER_REUSE_H
#define MDP_SAMPLER_REUSE_H

#include "base/types.h"

/* Distinct lines that are followed; the stream ends at the next one (reuse_accesses() says where),
 * so that no CTA takes more than some 60 MB. */
#define REUSE_MAX_LINES (1u << 18)

struct reuse; /* opaque */

/* sets: powers of two; a line's set is its lowest bits. */
struct reuse *reuse_new(const uint32_t *sets, int n);
void reuse_free(struct reuse *r);

void reuse_load(struct reuse *r, uint64_t line);
void reuse_update(struct reuse *r,
                  uint64_t line);                 /* an access if the line is there, else nothing */
void reuse_evict(struct reuse *r, uint64_t line); /* the line leaves: its next load is cold */

uint64_t reuse_accesses(const struct reuse *r); /* loads, and updates of lines that were there */
uint64_t reuse_cold(const struct reuse *r);     /* of these, loads of lines that were not there */
uint64_t reuse_lines(const struct reuse *r);    /* distinct lines loaded */
uint64_t reuse_again(const struct reuse *r);    /* of these, lines accessed more than once */
/* Adds the i-th number of sets' distances, without the cold ones, to out[BUCKETS] (base/buckets.h).
 */
void reuse_histogram(const struct reuse *r, int i, double *out);

#endif
