/* sampler/stamp_cache.h -- a replayed core's cache (sim/mem/l1_cache.h): lines, which know the
 * request that is on its way for them, and miss registers. It is asked in the order of time, in
 * core cycles. */
#ifndef MDP_SAMPLER_STAMP_CACHE_H
#define MDP_SAMPLER_STAMP_CACHE_H

#include "base/types.h"
#include "sim/mem/mem_cfg.h"

struct flight; /* of who uses the cache */

struct stamp_mshr {
    cycle_t free;          /* again, from then on; CYCLE_NEVER: its line is on its way */
    addr_t line;           /* + 1; 0: none is on its way */
    struct flight *flight; /* borrowed: the request for it */
    int merged;            /* who waits for it */
};

struct stamp_line {
    addr_t line; /* + 1; 0: none */
    cycle_t used;
    struct stamp_mshr *mshr; /* that has asked for it; NULL: it is filled */
    bool dirty;
};

struct stamp_cache {
    struct stamp_line *way; /* owned */
    uint64_t sets;          /* a power of two, as line is: */
    int line_log2;
    int ways, line, merges, mshrs;
    int filling;             /* miss registers whose lines are on their way */
    bool on_fill;            /* lines are allocated when they are filled, not on a miss */
    struct stamp_mshr *mshr; /* owned */
};

enum stamp_result { STAMP_HIT, STAMP_MERGED, STAMP_MISS };

struct stamp_look { /* what becomes of an access */
    enum stamp_result got;
    /* When the cache takes it; later than it comes: it is refused until then, or (CYCLE_NEVER)
     * until something is filled. */
    cycle_t when;
    struct stamp_line *line; /* that it finds, or that a miss will fill (its old content); NULL:
                                none is allocated yet */
    struct stamp_mshr *mshr; /* of a miss: the register to take; of a merge: that of its line */
};

/* on_fill: as the read-only caches of sim/mem/l1_cache.h. */
void stamp_init(struct stamp_cache *c, const struct cache_cfg *cfg, bool on_fill);
void stamp_fini(struct stamp_cache *c);
/* Every line is gone. */
void stamp_flush(struct stamp_cache *c);
/* Looks up the line of addr at t; changes nothing. */
struct stamp_look stamp_look(const struct stamp_cache *c, addr_t addr, cycle_t t);
/* An access that was taken at t, a hit or a merge. */
void stamp_use(const struct stamp_look *l, cycle_t t);
/* A miss that was taken at t, and is sent for. */
void stamp_miss(struct stamp_cache *c, const struct stamp_look *l, addr_t addr, cycle_t t,
                struct flight *flight);
/* It is back at t; line, mshr: as stamp_look() had them. The register is free when everyone who
 * waited has had their data, one a cycle. */
void stamp_fill(struct stamp_cache *c, struct stamp_line *line, struct stamp_mshr *mshr, cycle_t t);
/* It holds the line of addr, used last at t. */
void stamp_put(const struct stamp_cache *c, addr_t addr, cycle_t t);
/* The line if it is there and filled. */
struct stamp_line *stamp_find(const struct stamp_cache *c, addr_t addr);

#endif
