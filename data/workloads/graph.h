/* data/workloads/graph.h -- the irregular structures that workloads share: an undirected graph, and
 * how its nodes are numbered (in->order), which decides what lies near in memory. */
#ifndef MDP_DATA_WORKLOADS_GRAPH_H
#define MDP_DATA_WORKLOADS_GRAPH_H

#include "data/workloads/host.h"

struct graph {
    int nodes, edges;
    int (*edge)[2];         /* each once; after graph_number(): lower end first, ascending */
    int *first, *adj, *via; /* v's neighbours, ascending: adj[first[v] .. first[v + 1] - 1], each
                               through edge via[] */
};

/* From nodes, edges and edge: numbers the nodes as in->order says, sorts the edges, makes the rows.
 * Returns where each node went: place[old] = new. NATURAL leaves the numbers as they are;
 * RENUMBERED is reverse Cuthill-McKee: breadth first from a node of least degree in each component,
 * neighbours by ascending degree, the whole reversed. */
const int *graph_number(struct host *h, struct graph *g);

/* Breadth first. In: 0 at the sources, -1 elsewhere; out: edges from the nearest source, -1 where
 * none leads. */
void graph_levels(struct host *h, const struct graph *g, int *level);

/* Moves element v of an array of n to place[v]. */
void graph_move(struct host *h, void *base, size_t n, size_t size, const int *place);

/* An offset array from counts: in: first[v + 1] is v's count, first[0] is 0; out: where v starts.
 * Returns a copy of it, a cursor a row, to fill the rows with. */
int *graph_offsets(struct host *h, int *first, int nodes);

#endif
