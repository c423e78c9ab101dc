#include "sim/func/run.h"

#include <stdio.h>

#include "sim/func/exec.h"
#include "sim/func/simt.h"

/* A warp runs until it waits or ends, or for this many instructions, so that a warp that spins on
 * another one's flag lets that one set it. */
#define QUANTUM 10000

struct run {
    const struct func_opts *o;
    struct func_counts counts;
    uint64_t limit;
};

static uint64_t lanes_in(lanes_t m)
{
    return m == LANES_ALL ? WARP_SIZE : (uint64_t)__builtin_popcount(m);
}

static bool limit_reached(struct run *r, struct warp *w)
{
    char text[120];
    snprintf(text, sizeof text, "still running after %llu warp instructions, the limit of this run",
             (unsigned long long)r->counts.warp_insts);
    warp_fault(w, &w->cta->kernel->inst[warp_pc(w)], FAULT_LIMIT, __builtin_ctz(w->live), 0, 0,
               text);
    return false;
}

static bool run_warp(struct run *r, struct warp *w, struct step *s)
{
    struct cta *c = w->cta;
    for (int n = 0; n < QUANTUM; n++) {
        if (r->counts.warp_insts == r->limit)
            return limit_reached(r, w);
        bool ok = warp_step(w, s);
        r->counts.warp_insts++;
        r->counts.thread_insts += lanes_in(s->active);
        c->now++;
        c->now_ps += 1000;
        if (r->o->on_step)
            r->o->on_step(r->o->user, w, s);
        if (!ok || s->warp_done || s->at_barrier)
            return ok;
    }
    return true;
}

static bool run_cta(struct run *r, struct cta *c, struct step *s)
{
    while (!cta_done(c)) {
        bool moved = false;
        for (int i = 0; i < c->nwarps; i++) {
            struct warp *w = &c->warp[i];
            if (w->live == 0 || warp_waiting(w))
                continue;
            moved = true;
            if (!run_warp(r, w, s))
                return false;
        }
        if (!moved) {
            cta_barrier_deadlock(c);
            return false;
        }
    }
    r->counts.ctas++;
    return true;
}

bool func_run(struct launch *l, const struct func_opts *o, struct func_counts *counts,
              struct err *e)
{
    static const struct func_opts none;
    struct run r = {.o = o ? o : &none};
    r.limit = r.o->max_warp_insts ? r.o->max_warp_insts : UINT64_MAX;
    if (!launch_init(l, e))
        return false;
    uint64_t all = launch_ctas(l), first = r.o->first_cta;
    uint64_t end =
        first < all && r.o->num_ctas && r.o->num_ctas < all - first ? first + r.o->num_ctas : all;
    struct cta *c = cta_new(l);
    struct step s;
    bool ok = true;
    for (uint64_t i = first; i < end && ok; i++) {
        cta_init(c, i, 0, 1);
        ok = run_cta(&r, c, &s);
        if (!ok)
            fault_to_err(&c->fault, l, e);
        else if (r.o->progress && !r.o->progress(r.o->progress_user, i + 1 - first, end - first))
            ok = err_set(e, "kernel %s: stopped", l->kernel->name);
    }
    cta_free(c);
    if (counts)
        *counts = r.counts;
    return ok;
}
