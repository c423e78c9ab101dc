/* sim/frontend/graph_int.h -- the structs of graphs, for the files cu_graph*.c and cu_capture.c. */
#ifndef MDP_SIM_FRONTEND_GRAPH_INT_H
#define MDP_SIM_FRONTEND_GRAPH_INT_H

#include "sim/frontend/cuda_graph.h"
#include "sim/frontend/session.h"

struct CUgraphNode_st {
    CUgraph graph; /* borrowed */
    enum graph_type type;
    CUresult (*run)(const void *data, CUstream stream);
    void *data; /* owned */
    size_t bytes;
    void **args;   /* owned; of a GRAPH_KERNEL that was asked for them */
    CUgraph child; /* owned; of a GRAPH_CHILD */
    CUgraphNode *dep;
    size_t ndeps;
    uint64_t serial, of; /* its number; of the node that it is a copy of, 0: none */
    bool disabled, done; /* done: while an order is made */
    size_t index;        /* likewise: its place in the graph */
    CUgraphNode next;
};

struct CUgraph_st {
    CUgraphNode nodes; /* owned, in the order of their making */
    size_t n;
    bool inner;   /* of another graph or an instance, which owns it */
    CUgraph next; /* of the session's */
};

struct CUgraphExec_st {
    CUgraph graph;      /* owned: a copy */
    CUgraphNode *order; /* owned: what is done, children's nodes among the others */
    size_t n;
    unsigned long long flags;
    CUgraphExec next;
};

/* All graphs, instances and captures of a process. */
struct graphs {
    CUgraph graphs;
    CUgraphExec execs;
    struct capture *captures;
    uint64_t serial;
};
struct graphs *graphs_of(void); /* NULL: there is no session */
bool graph_is(CUgraph g);
CUgraph graph_copy(CUgraph g);
void graph_free(CUgraph g);
bool graph_depend(CUgraphNode node, CUgraphNode on); /* false: it did so already */
/* Whether `node` is `of`, or comes after it. */
bool graph_follows(CUgraphNode node, CUgraphNode of);
void graph_captures_free(struct graphs *all);

#endif
