/* sampler/trace.h -- what the warps of some CTAs execute, recorded while a launch runs without
 * timing: the instructions in order, and the transactions of those that use memory. */
#ifndef MDP_SAMPLER_TRACE_H
#define MDP_SAMPLER_TRACE_H

#include "sampler/requests.h"

enum trace_kind {
    TRACE_OTHER,   /* no memory outside of the core */
    TRACE_SHARED,  /* n: cycles of shared memory */
    TRACE_CONST,   /* constants and parameters, lines of their cache */
    TRACE_TEXTURE, /* lines of its cache; from here on what may leave the core */
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

struct trace_warp {
    struct trace_inst *inst; /* owned */
    addr_t *txn;             /* owned, in the order of execution */
    uint32_t insts, txns, inst_cap, txn_cap;
};

struct cta_work {
    uint64_t insts, txns; /* warp instructions; transactions that may leave the core */
};

/* Rounds of a launch's CTAs: `stride` of them each, one a core, where CTAs are dealt round. Cores
 * are counted from the one on that CTA `first` is on. */
struct trace {
    const struct gpu_cfg *cfg;   /* borrowed */
    const struct kernel *kernel; /* borrowed */
    uint64_t base;               /* CTA of the launch that is number 0 here: of a part of it */
    uint64_t first;              /* CTA, of the first round */
    uint64_t own;                /* place of core 0 in a round */
    uint64_t stride, all;        /* stride: cores; all: CTAs of the launch, or of the part */
    uint64_t grid;               /* CTAs of the launch */
    bool whole;                  /* to be replayed whole */
    int fits;                    /* CTAs that a core has room for; 0: not known */
    int ctas, warps_per_cta;     /* ctas: rounds recorded, from the first on */
    int room;
    uint32_t most;                 /* instructions of a warp that are recorded */
    struct trace_warp *warp;       /* owned, [room * stride * warps_per_cta] */
    uint64_t insts, txns;          /* recorded; what a warp executes beyond the bounds is dropped */
    uint64_t dropped;              /* instructions */
    uint64_t reads, dropped_reads; /* transactions that may read DRAM: recorded, dropped */
    uint64_t misses, dropped_misses; /* of these, those that execution found in no cache */
    struct cta_work *work;           /* owned, of each CTA; NULL: too many CTAs */
    struct cta_work all_work;        /* sum */
};

/* A launch while it is executed: func_opts.on_step, whose user it is. made.cfg is the caller's. */
struct tracing {
    struct trace t;
    struct requests made; /* of the last instruction */
};
void tracing_step(void *user, const struct warp *w, const struct step *s);

/* At most `ctas` rounds of the launch from that of CTA `first` on, whose core is number 0. */
void trace_init(struct trace *t, const struct gpu_cfg *cfg, const struct launch *l, uint64_t first,
                int ctas);
/* The same of CTAs from..to - 1 of the launch alone, which are numbered from 0 on and are a launch
 * by themselves to whoever looks at the trace. */
void trace_init_part(struct trace *t, const struct gpu_cfg *cfg, const struct launch *l,
                     uint64_t from, uint64_t to, uint64_t first, int ctas);
/* m: what requests_make() made of the step; what it holds for constants is written here. */
void trace_step(struct trace *t, struct requests *m, const struct warp *w, const struct step *s);
void trace_fini(struct trace *t);
/* Number of a core's i-th CTA. */
uint64_t trace_cta(const struct trace *t, int core, int i);
/* Recorded CTAs of a core: the last round may have none for it. */
int trace_core_ctas(const struct trace *t, int core);

static inline bool trace_is_traffic(uint8_t kind)
{
    return kind >= TRACE_TEXTURE;
}

#endif
