/* sim/mem/req_queue.h -- first-in first-out queue of requests. With a capacity it is bounded (ask
 * rq_full before rq_push); without one it grows: GPGPU-Sim's delay queues (ROP, DRAM latency) have
 * no limit of their own. Delay queues keep each request's ready stamp in r->ready. */
#ifndef MDP_SIM_MEM_REQ_QUEUE_H
#define MDP_SIM_MEM_REQ_QUEUE_H

#include "base/err.h"
#include "sim/mem/req.h"

#include <stdlib.h>

struct req_queue {
    struct mem_req **slot; /* owned; a power of two of them */
    uint32_t mask, head, len;
    uint32_t capacity; /* 0: unbounded */
};

static inline void rq_init(struct req_queue *q, uint32_t capacity)
{
    uint32_t slots = 16;
    while (slots < capacity)
        slots *= 2;
    *q = (struct req_queue){
        .slot = xcalloc(slots, sizeof *q->slot), .mask = slots - 1, .capacity = capacity};
}

static inline void rq_fini(struct req_queue *q)
{
    free(q->slot);
    q->slot = NULL;
}

static inline bool rq_full(const struct req_queue *q)
{
    return q->capacity && q->len >= q->capacity;
}

static inline bool rq_empty(const struct req_queue *q)
{
    return q->len == 0;
}

static inline struct mem_req *rq_at(const struct req_queue *q, uint32_t i)
{
    return q->slot[(q->head + i) & q->mask];
}

static inline struct mem_req *rq_peek(const struct req_queue *q)
{
    return q->len ? q->slot[q->head] : NULL;
}

void rq_grow(struct req_queue *q); /* doubles the slots */

static inline void rq_push(struct req_queue *q, struct mem_req *r)
{
    BUG_ON(rq_full(q), "push into a full queue of %u requests", q->capacity);
    if (q->len > q->mask)
        rq_grow(q);
    q->slot[(q->head + q->len++) & q->mask] = r;
}

static inline struct mem_req *rq_pop(struct req_queue *q)
{
    if (!q->len)
        return NULL;
    struct mem_req *r = q->slot[q->head];
    q->head = (q->head + 1) & q->mask;
    q->len--;
    return r;
}

/* Takes out the one behind i others. */
static inline struct mem_req *rq_take(struct req_queue *q, uint32_t i)
{
    struct mem_req *r = rq_at(q, i);
    for (; i; i--)
        q->slot[(q->head + i) & q->mask] = rq_at(q, i - 1);
    rq_pop(q);
    return r;
}

#endif
