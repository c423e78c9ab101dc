/* sim/mem/dram_shares.h -- the shares that channels of the GPU have of a DRAM channel of a scale
 * model (channel_share.h): of its data bus, of its activates, and of each of its banks. Times are
 * DRAM command cycles. */
#ifndef MDP_SIM_MEM_DRAM_SHARES_H
#define MDP_SIM_MEM_DRAM_SHARES_H

#include "sim/mem/channel_share.h"
#include "sim/mem/dram_sched.h"
#include "sim/mem/mem_cfg.h"

/* Out of the way of a channel that has none. */
#define DRAM_SHARES __attribute__((cold, noinline))

struct dram_shares {
    const struct dram_cfg *cfg;          /* borrowed */
    const struct dram_timing *timing;    /* borrowed */
    struct channel_share bus, act, bank; /* bank: an account each channel and bank */
    int *waiting;                        /* owned: requests in the queue, by channel */
    cycle_t now;                         /* of the scheduler that asks */
};

/* channels: of the GPU. */
struct dram_shares *dram_shares_new(const struct dram_cfg *cfg, const struct dram_timing *timing,
                                    int channels, cycle_t lead);
void dram_shares_free(struct dram_shares *s); /* NULL is fine */
/* The request has come into the queue (more: 1) or left it (-1). Room that is left: none when one
 * channel has filled a queue of its own, or all together have, each with no more than its part. */
DRAM_SHARES int dram_shares_room(struct dram_shares *s, const struct mem_req *r, int more);
/* Of the banks `free` those of which a request may be taken now, or none waits; has the scheduler
 * pass over all others. */
DRAM_SHARES uint64_t dram_shares_may_take(struct dram_shares *s, struct dram_sched *sched,
                                          uint64_t free, cycle_t now);
/* The earliest cycle after now at which one that waits for a bank of `free` may be taken. */
DRAM_SHARES cycle_t dram_shares_next(const struct dram_shares *s, const struct dram_sched *sched,
                                     uint64_t free, cycle_t now);
/* What the request took: a row was activated for it, a burst crossed the bus, DRAM wrote what it
 * had read, its bank is done (opened: it had to activate the row; in so many column commands). */
DRAM_SHARES void dram_shares_act(struct dram_shares *s, const struct mem_req *r, cycle_t now);
DRAM_SHARES void dram_shares_burst(struct dram_shares *s, const struct mem_req *r, cycle_t now);
DRAM_SHARES void dram_shares_turn(struct dram_shares *s, const struct mem_req *r, cycle_t now);
DRAM_SHARES void dram_shares_done(struct dram_shares *s, const struct mem_req *r, uint32_t columns,
                                  bool opened, cycle_t now);

#endif
