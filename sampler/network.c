#include "sampler/network.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/rng.h"
#include "sim/icnt/icnt.h"

#define FILL    500  /* network cycles until its queues are full */
#define COUNTED 2000 /* ... and in which packets are counted */

/* Packets of so many flits that leave the network within COUNTED cycles. */
static uint64_t packets(const struct network *n, int inputs, int outputs, int flits)
{
    const struct icnt_ops *net = icnt_find(n->cfg->icnt.topology);
    void *st = net->create(&n->cfg->icnt, inputs, outputs);
    struct req_pool *pool = req_pool_new();
    struct rng draw = rng_seed(1);
    int *to = xcalloc((size_t)inputs, sizeof *to);
    for (int i = 0; i < inputs; i++)
        to[i] = (int)rng_below(&draw, (uint64_t)outputs);
    uint64_t out = 0;
    for (int t = 0; t < FILL + COUNTED; t++) {
        for (int i = 0; i < inputs; i++) {
            if (!net->can_push(st, i, flits))
                continue;
            struct mem_req *r = req_get(pool);
            r->flits = (uint16_t)flits;
            net->push(st, i, to[i], r);
            to[i] = (int)rng_below(&draw, (uint64_t)outputs);
        }
        net->tick(st);
        for (int o = 0; o < outputs; o++)
            if (net->peek(st, o)) {
                req_put(pool, net->pop(st, o));
                out += t >= FILL;
            }
    }
    free(to);
    net->destroy(st);
    req_pool_free(pool);
    return out;
}

double network_gap(struct network *n, enum network_way way, int bytes)
{
    const struct icnt_cfg *c = &n->cfg->icnt;
    const int all = (bytes + c->header_bytes + c->flit_bytes - 1) / c->flit_bytes;
    const int flits = all < 1 ? 1 : all > NETWORK_FLITS ? NETWORK_FLITS : all;
    double *gap = &n->gap[way][flits];
    if (*gap <= 0) {
        const double cycle = (double)n->cfg->clock.core / n->cfg->clock.icnt;
        const int size = n->cfg->top.cluster_size, parts = n->cfg->mem.partition.count;
        const int nodes = (n->cfg->top.cores + size - 1) / size;
        const bool reply = way == NETWORK_REPLIES;
        const uint64_t out = packets(n, reply ? parts : nodes, reply ? nodes : parts, flits);
        *gap = cycle * (out ? fmax(flits, (double)COUNTED * parts / (double)out) : flits);
    }
    return *gap * all / flits;
}
