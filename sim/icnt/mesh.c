/* mesh.c -- square 2-D mesh with dimension-order (x, then y) routing, one node a router, for
 * systems that a crossbar does not fit (Kayiran et al., PACT 2013, section V: 56 cores and 8 memory
 * controllers on 8 x 8, 110 and 11 on 11 x 11). The fewer of inputs and outputs are the memory
 * controllers; they sit where GPGPU-Sim's node map puts them for 16, 36, 64 and 121 nodes, and
 * evenly spread otherwise; the other side fills the remaining nodes in order. */
#include "sim/icnt/net.h"

#include <stdlib.h>

enum port { EAST, WEST, SOUTH, NORTH, LOCAL, PORTS };

struct mesh {
    int side;
};

static int route(const void *topology, int id, int dest)
{
    const int side = ((const struct mesh *)topology)->side;
    const int x = id % side, y = id / side, to_x = dest % side, to_y = dest / side;
    if (x != to_x)
        return to_x > x ? EAST : WEST;
    if (y != to_y)
        return to_y > y ? SOUTH : NORTH;
    return LOCAL;
}

static bool next(const void *topology, int router, int out, struct net_place *to)
{
    static const int dx[PORTS] = {1, -1, 0, 0, 0}, dy[PORTS] = {0, 0, 1, -1, 0};
    static const int arrives[PORTS] = {WEST, EAST, NORTH, SOUTH, LOCAL};
    const int side = ((const struct mesh *)topology)->side;
    const int x = router % side + dx[out], y = router / side + dy[out];
    if (out == LOCAL || x < 0 || x >= side || y < 0 || y >= side)
        return false;
    *to = (struct net_place){y * side + x, arrives[out]};
    return true;
}

static const struct {
    int nodes, memories;
    uint8_t at[16];
} node_maps[] = {
    {16, 8, {1, 3, 4, 6, 9, 11, 12, 14}},
    {36, 8, {3, 7, 10, 12, 23, 25, 28, 32}},
    {64, 8, {3, 15, 17, 29, 36, 47, 49, 61}},
    {121, 11, {12, 20, 25, 28, 57, 60, 63, 92, 95, 100, 108}},
};

/* Marks the nodes of the memory controllers and lists them. */
static void place_memories(int nodes, int memories, bool *taken, int *at)
{
    for (size_t m = 0; m < sizeof node_maps / sizeof *node_maps; m++)
        if (node_maps[m].nodes == nodes && node_maps[m].memories == memories) {
            for (int i = 0; i < memories; i++)
                taken[at[i] = node_maps[m].at[i]] = true;
            return;
        }
    for (int i = 0; i < memories; i++)
        taken[at[i] = (2 * i + 1) * nodes / (2 * memories)] = true;
}

static void *create(const struct icnt_cfg *cfg, int inputs, int outputs)
{
    struct mesh *m = xcalloc(1, sizeof *m);
    while (m->side * m->side < inputs + outputs)
        m->side++;
    const int nodes = m->side * m->side, memories = inputs < outputs ? inputs : outputs;
    struct net_shape s = {.routers = nodes,
                          .inputs = PORTS,
                          .outputs = PORTS,
                          .route = route,
                          .topology = m,
                          .next = next};
    s.source = xcalloc((size_t)inputs, sizeof *s.source);
    s.sink = xcalloc((size_t)outputs, sizeof *s.sink);
    s.sink_node = xcalloc((size_t)outputs, sizeof *s.sink_node);
    bool *taken = xcalloc((size_t)nodes, sizeof *taken);
    int *memory = xcalloc((size_t)memories, sizeof *memory);
    place_memories(nodes, memories, taken, memory);
    int free_node = 0;
    const int cores = inputs + outputs - memories;
    for (int i = 0; i < memories + cores; i++) {
        int node = i < memories ? memory[i] : free_node;
        while (i >= memories && taken[node])
            node++;
        if (i >= memories)
            free_node = node + 1;
        const int k = i < memories ? i : i - memories;
        if ((i < memories) == (inputs < outputs))
            s.source[k] = (struct net_place){node, LOCAL};
        else {
            s.sink[k] = (struct net_place){node, LOCAL};
            s.sink_node[k] = node;
        }
    }
    free(taken);
    free(memory);
    return net_new(cfg, inputs, outputs, &s);
}

const struct icnt_ops icnt_mesh = {
    .name = "mesh",
    .help = "square 2-D mesh, dimension-order routing",
    .create = create,
    NET_OPS,
};
