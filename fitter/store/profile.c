#include "fitter/store/profile_db.h"

#include "base/out_path.h"

#include <stdlib.h>
#include <string.h>

#define APPLICATION_ID 0x6d647072 /* "mdpr": marks the file as ours */
#define WAIT_MS        60000      /* for another process that is writing */
#define NO_PROFILE     "%s: not a profile database"

#define INPUT_COLUMN(field, ctype, sql, help) #field " " #sql " NOT NULL, "
#define KERNEL_COLUMN(field, ctype, sql)      #field " " #sql " NOT NULL, "
#define COUNTER_COLUMN(name)                  #name " INTEGER NOT NULL, "
#define SAMPLE_COLUMN(name, unit, help)       #name " REAL NOT NULL, "
#define PRICE_COLUMN(name, help)              #name " REAL NOT NULL, "
#define ARRAY_COLUMN(name, unit, help)        #name " TEXT NOT NULL, "

static const char config_sql[] =
    "CREATE TABLE config (hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID";
static const char run_sql[] = "CREATE TABLE run (" PROFILE_INPUT(
    INPUT_COLUMN) "n INTEGER NOT NULL, perturbation INTEGER NOT "
                  "NULL, " PROFILE_KERNEL(KERNEL_COLUMN)
                      PROFILE_COUNTERS(COUNTER_COLUMN) "PRIMARY KEY "
                                                       "(" PROFILE_ROW_KEY ", n, perturbation, "
                                                       "kernel)) STRICT, "
                                                       "WITHOUT ROWID";
static const char sample_sql[] =
    "CREATE TABLE sample (" PROFILE_INPUT(INPUT_COLUMN) "kernel TEXT NOT NULL, " SAMPLE_FIELDS(
        SAMPLE_COLUMN) SAMPLE_RECORD(SAMPLE_COLUMN) SAMPLE_ARRAYS(ARRAY_COLUMN)
        SAMPLE_RECORD_ARRAYS(ARRAY_COLUMN) "PRIMARY KEY (" PROFILE_ROW_KEY
                                           ", kernel, part)) STRICT, WITHOUT ROWID";
static const char price_sql[] = "CREATE TABLE price (" PROFILE_INPUT(INPUT_COLUMN)
    PROFILE_PRICE(PRICE_COLUMN) "PRIMARY KEY (" PROFILE_ROW_KEY ")) STRICT, WITHOUT ROWID";

static const char result_sql[] = "CREATE TABLE result (" PROFILE_INPUT(
    INPUT_COLUMN) "n INTEGER NOT NULL, perturbation INTEGER NOT NULL, counted TEXT NOT NULL, "
                  "seconds TEXT NOT NULL, PRIMARY KEY (" PROFILE_ROW_KEY
                  ", n, perturbation)) STRICT, WITHOUT ROWID";

static const struct {
    const char *name, *sql;
} tables[] = {{"config", config_sql},
              {"run", run_sql},
              {"sample", sample_sql},
              {"price", price_sql},
              {"result", result_sql}};
#define NTABLES (sizeof tables / sizeof *tables)

bool profile_err(const struct profile *p, struct err *e)
{
    if (sqlite3_errcode(p->db) == SQLITE_NOTADB)
        return err_set(e, NO_PROFILE, p->path);
    return err_set(e, "%s: %s", p->path, sqlite3_errmsg(p->db));
}

bool profile_exec(struct profile *p, const char *sql, struct err *e)
{
    return sqlite3_exec(p->db, sql, NULL, NULL, NULL) == SQLITE_OK || profile_err(p, e);
}

sqlite3_stmt *profile_prepare(struct profile *p, const char *sql, struct err *e)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(p->db, sql, -1, &s, NULL) != SQLITE_OK)
        profile_err(p, e);
    return s;
}

bool profile_one_value(struct profile *p, sqlite3_stmt *s, int64_t *out, bool *found, struct err *e)
{
    if (!s)
        return false;
    int rc = sqlite3_step(s);
    if (rc == SQLITE_ROW)
        *out = sqlite3_column_int64(s, 0);
    if (found)
        *found = rc == SQLITE_ROW;
    bool ok = rc == SQLITE_ROW || rc == SQLITE_DONE || profile_err(p, e);
    sqlite3_finalize(s);
    return ok;
}

static bool pragma(struct profile *p, const char *name, int64_t *out, struct err *e)
{
    char *sql = xasprintf("PRAGMA %s", name);
    bool ok = profile_one_value(p, profile_prepare(p, sql, e), out, NULL, e);
    free(sql);
    return ok;
}

static bool count_tables(struct profile *p, int64_t *out, struct err *e)
{
    return profile_one_value(p, profile_prepare(p, "SELECT count(*) FROM sqlite_schema", e), out,
                             NULL, e);
}

/* Of a file that was empty a moment ago: another process may have been faster. */
static bool make_tables(struct profile *p, struct err *e)
{
    int64_t there = 0;
    char *sql = xasprintf(
        "PRAGMA application_id = %d; PRAGMA user_version = %d; %s; %s; %s; %s; %s", APPLICATION_ID,
        PROFILE_SCHEMA, config_sql, run_sql, sample_sql, price_sql, result_sql);
    bool ok = profile_exec(p, "BEGIN IMMEDIATE", e);
    if (ok) {
        ok = count_tables(p, &there, e) && (there > 0 || profile_exec(p, sql, e));
        ok = profile_end(p, ok, e);
    }
    free(sql);
    return ok;
}

/* The tables are those that we would make: no counter was added or renamed since. */
static bool same_tables(struct profile *p, struct err *e)
{
    for (size_t i = 0; i < NTABLES; i++) {
        sqlite3_stmt *s = profile_prepare(p, "SELECT sql FROM sqlite_schema WHERE name = ?1", e);
        if (!s)
            return false;
        sqlite3_bind_text(s, 1, tables[i].name, -1, SQLITE_STATIC);
        bool same = sqlite3_step(s) == SQLITE_ROW &&
                    strcmp((const char *)sqlite3_column_text(s, 0), tables[i].sql) == 0;
        sqlite3_finalize(s);
        if (!same)
            return err_set(e,
                           "%s: the columns of table %s are those of another version of mdpredict; "
                           "export with that version, or begin a new file",
                           p->path, tables[i].name);
    }
    return true;
}

static bool check_file(struct profile *p, bool create, struct err *e)
{
    int64_t id = 0, schema = 0, there = 0;
    if (!count_tables(p, &there, e) || (create && there == 0 && !make_tables(p, e)) ||
        !pragma(p, "application_id", &id, e) || !pragma(p, "user_version", &schema, e))
        return false;
    if (id != APPLICATION_ID)
        return err_set(e, NO_PROFILE, p->path);
    if (schema != PROFILE_SCHEMA)
        return err_set(e, "%s: schema %lld; this version of mdpredict reads schema %d", p->path,
                       (long long)schema, PROFILE_SCHEMA);
    return same_tables(p, e);
}

struct profile *profile_open(const char *path, bool create, struct err *e)
{
    struct profile *p = xcalloc(1, sizeof *p);
    p->path = xstrdup(path ? path : "a profile in memory");
    /* SQLite has meanings of its own for names such as ":memory:"; here a name is a file's. */
    char *file = path ? xasprintf("%s%s", path[0] == '/' ? "" : "./", path) : xstrdup(":memory:");
    int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    bool ok = sqlite3_open_v2(file, &p->db, flags, NULL) == SQLITE_OK || profile_err(p, e);
    if (path)
        out_path_spare(file);
    free(file);
    if (ok)
        sqlite3_busy_timeout(p->db, WAIT_MS);
    if (!ok || !check_file(p, create, e)) {
        profile_close(p);
        return NULL;
    }
    return p;
}

void profile_close(struct profile *p)
{
    if (!p)
        return;
    sqlite3_close(p->db);
    free(p->path);
    free(p);
}

void profile_bind_key(sqlite3_stmt *s, const struct profile_input *in)
{
    sqlite3_bind_text(s, 1, in->config, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, in->target, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 3, in->seed);
    sqlite3_bind_text(s, 4, in->numbering, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 5, in->warps);
}

bool profile_has(struct profile *p, const struct profile_input *in, struct profile_run run,
                 bool *out, struct err *e)
{
    sqlite3_stmt *s = profile_prepare(p,
                                      run.n ? "SELECT 1 FROM run WHERE " PROFILE_SAME_INPUT
                                              " AND n = ?6 AND perturbation = ?7"
                                            : "SELECT 1 FROM sample WHERE " PROFILE_SAME_INPUT,
                                      e);
    if (s) {
        profile_bind_key(s, in);
        if (run.n) {
            sqlite3_bind_int(s, 6, run.n);
            sqlite3_bind_int(s, 7, run.perturbation);
        }
    }
    int64_t one;
    return profile_one_value(p, s, &one, out, e);
}

bool profile_limits(struct profile *p, const struct profile_input *in, int *n_max,
                    double *warp_insts, struct err *e)
{
    sqlite3_stmt *s = profile_prepare(
        p, "SELECT max(n_max), sum(total_warp_insts) FROM sample WHERE " PROFILE_SAME_INPUT, e);
    if (!s)
        return false;
    profile_bind_key(s, in);
    bool ok = sqlite3_step(s) == SQLITE_ROW || profile_err(p, e);
    *n_max = sqlite3_column_int(s, 0);
    *warp_insts = sqlite3_column_double(s, 1);
    sqlite3_finalize(s);
    return ok;
}

static void bind_next(sqlite3_stmt *s, int *at, const char *text)
{
    sqlite3_bind_text(s, ++*at, text, -1, SQLITE_STATIC);
}

static void bind_next_int(sqlite3_stmt *s, int *at, int64_t v)
{
    sqlite3_bind_int64(s, ++*at, v);
}

#define BIND(field) \
    _Generic((field), const char * : bind_next, int64_t : bind_next_int)(s, &at, (field));

int profile_bind_input(sqlite3_stmt *s, const struct profile_input *in)
{
    int at = 0;
#define X(field, ctype, sql, help) BIND(in->field)
    PROFILE_INPUT(X)
#undef X
    return at;
}

/* Rows of one table, all of one input. bind gives row i's values in the order of the columns. */
struct rows {
    const char *table;
    const struct profile_input *in;
    struct profile_run run; /* of runs */
    int count;
    const struct profile_kernel *kernel; /* [count] of runs */
    const struct sample *sample;         /* [count] of samples */
    void (*bind)(sqlite3_stmt *s, const struct rows *r, int i);
};

static void bind_run(sqlite3_stmt *s, const struct rows *r, int i)
{
    const struct profile_kernel *k = &r->kernel[i];
    int at = profile_bind_input(s, r->in);
    bind_next_int(s, &at, r->run.n);
    bind_next_int(s, &at, r->run.perturbation);
#define X(field, ctype, sql) BIND(k->field)
    PROFILE_KERNEL(X)
#undef X
#define X(name) bind_next_int(s, &at, (int64_t)k->stats.name);
    PROFILE_COUNTERS(X)
#undef X
}

static void bind_sample(sqlite3_stmt *s, const struct rows *r, int i)
{
    const struct sample *k = &r->sample[i];
    int at = profile_bind_input(s, r->in);
    bind_next(s, &at, k->kernel);
    for (const struct sample_row *c = sample_rows; c->name; c++)
        sqlite3_bind_double(s, ++at, sample_value(k, c));
    for (const struct sample_array *c = sample_arrays; c->name; c++)
        sqlite3_bind_text(s, ++at, sample_array_text(k, c), -1, free);
}

bool profile_step(struct profile *p, sqlite3_stmt *s, struct err *e)
{
    bool ok = sqlite3_step(s) == SQLITE_DONE || profile_err(p, e);
    sqlite3_reset(s);
    return ok;
}

sqlite3_stmt *profile_prepare_insert(struct profile *p, const char *table, struct err *e)
{
    int64_t columns = 0;
    sqlite3_stmt *s = profile_prepare(p, "SELECT count(*) FROM pragma_table_info(?1)", e);
    if (s)
        sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
    if (!profile_one_value(p, s, &columns, NULL, e))
        return NULL;
    char *marks = xcalloc((size_t)columns + 1, 2);
    for (int64_t i = 0; i < columns; i++)
        memcpy(marks + 2 * i, i ? ",?" : " ?", 2);
    char *sql = xasprintf("INSERT OR REPLACE INTO %s VALUES (%s)", table, marks);
    s = profile_prepare(p, sql, e);
    free(sql);
    free(marks);
    return s;
}

bool profile_end(struct profile *p, bool ok, struct err *e)
{
    if (ok && profile_exec(p, "COMMIT", e))
        return true;
    sqlite3_exec(p->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

bool profile_add_config(struct profile *p, const char *hash, const char *text, struct err *e)
{
    sqlite3_stmt *s = profile_prepare(p, "INSERT OR IGNORE INTO config VALUES (?1, ?2)", e);
    if (!s)
        return false;
    sqlite3_bind_text(s, 1, hash, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, text, -1, SQLITE_STATIC);
    bool ok = profile_step(p, s, e);
    sqlite3_finalize(s);
    return ok;
}

/* All of the rows or, after an error, none. */
static bool add_rows(struct profile *p, const struct rows *r, struct err *e)
{
    sqlite3_stmt *s = profile_prepare_insert(p, r->table, e);
    bool ok = s && profile_exec(p, "BEGIN IMMEDIATE", e);
    if (ok) {
        for (int i = 0; ok && i < r->count; i++) {
            r->bind(s, r, i);
            ok = profile_step(p, s, e);
        }
        ok = profile_end(p, ok, e);
    }
    sqlite3_finalize(s);
    return ok;
}

bool profile_add_run(struct profile *p, const struct profile_input *in, struct profile_run run,
                     const struct profile_kernel *kernel, int kernels, struct err *e)
{
    return add_rows(p, &(struct rows){"run", in, run, kernels, .kernel = kernel, .bind = bind_run},
                    e);
}

bool profile_add_sample(struct profile *p, const struct profile_input *in,
                        const struct sample *kernel, int kernels, struct err *e)
{
    return add_rows(
        p, &(struct rows){"sample", in, .count = kernels, .sample = kernel, .bind = bind_sample},
        e);
}

const struct profile_table_sql profile_tables[] = {
    [PROFILE_RUNS] = {"run", "SELECT * FROM run ORDER BY gpu, l1d_bytes, " PROFILE_ROW_KEY
                             ", n, perturbation, kernel"},
    [PROFILE_SAMPLES] = {"sample", "SELECT * FROM sample ORDER BY gpu, l1d_bytes, " PROFILE_ROW_KEY
                                   ", kernel, part"},
    [PROFILE_PRICES] = {"price", "SELECT * FROM price ORDER BY gpu, l1d_bytes, " PROFILE_ROW_KEY},
};
