#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "cli/compare_all.h"

static void percent(struct table *t, double v, int decimals, const char *sign)
{
    if (!isfinite(v))
        table_cell(t, "-");
    else if (*sign)
        table_cell(t, "%+.*f %%", decimals, 100 * v);
    else
        table_cell(t, "%.*f %%", decimals, 100 * v);
}

/* `left` once, then `each` so many times. */
static struct table *new_table(const char *left, const char *each, int times)
{
    char *align = xcalloc(strlen(left) + strlen(each) * (size_t)times + 1, 1);
    strcpy(align, left);
    for (int i = 0; i < times; i++)
        strcat(align, each);
    struct table *t = table_new(align);
    free(align);
    return t;
}

static bool is_shown(const struct cross_validation *c,
                     int predictor) /* beside default and optimum */
{
    return predictor > 0 && predictor < c->predictors - 1;
}

static double sample_cost(const struct app_case *a)
{
    return a->full_warp_insts > 0 ? a->sample_warp_insts / a->full_warp_insts : NAN;
}

static double ipc_error(const struct choice *c)
{
    return c->mean.ipc_points ? c->mean.ipc_error / c->mean.ipc_points : NAN;
}

static void print_case(struct table *t, const struct cross_validation *c, int i)
{
    const struct app_case *a = &c->cases.one[i];
    const struct choice *best = cv_choice(c, i, c->predictors - 1);
    table_cell(t, "%s", a->target);
    percent(t, sample_cost(a), 2, "");
    table_cell(t, "%d", a->m.n_max);
    table_cell(t, "%.1f", a->m.ipc[a->m.n_max]);
    table_cell(t, "%d", best->n);
    table_cell(t, "%.1f", best->ipc);
    percent(t, best->mean.gain, 1, "+");
    for (int k = 0; k < c->predictors; k++) {
        const struct choice *choice = cv_choice(c, i, k);
        if (!is_shown(c, k))
            continue;
        if (choice->n)
            table_cell(t, "%d%s", choice->n, choice->mean.exact ? "*" : "");
        else
            table_cell(t, "-");
        table_cell(t, "%.1f", choice->ipc);
        percent(t, choice->mean.kept, 1, "");
        percent(t, ipc_error(choice), 0, "");
    }
}

/* What a column of the cases of a group has in it: a predictor's IPC, or, of no predictor, the
 * cost. */
static double mean_of(const struct cross_validation *c, const struct case_group *g, int predictor)
{
    double *v = xcalloc((size_t)c->cases.count + 1, sizeof *v);
    int n = 0;
    for (int i = 0; i < c->cases.count; i++)
        if (case_in_group(g, &c->cases.one[i]))
            v[n++] =
                predictor < 0 ? sample_cost(&c->cases.one[i]) : cv_choice(c, i, predictor)->ipc;
    const double mean = geometric_mean(v, n);
    free(v);
    return mean;
}

static void print_means(struct table *t, const struct cross_validation *c,
                        const struct case_group *g)
{
    const int best = c->predictors - 1;
    struct metrics v;
    cv_metrics(c, g, best, &v, NULL);
    table_cell(t, "geometric mean");
    percent(t, mean_of(c, g, -1), 2, "");
    table_cell(t, "%s", "");
    table_cell(t, "%.1f", mean_of(c, g, 0));
    table_cell(t, "%s", "");
    table_cell(t, "%.1f", mean_of(c, g, best));
    percent(t, v.gain, 1, "+");
    for (int k = 0; k < c->predictors; k++) {
        if (!is_shown(c, k))
            continue;
        cv_metrics(c, g, k, &v, NULL);
        table_cell(t, "%s", "");
        table_cell(t, "%.1f", mean_of(c, g, k));
        percent(t, v.kept, 1, "");
        percent(t, v.ipc_error, 0, "");
    }
}

static void print_setting(FILE *out, const struct cross_validation *c, const struct case_group *g)
{
    static const char *const head[] = {"",          "sample", "default n", "IPC",
                                       "optimum n", "IPC",    "gain"};
    struct table *t = new_table("lrrrrrr", "rrrr", c->predictors - 2);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (int k = 0; k < c->predictors; k++)
        if (is_shown(c, k)) {
            table_cell(t, "%s", c->predictor[k].name);
            table_cell(t, "IPC");
            table_cell(t, "kept");
            table_cell(t, "error");
        }
    for (int i = 0; i < c->cases.count; i++)
        if (case_in_group(g, &c->cases.one[i]))
            print_case(t, c, i);
    print_means(t, c, g);
    fprintf(out, "%s\n", g->name);
    table_print(t, out);
    fputc('\n', out);
    table_free(t);
}

static void print_row(struct table *t, const struct cross_validation *c, const struct case_group *g,
                      int predictor)
{
    struct metrics v;
    int worst;
    cv_metrics(c, g, predictor, &v, &worst);
    table_cell(t, "%s", c->predictor[predictor].name);
    percent(t, v.kept, 2, "");
    percent(t, v.worst, 1, "");
    table_cell(t, "%s", worst < 0 ? "" : c->cases.one[worst].workload);
    percent(t, v.gain, 1, "+");
    percent(t, v.exact, 0, "");
    percent(t, v.near, 0, "");
    percent(t, v.sensitive_exact, 0, "");
    percent(t, v.sensitive_near, 0, "");
    percent(t, v.captured, 0, "");
    percent(t, v.insensitive_loss, 1, "");
    percent(t, v.ipc_error, 1, "");
    percent(t, v.inside, 0, "");
    percent(t, v.reads_error, 1, "");
}

static bool has_perturbed(const struct case_group *g, int groups)
{
    bool any = false;
    for (int i = 0; i < groups; i++)
        any |= g[i].once;
    return any;
}

static void print_metrics(FILE *out, const struct cross_validation *c, const struct case_group *g,
                          int groups)
{
    static const char *const head[] = {"",
                                       "kept",
                                       "worst",
                                       "",
                                       "gain",
                                       "exact",
                                       "+-1",
                                       "exact'",
                                       "+-1'",
                                       "captured'",
                                       "insensitive loss",
                                       "IPC error",
                                       "in 80 %",
                                       "reads error"};
    struct table *t = table_new("lrrlrrrrrrrrrr");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (int i = 0; i < groups; i++) {
        struct metrics v;
        cv_metrics(c, &g[i], 0, &v, NULL);
        table_cell(t, "%s: %.0f, %.0f', %.0f insensitive", g[i].name, v.cases, v.sensitive,
                   v.insensitive);
        for (size_t k = 1; k < sizeof head / sizeof *head; k++)
            table_cell(t, "%s", "");
        for (int k = 0; k < c->predictors; k++)
            print_row(t, c, &g[i], k);
    }
    fputs("Over all applications of a group; ' of those whose optimum gains more than 5 % over "
          "default;\nquiet: those whose optimum gains at most 1 %\n",
          out);
    if (has_perturbed(g, groups))
        fputs("IPC is that of several runs of each degree, perturbed: what chance adds to one is "
              "evened out.\none run: the same judged by the plain runs alone; search: the best by "
              "these\n",
              out);
    table_print(t, out);
    table_free(t);
}

static void print_costs(FILE *out, const struct cross_validation *c)
{
    static const char *const head[] = {"GPU",   "size",    "samples", "sample / simulation",
                                       "worst", "refined", "worst",   "sample / search"};
    struct cost *k;
    int costs = compare_costs(c, &k);
    struct table *t = table_new("llrrrrrr");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (int i = 0; i < costs; i++) {
        table_cell(t, "%s", k[i].gpu);
        table_cell(t, "%s", k[i].size);
        table_cell(t, "%d", k[i].cases);
        percent(t, k[i].to_full, 2, "");
        percent(t, k[i].worst, 1, "");
        percent(t, k[i].refined, 2, "");
        percent(t, k[i].refined_worst, 1, "");
        percent(t, k[i].to_search, 3, "");
    }
    fputs("\nCost: warp instructions simulated in detail, geometric means\n", out);
    table_print(t, out);
    table_free(t);
    free(k);
}

static void print_fits(FILE *out, const struct cross_validation *c)
{
    fputc('\n', out);
    for (int k = 0; k < c->predictors; k++) {
        const struct predictor *who = &c->predictor[k];
        if (!who->model)
            continue;
        if (!who->fitted)
            fprintf(out, "%s: %s\n", who->name,
                    who->model->stages && who->model->stages->name
                        ? "the published coefficients"
                        : "no stage can be fitted: the coefficients of its file");
        else if (who->refused == 0)
            fprintf(out,
                    "%s: coefficients fitted to the other applications on the same GPU, %d "
                    "fits\n",
                    who->name, who->fits);
        else
            fprintf(out,
                    "%s: fitted to the other applications on the same GPU; %d of %d fits were "
                    "refused, there the coefficients of its file stand (%s)\n",
                    who->name, who->refused, who->fits, who->why);
        const int untried = cv_untried(c, k);
        if (untried)
            fprintf(out,
                    "%s: %d long applications were not tried, since their samples have no "
                    "trial: its cost is too low\n",
                    who->name, untried);
    }
}

void compare_print(FILE *out, const struct cross_validation *c)
{
    struct case_group *g;
    int groups = cv_groups(c, &g);
    for (int i = 0; i < groups; i++)
        if (g[i].gpu && g[i].lo == g[i].hi) /* one GPU with one L1D */
            print_setting(out, c, &g[i]);
    fputs(
        "n*: it is the best. kept = IPC / IPC at the optimum; gain: over default; error: mean "
        "|predicted /\nsimulated - 1| of IPC over every n (its mean is over all of them); sample: "
        "warp instructions\nsimulated in detail / those of one simulation; refined: by one "
        "simulation\nof a short application, one trial of a long one\n\n",
        out);
    print_metrics(out, c, g, groups);
    print_costs(out, c);
    print_fits(out, c);
    free(g);
}
