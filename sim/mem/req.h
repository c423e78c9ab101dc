/* sim/mem/req.h -- one memory request on its way from a core to DRAM and back, and the pool they
 * come from. The pointer's holder owns it. Stamps (in core cycles) never go back along the life
 * cycle; at the end of a kernel the pool is empty. */
#ifndef MDP_SIM_MEM_REQ_H
#define MDP_SIM_MEM_REQ_H

#include "base/types.h"

enum req_kind {
    REQ_GLOBAL_READ,
    REQ_GLOBAL_WRITE,
    REQ_LOCAL_READ,
    REQ_LOCAL_WRITE,
    REQ_ATOMIC,
    REQ_CONST_READ,
    REQ_INST_READ,
    REQ_TEX_READ,
    REQ_L1_WRITEBACK,
    REQ_L2_FILL,
    REQ_L2_WRITEBACK,
    REQ_KINDS
};

/* Life cycle; stamp[s] is the core cycle at which the request reached stage s. */
enum req_stage {
    STAGE_CREATED,    /* accepted by L1 (or the constant cache), or made by the coalescer if it
                         bypasses */
    STAGE_ICNT_IN,    /* entered the request network */
    STAGE_PARTITION,  /* left the request network, in the partition's ROP delay */
    STAGE_DRAM_QUEUE, /* in the DRAM scheduler's queue */
    STAGE_DRAM_BANK,  /* handed to its bank */
    STAGE_DRAM_DONE,  /* data transferred */
    STAGE_REPLY_IN,   /* entered the reply network */
    STAGE_CORE,       /* back at the core */
    STAGE_COUNT
};

struct mem_req {
    addr_t addr;    /* first byte, aligned to the transaction */
    addr_t line;    /* address of the line in the cache that sent it (MSHR key) */
    uint32_t bytes; /* data bytes of the transaction */
    uint16_t core;
    uint8_t kind; /* enum req_kind */
    bool write;   /* carries data towards memory */
    bool is_reply;
    bool bypass_l1; /* reply goes to the LD/ST unit without filling L1D */
    bool rmw;       /* DRAM writes what it has read (an atomic that no L2 serves) */
    uint16_t flits; /* of the packet in its present direction */
    uint16_t partition;
    uint32_t chan_addr; /* address inside the partition's channel (address map) */
    uint32_t row;
    uint16_t bank;
    uint16_t channel; /* of those of the GPU that a scale model's stands for; else 0 */
    int32_t warp;     /* warp slot in the core; -1: none (instruction fetch uses it too) */
    int32_t token;    /* whoever waits: index into the core's table of pending loads; -1: none */
    cycle_t ready;    /* FIFO ready stamp, in the clock of whoever holds it */
    cycle_t stamp[STAGE_COUNT];
    struct mem_req *next; /* link of the list or free list that holds it */
};

struct req_pool;
struct req_pool *req_pool_new(void);
void req_pool_free(struct req_pool *p);
struct mem_req *req_get(struct req_pool *p); /* zeroed; warp, token -1; stamps CYCLE_NEVER */
void req_put(struct req_pool *p, struct mem_req *r);
uint64_t req_pool_live(const struct req_pool *p);

#endif
