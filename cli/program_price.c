/* program_price.c -- what a degree for a program's kernels costs. Samples and simulations of every
 * degree are made in one process, the program's own: of what that has taken, everything but the
 * simulations counts as needed for the answer. */
#include <math.h>

#include "cli/program.h"

/* Simulations of a kernel without a sample are part of the answer. */
static void add_runs(const struct program_kernel *k, struct sample_cost *c)
{
    for (int n = 1; !k->samples && n <= k->k.n_max; n++) {
        c->warp_insts += k->at[n].stats.warp_insts;
        c->run_warp_insts += k->at[n].stats.warp_insts;
        c->run_seconds += k->at[n].host_seconds;
    }
}

/* Samples cost what they do for every kernel; execution, all launches of all; simulations of every
 * degree, where there is no sample. */
static struct sample_cost cost_of(const struct outcome *f)
{
    struct sample_cost c = {0};
    for (int i = 0; i < f->kernels; i++) {
        const struct program_kernel *k = &f->kernel[i];
        sample_cost_add(&c, &k->cost);
        c.functional_seconds += k->seconds;
        c.functional_warp_insts += k->warp_insts;
        c.full_warp_insts += (double)k->warp_insts;
        add_runs(k, &c);
    }
    return c;
}

static double ratio_of(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* As a simulation executes them: who waits, or looks at the clock, executes more than is counted
 * without timing, or less. Samples have what was simulated. */
static double one_insts(const struct program_kernel *k)
{
    double simulated = 0;
    for (int i = 0; i < k->samples; i++)
        simulated += k->sample[i].total_warp_insts;
    return (double)k->one_insts * (simulated > 0 ? ratio_of(simulated, (double)k->warp_insts) : 1);
}

static double simulated_by_one(const struct outcome *f)
{
    double all = 0;
    for (int i = 0; i < f->kernels; i++)
        all += one_insts(&f->kernel[i]);
    return all;
}

/* A simulation executes what it does not simulate, and looks at none of it; a search executes every
 * launch, and looks at those that a sample does. */
static void add_execution(const struct program_kernel *k, struct price *p)
{
    const double executed = (double)k->warp_insts - (double)k->known_insts;
    const double each = k->plain_insts ? ratio_of(k->plain_seconds, (double)k->plain_insts)
                                       : ratio_of(k->seconds, executed);
    p->simulation += each * fmax(0, executed - (double)k->one_insts);
    p->search += k->seconds;
}

static void add_measured(const struct program_kernel *k, struct price *p)
{
    for (int n = 1; n <= k->k.n_max; n++)
        p->search += k->at[n].host_seconds;
    p->simulation += k->k.n_max > 0 ? k->at[k->k.n_max].host_seconds : 0;
}

/* Each kernel as fast as what was simulated of it; of one that has no sample, as all were. */
static void estimated(const struct program_result *r, struct price *p)
{
    const double mean = sample_cost_rate(&r->cost, &r->cost);
    p->simulation = p->search = 0;
    for (int i = 0; i < r->found->kernels; i++) {
        const struct program_kernel *k = &r->found->kernel[i];
        const bool searched = k->samples > 0 && samples_whole(k->sample, k->samples);
        const double own = sample_cost_rate(&k->cost, &r->cost);
        const double seconds = (own > 0 ? own : mean) * one_insts(k);
        if (r->v[i].measured) {
            add_measured(k, p);
            continue;
        }
        p->simulation += seconds;
        p->search +=
            searched ? samples_search_seconds(k->sample, k->samples) : seconds * k->k.n_max;
        p->searched |= searched;
    }
}

/* From the simulations of every degree. */
static void measured(const struct program_result *r, struct price *p)
{
    p->simulation = p->search = 0;
    p->estimated = p->search_estimated = false;
    for (int i = 0; i < r->found->kernels; i++)
        add_measured(&r->found->kernel[i], p);
}

void program_price(struct program_result *r)
{
    if (!program_samples(r))
        return;
    r->cost = cost_of(r->found);
    struct sample_cost run = r->cost;
    run.full_warp_insts = simulated_by_one(r->found);
    sample_cost_price(&run, r->n_max, &r->price);
    if (r->mode == PROGRAM_COMPARE)
        measured(r, &r->price);
    else
        estimated(r, &r->price);
    if (r->o->source)
        price_add_common(&r->price, PRICE_COMPILATION, r->o->build_seconds);
    struct sample_cost runs = {0};
    for (int i = 0; i < r->found->kernels; i++)
        add_runs(&r->found->kernel[i], &runs);
    r->price.searched |= runs.run_warp_insts > 0;
    double not_for_answer = r->mode == PROGRAM_COMPARE ? r->price.search - runs.run_seconds : 0;
    for (int i = 0; i < r->found->kernels; i++) {
        not_for_answer += r->found->kernel[i].perturbed_seconds;
        add_execution(&r->found->kernel[i], &r->price);
    }
    r->price.budget = r->o->budget;
    price_end(&r->price, not_for_answer);
}
