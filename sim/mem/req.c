#include "sim/mem/req.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_REQS 256

struct chunk {
    struct chunk *next;
    struct mem_req req[CHUNK_REQS];
};

struct req_pool {
    struct chunk *chunks; /* owned */
    struct mem_req *free; /* list through next */
    uint64_t live;
};

static const struct mem_req blank = {
    .warp = -1,
    .token = -1,
    .stamp = {CYCLE_NEVER, CYCLE_NEVER, CYCLE_NEVER, CYCLE_NEVER, CYCLE_NEVER, CYCLE_NEVER,
              CYCLE_NEVER, CYCLE_NEVER},
};
_Static_assert(STAGE_COUNT == 8, "blank lists every stamp");

struct req_pool *req_pool_new(void)
{
    return xcalloc(1, sizeof(struct req_pool));
}

void req_pool_free(struct req_pool *p)
{
    if (!p)
        return;
    for (struct chunk *c = p->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(p);
}

static void grow(struct req_pool *p)
{
    struct chunk *c = xmalloc(sizeof *c);
    c->next = p->chunks;
    p->chunks = c;
    for (int i = CHUNK_REQS - 1; i >= 0; i--) {
        c->req[i].next = p->free;
        p->free = &c->req[i];
    }
}

struct mem_req *req_get(struct req_pool *p)
{
    if (!p->free)
        grow(p);
    struct mem_req *r = p->free;
    p->free = r->next;
    p->live++;
    *r = blank;
    return r;
}

void req_put(struct req_pool *p, struct mem_req *r)
{
    r->next = p->free;
    p->free = r;
    p->live--;
}

uint64_t req_pool_live(const struct req_pool *p)
{
    return p->live;
}
