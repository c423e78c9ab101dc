/* sim/mem/l2.h -- the L2 slice of one partition: write back, write allocate, allocate on miss.
 *
 *   access -> HIT: the caller replies | TAKEN: -> MSHRs -> miss queue -> to DRAM | REFUSED
 *   fill   -> next_ready, one waiting request a call
 *
 * As in GPGPU-Sim 3.2.1 a store that misses is written through (its acknowledgement comes from
 * DRAM) and the line is read as well; a store that hits marks the line modified. An atomic marks
 * the line modified when it hits or its line arrives. Not modelled: data port width, banks. */
#ifndef MDP_SIM_MEM_L2_H
#define MDP_SIM_MEM_L2_H

#include "base/stats.h"
#include "sim/mem/mem_cfg.h"
#include "sim/mem/req.h"

struct l2; /* opaque */

struct warm;

enum l2_result { L2_HIT, L2_TAKEN, L2_REFUSED };

/* map: of the whole memory (a dirty line's channel address has to be found again). */
struct addrmap;
struct l2 *l2_new(const struct cache_cfg *cfg, const struct addrmap *map, struct req_pool *pool);
void l2_free(struct l2 *c); /* NULL is fine */
enum l2_result l2_access(struct l2 *c, struct mem_req *r, cycle_t now);
struct mem_req *l2_to_dram(const struct l2 *c); /* head of the miss queue, or NULL */
void l2_to_dram_pop(struct l2 *c);
bool l2_waits_for(const struct l2 *c, const struct mem_req *r); /* r is a read this slice sent */
void l2_fill(struct l2 *c, struct mem_req *r);
bool l2_ready(const struct l2 *c);
/* NULL: none. A REQ_L2_FILL (the read of a store that missed) is not for anybody: free it. */
struct mem_req *l2_next_ready(struct l2 *c);
/* From now on it holds these, too (warm.h); NULL: no others. Borrowed. */
void l2_warm(struct l2 *c, struct warm *w);
void l2_copy(struct l2 *to, const struct l2 *from); /* tags_copy() */
void l2_flush(struct l2 *c); /* invalidates; dirty lines are dropped, as GPGPU-Sim does */
void l2_stats(struct l2 *c, struct run_stats *add);

#endif
