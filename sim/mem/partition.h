/* sim/mem/partition.h -- one memory partition: ROP delay, L2 slice (may be off), DRAM channel.
 *
 *   network -> rop delay -> [icnt_to_l2] -> L2 or pass -> [l2_to_dram] -> DRAM latency -> channel
 * queue network <- [l2_to_icnt] <- L2 or pass <- [dram_to_l2] <- channel return queue
 *
 * ROP and DRAM latencies are counted in core cycles (as GPGPU-Sim does), so ticks get `core_now`.
 * A read, an atomic and a write all come out again as replies (is_reply; a write's reply is its
 * acknowledgement) except evictions (REQ_L1_WRITEBACK: GPGPU-Sim sends no acknowledgement). */
#ifndef MDP_SIM_MEM_PARTITION_H
#define MDP_SIM_MEM_PARTITION_H

#include "base/stats.h"
#include "sim/mem/mem_cfg.h"
#include "sim/mem/req.h"

struct partition; /* opaque */

struct partition *partition_new(const struct mem_cfg *cfg, int id, struct req_pool *pool);
void partition_free(struct partition *p);
/* The request network side, asked and called once an L2 cycle by sim/gpu: */
bool partition_can_accept(const struct partition *p);
void partition_push(struct partition *p, struct mem_req *r, cycle_t core_now);
/* One L2-clock cycle: L2 lookup, fills, queues. One DRAM-clock cycle: scheduler, commands, returns.
 */
bool partition_l2_tick(struct partition *p, cycle_t core_now);
bool partition_dram_tick(struct partition *p, cycle_t core_now);
/* Replies for the network; NULL: none ready. is_reply is set; flits are the network's business. */
struct mem_req *partition_reply_peek(const struct partition *p);
struct mem_req *partition_reply_pop(struct partition *p);
bool partition_idle(const struct partition *p); /* nothing inside at all */
/* l2_tick does nothing before this core cycle, unless a request is pushed or dram_tick moves. */
cycle_t partition_l2_quiet(const struct partition *p);
/* How many of the next DRAM ticks do nothing, as long as core cycle *core is not reached and
 * l2_tick moves nothing. They may be left out; partition_skip then says how many were, before the
 * next tick (time stamps of open rows and dram_cycles stay right). */
uint64_t partition_dram_quiet(const struct partition *p, cycle_t *core);
void partition_skip(struct partition *p, uint64_t dram_cycles);
/* Earliest core cycle at which l2_tick could do something although it did nothing now (ROP or DRAM
 * latency running); CYCLE_NEVER. The DRAM channel must be empty for the answer to count (else now +
 * 1). */
cycle_t partition_next_event(const struct partition *p, cycle_t core_now);
void partition_stats(struct partition *p, struct run_stats *add); /* adds and clears its counters */
struct warm;
void partition_l2_warm(struct partition *p, struct warm *w); /* l2_warm(); without L2 nothing */
void partition_copy_l2(struct partition *to, const struct partition *from); /* tags_copy() */
void partition_flush(struct partition *p); /* invalidates L2 (between kernels, optional) */

#endif
