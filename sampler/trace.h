/* sampler/trace.h -- what the warps of a few CTAs execute, recorded while a launch runs without
 * timing: the instructions in order, and the transactions of those that use memory. */
#ifndef MDP_SAMPLER_TRACE_H
#define MDP_SAMPLER_TRACE_H

#include "sampler/requests.h"

enum trace_kind {
    TRACE_OTHER,   /* no memory outside of the core */
    TRACE_SHARED,  /* n: cycles of shared memory */
    TRACE_CONST,   /* constants and parameters, lines of their cache */
    TRACE_TEXTURE, /* lines of its cache; from here on what core_traffic keeps */
    TRACE_READ,    /* global memory through L1D */
    TRACE_WRITE,
    TRACE_LOCAL_READ, /* local memory through L1D: lines are relative to the CTA's place */
    TRACE_LOCAL_WRITE,
    TRACE_PAST_READ, /* past L1D */
    TRACE_PAST_WRITE,
    TRACE_ATOMIC
};

struct trace_inst {
    uint32_t pc; /* index in kernel.inst */
    uint16_t n;  /* transactions; TRACE_SHARED: cycles */
    uint8_t kind;
};

/* A transaction: its address, in whose low bits stand how many bytes it moves. */
#define TRACE_LINE(txn)  ((txn) & ~(addr_t)31)
#define TRACE_BYTES(txn) ((((int)(txn)&15) + 1) * 32)
#define TRACE_STORES     16 /* flag; of core_traffic alone */

struct trace_warp {
    struct trace_inst *inst; /* owned */
    addr_t *txn;             /* owned, in the order of execution */
    uint32_t insts, txns, inst_cap, txn_cap;
    uint32_t traffic; /* of these, those of TRACE_TEXTURE and beyond */
};

/* Transactions of a warp that may leave its core; nothing else is kept of it. */
struct core_traffic {
    addr_t *txn; /* owned; L1D's reads have the length of a line */
    uint32_t txns, kept, cap;
    uint32_t insts; /* of the warp; beyond the bound of a CTA's nothing is kept or counted */
};

/* CTAs first, first + stride, first + 2 stride ...: those of one core where CTAs are dealt round.
 * The stride - 1 behind each of them run on the other cores at the same time. */
struct trace {
    struct requests made;        /* of the last instruction */
    const struct kernel *kernel; /* borrowed */
    uint64_t first, stride;
    int ctas, warps_per_cta; /* ctas: recorded whole, from the first on */
    int room;
    struct trace_warp *warp;      /* owned, [room * warps_per_cta] */
    struct core_traffic *traffic; /* owned, [room * stride * warps_per_cta]; index 0 of a CTA's
                                     stride is not used */
    uint64_t insts, kept;         /* recorded; what a warp executes beyond the bounds is dropped */
    uint64_t dropped;             /* instructions */
};

/* At most `ctas` CTAs of the launch from `first` on. */
void trace_init(struct trace *t, const struct gpu_cfg *cfg, const struct launch *l, uint64_t first,
                int ctas);
void trace_step(struct trace *t, const struct warp *w, const struct step *s);
void trace_fini(struct trace *t);

static inline bool trace_is_traffic(uint8_t kind)
{
    return kind >= TRACE_TEXTURE;
}

#endif
