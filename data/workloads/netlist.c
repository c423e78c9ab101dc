#include "data/workloads/netlist.h"

#include <string.h>

/* Gates of a module by level: gate number module * module_gates + slot; slot_of[] is the module's
 * random order. */
struct drawing {
    const struct netlist_shape *s;
    struct rng *rng;
    int width; /* gates a level of a module */
    int *slot; /* [modules][module_gates]: number of the i-th gate, levels ascending */
};

static int draw_below(struct rng *r, int n)
{
    return (int)rng_below(r, (uint64_t)n);
}

static void place_gates(struct host *h, struct drawing *d, int *level)
{
    int n = d->s->module_gates;
    d->slot = host_new(h, (size_t)d->s->modules * (size_t)n, sizeof *d->slot);
    for (int m = 0; m < d->s->modules; m++) {
        int *slot = d->slot + (size_t)m * (size_t)n;
        for (int i = 0; i < n; i++)
            slot[i] = m * n + i;
        rng_shuffle(d->rng, slot, (size_t)n, sizeof *slot);
        for (int i = 0; i < n; i++)
            level[slot[i]] = i / d->width;
    }
}

/* A gate of the level, in the module or, now and then, in another one. */
static int draw_source(struct drawing *d, int module, int level)
{
    int modules = d->s->modules;
    if (rng_unit(d->rng) < d->s->leave) {
        if (rng_unit(d->rng) < d->s->far)
            module = draw_below(d->rng, modules);
        else
            module = (module + (draw_below(d->rng, 2) ? 1 : modules - 1)) % modules;
    }
    return d->slot[module * d->s->module_gates + level * d->width + draw_below(d->rng, d->width)];
}

/* Every gate's inputs as pairs (gate, source), each gate's together. */
static struct graph draw_nets(struct host *h, struct drawing *d, const int *level)
{
    const struct netlist_shape *s = d->s;
    struct graph g = {.nodes = s->modules * s->module_gates};
    g.edge = host_new(h, (size_t)g.nodes * NETLIST_FAN_IN_MAX, sizeof *g.edge);
    for (int v = 0; v < g.nodes; v++) {
        int spread = NETLIST_FAN_IN_MAX - s->fan_in + 1;
        int inputs = level[v] ? s->fan_in + draw_below(d->rng, spread) : 0;
        for (int k = 0; k < inputs; k++) {
            int back = 1; /* the first input is of the level below; others may come from further */
            while (k && back < level[v] && draw_below(d->rng, 32) == 0)
                back++;
            g.edge[g.edges][0] = v;
            g.edge[g.edges++][1] = draw_source(d, v / s->module_gates, level[v] - back);
        }
    }
    return g;
}

static void make_fan(struct host *h, struct netlist *n, const int (*net)[2], const int *place)
{
    n->in_first = host_new(h, (size_t)n->gates + 1, sizeof(int));
    n->out_first = host_new(h, (size_t)n->gates + 1, sizeof(int));
    n->in = host_new(h, (size_t)n->nets, sizeof(int));
    n->out = host_new(h, (size_t)n->nets, sizeof(int));
    n->out_net = host_new(h, (size_t)n->nets, sizeof(int));
    for (int i = 0; i < n->nets; i++) {
        n->in_first[place[net[i][0]] + 1]++;
        n->out_first[place[net[i][1]] + 1]++;
    }
    int *next_in = graph_offsets(h, n->in_first, n->gates);
    int *next_out = graph_offsets(h, n->out_first, n->gates);
    for (int i = 0; i < n->nets; i++) {
        int to = place[net[i][0]], from = place[net[i][1]];
        n->in[next_in[to]] = from;
        n->out[next_out[from]] = to;
        n->out_net[next_out[from]++] = next_in[to]++;
    }
}

/* Sorts the places by level; stable. */
static const int *rank_places(struct host *h, const struct netlist *n, const int *place)
{
    int *ranked = host_new(h, (size_t)n->gates, sizeof *ranked);
    int *gate = host_new(h, (size_t)n->gates, sizeof *gate);
    int *first = host_new(h, (size_t)n->depth + 1, sizeof *first);
    for (int v = 0; v < n->gates; v++) {
        gate[place[v]] = v;
        first[n->level[v] + 1]++;
    }
    int *next = graph_offsets(h, first, n->depth);
    for (int i = 0; i < n->gates; i++)
        ranked[gate[i]] = next[n->level[gate[i]]]++;
    return ranked;
}

struct netlist netlist_new(struct host *h, struct netlist_shape s)
{
    struct drawing d = {.s = &s, .rng = &h->rng, .width = s.module_gates / s.depth};
    s.module_gates = d.width * s.depth;
    struct netlist n = {.gates = s.modules * s.module_gates, .depth = s.depth};
    struct graph *g = host_new(h, 1, sizeof *g);
    n.level = host_new(h, (size_t)n.gates, sizeof *n.level);
    place_gates(h, &d, n.level);
    *g = draw_nets(h, &d, n.level);
    n.nets = g->edges;
    int(*net)[2] = host_new(h, (size_t)n.nets, sizeof *net);
    memcpy(net, g->edge, (size_t)n.nets * sizeof *net);
    const int *place = graph_number(h, g);
    if (s.ranked)
        place = rank_places(h, &n, place);
    graph_move(h, n.level, (size_t)n.gates, sizeof *n.level, place);
    make_fan(h, &n, net, place);
    n.g = s.ranked ? NULL : g;
    return n;
}
