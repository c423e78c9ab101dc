#include "sim/mem/req_queue.h"

void rq_grow(struct req_queue *q)
{
    const uint32_t slots = q->mask + 1;
    struct mem_req **slot = xcalloc((size_t)slots * 2, sizeof *slot);
    for (uint32_t i = 0; i < q->len; i++)
        slot[i] = rq_at(q, i);
    free(q->slot);
    q->slot = slot;
    q->head = 0;
    q->mask = slots * 2 - 1;
}
