/* Driver API: streams (contract: cuda_async.h). */
#include "sim/frontend/pending.h"

#include <stdlib.h>

CUresult session_stream(CUcontext ctx, CUstream stream)
{
    if (!stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD)
        return CUDA_SUCCESS;
    for (const struct CUstream_st *s = ctx->streams; s; s = s->next)
        if (s == stream)
            return CUDA_SUCCESS;
    return CUDA_ERROR_INVALID_HANDLE;
}

CUcontext session_owner_of_stream(CUstream stream)
{
    const struct session *s = session_get();
    for (CUcontext c = s ? s->contexts : NULL; c; c = c->next)
        for (CUstream t = c->streams; t; t = t->next)
            if (t == stream)
                return c;
    return NULL;
}

/* The context, and that the stream is one of its own. */
static CUresult enter(CUcontext *ctx, CUstream stream)
{
    CUresult r = session_context(ctx);
    return r == CUDA_SUCCESS ? session_stream(*ctx, stream) : r;
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!stream || flags > 1)
        return CUDA_ERROR_INVALID_VALUE;
    CUstream s = xcalloc(1, sizeof *s);
    s->flags = flags;
    s->priority = priority;
    s->next = ctx->streams;
    ctx->streams = *stream = s;
    return CUDA_SUCCESS;
}

CUresult session_thread_stream(CUstream *stream)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    for (CUstream s = r == CUDA_SUCCESS ? ctx->streams : NULL; s; s = s->next)
        if (s->of_thread && pthread_equal(s->owner, pthread_self())) {
            *stream = s;
            return CUDA_SUCCESS;
        }
    r = r == CUDA_SUCCESS ? cuStreamCreateWithPriority(stream, 0, 0) : r;
    if (r == CUDA_SUCCESS) {
        (*stream)->of_thread = true;
        (*stream)->owner = pthread_self();
    }
    return r;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    SESSION_CALL();
    return cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult cuStreamDestroy(CUstream stream)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    for (CUstream *at = &ctx->streams; *at; at = &(*at)->next) {
        if (*at != stream)
            continue;
        pending_settle(ctx, stream);
        at = &ctx->streams;
        while (*at != stream) /* another thread may have taken some away meanwhile */
            at = &(*at)->next;
        *at = stream->next;
        ctx->time.gone = stream->at > ctx->time.gone ? stream->at : ctx->time.gone;
        graph_stream_gone(ctx, stream);
        free(stream);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    CUcontext ctx;
    CUresult r = enter(&ctx, stream);
    if (r != CUDA_SUCCESS || graph_forbidden(stream, &r))
        return r;
    pending_settle(ctx, stream);
    return session_context(&ctx);
}

CUresult cuStreamQuery(CUstream stream)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    CUcontext ctx;
    CUresult r = enter(&ctx, stream);
    if (r != CUDA_SUCCESS || graph_forbidden(stream, &r))
        return r;
    return pending_busy(ctx, stream) ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

bool session_has_event(CUcontext ctx, CUevent event)
{
    for (const struct CUevent_st *e = ctx->events; e; e = e->next)
        if (e == event)
            return true;
    return false;
}

CUcontext session_owner_of_event(CUevent event)
{
    const struct session *s = session_get();
    for (CUcontext c = s ? s->contexts : NULL; c; c = c->next)
        if (session_has_event(c, event))
            return c;
    return NULL;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    CUcontext ctx;
    CUresult r = enter(&ctx, stream);
    if (r == CUDA_SUCCESS && flags > 1) /* what was recorded has happened: nothing to wait for */
        return CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS && !session_has_event(ctx, event) &&
        !(session_get()->devices > 1 && session_owner_of_event(event)))
        return CUDA_ERROR_INVALID_HANDLE;
    if (r != CUDA_SUCCESS || graph_capture_wait(event, stream, &r))
        return r;
    pending_after(ctx, stream, event->pending);
    timeline_wait(ctx, stream, event->at);
    return r;
}

static bool is_own(CUstream stream)
{
    return stream && stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
}

CUresult session_own_stream(CUstream stream)
{
    CUcontext ctx;
    return enter(&ctx, stream);
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    CUcontext ctx;
    CUresult r = enter(&ctx, stream);
    if (r == CUDA_SUCCESS && !flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *flags = is_own(stream) ? stream->flags : 0;
    return r;
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    CUcontext ctx;
    CUresult r = enter(&ctx, stream);
    if (r == CUDA_SUCCESS && !priority)
        return CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *priority = is_own(stream) ? stream->priority : 0;
    return r;
}

/* Whether a function of the host is to be called now; it is, without our lock. */
static CUresult may_call(CUstream stream, const struct graph_host *h, bool *now)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    CUcontext ctx;
    CUresult r = enter(&ctx, stream);
    *now = false;
    if (r == CUDA_SUCCESS && !h->fn)
        r = CUDA_ERROR_INVALID_VALUE;
    const struct graph_work w = {GRAPH_HOST, NULL, h, sizeof *h};
    if (r == CUDA_SUCCESS)
        *now = !graph_capture(stream, &w, &r) && !pending_later(ctx, stream, &w);
    return r;
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback fn, void *user, unsigned flags)
{
    CUresult r = fn && !flags ? cuStreamSynchronize(stream) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        fn(stream, CUDA_SUCCESS, user);
    return r;
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *user)
{
    bool now;
    CUresult r = may_call(stream, &(struct graph_host){fn, user}, &now);
    if (now)
        fn(user);
    return r;
}
