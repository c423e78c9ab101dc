#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/csv_table.h"
#include "base/num.h"
#include "fitter/store/profile_db.h"

static const char *const names[PROFILE_TABLES] = {"runs", "samples", "prices"};

bool profile_table_find(const char *name, enum profile_table *out, struct err *e)
{
    for (int i = 0; i < PROFILE_TABLES; i++)
        if (strcmp(names[i], name) == 0) {
            *out = (enum profile_table)i;
            return true;
        }
    return err_set(e, "no table \"%s\"; there are runs, samples, prices", name);
}

static void export_field(struct csv *c, sqlite3_stmt *s, int i)
{
    if (sqlite3_column_type(s, i) == SQLITE_INTEGER)
        csv_int(c, sqlite3_column_int64(s, i));
    else if (sqlite3_column_type(s, i) == SQLITE_FLOAT)
        csv_real(c, sqlite3_column_double(s, i));
    else
        csv_str(c, (const char *)sqlite3_column_text(s, i));
}

bool profile_export(struct profile *p, enum profile_table t, FILE *out, struct err *e)
{
    sqlite3_stmt *s = profile_prepare(p, profile_tables[t].select_all, e);
    if (!s)
        return false;
    struct csv c;
    csv_start(&c, out);
    int columns = sqlite3_column_count(s), rc;
    for (int i = 0; i < columns; i++)
        csv_str(&c, sqlite3_column_name(s, i));
    csv_end_row(&c);
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++)
            export_field(&c, s, i);
        csv_end_row(&c);
    }
    bool ok = rc == SQLITE_DONE || profile_err(p, e);
    sqlite3_finalize(s);
    return ok;
}

struct columns { /* of a table, in its order */
    int count;
    int *at;          /* owned: where each stands in the CSV file */
    const char **sql; /* owned: SQLite's name of each one's type */
};

static void columns_release(struct columns *c)
{
    free(c->at);
    free(c->sql);
    *c = (struct columns){0};
}

static bool is_column(sqlite3_stmt *all, const char *name)
{
    for (int i = 0; i < sqlite3_column_count(all); i++)
        if (strcmp(sqlite3_column_name(all, i), name) == 0)
            return true;
    return false;
}

/* all: a statement that selects the whole table. */
static bool find_columns(const struct csv_table *csv, sqlite3_stmt *all, struct columns *out,
                         struct err *e)
{
    out->count = sqlite3_column_count(all);
    out->at = xcalloc((size_t)out->count, sizeof *out->at);
    out->sql = xcalloc((size_t)out->count, sizeof *out->sql);
    for (int i = 0; i < out->count; i++) {
        out->sql[i] = sqlite3_column_decltype(all, i);
        if (!csv_need(csv, sqlite3_column_name(all, i), &out->at[i], e))
            return false;
    }
    for (int i = 0; i < csv_columns(csv); i++)
        if (!is_column(all, csv_column(csv, i)))
            return csv_err(csv, -1, e, "this version of mdpredict has no column \"%s\"",
                           csv_column(csv, i));
    return true;
}

/* As the column's type has it: SQLite's own reading of numbers is not exact in the last place. */
static bool bind_field(sqlite3_stmt *s, const struct csv_table *csv, int row,
                       const struct columns *c, int i, struct err *e)
{
    const char *text = csv_text(csv, row, c->at[i]);
    int64_t whole;
    double real;
    if (strcmp(c->sql[i], "TEXT") == 0)
        return sqlite3_bind_text(s, i + 1, text, -1, SQLITE_STATIC) == SQLITE_OK;
    if (strcmp(c->sql[i], "REAL") == 0)
        return csv_number(csv, row, c->at[i], &real, e) &&
               sqlite3_bind_double(s, i + 1, real) == SQLITE_OK;
    if (!num_int(text, &whole))
        return csv_err(csv, row, e, "%s: a whole number is wanted, not \"%s\"",
                       csv_column(csv, c->at[i]), text);
    return sqlite3_bind_int64(s, i + 1, whole) == SQLITE_OK;
}

static bool import_rows(struct profile *p, const struct csv_table *csv, const struct columns *c,
                        sqlite3_stmt *insert, struct err *e)
{
    bool ok = profile_exec(p, "BEGIN IMMEDIATE", e);
    if (!ok)
        return false;
    for (int row = 0; ok && row < csv_rows(csv); row++) {
        for (int i = 0; ok && i < c->count; i++)
            ok = bind_field(insert, csv, row, c, i, e);
        ok = ok && profile_check_row(csv, row, c->sql, c->at, c->count, e);
        ok = ok && profile_step(p, insert, e);
    }
    return profile_end(p, ok, e);
}

bool profile_import_table(struct profile *p, enum profile_table t, const struct csv_table *csv,
                          struct err *e)
{
    sqlite3_stmt *all = profile_prepare(p, profile_tables[t].select_all, e);
    sqlite3_stmt *insert = all ? profile_prepare_insert(p, profile_tables[t].name, e) : NULL;
    struct columns c = {0};
    bool ok = insert && find_columns(csv, all, &c, e) && import_rows(p, csv, &c, insert, e);
    columns_release(&c);
    sqlite3_finalize(insert);
    sqlite3_finalize(all);
    return ok;
}

bool profile_import(struct profile *p, enum profile_table t, const char *path, struct err *e)
{
    struct csv_table *csv = csv_load(path, e);
    bool ok = csv && profile_import_table(p, t, csv, e);
    csv_table_free(csv);
    return ok;
}

struct profile *profile_open_csv(const char *folder, struct err *e)
{
    struct profile *p = profile_open(NULL, true, e);
    bool ok = p != NULL;
    for (int i = 0; ok && i < PROFILE_TABLES; i++) {
        char *path = xasprintf("%s/%s.csv", folder, names[i]);
        if (i != PROFILE_PRICES || access(path, F_OK) == 0)
            ok = profile_import(p, (enum profile_table)i, path, e);
        free(path);
    }
    if (ok)
        return p;
    profile_close(p);
    return NULL;
}
