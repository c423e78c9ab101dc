/* Driver API: instantiated graphs, their launches and updates (contract: cuda_graph.h). */
#include "sim/frontend/graph_int.h"
#include "sim/frontend/pending.h"

#include <stdlib.h>
#include <string.h>

static bool is_exec(CUgraphExec x)
{
    const struct graphs *all = graphs_of();
    for (CUgraphExec at = all ? all->execs : NULL; at; at = at->next)
        if (at == x)
            return true;
    return false;
}

static bool is_due(CUgraphNode n)
{
    for (size_t i = 0; i < n->ndeps; i++)
        if (!n->dep[i]->done)
            return false;
    return !n->done;
}

/* Appends what g does, each after those that it depends on. False: they depend on each other. */
static bool put_in_order(CUgraphExec x, CUgraph g)
{
    size_t left = g->n;
    for (CUgraphNode n = g->nodes; n; n = n->next)
        n->done = false;
    for (size_t before = left + 1; left && left < before;) {
        before = left;
        for (CUgraphNode n = g->nodes; n; n = n->next) {
            if (!is_due(n))
                continue;
            n->done = true;
            left--;
            if (n->child && !put_in_order(x, n->child))
                return false;
            x->order = xrealloc(x->order, (x->n + 1) * sizeof *x->order);
            x->order[x->n++] = n;
        }
    }
    return !left;
}

static void exec_free(CUgraphExec x)
{
    graph_free(x->graph);
    free(x->order);
    free(x);
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *x, CUgraph g, unsigned long long flags)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!x || !graph_is(g) || flags > 15)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphExec made = xcalloc(1, sizeof *made);
    made->graph = graph_copy(g);
    made->graph->inner = true;
    made->flags = flags;
    if (!put_in_order(made, made->graph)) {
        exec_free(made);
        return CUDA_ERROR_INVALID_VALUE;
    }
    made->next = graphs_of()->execs;
    graphs_of()->execs = *x = made;
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec x)
{
    SESSION_CALL();
    if (!is_exec(x))
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphExec *at = &graphs_of()->execs;
    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    exec_free(x);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecGetFlags(CUgraphExec x, unsigned long long *flags)
{
    SESSION_CALL();
    if (!is_exec(x) || !flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = x->flags;
    return CUDA_SUCCESS;
}

/* Node *at and those behind it, up to a function of the host, which the caller calls. */
static CUresult run_some(CUgraphExec x, CUstream stream, size_t *at, struct graph_host *host)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS)
        r = session_stream(ctx, stream);
    if (r == CUDA_SUCCESS && !is_exec(x))
        r = CUDA_ERROR_INVALID_VALUE;
    host->fn = NULL;
    while (r == CUDA_SUCCESS && *at < x->n && !host->fn) {
        CUgraphNode n = x->order[(*at)++];
        if (n->disabled)
            continue;
        const struct graph_work w = {n->type, n->run, n->data, n->bytes};
        if (n->type == GRAPH_HOST && pending_later(ctx, stream, &w))
            continue;
        if (n->type == GRAPH_HOST)
            *host = *(const struct graph_host *)n->data;
        else if (n->run)
            r = n->run(n->data, stream);
    }
    return r;
}

/* A launch in a capturing stream is a child there. */
static bool captured(CUgraphExec x, CUstream stream, CUresult *r)
{
    SESSION_CALL();
    struct graph_capturing c;
    CUgraphNode node;
    if (graph_capturing(stream, &c) != CUDA_SUCCESS || c.status == CAPTURE_NONE)
        return false;
    *r = CUDA_ERROR_INVALID_VALUE;
    if (c.status == CAPTURE_INVALIDATED)
        *r = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    else if (is_exec(x))
        *r = graph_child(&node, c.graph, c.tail, c.ntail, x->graph);
    if (*r == CUDA_SUCCESS)
        *r = graph_capture_depend(stream, &node, 1, true);
    return true;
}

CUresult cuGraphLaunch(CUgraphExec x, CUstream stream)
{
    struct graph_host host;
    CUresult r;
    size_t at = 0;
    if (captured(x, stream, &r))
        return r;
    do {
        r = run_some(x, stream, &at, &host);
        if (r == CUDA_SUCCESS && host.fn)
            host.fn(host.user); /* without our lock: it may wait for another thread */
    } while (r == CUDA_SUCCESS && host.fn);
    return r;
}

CUresult cuGraphUpload(CUgraphExec x, CUstream stream)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS)
        r = session_stream(ctx, stream);
    return r == CUDA_SUCCESS && !is_exec(x) ? CUDA_ERROR_INVALID_VALUE : r;
}

/* -- changes */

CUresult graph_exec_node(CUgraphExec x, CUgraphNode node, enum graph_type type, CUgraphNode *found)
{
    if (!is_exec(x) || !graph_is_node(node) || node->type != type)
        return CUDA_ERROR_INVALID_VALUE;
    for (CUgraphNode n = x->graph->nodes; n; n = n->next)
        if (n->of == node->serial) {
            *found = n;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphNodeSetEnabled(CUgraphExec x, CUgraphNode node, unsigned enabled)
{
    SESSION_CALL();
    CUgraphNode n = NULL;
    CUresult r = CUDA_ERROR_INVALID_VALUE;
    if (graph_is_node(node) && node->type <= GRAPH_MEMSET) /* kernels, copies, memset alone */
        r = graph_exec_node(x, node, node->type, &n);
    if (r == CUDA_SUCCESS)
        n->disabled = !enabled;
    return r;
}

CUresult cuGraphNodeGetEnabled(CUgraphExec x, CUgraphNode node, unsigned *enabled)
{
    SESSION_CALL();
    CUgraphNode n = NULL;
    CUresult r = CUDA_ERROR_INVALID_VALUE;
    if (enabled && graph_is_node(node) && node->type <= GRAPH_MEMSET)
        r = graph_exec_node(x, node, node->type, &n);
    if (r == CUDA_SUCCESS)
        *enabled = !n->disabled;
    return r;
}

static bool same_edges(CUgraphNode a, CUgraphNode b)
{
    bool same = a->ndeps == b->ndeps;
    for (size_t i = 0; same && i < a->ndeps; i++)
        same = a->dep[i]->index == b->dep[i]->index;
    return same;
}

static void number(CUgraph g)
{
    size_t i = 0;
    for (CUgraphNode n = g->nodes; n; n = n->next)
        n->index = i++;
}

/* Whether b's work can take the place of a's, node by node; *at: of b, the one that can't. */
static enum graph_update compare(CUgraph a, CUgraph b, CUgraphNode *at)
{
    number(a);
    number(b);
    *at = NULL;
    if (a->n != b->n)
        return UPDATE_TOPOLOGY_CHANGED;
    for (CUgraphNode x = a->nodes, y = b->nodes; x; x = x->next, y = y->next) {
        *at = y;
        if (x->type != y->type)
            return UPDATE_TYPE_CHANGED;
        if (!same_edges(x, y))
            return UPDATE_TOPOLOGY_CHANGED;
    }
    for (CUgraphNode x = a->nodes, y = b->nodes; x; x = x->next, y = y->next) {
        const enum graph_update why = x->child ? compare(x->child, y->child, at) : UPDATE_SUCCESS;
        if (why != UPDATE_SUCCESS)
            return why;
    }
    *at = NULL;
    return UPDATE_SUCCESS;
}

static void take_over(CUgraph a, CUgraph b)
{
    for (CUgraphNode x = a->nodes, y = b->nodes; x; x = x->next, y = y->next) {
        const struct graph_work w = {y->type, y->run, y->data, y->bytes};
        graph_node_set(x, &w);
        if (x->child)
            take_over(x->child, y->child);
    }
}

CUresult graph_update(CUgraphExec x, CUgraph g, enum graph_update *why, CUgraphNode *at)
{
    if (!is_exec(x) || !graph_is(g))
        return CUDA_ERROR_INVALID_VALUE;
    *why = compare(x->graph, g, at);
    if (*why != UPDATE_SUCCESS)
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    take_over(x->graph, g);
    return CUDA_SUCCESS;
}
