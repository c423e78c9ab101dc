/* sampler/window/warp_streams.h -- what the warps of a few CTAs of one core ask of L1D and L1I, in
 * the order of each warp: from executing these CTAs without timing, one after the other.
 *
 * A stream is a list of words, the kind in the lowest bits and a number above:
 *   RUN k    k instructions that ask nothing of L1D
 *   CODE a   the instructions that follow lie in line a of the code
 *   LOAD a   a memory instruction; line a is its first request
 *   STORE a  the same, a global store: the line leaves
 *   WRITE a  the same, a local store: stays in a line that is there
 *   NEXT_*   a further request of the same instruction
 *   NEED     the next instruction reads what a load since the last NEED brings
 *   BARRIER  waits for the other warps of the CTA */
#ifndef MDP_SAMPLER_WARP_STREAMS_H
#define MDP_SAMPLER_WARP_STREAMS_H

#include "sim/func/warp.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/mem/tags.h"
#include "sim/sm/line_set.h"

enum stream_kind {
    STREAM_RUN,
    STREAM_CODE,
    STREAM_LOAD,
    STREAM_STORE,
    STREAM_WRITE,
    STREAM_NEXT_LOAD,
    STREAM_NEXT_STORE,
    STREAM_NEXT_WRITE,
    STREAM_NEED,
    STREAM_BARRIER
};
#define STREAM_BITS 4

struct stream {
    uint64_t *word; /* owned */
    uint32_t n, room;
};

struct cta_streams {
    struct stream *warp; /* owned, [warps] */
};

/* Sums over all CTAs. */
struct stream_work {
    uint64_t warp_insts;
    uint64_t loads, stores, past; /* requests to L1D; past it */
    uint64_t textures;            /* lines that the texture cache reads */
    uint64_t port_cycles;         /* that the LD/ST unit is taken */
    uint64_t unit_cycles[4];      /* that units of a pipe are taken: SP, SFU, DP */
};

struct warp_streams {
    const struct gpu_cfg *cfg; /* borrowed */
    int warps;                 /* of a CTA */
    struct cta_streams *cta;   /* owned */
    int ctas;
    struct stream_work work;
    struct line_set lines; /* of global loads, of all CTAs together */
    uint64_t first_lines;  /* of the first CTA alone */
    struct tags l1t;       /* as the CTAs so far left it; unused without a texture cache */
    uint64_t texture_uses; /* its clock */
};

void warp_streams_init(struct warp_streams *s, const struct gpu_cfg *cfg, const struct launch *l);
/* Executes CTA number `cta`, or so many warp instructions of it, and keeps its streams. */
void warp_streams_add(struct warp_streams *s, struct launch *l, uint64_t cta, uint64_t max_insts);
void warp_streams_fini(struct warp_streams *s);

static inline enum stream_kind stream_kind(uint64_t word)
{
    return (enum stream_kind)(word & ((1u << STREAM_BITS) - 1));
}

static inline uint64_t stream_value(uint64_t word)
{
    return word >> STREAM_BITS;
}

#endif
