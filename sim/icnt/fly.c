/* fly.c -- one router that joins every input to every output: the crossbar with virtual channels
 * and delays (Kayiran et al., PACT 2013, Table I: 4 VCs of 4 flits, routing delay 2, channel
 * latency 2, input speed-up 2). */
#include "sim/icnt/net.h"

#include <stdlib.h>

static int route(const void *topology, int id, int dest)
{
    (void)topology;
    (void)id;
    return dest;
}

static bool next(const void *topology, int router, int out, struct net_place *to)
{
    (void)topology;
    (void)router;
    (void)out;
    (void)to;
    return false;
}

static void *create(const struct icnt_cfg *cfg, int inputs, int outputs)
{
    struct net_shape s = {
        .routers = 1, .inputs = inputs, .outputs = outputs, .route = route, .next = next};
    s.source = xcalloc((size_t)inputs, sizeof *s.source);
    s.sink = xcalloc((size_t)outputs, sizeof *s.sink);
    s.sink_node = xcalloc((size_t)outputs, sizeof *s.sink_node);
    for (int i = 0; i < inputs; i++)
        s.source[i] = (struct net_place){0, i};
    for (int o = 0; o < outputs; o++) {
        s.sink[o] = (struct net_place){0, o};
        s.sink_node[o] = o;
    }
    return net_new(cfg, inputs, outputs, &s);
}

const struct icnt_ops icnt_fly = {
    .name = "fly",
    .help = "crossbar with virtual channels, routing delay and channel latency",
    .create = create,
    NET_OPS,
};
