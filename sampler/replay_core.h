/* sampler/replay_core.h -- the state of a replayed core; for sampler/replay*.c alone.
 *
 * When something comes back is not known when it is sent. A load counts the parts that a warp waits
 * for; a flight is a request on its way, with the loads that wait for it; the line that it fills
 * says REPLAY_NEVER until then. Times that are known are known ahead: a reply's, as soon as it has
 * left its partition. */
#ifndef MDP_SAMPLER_REPLAY_CORE_H
#define MDP_SAMPLER_REPLAY_CORE_H

#include "sampler/partitions.h"
#include "sampler/replay.h"
#include "sampler/stamp_cache.h"
#include "sim/mem/req_queue.h"
#include "sim/sm/meta.h"
#include "sim/sm/sm.h"
#include "sim/sm/wsched.h"

#define WARPS      64
#define SCHEDULERS 4
#define UNITS      24
#define AHEAD_MOST 64   /* instructions in front of a unit */
#define MEM_DEPTH  4    /* instructions between issue and the LD/ST unit's end */
#define PHASE      60.0 /* core cycles between what two neighbouring cores do */
#define ON_THE_WAY 64   /* requests that left a core and are remembered */

/* fmax() without its care for NaN: a compare. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}

struct op { /* of a kernel's instruction */
    const struct inst_meta *m;
    uint16_t *use, *def; /* registers; owned by replay.regs */
    uint8_t uses, defs;
    bool barrier;
};

struct load { /* what a warp waits for, of one instruction or of a fetch */
    struct lead *c;
    struct warp_at *w;
    const struct op *op; /* whose registers it writes; NULL: a fetch */
    double done;         /* what is back was back */
    int pending;         /* parts that are not */
    bool holds;          /* the warp issues nothing until then */
    struct load *next;   /* in the list of free ones */
};

struct wait { /* for a flight */
    struct load *load;
    double more; /* core cycles from the reply on */
    struct wait *next;
};

struct flight { /* a request on its way from a core and back */
    struct lead *c;
    double made, entered;    /* when the core made it; ... the network took it */
    struct stamp_line *line; /* borrowed; NULL: it fills none */
    double *mshr;            /* borrowed: its miss register */
    struct wait *waits;      /* owned */
    double *sent;            /* borrowed: its place in lead.sent; NULL: none */
    bool counts;             /* a data read */
};

struct mem_inst { /* issued, not through the LD/ST unit yet */
    struct warp_at *w;
    const struct trace_inst *e;
    struct load *load;
    double start;
    int at; /* transactions made */
};

struct warp_at { /* a warp on the core */
    const struct trace_warp *t;
    const struct core_traffic *beside; /* what the same warp of the CTAs beside sends: [i * wpc] */
    uint32_t inst, txn, traffic;       /* next */
    const struct op *op;               /* of the next instruction */
    double front;                      /* it is in the buffer, unless something holds the warp */
    double done;                       /* all that it started is back, of what is known */
    double *board; /* when each register is written; REPLAY_NEVER: not known yet */
    int slot;
    int pending; /* memory instructions that are not back */
    int held;    /* loads that hold it */
    bool second, waits, live;
    bool ends; /* has issued all, and waits for what is pending */
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

struct node {                /* of the network: a core, or a cluster that is replayed whole */
    struct req_queue queue;  /* requests that wait in front of it */
    struct req_queue inside; /* in its buffers, not yet at the head */
    unsigned flits;          /* in its buffers */
    int heads;               /* requests that wait for their partitions */
    double entered;          /* when the last one entered */
    double enters;           /* the next one into a virtual channel, at the earliest */
    double replies;          /* its port is free from then on */
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
    int ctas;              /* that it gets, unless the launch is whole */
    uint64_t vacant;       /* places that wait for a CTA */
    int place;             /* the one of these that is free first */
    uint64_t next_age;
    double fetch_free, ldst_free, unit_free[UNITS];
    /* When the last ones left that waited in front of each unit, in turn; so for memory. */
    double unit_left[UNITS][AHEAD_MOST], mem_left[MEM_DEPTH];
    unsigned unit_at[UNITS], mem_at, mem_done;
    struct mem_inst mem[MEM_DEPTH]; /* from mem_done to mem_at, in turn */
    double ldst_at;                 /* when the LD/ST unit goes on; REPLAY_NEVER: it waits */
    double ldst_from;               /* ... since when it has tried what it tries then */
    uint64_t mem_waits;             /* warps that wait for room in front of it */
    struct node *node;              /* borrowed */
    double sent[ON_THE_WAY];        /* when the last requests entered the network, in turn */
    unsigned sends;
    uint64_t age[WARPS];
    double ready[WARPS];   /* when the warp's next instruction may issue */
    uint64_t known;        /* warps of which that is known */
    struct sched_at *next; /* its scheduler that issues first; NULL: something else is before */
    bool ldst_first;       /* the LD/ST unit is; else a CTA starts */
    bool told;             /* what it does next may have changed */
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
    struct partitions *mem; /* owned */
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
    struct lead *lead;  /* owned */
    struct node *node;  /* owned, [leads] */
    int turn;           /* of a whole launch: the lead that gets the first CTA of the next one */
    double *when;       /* owned: when each lead goes on; REPLAY_NEVER: not before it is told */
    struct lead **told; /* owned, [leads]: those that were told, tolds of them */
    int tolds;
    struct flight **flight; /* owned, [flights]; a request's token is its place */
    int32_t flights, *free_flight, free_flights; /* owned: places that are free */
    struct load *free_load;                      /* owned */
    struct wait *free_wait;                      /* owned */
    /* of the launch that runs */
    const struct trace *t;
    uint64_t next, end; /* of a whole launch: the CTA that is dealt next; the one behind the last */
    struct replay_result *out;
    struct inst_meta *meta; /* owned */
    struct op *op;          /* owned */
    uint16_t *regs;         /* owned */
    int nregs, wpc;
    addr_t code; /* where its kernel lies */
    double t0, read_sum;
    uint64_t reads;
    struct dram_share share[2][2]; /* [of later CTAs than the first n][of cores beside a lead] */
};

/* What the core does next may have changed. */
static inline void replay_tell(struct lead *c)
{
    if (!c->told)
        c->r->told[c->r->tolds++] = c;
    c->told = true;
}

/* replay_code.c: address of the first instruction of k's code. Kernels' code lies one behind the
 * other, in the order in which they were first run. */
addr_t replay_code_of(struct replay *r, const struct kernel *k);

/* replay_issue.c */

void replay_start_cta(struct lead *c, int slot, double t);
/* What the core does first, into r->when: a scheduler issues, the LD/ST unit goes on, or a place is
 * free for the next CTA. */
void replay_find_next(struct lead *c);
/* That happens; the core is told. */
void replay_goes_on(struct lead *c);
/* A part of what a load waits for is there at t. With its last one the warp goes on, and the load
 * is gone. */
void replay_back(struct load *l, double t);

/* replay_wait.c */

/* op: NULL: a fetch. The caller counts itself as a part, until it has told all others. */
struct load *replay_load(struct lead *c, struct warp_at *w, const struct op *op);
void replay_load_over(struct replay *r, struct load *l);
/* q leaves the core at t. */
struct flight *replay_flight(struct lead *c, struct mem_req *q, double t);
/* l waits for f as well, and `more` cycles. */
void replay_wait(struct replay *r, struct flight *f, struct load *l, double more);
/* q is back at t: its line is filled, and whoever waits is told. */
void replay_flight_over(struct replay *r, struct mem_req *q, double t);
void replay_wait_fini(struct replay *r);

/* replay_net.c. w: whose the request is; NULL: the core's own, for instructions, constants and
 * evictions. */

/* What the other cores do while a lead makes a transaction of w at t. */
void replay_beside(struct lead *c, const struct warp_at *w, double t);
/* A request leaves the core at t. */
struct flight *replay_send(struct lead *c, const struct warp_at *w, addr_t addr, double t,
                           enum req_kind kind, int bytes);
/* When the core can make its next request at the earliest: those that wait for the network have
 * `places`. */
double replay_has_place(const struct lead *c, int places);
/* For partitions_new(). */
void replay_passed(void *replay, struct mem_req *q, double t);
void replay_replied(void *replay, struct mem_req *q, double t);

/* replay_ldst.c */

/* Code of w at addr is fetched at t; more: core cycles from its line on until the warp has it. */
void replay_fetch(struct lead *c, struct warp_at *w, addr_t addr, double t, double more);
/* A memory instruction of w issues at t. */
void replay_mem(struct lead *c, struct warp_at *w, const struct trace_inst *e, const struct op *op,
                double t);
/* The LD/ST unit goes on, at c->ldst_at. */
void replay_ldst(struct lead *c);

#endif
