#include "fitter/fit/coefficients.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cfg_file.h"
#include "base/num.h"
#include "fitter/fit/covariance.h"

/* Every model's coefficients are one group of real numbers, without a prefix. */
static const struct param_group *only_group(const struct model_ops *m)
{
    const struct param_group *g = m->groups;
    BUG_ON(*g->prefix || g[1].rows, "%s: coefficients in several groups", m->name);
    return g;
}

const struct param *coefficient_row(const struct model_ops *m, int i)
{
    const struct param_group *g = only_group(m);
    BUG_ON(i < g->nrows && g->rows[i].type != PARAM_REAL, "%s is no real number", g->rows[i].name);
    return i < g->nrows ? &g->rows[i] : NULL;
}

int coefficient_find(const struct model_ops *m, const char *name)
{
    const struct param *r;
    for (int i = 0; (r = coefficient_row(m, i)); i++)
        if (strcmp(r->name, name) == 0)
            return i;
    return -1;
}

double *coefficient_at(const struct model_ops *m, void *values, int i)
{
    void *at = (char *)values + only_group(m)->off + coefficient_row(m, i)->off;
    return at;
}

static int rows_of(const struct model_ops *m)
{
    return only_group(m)->nrows;
}

double *coefficients_covariance(const struct coefficients *c, int a, int b)
{
    return &c->covariance[a * rows_of(c->model) + b];
}

struct model_coeffs coefficients_model(const struct coefficients *c)
{
    return (struct model_coeffs){c->model, c->value, c->covariance};
}

void coefficients_init(struct coefficients *c, const struct model_ops *m)
{
    *c = (struct coefficients){
        .model = m, .value = xcalloc(1, m->coeff_size), .error = xcalloc(1, m->coeff_size)};
    c->covariance = xcalloc((size_t)rows_of(m) * (size_t)rows_of(m), sizeof *c->covariance);
    params_default(m->groups, c->value);
}

void coefficients_release(struct coefficients *c)
{
    free(c->value);
    free(c->error);
    free(c->covariance);
    *c = (struct coefficients){0};
}

/* Nothing in a file is made up: what it doesn't say is an error, all of it at once. */
static bool is_complete(const struct cfg_node *root, const struct model_ops *m, struct err *e)
{
    char *lacks = NULL;
    size_t len;
    FILE *names = open_memstream(&lacks, &len);
    const struct param *r;
    if (!cfg_get(root, "model"))
        fputs(", model", names);
    for (int i = 0; (r = coefficient_row(m, i)); i++)
        if (!cfg_get(root, r->name))
            fprintf(names, ", %s", r->name);
    fclose(names);
    const bool ok = len == 0;
    if (!ok)
        err_set(e, "%s: coefficients of the model %s are wanted; it lacks %s", cfg_path(root),
                m->name, lacks + 2);
    free(lacks);
    return ok;
}

/* If it says whose they are. */
static bool is_of_model(const struct cfg_node *root, const struct model_ops *m, struct err *e)
{
    const char *name = m->name;
    return cfg_get_str(root, "model", &name, e) &&
           (strcmp(name, m->name) == 0 ||
            cfg_err(cfg_get(root, "model"), e, "coefficients of the model %s, not of %s", name,
                    m->name));
}

/* The values, and errors behind them, in one struct. */
static bool load_values(struct coefficients *c, const struct cfg_node *root, struct err *e)
{
    const struct model_ops *m = c->model;
    const struct param_group *g = only_group(m);
    struct param *errors = xcalloc((size_t)g->nrows, sizeof *errors);
    for (int i = 0; i < g->nrows; i++) {
        errors[i] = g->rows[i];
        errors[i].lo = 0;
        errors[i].hi = INFINITY;
    }
    char *both = xcalloc(2, m->coeff_size);
    const struct param_group groups[] = {
        *g, {"standard_error", errors, g->nrows, g->off + m->coeff_size}, {NULL, NULL, 0, 0}};
    const bool ok = params_load_tree(groups, both, root, e);
    memcpy(c->value, both, m->coeff_size);
    memcpy(c->error, both + m->coeff_size, m->coeff_size);
    free(both);
    free(errors);
    return ok;
}

bool coefficients_load(struct coefficients *c, const struct model_ops *m, const char *path,
                       struct err *e)
{
    coefficients_init(c, m);
    struct cfg_file *f = cfg_open(path, e);
    const struct cfg_node *root = f ? cfg_root(f) : NULL;
    const bool ok = f && is_of_model(root, m, e) && covariance_read(c, root, e) &&
                    load_values(c, root, e) && is_complete(root, m, e) &&
                    covariance_scale(c, root, e);
    cfg_close(f);
    if (!ok)
        coefficients_release(c);
    return ok;
}

static void write_string(FILE *out, const char *key, const char *text)
{
    fprintf(out, "%s = \"", key);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputs("\";\n", out);
}

void coefficients_write(const struct coefficients *c, const char *source, const char *description,
                        FILE *out)
{
    char text[NUM_TEXT];
    const struct param *r;
    write_string(out, "model", c->model->name);
    write_string(out, "source", source);
    write_string(out, "description", description);
    for (int i = 0; (r = coefficient_row(c->model, i)); i++)
        fprintf(out, "%-16s = %s;  # %s: %s\n", r->name,
                num_text(*coefficient_at(c->model, c->value, i), text), r->unit, r->help);
    fputs("standard_error = {\n", out);
    for (int i = 0; (r = coefficient_row(c->model, i)); i++)
        if (*coefficient_at(c->model, c->error, i) > 0)
            fprintf(out, "    %-16s = %s;\n", r->name,
                    num_text(*coefficient_at(c->model, c->error, i), text));
    fputs("};\n", out);
    covariance_write(c, out);
}
