#include "sampler/window/depend.h"

#include <stdlib.h>

#include "base/err.h"

struct depend_reg {
    uint64_t written; /* number of the instruction that wrote it last; 0: none */
    uint64_t round;   /* the round of the load that did; 0: it was no load */
    bool unused;      /* loaded, not read since */
};

struct depend_warp {
    uint64_t now;             /* instructions so far */
    uint64_t round;           /* the present one, from 1 */
    uint64_t loads, requests; /* of it */
};

void depend_init(struct depend *d, const struct kernel *k, int warps)
{
    *d = (struct depend){.warps = warps, .regs = 1};
    for (uint32_t i = 0; i < k->ninst; i++) {
        const struct inst *in = &k->inst[i];
        for (int j = 0; j < in->nd; j++)
            d->regs = in->dst[j].reg >= d->regs ? in->dst[j].reg + 1 : d->regs;
        for (int j = 0; j < in->ns; j++)
            d->regs = in->src[j].reg >= d->regs ? in->src[j].reg + 1 : d->regs;
        d->regs = in->guard.reg >= d->regs ? in->guard.reg + 1 : d->regs;
    }
    d->warp = xcalloc((size_t)warps, sizeof *d->warp);
    d->reg = xcalloc((size_t)warps * (size_t)d->regs, sizeof *d->reg);
    for (int w = 0; w < warps; w++)
        d->warp[w].round = 1;
}

static void end_round(struct depend *d, struct depend_warp *w)
{
    d->rounds += w->loads > 0;
    d->loads += w->loads;
    d->requests += w->requests;
    w->loads = w->requests = 0;
    w->round++;
}

struct need { /* of one instruction */
    struct depend *d;
    struct depend_warp *w;
    struct depend_reg *reg; /* the warp's */
    uint64_t nearest;       /* its youngest producer; 0: none */
    bool waits;             /* for a load of the present round */
};

static void reads(struct need *n, const struct opnd *o)
{
    struct depend_reg *r = &n->reg[o->reg];
    if (!o->reg || o->off == OPND_NONE || !r->written)
        return;
    n->nearest = r->written > n->nearest ? r->written : n->nearest;
    n->waits |= r->round == n->w->round;
    if (r->unused)
        n->d->first_use[bucket_of(n->w->now - r->written)]++;
    r->unused = false;
}

void depend_step(struct depend *d, int warp, const struct step *s, int requests)
{
    const struct inst *in = s->inst;
    struct depend_warp *w = &d->warp[warp];
    struct need n = {.d = d, .w = w, .reg = d->reg + (size_t)warp * (size_t)d->regs};
    w->now++;
    for (int i = 0; i < in->ns; i++)
        reads(&n, &in->src[i]);
    reads(&n, &in->guard);
    for (int i = 0; i < in->nd; i++)
        n.waits |= in->dst[i].reg && n.reg[in->dst[i].reg].round == w->round;
    if (n.nearest)
        d->distance[bucket_of(w->now - n.nearest)]++;
    if (n.waits)
        end_round(d, w);
    for (int i = 0; i < in->nd; i++)
        if (in->dst[i].reg)
            n.reg[in->dst[i].reg] = (struct depend_reg){
                .written = w->now, .round = requests ? w->round : 0, .unused = requests > 0};
    w->loads += requests > 0;
    w->requests += (uint64_t)requests;
}

void depend_end(struct depend *d)
{
    for (int w = 0; w < d->warps; w++)
        end_round(d, &d->warp[w]);
}

void depend_fini(struct depend *d)
{
    free(d->warp);
    free(d->reg);
    *d = (struct depend){0};
}
