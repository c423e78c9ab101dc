/* sim/mem/l1_cache.h -- a core's cache: L1D (writes allowed), or a read-only cache (instructions,
 * constants and parameters). Textures have one of their own kind: tex_cache.h.
 *
 *   access -> tags -> MSHRs -> miss queue -> port (one request a cycle)
 *   fill   -> line valid, MSHR entry ready -> next_ready, one waiting request a call
 *
 * L1D allocates on a miss: the line is reserved, and cannot be replaced, until it is filled. A
 * global store goes out and invalidates the line it hits; a local store marks a line it hits
 * modified, and goes out when it misses. Read-only caches allocate when the line arrives. Requests
 * are made and owned by the cache; a hit makes none. Invariant: a line has at most one MSHR entry.
 * Not modelled: latency of the tag lookup (the core adds cache_cfg.hit_latency). */
#ifndef MDP_SIM_MEM_L1_CACHE_H
#define MDP_SIM_MEM_L1_CACHE_H

#include "base/stats.h"
#include "sim/mem/addrmap.h"
#include "sim/mem/mem_cfg.h"
#include "sim/mem/req.h"

struct l1_cache; /* opaque */

enum l1_role { L1_ROLE_DATA, L1_ROLE_INST, L1_ROLE_CONST };

/* How a cache sends: false when there is no room now (the cache tries again next cycle). The port
 * fills flits and takes the request; partition, bank and row are set already. */
struct mem_port {
    void *ctx;
    bool (*push)(void *ctx, struct mem_req *r, cycle_t now);
};

/* What a load did, for who listens. */
enum l1_event { L1_EVENT_HIT, L1_EVENT_MISS /* merges too */, L1_EVENT_EVICT };

struct l1_env { /* borrowed */
    const struct cache_cfg *cfg;
    const struct addrmap *map;
    struct req_pool *pool;
    struct mem_port port;
    int core;
    /* Called with each load that is not refused, and with each line that one of them replaces:
     * then the warp is the one that had brought the line. NULL: nobody listens. */
    void (*event)(void *ctx, int warp, enum l1_event what, addr_t line);
    void *event_ctx;
};

struct l1_access { /* one transaction of a warp instruction */
    addr_t addr;   /* first byte; inside one line together with bytes */
    uint32_t bytes;
    uint8_t kind; /* enum req_kind: GLOBAL_*, LOCAL_*, CONST_READ, INST_READ */
    bool write;
    int32_t warp, token; /* handed back in the ready request (and in a store's acknowledgement) */
};

enum l1_result {
    L1_HIT,    /* data (or, for a local store, the write) is done; nothing will come back */
    L1_MERGED, /* joins a line on its way: comes back through l1_next_ready */
    L1_MISS,   /* read sent: comes back through l1_next_ready */
    L1_STORED, /* store went to the miss queue; an acknowledgement packet will come back to the core
                */
    L1_FAIL_LINE,  /* refused, try again: every line of the set is reserved */
    L1_FAIL_MSHR,  /* ... no MSHR entry is free */
    L1_FAIL_MERGE, /* ... the entry has no merge left */
    L1_FAIL_QUEUE, /* ... the miss queue is full (loads want two free places: a dirty line may
                      leave) */
};
static inline bool l1_refused(enum l1_result r)
{
    return r >= L1_FAIL_LINE;
}

struct l1_cache *l1_new(const struct l1_env *env, enum l1_role role);
void l1_free(struct l1_cache *c);
enum l1_result l1_access(struct l1_cache *c, const struct l1_access *a, cycle_t now);
/* Reads the line of an address ahead if it is neither there nor on its way, and an MSHR and a place
 * in the miss queue are free. Comes back through l1_next_ready, warp and token -1; counted by the
 * caller. Read-only caches. */
bool l1_prefetch(struct l1_cache *c, addr_t addr, cycle_t now);
/* Counts n more refusals like the last one, for a core that slept while nothing could change. */
void l1_repeat_refusal(struct l1_cache *c, enum l1_result r, uint64_t n);
/* Sends the head of the miss queue if the port takes it; at most one a call. False: nothing to
 * send, or no room. */
bool l1_cycle(struct l1_cache *c, cycle_t now);
bool l1_miss_queue_empty(const struct l1_cache *c);
/* The reply to a read this cache sent. It is kept, and comes out of l1_next_ready. */
void l1_fill(struct l1_cache *c, struct mem_req *r, cycle_t now);
bool l1_has_ready(const struct l1_cache *c);
/* Takes one completed read, oldest fill first, the sender before those merged into it (stamps of a
 * merged one: only STAGE_CREATED). NULL: none. The caller owns it and gives it back to the pool. */
struct mem_req *l1_next_ready(struct l1_cache *c);
/* Moves on whenever an access that was refused might be taken now. */
uint64_t l1_changes(const struct l1_cache *c);
int l1_mshrs_used(const struct l1_cache *c); /* MSHR entries that are taken */
int l1_mshrs(const struct l1_cache *c);      /* MSHR entries in all */
uint32_t l1_line_bytes(const struct l1_cache *c);
bool l1_busy(const struct l1_cache *c); /* something waits in MSHRs or the miss queue */
/* Invalidates every line that is not reserved; dirty ones are dropped, as GPGPU-Sim does. */
/* It has this line from now on, which nobody asked for. Of a read-only cache with nothing on its
 * way. */
void l1_hold(struct l1_cache *c, addr_t addr);
void l1_flush(struct l1_cache *c);
void l1_copy(struct l1_cache *to, const struct l1_cache *from); /* tags_copy() */
/* Adds the counters to the fields of its role and clears them (packets sent are counted by the
 * owner of the port). */
void l1_stats(struct l1_cache *c, struct run_stats *add);

#endif
