/* reuse.c -- lines in order of their last access: position p of time holds the line last touched
 * then, or none; a Fenwick tree counts the positions that hold one. When time runs out, the lines
 * are moved together and time goes on behind them. */
#include "sampler/profile/reuse.h"

#include <stdlib.h>

#include "base/buckets.h"
#include "base/err.h"

#define FIRST_POSITIONS 16
#define FIRST_SLOTS     256

struct reuse {
    uint32_t *id;        /* owned, positions 1..end: number of the line there, + 1; 0: none */
    uint32_t *tree;      /* owned, [end + 1] */
    uint32_t end, now;   /* positions; the last one taken */
    uint32_t *time;      /* owned, by number of a line: its position */
    uint32_t lines, cap; /* numbers given out; room in time */
    uint64_t *slot;      /* owned: hash table of lines + 1; 0: free */
    uint32_t *slot_id;   /* owned */
    uint32_t slots;      /* a power of two */
    uint64_t count[BUCKETS];
};

struct reuse *reuse_new(void)
{
    return xcalloc(1, sizeof(struct reuse));
}

void reuse_free(struct reuse *r)
{
    if (!r)
        return;
    free(r->id);
    free(r->tree);
    free(r->time);
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
        r->time = xrealloc(r->time, r->cap * sizeof *r->time);
    }
    const uint32_t at = slot_of(r, line);
    r->slot[at] = line + 1;
    return r->slot_id[at] = r->lines++;
}

/* ---- lines in time ---- */

static void tree_add(struct reuse *r, uint32_t at, uint32_t what)
{
    for (; at <= r->end; at += at & -at)
        r->tree[at] += what;
}

/* Lines whose last access was at position `at` or before. */
static uint32_t tree_upto(const struct reuse *r, uint32_t at)
{
    uint32_t sum = 0;
    for (; at; at &= at - 1)
        sum += r->tree[at];
    return sum;
}

/* The lines to positions 1, 2 ..., with as much room behind them. */
static void move_together(struct reuse *r)
{
    uint32_t end = FIRST_POSITIONS, n = 0;
    while (end < 2 * r->lines)
        end *= 2;
    uint32_t *id = xcalloc(end + 1, sizeof *id);
    for (uint32_t p = 1; p <= r->now; p++)
        if (r->id[p]) {
            id[++n] = r->id[p];
            r->time[r->id[p] - 1] = n;
        }
    free(r->id);
    r->id = id;
    r->tree = xrealloc(r->tree, (end + 1) * sizeof *r->tree);
    for (uint32_t p = 1; p <= end; p++) { /* node p counts the positions (p - lowest bit, p] */
        const uint32_t from = p & (p - 1), to = p < n ? p : n;
        r->tree[p] = to > from ? to - from : 0;
    }
    r->end = end;
    r->now = n;
}

static void put_on_top(struct reuse *r, uint32_t id)
{
    if (r->now == r->end)
        move_together(r);
    r->now++;
    r->id[r->now] = id + 1;
    tree_add(r, r->now, 1);
    r->time[id] = r->now;
}

void reuse_load(struct reuse *r, uint64_t line)
{
    uint32_t id;
    const bool known = find(r, line, &id);
    if (known && r->time[id] == r->now) {
        r->count[0]++;
        return;
    }
    if (known) {
        r->count[bucket_of(r->lines - tree_upto(r, r->time[id]))]++;
        tree_add(r, r->time[id], UINT32_MAX); /* -1 */
        r->id[r->time[id]] = 0;
    }
    put_on_top(r, known ? id : add(r, line));
}

uint64_t reuse_cold(const struct reuse *r)
{
    return r->lines;
}

void reuse_histogram(const struct reuse *r, double *out)
{
    for (int b = 0; b < BUCKETS; b++)
        out[b] += (double)r->count[b];
}
