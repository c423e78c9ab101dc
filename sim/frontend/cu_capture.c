/* Driver API: capture, which makes a graph of what a stream is asked to do (contract:
 * cuda_graph.h). A stream that waits for an event of the capture takes part in it until its end. */
#include "sim/frontend/graph_int.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MODE_GLOBAL, MODE_THREAD, MODE_RELAXED };

struct capture {
    unsigned long long id;
    CUgraph graph; /* NULL: it was invalidated */
    int mode;
    pthread_t thread;
    CUstream origin;
    CUgraphNode *left; /* owned: where streams were that are gone */
    size_t nleft;
    struct capture *next;
};

static _Thread_local int thread_mode = MODE_GLOBAL; /* what this thread may do meanwhile */

static bool is_own(CUstream s)
{
    return s && s != CU_STREAM_LEGACY && s != CU_STREAM_PER_THREAD;
}

/* The capture that the stream takes part in. */
static struct capture *capture_of(CUstream s)
{
    struct graphs *all = graphs_of();
    for (struct capture *c = all && is_own(s) ? all->captures : NULL; c; c = c->next)
        if (c->id == s->capture)
            return c;
    return NULL;
}

static void invalidate(struct capture *c)
{
    if (c->graph)
        graph_free(c->graph);
    c->graph = NULL;
}

static void set_tail(CUstream s, const CUgraphNode *nodes, size_t n)
{
    CUgraphNode *copy = n ? xmalloc(n * sizeof *copy) : NULL;
    if (n)
        memcpy(copy, nodes, n * sizeof *copy);
    free(s->tail);
    s->tail = copy;
    s->ntail = n;
}

static void add_tail(CUstream s, CUgraphNode node)
{
    for (size_t i = 0; i < s->ntail; i++)
        if (s->tail[i] == node)
            return;
    s->tail = xrealloc(s->tail, (s->ntail + 1) * sizeof *s->tail);
    s->tail[s->ntail++] = node;
}

static void leave(CUstream s)
{
    s->capture = 0;
    set_tail(s, NULL, 0);
}

static void end(CUcontext ctx, struct capture *c);

void graph_stream_gone(CUcontext ctx, CUstream s)
{
    struct capture *c = capture_of(s);
    if (c && c->origin == s) { /* nobody else can end it */
        invalidate(c);
        end(ctx, c);
    } else if (c && s->ntail) { /* what it did has to be joined, as if it were still there */
        c->left = xrealloc(c->left, (c->nleft + s->ntail) * sizeof *c->left);
        memcpy(c->left + c->nleft, s->tail, s->ntail * sizeof *c->left);
        c->nleft += s->ntail;
    }
    set_tail(s, NULL, 0);
}

void graph_captures_free(struct graphs *all)
{
    for (struct capture *c = all->captures; c; c = c->next) {
        invalidate(c);
        free(c->left);
    }
    FREE_LIST(all->captures);
    all->captures = NULL;
}

/* -- begin and end */

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS)
        r = session_stream(ctx, stream);
    if (r != CUDA_SUCCESS)
        return r;
    if (mode < MODE_GLOBAL || mode > MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_own(stream))
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (stream->capture)
        return CUDA_ERROR_ILLEGAL_STATE;
    struct capture *c = xcalloc(1, sizeof *c);
    struct graphs *all = graphs_of();
    r = cuGraphCreate(&c->graph, 0);
    *c = (struct capture){.id = ++all->serial,
                          .graph = c->graph,
                          .mode = mode,
                          .thread = pthread_self(),
                          .origin = stream,
                          .next = all->captures};
    all->captures = c;
    stream->capture = c->id;
    return r;
}

static bool comes_before_end(const struct capture *c, CUgraphNode node)
{
    for (size_t i = 0; i < c->origin->ntail; i++)
        if (graph_follows(c->origin->tail[i], node))
            return true;
    return false;
}

/* All that took part is done before the origin goes on. */
static bool joined(CUcontext ctx, const struct capture *c)
{
    for (CUstream s = ctx->streams; s; s = s->next)
        for (size_t i = 0; s->capture == c->id && s != c->origin && i < s->ntail; i++)
            if (!comes_before_end(c, s->tail[i]))
                return false;
    for (size_t i = 0; i < c->nleft; i++)
        if (!comes_before_end(c, c->left[i]))
            return false;
    return true;
}

static void end(CUcontext ctx, struct capture *c)
{
    for (CUstream s = ctx->streams; s; s = s->next)
        if (s->capture == c->id)
            leave(s);
    struct capture **at = &graphs_of()->captures;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    free(c->left);
    free(c);
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *g)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS)
        r = session_stream(ctx, stream);
    if (r == CUDA_SUCCESS && !g)
        r = CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS)
        return r;
    struct capture *c = capture_of(stream);
    *g = NULL;
    if (!c)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (c->mode != MODE_RELAXED && !pthread_equal(c->thread, pthread_self()))
        return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    if (c->origin != stream)
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    if (!c->graph)
        r = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    else if (!joined(ctx, c))
        r = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    if (r == CUDA_SUCCESS)
        *g = c->graph;
    else
        invalidate(c);
    end(ctx, c);
    return r;
}

CUresult graph_capturing(CUstream stream, struct graph_capturing *out)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS)
        r = session_stream(ctx, stream);
    if (r != CUDA_SUCCESS)
        return r;
    const struct capture *c = capture_of(stream);
    *out = (struct graph_capturing){.status = CAPTURE_NONE};
    if (c && c->graph)
        *out =
            (struct graph_capturing){CAPTURE_ACTIVE, c->id, c->graph, stream->tail, stream->ntail};
    else if (c)
        out->status = CAPTURE_INVALIDATED;
    return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream stream, int *status)
{
    SESSION_CALL();
    struct graph_capturing c;
    CUresult r = status ? graph_capturing(stream, &c) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *status = c.status;
    return r;
}

CUresult cuThreadExchangeStreamCaptureMode(int *mode)
{
    if (!mode || *mode < MODE_GLOBAL || *mode > MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    const int before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

CUresult graph_capture_depend(CUstream stream, const CUgraphNode *deps, size_t n, bool instead)
{
    const struct capture *c = capture_of(stream);
    if (!c)
        return CUDA_ERROR_ILLEGAL_STATE;
    for (size_t i = 0; i < n; i++)
        if (!graph_is_node(deps[i]) || deps[i]->graph != c->graph)
            return CUDA_ERROR_INVALID_VALUE;
    if (instead)
        set_tail(stream, NULL, 0);
    for (size_t i = 0; i < n; i++)
        add_tail(stream, deps[i]);
    return CUDA_SUCCESS;
}

/* -- what is captured, and what must not be asked for meanwhile */

/* The legacy stream waits for all streams that were not made non-blocking: for captured ones it
 * can't. */
static bool is_implicit(CUstream stream, CUresult *r)
{
    const struct graphs *all = session_get()->graphs;
    if (stream && stream != CU_STREAM_LEGACY)
        return false;
    for (struct capture *c = all ? all->captures : NULL; c; c = c->next)
        if (c->graph && !(c->origin->flags & 1)) {
            invalidate(c);
            *r = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
            return true;
        }
    return false;
}

bool graph_capture(CUstream stream, const struct graph_work *w, CUresult *r)
{
    struct capture *c = capture_of(stream);
    CUgraphNode node;
    if (!c)
        return is_implicit(stream, r);
    *r = c->graph ? graph_add(&node, c->graph, stream->tail, stream->ntail, w)
                  : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (*r == CUDA_SUCCESS)
        set_tail(stream, &node, 1);
    return true;
}

bool graph_forbidden(CUstream stream, CUresult *r)
{
    struct capture *c = capture_of(stream);
    const struct graphs *all = session_get()->graphs;
    if (!is_own(stream))
        c = all ? all->captures : NULL;
    if (!c)
        return false;
    *r = c->graph ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    invalidate(c);
    return true;
}

bool graph_unsafe(CUresult *r)
{
    const struct session *s = session_get();
    for (struct capture *c = s && s->graphs ? s->graphs->captures : NULL; c; c = c->next) {
        const bool own = pthread_equal(c->thread, pthread_self());
        if (thread_mode == MODE_RELAXED || c->mode == MODE_RELAXED || !c->graph ||
            (c->mode == MODE_THREAD && !own) || (thread_mode == MODE_THREAD && !own))
            continue;
        invalidate(c);
        *r = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        return true;
    }
    return false;
}

static void event_forgets(CUevent event)
{
    free(event->tail);
    event->tail = NULL;
    event->ntail = 0;
    event->capture = 0;
}

bool graph_capture_event(CUevent event, CUstream stream, CUresult *r)
{
    const struct capture *c = capture_of(stream);
    event_forgets(event);
    if (!c)
        return is_implicit(stream, r);
    *r = c->graph ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    event->capture = c->id;
    event->ntail = stream->ntail;
    event->tail = xmalloc((stream->ntail + 1) * sizeof *event->tail);
    if (stream->ntail)
        memcpy(event->tail, stream->tail, stream->ntail * sizeof *event->tail);
    return true;
}

bool graph_capture_wait(CUevent event, CUstream stream, CUresult *r)
{
    struct capture *c = capture_of(stream), *from = NULL;
    const struct graphs *all = session_get()->graphs;
    for (from = all ? all->captures : NULL; from && from->id != event->capture;)
        from = from->next;
    if (!c && !event->capture)
        return false;
    *r = CUDA_SUCCESS;
    if (!event->capture) /* what it stands for is outside of the capture */
        *r = CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    else if (!from) /* that capture has ended */
        *r = CUDA_ERROR_CAPTURED_EVENT;
    else if (!is_own(stream))
        *r = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    else if (c && c != from)
        *r = CUDA_ERROR_STREAM_CAPTURE_MERGE;
    else if (!from->graph)
        *r = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (!from || *r != CUDA_SUCCESS) {
        if (c)
            invalidate(c);
        return true;
    }
    stream->capture = from->id;
    for (size_t i = 0; i < event->ntail; i++)
        add_tail(stream, event->tail[i]);
    return true;
}
