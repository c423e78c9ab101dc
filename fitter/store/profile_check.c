/* What a row of a profile can't say, whoever wrote the file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/num.h"
#include "fitter/store/profile_db.h"
#include "model/model.h"

/* Of every other number: not negative. */
static const struct rule {
    const char *column;
    double lo, hi;
    bool whole;
} rules[] = {
    {"seed", -INFINITY, INFINITY, true},
    {"n", 1, MODEL_N_MAX, true},
    {"perturbation", -PROFILE_PERTURBATION, PROFILE_PERTURBATION, true},
    {"launches", 1, INFINITY, true},
    {"kernel_n", 1, MODEL_N_MAX, true},
    {"n_max", 1, MODEL_N_MAX, true},
    {"cycles", 1, INFINITY, true},
    {"warp_insts", 1, INFINITY, false},
    {"thread_insts", 1, INFINITY, false},
    {"ctas", 1, INFINITY, true},
    {"cta_cycles_sum", 1, INFINITY, true},
    {"simulation_seconds", 1e-9, INFINITY, false},
    /* of a sample */
    {"cta_cycles", 1, INFINITY, false},
    {"window_insts", 1, INFINITY, false},
    {"part", 0, INFINITY, true},
    {"fewest_ctas", 0, MODEL_N_MAX, true},
    {"warps_per_cta", 1, INFINITY, true},
    {"grid_ctas", 1, INFINITY, false},
    {"total_ctas", 1, INFINITY, true},
    {"total_warp_insts", 1, INFINITY, false},
    {"total_thread_insts", 1, INFINITY, false},
    {"cores", 1, INFINITY, true},
    {"schedulers", 1, INFINITY, true},
};

static struct rule rule_of(const char *column)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].column, column) == 0)
            return rules[i];
    return (struct rule){column, 0, INFINITY, false};
}

static bool check_number(const struct csv_table *csv, int row, int column, struct err *e)
{
    const struct rule r = rule_of(csv_column(csv, column));
    double v;
    if (!csv_number(csv, row, column, &v, e))
        return false;
    if (v >= r.lo && v <= r.hi && (!r.whole || v == floor(v)))
        return true;
    const char *text = csv_text(csv, row, column), *kind = r.whole ? "a whole number" : "a number";
    if (isfinite(r.hi))
        return csv_err(csv, row, e, "%s is %s; %s from %g to %g is wanted", r.column, text, kind,
                       r.lo, r.hi);
    return csv_err(csv, row, e, "%s is %s; %s from %g on is wanted", r.column, text, kind, r.lo);
}

static const struct sample_array *find_list(const char *column)
{
    for (const struct sample_array *a = sample_arrays; a->name; a++)
        if (strcmp(a->name, column) == 0)
            return a;
    return NULL;
}

static bool check_text(const struct csv_table *csv, int row, int column, struct err *e)
{
    const char *name = csv_column(csv, column), *text = csv_text(csv, row, column);
    const struct sample_array *a = find_list(name);
    if (!a)
        return *text || strcmp(name, "revision") == 0 || csv_err(csv, row, e, "%s is empty", name);
    struct sample *s = xcalloc(1, sizeof *s);
    bool ok = sample_array_read(s, a, text) ||
              csv_err(csv, row, e, "%s: at most %d numbers are wanted, not \"%s\"", name,
                      SAMPLE_DEGREES, text);
    for (int i = 0; ok && i < SAMPLE_DEGREES; i++)
        ok = sample_values(s, a)[i] >= 0 ||
             csv_err(csv, row, e, "%s: %g can't be negative", name, sample_values(s, a)[i]);
    if (ok && !sample_bounds_ok(s))
        ok = csv_err(csv, row, e, "%s: a number from 0 to %d is wanted", name, BOUND_COUNT - 1);
    free(s);
    return ok;
}

/* A kernel runs with as many CTAs as are asked for and fit. */
static bool check_degrees(const struct csv_table *csv, int row, struct err *e)
{
    static const char *const names[] = {"n", "n_max", "kernel_n"};
    double v[3];
    for (int i = 0; i < 3; i++) {
        const int column = csv_find(csv, names[i]);
        if (column < 0 || !num_real(csv_text(csv, row, column), &v[i]))
            return true; /* of a sample */
    }
    return v[2] == fmin(v[0], v[1]) ||
           csv_err(csv, row, e, "kernel_n is %g; with n %g and n_max %g it is %g", v[2], v[0], v[1],
                   fmin(v[0], v[1]));
}

bool profile_check_row(const struct csv_table *csv, int row, const char *const *sql, const int *at,
                       int columns, struct err *e)
{
    for (int i = 0; i < columns; i++)
        if (!(strcmp(sql[i], "TEXT") == 0 ? check_text(csv, row, at[i], e)
                                          : check_number(csv, row, at[i], e)))
            return false;
    return check_degrees(csv, row, e);
}
