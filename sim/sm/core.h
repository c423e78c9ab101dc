/* sim/sm/core.h -- the state of one core, shared by the files of this room and by nobody else.
 *
 * Sets of warps are 64-bit masks over warp slots. An issued instruction is an `op`, an index into a
 * pool; what moves through the pipeline is the index. */
#ifndef MDP_SIM_SM_CORE_H
#define MDP_SIM_SM_CORE_H

#include "base/fifo.h"
#include "sim/mem/l1_cache.h"
#include "sim/mem/tex_cache.h"
#include "sim/sm/coalesce.h"
#include "sim/sm/inst_counts.h"
#include "sim/sm/line_set.h"
#include "sim/sm/sched/scheduler_name.h"
#include "sim/sm/sched/warp_scheduler.h"
#include "sim/sm/sm.h"

#define MAX_SCHEDULERS 4
#define MAX_UNITS      24 /* SP, SFU and DP units together */
#define MAX_WIDTH      8  /* instructions in one pipeline register */
#define NO_OP          UINT32_MAX

#define EXEC_PIPES PIPE_MEM /* those with execution units of their own */

struct cta_slot {
    void *cta; /* the source's, owned; made when the slot is used for the first time in a launch */
    int warps_left; /* that have not left the core; 0: free */
    cycle_t start;
    uint64_t order;        /* of arrival on the core, smaller is older */
    uint64_t warp_insts;   /* issued */
    uint64_t before;       /* warp instructions of the core when it started, since sm_new() */
    struct line_set lines; /* traced working set */
};

/* ---- Issue ---- */
/* What a core cycle is: exactly one of these (account.c). */
enum core_state { CORE_ACTIVE, CORE_STALLED, CORE_MEM, CORE_IDLE };

struct scheduler {
    void *state;            /* owned: the policy's */
    struct sched_view view; /* what it may look at */
    enum cause cause;       /* of every cycle since `since` */
    cycle_t since, next_issue;
    uint64_t count[CAUSE_COUNT];
    struct inst_counts *blamed; /* likewise: of the instruction that waits; NULL: nobody asks */
};

/* ---- Instructions on their way ---- */
struct op {
    const struct inst_meta *m;
    uint64_t seq; /* order of issue */
    union {
        uint32_t list; /* memory: index of its transactions; NO_OP: none */
        uint32_t next; /* SP, SFU: the one written back behind it in the same cycle */
    };
    uint16_t pending;  /* loads: transactions without data */
    uint16_t conflict; /* shared memory: cycles it takes */
    uint16_t queued;   /* transactions in the re-execution queue */
    uint8_t warp;      /* slot */
    uint8_t bank;      /* of its register 0 */
    uint8_t space;     /* enum space, resolved */
    bool load : 1, store : 1, atomic : 1, bypass : 1;
    bool remote : 1; /* shared memory: of another CTA */
};

struct txn_list {
    int n, at; /* next to send */
    struct txn t[COALESCE_MAX];
};

/* A pipeline register that holds several instructions, the oldest first. */
struct stage {
    uint8_t width, n;
    uint32_t op[MAX_WIDTH];
};

/* ---- Operand collectors ---- */
struct collector_pipe {
    struct stage in;  /* issue -> collector */
    struct stage out; /* collector -> unit */
    uint64_t set;     /* its units */
    uint8_t ports_in, ports_out;
    uint8_t last[MAX_WIDTH]; /* output port: unit served last */
};

struct collector {
    int busy;             /* instructions between issue and a unit */
    uint64_t waiting;     /* banks with reads queued */
    uint64_t written;     /* banks that a result took this cycle */
    uint64_t free, ready; /* units */
    struct collector_pipe pipe[PIPE_COUNT];
    uint32_t op[64];  /* per unit */
    uint8_t left[64]; /* operands still to be read */
    /* Reads that wait for a bank: units, in order. Entry i of bank b is queue[i * banks + b]; a
     * queue that runs empty starts again at 0, so that few lines of memory are used. */
    uint8_t *queue; /* owned */
    uint16_t head[64], len[64];
    uint32_t queue_mask;
    int banks;
    cycle_t idle; /* cycles that the core spent empty: the allocator's diagonal stood still */
    cycle_t empty_since;
    cycle_t turn_at; /* the last cycle with reads, without the idle ones */
    int turn;        /* the diagonal that was first then */
    int square;      /* size of the allocator's matrix */
};

/* ---- Execution units ---- */
struct results {         /* what is written back in one cycle */
    uint32_t first;      /* op; the others through op.next */
    uint32_t units : 24; /* that land a result */
    uint32_t n : 8;
};

struct exec {
    int inflight;
    uint32_t mask;        /* of the rings below */
    struct results *ring; /* owned, by write-back cycle */
    uint64_t *pending;    /* owned, bit: that ring entry is not empty */
    int end[EXEC_PIPES];  /* units of a pipe: from the end of the pipe before it on */
    cycle_t free_at[MAX_UNITS];
};

/* ---- LD/ST unit ---- */
enum wb_client { WB_SHARED, WB_TEX, WB_CONST, WB_UNCACHED, WB_L1D, WB_CLIENTS };

struct late_hit { /* hits that take longer than their access cycle */
    uint32_t op;
    cycle_t at;
};
struct late_hits {
    struct late_hit *ring; /* owned; NULL: hits are immediate */
    uint32_t mask, head, len;
};

struct reexec_entry { /* a transaction that waits to be tried again */
    uint64_t order;   /* of arrival */
    struct txn t;
    uint32_t op;
    enum l1_result refused; /* why, when it was tried last; L1_HIT: by no cache */
    uint8_t refused_by;
    bool may_go;      /* nothing of its warp that came before keeps it */
    uint64_t changes; /* of that cache, then: it refuses again until they move on */
};
struct reexec {
    struct reexec_entry *entry; /* owned; NULL: there is no queue */
    uint16_t *line;             /* owned: entries in the order in which they are tried, then free */
    int size, n;
    bool in_order;                                  /* car; else newcar */
    uint16_t of_warp[MAX_WARPS], stores[MAX_WARPS]; /* in the queue; of these stores, atomics */
    int may_go;                                     /* entries that may */
    int refused;            /* tries in a row that caches refused while nothing changed there */
    uint64_t queued, tries; /* statistics */
};

struct ldst {
    struct l1_cache *l1d, *l1c; /* owned; NULL: switched off */
    bool l1d_ready, l1c_ready;  /* a completed read waits for the write-back port */
    bool l1d_sends, l1c_sends;  /* the miss queue is not empty */
    struct tex_cache *l1t;      /* owned; NULL: switched off */
    bool l1t_works;             /* something is inside */
    struct fifo responses;
    struct mem_req *uncached; /* reply that waits for the write-back port */
    uint32_t dispatch;        /* op; NO_OP */
    uint32_t shared[3];       /* pipeline behind shared memory; [0] is its end */
    uint32_t next_wb;         /* op whose result is written next; NO_OP */
    int wb_first;             /* client that is asked first */
    struct late_hits late_d, late_c;
    struct late_hits late_r;                        /* results from shared memory of other CTAs */
    enum l1_result refused;                         /* why dispatch is stuck; L1_HIT: it is not */
    enum { BY_L1D, BY_L1C, BY_TEXTURE } refused_by; /* whom */
    bool wb_waits; /* data is back, but the write-back port is taken */
    bool holds;    /* anything at all; else its cycle is the collectors' alone */
    bool stuck;    /* nothing but a reply can unblock dispatch, or the re-execution queue */
    struct reexec reexec;
};

struct kernel_base { /* where a kernel's code lies; its module may have been unloaded since */
    const struct kernel *kernel;
    uint64_t id, first, end; /* instruction slots */
};

struct sm {
    /* touched in every cycle, in as few cache lines as can be */
    const struct sm_cfg *cfg; /* borrowed */
    const struct fault *fault;
    cycle_t wake; /* next cycle in which a tick does anything */
    cycle_t last_tick;
    uint32_t dirty;   /* schedulers whose warps changed */
    uint32_t again;   /* of the one that is asked: it wants to be asked in the next cycle too */
    uint32_t no_room; /* schedulers that have a ready warp but no room in its pipe */
    struct warp_sets set;
    int fetch_slot; /* warp in the fetch buffer; -1: empty */
    int last_fetched;
    int fetch_turn; /* scheduler that fetched last, where the policy orders fetch */
    cycle_t fetch_ready;
    uint32_t fetch_pc;
    bool l1i_works; /* it may have a miss to send or a block that came */
    struct ldst ldst;
    struct op *op; /* owned */
    uint32_t *op_free;
    uint32_t ops, op_free_n;
    uint64_t next_seq;
    struct exec exec;
    struct collector oc;
    struct scheduler sched[MAX_SCHEDULERS];
    struct warp_slot warp[MAX_WARPS];
    uint8_t owner[MAX_WARPS]; /* bit of the slot's scheduler */
    uint8_t bank0[MAX_WARPS]; /* register bank of the slot's register 0 */
    uint64_t age[MAX_WARPS];
    cycle_t issued[MAX_WARPS]; /* when the slot issued last, or its warp started */
    cycle_t patience;          /* of paused warps: sm_run_oldest() */

    /* fixed */
    struct sm_env env;
    int id, warps; /* warp slots */
    const struct warp_scheduler_ops *policy;
    void *core_state;            /* owned: the policy's, shared by the schedulers */
    struct sched_counts counted; /* by the policy, in launches before this one */

    /* fetch */
    struct l1_cache *l1i; /* owned; NULL: switched off */
    addr_t code;          /* address of the kernel's first instruction */
    int prefetch_below;   /* occupied MSHRs; 0: nothing is fetched ahead */
    uint64_t prefetches;

    /* replies */
    struct fifo cluster;

    /* transactions of memory instructions */
    struct txn_list *list; /* owned */
    uint32_t list_free_n, *list_free;

    /* launch */
    struct launch *launch; /* borrowed */
    const struct inst_source *source;
    const struct inst_meta *meta; /* borrowed */
    struct inst_counts *counts;   /* borrowed: by instruction; NULL: nobody asks */
    struct kernel_base *bases;    /* owned; kernels seen so far */
    int nbases;
    int warps_per_cta, cta_limit;
    int resident_ctas;
    uint64_t next_age;
    struct cta_slot cta[MAX_WARPS];
    struct sm_cta_end ended[MAX_WARPS];
    int ended_n;
    struct board_word *board; /* owned: all scoreboards */
    uint32_t board_words;     /* of a warp */
    bool trace;

    /* accounting */
    struct run_stats st;
    uint64_t polls;            /* of the instructions that the launch has issued (inst.polls) */
    uint64_t polling;          /* warps whose last instruction was such a one */
    int cta_polls;             /* CTAs with one of them */
    uint64_t cta_poll_cycles;  /* sm_waiting(), less what these have waited up to now */
    struct run_stats reported; /* what sm_stats() has handed out, all together */
    cycle_t acct_since;        /* the next two hold for every cycle since */
    enum core_state acct_state;
    bool acct_busy; /* a CTA is there */

    struct step step; /* of the instruction that is issuing; not cleared */
    struct coalescer coalescer;
};

/* sm.c */
bool sm_send(struct sm *s, struct mem_req *r, cycle_t now); /* into the network; false: no room */
void sm_warp_left(struct sm *s, int slot, cycle_t now);
void op_pool_grow(struct sm *s);
static inline uint32_t op_new(struct sm *s)
{
    if (!s->op_free_n)
        op_pool_grow(s);
    return s->op_free[--s->op_free_n];
}
static inline void op_put(struct sm *s, uint32_t i)
{
    s->op_free[s->op_free_n++] = i;
}
/* Without -mpopcnt the compiler's own is a call of a library. */
static inline int count_bits(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (int)(x * 0x0101010101010101 >> 56);
}

/* Call when one of the four changed. */
static inline void held_changed(struct warp_sets *w)
{
    w->held = w->barrier | w->atomic | w->fence | w->done;
}
static inline void mark_dirty(struct sm *s, int slot)
{
    s->dirty |= s->owner[slot];
}

/* fetch.c */
void fetch_tick(struct sm *s, cycle_t now); /* fetch, behind decode_tick */
void decode_tick(struct sm *s, cycle_t now);
bool fetch_active(const struct sm *s);
/* Puts what the buffer holds at the head on show: sets, scoreboard. Call when head changed. */
void head_changed(struct sm *s, int slot);
void buffer_flush(struct sm *s, int slot);

/* scoreboard.c */
void board_reserve(struct sm *s, int slot, const struct inst_meta *m);
void board_release(struct sm *s, int slot, const struct inst_meta *m);
void board_check(struct sm *s, int slot); /* dep_mem, dep_alu of the head */
/* A fence or a finished warp may go on now that something of its came back. */
void warp_settled(struct sm *s, int slot);

/* issue.c */
void issue_tick(struct sm *s, cycle_t now);

/* opcoll.c */
void collector_init(struct collector *c, const struct sm_cfg *cfg);
void collector_fini(struct collector *c);
void collector_take(struct sm *s, enum pipe p, uint32_t op); /* from issue; there is room */
void collector_step(struct sm *s, cycle_t now);
/* A result takes the banks of its registers for this cycle; false: one of them is taken. */
bool collector_write(struct sm *s, const struct op *o);
static inline bool stage_full(const struct stage *st)
{
    return st->n == st->width;
}
static inline void stage_add(const struct sm *s, struct stage *st, uint32_t op)
{
    int i = st->n++;
    for (; i > 0 && s->op[st->op[i - 1]].seq > s->op[op].seq; i--)
        st->op[i] = st->op[i - 1];
    st->op[i] = op;
}
/* The oldest leaves; the stage is not empty. */
static inline uint32_t stage_take(struct stage *st)
{
    const uint32_t op = st->op[0];
    st->n--;
    for (int i = 0; i < st->n; i++)
        st->op[i] = st->op[i + 1];
    return op;
}

/* exec.c */
void exec_init(struct exec *x, const struct sm_cfg *cfg);
void exec_fini(struct exec *x);
void exec_writeback(struct sm *s, cycle_t now);
void exec_issue(struct sm *s, cycle_t now);           /* SP and SFU units take instructions */
cycle_t exec_next(const struct exec *x, cycle_t now); /* first write-back after now */

/* ldst.c, mem_gen.c */
void ldst_init(struct sm *s);
void ldst_fini(struct sm *s);
void ldst_tick(struct sm *s, cycle_t now); /* runs the operand collectors too, as GPGPU-Sim does */
void ldst_issue(struct sm *s, cycle_t now);
bool ldst_active(struct sm *s);
cycle_t ldst_next(const struct sm *s);
void ldst_repeat_refusal(struct sm *s,
                         uint64_t cycles); /* the core slept while dispatch was stuck */
void mem_generate(struct sm *s, struct op *o, struct warp_slot *ws); /* from s->step */

bool ldst_send(struct sm *s, uint32_t op, const struct txn *t, cycle_t now); /* one transaction */
void ldst_count_refusals(const struct ldst *d, int by, enum l1_result why, uint64_t n);
void load_complete(struct sm *s, uint32_t op);

/* reexec.c */
void reexec_init(struct sm *s);
void reexec_fini(struct reexec *q);
/* The unit's next transaction: to its cache, or into the queue. False: it stays where it is. */
bool reexec_send(struct sm *s, uint32_t op, const struct txn *t, cycle_t now);
bool reexec_stops_unit(const struct sm *s); /* full: the unit takes no instruction */
bool reexec_has_turn(const struct sm *s);   /* the unit sends nothing in this cycle */
void reexec_try(struct sm *s, cycle_t now); /* one transaction of the queue */
/* All that may go were refused, and are until a cache changes; so many cycles of that. */
bool reexec_stuck(const struct sm *s);
void reexec_repeat(struct sm *s, uint64_t cycles);
void reexec_counts(const struct reexec *q, struct sched_counts *add);

/* ldst_tex.c */
void texture_init(struct sm *s);
bool texture_send(struct sm *s, uint32_t op, const struct txn *t, cycle_t now);
void texture_tick(struct sm *s, cycle_t now);
/* Whether the texture cache has something to do in the next cycle. */
static inline bool texture_moves(const struct sm *s)
{
    return s->ldst.l1t_works && tex_next(s->ldst.l1t) <= s->last_tick + 1;
}

/* account.c */
void account_cause(struct scheduler *c, enum cause cause, cycle_t now); /* it changes */
/* An instruction of the warp has issued, since when it waits, or does not. */
void account_polls(struct sm *s, int slot, bool waits, cycle_t now);
void sched_counts_of_launch(const struct sm *s, struct sched_counts *add);
void account_core(struct sm *s, cycle_t now); /* the core is where this cycle leaves it */

#endif
