/* sim/sm/warps.h -- the warps of a core: one slot each, and sets of them as 64-bit masks over the
 * slots. The core's files keep them; a warp scheduler's policy reads them. */
#ifndef MDP_SIM_SM_WARPS_H
#define MDP_SIM_SM_WARPS_H

#include "sim/sm/inst_source.h"
#include "sim/sm/meta.h"

#define MAX_WARPS 64

struct board_word {        /* 64 registers of a warp's scoreboard */
    uint64_t reserved;     /* to be written */
    uint64_t by_memory;    /* of these, by the LD/ST unit */
    uint64_t long_latency; /* of these, by a load from memory: global, local, texture, atomic */
};

struct warp_slot {                /* a cache line */
    void *w;                      /* the source's; borrowed from its CTA */
    const struct inst_meta *head; /* instruction buffer: next to issue; NULL: empty */
    struct board_word *board;     /* borrowed from sm.board */
    struct inst_warp at;          /* how far it is */
    uint32_t fetch_pc;            /* where fetch goes on */
    uint16_t in_pipe;             /* instructions buffered or on their way */
    uint16_t pending;             /* registers reserved */
    uint16_t stores;              /* instructions in the pipe, transactions not acknowledged */
    uint16_t atomics;             /* transactions that are not back yet */
    uint8_t cta;                  /* CTA slot */
    bool second;                  /* the instruction behind head is buffered too */
    uint8_t cls;                  /* the class of head, as warp_sets.cls has it */
} __attribute__((aligned(64)));

struct warp_sets {
    uint64_t resident;                     /* on the core, has not left */
    uint64_t wrong;                        /* buffered, but not the warp's next instruction */
    uint64_t cls[CLASS_COUNT];             /* has a head that is right, by what unit it needs */
    uint64_t dep_mem, dep_alu;             /* of these, the scoreboard blocks head (cached) */
    uint64_t dep_long;                     /* of dep_mem: on a load from memory */
    uint64_t ready;                        /* of these, it does not */
    uint64_t barrier, atomic, fence, done; /* cannot issue whatever is buffered */
    uint64_t held;                         /* all four together */
    uint64_t fetching;                     /* waits for the L1I's answer */
    uint64_t empty;                        /* wants to fetch */
    uint64_t leaving; /* done, nothing in flight: fetch will take it off the core */
    uint64_t fetched; /* without an L1I: the block has come, it may be used once */
    uint64_t paused;  /* of CTAs that the CTA scheduler paused */
};

#endif
