#include "data/workloads/graph.h"

#include <stdlib.h>
#include <string.h>

int *graph_offsets(struct host *h, int *first, int nodes)
{
    int *next = host_new(h, (size_t)nodes + 1, sizeof *next);
    for (int v = 0; v < nodes; v++)
        first[v + 1] += first[v];
    memcpy(next, first, ((size_t)nodes + 1) * sizeof *next);
    return next;
}

static void make_rows(struct host *h, struct graph *g)
{
    g->first = host_new(h, (size_t)g->nodes + 1, sizeof *g->first);
    g->adj = host_new(h, 2 * (size_t)g->edges, sizeof *g->adj);
    g->via = host_new(h, 2 * (size_t)g->edges, sizeof *g->via);
    for (int e = 0; e < g->edges; e++)
        for (int end = 0; end < 2; end++)
            g->first[g->edge[e][end] + 1]++;
    int *next = graph_offsets(h, g->first, g->nodes);
    for (int higher = 1; higher >= 0; higher--) /* neighbours below v, then those above */
        for (int e = 0; e < g->edges; e++) {
            int v = g->edge[e][higher], at = next[v]++;
            g->adj[at] = g->edge[e][!higher];
            g->via[at] = e;
        }
}

struct ranked { /* a node and what it is sorted by */
    int key, node;
};

static int by_key(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : x->node - y->node;
}

static int degree(const struct graph *g, int v)
{
    return g->first[v + 1] - g->first[v];
}

/* Appends v's neighbours that have no place yet to the queue, by ascending degree. */
static int append_neighbours(const struct graph *g, int v, bool *seen, struct ranked *queue,
                             int tail)
{
    int from = tail;
    for (int k = g->first[v]; k < g->first[v + 1]; k++) {
        int u = g->adj[k];
        if (!seen[u]) {
            seen[u] = true;
            queue[tail++] = (struct ranked){degree(g, u), u};
        }
    }
    qsort(queue + from, (size_t)(tail - from), sizeof *queue, by_key);
    return tail;
}

static void cuthill_mckee(struct host *h, const struct graph *g, int *place)
{
    struct ranked *queue = host_new(h, (size_t)g->nodes, sizeof *queue);
    struct ranked *start = host_new(h, (size_t)g->nodes, sizeof *start);
    bool *seen = host_new(h, (size_t)g->nodes, sizeof *seen);
    int tail = 0;
    for (int v = 0; v < g->nodes; v++)
        start[v] = (struct ranked){degree(g, v), v};
    qsort(start, (size_t)g->nodes, sizeof *start, by_key);
    for (int s = 0, head = 0; s < g->nodes; s++) {
        if (seen[start[s].node])
            continue;
        seen[start[s].node] = true;
        queue[tail++] = start[s];
        for (; head < tail; head++)
            tail = append_neighbours(g, queue[head].node, seen, queue, tail);
    }
    for (int i = 0; i < g->nodes; i++)
        place[queue[i].node] = g->nodes - 1 - i;
}

static int by_ends(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return x[0] != y[0] ? x[0] - y[0] : x[1] - y[1];
}

static void sort_edges(struct graph *g, const int *place)
{
    for (int e = 0; e < g->edges; e++) {
        int a = place[g->edge[e][0]], b = place[g->edge[e][1]];
        g->edge[e][0] = a < b ? a : b;
        g->edge[e][1] = a < b ? b : a;
    }
    qsort(g->edge, (size_t)g->edges, sizeof *g->edge, by_ends);
}

const int *graph_number(struct host *h, struct graph *g)
{
    int *place = host_new(h, (size_t)g->nodes, sizeof *place);
    for (int v = 0; v < g->nodes; v++)
        place[v] = v;
    if (h->in->order == WORKLOAD_SHUFFLED)
        rng_shuffle(&h->rng, place, (size_t)g->nodes, sizeof *place);
    if (h->in->order == WORKLOAD_RENUMBERED) {
        make_rows(h, g);
        cuthill_mckee(h, g, place);
    }
    sort_edges(g, place);
    make_rows(h, g);
    return place;
}

void graph_levels(struct host *h, const struct graph *g, int *level)
{
    int *queue = host_new(h, (size_t)g->nodes, sizeof *queue), head = 0, tail = 0;
    for (int v = 0; v < g->nodes; v++)
        if (level[v] == 0)
            queue[tail++] = v;
    while (head < tail) {
        int v = queue[head++];
        for (int k = g->first[v]; k < g->first[v + 1]; k++)
            if (level[g->adj[k]] < 0) {
                level[g->adj[k]] = level[v] + 1;
                queue[tail++] = g->adj[k];
            }
    }
}

void graph_move(struct host *h, void *base, size_t n, size_t size, const int *place)
{
    unsigned char *from = host_new(h, n, size), *to = base;
    memcpy(from, base, n * size);
    for (size_t i = 0; i < n; i++)
        memcpy(to + (size_t)place[i] * size, from + i * size, size);
}
