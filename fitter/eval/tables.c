#include "fitter/eval/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"

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

/* A factor with two digits, of what is large all before the point. */
static void factor(struct table *t, double v)
{
    if (!(v > 0))
        table_cell(t, "-");
    else
        table_cell(t, v < 0.1 ? "%.3f" : v < 10 ? "%.2f" : v < 100 ? "%.1f" : "%.0f", v);
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
        factor(t, choice->mean.price);
        percent(t, choice->mean.kept, 1, "");
        percent(t, ipc_error(choice), 0, "");
    }
}

/* Of a predictor's IPC over the cases of a group. */
static double mean_ipc(const struct cross_validation *c, const struct case_group *g, int predictor)
{
    double *v = xcalloc((size_t)c->cases.count + 1, sizeof *v);
    int n = 0;
    for (int i = 0; i < c->cases.count; i++)
        if (case_in_group(g, &c->cases.one[i]))
            v[n++] = cv_choice(c, i, predictor)->ipc;
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
    table_cell(t, "%s", "");
    table_cell(t, "%.1f", mean_ipc(c, g, 0));
    table_cell(t, "%s", "");
    table_cell(t, "%.1f", mean_ipc(c, g, best));
    percent(t, v.gain, 1, "+");
    for (int k = 0; k < c->predictors; k++) {
        if (!is_shown(c, k))
            continue;
        cv_metrics(c, g, k, &v, NULL);
        table_cell(t, "%s", "");
        factor(t, v.price);
        percent(t, v.kept, 1, "");
        percent(t, v.ipc_error, 0, "");
    }
}

static void print_setting(FILE *out, const struct cross_validation *c, const struct case_group *g)
{
    static const char *const head[] = {"", "default n", "IPC", "optimum n", "IPC", "gain"};
    struct table *t = new_table("lrrrrr", "rrrr", c->predictors - 2);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (int k = 0; k < c->predictors; k++)
        if (is_shown(c, k)) {
            table_cell(t, "%s", c->predictor[k].name);
            table_cell(t, "price");
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

/* Of what is simulated in detail for an answer, warp instructions / those of one simulation. */
static double detail(const struct cross_validation *c, const struct case_group *g, int predictor)
{
    double *v = xcalloc((size_t)c->cases.count + 1, sizeof *v);
    int n = 0;
    for (int i = 0; i < c->cases.count; i++) {
        const double insts = cv_choice(c, i, predictor)->warp_insts;
        if (case_in_group(g, &c->cases.one[i]) && insts > 0)
            v[n++] = insts / c->cases.one[i].full_warp_insts;
    }
    const double mean = geometric_mean(v, n);
    free(v);
    return mean;
}

static void print_row(struct table *t, const struct cross_validation *c, const struct case_group *g,
                      int predictor)
{
    struct metrics v;
    int worst;
    cv_metrics(c, g, predictor, &v, &worst);
    table_cell(t, "%s", c->predictor[predictor].name);
    factor(t, v.price);
    factor(t, v.price_worst);
    factor(t, v.search_price);
    factor(t, detail(c, g, predictor));
    percent(t, v.kept, 2, "");
    percent(t, v.worst, 1, "");
    table_cell(t, "%s", worst < 0 ? "" : c->cases.one[worst].workload);
    percent(t, v.gain, 1, "+");
    percent(t, v.captured, 0, "");
    percent(t, v.insensitive_loss, 1, "");
    percent(t, v.ipc_error, 1, "");
    percent(t, v.inside, 0, "");
    percent(t, v.reads_error, 1, "");
    percent(t, v.exact, 0, "");
    percent(t, v.near, 0, "");
    percent(t, v.sensitive_exact, 0, "");
    percent(t, v.sensitive_near, 0, "");
}

static bool has_perturbed(const struct case_group *g, int groups)
{
    bool any = false;
    for (int i = 0; i < groups; i++)
        any |= g[i].once;
    return any;
}

static void print_notes(FILE *out, const struct case_group *g, int groups)
{
    wrap_paragraph(
        out,
        "Over all applications of a group. price: CPU time of an answer / that of one simulation "
        "at the\ndefault n, geometric mean and worst; / search: / that of one simulation at every "
        "n; in detail: warp\ninstructions simulated for it / those of one simulation. ': of "
        "sensitive applications, whose optimum\ngains more than 5 % over default; lost: the most "
        "that is lost of an insensitive one, whose optimum\ngains at most 1 %");
    if (has_perturbed(g, groups))
        wrap_paragraph(
            out,
            "IPC is that of several runs of each n, perturbed: what chance adds to one is evened "
            "out. one run:\nthe same judged by the plain runs alone; search: the best by these");
}

static void print_metrics(FILE *out, const struct cross_validation *c, const struct case_group *g,
                          int groups)
{
    static const char *const head[] = {"",     "price",     "worst",   "/ search",    "in detail",
                                       "kept", "worst",     "",        "gain",        "captured'",
                                       "lost", "IPC error", "in 80 %", "reads error", "exact",
                                       "+-1",  "exact'",    "+-1'"};
    struct table *t = table_new("lrrrrrrlrrrrrrrrrr");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (int i = 0; i < groups; i++) {
        struct metrics v;
        cv_metrics(c, &g[i], 0, &v, NULL);
        table_cell(t, "%s: %.0f, %.0f sensitive, %.0f insensitive", g[i].name, v.cases, v.sensitive,
                   v.insensitive);
        for (size_t k = 1; k < sizeof head / sizeof *head; k++)
            table_cell(t, "%s", "");
        for (int k = 0; k < c->predictors; k++)
            print_row(t, c, &g[i], k);
    }
    print_notes(out, g, groups);
    table_print(t, out);
    table_free(t);
}

static void print_fit(FILE *out, const struct cross_validation *c, const struct predictor *who)
{
    static const char *const on[] = {
        [CV_SAME_GPU] = "the same GPU", [CV_OTHER_GPUS] = "other GPUs", [CV_ALL_GPUS] = "all GPUs"};
    const char *model = who->model->name, *gpus = on[c->gpus];
    if (!who->fitted)
        wrap_line(out, "%s: %s", who->name,
                  who->model->stages && who->model->stages->name
                      ? "the published coefficients"
                      : "no stage can be fitted: the coefficients of its file");
    else if (who->refused == 0)
        wrap_line(out,
                  "%s: coefficients of model %s, fitted to the other applications on %s, %d fits",
                  who->name, model, gpus, who->fits);
    else
        wrap_line(out,
                  "%s: model %s, fitted to the other applications on %s; %d of %d fits "
                  "were refused, there the coefficients of its file stand (%s)",
                  who->name, model, gpus, who->refused, who->fits, who->why);
}

static void print_fits(FILE *out, const struct cross_validation *c)
{
    fputc('\n', out);
    for (int k = 0; k < c->predictors; k++) {
        const int unpiloted = cv_unpiloted(c, k);
        if (c->predictor[k].model)
            print_fit(out, c, &c->predictor[k]);
        if (unpiloted)
            wrap_line(
                out,
                "%s: the samples of %d applications have no pilots: it chose without, and its "
                "price is too low",
                c->predictor[k].name, unpiloted);
    }
}

void tables_print(FILE *out, const struct cross_validation *c)
{
    struct case_group *g;
    int groups = cv_groups(c, &g);
    for (int i = 0; i < groups; i++)
        if (g[i].gpu && g[i].lo == g[i].hi) /* one GPU with one L1D */
            print_setting(out, c, &g[i]);
    wrap_paragraph(
        out,
        "n*: it is the best. price: CPU time of the answer / that of one simulation; kept: IPC / "
        "IPC at the\noptimum; gain: over default; error: mean |predicted / simulated - 1| of IPC "
        "over every n that was\nnot simulated whole (its mean is over all of them)");
    fputc('\n', out);
    print_metrics(out, c, g, groups);
    print_fits(out, c);
    free(g);
}
