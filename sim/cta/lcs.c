/* Lazy CTA scheduling (Lee et al. 2014, LCS). A core begins with as many CTAs as fit. Under a
 * greedy warp scheduler the oldest CTA issues whenever it can, the others fill what it leaves; when
 * the first CTA ends, what all issued in its lifetime over what it issued is the number of CTAs
 * that the core had use for. The paper's fraction is rounded up here: the part of a CTA that is
 * over has work that the core found a place for. One decision a core and launch; CTAs above it
 * leave as they end.
 *
 * Under a scheduler that serves all warps alike the fraction is the number of CTAs there, and
 * nothing is limited. */
#include "sim/cta/cta_scheduler.h"

struct lcs {
    int n; /* 0: not decided yet */
};

static int limit(const void *st, const struct cta_view *v)
{
    const struct lcs *l = st;
    return l->n && l->n < v->n ? l->n : v->n;
}

static cycle_t cta_ended(void *st, const struct cta_view *v, const struct sm_cta_end *end)
{
    struct lcs *l = st;
    (void)v;
    if (!l->n && end->warp_insts)
        l->n = (int)((end->core_insts + end->warp_insts - 1) / end->warp_insts);
    return CYCLE_NEVER;
}

const struct cta_scheduler_ops cta_scheduler_lcs = {
    .name = "lcs",
    .help = "as many CTAs as were of use while the first one ran; for greedy warp schedulers (gto)",
    .paper = "Lee et al., HPCA 2014",
    .bytes = sizeof(struct lcs),
    .limit = limit,
    .cta_ended = cta_ended,
};
