/* A fixed number of CTAs on every core: what fits, or what the user asks for. */
#include "sim/cta/cta_scheduler.h"

static int limit(const void *st, const struct cta_view *v)
{
    (void)st;
    return v->n;
}

const struct cta_scheduler_ops cta_scheduler_static = {
    .name = "static",
    .help = "every core holds up to n CTAs, all through the launch",
    .paper = "Kayiran et al., PACT 2013, Table I",
    .limit = limit,
};
