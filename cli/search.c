#include "cli/search.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "cli/chart.h"
#include "cli/price.h"

/* The occupancy limit and the number of CTAs, which only running the host code can tell. */
static bool survey(struct run_plan *plan, int *n_max, struct err *e)
{
    struct run_result r;
    plan->functional = true;
    bool ok = runner_run(plan, &r, e);
    plan->functional = false;
    if (!ok)
        return false;
    *n_max = r.n_max > 0 ? r.n_max : 1; /* nothing fits: the simulation says which kernel and why */
    plan->total_ctas = r.total.ctas;
    run_result_release(&r);
    return true;
}

static bool search_perturbed(const struct run_plan *plan, int jobs, int by, struct search *s,
                             struct err *e)
{
    struct gpu_cfg cfg = *plan->cfg;
    struct run_plan with = *plan;
    with.cfg = &cfg;
    gpu_cfg_perturb(&cfg, by);
    s->perturbed = xrealloc(s->perturbed, (size_t)(s->perturbations + 1) * sizeof *s->perturbed);
    struct perturbed_search *one = &s->perturbed[s->perturbations];
    *one = (struct perturbed_search){.by = by};
    if (!runner_search(&with, s->n_max, jobs, &one->all, e))
        return err_prefix(e, "perturbed by %d", by);
    s->perturbations++;
    return true;
}

bool search_run(const struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                int n_max, uint64_t total_ctas, struct search *out, struct err *e)
{
    *out = (struct search){0};
    struct run_plan plan = {.target = t,
                            .cfg = cfg,
                            .max_cycles = o->max_cycles,
                            .total_ctas = total_ctas,
                            .kernel_output = fopen("/dev/null", "w")};
    if (!plan.kernel_output)
        return err_set(e, "cannot open /dev/null");
    bool ok = n_max > 0 || survey(&plan, &n_max, e);
    if (ok) {
        const double start = price_clock();
        out->n_max = n_max;
        ok = runner_search(&plan, n_max, o->jobs, &out->all, e);
        out->seconds = price_clock() - start;
        if (ok)
            runner_notes(&out->all[0]);
    }
    for (int i = 1; ok && i <= o->perturbed; i++)
        ok = search_perturbed(&plan, o->jobs, gpu_cfg_perturbation(cfg, i), out, e);
    fclose(plan.kernel_output);
    for (int n = 1; ok && n <= n_max; n++)
        if (search_ipc(out, n) > search_ipc(out, out->best + 1))
            out->best = n - 1;
    return ok;
}

void search_release(struct search *s)
{
    runner_release(s->all, s->n_max);
    for (int i = 0; i < s->perturbations; i++)
        runner_release(s->perturbed[i].all, s->n_max);
    free(s->perturbed);
    *s = (struct search){0};
}

double search_ipc(const struct search *s, int n)
{
    struct run_stats sum = s->all[n - 1].total;
    for (int i = 0; i < s->perturbations; i++)
        stats_add(&sum, &s->perturbed[i].all[n - 1].total);
    return stats_rate(&sum, RATE_ipc);
}

double search_deviation(const struct search *s, int n)
{
    double *ipc = xcalloc((size_t)s->perturbations + 1, sizeof *ipc);
    ipc[0] = stats_rate(&s->all[n - 1].total, RATE_ipc);
    for (int i = 0; i < s->perturbations; i++)
        ipc[i + 1] = stats_rate(&s->perturbed[i].all[n - 1].total, RATE_ipc);
    const double sd =
        s->perturbations ? gsl_stats_sd(ipc, 1, (size_t)s->perturbations + 1) : (double)NAN;
    free(ipc);
    return sd;
}

void search_chart(FILE *out, const char *title, const struct search *s, const double *predicted,
                  int chosen)
{
    struct chart_bar *bar = xcalloc((size_t)s->n_max, sizeof *bar);
    for (int n = 1; n <= s->n_max; n++)
        bar[n - 1] = (struct chart_bar){.n = n,
                                        .value = search_ipc(s, n),
                                        .predicted = predicted ? predicted[n] : -1,
                                        .chosen = n == chosen,
                                        .optimum = n - 1 == s->best,
                                        .is_default = n == s->n_max};
    chart_print(out, title, bar, s->n_max, chart_utf8());
    free(bar);
}
