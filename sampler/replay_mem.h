/* sampler/replay_mem.h -- what a replay knows of memory: a core's caches as arrays of time stamps,
 * and the memory that all cores share. Times are core cycles, as real numbers; a request's time of
 * completion is known when it is sent. */
#ifndef MDP_SAMPLER_REPLAY_MEM_H
#define MDP_SAMPLER_REPLAY_MEM_H

#include "sampler/calendar.h"
#include "sampler/l2_state.h"
#include "sampler/network.h"
#include "sampler/trace.h"
#include "sim/mem/addrmap.h"

#define REPLAY_NEVER 1e300

/* fmax() without its care for NaN: a compare. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* ---- The memory that cores share ---- */

#define MEM_BANKS   64
#define MEM_ROWS    4   /* of a bank that were open, and are remembered */
#define MEM_PHASES  16  /* that are remembered */
#define MEM_WAITING 128 /* requests of a partition, at most, that are remembered */

struct mem_bank {
    uint32_t row;   /* open, + 1; 0: none */
    double free;    /* when it can be closed */
    uint32_t phase; /* of the open row's last request */
    struct closed_row {
        uint32_t row;
        double opened, at; /* at: when it was closed */
        unsigned joins;    /* of the channel, then */
        uint32_t phase;
    } closed[MEM_ROWS]; /* the last ones, in turn */
    unsigned closes;
};

struct l2_line {
    double fill;
    int waiting; /* requests, until then */
};

struct mem_channel { /* of DRAM */
    struct calendar bus;
    struct calendar *group;  /* owned, [bank groups] */
    struct calendar in, out; /* of its partition: the network's flits, both ways */
    struct mem_bank bank[MEM_BANKS];
    /* Reads and writes are served in turn, a phase each; odd ones are of writes. */
    uint32_t phase;                              /* the last one */
    double phase_end[MEM_PHASES];                /* when the last ones are served, in turn */
    unsigned joined[MEM_PHASES];                 /* requests of the last ones */
    unsigned joins;                              /* requests so far */
    double came[MEM_WAITING], left[MEM_WAITING]; /* the last ones to the partition, in turn */
    double last_left;                            /* the latest of all */
    unsigned leaves;
    double *l2_mshr; /* owned: when each is free again, used in turn */
    uint64_t l2_misses;
    struct l2_line *l2_line; /* owned, of each way of the slice */
    double refused, taken;   /* L2 took nothing from one to the other */
};

struct shared_mem {
    const struct gpu_cfg *cfg; /* borrowed */
    struct network *net;       /* borrowed; NULL: its ports move a flit a cycle, whatever waits */
    double stretch;
    double cycle, l2_cycle; /* core cycles of a DRAM cycle, of one of L2 */
    double flit;            /* core cycles of a flit */
    struct addrmap map;
    struct mem_channel *channel; /* owned */
    struct l2_state l2;
    cycle_t used_before; /* uses of L2 lines before time 0 */
    double bus_cycles;   /* for which the channels' buses were taken so far, sum */
};

void shared_mem_init(struct shared_mem *m, const struct gpu_cfg *cfg, struct network *net,
                     double stretch);
void shared_mem_fini(struct shared_mem *m);
/* From now on L2 holds these lines; later uses count as younger than theirs. */
void shared_mem_set_l2(struct shared_mem *m, const struct l2_state *s);
/* ... and this one. */
void shared_mem_hold(struct shared_mem *m, addr_t addr);
/* When the partition of addr takes a request that is there at t: no more wait than its queues hold.
 * Queues of MEM_WAITING requests and more take any number. */
double shared_mem_accepts(const struct shared_mem *m, addr_t addr, double t);
/* Core cycles that a packet with so many bytes holds a partition's port of the network. */
double shared_mem_port(const struct shared_mem *m, enum network_way way, int bytes);
/* When a request that is at the head of its queue at t has passed the network's port to its
 * partition. */
double shared_mem_pass(struct shared_mem *m, addr_t addr, double t, bool write, int bytes);
/* A request is at its partition at t; when the reply leaves it, the way not counted. *dram_reads:
 * how many reads it made DRAM do. */
double shared_mem_serve(struct shared_mem *m, addr_t addr, double t, bool write, int bytes,
                        int *dram_reads);

/* ---- A core's cache ---- */

struct stamp_line {
    addr_t line; /* + 1; 0: none */
    double used, fill;
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

void stamp_init(struct stamp_cache *c, const struct cache_cfg *cfg);
void stamp_fini(struct stamp_cache *c);
/* Every line is gone. */
void stamp_flush(struct stamp_cache *c);
/* Looks up the line of addr at *t, which is put off to when the cache takes the access. Unless it
 * is a miss, *ready is when the data is there; for a miss *victim is the line to fill (its old
 * content still stands there) and *mshr the register: the caller sends the request and calls
 * stamp_fill. */
enum stamp_result stamp_read(struct stamp_cache *c, addr_t addr, double *t, double *ready,
                             struct stamp_line **victim, double **mshr);
void stamp_fill(struct stamp_cache *c, struct stamp_line *l, double *mshr, addr_t addr, double t,
                double back);
/* The line if it is there and filled. */
struct stamp_line *stamp_find(struct stamp_cache *c, addr_t addr, double t);

#endif
