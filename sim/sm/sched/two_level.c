/* Two levels of warps (Gebhart et al., ISCA 2011; as GPGPU-Sim 3.2.1's two_level_active has it):
 * only the warps of the active set may issue. A warp leaves it when its next instruction waits for
 * a long-latency load, or when it waits at a barrier, a fence or for an atomic, or has ended; it
 * goes to the end of the queue of pending warps. Places that are free are filled from there
 * (two_level.outer):
 *
 *   srr   in the order of the queue
 *   gto   the oldest first
 *   paws  by phase distance (phases.h)
 *
 * and the active warps take turns (two_level.inner): lrr in the order in which they came, starting
 * behind the one that issued last, or gto. A warp that still waits keeps its place in the queue and
 * is passed over; GPGPU-Sim promotes it, and sends it back in the next cycle. One that never waits
 * for memory (it may be waiting in a loop for one that is pending) has its place for two_level.turn
 * cycles, then it goes to the end of the queue if another could have the place, and comes after all
 * that have not had a turn, whatever the order; in GPGPU-Sim it stays. */
#include "sim/sm/sched/phases.h"

#include "base/suggest.h"

#include <string.h>

enum outer { OUTER_SRR, OUTER_GTO, OUTER_PAWS };
enum inner { INNER_LRR, INNER_GTO };
const char *const two_level_outer_words[] = {"srr", "gto", "paws", NULL};
const char *const two_level_inner_words[] = {"lrr", "gto", NULL};

struct row { /* warps, the first first */
    uint64_t set;
    int n;
    uint8_t slot[MAX_WARPS];
};

struct two_level {
    int size, outer, inner; /* parameters */
    cycle_t turn;
    struct row active, pending;
    uint64_t had;             /* of pending: their turn was over */
    int last;                 /* slot that issued last */
    cycle_t since[MAX_WARPS]; /* of an active one: when it was promoted */
};

static int index_of(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static bool known(const char *const *names, const char *parameter, const char *name, struct err *e)
{
    char near[128];
    struct suggest s;
    if (index_of(names, name) >= 0)
        return true;
    suggest_init(&s, name);
    for (int i = 0; names[i]; i++)
        suggest_offer(&s, names[i]);
    return err_set(e, "two_level.%s = \"%s\": no such order of %s%s", parameter, name,
                   names == two_level_outer_words ? "promotion (srr, gto, paws)"
                                                  : "active warps (lrr, gto)",
                   suggest_text(&s, near, sizeof near));
}

static bool check(const struct sm_cfg *c, struct err *e)
{
    return known(two_level_outer_words, "outer", c->two_level.outer, e) &&
           known(two_level_inner_words, "inner", c->two_level.inner, e);
}

/* ---- Rows ---- */
static void append(struct row *r, int slot)
{
    r->slot[r->n++] = (uint8_t)slot;
    r->set |= 1ull << slot;
}

static void take_out(struct row *r, int slot)
{
    int i = 0;
    if (!(r->set >> slot & 1))
        return;
    while (r->slot[i] != slot)
        i++;
    memmove(&r->slot[i], &r->slot[i + 1], (size_t)(--r->n - i));
    r->set &= ~(1ull << slot);
}

static int first_of(const struct row *r, uint64_t among)
{
    int i = 0;
    while (!(among >> r->slot[i] & 1))
        i++;
    return r->slot[i];
}

/* ---- Life ---- */
static void launch(void *st, const struct sched_view *v)
{
    const struct two_level_cfg *c = &v->cfg->two_level;
    *(struct two_level *)st = (struct two_level){.size = c->size,
                                                 .outer = index_of(two_level_outer_words, c->outer),
                                                 .inner = index_of(two_level_inner_words, c->inner),
                                                 .turn = (cycle_t)c->turn};
}

static void *analyse(const struct sched_code *code)
{
    return strcmp(code->cfg->two_level.outer, "paws") == 0 ? phases_build(code) : NULL;
}

static const char *note(const void *analysis)
{
    const struct phases *p = analysis; /* NULL: another order */
    return !p || p->any ? NULL : PHASES_NOTE("two_level.outer = \"paws\"");
}

static void warp_started(void *st, const struct sched_view *v, int slot)
{
    (void)v;
    append(&((struct two_level *)st)->pending, slot);
}

static void warp_left(void *st, const struct sched_view *v, int slot)
{
    struct two_level *t = st;
    (void)v;
    take_out(&t->active, slot);
    take_out(&t->pending, slot);
    t->had &= ~(1ull << slot);
}

/* ---- Decisions ---- */
/* Else old warps that spin would come back for ever, before the young one that they wait for. */
static int promoted(const struct two_level *t, const struct sched_view *v, uint64_t among)
{
    if (t->outer == OUTER_SRR || !(among & ~t->had))
        return first_of(&t->pending, among);
    return t->outer == OUTER_GTO ? sched_oldest(v, among & ~t->had)
                                 : phases_first(v->analysis, v, among & ~t->had);
}

static void demote(struct two_level *t, uint64_t waiting)
{
    const struct row before = t->active;
    t->active.n = 0;
    t->active.set = 0;
    for (int i = 0; i < before.n; i++)
        append(waiting >> before.slot[i] & 1 ? &t->pending : &t->active, before.slot[i]);
}

/* A warp of a paused CTA is as one that waits while there are others for its place. */
static uint64_t waits(const struct two_level *t, const struct sched_view *v)
{
    const uint64_t waiting = v->set->held | v->set->dep_long;
    return t->pending.set & ~waiting & ~v->set->paused ? waiting | v->set->paused : waiting;
}

/* The warp that was promoted first gives way if its turn is over. */
static void relieve(struct two_level *t, cycle_t now)
{
    int first = t->active.slot[0];
    for (int i = 1; i < t->active.n; i++)
        if (t->since[t->active.slot[i]] < t->since[first])
            first = t->active.slot[i];
    if (now - t->since[first] < t->turn)
        return;
    demote(t, 1ull << first);
    t->had |= 1ull << first;
}

static uint64_t admit(void *st, const struct sched_view *v, bool *again)
{
    struct two_level *t = st;
    const uint64_t waiting = waits(t, v);
    (void)again;
    if (t->active.set & waiting)
        demote(t, waiting);
    uint64_t may = t->pending.set & ~waiting;
    if (may && t->turn && t->active.n == t->size)
        relieve(t, v->now);
    while (may && t->active.n < t->size) {
        const int slot = promoted(t, v, may);
        may &= ~(1ull << slot);
        take_out(&t->pending, slot);
        t->had &= ~(1ull << slot);
        append(&t->active, slot);
        t->since[slot] = v->now;
    }
    return t->active.set;
}

static int pick(const void *st, const struct sched_view *v, uint64_t among)
{
    const struct two_level *t = st;
    if (t->inner == INNER_LRR)
        return first_of(&t->active, among);
    return among >> t->last & 1 ? t->last : sched_oldest(v, among);
}

static void issued(void *st, const struct sched_view *v, int slot, const struct inst_meta *m)
{
    struct two_level *t = st;
    struct row *r = &t->active;
    uint8_t before[MAX_WARPS];
    int i = 0;
    (void)v, (void)m;
    t->last = slot;
    while (r->slot[i] != slot)
        i++;
    i++; /* the row begins behind it */
    memcpy(before, r->slot, (size_t)i);
    memmove(r->slot, r->slot + i, (size_t)(r->n - i));
    memcpy(r->slot + r->n - i, before, (size_t)i);
}

const struct warp_scheduler_ops warp_scheduler_two_level = {
    .name = "two-level",
    .help = "an active set that warps leave while they wait for memory",
    .paper = "Gebhart et al., ISCA 2011; Awatramani et al., PACT 2015",
    .bytes = sizeof(struct two_level),
    .check = check,
    .analyse = analyse,
    .note = note,
    .launch = launch,
    .warp_started = warp_started,
    .warp_left = warp_left,
    .admit = admit,
    .pick = pick,
    .issued = issued,
};
