/* reuse.c -- a set's lines in order of their last access: position p of its time holds the line
 * last touched then, or none; a Fenwick tree counts the positions that hold one. When time runs
 * out, the lines are moved together and time goes on behind them. */
#include "sampler/window/reuse.h"

#include <stdlib.h>

#include "base/buckets.h"
#include "base/err.h"

#define FIRST_POSITIONS 16
#define FIRST_SLOTS     256

struct stack {      /* of one set; positions 1..cap */
    uint32_t *id;   /* owned, [cap + 1]: line at a position, + 1; 0: none */
    uint32_t *tree; /* owned, [cap + 1] */
    uint32_t cap, now, live;
};

struct view { /* of one number of sets */
    uint32_t mask;
    struct stack *set; /* owned */
    uint32_t *time;    /* owned, by line: its position; 0: not there */
    uint64_t count[BUCKETS];
};

struct reuse {
    struct view *view; /* owned */
    int views;
    uint64_t *slot;      /* owned: hash table of lines + 1; 0: free */
    uint32_t *slot_id;   /* owned */
    uint32_t slots;      /* a power of two */
    uint32_t lines, cap; /* ids given out; room in view.time and once */
    bool *once;          /* owned, by line: accessed once so far */
    uint32_t again;      /* lines accessed more often */
    bool full;           /* REUSE_MAX_LINES were there */
    uint64_t accesses, cold;
};

struct reuse *reuse_new(const uint32_t *sets, int n)
{
    struct reuse *r = xcalloc(1, sizeof *r);
    r->view = xcalloc((size_t)n, sizeof *r->view);
    r->views = n;
    for (int i = 0; i < n; i++) {
        r->view[i].mask = sets[i] - 1;
        r->view[i].set = xcalloc(sets[i], sizeof *r->view[i].set);
    }
    return r;
}

void reuse_free(struct reuse *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->views; i++) {
        for (uint32_t s = 0; s <= r->view[i].mask; s++) {
            free(r->view[i].set[s].id);
            free(r->view[i].set[s].tree);
        }
        free(r->view[i].set);
        free(r->view[i].time);
    }
    free(r->view);
    free(r->once);
    free(r->slot);
    free(r->slot_id);
    free(r);
}

/* ---- lines by number ---- */

static uint32_t slot_of(const struct reuse *r, uint64_t line)
{
    uint32_t i = (uint32_t)((line + 1) * 0x9e3779b97f4a7c15ull >> 32) & (r->slots - 1);
    while (r->slot[i] && r->slot[i] != line + 1)
        i = (i + 1) & (r->slots - 1);
    return i;
}

static void grow_slots(struct reuse *r)
{
    const uint32_t old = r->slots;
    uint64_t *slot = r->slot;
    uint32_t *id = r->slot_id;
    r->slots = old ? 2 * old : FIRST_SLOTS;
    r->slot = xcalloc(r->slots, sizeof *r->slot);
    r->slot_id = xcalloc(r->slots, sizeof *r->slot_id);
    for (uint32_t i = 0; i < old; i++)
        if (slot[i]) {
            const uint32_t at = slot_of(r, slot[i] - 1);
            r->slot[at] = slot[i];
            r->slot_id[at] = id[i];
        }
    free(slot);
    free(id);
}

static bool find(const struct reuse *r, uint64_t line, uint32_t *id)
{
    if (!r->slots)
        return false;
    const uint32_t at = slot_of(r, line);
    *id = r->slot_id[at];
    return r->slot[at] != 0;
}

static uint32_t add(struct reuse *r, uint64_t line)
{
    if (r->lines >= r->slots / 2)
        grow_slots(r);
    if (r->lines == r->cap) {
        r->cap = r->cap ? 2 * r->cap : FIRST_SLOTS;
        r->once = xrealloc(r->once, r->cap * sizeof *r->once);
        for (int i = 0; i < r->views; i++)
            r->view[i].time = xrealloc(r->view[i].time, r->cap * sizeof *r->view[i].time);
    }
    const uint32_t at = slot_of(r, line);
    r->slot[at] = line + 1;
    r->once[r->lines] = true;
    for (int i = 0; i < r->views; i++)
        r->view[i].time[r->lines] = 0;
    return r->slot_id[at] = r->lines++;
}

/* ---- a set in time ---- */

static void tree_add(struct stack *s, uint32_t at, uint32_t what)
{
    for (; at <= s->cap; at += at & -at)
        s->tree[at] += what;
}

/* Lines whose last access was at position `at` or before. */
static uint32_t tree_upto(const struct stack *s, uint32_t at)
{
    uint32_t sum = 0;
    for (; at; at &= at - 1)
        sum += s->tree[at];
    return sum;
}

/* The lines to positions 1..live, with as much room behind them. */
static void move_together(struct stack *s, uint32_t *time)
{
    uint32_t cap = FIRST_POSITIONS, n = 0;
    while (cap < 2 * s->live)
        cap *= 2;
    uint32_t *id = xcalloc(cap + 1, sizeof *id);
    for (uint32_t p = 1; p <= s->now; p++)
        if (s->id[p]) {
            id[++n] = s->id[p];
            time[s->id[p] - 1] = n;
        }
    free(s->id);
    s->id = id;
    s->tree = xrealloc(s->tree, (cap + 1) * sizeof *s->tree);
    for (uint32_t p = 1; p <= cap; p++) { /* node p counts the positions (p - lowest bit, p] */
        const uint32_t from = p & (p - 1), to = p < n ? p : n;
        s->tree[p] = to > from ? to - from : 0;
    }
    s->cap = cap;
    s->now = n;
}

static void take_out(struct stack *s, uint32_t *time, uint32_t id)
{
    tree_add(s, time[id], UINT32_MAX); /* -1 */
    s->id[time[id]] = 0;
    s->live--;
    time[id] = 0;
}

static void put_on_top(struct stack *s, uint32_t *time, uint32_t id)
{
    if (s->now == s->cap)
        move_together(s, time);
    s->now++;
    s->id[s->now] = id + 1;
    tree_add(s, s->now, 1);
    s->live++;
    time[id] = s->now;
}

static void access_line(struct reuse *r, uint64_t line, uint32_t id)
{
    const bool there = r->view[0].time[id] != 0; /* in one view, in all */
    r->accesses++;
    r->cold += !there;
    for (int i = 0; i < r->views; i++) {
        struct view *v = &r->view[i];
        struct stack *s = &v->set[line & v->mask];
        if (there && v->time[id] == s->now) {
            v->count[0]++;
            continue;
        }
        if (there) {
            v->count[bucket_of(s->live - tree_upto(s, v->time[id]))]++;
            take_out(s, v->time, id);
        }
        put_on_top(s, v->time, id);
    }
}

static void access_again(struct reuse *r, uint64_t line, uint32_t id)
{
    r->again += r->once[id];
    r->once[id] = false;
    access_line(r, line, id);
}

void reuse_load(struct reuse *r, uint64_t line)
{
    uint32_t id;
    const bool known = find(r, line, &id);
    r->full |= !known && r->lines == REUSE_MAX_LINES;
    if (r->full)
        return;
    if (known)
        access_again(r, line, id);
    else
        access_line(r, line, add(r, line));
}

void reuse_update(struct reuse *r, uint64_t line)
{
    uint32_t id;
    if (!r->full && find(r, line, &id) && r->view[0].time[id])
        access_again(r, line, id);
}

void reuse_evict(struct reuse *r, uint64_t line)
{
    uint32_t id;
    if (r->full || !find(r, line, &id) || !r->view[0].time[id])
        return;
    for (int i = 0; i < r->views; i++) {
        struct view *v = &r->view[i];
        take_out(&v->set[line & v->mask], v->time, id);
    }
}

uint64_t reuse_accesses(const struct reuse *r)
{
    return r->accesses;
}

uint64_t reuse_cold(const struct reuse *r)
{
    return r->cold;
}

uint64_t reuse_lines(const struct reuse *r)
{
    return r->lines;
}

uint64_t reuse_again(const struct reuse *r)
{
    return r->again;
}

void reuse_histogram(const struct reuse *r, int i, double *out)
{
    for (int b = 0; b < BUCKETS; b++)
        out[b] += (double)r->view[i].count[b];
}
