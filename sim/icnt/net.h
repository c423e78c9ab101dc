/* sim/icnt/net.h -- a network of routers with injection and ejection buffers at its nodes; fly.c
 * and mesh.c give it a shape.
 *
 *   push -> injection buffer -> channel -> router [-> channel -> router ...] -> channel
 *        -> ejection buffer a VC -> boundary buffer a VC -> pop
 *
 * A channel takes channel_latency cycles, and between routers one more; credits travel back as
 * long. With one VC and no delays a "fly" gives exactly the cycles of xbar.c (tested). */
#ifndef MDP_SIM_ICNT_NET_H
#define MDP_SIM_ICNT_NET_H

#include "sim/icnt/icnt.h"
#include "sim/icnt/router.h"

struct net_place { /* a port of a router */
    int router, port;
};

struct net_shape {
    int routers, inputs, outputs; /* ports a router: in, out */
    route_fn *route;
    const void *topology; /* handed to route; owned by the net, freed with free() */
    /* Where each source injects, where each sink ejects; owned by the net. */
    struct net_place *source, *sink;
    int *sink_node; /* owned: what route() gets as dest */
    /* The other end of an output port: false: a sink, or nothing. */
    bool (*next)(const void *topology, int router, int out, struct net_place *to);
};

struct net *net_new(const struct icnt_cfg *cfg, int inputs, int outputs,
                    const struct net_shape *shape);
/* The rest of icnt_ops, for every shape. */
void net_free(void *st);
bool net_can_push(const void *st, int input, int flits);
void net_push(void *st, int input, int output, struct mem_req *r);
struct mem_req *net_peek(const void *st, int output);
struct mem_req *net_pop(void *st, int output);
bool net_tick(void *st);
bool net_idle(const void *st);
void net_stats(const void *st, struct icnt_stats *out);
const uint64_t *net_ready(const void *st);
const int *net_busy(const void *st);
#define NET_OPS                                                                                 \
    .destroy = net_free, .can_push = net_can_push, .push = net_push, .peek = net_peek,          \
    .pop = net_pop, .tick = net_tick, .idle = net_idle, .stats = net_stats, .ready = net_ready, \
    .busy = net_busy

#endif
