/* Driver API: graphs, their nodes and edges (contract: cuda_graph.h). */
#include "sim/frontend/graph_int.h"

#include <stdlib.h>
#include <string.h>

struct graphs *graphs_of(void)
{
    struct session *s = session_get();
    if (s && !s->graphs)
        s->graphs = xcalloc(1, sizeof *s->graphs);
    return s ? s->graphs : NULL;
}

bool graph_is(CUgraph g)
{
    const struct graphs *all = graphs_of();
    for (CUgraph at = all ? all->graphs : NULL; at; at = at->next)
        if (at == g)
            return true;
    return false;
}

bool graph_is_node(CUgraphNode node)
{
    const struct graphs *all = graphs_of();
    for (CUgraph g = all ? all->graphs : NULL; g; g = g->next)
        for (CUgraphNode n = g->nodes; n; n = n->next)
            if (n == node)
                return true;
    return false;
}

static CUgraph graph_new(bool inner)
{
    struct graphs *all = graphs_of();
    CUgraph g = xcalloc(1, sizeof *g);
    g->inner = inner;
    g->next = all->graphs;
    all->graphs = g;
    return g;
}

static void node_free(CUgraphNode n)
{
    if (n->child)
        graph_free(n->child);
    free(n->dep);
    free(n->args);
    free(n->data);
    free(n);
}

void graph_free(CUgraph g)
{
    CUgraph *at = &graphs_of()->graphs;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    for (CUgraphNode n = g->nodes, next; n; n = next) {
        next = n->next;
        node_free(n);
    }
    free(g);
}

void graph_free_all(struct session *s)
{
    struct graphs *all = s->graphs;
    if (!all)
        return;
    graph_captures_free(all);
    while (all->execs)
        cuGraphExecDestroy(all->execs);
    for (CUgraph g; (g = all->graphs);) {
        while (g->inner)
            g = g->next;
        graph_free(g);
    }
    free(all);
    s->graphs = NULL;
}

bool graph_depend(CUgraphNode node, CUgraphNode on)
{
    for (size_t i = 0; i < node->ndeps; i++)
        if (node->dep[i] == on)
            return false;
    node->dep = xrealloc(node->dep, (node->ndeps + 1) * sizeof *node->dep);
    node->dep[node->ndeps++] = on;
    return true;
}

bool graph_follows(CUgraphNode node, CUgraphNode of)
{
    for (CUgraphNode n = node->graph->nodes; n; n = n->next)
        n->done = n == of; /* it, and what comes after it */
    /* Whatever was made later may depend on what was made earlier, and the other way round. */
    for (bool more = true; more;) {
        more = false;
        for (CUgraphNode n = node->graph->nodes; n; n = n->next)
            for (size_t i = 0; i < n->ndeps && !n->done; i++)
                more |= n->done = n->dep[i]->done;
    }
    return node->done;
}

static CUgraphNode node_new(CUgraph g, const struct graph_work *w)
{
    CUgraphNode n = xcalloc(1, sizeof *n), *end = &g->nodes;
    *n = (struct CUgraphNode_st){.graph = g, .type = w->type, .run = w->run, .bytes = w->bytes};
    if (w->bytes) {
        n->data = xmalloc(w->bytes);
        memcpy(n->data, w->data, w->bytes);
    }
    n->serial = ++graphs_of()->serial;
    while (*end)
        end = &(*end)->next;
    *end = n;
    g->n++;
    return n;
}

static CUresult check_add(const CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n)
{
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!node || !graph_is(g) || (n && !deps))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n; i++)
        if (!graph_is_node(deps[i]) || deps[i]->graph != g)
            return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult graph_add(CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
                   const struct graph_work *w)
{
    CUresult r = check_add(node, g, deps, n);
    if (r != CUDA_SUCCESS)
        return r;
    CUgraphNode made = node_new(g, w);
    for (size_t i = 0; i < n; i++) /* of which *node may be one */
        graph_depend(made, deps[i]);
    *node = made;
    return CUDA_SUCCESS;
}

CUresult graph_child(CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n, CUgraph child)
{
    if (!graph_is(child) || child == g)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = graph_add(node, g, deps, n, &(struct graph_work){.type = GRAPH_CHILD});
    if (r != CUDA_SUCCESS)
        return r;
    (*node)->child = graph_copy(child);
    (*node)->child->inner = true;
    return CUDA_SUCCESS;
}

CUresult graph_child_of(CUgraphNode node, CUgraph *child)
{
    if (!child || !graph_is_node(node) || node->type != GRAPH_CHILD)
        return CUDA_ERROR_INVALID_VALUE;
    *child = node->child;
    return CUDA_SUCCESS;
}

CUresult graph_node_set(CUgraphNode node, const struct graph_work *w)
{
    if (!graph_is_node(node) || node->type != w->type)
        return CUDA_ERROR_INVALID_VALUE;
    void *data = xmalloc(w->bytes + 1);
    if (w->bytes)
        memcpy(data, w->data, w->bytes);
    free(node->data);
    node->data = data;
    node->bytes = w->bytes;
    node->run = w->run;
    return CUDA_SUCCESS;
}

const void *graph_node_data(CUgraphNode node, enum graph_type type)
{
    return graph_is_node(node) && node->type == type ? node->data : NULL;
}

CUgraph graph_copy(CUgraph g)
{
    CUgraph c = graph_new(false);
    CUgraphNode *made = xcalloc(g->n + 1, sizeof *made);
    size_t i = 0;
    for (CUgraphNode n = g->nodes; n; n = n->next) {
        const struct graph_work w = {n->type, n->run, n->data, n->bytes};
        n->index = i;
        made[i] = node_new(c, &w);
        made[i]->of = n->serial;
        made[i]->disabled = n->disabled;
        if (n->child) {
            made[i]->child = graph_copy(n->child);
            made[i]->child->inner = true;
        }
        i++;
    }
    for (CUgraphNode n = g->nodes; n; n = n->next)
        for (size_t k = 0; k < n->ndeps; k++)
            graph_depend(made[n->index], made[n->dep[k]->index]);
    free(made);
    return c;
}

/* -- the calls */

CUresult cuGraphCreate(CUgraph *g, unsigned flags)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r == CUDA_SUCCESS && (!g || flags))
        return CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *g = graph_new(false);
    return r;
}

CUresult cuGraphDestroy(CUgraph g)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!graph_is(g) || g->inner)
        return CUDA_ERROR_INVALID_VALUE;
    graph_free(g);
    return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph *to, CUgraph from)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r == CUDA_SUCCESS && (!to || !graph_is(from)))
        return CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *to = graph_copy(from);
    return r;
}

static void forget_dependency(CUgraphNode node, CUgraphNode on)
{
    size_t kept = 0;
    for (size_t i = 0; i < node->ndeps; i++)
        if (node->dep[i] != on)
            node->dep[kept++] = node->dep[i];
    node->ndeps = kept;
}

CUresult cuGraphDestroyNode(CUgraphNode node)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r == CUDA_SUCCESS && !graph_is_node(node))
        return CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS)
        return r;
    CUgraph g = node->graph;
    CUgraphNode *at = &g->nodes;
    while (*at != node)
        at = &(*at)->next;
    *at = node->next;
    g->n--;
    for (CUgraphNode n = g->nodes; n; n = n->next)
        forget_dependency(n, node);
    node_free(node);
    return CUDA_SUCCESS;
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n)
{
    SESSION_CALL();
    return graph_add(node, g, deps, n, &(struct graph_work){.type = GRAPH_EMPTY});
}

static CUresult record(const void *data, CUstream stream)
{
    return cuEventRecord(*(const CUevent *)data, stream);
}

static CUresult wait_for(const void *data, CUstream stream)
{
    return cuStreamWaitEvent(stream, *(const CUevent *)data, 0);
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
                                   CUevent event)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS && !session_has_event(ctx, event))
        r = CUDA_ERROR_INVALID_HANDLE;
    const struct graph_work w = {GRAPH_EVENT_RECORD, record, &event, sizeof event};
    return r == CUDA_SUCCESS ? graph_add(node, g, deps, n, &w) : r;
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
                                 CUevent event)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS && !session_has_event(ctx, event))
        r = CUDA_ERROR_INVALID_HANDLE;
    const struct graph_work w = {GRAPH_WAIT_EVENT, wait_for, &event, sizeof event};
    return r == CUDA_SUCCESS ? graph_add(node, g, deps, n, &w) : r;
}

static CUresult check_edges(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n)
{
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!graph_is(g) || (n && (!from || !to)))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n; i++)
        if (!graph_is_node(from[i]) || !graph_is_node(to[i]) || from[i]->graph != g ||
            to[i]->graph != g || from[i] == to[i])
            return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n)
{
    SESSION_CALL();
    CUresult r = check_edges(g, from, to, n);
    for (size_t i = 0; i < n && r == CUDA_SUCCESS; i++)
        if (graph_follows(from[i], to[i]) || !graph_depend(to[i], from[i]))
            r = CUDA_ERROR_INVALID_VALUE; /* a cycle, or an edge that is there */
    return r;
}

CUresult cuGraphRemoveDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t n)
{
    SESSION_CALL();
    CUresult r = check_edges(g, from, to, n);
    for (size_t i = 0; i < n && r == CUDA_SUCCESS; i++) {
        const size_t before = to[i]->ndeps;
        forget_dependency(to[i], from[i]);
        if (to[i]->ndeps == before)
            r = CUDA_ERROR_INVALID_VALUE;
    }
    return r;
}

/* -- queries: with NULL they count, else they give at most *n */

struct list {
    CUgraphNode *to, *to2;
    size_t room, n;
};

static void list_put(struct list *l, CUgraphNode a, CUgraphNode b)
{
    if (l->to && l->n < l->room)
        l->to[l->n] = a;
    if (l->to2 && l->n < l->room)
        l->to2[l->n] = b;
    l->n++;
}

/* *n becomes how many there are, or how many were given; places beyond are NULL. */
static CUresult list_end(const struct list *l, size_t *n)
{
    for (size_t i = l->n; l->to && i < l->room; i++) {
        l->to[i] = NULL;
        if (l->to2)
            l->to2[i] = NULL;
    }
    *n = l->to && l->room < l->n ? l->room : l->n;
    return CUDA_SUCCESS;
}

static CUresult nodes_of(CUgraph g, CUgraphNode *nodes, size_t *n, bool roots)
{
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!graph_is(g) || !n)
        return CUDA_ERROR_INVALID_VALUE;
    struct list l = {nodes, NULL, *n, 0};
    for (CUgraphNode at = g->nodes; at; at = at->next)
        if (!roots || !at->ndeps)
            list_put(&l, at, NULL);
    return list_end(&l, n);
}

CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *nodes, size_t *n)
{
    SESSION_CALL();
    return nodes_of(g, nodes, n, false);
}

CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *nodes, size_t *n)
{
    SESSION_CALL();
    return nodes_of(g, nodes, n, true);
}

CUresult cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!graph_is(g) || !n || !from != !to)
        return CUDA_ERROR_INVALID_VALUE;
    struct list l = {from, to, *n, 0};
    for (CUgraphNode at = g->nodes; at; at = at->next)
        for (size_t i = 0; i < at->ndeps; i++)
            list_put(&l, at->dep[i], at);
    return list_end(&l, n);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *deps, size_t *n)
{
    SESSION_CALL();
    if (!graph_is_node(node) || !n)
        return CUDA_ERROR_INVALID_VALUE;
    struct list l = {deps, NULL, *n, 0};
    for (size_t i = 0; i < node->ndeps; i++)
        list_put(&l, node->dep[i], NULL);
    return list_end(&l, n);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *n)
{
    SESSION_CALL();
    if (!graph_is_node(node) || !n)
        return CUDA_ERROR_INVALID_VALUE;
    struct list l = {nodes, NULL, *n, 0};
    for (CUgraphNode at = node->graph->nodes; at; at = at->next)
        for (size_t i = 0; i < at->ndeps; i++)
            if (at->dep[i] == node)
                list_put(&l, at, NULL);
    return list_end(&l, n);
}

CUresult cuGraphNodeGetType(CUgraphNode node, int *type)
{
    SESSION_CALL();
    if (!graph_is_node(node) || !type)
        return CUDA_ERROR_INVALID_VALUE;
    *type = (int)node->type;
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone)
{
    SESSION_CALL();
    if (!node || !graph_is_node(original) || !graph_is(clone))
        return CUDA_ERROR_INVALID_VALUE;
    for (CUgraphNode n = clone->nodes; n; n = n->next)
        if (n->of == original->serial) {
            *node = n;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}
