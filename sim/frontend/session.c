#include "sim/frontend/session.h"

#include <stdlib.h>

static _Thread_local struct session *the_session; /* of this thread; only these functions use it */

struct session *session_get(void)
{
    return the_session;
}

struct session *session_begin(const struct executor *x, const char *module_name)
{
    BUG_ON(the_session, "a session is open on this thread");
    the_session = xcalloc(1, sizeof *the_session);
    the_session->x = x;
    the_session->module_name = module_name;
    return the_session;
}

bool session_end(struct session *s, struct err *e)
{
    BUG_ON(s != the_session, "the session of another thread");
    while (s->contexts)
        cuCtxDestroy(s->contexts);
    bool ok = !s->failed;
    if (!ok && e)
        *e = s->why;
    free(s);
    the_session = NULL;
    return ok;
}

CUresult session_context(CUcontext *ctx)
{
    struct session *s = the_session;
    if (!s)
        return CUDA_ERROR_NO_DEVICE;
    if (!s->initialised)
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!s->current)
        return CUDA_ERROR_INVALID_CONTEXT;
    *ctx = s->current;
    return s->current->sticky;
}

CUresult session_fail(struct session *s, CUresult result, const struct err *why)
{
    if (!s->failed)
        s->why = *why;
    s->failed = true;
    return result;
}

void session_module_free(CUmodule m)
{
    for (CUfunction f = m->functions, next; f; f = next) {
        next = f->next;
        free(f);
    }
    free(m);
}
