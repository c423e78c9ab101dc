#include "sampler/window/depend.h"

#include <stdlib.h>

#include "base/err.h"

struct depend_warp {
    uint64_t round; /* the present one, from 1 */
    bool loads;     /* it has any */
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
    }
    d->warp = xcalloc((size_t)warps, sizeof *d->warp);
    d->round = xcalloc((size_t)warps * (size_t)d->regs, sizeof *d->round);
    for (int w = 0; w < warps; w++)
        d->warp[w].round = 1;
}

static void end_round(struct depend *d, struct depend_warp *w)
{
    d->rounds += w->loads;
    w->loads = false;
    w->round++;
}

/* reg 0 is none: no load ever writes it. */
void depend_step(struct depend *d, int warp, const struct step *s, bool loads)
{
    const struct inst *in = s->inst;
    struct depend_warp *w = &d->warp[warp];
    uint64_t *round = d->round + (size_t)warp * (size_t)d->regs;
    bool waits = false;
    for (int i = 0; i < in->ns; i++)
        waits |= in->src[i].off != OPND_NONE && round[in->src[i].reg] == w->round;
    for (int i = 0; i < in->nd; i++)
        waits |= round[in->dst[i].reg] == w->round;
    if (waits)
        end_round(d, w);
    for (int i = 0; i < in->nd; i++)
        if (in->dst[i].reg)
            round[in->dst[i].reg] = loads ? w->round : 0;
    w->loads |= loads;
}

void depend_end(struct depend *d)
{
    for (int w = 0; w < d->warps; w++)
        end_round(d, &d->warp[w]);
}

void depend_fini(struct depend *d)
{
    free(d->warp);
    free(d->round);
    *d = (struct depend){0};
}
