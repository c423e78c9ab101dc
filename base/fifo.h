/* base/fifo.h -- bounded queue of pointers with a ready cycle: where components meet (STYLE R4).
 * An item is visible from its ready cycle on. Order is that of the pushes: an item that is ready
 * waits behind one that is not. Ask fifo_full before a push; a push into a full one is a bug.
 * All inline: this is on the per-cycle path. */
#ifndef MDP_BASE_FIFO_H
#define MDP_BASE_FIFO_H

#include "base/err.h"
#include "base/types.h"

#include <stdlib.h>

struct fifo_slot {
    void *item; /* owned by whoever holds the fifo's end of the hand-over */
    cycle_t ready;
};

struct fifo {
    struct fifo_slot *slot; /* owned; a power of two of them */
    uint32_t mask, capacity;
    uint32_t head, len;
};

static inline void fifo_init(struct fifo *f, uint32_t capacity)
{
    BUG_ON(capacity == 0 || capacity > 1u << 30, "a fifo of %u", capacity);
    uint32_t slots = 1;
    while (slots < capacity)
        slots *= 2;
    *f = (struct fifo){
        .slot = xcalloc(slots, sizeof *f->slot), .mask = slots - 1, .capacity = capacity};
}

/* Items that are still inside are the caller's to free. */
static inline void fifo_fini(struct fifo *f)
{
    free(f->slot);
    f->slot = NULL;
    f->len = 0;
}

static inline bool fifo_full(const struct fifo *f)
{
    return f->len == f->capacity;
}

static inline bool fifo_empty(const struct fifo *f)
{
    return f->len == 0;
}

static inline uint32_t fifo_len(const struct fifo *f)
{
    return f->len;
}

static inline uint32_t fifo_room(const struct fifo *f)
{
    return f->capacity - f->len;
}

static inline void fifo_push(struct fifo *f, void *item, cycle_t ready)
{
    BUG_ON(fifo_full(f), "push into a full fifo of %u", f->capacity);
    f->slot[(f->head + f->len++) & f->mask] = (struct fifo_slot){item, ready};
}

/* The oldest item, or NULL when there is none or it is not ready yet. */
static inline void *fifo_peek(const struct fifo *f, cycle_t now)
{
    const struct fifo_slot *s = &f->slot[f->head];
    return f->len && s->ready <= now ? s->item : NULL;
}

static inline void *fifo_pop(struct fifo *f, cycle_t now)
{
    void *item = fifo_peek(f, now);
    if (item) {
        f->head = (f->head + 1) & f->mask;
        f->len--;
    }
    return item;
}

/* The i-th oldest, ready or not; i < fifo_len. */
static inline void *fifo_at(const struct fifo *f, uint32_t i)
{
    return f->slot[(f->head + i) & f->mask].item;
}

/* When the oldest item becomes visible; CYCLE_NEVER when there is none. */
static inline cycle_t fifo_ready(const struct fifo *f)
{
    return f->len ? f->slot[f->head].ready : CYCLE_NEVER;
}

#endif
