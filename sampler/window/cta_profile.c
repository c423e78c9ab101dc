#include "sampler/window/cta_profile.h"

#include <stdlib.h>

#include "sampler/window/depend.h"
#include "sampler/window/requests.h"
#include "sampler/window/sharing.h"
#include "sim/sm/inst_run.h"
#include "sim/sm/sm.h"

#define MOST_LINES (1u << 18) /* of a CTA; more are not told apart */

struct parts { /* what watches the CTA */
    struct requests req;
    struct depend depend;
    struct line_set loaded, reused; /* through L1D; of these, of more than one request */
    struct line_set global;         /* for sharing: of global loads through L1D */
    const struct kernel *kernel;
    bool *executed; /* owned: by line of code */
    int code_lines;
    uint64_t taken;
};

/* A local store is a request for a line only if that is there. */
static void add_line(struct parts *p, uint64_t line)
{
    if (line_set_has(&p->loaded, line))
        line_set_add(&p->reused, line);
    else if (p->req.path == REQUEST_LOAD && p->loaded.n < MOST_LINES)
        line_set_add(&p->loaded, line);
}

static void to_l1d(struct parts *p, const struct step *s)
{
    if (p->req.path != REQUEST_LOAD && p->req.path != REQUEST_LOCAL_STORE)
        return;
    for (int i = 0; i < p->req.n; i++) {
        const uint64_t line = p->req.t[i].addr / (uint64_t)p->req.cfg->mem.l1d.line;
        add_line(p, line);
        if (p->req.path == REQUEST_LOAD && s->space == SP_GLOBAL)
            sharing_add(&p->global, line);
    }
}

static uint64_t code_line(const struct parts *p, uint64_t index)
{
    return index * SM_INST_BYTES / (uint64_t)p->req.cfg->mem.l1i.line;
}

static void on_step(void *user, const struct warp *w, const struct step *s)
{
    struct parts *p = user;
    const uint64_t index = (uint64_t)(s->inst - p->kernel->inst);
    p->taken += s->active && s->inst->op == OP_ATOM && s->inst->nd > 0 && s->space != SP_SHARED;
    requests_make(&p->req, w, s);
    to_l1d(p, s);
    bool *executed = &p->executed[code_line(p, index)];
    p->code_lines += !*executed;
    *executed = true;
    depend_step(&p->depend, w->index, s,
                s->inst->nd > 0 && (s->is_load || s->is_atomic) && p->req.path != REQUEST_NONE &&
                    p->req.n > 0);
}

static void fill_sharing(struct cta_profile *a, struct launch *l, const struct line_set *own,
                         uint64_t own_insts, struct sample *d)
{
    struct sharing s = {.cfg = a->cfg,
                        .cta = a->cta,
                        .own = own,
                        .max_warp_insts = (uint64_t)a->by->neighbour * own_insts};
    sharing_measure(&s, l);
    a->warp_insts += s.warp_insts;
    d->shared_core = s.core;
}

bool cta_profile_take(struct cta_profile *a, struct launch *l, struct sample *d, struct err *e)
{
    struct parts *p = xcalloc(1, sizeof *p);
    p->req.cfg = a->cfg;
    p->kernel = l->kernel;
    p->executed = xcalloc(code_line(p, (uint64_t)l->kernel->ninst) + 1, sizeof *p->executed);
    depend_init(&p->depend, l->kernel, launch_warps(l));
    struct func_opts fo = {.first_cta = a->cta,
                           .num_ctas = 1,
                           .alone = true,
                           .max_warp_insts = a->max_warp_insts,
                           .turn = 1,
                           .on_step = on_step,
                           .user = p};
    struct func_counts c = {0};
    const bool ok = inst_run(l, &fo, &c, e),
               cut = !ok && a->cta_insts && l->why && l->why->kind == FAULT_LIMIT;
    a->cta_warp_insts = c.warp_insts;
    a->taken = p->taken;
    a->warp_insts += c.warp_insts;
    if (ok || cut) {
        const double part = ok ? 1 : (double)a->cta_insts / (double)c.warp_insts;
        depend_end(&p->depend);
        d->memory_rounds = part * ratio(p->depend.rounds, (uint64_t)p->depend.warps);
        d->reused_lines = part * p->reused.n;
        d->code_lines = p->code_lines;
        fill_sharing(a, l, &p->global, c.warp_insts, d);
    }
    free(p->executed);
    line_set_fini(&p->global);
    depend_fini(&p->depend);
    line_set_fini(&p->loaded);
    line_set_fini(&p->reused);
    free(p);
    return ok;
}
