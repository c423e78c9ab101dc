/* merge.c -- the files are put together in memory, one after the other, then written at once. */
#include "fitter/store/merge.h"

#include <stdlib.h>
#include <string.h>

#include "fitter/store/profile_db.h"

#define INPUTS(schema)                                                      \
    "(SELECT gpu, l1d_bytes, config, revision FROM " schema ".run UNION "   \
    "SELECT gpu, l1d_bytes, config, revision FROM " schema ".sample UNION " \
    "SELECT gpu, l1d_bytes, config, revision FROM " schema ".price UNION "  \
    "SELECT gpu, l1d_bytes, config, revision FROM " schema ".result)"

/* A table, what names a row beside PROFILE_ROW_KEY, and how a message calls one. */
static const struct table {
    const char *name, *key, *title;
} tables[] = {
    {"run", ", n, perturbation, kernel", "' of n = ' || a.n || ', kernel ' || a.kernel"},
    {"sample", ", kernel, part", "', the sample of kernel ' || a.kernel"},
    {"price", "", "', its price'"},
    {"result", ", n, perturbation", "' of n = ' || a.n"},
};

struct merge {
    struct profile *p;      /* in memory; the other database is attached to it as "other" */
    const char *other;      /* its path */
    const char *first;      /* what is in memory, as messages name it */
    const char *into, *out; /* schemas: rows go from out to into */
};

/* Up to three texts of the one row that a query gives; false: it gives none. */
static bool one_row(const struct merge *m, const char *sql, const char *text[3], sqlite3_stmt **s,
                    struct err *e)
{
    *s = profile_prepare(m->p, sql, e);
    if (!*s)
        return false;
    const int rc = sqlite3_step(*s);
    for (int i = 0; rc == SQLITE_ROW && i < sqlite3_column_count(*s) && i < 3; i++)
        text[i] = (const char *)sqlite3_column_text(*s, i);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        profile_err(m->p, e);
    return rc == SQLITE_ROW;
}

/* A query that must give no row; one that it gives is handed to tell, which says what is wrong. */
static bool none(const struct merge *m, const char *sql,
                 void (*tell)(const struct merge *m, const char *text[3], struct err *e),
                 struct err *e)
{
    sqlite3_stmt *s;
    const char *text[3] = {0};
    e->msg[0] = 0;
    if (one_row(m, sql, text, &s, e))
        tell(m, text, e);
    sqlite3_finalize(s);
    return e->msg[0] == 0;
}

static void tell_revision(const struct merge *m, const char *text[3], struct err *e)
{
    err_set(e, "%s: made by revision %s of mdpredict, %s by %s: one sweep has one revision",
            m->other, text[0], m->first, text[1]);
}

/* A line of a configuration without what surrounds it; caller frees. */
static char *trimmed(const char *line)
{
    line += strspn(line, " ");
    return xasprintf("%.*s", (int)strcspn(line, ";\n"), line);
}

/* Follows the groups that a line opens and closes: "l1d." */
static void follow(char *group, size_t size, const char *line)
{
    const char *name = line + strspn(line, " ");
    const size_t n = strcspn(line, "\n"), used = strlen(group);
    if (n > 0 && line[n - 1] == '{') {
        snprintf(group + used, size - used, "%.*s.", (int)strcspn(name, " "), name);
    } else if (*name == '}') {
        group[used > 0 ? used - 1 : 0] = 0;
        char *dot = strrchr(group, '.');
        *(dot ? dot + 1 : group) = 0;
    }
}

/* "l1d.mshrs = 16, there mshrs = 32": the first parameter in which two configurations differ;
 * caller frees. */
static char *first_difference(const char *a, const char *b)
{
    char group[128] = "";
    for (size_t n; n = strcspn(a, "\n"), strncmp(a, b, n + 1) == 0 && a[n]; a += n + 1, b += n + 1)
        follow(group, sizeof group, a);
    char *here = trimmed(a), *there = trimmed(b);
    char *out = xasprintf("%s%s, there %s", group, here, there);
    free(here);
    free(there);
    return out;
}

/* text: the GPU's name, and both configurations, or NULL where one has no text. */
static void tell_config(const struct merge *m, const char *text[3], struct err *e)
{
    char *difference = text[1] && text[2] ? first_difference(text[1], text[2]) : NULL;
    err_set(e, "%s: %s is another configuration than in %s%s%s", m->other, text[0], m->first,
            difference ? ": " : "", difference ? difference : "");
    free(difference);
}

static void tell_row(const struct merge *m, const char *text[3], struct err *e)
{
    err_set(e, "%s: another result than in %s for %s", m->other, m->first, text[0]);
}

static bool same_revision(const struct merge *m, struct err *e)
{
    return none(m,
                "SELECT a.revision, b.revision FROM " INPUTS("other") " a, " INPUTS(
                    "main") " b WHERE a.revision <> b.revision LIMIT 1",
                tell_revision, e);
}

static bool same_configs(const struct merge *m, struct err *e)
{
    return none(m,
                "SELECT a.gpu, x.text, y.text FROM " INPUTS("other") " a JOIN " INPUTS(
                    "main") " b USING (gpu, l1d_bytes) LEFT JOIN other.config x ON x.hash = "
                            "a.config LEFT JOIN main.config y ON y.hash = b.config WHERE "
                            "a.config <> b.config LIMIT 1",
                tell_config, e) &&
           none(m,
                "SELECT a.hash, a.text, b.text FROM other.config a JOIN main.config b USING (hash) "
                "WHERE a.text <> b.text LIMIT 1",
                tell_config, e);
}

/* "prefix.x, prefix.y, ..." of the columns that are no seconds and no revision; caller frees. */
static char *columns(const struct merge *m, const char *table, const char *prefix, struct err *e)
{
    sqlite3_stmt *s = profile_prepare(
        m->p,
        "SELECT group_concat(?1 || '.' || name, ', ') FROM pragma_table_info(?2) WHERE "
        "name NOT LIKE '%seconds' AND name <> 'revision'",
        e);
    if (!s)
        return NULL;
    sqlite3_bind_text(s, 1, prefix, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, table, -1, SQLITE_STATIC);
    char *out =
        sqlite3_step(s) == SQLITE_ROW ? xstrdup((const char *)sqlite3_column_text(s, 0)) : NULL;
    if (!out)
        profile_err(m->p, e);
    sqlite3_finalize(s);
    return out;
}

static bool same_rows(const struct merge *m, const struct table *t, struct err *e)
{
    char *a = columns(m, t->name, "a", e), *b = a ? columns(m, t->name, "b", e) : NULL, *sql = NULL;
    if (b)
        sql = xasprintf("SELECT a.target || ' on ' || a.gpu || %s FROM other.%s a JOIN main.%s b "
                        "USING (" PROFILE_ROW_KEY "%s) WHERE (%s) IS NOT (%s) LIMIT 1",
                        t->title, t->name, t->name, t->key, a, b);
    const bool ok = sql && none(m, sql, tell_row, e);
    free(a);
    free(b);
    free(sql);
    return ok;
}

static bool copy(const struct merge *m, const char *table, struct err *e)
{
    char *sql =
        xasprintf("INSERT OR IGNORE INTO %s.%s SELECT * FROM %s.%s", m->into, table, m->out, table);
    const bool ok = profile_exec(m->p, sql, e);
    free(sql);
    return ok;
}

static bool checked_copy(const struct merge *m, struct err *e)
{
    bool ok = same_revision(m, e) && same_configs(m, e);
    for (size_t i = 0; ok && i < sizeof tables / sizeof *tables; i++)
        ok = same_rows(m, &tables[i], e);
    ok = ok && copy(m, "config", e);
    for (size_t i = 0; ok && i < sizeof tables / sizeof *tables; i++)
        ok = copy(m, tables[i].name, e);
    return ok;
}

static bool attach(const struct merge *m, struct err *e)
{
    sqlite3_stmt *s = profile_prepare(m->p, "ATTACH ?1 AS other", e);
    if (!s)
        return false;
    char *file = xasprintf("%s%s", m->other[0] == '/' ? "" : "./", m->other);
    sqlite3_bind_text(s, 1, file, -1, free);
    const bool ok = profile_step(m->p, s, e);
    sqlite3_finalize(s);
    return ok;
}

/* Rows of one into the other; the file is a profile database. */
static bool join(const struct merge *m, struct err *e)
{
    if (!attach(m, e))
        return false;
    bool ok = profile_exec(m->p, "BEGIN IMMEDIATE", e);
    if (ok) {
        ok = checked_copy(m, e);
        ok = profile_end(m->p, ok, e);
    }
    sqlite3_exec(m->p->db, "DETACH other", NULL, NULL, NULL);
    return ok;
}

static bool is_profile(const char *path, bool create, struct err *e)
{
    struct profile *p = profile_open(path, create, e);
    profile_close(p);
    return p;
}

bool profile_merge(char *const *from, int count, const char *into, struct err *e)
{
    struct merge m = {.p = profile_open(NULL, true, e), .into = "main", .out = "other"};
    bool ok = m.p;
    for (int i = 0; ok && i < count; i++) {
        m.other = from[i];
        m.first = i > 1 ? "the files before it" : from[0];
        ok = is_profile(from[i], false, e) && join(&m, e);
    }
    m.other = into;
    m.first = "the files to merge";
    m.into = "other";
    m.out = "main";
    ok = ok && is_profile(into, true, e) && join(&m, e);
    profile_close(m.p);
    return ok;
}
