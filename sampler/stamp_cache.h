/* sampler/stamp_cache.h -- a replayed core's cache: lines and miss registers that know when they
 * are filled and free. Times are core cycles, as real numbers. */
#ifndef MDP_SAMPLER_STAMP_CACHE_H
#define MDP_SAMPLER_STAMP_CACHE_H

#include "base/types.h"
#include "sampler/never.h"
#include "sim/mem/mem_cfg.h"

struct flight; /* of who uses the cache */

struct stamp_line {
    addr_t line; /* + 1; 0: none */
    double used, fill;
    struct flight *flight; /* borrowed: the request that fills it, while fill is not known */
    int merged;
    bool dirty;
};

struct stamp_cache {
    struct stamp_line *way; /* owned */
    uint64_t sets;
    int ways, line, merges, mshrs;
    double *mshr; /* owned: when each is free again */
};

enum stamp_result { STAMP_HIT, STAMP_MERGED, STAMP_MISS };

struct stamp_look { /* what becomes of an access */
    enum stamp_result got;
    /* When the cache takes it; later than it comes: nothing is known but that it is refused until
     * then, or until something is filled (REPLAY_NEVER). */
    double when;
    struct stamp_line *line; /* that it finds, or that a miss will fill (its old content) */
    double *mshr;            /* of a miss: the register to take */
};

void stamp_init(struct stamp_cache *c, const struct cache_cfg *cfg);
void stamp_fini(struct stamp_cache *c);
/* Every line is gone. */
void stamp_flush(struct stamp_cache *c);
/* Looks up the line of addr at t; changes nothing. */
struct stamp_look stamp_look(const struct stamp_cache *c, addr_t addr, double t);
/* An access that was taken at t, a hit or a merge. */
void stamp_use(const struct stamp_look *l, double t);
/* A miss that was taken at t; fill: when the line is filled, REPLAY_NEVER: not
 * known yet; who sends for it sets it, and *l->mshr, later. */
void stamp_miss(const struct stamp_cache *c, const struct stamp_look *l, addr_t addr, double t,
                double fill);
/* The line if it is there and filled at t. */
struct stamp_line *stamp_find(const struct stamp_cache *c, addr_t addr, double t);

#endif
