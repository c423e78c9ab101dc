#include "sim/sm/inst_run.h"

#include <stdio.h>

#include "sim/sm/inst_source.h"

struct traced_cta {
    const struct func_opts *o;
    const struct inst_source *source;
    struct launch *launch;
    void *cta; /* owned */
    struct func_counts counts;
    uint64_t limit;
    bool followed; /* on_step is told of the CTA */
    struct step step;
    struct traced_warp {
        void *warp;
        struct inst_warp at;
    } warp[WARP_SIZE];
};

static bool limit_reached(const struct traced_cta *r, const void *warp, struct err *e)
{
    struct fault f = {.kind = FAULT_LIMIT};
    r->source->locate(warp, &f);
    snprintf(f.detail, sizeof f.detail,
             "still running after %llu warp instructions, the limit of this run",
             (unsigned long long)r->counts.warp_insts);
    return fault_to_err(&f, r->launch, e);
}

/* Until it waits or ends, or its turn does. */
static bool run_warp(struct traced_cta *r, struct traced_warp *w, struct err *e)
{
    const uint64_t turn = r->o->turn;
    r->step.at_barrier = false;
    for (uint64_t n = 0; n < turn && w->at.live && !r->step.at_barrier; n++) {
        if (r->counts.warp_insts == r->limit)
            return limit_reached(r, w->warp, e);
        if (!r->source->step(w->warp, &r->step, &w->at))
            return fault_to_err(r->source->fault(r->cta), r->launch, e);
        r->counts.warp_insts++;
        r->counts.thread_insts += (uint64_t)__builtin_popcount(r->step.active);
        if (r->followed)
            r->o->on_step(r->o->user, r->source->state(w->warp), &r->step);
    }
    return true;
}

static bool run_warps(struct traced_cta *r, int warps, struct err *e)
{
    for (bool live = true, moved = true; live;) {
        if (!moved) {
            r->source->deadlocked(r->cta);
            return fault_to_err(r->source->fault(r->cta), r->launch, e);
        }
        live = moved = false;
        for (int i = 0; i < warps; i++) {
            struct traced_warp *w = &r->warp[i];
            if (w->at.live && !(r->source->waiting(r->cta) >> i & 1)) {
                if (!run_warp(r, w, e))
                    return false;
                moved = true;
            }
            live |= w->at.live != 0;
        }
    }
    return true;
}

static bool run_cta(struct traced_cta *r, uint64_t number, struct err *e)
{
    const struct func_opts *o = r->o;
    const uint64_t before = r->counts.warp_insts;
    const int warps = launch_warps(r->launch);
    r->followed = o->on_step && (!o->follows || o->follows(o->user, number));
    if (!r->source->cta_start(r->cta, &(struct inst_place){.linear = number, .cores = 1}))
        return fault_to_err(r->source->fault(r->cta), r->launch, e);
    for (int i = 0; i < warps; i++)
        r->warp[i].warp = r->source->warp(r->cta, i, &r->warp[i].at);
    if (!run_warps(r, warps, e))
        return false;
    r->counts.ctas++;
    if (o->on_done)
        o->on_done(o->user, number, r->counts.warp_insts - before);
    return true;
}

static bool run_ctas(struct traced_cta *r, struct err *e)
{
    const struct func_opts *o = r->o;
    const uint64_t all = launch_ctas(r->launch);
    uint64_t end = all;
    if (o->first_cta < all && o->num_ctas && o->num_ctas < all - o->first_cta)
        end = o->first_cta + o->num_ctas;
    for (uint64_t i = o->first_cta; i < end; i++) {
        if (!run_cta(r, i, e))
            return false;
        if (o->progress && !o->progress(o->progress_user, i + 1 - o->first_cta, end - o->first_cta))
            return err_set(e, "kernel %s: stopped", r->launch->kernel->name);
    }
    return true;
}

bool inst_run(struct launch *l, const struct func_opts *o, struct func_counts *counts,
              struct err *e)
{
    struct func_opts with = o ? *o : (struct func_opts){0};
    with.turn = with.turn ? with.turn : FUNC_LONG_TURN;
    if (!l->recorded)
        return func_run(l, &with, counts, e);
    struct traced_cta r = {.o = &with, .source = inst_source_of(l), .launch = l};
    r.limit = r.o->max_warp_insts ? r.o->max_warp_insts : UINT64_MAX;
    if (!launch_init(l, e))
        return false;
    r.cta = r.source->cta_new(l);
    const bool ok = run_ctas(&r, e);
    r.source->cta_free(r.cta);
    if (counts)
        *counts = r.counts;
    return ok;
}
