#include "sampler/window/cta_profile.h"

#include <stdlib.h>

#include "sampler/window/depend.h"
#include "sampler/window/mix.h"
#include "sampler/window/requests.h"
#include "sampler/window/reuse.h"
#include "sampler/window/sharing.h"
#include "sim/sm/inst_run.h"

#define NEIGHBOUR_INSTS 8 /* a neighbour is followed for so many times the CTA's instructions */

static const uint32_t reuse_sets[] = {
#define X(sets) sets,
    SAMPLE_REUSE_SETS(X)
#undef X
};
#define NREUSE (int)(sizeof reuse_sets / sizeof *reuse_sets)

struct parts { /* what watches the CTA */
    struct requests req;
    struct reuse *reuse;
    struct depend depend;
    struct line_set lines; /* for sharing: of global loads through L1D */
    uint64_t mix[MIX_COUNT];
    uint64_t loads, load_lines, stores, store_lines; /* of global and local memory */
};

static void to_l1d(struct parts *p, const struct step *s)
{
    for (int i = 0; i < p->req.n; i++) {
        const uint64_t line = p->req.t[i].addr / (uint64_t)p->req.cfg->mem.l1d.line;
        if (p->req.path == REQUEST_LOAD)
            reuse_load(p->reuse, line);
        else if (p->req.path == REQUEST_STORE)
            reuse_evict(p->reuse, line);
        else if (p->req.path == REQUEST_LOCAL_STORE)
            reuse_update(p->reuse, line);
        if (p->req.path == REQUEST_LOAD && s->space == SP_GLOBAL)
            sharing_add(&p->lines, line);
    }
}

static void on_step(void *user, const struct warp *w, const struct step *s)
{
    struct parts *p = user;
    p->mix[mix_of(s)]++;
    requests_make(&p->req, w, s);
    to_l1d(p, s);
    const int n = p->req.path == REQUEST_NONE ? 0 : p->req.n;
    if (n && s->is_load && s->space != SP_TEX) {
        p->loads++;
        p->load_lines += (uint64_t)n;
    } else if (n && s->is_store) {
        p->stores++;
        p->store_lines += (uint64_t)n;
    }
    depend_step(&p->depend, w->index, s, s->inst->nd > 0 && (s->is_load || s->is_atomic) ? n : 0);
}

static void fill(struct parts *p, struct sample *d)
{
    int i = 0;
    depend_end(&p->depend);
    d->mlp_loads = ratio(p->depend.loads, p->depend.rounds);
    d->mlp_lines = ratio(p->depend.requests, p->depend.rounds);
    d->memory_rounds = ratio(p->depend.rounds, (uint64_t)p->depend.warps);
    d->lines_per_load = ratio(p->load_lines, p->loads);
    d->lines_per_store = ratio(p->store_lines, p->stores);
    d->reuse_accesses = (double)reuse_accesses(p->reuse);
    d->reused_lines = (double)reuse_again(p->reuse);
    d->working_set_lines = (double)reuse_lines(p->reuse);
    d->reuse_cold = (double)reuse_cold(p->reuse);
#define X(sets) reuse_histogram(p->reuse, i++, d->reuse_sets##sets);
    SAMPLE_REUSE_SETS(X)
#undef X
#define X(name) d->insts_##name = (double)p->mix[MIX_##name];
    MIX_CLASSES(X)
#undef X
    for (int b = 0; b < BUCKETS; b++) {
        d->dependence_distance[b] = (double)p->depend.distance[b];
        d->load_use_distance[b] = (double)p->depend.first_use[b];
    }
}

static void fill_sharing(struct cta_profile *a, struct launch *l, const struct line_set *own,
                         uint64_t own_insts, struct sample *d)
{
    struct sharing s = {
        .cfg = a->cfg, .cta = a->cta, .own = own, .max_warp_insts = NEIGHBOUR_INSTS * own_insts};
    sharing_measure(&s, l);
    a->warp_insts += s.warp_insts;
    d->shared_next = s.next;
    d->shared_core = s.core;
    for (int k = 0; k < SAMPLE_CORE_CTAS; k++)
        d->core_lines[k] = s.lines[k];
}

bool cta_profile_take(struct cta_profile *a, struct launch *l, struct sample *d, struct err *e)
{
    struct parts *p = xcalloc(1, sizeof *p);
    p->req.cfg = a->cfg;
    p->reuse = reuse_new(reuse_sets, NREUSE);
    depend_init(&p->depend, l->kernel, launch_warps(l));
    struct func_opts fo = {.first_cta = a->cta,
                           .num_ctas = 1,
                           .max_warp_insts = a->max_warp_insts,
                           .turn = 1,
                           .on_step = on_step,
                           .user = p};
    struct func_counts c = {0};
    const bool ok = inst_run(l, &fo, &c, e);
    a->cta_warp_insts = c.warp_insts;
    a->warp_insts += c.warp_insts;
    if (ok) {
        fill(p, d);
        fill_sharing(a, l, &p->lines, c.warp_insts, d);
    }
    line_set_fini(&p->lines);
    depend_fini(&p->depend);
    reuse_free(p->reuse);
    free(p);
    return ok;
}
