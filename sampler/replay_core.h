/* sampler/replay_core.h -- the state of a replayed core; for sampler/replay*.c alone. */
#ifndef MDP_SAMPLER_REPLAY_CORE_H
#define MDP_SAMPLER_REPLAY_CORE_H

#include "sampler/replay.h"
#include "sampler/replay_mem.h"
#include "sim/sm/meta.h"
#include "sim/sm/sm.h"
#include "sim/sm/wsched.h"

#define WARPS      64
#define SCHEDULERS 4
#define UNITS      24
#define AHEAD_MOST 64   /* instructions in front of a unit */
#define MEM_DEPTH  4    /* instructions between issue and the LD/ST unit */
#define PHASE      60.0 /* core cycles between what two neighbouring cores do */
#define ON_THE_WAY 64   /* requests that left a core, or a node, and are remembered */

struct op { /* of a kernel's instruction */
    const struct inst_meta *m;
    uint16_t *use, *def; /* registers; owned by replay.regs */
    uint8_t uses, defs;
    bool barrier;
};

struct warp_at { /* a warp on the core */
    const struct trace_warp *t;
    const struct core_traffic *beside; /* what the same warp of the CTAs beside sends: [i * wpc] */
    uint32_t inst, txn, traffic;       /* next */
    const struct op *op;               /* of the next instruction */
    double front;                      /* it is in the buffer */
    double done;                       /* all that it started is back */
    double *board;                     /* when each register is written */
    int slot;
    bool second, waits, live;
};

struct cta_at {
    int left, number;
    double start, done;
};

struct sched_at {
    double next_issue;
    bool asked; /* what it would do next stands in slot, when */
    int slot;   /* -1: nothing */
    double when;
    struct wsched_view view;
    _Alignas(16) char state[WSCHED_STATE_BYTES];
};

struct node {                   /* of the network: a core, or a cluster that is replayed whole */
    double enters;              /* the next request into a virtual channel, at the earliest */
    double passed[ON_THE_WAY];  /* when the last requests have passed the network, in turn */
    unsigned flits[ON_THE_WAY]; /* of all requests up to each of these */
    unsigned requests;
    struct calendar replies; /* its port */
};

struct lead { /* a core that is replayed */
    struct replay *r;
    int number;
    struct stamp_cache l1d, l1c, l1i, l1t;
    double clock;
    uint64_t coded; /* lines of code that its L1I was given */
    /* of the launch that runs */
    double *boards;        /* owned */
    int n, warps, started; /* n: CTAs at once; started: so far */
    int ctas;              /* that it gets; of a whole launch: one by one */
    uint64_t vacant;       /* of a whole launch: places that wait for a CTA */
    int place;             /* the one of these that is free first */
    uint64_t next_age;
    double fetch_free, ldst_free, unit_free[UNITS];
    /* When the last ones left that waited in front of each unit, in turn; so for memory. */
    double unit_left[UNITS][AHEAD_MOST], mem_left[MEM_DEPTH];
    unsigned unit_at[UNITS], mem_at;
    struct node *node;       /* borrowed */
    double sent[ON_THE_WAY]; /* when the last requests entered the network, in turn */
    unsigned sends;
    uint64_t age[WARPS];
    double ready[WARPS];   /* when the warp's next instruction may issue */
    struct sched_at *next; /* its scheduler that issues first; NULL: a CTA starts before */
    struct warp_at warp[WARPS];
    struct cta_at cta[WARPS];
    struct sched_at sched[SCHEDULERS];
    struct replay_cta *ran; /* owned, of each CTA; kept until the next launch */
    int ends, room;
};

struct dram_share { /* of the requests that left cores */
    uint64_t requests, reads;
};

struct replay {
    const struct gpu_cfg *cfg; /* borrowed */
    struct replay_opts o;
    const struct wsched_ops *policy;
    struct shared_mem mem;
    int beside;             /* cores, if some are not replayed themselves; else 0 */
    struct tags *l1d, *l1t; /* owned, of each of these cores */
    cycle_t l1_uses;
    double flit;
    int node_cores;        /* that a node's replies are shared by, of which one alone is replayed */
    unsigned ahead[UNITS]; /* instructions that may wait in front of each unit */
    struct {
        const struct kernel *kernel;
        addr_t first;
    } * base; /* owned, [bases] */
    int bases, leads;
    struct lead *lead; /* owned */
    struct node *node; /* owned, [leads] */
    int turn;          /* of a whole launch: the lead that gets the first CTA of the next one */
    double *when;      /* owned: when each lead goes on; REPLAY_NEVER: it won't */
    /* of the launch that runs */
    const struct trace *t;
    uint64_t next, end; /* of a whole launch: the CTA that is dealt next; the one behind the last */
    struct replay_result *out;
    struct inst_meta *meta; /* owned */
    struct op *op;          /* owned */
    uint16_t *regs;         /* owned */
    int nregs, wpc;
    addr_t code; /* where its kernel lies */
    double t0, bus0, read_sum;
    uint64_t reads;
    struct dram_share share[2][2]; /* [of later CTAs than the first n][of cores beside a lead] */
};

/* replay_code.c: address of the first instruction of k's code. Kernels' code lies one behind the
 * other, in the order in which they were first run. */
addr_t replay_code_of(struct replay *r, const struct kernel *k);

/* replay_net.c. w: whose the request is; NULL: the core's own, for instructions and constants. */

/* What the other cores do while a lead makes a transaction of w at t: the first half of them before
 * it, the others behind it. */
void replay_beside(struct lead *c, const struct warp_at *w, double t, bool behind);
/* A read leaves the core at t: when its data is back. */
double replay_read(struct lead *c, const struct warp_at *w, addr_t addr, double t, int bytes);
/* A write leaves the core at t: when it is acknowledged. */
double replay_write(struct lead *c, const struct warp_at *w, addr_t addr, double t, int bytes);
/* When the core can make its next request at the earliest: those that wait for the network have
 * `places`. */
double replay_has_place(const struct lead *c, int places);

/* replay_ldst.c */

/* A read through a cache, at *t, which is put off while the cache refuses it; *ready: when the data
 * is there. */
enum stamp_result replay_cached(struct lead *c, struct stamp_cache *s, const struct warp_at *w,
                                addr_t addr, double *t, double *ready);
/* A memory instruction of w issues at t: when its registers are written. */
double replay_mem(struct lead *c, struct warp_at *w, const struct trace_inst *e,
                  const struct op *op, double t);

#endif
