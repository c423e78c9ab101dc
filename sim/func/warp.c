#include "sim/func/warp.h"

#include "base/err.h"
#include "sim/func/barrier.h"
#include "sim/func/cta_cluster.h"
#include "sim/func/exec.h"
#include "sim/func/simt.h"

static void finish(struct warp *w, struct step *out)
{
    out->warp_done = true;
    w->cta->warps_done++;
    barrier_warp_exit(w->cta->barriers, w->cta);
    if (cta_done(w->cta))
        cta_cluster_end(w->cta);
}

/* Functional execution's inner loop and the timing core's issue: nothing here may cost more than
 * the instruction itself. */
bool warp_step(struct warp *w, struct step *out)
{
    struct simt_entry *top = simt_top(w);
    const struct kernel *k = w->cta->kernel;
    BUG_ON(top->pc >= k->ninst, "kernel %s: pc %u of %u", k->name, top->pc, k->ninst);
    const struct inst *in = &k->inst[top->pc];
    lanes_t active = top->mask;
    if (in->guard.off != OPND_NONE)
        active &= pred_get(w, &in->guard);
    out->inst = in;
    out->active = active;
    out->simt_mask = top->mask;
    out->bytes = 0;
    out->is_load = out->is_store = out->is_atomic = false;
    out->warp_done = out->yields = out->arrives = false;
    w->out = out;
    w->steps++;
    if (active)
        in->exec(w, in, active);
    if (!active || !(in->flags & INST_BRANCH))
        simt_top(w)->pc++;
    simt_reconverge(w);
    out->at_barrier = w->barrier >= 0;
    if (w->live == 0)
        finish(w, out);
    return w->cta->fault.kind == FAULT_NONE;
}
