#include "sampler/profile/launch_facts.h"

#include <math.h>

static uint64_t nearest(const uint64_t *insts, uint64_t n, double mean)
{
    uint64_t best = 0;
    for (uint64_t i = 1; i < n; i++)
        if (fabs((double)insts[i] - mean) < fabs((double)insts[best] - mean))
            best = i;
    return best;
}

static double mean_of(const uint64_t *insts, uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += (double)insts[i];
    return sum / (double)n;
}

/* Whether the first CTAs are shorter or longer than the rest. */
static bool is_uneven(const uint64_t *insts, uint64_t n, const struct similarity_params *by)
{
    for (int part = by->first_from; part >= by->first_to; part /= 2) {
        const uint64_t first = n / (uint64_t)part;
        if (!first)
            continue;
        const double a = mean_of(insts, first), b = mean_of(insts + first, n - first);
        if (fabs(a - b) > by->length * fmax(a, b))
            return true;
    }
    return false;
}

static uint64_t longest(const uint64_t *insts, uint64_t n)
{
    uint64_t best = 0;
    for (uint64_t i = 1; i < n; i++)
        best = insts[i] > insts[best] ? i : best;
    return best;
}

/* With few CTAs on a core if not with many: those that run at once then are neighbours. */
static bool is_camping(const struct launch_watch *look, const struct similarity_params *by)
{
    return partition_watch_camping(look->partitions, by) ||
           (look->neighbours && partition_watch_camping(look->neighbours, by));
}

struct launch_facts launch_facts_of(const struct func_counts *n, const struct launch_watch *look,
                                    const struct similarity_params *by)
{
    const uint64_t *cta_insts = look->cta_insts;
    struct launch_facts f = {.most_insts = n->warp_insts,
                             .warp_insts = n->warp_insts,
                             .thread_insts = n->thread_insts,
                             .work = func_work(n),
                             .waits = n->waits,
                             .uneven = memory_watch_uneven(look->memory, by),
                             .bank_cycles = partition_watch_bank_cycles(look->partitions),
                             .camping = is_camping(look, by)};
    if (cta_insts) {
        f.cta = nearest(cta_insts, n->ctas, (double)n->warp_insts / fmax(1, (double)n->ctas));
        f.cta_insts = cta_insts[f.cta];
        f.longest = longest(cta_insts, n->ctas);
        f.most_insts = cta_insts[f.longest];
        f.uneven |= is_uneven(cta_insts, n->ctas, by);
    }
    return f;
}

void launch_facts_ask(struct launch_facts *f, int64_t cta)
{
    if (cta < 0)
        return;
    f->cta = (uint64_t)cta;
    f->cta_insts = 0;
}

void launch_facts_follow(struct launch_facts *f, const struct recent_code *r,
                         const struct launch *l)
{
    f->code_ran = recent_code_has(r, l->kernel);
    f->code_since = recent_code_since(r, l->kernel, launch_ctas(l));
}
