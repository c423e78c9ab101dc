/* sampler/replay_core.h -- the state of a replayed core; for sampler/replay*.c alone.
 *
 * Times are core cycles; a launch begins at replay.t0. When something comes back is not known when
 * it is sent: CYCLE_NEVER. A load counts the parts that a warp waits for; a flight is a request on
 * its way, with the loads that wait for it. */
#ifndef MDP_SAMPLER_REPLAY_CORE_H
#define MDP_SAMPLER_REPLAY_CORE_H

#include "sampler/cycles.h"
#include "sampler/pipeline.h"
#include "sampler/replay.h"
#include "sampler/stamp_cache.h"
#include "sim/gpu/uncore.h"
#include "sim/mem/req_queue.h"
#include "sim/sm/sm.h"
#include "sim/sm/wsched.h"

#define WARPS      64
#define SCHEDULERS 4
#define LONG_AGO   ((cycle_t)1 << 40) /* core cycles before the first launch: caches have a past */

struct op { /* of a kernel's instruction; a cache line */
    const struct inst_meta *m;
    uint8_t cls; /* as m's */
    uint8_t uses, defs;
    bool barrier, atomic;
    uint16_t
        reg[INST_MAX_SRC + 2 * INST_MAX_DST + 1]; /* those it uses; behind them those written */
} __attribute__((aligned(64)));

struct load { /* what a warp waits for, of one instruction or of a fetch */
    struct core_at *c;
    struct warp_at *w;
    const struct op *op; /* whose registers it writes; NULL: a fetch */
    cycle_t done;        /* what is back was back */
    int pending;         /* parts that are not */
    bool holds;          /* the warp issues nothing until then */
    struct load *next;   /* in the list of free ones */
    struct load *before; /* made before it */
};

struct wait { /* for a flight */
    struct load *load;
    cycle_t more; /* core cycles from the reply on */
    struct wait *next;
    struct wait *before; /* made before it */
};

struct texture_access { /* in the texture cache */
    struct load *load;
    cycle_t from; /* it leaves, no earlier */
    bool miss;    /* it takes a place in the reorder buffer until it leaves */
    bool awaits;  /* its line, which is on its way */
};

struct flight { /* a request on its way from a core and back */
    struct core_at *c;
    cycle_t made;                   /* when the core made it */
    struct stamp_cache *cache;      /* borrowed: that it fills; NULL: none */
    struct stamp_line *line;        /* borrowed: that it fills; NULL: not known yet */
    struct stamp_mshr *mshr;        /* borrowed: its miss register */
    struct texture_access *texture; /* borrowed: that awaits it; NULL: none */
    struct wait *waits;             /* owned, the first one first */
    struct wait **last;             /* where the next one goes */
    bool counts;                    /* a data read */
};

struct mem_inst { /* issued, not through the LD/ST unit yet */
    const struct trace_inst *e;
    struct load *load; /* has its warp and op */
    int at;            /* transactions made */
};

struct warp_at { /* a warp on the core; what each instruction needs lies in the first cache line */
    const struct trace_inst *next, *end; /* its next instruction; behind its last one */
    const struct op *op;                 /* of the next one */
    cycle_t *board;    /* when each register is written; CYCLE_NEVER: not known yet */
    cycle_t front;     /* it is in the buffer, unless something holds the warp */
    cycle_t done;      /* all that it started is back, of what is known */
    uint32_t fetched;  /* pc of what is in the buffer, or on its way there */
    uint16_t held;     /* loads that hold it */
    uint8_t slot;      /* of its CTA */
    uint8_t bank0;     /* register bank of its register 0 */
    uint8_t scheduler; /* whose it is */
    bool second;       /* the instruction behind it is buffered too */
    bool wrong;        /* what is buffered is not its next instruction */
    bool waits, live;  /* waits: for a barrier */
    bool fence;        /* it waits for what is pending */
    bool ends;         /* has issued all, and waits for what is pending */
    cycle_t empty;     /* since when it has wanted to fetch */
    const addr_t *txn; /* its next transaction */
    const struct trace_warp *t;
    int pending;       /* memory instructions that are not back */
    int loads, stores; /* of these */
} __attribute__((aligned(64)));

struct cta_at {
    int left, number;
    cycle_t start, done;
};

struct sched_at {
    cycle_t next_issue;
    cycle_t when;
    int slot;   /* -1: nothing */
    bool asked; /* what it would do next stands in slot, when */
    struct wsched_view view;
    char state[WSCHED_STATE_BYTES] __attribute__((aligned(8)));
} __attribute__((aligned(64)));

struct core_at { /* a core that is replayed; what every step of it needs comes first */
    struct replay *r;
    struct sched_at *next; /* its scheduler that issues first; NULL: the LD/ST unit is before */
    cycle_t fetch_at;      /* it fetches next; no later than that */
    cycle_t fetch_free;    /* ... and no earlier than that */
    cycle_t ldst_at;       /* when it goes on; CYCLE_NEVER: it has none, or waits */
    uint64_t known;        /* warps of which it is known when they are ready */
    uint64_t empty;        /* warps that want to fetch */
    int fetched_last;      /* the warp that has fetched last */
    bool fetch_first;      /* it fetches before schedulers and LD/ST unit */
    bool texture_first;    /* a texture access leaves its cache before any of these */
    bool told;             /* what it does next may have changed */
    bool ldst_works;       /* it has an instruction */
    cycle_t ldst_from;     /* since when it has tried what it tries at ldst_at */
    cycle_t ldst_free;     /* the last one was through */
    uint64_t mem_waits;    /* warps that wait for room in front of it */
    uint64_t fetch_waits;  /* warps that the L1I has refused */
    unsigned mem_at;       /* the instruction that the LD/ST unit has */
    int number;            /* of the core, as in the trace */
    struct sched_at sched[SCHEDULERS];
    cycle_t ready[WARPS]; /* when the warp's next instruction may issue */
    struct stamp_cache l1d, l1c, l1i, l1t;
    struct tex_fifo {
        struct texture_access *at; /* owned: as many as l1t.fragments */
        uint32_t head, len, misses;
        cycle_t left, next; /* the last one that left, and the next one; CYCLE_NEVER: not known */
    } tex;
    struct pipeline pipe;
    struct mem_inst mem[PIPELINE_PLACES]; /* by place in the pipeline */
    struct warp_at warp[WARPS];
    /* of the launch that runs */
    int n, warps, started; /* n: CTAs at once; started: so far */
    int slots;             /* of each core, for local memory */
    int ctas;              /* that it gets, unless the launch is whole */
    cycle_t clock;         /* its last CTA was done */
    cycle_t *boards;       /* owned */
    uint64_t vacant;       /* places for CTAs that are free when cta.done is over */
    uint64_t next_age;
    uint64_t age[WARPS];
    struct cta_at cta[WARPS];
    struct replay_cta *ran; /* owned, of each CTA; kept until the next launch */
    int ends, room;
    cycle_t coded; /* lines of code that its L1I was given */
};

struct replay {
    const struct gpu_cfg *cfg; /* borrowed */
    struct replay_opts o;
    const struct wsched_ops *policy;
    struct uncore mem;
    cycle_t now;
    struct req_queue *queue;     /* owned, by core: requests in front of the network */
    uint64_t queued[ICNT_WORDS]; /* cores that have some */

    struct {
        const struct kernel *kernel;
        addr_t first;
    } * base; /* owned, [bases] */
    int bases, cores;
    struct core_at *core;  /* owned */
    int turn;              /* of a whole launch: the core that gets the first CTA of the next one */
    cycle_t *when;         /* owned: when each core goes on; CYCLE_NEVER: not before it is told */
    struct core_at **told; /* owned, [cores]: those that were told, tolds of them */
    int tolds;
    struct flight **flight; /* owned, [flights]; a request's token is its place */
    int32_t flights, *free_flight, free_flights; /* owned: places that are free */
    struct load *free_load, *last_load;          /* owned: the last one that was made */
    struct wait *free_wait, *last_wait;
    /* of the launch that runs */
    const struct trace *t;
    uint64_t next, end; /* of a whole launch: the CTA that is dealt next; the one behind the last */
    cycle_t deal_at;    /* a CTA may start; no later than that */
    int running;        /* CTAs */

    struct replay_result *out;
    struct inst_meta *meta; /* owned */
    struct op *op;          /* owned */
    int nregs, wpc;
    addr_t code; /* where its kernel lies */
    cycle_t t0;
    double read_sum;
    uint64_t reads;
    uint64_t dram_reads[2]; /* [of later CTAs than the first n] */
};

static inline bool replay_stores(const struct op *op)
{
    return !op->m->load && !op->m->fence;
}

/* What the core does next may have changed. */
static inline void replay_tell(struct core_at *c)
{
    if (!c->told)
        c->r->told[c->r->tolds++] = c;
    c->told = true;
}

/* replay.c: a place for a CTA is free at the end of cycle t. */
void replay_vacant(struct core_at *c, int place, cycle_t t);

/* replay_code.c: address of the first instruction of k's code. Kernels' code lies one behind the
 * other, in the order in which they were first run. */
addr_t replay_code_of(struct replay *r, const struct kernel *k);

/* replay_issue.c */

/* At the end of cycle t. */
void replay_start_cta(struct core_at *c, int slot, cycle_t t);
/* What the core does first, into r->when: a scheduler issues, it fetches, or the LD/ST unit goes
 * on.
 */
void replay_find_next(struct core_at *c);
/* That happens; the core is told. */
void replay_goes_on(struct core_at *c);
/* Whether a fence has something to wait for. */
bool replay_unsettled(const struct core_at *c, const struct warp_at *w);
/* A part of what a load waits for is there at t. With its last one the warp goes on, and the load
 * is gone. */
void replay_back(struct load *l, cycle_t t);
/* The L1I can take misses again at t: warps that it refused fetch again. */
void replay_fetch_again(struct core_at *c, cycle_t t);

/* replay_wait.c */

/* op: NULL: a fetch. The caller counts itself as a part, until it has told all others. */
struct load *replay_load(struct core_at *c, struct warp_at *w, const struct op *op);
void replay_load_over(struct replay *r, struct load *l);
/* q leaves the core at t. */
struct flight *replay_flight(struct core_at *c, struct mem_req *q, cycle_t t);
/* l waits for f as well, and `more` cycles. */
void replay_wait(struct replay *r, struct flight *f, struct load *l, cycle_t more);
/* q is back at t: its line is filled, and whoever waits is told. */
void replay_flight_over(struct replay *r, struct mem_req *q, cycle_t t);
void replay_wait_fini(struct replay *r);

/* replay_net.c. w: whose the request is; NULL: the core's own, for instructions, constants and
 * evictions. */

void replay_net_init(struct replay *r);
void replay_net_fini(struct replay *r);
/* L2 holds the line of addr. */
void replay_hold(struct replay *r, addr_t addr);
/* A request leaves the core at t. Returns its flight; an eviction (REQ_L1_WRITEBACK) has none. */
struct flight *replay_send(struct core_at *c, const struct warp_at *w, addr_t addr, cycle_t t,
                           enum req_kind kind, int bytes);
/* Whether there is room for so many requests more in front of the network. */
bool replay_has_room(const struct core_at *c, int more);
/* Core cycle r->now, before the cores: replies come in, and requests leave. True: something moved;
 * *waits: a request still stands in front of the network. */
bool replay_net_cycle(struct replay *r, bool *waits);

/* replay_tex.c */

void replay_tex_init(struct core_at *c); /* l1t too */
void replay_tex_fini(struct core_at *c);
/* A launch begins at t. */
void replay_tex_begin(struct core_at *c, cycle_t t);
/* An access at t, for which l waits. Returns when it is taken; later than t: nothing was done. */
cycle_t replay_texture(struct core_at *c, const struct warp_at *w, addr_t addr, cycle_t t,
                       struct load *l);
/* The line of an access is there at t. */
void replay_texture_came(struct core_at *c, struct texture_access *a, cycle_t t);
/* The first access leaves, at c->tex.next. */
void replay_texture_leaves(struct core_at *c);

/* replay_ldst.c */

/* A read leaves the cache. w: whose it is; NULL: the core's own. */
struct flight *replay_miss(struct core_at *c, struct stamp_cache *s, const struct stamp_look *k,
                           const struct warp_at *w, addr_t addr, cycle_t t, enum req_kind kind);
/* The LD/ST unit may be waiting for what has just become known. */
void replay_ldst_again(struct core_at *c);

/* Code of w at addr is fetched at t. Returns t if it is there; else when the warp fetches again,
 * CYCLE_NEVER: not before it is told. */
cycle_t replay_fetch(struct core_at *c, struct warp_at *w, addr_t addr, cycle_t t);
/* A memory instruction of w issues at t. */
void replay_mem(struct core_at *c, struct warp_at *w, const struct trace_inst *e,
                const struct op *op, cycle_t t);
/* The LD/ST unit goes on, at c->ldst_at. */
void replay_ldst(struct core_at *c);

#endif
