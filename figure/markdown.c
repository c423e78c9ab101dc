#include "bench/schedulers_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MAX 512 /* different targets, settings, combinations of a table */

struct keys {
    const char *key[KEYS_MAX]; /* borrowed, in the order in which they appear */
    int n;
};

struct section {
    const struct result_table *of;
    const struct csv_table *csv, *paper;
    struct keys setting, target, by;
};

static bool read_shown(const struct cfg_node *shows, struct result_table *out, struct err *e)
{
    if (cfg_len(shows) > SHOWS_MAX)
        return cfg_err(shows, e, "more than %d columns", SHOWS_MAX);
    for (int i = 0; i < cfg_len(shows); i++) {
        struct shown *s = &out->shown[out->shows++];
        if (!cfg_str(cfg_at(shows, i), &s->name, e))
            return false;
        const size_t len = strcspn(s->name, "/");
        s->over_base = s->name[len] || strcmp(s->name, "normalised") == 0;
        snprintf(s->column, sizeof s->column, "%.*s", (int)len,
                 strcmp(s->name, "normalised") ? s->name : "ipc");
        if (s->name[len] && strcmp(s->name + len, "/base") != 0)
            return cfg_err(shows, e, "\"%s\": a column, or COLUMN/base", s->name);
    }
    return true;
}

bool result_table_read(const struct cfg_node *n, struct result_table *out, struct err *e)
{
    const struct cfg_node *name, *title;
    *out = (struct result_table){.note = "", .base = ""};
    if (!cfg_need(n, "name", &name, e) || !cfg_need(n, "title", &title, e) ||
        !cfg_str(name, &out->name, e) || !cfg_str(title, &out->title, e) ||
        !cfg_get_str(n, "note", &out->note, e) || !cfg_get_str(n, "base", &out->base, e) ||
        !cfg_get_bool(n, "means", &out->means, e))
        return false;
    const struct cfg_node *shows = cfg_get(n, "shows");
    out->runs = cfg_get(n, "runs");
    out->plain = !out->runs;
    return !shows || read_shown(shows, out, e);
}

/* ---- cells ---- */

static const char *text(const struct csv_table *t, int row, const char *column)
{
    const int at = csv_find(t, column);
    return at < 0 ? "" : csv_text(t, row, at);
}

static bool is(const struct csv_table *t, int row, const char *column, const char *value)
{
    return strcmp(text(t, row, column), value) == 0;
}

static void note_key(struct keys *k, const char *key)
{
    for (int i = 0; i < k->n; i++)
        if (strcmp(k->key[i], key) == 0)
            return;
    if (k->n < KEYS_MAX)
        k->key[k->n++] = key;
}

/* NAN: there is no such run. */
static double value_of(const struct section *s, const char *setting, const char *target,
                       const char *by, const char *column)
{
    double v;
    struct err e;
    for (int i = 0; i < csv_rows(s->csv); i++)
        if (is(s->csv, i, "setting", setting) && is(s->csv, i, "target", target) &&
            is(s->csv, i, "combination", by) && csv_find(s->csv, column) >= 0)
            return csv_number(s->csv, i, csv_find(s->csv, column), &v, &e) ? v : (double)NAN;
    return NAN;
}

static double shown_value(const struct section *s, const char *setting, const char *target,
                          const char *by, const struct shown *c)
{
    const double v = value_of(s, setting, target, by, c->column);
    return c->over_base ? v / value_of(s, setting, target, s->of->base, c->column) : v;
}

/* Over the targets of a setting that have one. */
static double mean(const struct section *s, const char *setting, const char *by,
                   const struct shown *c, bool geometric)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < s->target.n; i++) {
        const double v = shown_value(s, setting, s->target.key[i], by, c);
        if (!isfinite(v) || (geometric && v <= 0))
            continue;
        sum += geometric ? log(v) : v;
        n++;
    }
    return n == 0 ? (double)NAN : geometric ? exp(sum / n) : sum / n;
}

static void print_value(double v, bool whole)
{
    if (!isfinite(v))
        printf(" -");
    else if (whole || fabs(v) >= 1000)
        printf(" %.0f", v);
    else
        printf(" %.*f", fabs(v) >= 100 ? 1 : 3, v);
}

/* What the paper prints of it, behind ours. */
static void print_paper(const struct section *s, const char *setting, const char *target,
                        const char *by, const struct shown *c)
{
    for (int i = 0; i < csv_rows(s->paper); i++)
        if (is(s->paper, i, "table", s->of->name) && is(s->paper, i, "setting", setting) &&
            is(s->paper, i, "target", target) && is(s->paper, i, "combination", by) &&
            is(s->paper, i, "column", c->name))
            printf(" (paper: %s)", text(s->paper, i, "value"));
}

/* ---- a section ---- */

static void print_heading(const struct section *s)
{
    const bool settings = s->setting.n > 1;
    printf("|%s%s", settings ? " setting |" : "", s->of->means ? "" : " application |");
    for (int c = 0; c < s->of->shows; c++)
        for (int k = 0; k < s->by.n; k++)
            printf(" %s%s%s |", s->by.key[k], s->of->shows > 1 ? ": " : "",
                   s->of->shows > 1 ? s->of->shown[c].name : "");
    printf("\n|%s%s", settings ? " --- |" : "", s->of->means ? "" : " --- |");
    for (int c = 0; c < s->of->shows * s->by.n; c++)
        printf(" ---: |");
    puts("");
}

static void print_start(const struct section *s, const char *setting, const char *target)
{
    printf("|");
    if (s->setting.n > 1)
        printf(" %s |", setting);
    if (!s->of->means)
        printf(" %s |", target);
}

static void print_target(const struct section *s, const char *setting, const char *target)
{
    print_start(s, setting, target);
    for (int c = 0; c < s->of->shows; c++)
        for (int k = 0; k < s->by.n; k++) {
            print_value(shown_value(s, setting, target, s->by.key[k], &s->of->shown[c]),
                        strcmp(s->of->shown[c].name, "n") == 0);
            print_paper(s, setting, target, s->by.key[k], &s->of->shown[c]);
            printf(" |");
        }
    puts("");
}

static void print_mean(const struct section *s, const char *setting, bool geometric)
{
    const char *name = geometric ? "geometric mean" : "arithmetic mean";
    print_start(s, setting, name);
    for (int c = 0; c < s->of->shows; c++)
        for (int k = 0; k < s->by.n; k++) {
            const struct shown *show = &s->of->shown[c];
            if (!geometric || show->over_base)
                print_value(mean(s, setting, s->by.key[k], show, geometric), false);
            print_paper(s, setting, name, s->by.key[k], show);
            printf(" |");
        }
    puts("");
}

static bool has_ratio(const struct result_table *t)
{
    for (int i = 0; i < t->shows; i++)
        if (t->shown[i].over_base)
            return true;
    return false;
}

static void print_rows(const struct section *s)
{
    print_heading(s);
    for (int i = 0; i < s->setting.n; i++) {
        const char *setting = s->setting.key[i];
        for (int t = 0; t < s->target.n && !s->of->means; t++)
            if (isfinite(value_of(s, setting, s->target.key[t], s->by.key[0], "ipc")))
                print_target(s, setting, s->target.key[t]);
        if (has_ratio(s->of))
            print_mean(s, setting, true);
        if (!s->of->means || !has_ratio(s->of))
            print_mean(s, setting, false);
    }
}

static void print_plain(const struct csv_table *csv)
{
    for (int row = -2; row < csv_rows(csv); row++) {
        printf("|");
        for (int c = 0; c < csv_columns(csv); c++)
            printf(" %s |", row == -2   ? csv_column(csv, c)
                            : row == -1 ? "---"
                                        : csv_text(csv, row, c));
        puts("");
    }
}

/* What a paper says that belongs to no cell, and why ours differs. */
static void print_lines(const struct result_table *t, const struct csv_table *csv, const char *what)
{
    for (int i = 0; i < csv_rows(csv); i++)
        if (is(csv, i, "table", t->name) && (!*what || is(csv, i, "target", "")))
            printf("* %s%s%s%s%s\n", what, text(csv, i, *what ? "value" : "remark"),
                   *what ? " (" : "", text(csv, i, "where"), *what ? ")" : "");
}

static void gather(struct section *s)
{
    for (int i = 0; i < csv_rows(s->csv); i++) {
        note_key(&s->setting, text(s->csv, i, "setting"));
        note_key(&s->target, text(s->csv, i, "target"));
        note_key(&s->by, text(s->csv, i, "combination"));
    }
}

bool result_table_print(const struct result_table *t, const char *dir,
                        const struct csv_table *paper, const struct csv_table *remarks,
                        struct err *e)
{
    char *path = xasprintf("%s/%s.csv", dir, t->name);
    struct csv_table *csv = csv_load(path, e);
    free(path);
    if (!csv)
        return false;
    struct section s = {.of = t, .csv = csv, .paper = paper};
    printf("\n## %s\n\n[%s.csv](%s.csv).%s%s", t->title, t->name, t->name, *t->note ? " " : "",
           t->note);
    if (has_ratio(t))
        printf(" Divided by `%s`.", t->base);
    puts("\n");
    gather(&s);
    if (t->plain)
        print_plain(csv);
    else
        print_rows(&s);
    puts("");
    print_lines(t, paper, "The paper: ");
    print_lines(t, remarks, "");
    csv_table_free(csv);
    return true;
}
