#include "sim/func/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/func/barrier.h"
#include "sim/func/cta_cluster.h"
#include "sim/func/exec.h"
#include "sim/func/race.h"
#include "sim/func/simt.h"
#include "sim/func/stuck.h"

/* So often in a row, every warp of a CTA may do nothing but wait in a loop, before another CTA has
 * its turn: what they wait for may be there. */
#define WAITING_ROUNDS 64
/* So many rounds of a loop that only waits are a warp's turn; and so many times in a row that all
 * of its warps do nothing else, the CTA's. */
#define POLLS      16
#define POLL_TURNS 2
/* Warp instructions of a CTA's turn, whatever its warps come to: one that looks at memory between
 * two barriers, again and again, waits too. A quarter for the next ones, down to the least. */
#define LONGEST_TURN  (1u << 18)
#define LOOKING_TURN  (1u << 14) /* where the kernel looks at what others write */
#define SHORTEST_TURN (1u << 10)
/* ... and where the kernel looks at what others write, those in which it did nothing that they
 * could see: it may wait for them in a loop that does more than that. */
#define UNPUBLISHED_TURN 4096
/* Warp instructions without the end of a CTA after which it is asked whether any can go on; each
 * time that they can, twice as many, up to the most. */
#define LOOK_LEAST (1u << 16)
#define LOOK_MOST  (1u << 26)

/* Core cycles from an instruction of a warp to its next one, about: what a clock reads goes by it,
 * and so a kernel that waits by the clock executes about as much as it does with timing. */
#define WARP_CPI 8

struct run {
    const struct func_opts *o;
    struct func_counts counts;
    uint64_t limit, turn;
    uint32_t stop_at; /* flags of instructions at which turns may end */
    struct slot {
        struct cta *cta; /* owned; begun; NULL: not needed so far */
        bool followed;   /* on_step is told of it */
    } * slot;            /* owned */
    int slots, running;
    int cluster;                        /* CTAs of a cluster: slots that begin together */
    int still;                          /* turns in a row in which no warp could go on */
    uint64_t next, end;                 /* CTAs not begun, in launch_cta_in_order() */
    uint64_t look_at, look_every, seen; /* warp instructions; CTAs that had ended */
    uint64_t longest;                   /* turn of a CTA */
    uint64_t published_at; /* warp instructions, when a CTA last did what others may see */
    bool may_wait;         /* its kernel looks at what other CTAs write */
};

static uint64_t lanes_in(lanes_t m)
{
    if (m == LANES_ALL)
        return WARP_SIZE;
    m -= m >> 1 & 0x55555555;
    m = (m & 0x33333333) + (m >> 2 & 0x33333333);
    return ((m + (m >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

static bool limit_reached(struct run *r, struct warp *w)
{
    char text[120];
    snprintf(text, sizeof text, "still running after %llu warp instructions, the limit of this run",
             (unsigned long long)r->counts.warp_insts);
    warp_fault(w, &w->cta->kernel->inst[warp_pc(w)], FAULT_LIMIT, __builtin_ctz(w->live), 0, 0,
               text);
    return false;
}

/* A warp's turn. */
struct turn {
    uint64_t n;    /* instructions so far */
    uint32_t kind; /* of its accesses to memory that others see: flags; 0: none so far */
    int rounds;    /* of a loop that only waits (poll.h), with nothing else between them */
    enum { TURN_ENDS, TURN_YIELDS, TURN_POLLS, TURN_LONG /* it would go on */ } how;
};

/* The warp reads after it has written, or the other way round, or may wait for another one: first
 * the others do what it has done. */
static inline bool turns_round(struct turn *t, const struct inst *in)
{
    const uint32_t kind = in->flags & (INST_LOAD | INST_STORE | INST_ATOMIC);
    if (t->kind && (kind != t->kind || in->flags & INST_VOLATILE || in->op == OP_ATOM))
        return true;
    t->kind = kind;
    return false;
}

/* Time, for who looks at a clock. */
static inline void pass(struct cta *c, uint64_t cycles)
{
    c->now += cycles;
    c->now_ps += 1000 * cycles;
}

/* As warp_step() one after the other, up to an instruction that may change which lanes go on where,
 * or give others their turn: until then nothing but the pc of the path that runs moves. */
static void run_straight(struct run *r, struct warp *w, struct step *s, struct turn *t)
{
    struct cta *c = w->cta;
    const struct inst *code = c->kernel->inst;
    struct simt_entry *top = simt_top(w);
    const lanes_t mask = top->mask;
    const uint32_t rpc = top->rpc, stop_at = r->stop_at;
    const uint64_t left = r->limit - r->counts.warp_insts, rest = r->turn - t->n;
    const uint64_t most = left < rest ? left : rest, cpi = c->cpi;
    uint32_t pc = top->pc;
    uint64_t n = 0, lanes = 0, polls = 0;
    bool published = false;
    w->out = s;
    while (n < most && pc != rpc) {
        const struct inst *in = &code[pc];
        if (in->flags & stop_at && (in->flags & INST_TURN || turns_round(t, in)))
            break;
        lanes_t active = mask;
        if (in->guard.off != OPND_NONE)
            active &= pred_get(w, &in->guard);
        s->inst = in;
        s->active = active;
        if (active) {
            in->exec(w, in, active);
            published |= in->publishes;
        }
        lanes += lanes_in(active);
        polls += in->polls;
        n++;
        pc++;
        pass(c, cpi);
        if (c->fault.kind != FAULT_NONE)
            break;
    }
    top->pc = pc;
    w->steps += n;
    t->n += n;
    r->counts.warp_insts += n;
    r->counts.thread_insts += lanes;
    r->counts.polls += polls;
    if (published)
        r->published_at = r->counts.warp_insts;
    simt_reconverge(w);
}

/* The loop that everything is in, warp_step() with it. */
__attribute__((flatten)) static bool run_warp(struct run *r, struct warp *w, bool followed,
                                              struct step *s, struct turn *t)
{
    struct cta *c = w->cta;
    *t = (struct turn){.how = TURN_ENDS};
    while (t->n < r->turn) {
        if (!followed) {
            run_straight(r, w, s, t);
            if (c->fault.kind != FAULT_NONE)
                return false;
            if (t->n == r->turn)
                break;
        }
        if (r->counts.warp_insts == r->limit)
            return limit_reached(r, w);
        const struct inst *in = &c->kernel->inst[warp_pc(w)];
        if (in->flags & r->stop_at & INST_SEEN && turns_round(t, in)) {
            t->how = in->polls ? TURN_POLLS : TURN_LONG;
            return true;
        }
        bool ok = warp_step(w, s);
        t->n++;
        r->counts.warp_insts++;
        r->counts.thread_insts += lanes_in(s->active);
        r->counts.polls += in->polls;
        if (in->publishes && s->active)
            r->published_at = r->counts.warp_insts;
        pass(c, c->cpi);
        if (followed)
            r->o->on_step(r->o->user, w, s);
        if (!ok || w->live == 0 || warp_waiting(w))
            return ok;
        if (s->yields) {
            t->how = TURN_YIELDS;
            return true;
        }
        if (in->polls && w->index == 0 && in->op == OP_BRA && !c->kernel->inst[warp_pc(w)].polls)
            r->counts.waits++;
        t->rounds = in->polls ? t->rounds + (in->op == OP_BRA) : 0;
        if (t->rounds == POLLS) {
            t->how = TURN_POLLS;
            return true;
        }
    }
    t->how = TURN_LONG;
    return true;
}

/* No warp of the CTA can go on: it may wait for others of its cluster, unless all do. */
static bool waits_for_cluster(struct run *r, struct cta *c)
{
    bool waits = false;
    for (int i = 0; i < c->nwarps; i++)
        waits |= c->warp[i].live && c->warp[i].barrier == CLUSTER_BARRIER;
    if (waits && ++r->still <= r->slots)
        return true;
    cta_barrier_deadlock(c);
    return false;
}

/* What came of a turn of each warp. */
struct round {
    bool moved;         /* one at least could go on */
    bool ended, yields; /* a warp has come to a barrier or its end; waits in a loop */
    bool goes_on;       /* ... would have gone on */
    uint64_t longest;   /* turn, in instructions */
};

/* The fewer warps go on, the longer each instruction takes: one warp is as slow as its own results.
 */
static void set_cpi(struct cta *c)
{
    uint32_t n = 0;
    for (int i = 0; i < c->nwarps; i++)
        n += c->warp[i].live && !warp_waiting(&c->warp[i]);
    c->cpi = n && n < WARP_CPI ? WARP_CPI / n : 1;
}

static bool run_round(struct run *r, const struct slot *at, struct step *s, struct round *now)
{
    struct cta *c = at->cta;
    set_cpi(c);
    for (int i = 0; i < c->nwarps; i++) {
        struct warp *w = &c->warp[i];
        struct turn turn;
        if (w->live == 0 || warp_waiting(w))
            continue;
        if (!run_warp(r, w, at->followed, s, &turn))
            return false;
        now->moved = true;
        now->ended |= turn.how == TURN_ENDS;
        now->yields |= turn.how == TURN_YIELDS;
        now->goes_on |= turn.how == TURN_LONG;
        if (turn.n > now->longest)
            now->longest = turn.n;
    }
    return true;
}

static bool may_go_unpublished(struct run *r, struct cta *c)
{
    if (!r->o->max_unpublished || cta_done(c) ||
        r->counts.warp_insts - r->published_at <= r->o->max_unpublished)
        return true;
    struct warp *w = c->warp;
    while (w->live == 0)
        w++;
    return limit_reached(r, w);
}

static bool is_idle_turn(const struct run *r, uint64_t start)
{
    const uint64_t since = r->published_at > start ? r->published_at : start;
    return r->may_wait && r->counts.warp_insts >= since + UNPUBLISHED_TURN;
}

/* Until the CTA is done, or its warps have gone on for long since one of them came to a barrier or
 * to its end, or for very long, or all that can go on wait in loops. */
static bool run_cta(struct run *r, const struct slot *at, struct step *s)
{
    struct cta *c = at->cta;
    const uint64_t start = r->counts.warp_insts, until = start + r->longest;
    uint64_t spent = 0;
    int polled = 0; /* rounds in a row */
    for (int waited = 0; !cta_done(c) && waited < WAITING_ROUNDS && polled < POLL_TURNS;) {
        struct round now = {0};
        const uint64_t before = func_work(&r->counts);
        if (!run_round(r, at, s, &now) || !may_go_unpublished(r, c))
            return false;
        if (now.moved)
            r->still = 0;
        else if (!cta_clusters_settle(c->launch->clusters))
            return waits_for_cluster(r, c);
        polled = now.moved && func_work(&r->counts) == before ? polled + 1 : 0;
        if (now.goes_on)
            spent += now.longest;
        if (spent >= FUNC_LONG_TURN || is_idle_turn(r, start))
            break;
        if (r->counts.warp_insts >= until) {
            r->longest = r->longest / 4 > SHORTEST_TURN ? r->longest / 4 : SHORTEST_TURN;
            break;
        }
        if (now.ended) {
            spent = 0;
            waited = 1;
        } else if (now.yields || !now.moved) {
            waited++;
        }
    }
    return true;
}

static void begin(struct run *r, struct launch *l, struct slot *at)
{
    const uint64_t number = launch_cta_in_order(l, r->next++);
    const struct func_opts *o = r->o;
    cta_init(at->cta, number, 0, 1);
    r->published_at = r->counts.warp_insts;
    at->followed = o->on_step && (!o->follows || o->follows(o->user, number));
    r->running++;
}

static bool ended(struct run *r, const struct cta *c, struct err *e)
{
    const uint64_t done = ++r->counts.ctas, all = done + (uint64_t)--r->running + r->end - r->next;
    uint64_t insts = 0;
    for (int i = 0; i < c->nwarps; i++)
        insts += c->warp[i].steps;
    if (r->o->on_done)
        r->o->on_done(r->o->user, (uint64_t)c->linear, insts);
    return !r->o->progress || r->o->progress(r->o->progress_user, done, all) ||
           err_set(e, "stopped");
}

/* The first CTA that runs, if all of them are stuck; else NULL. */
static struct cta *all_stuck(const struct run *r)
{
    struct cta *first = NULL;
    for (int i = 0; i < r->slots; i++) {
        struct cta *c = r->slot[i].cta;
        if (!c || cta_done(c))
            continue;
        if (!cta_stuck(c))
            return NULL;
        first = first ? first : c;
    }
    return first;
}

/* All CTAs that run are stuck, this one too; nothing is executed while they are. False: for ever.
 */
static bool others_help(const struct run *r, struct launch *l, struct cta *stuck, struct err *e)
{
    for (; stuck; stuck = all_stuck(r))
        if (!l->others || !l->others(l->others_user, true)) {
            cta_never_ends(stuck, r->end - r->next);
            return fault_to_err(&stuck->fault, l, e);
        }
    return true;
}

/* CTAs of its grid are left out, for which those that run may wait. */
static bool is_part(const struct run *r, const struct launch *l)
{
    return r->o->num_ctas && r->o->num_ctas < launch_ctas(l);
}

/* Every CTA that runs has had its turn. False: they can never end. */
static bool may_go_on(struct run *r, struct launch *l, struct err *e)
{
    if (r->counts.warp_insts < r->look_at || (is_part(r, l) && !r->o->alone))
        return true;
    struct cta *stuck = r->counts.ctas == r->seen ? all_stuck(r) : NULL;
    if (stuck || r->counts.ctas != r->seen)
        r->look_every = LOOK_LEAST;
    else if (r->look_every < LOOK_MOST)
        r->look_every *= 2;
    r->seen = r->counts.ctas;
    r->look_at = r->counts.warp_insts + r->look_every;
    if (!others_help(r, l, stuck, e))
        return false;
    if (l->others)
        l->others(l->others_user, false);
    return true;
}

static bool is_idle(const struct slot *s)
{
    return !s->cta || cta_done(s->cta);
}

/* The CTAs of a cluster begin when its slots, from i on, are all free. */
static bool begin_cluster(struct run *r, struct launch *l, int i)
{
    if (i % r->cluster)
        return false;
    for (int k = 0; k < r->cluster; k++)
        if (!is_idle(&r->slot[i + k]))
            return false;
    for (int k = 0; k < r->cluster; k++) {
        struct slot *s = &r->slot[i + k];
        if (!s->cta)
            s->cta = cta_new(l);
        begin(r, l, s);
    }
    return true;
}

/* One slot after another has its turn; while no CTA waits for its next turn, the first is enough.
 */
static bool run_slots(struct run *r, struct launch *l, struct err *e)
{
    struct step s;
    for (int i = 0; r->running || r->next < r->end;
         i = r->running ? (i + 1) % r->slots : i - i % r->cluster) {
        struct slot *at = &r->slot[i];
        if (i == 0 && r->running && !may_go_on(r, l, e))
            return false;
        if (is_idle(at)) {
            if (r->next == r->end || !begin_cluster(r, l, i))
                continue;
        }
        if (!run_cta(r, at, &s)) {
            fault_to_err(&at->cta->fault, l, e);
            return false;
        }
        if (cta_done(at->cta) && !ended(r, at->cta, e))
            return err_prefix(e, "kernel %s", l->kernel->name);
    }
    return true;
}

/* A warp that is its CTA's only one gives its turn to nobody. */
static void set_turns(struct run *r, const struct launch *l)
{
    r->may_wait = r->o->resident > 1 && l->kernel->volatile_loads;
    r->longest = r->may_wait ? LOOKING_TURN : LONGEST_TURN;
    const bool is_short = !r->o->turn && launch_warps(l) > 1;
    r->turn = r->o->turn ? r->o->turn : is_short ? FUNC_TURN : FUNC_LONG_TURN;
    r->stop_at = INST_TURN | (is_short ? (uint32_t)INST_SEEN : 0);
}

/* As many as may be there at once, in whole clusters. */
static void set_slots(struct run *r, const struct launch *l)
{
    r->slots = r->o->resident > 1 && r->next < r->end ? r->o->resident : 1;
    if ((uint64_t)r->slots > r->end - r->next && r->slots > 1)
        r->slots = (int)(r->end - r->next);
    r->cluster = launch_cluster_ctas(l);
    r->slots = r->slots < r->cluster ? r->cluster : r->slots / r->cluster * r->cluster;
    r->slot = xcalloc((size_t)r->slots, sizeof *r->slot);
}

static void look_for_races(void *races, const struct warp *w, const struct step *s)
{
    races_step(races, w, s);
}

bool func_run(struct launch *l, const struct func_opts *o, struct func_counts *counts,
              struct err *e)
{
    struct func_opts with = o ? *o : (struct func_opts){0};
    struct run r = {.o = &with};
    if (l->races && !with.on_step && !with.on_done) {
        with.on_step = look_for_races;
        with.user = l->races;
    }
    r.limit = r.o->max_warp_insts ? r.o->max_warp_insts : UINT64_MAX;
    if (!launch_init(l, e))
        return false;
    if (l->recorded)
        return err_set(e, "kernel %s: a trace has no values, so that it cannot be executed",
                       l->kernel->name);
    const uint64_t all = launch_ctas(l);
    set_turns(&r, l);
    r.next = r.o->first_cta;
    r.end = r.next < all && r.o->num_ctas && r.o->num_ctas < all - r.next ? r.next + r.o->num_ctas
                                                                          : all;
    r.look_at = r.look_every = LOOK_LEAST;
    set_slots(&r, l);
    l->clusters = cta_clusters_new(l);
    bool ok = run_slots(&r, l, e);
    cta_clusters_free(l->clusters);
    l->clusters = NULL;
    for (int i = 0; i < r.slots; i++)
        cta_free(r.slot[i].cta);
    free(r.slot);
    if (counts)
        *counts = r.counts;
    return ok;
}
