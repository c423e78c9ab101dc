#include "sim/frontend/session.h"

#include <stdlib.h>

#define CONTEXT_STACK 64

static const struct session_process *the_process; /* NULL: every thread brings its session */
/* Of this thread; only these functions use them. */
static _Thread_local struct session *the_session;
static _Thread_local int holds; /* so often the process's lock */
static uint64_t calls;          /* under that lock */
static _Thread_local struct {
    struct {
        CUcontext ctx;
        uint64_t number;
    } at[CONTEXT_STACK];
    int depth;
} stack;

struct session *session_get(void)
{
    if (the_session || !the_process)
        return the_session;
    return the_process->session();
}

void session_serve_process(const struct session_process *p)
{
    the_process = p;
}

bool session_attribute(int attribute, int *value)
{
    return the_process && the_process->attribute(attribute, value);
}

struct session *session_new(const struct executor *x, const char *module_name)
{
    struct session *s = xcalloc(1, sizeof *s);
    s->x = x;
    s->module_name = module_name;
    s->memory = DEVICE_MEMORY;
    s->devices = 1;
    return s;
}

struct session_guard session_lock(void)
{
    struct session_guard g = {NULL};
    if (!the_session && the_process)
        g.held = the_process->mutex;
    if (g.held) {
        pthread_mutex_lock(g.held);
        calls += !holds++;
    }
    return g;
}

void session_unlock(struct session_guard *g)
{
    if (!g->held)
        return;
    holds--;
    pthread_mutex_unlock(g->held);
}

int session_leave(void)
{
    const int held = holds;
    for (; holds; holds--)
        pthread_mutex_unlock(the_process->mutex);
    return held;
}

void session_return(int held)
{
    for (; holds < held; holds++)
        pthread_mutex_lock(the_process->mutex);
}

uint64_t session_calls(void)
{
    return calls;
}

void session_adopt(struct session *s)
{
    the_session = s;
}

CUcontext session_current(void)
{
    const struct session *s = session_get();
    if (!s || !stack.depth || !stack.at[stack.depth - 1].ctx)
        return NULL;
    for (CUcontext c = s->contexts; c; c = c->next)
        if (c == stack.at[stack.depth - 1].ctx && c->number == stack.at[stack.depth - 1].number)
            return c;
    return NULL;
}

bool session_push_context(CUcontext ctx)
{
    if (stack.depth == CONTEXT_STACK)
        return false;
    stack.at[stack.depth].ctx = ctx;
    stack.at[stack.depth++].number = ctx ? ctx->number : 0;
    return true;
}

void session_pop_context(void)
{
    if (stack.depth)
        stack.depth--;
}

struct session_visit session_visit(CUcontext ctx)
{
    struct session_visit v = {false};
    if (ctx && session_get()->devices > 1 && ctx != session_current())
        v.elsewhere = session_push_context(ctx);
    return v;
}

void session_visit_end(struct session_visit *v)
{
    if (v->elsewhere)
        session_pop_context();
}

struct session *session_begin(const struct executor *x, const char *module_name)
{
    BUG_ON(the_session, "a session is open on this thread");
    return the_session = session_new(x, module_name);
}

bool session_end(struct session *s, struct err *e)
{
    BUG_ON(s != the_session, "the session of another thread");
    while (s->contexts)
        cuCtxDestroy(s->contexts);
    graph_free_all(s);
    session_libraries_free(s);
    bool ok = !s->failed;
    if (!ok && e)
        *e = s->why;
    free(s);
    the_session = NULL;
    stack.depth = 0;
    return ok;
}

void session_device(struct gpu_cfg *cfg)
{
    const struct session *s = session_get();
    if (s->x->device)
        *cfg = *s->x->device;
    else
        gpu_cfg_default(cfg);
}

int session_shared_most(void)
{
    struct gpu_cfg cfg;
    session_device(&cfg);
    int most = cfg.sm.shared_bytes - cfg.sm.shared_reserved;
    return most > SHARED_UNASKED ? most : SHARED_UNASKED;
}

CUresult session_context(CUcontext *ctx)
{
    const struct session *s = session_get();
    if (!s)
        return CUDA_ERROR_NO_DEVICE;
    if (!s->initialised)
        return CUDA_ERROR_NOT_INITIALIZED;
    *ctx = session_current();
    return *ctx ? (*ctx)->sticky : CUDA_ERROR_INVALID_CONTEXT;
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
    for (CUfunction f = m->functions; f; f = f->next)
        free(f->old.params);
    FREE_LIST(m->functions);
    FREE_LIST(m->texrefs);
    FREE_LIST(m->surfrefs);
    free(m);
}
