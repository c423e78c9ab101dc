/* sim/mem/tex_cache.h -- a core's texture cache: tags that run ahead of the data (Igehy, Eldridge,
 * Proudfoot: Prefetching in a Texture Cache Architecture, 1998), as GPGPU-Sim 3.2.1 has it.
 *
 *   access ─> tags ─┬─> fragment FIFO ────────────────> result FIFO ─> write-back
 *                   └─> request FIFO ─> port ─> ... ─> reorder buffer
 *
 * An access looks up the tags at once and a line that misses counts as present from then on: its
 * request goes out, and the access queues behind those before it. The head of the fragment FIFO
 * leaves, one a cycle, when its line is there: at once for a hit (a line that was asked for earlier
 * has arrived, since whoever asked stood in front), with the reply for a miss. Results therefore
 * come in order, whatever order replies have. Read-only; nothing merges: there are no MSHRs. Not
 * modelled: the filter's own throughput, compressed formats. */
#ifndef MDP_SIM_MEM_TEX_CACHE_H
#define MDP_SIM_MEM_TEX_CACHE_H

#include "base/stats.h"
#include "sim/mem/l1_cache.h"

struct tex_cache; /* opaque */

struct tex_env { /* borrowed */
    const struct tex_cache_cfg *cfg;
    const struct addrmap *map;
    struct req_pool *pool;
    struct mem_port port;
    int core;
};

struct tex_cache *tex_new(const struct tex_env *env);
void tex_free(struct tex_cache *c); /* NULL is fine */
/* One line, or part of one. False: refused, since the fragment FIFO is full, or a miss may not find
 * room for its request; counted, try again. token comes back from tex_take. */
bool tex_access(struct tex_cache *c, addr_t addr, int32_t warp, int32_t token, cycle_t now);
/* n more refusals like the last, for a core that slept while nothing could change. */
void tex_repeat_refusal(struct tex_cache *c, uint64_t n);
/* Sends a request if the port takes it, then moves one fragment to the result FIFO if its line is
 * there and the FIFO has room. */
void tex_cycle(struct tex_cache *c, cycle_t now);
void tex_fill(struct tex_cache *c, struct mem_req *r); /* the reply; goes back to the pool */
bool tex_ready(const struct tex_cache *c);             /* a result waits */
int32_t tex_take(struct tex_cache *c);                 /* its token */
/* First cycle in which tex_cycle would do anything; 0: the next; CYCLE_NEVER: not before a reply.
 */
cycle_t tex_next(const struct tex_cache *c);
bool tex_busy(const struct tex_cache *c); /* anything is inside */
void tex_flush(struct tex_cache *c);      /* forgets all lines; nothing is inside */
void tex_copy(struct tex_cache *to, const struct tex_cache *from); /* tags_copy() */
void tex_stats(struct tex_cache *c, struct run_stats *add); /* adds the counters, clears them */

#endif
