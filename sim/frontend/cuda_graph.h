/* sim/frontend/cuda_graph.h -- graphs: work that is put together once and launched many times, and
 * the capture of streams that makes them.
 *
 * A node's work is a function with its data, which the node copies. A launch of an instantiated
 * graph does the nodes' work one after the other, each after those that it depends on; between
 * those that do not depend on each other the order is that of their making.
 *
 *   cuStreamBeginCapture -> cuLaunchKernel, copies ... (graph_capture) -> cuStreamEndCapture
 *   cuGraphCreate -> graph_add ...  -> cuGraphInstantiate (copies) -> cuGraphLaunch ... */
#ifndef MDP_SIM_FRONTEND_CUDA_GRAPH_H
#define MDP_SIM_FRONTEND_CUDA_GRAPH_H

#include <stdbool.h>

#include "sim/frontend/cuda_library.h"

typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;

enum graph_type { /* CUgraphNodeType */
                  GRAPH_KERNEL,
                  GRAPH_MEMCPY,
                  GRAPH_MEMSET,
                  GRAPH_HOST,
                  GRAPH_CHILD,
                  GRAPH_EMPTY,
                  GRAPH_WAIT_EVENT,
                  GRAPH_EVENT_RECORD,
                  GRAPH_MEM_ALLOC = 10,
                  GRAPH_MEM_FREE
};
enum { CAPTURE_NONE, CAPTURE_ACTIVE, CAPTURE_INVALIDATED }; /* CUstreamCaptureStatus */
enum graph_update {                                         /* CUgraphExecUpdateResult */
                    UPDATE_SUCCESS,
                    UPDATE_ERROR,
                    UPDATE_TOPOLOGY_CHANGED,
                    UPDATE_TYPE_CHANGED
};

struct graph_work {
    enum graph_type type;
    CUresult (*run)(const void *data, CUstream stream); /* NULL: nothing is done */
    const void *data;
    size_t bytes;
};
struct graph_host { /* the data of a GRAPH_HOST node, which has no run() */
    CUhostFn fn;
    void *user;
};
struct graph_kernel { /* the data of a GRAPH_KERNEL node */
    CUfunction f;
    unsigned grid[3], block[3], cluster[3], shared; /* cluster: 0: as the kernel says */
    bool cooperative;
    const void *handle; /* what the program named it by */
    size_t bytes;
    _Alignas(16) unsigned char args[]; /* packed */
};

/* -- what a graph is made of; every function below returns CUDA's errors */
CUresult graph_add(CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
                   const struct graph_work *w);
/* New work of the same type. */
CUresult graph_node_set(CUgraphNode node, const struct graph_work *w);
/* The node of an instantiated graph that was made from `node`; of that type. */
CUresult graph_exec_node(CUgraphExec x, CUgraphNode node, enum graph_type type, CUgraphNode *found);
/* Its data; NULL: it is no node of that type. */
const void *graph_node_data(CUgraphNode node, enum graph_type type);
bool graph_is_node(CUgraphNode node);
/* Work of a kernel; caller frees w->data. params or extra, as cuLaunchKernel has them. */
struct graph_launch {
    CUfunction f;
    unsigned grid[3], block[3], cluster[3], shared;
    bool cooperative;
    const void *handle;
    void **params, **extra;
};
CUresult graph_kernel_work(const struct graph_launch *l, struct graph_work *w);
CUresult graph_memset_work(const void *params, struct graph_work *w); /* CUDA_MEMSET_NODE_PARAMS */
CUresult graph_run_memset(const void *params, CUstream stream);
/* A pointer to each argument of a kernel's node, in the node. */
void **graph_arguments(CUgraphNode node);
CUresult graph_update(CUgraphExec x, CUgraph g, enum graph_update *why, CUgraphNode *at);
CUresult graph_child(CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
                     CUgraph child);
CUresult graph_child_of(CUgraphNode node, CUgraph *child);

/* -- capture */
struct session;
/* Whether the call is work of a capture, or refused because of one; then *r is what it returns. */
bool graph_capture(CUstream stream, const struct graph_work *w, CUresult *r);
/* The same for calls that cannot be captured: of one stream; of the whole context (NULL). */
bool graph_forbidden(CUstream stream, CUresult *r);
/* Calls that may wait for the device, such as allocations, while a capture in global mode goes on.
 */
bool graph_unsafe(CUresult *r);
bool graph_capture_event(CUevent event, CUstream stream, CUresult *r); /* cuEventRecord */
bool graph_capture_wait(CUevent event, CUstream stream, CUresult *r);  /* cuStreamWaitEvent */
struct graph_capturing {                                               /* of a stream */
    int status;
    unsigned long long id;
    CUgraph graph;
    CUgraphNode *tail; /* what its next work depends on; borrowed */
    size_t ntail;
};
CUresult graph_capturing(CUstream stream, struct graph_capturing *c);
/* More of these, or these instead. */
CUresult graph_capture_depend(CUstream stream, const CUgraphNode *deps, size_t n, bool instead);
void graph_stream_gone(CUcontext ctx, CUstream stream); /* it is, or was, one of ctx */
void graph_free_all(struct session *s);

#pragma GCC visibility push(default)
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph *g);
CUresult cuStreamIsCapturing(CUstream stream, int *status);
CUresult cuThreadExchangeStreamCaptureMode(int *mode);
CUresult cuGraphCreate(CUgraph *g, unsigned flags);
CUresult cuGraphDestroy(CUgraph g);
CUresult cuGraphClone(CUgraph *to, CUgraph from);
CUresult cuGraphDestroyNode(CUgraphNode node);
CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n);
CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
                                   CUevent event);
CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
                                 CUevent event);
CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                size_t n);
CUresult cuGraphRemoveDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t n);
CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *nodes, size_t *n);
CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *nodes, size_t *n);
CUresult cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n);
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *deps, size_t *n);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *n);
CUresult cuGraphNodeGetType(CUgraphNode node, int *type);
CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone);
CUresult cuGraphInstantiateWithFlags(CUgraphExec *x, CUgraph g, unsigned long long flags);
CUresult cuGraphExecDestroy(CUgraphExec x);
CUresult cuGraphExecGetFlags(CUgraphExec x, unsigned long long *flags);
CUresult cuGraphLaunch(CUgraphExec x, CUstream stream);
CUresult cuGraphUpload(CUgraphExec x, CUstream stream);
CUresult cuGraphNodeSetEnabled(CUgraphExec x, CUgraphNode node, unsigned enabled);
CUresult cuGraphNodeGetEnabled(CUgraphExec x, CUgraphNode node, unsigned *enabled);
#pragma GCC visibility pop

#endif
