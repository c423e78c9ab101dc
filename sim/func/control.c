/* Control flow and barriers. Executors of INST_BRANCH instructions set the next pc of the top
 * entry themselves; warp_step() then ends the paths that have met. */
#include <stdio.h>
#include <string.h>

#include "sim/func/barrier.h"
#include "sim/func/builtins.h"
#include "sim/func/exec.h"
#include "sim/func/lanes.h"
#include "sim/func/park.h"
#include "sim/func/recurse.h"
#include "sim/func/simt.h"

static void branch(struct warp *w, const struct inst *in, lanes_t active)
{
    struct simt_entry *top = simt_top(w);
    lanes_t rest = top->mask & ~active;
    if (!rest || in->target == in->pc + 1) {
        top->pc = in->target;
        return;
    }
    struct simt_path p[2] = {{in->target, active}, {in->pc + 1, rest}};
    if (active < rest) { /* the highest lane falls through: its path is pushed first */
        struct simt_path t = p[0];
        p[0] = p[1];
        p[1] = t;
    }
    simt_branch(w, in->reconv, p, 2);
}

static void exec_bra(struct warp *w, const struct inst *in, lanes_t active)
{
    branch(w, in, active);
    if (in->target > in->pc || !w->cta->launch->lenient_barriers)
        return;
    const struct simt_entry *top = simt_top(w);
    if (top->pc == in->target && top->mask != w->live)
        park_loop(w, in);
}

static void add_path(struct simt_path *p, int *n, uint32_t pc, lanes_t bit)
{
    int i = 0;
    while (i < *n && p[i].pc != pc)
        i++;
    if (i == *n)
        p[(*n)++] = (struct simt_path){pc, 0};
    p[i].mask |= bit;
}

static void exec_brx(struct warp *w, const struct inst *in, lanes_t active)
{
    const uint32_t *index = row32(w, &in->src[0]);
    lanes_t mask = simt_top(w)->mask;
    struct simt_path p[WARP_SIZE];
    int n = 0;
    for (int i = WARP_SIZE - 1; i >= 0; i--) {
        if (!(mask >> i & 1))
            continue;
        uint32_t pc = in->pc + 1;
        if (active >> i & 1) {
            if (index[i] >= (uint32_t)in->table->n) {
                char text[100];
                snprintf(text, sizeof text, "index %u into a table of %d targets", index[i],
                         in->table->n);
                warp_fault(w, in, FAULT_BAD_CALL, i, 0, 0, text);
                return;
            }
            pc = in->table->target[index[i]];
        }
        add_path(p, &n, pc, 1u << i);
    }
    simt_branch(w, in->reconv, p, n);
}

/* -- calls */

static bool on_stack(const struct warp *w, const struct inst *in, const struct function *f)
{
    if (in->func == f)
        return true;
    for (int i = 0; i < w->depth; i++)
        if (w->stack[i].call >= 0 && w->cta->kernel->inst[w->stack[i].call].func == f)
            return true;
    return false;
}

static void copy_bytes(uint8_t *frame, uint32_t to, uint32_t from, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        frame[to + i] = frame[from + i];
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool enter(struct warp *w, const struct inst *in, lanes_t lanes, const struct function *f)
{
    const struct call_site *cs = in->call;
    recurse_forget(w, w->depth);
    if (on_stack(w, in, f) && !recurse_enter(w, in, lanes, f))
        return false;
    const size_t stride = frame_stride(w->cta->kernel);
    int nargs = cs->nargs < f->nargs ? cs->nargs : f->nargs;
    for (lanes_t m = lanes; m; m &= m - 1) {
        uint8_t *frame = w->frame + (size_t)__builtin_ctz(m) * stride;
        for (int i = 0; i < nargs; i++)
            copy_bytes(frame, f->arg_off[i], cs->arg_off[i],
                       least(f->arg_bytes[i], cs->arg_bytes[i]));
    }
    simt_call(w, f->first, lanes, in->pc);
    return true;
}

static const struct function *function_at(const struct kernel *k, addr_t a)
{
    for (int i = 1; i < k->nfunc; i++)
        if (k->func[i].addr == a)
            return &k->func[i];
    return NULL;
}

static addr_t lane_address(struct warp *w, const struct opnd *o, int lane)
{
    return o->width == 8 ? row64(w, o)[lane] : row32(w, o)[lane];
}

/* Lanes with different callees run one callee after the other; the last one pushed runs first. */
static void call_indirect(struct warp *w, const struct inst *in, lanes_t active)
{
    while (active) {
        int lead = WARP_SIZE - 1 - __builtin_clz(active);
        addr_t a = lane_address(w, &in->src[0], lead);
        const struct function *f = function_at(w->cta->kernel, a);
        lanes_t same = 0;
        for (int i = 0; i < WARP_SIZE; i++)
            if ((active >> i & 1) && lane_address(w, &in->src[0], i) == a)
                same |= 1u << i;
        if (!f) {
            warp_fault(w, in, FAULT_BAD_CALL, __builtin_ctz(same), a, 0,
                       "calls an address that is not a function's");
            return;
        }
        if (!enter(w, in, same, f))
            return;
        active &= ~same;
    }
}

static void exec_call(struct warp *w, const struct inst *in, lanes_t active)
{
    simt_top(w)->pc = in->pc + 1; /* where the caller goes on once every lane is back */
    if (in->call->builtin)
        builtin_call(w, in, active);
    else if (in->call->callee)
        enter(w, in, active, in->call->callee);
    else
        call_indirect(w, in, active);
}

/* -- leaving */

static void exec_exit(struct warp *w, const struct inst *in, lanes_t active)
{
    simt_remove(w, 0, active);
    simt_top(w)->pc = in->pc + 1;
}

static void exec_ret(struct warp *w, const struct inst *in, lanes_t active)
{
    int base = simt_frame(w);
    if (base < 0) {
        exec_exit(w, in, active);
        return;
    }
    const struct call_site *cs = w->cta->kernel->inst[w->stack[base].call].call;
    const struct function *f = in->func;
    const size_t stride = frame_stride(w->cta->kernel);
    int nrets = cs->nrets < f->nrets ? cs->nrets : f->nrets;
    for (lanes_t m = active; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        uint8_t *from = w->frame + (size_t)lane * stride, *to = recurse_frame(w, base, lane);
        for (int i = 0; i < nrets; i++)
            memmove((to ? to : from) + cs->ret_off[i], from + f->ret_off[i],
                    least(f->ret_bytes[i], cs->ret_bytes[i]));
    }
    recurse_leave(w, base, active);
    simt_remove(w, base, active);
    simt_top(w)->pc = in->pc + 1;
}

static void exec_trap(struct warp *w, const struct inst *in, lanes_t active)
{
    warp_fault(w, in, FAULT_TRAP, __builtin_ctz(active), 0, 0, "trap");
}

/* -- barriers */

static bool bar_uniform(struct warp *w, const struct inst *in, lanes_t active, int src,
                        uint32_t *value)
{
    const uint32_t *row = row32(w, &in->src[src]);
    int lead = __builtin_ctz(active);
    *value = row[lead];
    for (lanes_t m = active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (row[i] == *value)
            continue;
        warp_fault(w, in, FAULT_BARRIER_DIVERGED, i, 0, 0,
                   "lanes of the warp name different barriers or thread counts");
        return false;
    }
    return true;
}

static void bar_diverged(struct warp *w, const struct inst *in, lanes_t active)
{
    char text[160];
    snprintf(text, sizeof text,
             "divergent barrier: only %d of the warp's %d running threads reach it together",
             __builtin_popcount(active), __builtin_popcount(w->live));
    warp_fault(w, in, FAULT_BARRIER_DIVERGED, __builtin_ctz(active), 0, 0, text);
}

/* Whether a thread of the kernel's own code that goes on at pc ends there: an exit or ret, also
 * behind jumps. */
static bool only_leaves(const struct kernel *k, uint32_t pc)
{
    for (int hops = 0; hops < 8 && pc < k->ninst; hops++) {
        const struct inst *in = &k->inst[pc];
        if (in->guard.off != OPND_NONE || in->func != &k->func[0])
            return false;
        if (in->op == OP_EXIT || in->op == OP_RET)
            return true;
        if (in->op != OP_BRA)
            return false;
        pc = in->target;
    }
    return false;
}

/* Lanes of other paths that have nothing left to do: `if (i >= n) return;` before a barrier that is
 * not .aligned, which doesn't wait for threads that have left. (An aligned one, bar.sync, wants
 * every lane of the warp: PTX leaves open what it does else, here it is a fault.) */
static lanes_t leaving_lanes(const struct warp *w)
{
    lanes_t above = simt_top(w)->mask, leaving = 0;
    for (int i = w->depth - 2; i >= 0; i--) {
        const struct simt_entry *s = &w->stack[i];
        if (only_leaves(w->cta->kernel, s->pc))
            leaving |= s->mask & ~above;
        above |= s->mask;
    }
    return leaving;
}

static void exec_bar(struct warp *w, const struct inst *in, lanes_t active)
{
    bool red = in->op == OP_BAR_RED;
    int numbers = in->ns - (red ? 1 : 0);
    uint32_t id = 0, threads = 0;
    const bool lenient = w->cta->launch->lenient_barriers;
    w->out->arrives = false;
    if (active != w->live && (lenient || !(in->flags & INST_ALIGNED)))
        simt_remove(w, 0, leaving_lanes(w));
    if (active != w->live) {
        bool whole = lenient && in->op == OP_BAR && active == simt_top(w)->mask;
        enum park p = whole ? park_top(w) : PARK_IMPOSSIBLE;
        if (p == PARK_IMPOSSIBLE)
            bar_diverged(w, in, active);
        if (p != PARK_COMPLETE)
            return;
    }
    if (numbers > 0 && !bar_uniform(w, in, active, 0, &id))
        return;
    if (numbers > 1 && !bar_uniform(w, in, active, 1, &threads))
        return;
    if (id >= CTA_BARRIERS) {
        char text[80];
        snprintf(text, sizeof text, "barrier %u does not exist, only 0..%d do", id,
                 CTA_BARRIERS - 1);
        warp_fault(w, in, FAULT_BARRIER_DIVERGED, __builtin_ctz(active), 0, 0, text);
        return;
    }
    struct barrier_set *b = w->cta->barriers;
    if (red)
        barrier_vote(b, (int)id,
                     (uint32_t)__builtin_popcount(pred_get(w, &in->src[numbers]) & active),
                     (uint32_t)__builtin_popcount(active));
    w->out->arrives = true;
    w->out->barrier = (uint8_t)id;
    w->out->barrier_threads = threads;
    barrier_arrive(b, w, (int)id, threads, in->op != OP_BAR_ARRIVE);
}

/* Lanes of a path move in step. */
static void exec_bar_warp(struct warp *w, const struct inst *in, lanes_t active)
{
    if (w->apart)
        park_meet(w, in, active, row32(w, &in->src[0])[__builtin_ctz(active)]);
}

static void exec_nanosleep(struct warp *w, const struct inst *in, lanes_t active)
{
    (void)in, (void)active;
    w->out->yields = true;
}

exec_fn exec_lookup_ctrl(const struct inst *in)
{
    switch (in->op) {
    case OP_BRA:
        return exec_bra;
    case OP_BRX:
        return exec_brx;
    case OP_CALL:
        return exec_call;
    case OP_RET:
        return exec_ret;
    case OP_EXIT:
        return exec_exit;
    case OP_TRAP:
        return exec_trap;
    case OP_BAR:
    case OP_BAR_ARRIVE:
    case OP_BAR_RED:
        return exec_bar;
    case OP_NANOSLEEP:
        return exec_nanosleep;
    case OP_BAR_WARP:
        return exec_bar_warp;
    case OP_MEMBAR: /* accesses take effect in order; so do fences */
    case OP_BRKPT:  /* no debugger is attached */
    case OP_PMEVENT:
        return exec_nothing;
    default:
        return NULL;
    }
}
