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

/* Where the stream keeps the attribute; NULL: it is the priority. value: the program's. */
static CUresult find_place(CUstream *stream, int attribute, const void *value, unsigned char **at,
                           size_t *bytes)
{
    struct stream_attributes *a;
    const CUresult r = find(stream, &a);
    if (r != CUDA_SUCCESS)
        return r;
    *at = place(a, attribute, bytes);
    return value && (*at || attribute == PRIORITY) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamSetAttribute(CUstream stream, int attribute, const void *value)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    unsigned char *at;
    size_t bytes;
    const CUresult r = find_place(&stream, attribute, value, &at, &bytes);
    if (r == CUDA_SUCCESS && at)
        memcpy(at, value, bytes);
    else if (r == CUDA_SUCCESS && stream)
        memcpy(&stream->priority, value, sizeof stream->priority);
    return r;
}

CUresult cuStreamGetAttribute(CUstream stream, int attribute, void *value)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    unsigned char *at;
    size_t bytes;
    const CUresult r = find_place(&stream, attribute, value, &at, &bytes);
    const int priority = r == CUDA_SUCCESS && stream ? stream->priority : 0;
    if (r == CUDA_SUCCESS && at)
        memcpy(value, at, bytes);
    else if (r == CUDA_SUCCESS)
        memcpy(value, &priority, sizeof priority);
    return r;
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
