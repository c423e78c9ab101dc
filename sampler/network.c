#include "sampler/network.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/rng.h"
#include "sim/icnt/icnt.h"

#define FILL    500   /* network cycles until its queues are full */
#define COUNTED 2000  /* ... and in which packets are counted */
#define PAIRS   64    /* of an input and an output, drawn at random */
#define LONGEST 10000 /* network cycles of a packet, at most */

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

/* Network cycles of packets of so many flits, one at a time, mean; as many as flits if they are
 * longer than its buffers take. */
static double alone(const struct network *n, int inputs, int outputs, int flits)
{
    const struct icnt_cfg *cfg = &n->cfg->icnt;
    if (flits > cfg->inject_flits || flits > cfg->boundary_flits)
        return flits;
    const struct icnt_ops *net = icnt_find(cfg->topology);
    void *st = net->create(cfg, inputs, outputs);
    struct req_pool *pool = req_pool_new();
    struct rng draw = rng_seed(1);
    int cycles = 0;
    for (int i = 0; i < PAIRS; i++) {
        const int from = (int)rng_below(&draw, (uint64_t)inputs);
        const int to = (int)rng_below(&draw, (uint64_t)outputs);
        struct mem_req *r = req_get(pool);
        r->flits = (uint16_t)flits;
        net->push(st, from, to, r);
        for (int t = 0; t < LONGEST && !net->peek(st, to); t++, cycles++)
            net->tick(st);
        BUG_ON(!net->peek(st, to), "a packet of %d flits does not come through", flits);
        req_put(pool, net->pop(st, to));
        while (!net->idle(st))
            net->tick(st);
    }
    net->destroy(st);
    req_pool_free(pool);
    return (double)cycles / PAIRS;
}

static int measured(int flits)
{
    return flits > NETWORK_FLITS ? NETWORK_FLITS : flits;
}

struct ends {
    int inputs, outputs;
};

static struct ends ends_of(const struct gpu_cfg *cfg, enum network_way way)
{
    const int size = cfg->top.cluster_size, parts = cfg->mem.partition.count;
    const int nodes = (cfg->top.cores + size - 1) / size;
    return way == NETWORK_REPLIES ? (struct ends){parts, nodes} : (struct ends){nodes, parts};
}

static double cycle_of(const struct gpu_cfg *cfg)
{
    return (double)cfg->clock.core / cfg->clock.icnt;
}

double network_gap(struct network *n, enum network_way way, int bytes)
{
    const int all = icnt_flits(&n->cfg->icnt, bytes), flits = measured(all);
    double *gap = &n->gap[way][flits];
    if (*gap <= 0) {
        const struct ends e = ends_of(n->cfg, way);
        const uint64_t out = packets(n, e.inputs, e.outputs, flits);
        /* where there are fewer nodes than partitions, these limit what comes out */
        const int ports = e.inputs < e.outputs ? e.inputs : e.outputs;
        const double each = (double)COUNTED * ports / (double)out;
        *gap = cycle_of(n->cfg) * (out ? fmax(flits, each) : flits);
    }
    return *gap * all / flits;
}

double network_delay(struct network *n, enum network_way way, int bytes)
{
    const int all = icnt_flits(&n->cfg->icnt, bytes), flits = measured(all);
    double *delay = &n->delay[way][flits];
    if (*delay <= 0) {
        const struct ends e = ends_of(n->cfg, way);
        *delay = cycle_of(n->cfg) * alone(n, e.inputs, e.outputs, flits);
    }
    return *delay + cycle_of(n->cfg) * (all - flits);
}
