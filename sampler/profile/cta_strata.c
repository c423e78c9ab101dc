#include "sampler/profile/cta_strata.h"

/* The k-th part begins with it. */
static uint64_t begins(const struct cta_strata *s, int k)
{
    return ((uint64_t)k * s->width + (uint64_t)s->n - 1) / (uint64_t)s->n;
}

uint64_t cta_strata_draw(const struct cta_strata *s, int k, struct rng *draw)
{
    const uint64_t from = begins(s, k);
    return s->first + from + rng_below(draw, begins(s, k + 1) - from);
}

int cta_strata_part(const struct cta_strata *s, uint64_t cta)
{
    if (cta < s->first || cta - s->first >= s->width)
        return -1;
    return (int)((cta - s->first) * (uint64_t)s->n / s->width);
}
