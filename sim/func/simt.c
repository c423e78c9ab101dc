#include "sim/func/simt.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/func/recurse.h"

static void push(struct warp *w, struct simt_entry e)
{
    if (w->depth == w->stack_cap) {
        w->stack_cap *= 2;
        w->stack = xrealloc(w->stack, (size_t)w->stack_cap * sizeof *w->stack);
    }
    w->stack[w->depth++] = e;
}

void simt_insert(struct warp *w, int i, struct simt_entry e)
{
    push(w, e);
    memmove(&w->stack[i + 1], &w->stack[i], (size_t)(w->depth - 1 - i) * sizeof e);
    w->stack[i] = e;
}

static void free_call(struct simt_call *c)
{
    recurse_free(c->saved);
    *c = (struct simt_call){.caller = SIMT_NO_CALL};
}

void simt_init(struct warp *w, lanes_t mask)
{
    if (!w->stack) {
        w->stack_cap = 32;
        w->stack = xmalloc((size_t)w->stack_cap * sizeof *w->stack);
    }
    for (int i = 0; i < w->ncalls; i++)
        free_call(&w->calls[i]);
    w->ncalls = 0;
    w->depth = 1;
    w->live = mask;
    w->stack[0] = (struct simt_entry){.rpc = RECONV_EXIT, .mask = mask, .call = SIMT_NO_CALL};
}

void simt_fini(struct warp *w)
{
    for (int i = 0; i < w->ncalls; i++)
        free_call(&w->calls[i]);
    free(w->calls);
    free(w->stack);
}

/* When the paths meet where the top entry ends anyway, the entry below already waits there: the
 * first path takes the top's place. This bounds the depth in loops that lanes leave one by one. */
void simt_branch(struct warp *w, uint32_t reconv, const struct simt_path *path, int n)
{
    struct simt_entry *top = simt_top(w);
    if (n == 1) {
        top->pc = path->pc;
        return;
    }
    struct simt_entry e = *top;
    bool replace = top->rpc == reconv;
    if (!replace)
        top->pc = reconv;
    e.rpc = reconv;
    for (int i = 0; i < n; i++) {
        if (path[i].pc == reconv)
            continue;
        e.pc = path[i].pc;
        e.mask = path[i].mask;
        if (replace) {
            *simt_top(w) = e;
            replace = false;
        } else {
            push(w, e);
        }
    }
}

static int new_call(struct warp *w)
{
    while (w->ncalls && !w->calls[w->ncalls - 1].lanes)
        w->ncalls--;
    if (w->ncalls == w->call_cap) {
        for (int i = 0; i < w->ncalls; i++)
            if (!w->calls[i].lanes)
                return i;
        w->call_cap = w->call_cap ? 2 * w->call_cap : 8;
        w->calls = xrealloc(w->calls, (size_t)w->call_cap * sizeof *w->calls);
    }
    return w->ncalls++;
}

void simt_call(struct warp *w, uint32_t pc, const struct simt_call *c)
{
    const int i = new_call(w);
    w->calls[i] = *c;
    push(w, (struct simt_entry){.pc = pc, .rpc = RECONV_EXIT, .mask = c->lanes, .call = i});
}

static void leave_call(struct warp *w, int i, lanes_t lanes)
{
    w->calls[i].lanes &= ~lanes;
    if (!w->calls[i].lanes)
        free_call(&w->calls[i]);
}

void simt_return(struct warp *w, lanes_t lanes)
{
    const int call = simt_top(w)->call;
    for (int i = 0; i < w->depth; i++)
        if (w->stack[i].call == call)
            w->stack[i].mask &= ~lanes;
    leave_call(w, call, lanes);
}

void simt_exit(struct warp *w, lanes_t lanes)
{
    for (int c = simt_top(w)->call, caller; c != SIMT_NO_CALL; c = caller) {
        caller = w->calls[c].caller;
        leave_call(w, c, lanes);
    }
    for (int i = 0; i < w->depth; i++)
        w->stack[i].mask &= ~lanes;
    w->live &= ~lanes;
}
