#include "fitter/fit/covariance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cfg_file.h"
#include "base/num.h"
#include "fitter/fit/least_squares.h"

#define ROUNDING 1e-9 /* of a correlation, as far as a file's digits go */

struct block { /* coefficients that were fitted together */
    struct coefficients *c;
    int *at; /* owned: their places in the model's table */
    int size;
};

static double *entry(const struct block *b, int i, int k)
{
    return coefficients_covariance(b->c, b->at[i], b->at[k]);
}

static double error_of(const struct coefficients *c, int i)
{
    return *coefficient_at(c->model, c->error, i);
}

static bool read_names(struct block *b, const struct cfg_node *of, struct err *e)
{
    b->size = cfg_len(of);
    b->at = xcalloc((size_t)b->size + 1, sizeof *b->at);
    for (int i = 0; i < b->size; i++) {
        const char *name;
        if (!cfg_str(cfg_at(of, i), &name, e))
            return false;
        b->at[i] = coefficient_find(b->c->model, name);
        if (b->at[i] < 0)
            return cfg_err(of, e, "the model %s has no coefficient \"%s\"", b->c->model->name,
                           name);
        if (*entry(b, i, i) > 0)
            return cfg_err(of, e, "%s has correlations already", name);
        *entry(b, i, i) = 1;
    }
    return true;
}

static bool read_row(const struct block *b, const struct cfg_node *row, int i, struct err *e)
{
    if (!cfg_expect(row, CFG_ARRAY, e))
        return false;
    if (cfg_len(row) != b->size)
        return cfg_err(row, e, "%d correlations, of %d coefficients", cfg_len(row), b->size);
    for (int k = 0; k < b->size; k++) {
        double r;
        if (!cfg_real(cfg_at(row, k), -1, 1, &r, e))
            return false;
        const double want = i == k ? 1 : k < i ? *entry(b, k, i) : r;
        if (fabs(r - want) > ROUNDING)
            return cfg_err(row, e, "row %d has %g in place %d, not %g: %s", i + 1, r, k + 1, want,
                           i == k ? "each is correlated with itself" : "it must be symmetric");
        *entry(b, i, k) = want;
    }
    return true;
}

/* Cholesky's decomposition comes to its end: no combination of errors has a variance below 0. */
static bool is_possible(const struct block *b)
{
    const int n = b->size;
    double *l = xcalloc((size_t)n * (size_t)n + 1, sizeof *l);
    bool ok = true;
    for (int k = 0; k < n; k++)
        for (int i = k; i < n; i++) {
            double left = *entry(b, i, k);
            for (int j = 0; j < k; j++)
                left -= l[i * n + j] * l[k * n + j];
            if (i == k)
                l[k * n + k] = left > ROUNDING ? sqrt(left) : 0;
            else if (l[k * n + k] > 0)
                l[i * n + k] = left / l[k * n + k];
            ok &= i == k ? left >= -ROUNDING : l[k * n + k] > 0 || fabs(left) < sqrt(ROUNDING);
        }
    free(l);
    return ok;
}

static bool read_block(struct block *b, const struct cfg_node *n, struct err *e)
{
    const struct cfg_node *of, *rows;
    if (!cfg_expect(n, CFG_GROUP, e) || !cfg_need(n, "of", &of, e) ||
        !cfg_expect(of, CFG_ARRAY, e) || !cfg_need(n, "rows", &rows, e) ||
        !cfg_expect(rows, CFG_LIST, e) || !read_names(b, of, e))
        return false;
    if (cfg_len(rows) != b->size)
        return cfg_err(rows, e, "%d rows of correlations, for %d coefficients", cfg_len(rows),
                       b->size);
    for (int i = 0; i < b->size; i++)
        if (!read_row(b, cfg_at(rows, i), i, e))
            return false;
    return is_possible(b) ||
           cfg_err(rows, e,
                   "no such correlations: some sum of errors would have a variance below 0");
}

bool covariance_read(struct coefficients *c, const struct cfg_node *root, struct err *e)
{
    const struct cfg_node *all = cfg_get(root, "correlation");
    bool ok = !all || cfg_expect(all, CFG_LIST, e);
    for (int i = 0; ok && all && i < cfg_len(all); i++) {
        struct block b = {.c = c};
        ok = read_block(&b, cfg_at(all, i), e);
        free(b.at);
    }
    return ok;
}

bool covariance_scale(struct coefficients *c, const struct cfg_node *root, struct err *e)
{
    const struct param *a;
    for (int i = 0; (a = coefficient_row(c->model, i)); i++) {
        double *own = coefficients_covariance(c, i, i);
        if (*own > 0 && !(error_of(c, i) > 0))
            return cfg_err(cfg_get(root, "correlation"), e, "%s has no standard_error", a->name);
        *own = 1;
        for (int k = 0; coefficient_row(c->model, k); k++)
            *coefficients_covariance(c, i, k) *= error_of(c, i) * error_of(c, k);
    }
    return true;
}

static void write_row(const struct block *b, int i, FILE *out)
{
    char text[NUM_TEXT];
    for (int k = 0; k < b->size; k++) {
        const double both = error_of(b->c, b->at[i]) * error_of(b->c, b->at[k]);
        const double r = *entry(b, i < k ? i : k, i < k ? k : i) / both;
        fprintf(out, "%s%s", k ? ", " : "[ ",
                num_text(i == k ? 1 : fmax(-1, fmin(1, r)) + 0.0 /* no -0 */, text));
    }
    fputs(" ]", out);
}

static void write_block(const struct block *b, FILE *out)
{
    fputs("    { of = [ ", out);
    for (int i = 0; i < b->size; i++)
        fprintf(out, "%s\"%s\"", i ? ", " : "", coefficient_row(b->c->model, b->at[i])->name);
    fputs(" ];\n      rows = ( ", out);
    for (int i = 0; i < b->size; i++) {
        fputs(i ? ",\n               " : "", out);
        write_row(b, i, out);
    }
    fputs(" ); }", out);
}

static bool in_stage(const struct model_stage *s, const char *coeff)
{
    bool found = false;
    for (const char *const *name = s->coeff; *name; name++)
        found |= strcmp(*name, coeff) == 0;
    return found;
}

/* Those with an error of a stage's; NULL: of no stage's, which are fitted together behind them. */
static void add_coefficients(struct block *b, const struct model_stage *of)
{
    const struct model_ops *m = b->c->model;
    const struct param *r;
    for (int i = 0; (r = coefficient_row(m, i)); i++) {
        bool belongs = of ? in_stage(of, r->name) : true;
        for (const struct model_stage *s = m->stages; !of && s && s->name; s++)
            belongs &= !in_stage(s, r->name);
        if (belongs && error_of(b->c, i) > 0)
            b->at[b->size++] = i;
    }
}

void covariance_write(const struct coefficients *c, FILE *out)
{
    struct coefficients read = *c;
    int blocks = 0;
    bool last = false;
    for (const struct model_stage *s = c->model->stages; !last; s++) {
        int at[LS_COEFFS_MAX];
        struct block b = {.c = &read, .at = at};
        last = !s || !s->name;
        add_coefficients(&b, last ? NULL : s);
        if (b.size < 2)
            continue;
        fputs(blocks++ ? ",\n" : "correlation = (\n", out);
        write_block(&b, out);
    }
    if (blocks)
        fputs("\n);\n", out);
}
