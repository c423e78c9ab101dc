#include "sim/icnt/concentrator.h"

#include <stdlib.h>

struct port {
    uint64_t used; /* core cycle in which it last moved a packet */
    int next;      /* core of the cluster that is first in turn */
};

struct concentrator {
    const struct icnt_ops *ops;
    void *net; /* owned */
    int size;
    enum concentrator_side side;
    uint64_t cycle;
    struct port *port; /* owned, one a node */
    int nodes;
    const uint64_t *at_node;    /* borrowed: nodes with packets for their cores */
    uint64_t ready[ICNT_WORDS]; /* the same, by core */
};

struct concentrator *concentrator_new(const struct icnt_ops *ops, void *net, int nodes, int size,
                                      enum concentrator_side side)
{
    struct concentrator *c = xcalloc(1, sizeof *c);
    *c = (struct concentrator){.ops = ops,
                               .net = net,
                               .size = size,
                               .side = side,
                               .cycle = 1,
                               .nodes = nodes,
                               .at_node = ops->ready(net),
                               .port = xcalloc((size_t)nodes, sizeof *c->port)};
    return c;
}

static void destroy(void *st)
{
    struct concentrator *c = st;
    c->ops->destroy(c->net);
    free(c->port);
    free(c);
}

void concentrator_cycle(struct concentrator *c)
{
    c->cycle++;
}

int concentrator_first(const struct concentrator *c, int cluster)
{
    return cluster * c->size + c->port[cluster].next;
}

static bool can_push(const void *st, int input, int flits)
{
    const struct concentrator *c = st;
    if (c->side == CORES_RECEIVE)
        return c->ops->can_push(c->net, input, flits);
    const int node = input / c->size;
    return c->port[node].used != c->cycle && c->ops->can_push(c->net, node, flits);
}

static void push(void *st, int input, int output, struct mem_req *r)
{
    struct concentrator *c = st;
    if (c->side == CORES_RECEIVE) {
        c->ops->push(c->net, input, output / c->size, r);
        return;
    }
    struct port *p = &c->port[input / c->size];
    p->used = c->cycle;
    p->next = (input % c->size + 1) % c->size;
    c->ops->push(c->net, input / c->size, output, r);
}

/* Puts up the core that the node's next reply is for. */
static void announce(struct concentrator *c, int node)
{
    for (int core = node * c->size; core < (node + 1) * c->size && core < ICNT_NODES_MAX; core++)
        c->ready[core / 64] &= ~(1ull << core % 64);
    const struct mem_req *r = c->ops->peek(c->net, node);
    if (r)
        c->ready[r->core / 64] |= 1ull << r->core % 64;
}

static struct mem_req *peek(const void *st, int output)
{
    const struct concentrator *c = st;
    if (c->side == CORES_SEND)
        return c->ops->peek(c->net, output);
    const int node = output / c->size;
    if (c->port[node].used == c->cycle)
        return NULL;
    struct mem_req *r = c->ops->peek(c->net, node);
    return r && r->core == output ? r : NULL;
}

static struct mem_req *pop(void *st, int output)
{
    struct concentrator *c = st;
    if (c->side == CORES_SEND)
        return c->ops->pop(c->net, output);
    if (!peek(st, output))
        return NULL;
    c->port[output / c->size].used = c->cycle;
    struct mem_req *r = c->ops->pop(c->net, output / c->size);
    announce(c, output / c->size);
    return r;
}

static bool tick(void *st)
{
    struct concentrator *c = st;
    const bool moved = c->ops->tick(c->net);
    if (moved && c->side == CORES_RECEIVE)
        for (int node = 0; node < c->nodes; node++)
            if (c->at_node[node / 64] >> node % 64 & 1)
                announce(c, node);
    return moved;
}

static bool idle(const void *st)
{
    const struct concentrator *c = st;
    return c->ops->idle(c->net);
}

static void stats(const void *st, struct icnt_stats *out)
{
    const struct concentrator *c = st;
    c->ops->stats(c->net, out);
}

static const uint64_t *ready(const void *st)
{
    const struct concentrator *c = st;
    return c->side == CORES_SEND ? c->at_node : c->ready;
}

static const int *busy(const void *st)
{
    const struct concentrator *c = st;
    return c->ops->busy(c->net);
}

const struct icnt_ops icnt_concentrator = {
    .name = "concentrator",
    .help = "cores of a cluster at one node of another network",
    .destroy = destroy,
    .can_push = can_push,
    .push = push,
    .peek = peek,
    .pop = pop,
    .tick = tick,
    .idle = idle,
    .stats = stats,
    .ready = ready,
    .busy = busy,
};
