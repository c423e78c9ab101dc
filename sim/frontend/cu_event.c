/* Driver API: events (contract: cuda.h). An event has happened once it is recorded, unless its
 * stream waits (pending.h). */
#include "sim/frontend/cuda.h"
#include "sim/frontend/pending.h"

#include <stdlib.h>

static CUevent *find(CUcontext ctx, CUevent event)
{
    CUevent *at = &ctx->events;
    while (*at && *at != event)
        at = &(*at)->next;
    return at;
}

/* The event's place in the context's list. */
static CUresult check(CUevent event, CUevent **place)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    *place = find(ctx, event);
    return **place ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    bool apart = (flags & CU_EVENT_INTERPROCESS) && !(flags & CU_EVENT_DISABLE_TIMING);
    if (!event || flags > 7 || apart)
        return CUDA_ERROR_INVALID_VALUE;
    CUevent made = xcalloc(1, sizeof *made);
    made->flags = flags;
    made->next = ctx->events;
    ctx->events = *event = made;
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_event(event));
    CUevent *place;
    CUresult r = check(event, &place);
    if (r != CUDA_SUCCESS)
        return r;
    pending_wait(event->pending);
    *place = event->next;
    free(event->tail);
    free(event);
    return CUDA_SUCCESS;
}

struct record {
    CUevent event;
};

static CUresult record(const void *data, CUstream stream)
{
    CUevent event = ((const struct record *)data)->event;
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    event->recorded = true;
    event->at = r == CUDA_SUCCESS ? timeline_ready(ctx, stream) : 0;
    return r;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    CUevent *place;
    CUresult r = check(event, &place);
    if (r != CUDA_SUCCESS)
        return r;
    CUcontext ctx;
    session_context(&ctx);
    r = session_stream(ctx, stream);
    if (r != CUDA_SUCCESS || graph_capture_event(event, stream, &r))
        return r;
    const struct record data = {event};
    const struct graph_work w = {GRAPH_EVENT_RECORD, record, &data, sizeof data};
    event->pending = 0;
    if (!pending_later(ctx, stream, &w))
        return record(&data, stream);
    event->pending = pending_last(ctx, stream);
    return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_event(event));
    CUevent *place;
    CUresult r = check(event, &place);
    if (r == CUDA_SUCCESS && event->capture)
        return CUDA_ERROR_CAPTURED_EVENT;
    if (r != CUDA_SUCCESS)
        return r;
    pending_wait(event->pending);
    CUcontext ctx;
    r = session_context(&ctx);
    if (r == CUDA_SUCCESS)
        timeline_host_waits(ctx, event->at);
    return r;
}

CUresult cuEventQuery(CUevent event)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_event(event));
    CUevent *place;
    CUresult r = check(event, &place);
    return r == CUDA_SUCCESS && pending_has(event->pending) ? CUDA_ERROR_NOT_READY
           : r == CUDA_SUCCESS                              ? cuEventSynchronize(event)
                                                            : r;
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_event(start));
    CUevent *place;
    CUresult r = check(start, &place);
    if (r == CUDA_SUCCESS)
        r = check(end, &place);
    if (r != CUDA_SUCCESS)
        return r;
    if (!ms)
        return CUDA_ERROR_INVALID_VALUE;
    if (pending_has(start->pending) || pending_has(end->pending))
        return CUDA_ERROR_NOT_READY;
    if (!start->recorded || !end->recorded ||
        ((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING))
        return CUDA_ERROR_INVALID_HANDLE;
    double psec =
        end->at >= start->at ? (double)(end->at - start->at) : -(double)(start->at - end->at);
    *ms = (float)(psec * 1e-9);
    return CUDA_SUCCESS;
}
