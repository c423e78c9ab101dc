#include "cli/run_store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/csv_table.h"
#include "base/file.h"
#include "base/num.h"

#define MOST_BYTES ((size_t)1 << 30)

struct run_store {
    int fd; /* -1: in memory alone */
    char *path;
    struct entry {
        char *what; /* owned */
        struct stored_run run;
    } * entry; /* owned */
    int count;
};

static void keep(struct run_store *s, const char *what, const struct stored_run *run)
{
    s->entry = xgrow(s->entry, (size_t)s->count, sizeof *s->entry);
    s->entry[s->count++] = (struct entry){xstrdup(what), *run};
}

static uint64_t *counter(struct stored_run *run, const struct stat_row *r)
{
    return (uint64_t *)(void *)((char *)&run->stats + r->off);
}

static bool append(struct run_store *s, char *text, size_t len, struct err *e)
{
    const ssize_t done = write(s->fd, text, len); /* one call: rows of two processes don't mix */
    const bool ok = done == (ssize_t)len ||
                    err_set(e, "%s: %s", s->path, done < 0 ? strerror(errno) : "no space left");
    free(text);
    return ok;
}

static bool write_heading(struct run_store *s, struct err *e)
{
    char *text;
    size_t len;
    struct csv c;
    csv_start(&c, open_memstream(&text, &len));
    csv_str(&c, "what");
    csv_str(&c, "n");
    csv_str(&c, "n_max");
    for (const struct stat_row *r = run_counter_rows; r->name; r++)
        csv_str(&c, r->name);
    csv_end_row(&c);
    fclose(c.out);
    return append(s, text, len, e);
}

static bool read_whole(const struct csv_table *t, int row, const char *column, uint64_t most,
                       uint64_t *out, struct err *e)
{
    int at;
    int64_t v;
    if (!csv_need(t, column, &at, e))
        return false;
    if (!num_int(csv_text(t, row, at), &v) || v < 0 || (uint64_t)v > most)
        return csv_err(t, row, e, "%s is %s; a whole number is wanted", column,
                       csv_text(t, row, at));
    *out = (uint64_t)v;
    return true;
}

static bool read_row(struct run_store *s, const struct csv_table *t, int row, struct err *e)
{
    struct stored_run run = {0};
    uint64_t n, n_max;
    if (!read_whole(t, row, "n", INT32_MAX, &n, e) ||
        !read_whole(t, row, "n_max", INT32_MAX, &n_max, e))
        return false;
    for (const struct stat_row *r = run_counter_rows; r->name; r++)
        if (!read_whole(t, row, r->name, INT64_MAX, counter(&run, r), e))
            return false;
    run.n = (int)n;
    run.n_max = (int)n_max;
    keep(s, csv_text(t, row, csv_find(t, "what")), &run);
    return true;
}

/* The columns are those that we would write. */
static bool same_columns(const struct csv_table *t)
{
    int column = 3;
    for (const struct stat_row *r = run_counter_rows; r->name; r++, column++)
        if (column >= csv_columns(t) || strcmp(csv_column(t, column), r->name) != 0)
            return false;
    return column == csv_columns(t) && csv_find(t, "what") == 0;
}

static bool read_all(struct run_store *s, struct err *e)
{
    struct csv_table *t = csv_load(s->path, e);
    bool ok = t != NULL;
    if (ok && !same_columns(t))
        ok = err_set(e, "%s: no runs of this version of mdpredict: begin a new file", s->path);
    for (int i = 0; ok && i < csv_rows(t); i++)
        ok = read_row(s, t, i, e);
    csv_table_free(t);
    return ok;
}

/* A row that a full disk or a kill has cut short goes. */
static bool mend(struct run_store *s, bool *empty, struct err *e)
{
    size_t len;
    char *text = file_read(s->path, MOST_BYTES, &len, e);
    if (!text)
        return false;
    size_t whole = len;
    while (whole > 0 && text[whole - 1] != '\n')
        whole--;
    free(text);
    *empty = whole == 0;
    return whole == len || ftruncate(s->fd, (off_t)whole) == 0 ||
           err_set(e, "%s: %s", s->path, strerror(errno));
}

static bool open_file(struct run_store *s, struct err *e)
{
    bool empty;
    s->fd = open(s->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (s->fd < 0)
        return err_set(e, "%s: %s", s->path, strerror(errno));
    return mend(s, &empty, e) && (empty ? write_heading(s, e) : read_all(s, e));
}

struct run_store *run_store_open(const char *path, struct err *e)
{
    struct run_store *s = xcalloc(1, sizeof *s);
    s->fd = -1;
    if (!path)
        return s;
    s->path = xstrdup(path);
    if (open_file(s, e))
        return s;
    run_store_close(s);
    return NULL;
}

void run_store_close(struct run_store *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->count; i++)
        free(s->entry[i].what);
    if (s->fd >= 0)
        close(s->fd);
    free(s->entry);
    free(s->path);
    free(s);
}

bool run_store_find(const struct run_store *s, const char *what, int n, struct stored_run *out)
{
    *out = (struct stored_run){0};
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->entry[i].what, what) == 0 && s->entry[i].run.n_max > out->n_max)
            out->n_max = s->entry[i].run.n_max;
    const int wanted = n > 0 && n < out->n_max ? n : out->n_max;
    for (int i = 0; i < s->count; i++)
        if (s->entry[i].run.n == wanted && strcmp(s->entry[i].what, what) == 0) {
            *out = s->entry[i].run;
            return true;
        }
    return false;
}

bool run_store_add(struct run_store *s, const char *what, const struct stored_run *run,
                   struct err *e)
{
    char *text;
    size_t len;
    struct csv c;
    keep(s, what, run);
    if (s->fd < 0)
        return true;
    csv_start(&c, open_memstream(&text, &len));
    csv_str(&c, what);
    csv_int(&c, run->n);
    csv_int(&c, run->n_max);
    for (const struct stat_row *r = run_counter_rows; r->name; r++)
        csv_uint(&c, *counter(&s->entry[s->count - 1].run, r));
    csv_end_row(&c);
    fclose(c.out);
    return append(s, text, len, e);
}
