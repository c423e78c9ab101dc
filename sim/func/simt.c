#include "sim/func/simt.h"

#include "base/err.h"

static void push(struct warp *w, struct simt_entry e)
{
    if (w->depth == w->stack_cap) {
        w->stack_cap *= 2;
        w->stack = xrealloc(w->stack, (size_t)w->stack_cap * sizeof *w->stack);
    }
    w->stack[w->depth++] = e;
}

void simt_init(struct warp *w, lanes_t mask)
{
    if (!w->stack) {
        w->stack_cap = 32;
        w->stack = xmalloc((size_t)w->stack_cap * sizeof *w->stack);
    }
    w->depth = 1;
    w->live = mask;
    w->stack[0] = (struct simt_entry){.pc = 0, .rpc = RECONV_EXIT, .mask = mask, .call = -1};
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
    bool replace = top->rpc == reconv;
    if (!replace)
        top->pc = reconv;
    for (int i = 0; i < n; i++) {
        if (path[i].pc == reconv)
            continue;
        if (replace) {
            top->pc = path[i].pc;
            top->mask = path[i].mask;
            replace = false;
        } else {
            push(w, (struct simt_entry){path[i].pc, reconv, path[i].mask, -1});
        }
    }
}

void simt_call(struct warp *w, uint32_t pc, lanes_t lanes, uint32_t call_pc)
{
    push(w, (struct simt_entry){pc, RECONV_EXIT, lanes, (int32_t)call_pc});
}

int simt_frame(const struct warp *w)
{
    int i = w->depth - 1;
    while (i >= 0 && w->stack[i].call < 0)
        i--;
    return i;
}

void simt_remove(struct warp *w, int from, lanes_t lanes)
{
    for (int i = from; i < w->depth; i++)
        w->stack[i].mask &= ~lanes;
    if (from == 0)
        w->live &= ~lanes;
}
