/* Control flow. Executors of INST_BRANCH instructions set the next pc of the top
 * entry themselves; warp_step() then ends the paths that have met. */
#include <stdio.h>
#include <string.h>

#include "sim/func/builtins.h"
#include "sim/func/cta_cluster.h"
#include "sim/func/exec.h"
#include "sim/func/lanes.h"
#include "sim/func/recurse.h"
#include "sim/func/simt.h"
#include "sim/func/spin.h"

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
    spin_branch(w, in);
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
    spin_branch(w, in);
}

/* -- calls */

static void copy_bytes(uint8_t *frame, uint32_t to, uint32_t from, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        frame[to + i] = frame[from + i];
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Makes the call c of f. */
static bool enter(struct warp *w, const struct inst *in, struct simt_call c,
                  const struct function *f)
{
    const struct call_site *cs = in->call;
    if (!recurse_enter(w, in, f, &c))
        return false;
    const size_t stride = frame_stride(w->cta->kernel);
    int nargs = cs->nargs < f->nargs ? cs->nargs : f->nargs;
    for (lanes_t m = c.lanes; m; m &= m - 1) {
        uint8_t *frame = w->frame + (size_t)__builtin_ctz(m) * stride;
        for (int i = 0; i < nargs; i++)
            copy_bytes(frame, f->arg_off[i], cs->arg_off[i],
                       least(f->arg_bytes[i], cs->arg_bytes[i]));
    }
    simt_call(w, f->first, &c);
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
    const int caller = simt_top(w)->call;
    while (active) {
        int lead = lanes_highest(active);
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
        if (!enter(w, in, (struct simt_call){.pc = in->pc, .caller = caller, .lanes = same}, f))
            return;
        active &= ~same;
    }
}

static void exec_call(struct warp *w, const struct inst *in, lanes_t active)
{
    struct simt_entry *top = simt_top(w);
    top->pc = in->pc + 1; /* where the caller goes on once every lane is back */
    if (in->call->builtin)
        builtin_call(w, in, active);
    else if (in->call->callee)
        enter(w, in, (struct simt_call){.pc = in->pc, .caller = top->call, .lanes = active},
              in->call->callee);
    else
        call_indirect(w, in, active);
}

/* -- leaving */

static void exec_exit(struct warp *w, const struct inst *in, lanes_t active)
{
    simt_exit(w, active);
    cta_cluster_exit(w->cta);
    simt_top(w)->pc = in->pc + 1;
}

static void exec_ret(struct warp *w, const struct inst *in, lanes_t active)
{
    if (simt_top(w)->call == SIMT_NO_CALL) {
        exec_exit(w, in, active);
        return;
    }
    const struct simt_call *c = &w->calls[simt_top(w)->call];
    const struct call_site *cs = w->cta->kernel->inst[c->pc].call;
    const struct function *f = in->func;
    const size_t stride = frame_stride(w->cta->kernel);
    int nrets = cs->nrets < f->nrets ? cs->nrets : f->nrets;
    for (lanes_t m = active; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        uint8_t *from = w->frame + (size_t)lane * stride, *to = recurse_frame(w, c, lane);
        for (int i = 0; i < nrets; i++)
            memmove((to ? to : from) + cs->ret_off[i], from + f->ret_off[i],
                    least(f->ret_bytes[i], cs->ret_bytes[i]));
    }
    recurse_leave(w, c, active);
    simt_return(w, active);
    simt_top(w)->pc = in->pc + 1;
}

static void exec_trap(struct warp *w, const struct inst *in, lanes_t active)
{
    warp_fault(w, in, FAULT_TRAP, __builtin_ctz(active), 0, 0, "trap");
}

static void exec_nanosleep(struct warp *w, const struct inst *in, lanes_t active)
{
    (void)in, (void)active;
    w->out->yields = true;
    w->spin.polled = true;
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
    case OP_NANOSLEEP:
        return exec_nanosleep;
    case OP_MEMBAR: /* accesses take effect in order; so do fences */
    case OP_BRKPT:  /* no debugger is attached */
    case OP_PMEVENT:
        return exec_nothing;
    default:
        return NULL;
    }
}
