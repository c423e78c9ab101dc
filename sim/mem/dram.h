/* sim/mem/dram.h -- one DRAM channel: bounded scheduler queue, banks with open rows, one command a
 * cycle, data bus, return queue.
 *
 *   push -> input -> scheduler (queue) -> bank (one request each) -> ACT PRE RD WR
 *                                          -> data after CL or WL -> return queue -> pop
 *
 * All times are DRAM command cycles; only stamps of requests are core cycles. A tick may be left
 * out while now < dram_wake(). In a scale model requests wait whose channel of the GPU has had its
 * share (channel_share.h). Dirty evictions end here; everything else comes back out. */
#ifndef MDP_SIM_MEM_DRAM_H
#define MDP_SIM_MEM_DRAM_H

#include "base/stats.h"
#include "sim/mem/dram_timing.h"
#include "sim/mem/mem_cfg.h"
#include "sim/mem/req.h"

struct dram; /* opaque */

/* channels: of the GPU, for which it stands in a scale model; 1: it is one itself. lead:
 * mem_model.lead. */
struct dram *dram_new(const struct dram_cfg *cfg, int channels, int lead, struct req_pool *pool);
void dram_free(struct dram *d);
bool dram_full(const struct dram *d);
void dram_push(struct dram *d, struct mem_req *r, cycle_t now, cycle_t core_now);
struct mem_req *dram_return_peek(const struct dram *d); /* NULL: nothing served */
struct mem_req *dram_return_pop(struct dram *d);
bool dram_tick(struct dram *d, cycle_t now, cycle_t core_now); /* true: something moved */
/* The next cycle at which a tick does something; CYCLE_NEVER: not before a push or a pop. */
cycle_t dram_wake(const struct dram *d);
bool dram_idle(const struct dram *d);
void dram_stats(struct dram *d, struct run_stats *add);
/* Called for every command issued (tests, traces); NULL: nobody. */
typedef void dram_trace_fn(void *user, enum dram_cmd cmd, int bank, uint32_t row, cycle_t now);
void dram_trace(struct dram *d, dram_trace_fn *fn, void *user);

#endif
