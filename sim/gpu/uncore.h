/* sim/gpu/uncore.h -- what lies behind the cores: both networks, the memory partitions, and the
 * clocks that they and the cores run by. Whoever has cores (sim/gpu/gpu.c)
 * pushes requests into req_net and pops replies from reply_net, and asks for cycle after cycle.
 *
 * A step of the clock visits the parts whose domain has an edge, in GPGPU-Sim 3.2.1's order:
 *   core: replies into the cores | icnt: partitions -> reply network | DRAM | L2: request network
 * -> partitions, L2 | icnt: both networks move | core: what the cores do, which is not done here.
 */
#ifndef MDP_SIM_GPU_UNCORE_H
#define MDP_SIM_GPU_UNCORE_H

#include "sim/gpu/clock.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/icnt/concentrator.h"
#include "sim/mem/addrmap.h"
#include "sim/mem/partition.h"

#define PARTITION_WORDS ((PARTITIONS_MAX + 63) / 64)
#define HANG_CYCLES     2000000 /* core cycles without any progress: nothing will ever move again */

struct uncore_cores {
    void *user;
    /* Core cycle `now` begins: replies may be taken from the network. True: some were, or wait to
     * be. */
    bool (*replies)(void *user, cycle_t now);
};

/* Before these a partition's ticks do nothing and are left out. */
struct part_wake {
    cycle_t l2;    /* L2 ticks: core cycle */
    uint64_t dram; /* DRAM ticks: DRAM cycle, or, should it come first, ... */
    cycle_t delay; /* ... core cycle */
    uint64_t seen; /* DRAM cycles that the partition knows of */
};

struct uncore {
    const struct gpu_cfg *cfg; /* borrowed */
    struct uncore_cores cores;
    struct clock clock;
    struct addrmap map;
    struct req_pool *pool; /* owned; of all requests */
    const struct icnt_ops *icnt;
    void *req_net, *reply_net;                    /* owned */
    struct concentrator *req_ports, *reply_ports; /* the same two; NULL: a port for each core */
    struct partition **part;                      /* owned, cfg->mem.partition.count of them */
    /* Most parts sleep in most steps; what follows tells without asking each of them. */
    const uint64_t *req_ready, *reply_ready; /* borrowed: outputs of the networks with packets */
    const int *req_busy, *reply_busy;        /* borrowed: 0: a network's tick has nothing to do */
    uint64_t replies[PARTITION_WORDS];       /* partitions that may have one for the network */
    int words;                               /* of it and of req_ready that partitions have */
    uint64_t dram_cycle;
    struct part_wake *part_wake; /* owned, by partition */
    struct part_wake first;      /* the earliest of them; no later than it */
};

/* Everything is empty, and no cycle has been. */
void uncore_init(struct uncore *u, const struct gpu_cfg *cfg, const struct uncore_cores *cores);
void uncore_fini(struct uncore *u);
/* The steps of the clock up to the core's next edge, which is that of its cycle `now`. True:
 * something moved. */
bool uncore_cycle(struct uncore *u, cycle_t now);
/* The next core cycle, `now` or later, at which anything can happen without the cores, given that
 * the last one moved nothing; CYCLE_NEVER. */
cycle_t uncore_next_event(const struct uncore *u, cycle_t now);
/* Leaves out the cycles from now on up to, not including, target. */
void uncore_jump(struct uncore *u, cycle_t now, cycle_t target);
/* Tells partitions of DRAM ticks that were left out. */
void uncore_catch_up(struct uncore *u);
bool uncore_idle(const struct uncore *u); /* nothing inside at all */

#endif
