#include <string.h>

#include "fitter/profile_db.h"

/* Places of columns: of a table's first ones, and of a run's that name its kernel. */
enum {
#define X(field, ctype, sql, help) COLUMN_##field,
    PROFILE_INPUT(X)
#undef X
        INPUT_COLUMNS
};
enum {
    COLUMN_n = INPUT_COLUMNS,
#define X(field, ctype, sql) COLUMN_##field,
    PROFILE_KERNEL(X)
#undef X
        COLUMN_counters
};

static void read_text(sqlite3_stmt *s, int at, const char **out)
{
    *out = (const char *)sqlite3_column_text(s, at);
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

/* NULL, or the column that holds something else than what we write there. */
static const char *read_sample(sqlite3_stmt *s, int at, struct sample *out)
{
    snprintf(out->kernel, sizeof out->kernel, "%s", (const char *)sqlite3_column_text(s, at++));
    for (const struct sample_row *r = sample_rows; r->name; r++) {
        double v = sqlite3_column_double(s, at++);
        memcpy((char *)out + r->off, &v, sizeof v);
    }
    for (const struct sample_array *a = sample_arrays; a->name; a++)
        if (!sample_array_read(out, a, (const char *)sqlite3_column_text(s, at++)))
            return a->name;
    return NULL;
}

static void read_kernel(sqlite3_stmt *s, struct profile_kernel *out)
{
    int at = COLUMN_counters;
#define X(field, ctype, sql) READ(COLUMN_##field, out->field)
    PROFILE_KERNEL(X)
#undef X
    for (const struct stat_row *r = run_counter_rows; r->name; r++) {
        uint64_t v = (uint64_t)sqlite3_column_int64(s, at++);
        memcpy((char *)&out->stats + r->off, &v, sizeof v);
    }
}

static bool walk_kernel(struct profile *p, sqlite3_stmt *run, sqlite3_stmt *of,
                        const struct profile_visitor *v, struct err *e)
{
    static const int key[] = {COLUMN_config,    COLUMN_target, COLUMN_seed,
                              COLUMN_numbering, COLUMN_warps,  INPUT_COLUMNS /* the kernel */};
    int rc;
    for (int i = 0; i < 6; i++)
        sqlite3_bind_value(run, i + 1, sqlite3_column_value(of, key[i]));
    while ((rc = sqlite3_step(run)) == SQLITE_ROW) {
        struct profile_kernel k = {0};
        struct profile_input in = {0};
        read_input(run, &in);
        read_kernel(run, &k);
        v->run(v->user, &in, sqlite3_column_int(run, COLUMN_n), &k);
    }
    sqlite3_reset(run);
    return rc == SQLITE_DONE || profile_err(p, e);
}

bool profile_walk(struct profile *p, const struct profile_visitor *v, struct err *e)
{
    sqlite3_stmt *samples = profile_prepare(p, profile_tables[PROFILE_SAMPLES].select_all, e);
    sqlite3_stmt *runs = !samples || !v->run
                             ? NULL
                             : profile_prepare(p,
                                               "SELECT * FROM run WHERE " PROFILE_SAME_INPUT
                                               " AND kernel = ?6 ORDER BY n",
                                               e);
    bool ok = samples && (runs || !v->run);
    int rc = SQLITE_DONE;
    while (ok && (rc = sqlite3_step(samples)) == SQLITE_ROW) {
        struct sample s = {0};
        struct profile_input in = {0};
        read_input(samples, &in);
        const char *bad = read_sample(samples, INPUT_COLUMNS, &s);
        if (bad) {
            ok = err_set(e, "%s: %s of %s: not a list of numbers", p->path, bad, s.kernel);
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

bool profile_walk_runs(struct profile *p, const struct profile_visitor *v, struct err *e)
{
    sqlite3_stmt *s = profile_prepare(p, profile_tables[PROFILE_RUNS].select_all, e);
    int rc = SQLITE_DONE;
    while (s && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        struct profile_kernel k = {0};
        struct profile_input in = {0};
        read_input(s, &in);
        read_kernel(s, &k);
        v->run(v->user, &in, sqlite3_column_int(s, COLUMN_n), &k);
    }
    bool ok = s && (rc == SQLITE_DONE || profile_err(p, e));
    sqlite3_finalize(s);
    return ok;
}
