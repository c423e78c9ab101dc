/* Driver API: contexts, and which one is current to a thread (contract: cuda.h). */
#include "sim/frontend/pending.h"

#include <stdlib.h>

CUresult cuCtxCreate(CUcontext *ctx, unsigned int flags, CUdevice dev)
{
    SESSION_CALL();
    (void)flags; /* how the host thread waits: launches are synchronous here */
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!ctx)
        return CUDA_ERROR_INVALID_VALUE;
    if (!session_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    struct session *s = session_get();
    CUcontext c = xcalloc(1, sizeof *c);
    c->number = ++s->created;
    if (!session_push_context(c)) {
        free(c);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    c->device = dev;
    c->context = context_new_on(s->x, dev, s->devices,
                                s->devices > 1 && s->contexts ? s->contexts->context : NULL);
    context_share_host(c->context, s->host);
    c->next = s->contexts;
    s->contexts = *ctx = c;
    return CUDA_SUCCESS;
}

static CUcontext *find(struct session *s, CUcontext ctx)
{
    CUcontext *at = &s->contexts;
    while (*at && *at != ctx)
        at = &(*at)->next;
    return at;
}

bool session_has_context(CUcontext ctx)
{
    struct session *s = session_get();
    return s && ctx && *find(s, ctx);
}

CUresult cuCtxDestroy(CUcontext ctx)
{
    SESSION_CALL();
    struct session *s = session_get();
    if (!s)
        return CUDA_ERROR_NO_DEVICE;
    if (!*find(s, ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    pending_settle_all();
    CUcontext *at = find(s, ctx);
    if (session_current() == ctx)
        session_pop_context();
    *at = ctx->next;
    for (CUmodule m = ctx->modules, next; m; m = next) {
        next = m->next;
        session_module_free(m);
    }
    for (CUstream t = ctx->streams; t; t = t->next)
        graph_stream_gone(ctx, t);
    for (CUevent e = ctx->events; e; e = e->next)
        free(e->tail);
    FREE_LIST(ctx->streams);
    FREE_LIST(ctx->events);
    FREE_LIST(ctx->arrays);
    FREE_LIST(ctx->mipmaps);
    FREE_LIST(ctx->objects);
    session_virtual_free(ctx);
    context_free(ctx->context);
    free(ctx);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *ctx)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!ctx)
        return CUDA_ERROR_INVALID_VALUE;
    *ctx = session_current();
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext ctx)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    struct session *s = session_get();
    if (ctx && !*find(s, ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    session_pop_context();
    if (ctx)
        session_push_context(ctx);
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS || graph_forbidden(NULL, &r))
        return r;
    pending_settle_all();
    timeline_host_waits(ctx, timeline_all(ctx));
    return session_context(&ctx);
}
