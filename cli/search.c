#include "cli/search.h"

#include <stdlib.h>

#include "cli/chart.h"

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
    bool ok = (n_max > 0 || survey(&plan, &n_max, e)) &&
              runner_search(&plan, n_max, o->jobs, &out->all, e);
    fclose(plan.kernel_output);
    if (ok) {
        out->n_max = n_max;
        out->best = runner_best(out->all, n_max);
    }
    return ok;
}

void search_release(struct search *s)
{
    runner_release(s->all, s->n_max);
    *s = (struct search){0};
}

double search_ipc(const struct search *s, int n)
{
    return stats_rate(&s->all[n - 1].total, RATE_ipc);
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
