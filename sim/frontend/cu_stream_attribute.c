/* Driver API: attributes of streams (contract: cuda_async.h). They are hints, and kept, so that a
 * program reads what it has set; the priority is the stream's. */
#include "sim/frontend/cuda_async.h"
#include "sim/frontend/session.h"

#include <string.h>

enum { WINDOW = 1, POLICY = 3, PRIORITY = 8, DOMAINS = 9, DOMAIN = 10 };
#define POLICY_AUTO 1

/* Where the attribute is kept, of so many bytes; NULL: there is none of this number. */
static unsigned char *place(struct stream_attributes *a, int attribute, size_t *bytes)
{
    switch (attribute) {
    case WINDOW:
        *bytes = sizeof a->window;
        return a->window;
    case POLICY:
        *bytes = sizeof a->policy;
        return a->policy;
    case DOMAINS:
        *bytes = sizeof a->domains;
        return a->domains;
    case DOMAIN:
        *bytes = sizeof a->domain;
        return a->domain;
    default:
        return NULL;
    }
}

/* Of the default stream: the context's. */
static CUresult find(CUstream *stream, struct stream_attributes **a)
{
    CUcontext ctx;
    CUresult r = session_own_stream(*stream);
    if (r == CUDA_SUCCESS && *stream == CU_STREAM_PER_THREAD)
        r = session_thread_stream(stream);
    if (r == CUDA_SUCCESS)
        r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (*stream == CU_STREAM_LEGACY)
        *stream = NULL;
    *a = *stream ? &(*stream)->attributes : &ctx->attributes;
    if (!(*a)->begun) {
        const int policy = POLICY_AUTO;
        memcpy((*a)->policy, &policy, sizeof policy);
        (*a)->domains[1] = 1; /* local is 0, remote 1 */
        (*a)->begun = true;
    }
    return CUDA_SUCCESS;
}

CUresult cuStreamSetAttribute(CUstream stream, int attribute, const void *value)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    struct stream_attributes *a;
    size_t bytes;
    const CUresult r = find(&stream, &a);
    if (r != CUDA_SUCCESS)
        return r;
    unsigned char *at = place(a, attribute, &bytes);
    if (!value || (!at && attribute != PRIORITY))
        return CUDA_ERROR_INVALID_VALUE;
    if (at)
        memcpy(at, value, bytes);
    else if (stream)
        memcpy(&stream->priority, value, sizeof stream->priority);
    return CUDA_SUCCESS;
}

CUresult cuStreamGetAttribute(CUstream stream, int attribute, void *value)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    struct stream_attributes *a;
    size_t bytes;
    const CUresult r = find(&stream, &a);
    if (r != CUDA_SUCCESS)
        return r;
    const unsigned char *at = place(a, attribute, &bytes);
    if (!value || (!at && attribute != PRIORITY))
        return CUDA_ERROR_INVALID_VALUE;
    const int priority = stream ? stream->priority : 0;
    memcpy(value, at ? at : (const unsigned char *)&priority, at ? bytes : sizeof priority);
    return CUDA_SUCCESS;
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from)
{
    SESSION_CALL();
    struct stream_attributes *a, *b;
    CUresult r = find(&from, &a);
    if (r == CUDA_SUCCESS)
        r = find(&to, &b);
    if (r != CUDA_SUCCESS)
        return r;
    *b = *a;
    if (to)
        to->priority = from ? from->priority : 0;
    return CUDA_SUCCESS;
}
