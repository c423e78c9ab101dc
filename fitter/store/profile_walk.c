#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fitter/store/profile_db.h"
#include "model/model.h"

/* Places of columns: of a table's first ones, and of a run's that name its kernel. */
enum {
#define X(field, ctype, sql, help) COLUMN_##field,
    PROFILE_INPUT(X)
#undef X
        INPUT_COLUMNS
};
enum {
    COLUMN_n = INPUT_COLUMNS,
    COLUMN_perturbation,
#define X(field, ctype, sql) COLUMN_##field,
    PROFILE_KERNEL(X)
#undef X
        COLUMN_counters
};

static void read_text(sqlite3_stmt *s, int at, const char **out)
{
    const char *text = (const char *)sqlite3_column_text(s, at);
    *out = text ? text : ""; /* of a file that is damaged */
}

static void read_int(sqlite3_stmt *s, int at, int64_t *out)
{
    *out = sqlite3_column_int64(s, at);
}

#define READ(at, field) \
    _Generic((field), const char * : read_text, int64_t : read_int)(s, at, &(field));

/* Texts live until the statement moves on. */
static void read_input(sqlite3_stmt *s, struct profile_input *out)
{
#define X(field, ctype, sql, help) READ(COLUMN_##field, out->field)
    PROFILE_INPUT(X)
#undef X
}

static bool find_array(const char *name)
{
    const struct sample_array *a = sample_arrays;
    while (a->name && strcmp(a->name, name) != 0)
        a++;
    return a->name;
}

/* NULL, or the column that holds something else than what we write there. */
static const char *read_sample(sqlite3_stmt *s, int at, struct sample *out)
{
    const char *kernel = (const char *)sqlite3_column_text(s, at++);
    if (!kernel)
        return "kernel";
    snprintf(out->kernel, sizeof out->kernel, "%s", kernel);
    for (const struct sample_row *r = sample_rows; r->name; r++) {
        double v = sqlite3_column_double(s, at++);
        const bool degree = strcmp(r->name, "n_max") == 0; /* 0: none is known */
        if (!(v >= 0) || !isfinite(v) || (degree && v > MODEL_N_MAX))
            return r->name;
        memcpy((char *)out + r->off, &v, sizeof v);
    }
    for (const struct sample_array *a = sample_arrays; a->name; a++) {
        const char *text = (const char *)sqlite3_column_text(s, at++);
        if (!text || !sample_array_read(out, a, text))
            return a->name;
    }
    return NULL;
}

static const char *read_kernel(sqlite3_stmt *s, struct profile_kernel *out)
{
    int at = COLUMN_counters;
#define X(field, ctype, sql) READ(COLUMN_##field, out->field)
    PROFILE_KERNEL(X)
#undef X
    const char *bad = NULL;
#define X(name)                                          \
    {                                                    \
        const int64_t v = sqlite3_column_int64(s, at++); \
        out->stats.name = (uint64_t)v;                   \
        bad = v < 0 ? #name : bad;                       \
    }
    PROFILE_COUNTERS(X)
#undef X
    return bad;
}

/* Degrees are looked up by number, wherever a row came from; a kernel's own may be unknown, 0. */
static bool degrees_ok(const struct profile *p, const char *target, int64_t n,
                       const struct profile_kernel *k, struct err *e)
{
    const int64_t v[] = {n, k->n_max, k->kernel_n};
    static const char *const name[] = {"n", "n_max", "kernel_n"};
    for (int i = 0; i < 3; i++)
        if (v[i] < (i == 0) || v[i] > MODEL_N_MAX)
            return err_set(e, "%s: %s of %s is %lld; %d to %d is wanted", p->path, name[i], target,
                           (long long)v[i], i == 0, MODEL_N_MAX);
    return true;
}

static bool show_run(struct profile *p, sqlite3_stmt *s, const struct profile_visitor *v,
                     struct err *e)
{
    struct profile_kernel k = {0};
    struct profile_input in = {0};
    const struct profile_run run = {sqlite3_column_int(s, COLUMN_n),
                                    sqlite3_column_int(s, COLUMN_perturbation)};
    read_input(s, &in);
    if (abs(run.perturbation) > PROFILE_PERTURBATION)
        return err_set(e, "%s: perturbation %d of %s, n = %d: at most %d is possible", p->path,
                       run.perturbation, in.target, run.n, PROFILE_PERTURBATION);
    const char *bad = read_kernel(s, &k);
    if (!degrees_ok(p, in.target, sqlite3_column_int64(s, COLUMN_n), &k, e))
        return false;
    if (bad)
        return err_set(e, "%s: %s of %s, %s, n = %d: can't be negative", p->path, bad, in.target,
                       k.kernel, run.n);
    v->run(v->user, &in, run, &k);
    return true;
}

static bool walk_kernel(struct profile *p, sqlite3_stmt *run, sqlite3_stmt *of,
                        const struct profile_visitor *v, struct err *e)
{
    static const int key[] = {COLUMN_config,    COLUMN_target, COLUMN_seed,
                              COLUMN_numbering, COLUMN_warps,  INPUT_COLUMNS /* the kernel */};
    int rc;
    for (int i = 0; i < 6; i++)
        sqlite3_bind_value(run, i + 1, sqlite3_column_value(of, key[i]));
    bool ok = true;
    while (ok && (rc = sqlite3_step(run)) == SQLITE_ROW)
        ok = show_run(p, run, v, e);
    ok = ok && (rc == SQLITE_DONE || profile_err(p, e));
    sqlite3_reset(run);
    return ok;
}

/* A kernel's parts are numbered from 0 on: whoever is shown one has been shown those before it. */
static bool has_all_parts(struct profile *p, struct err *e)
{
    sqlite3_stmt *s = profile_prepare(
        p,
        "SELECT part, target, kernel FROM sample AS a WHERE part > 0 "
        "AND NOT EXISTS (SELECT 1 FROM sample AS b "
        "WHERE (" PROFILE_KEY_OF("b") ", b.kernel, b.part) "
                                      "= (" PROFILE_KEY_OF("a") ", a.kernel, a.part - 1))",
        e);
    const int rc = s ? sqlite3_step(s) : SQLITE_ERROR;
    if (rc == SQLITE_ROW)
        err_set(e, "%s: part %g of %s, %s is there, but not the one before it", p->path,
                sqlite3_column_double(s, 0), sqlite3_column_text(s, 1), sqlite3_column_text(s, 2));
    else if (s && rc != SQLITE_DONE)
        profile_err(p, e);
    sqlite3_finalize(s);
    return rc == SQLITE_DONE;
}

bool profile_walk(struct profile *p, const struct profile_visitor *v, struct err *e)
{
    sqlite3_stmt *samples = profile_prepare(p, profile_tables[PROFILE_SAMPLES].select_all, e);
    sqlite3_stmt *runs = !samples || !v->run
                             ? NULL
                             : profile_prepare(p,
                                               "SELECT * FROM run WHERE " PROFILE_SAME_INPUT
                                               " AND kernel = ?6 ORDER BY n, perturbation",
                                               e);
    bool ok = samples && (runs || !v->run) && has_all_parts(p, e);
    int rc = SQLITE_DONE;
    while (ok && (rc = sqlite3_step(samples)) == SQLITE_ROW) {
        struct sample s = {0};
        struct profile_input in = {0};
        read_input(samples, &in);
        const char *bad = read_sample(samples, INPUT_COLUMNS, &s);
        if (bad) {
            ok = err_set(e, "%s: %s of %s, %s: %s", p->path, bad, in.target, s.kernel,
                         find_array(bad) ? "not a list of numbers" : "not a number that can be");
            break;
        }
        v->sample(v->user, &in, &s);
        ok = !runs || s.part > 0 || walk_kernel(p, runs, samples, v, e);
    }
    ok = ok && (rc == SQLITE_DONE || profile_err(p, e));
    sqlite3_finalize(runs);
    sqlite3_finalize(samples);
    return ok;
}

/* Every row of a table. */
static bool walk_table(struct profile *p, enum profile_table t,
                       bool (*show)(struct profile *p, sqlite3_stmt *s,
                                    const struct profile_visitor *v, struct err *e),
                       const struct profile_visitor *v, struct err *e)
{
    sqlite3_stmt *s = profile_prepare(p, profile_tables[t].select_all, e);
    int rc = SQLITE_DONE;
    bool ok = s != NULL;
    while (ok && (rc = sqlite3_step(s)) == SQLITE_ROW)
        ok = show(p, s, v, e);
    ok = ok && (rc == SQLITE_DONE || profile_err(p, e));
    sqlite3_finalize(s);
    return ok;
}

bool profile_walk_runs(struct profile *p, const struct profile_visitor *v, struct err *e)
{
    return walk_table(p, PROFILE_RUNS, show_run, v, e);
}

static bool show_price(struct profile *p, sqlite3_stmt *s, const struct profile_visitor *v,
                       struct err *e)
{
    struct profile_input in = {0};
    struct profile_price price;
    const char *bad = NULL;
    int at = INPUT_COLUMNS;
    read_input(s, &in);
#define X(field, help)                                 \
    price.field = sqlite3_column_double(s, at++);      \
    if (!(price.field >= 0) || !isfinite(price.field)) \
        bad = #field;
    PROFILE_PRICE(X)
#undef X
    if (bad)
        return err_set(e, "%s: %s of %s: not a time", p->path, bad, in.target);
    v->price(v->user, &in, &price);
    return true;
}

bool profile_walk_prices(struct profile *p, const struct profile_visitor *v, struct err *e)
{
    return walk_table(p, PROFILE_PRICES, show_price, v, e);
}
