#include "cli/figure_make.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/csv_table.h"
#include "base/file.h"
#include "sim/frontend/workload.h"

#define WORDS 128 /* of a command line */

extern char **environ;

struct make {
    const struct options *o;
    const struct figure_spec *spec;
    struct csv out;
    char *part; /* the path of one command's table; owned */
};

struct words_of { /* a command line that grows */
    char *word[WORDS + 1];
    int n;
    char *text; /* owned: of the words that were split */
};

static void add(struct words_of *w, const char *word)
{
    if (w->n < WORDS)
        w->word[w->n++] = (char *)word; /* posix_spawn changes none */
}

/* Words with spaces between them. */
static void add_split(struct words_of *w, const char *text)
{
    w->text = xstrdup(text);
    for (char *word = strtok(w->text, " "); word; word = strtok(NULL, " "))
        add(w, word);
}

/* Runs this program with these arguments; its messages are shown, what it prints goes to a file by
 * its own -o. */
static bool run_self(struct words_of *w, struct err *e)
{
    char self[] = "/proc/self/exe";
    pid_t pid;
    int status = 0;
    const int failed = posix_spawn(&pid, self, NULL, NULL, w->word, environ);
    if (failed)
        return err_set(e, "%s: %s", self, strerror(failed));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           err_set(e, "`mdpredict %s` failed", w->word[1]);
}

static const char *const standard[] = {"n", "n_max", "cycles", "thread_insts", "ipc", NULL};

static bool is_standard(const char *column)
{
    for (const char *const *s = standard; *s; s++)
        if (strcmp(*s, column) == 0)
            return true;
    return false;
}

/* Column i is one that every row has, or that an earlier one shows. */
static bool is_there(const struct figure_spec *s, int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(s->shown[k].column, s->shown[i].column) == 0)
            return true;
    return is_standard(s->shown[i].column);
}

static void heading(struct make *m)
{
    csv_str(&m->out, "setting");
    csv_str(&m->out, "target");
    csv_str(&m->out, "combination");
    for (const char *const *s = standard; *s; s++)
        csv_str(&m->out, *s);
    for (int i = 0; i < m->spec->shows; i++)
        if (!is_there(m->spec, i))
            csv_str(&m->out, m->spec->shown[i].column);
    csv_end_row(&m->out);
}

static void field(struct make *m, const struct csv_table *t, int row, const char *column)
{
    const int at = csv_find(t, column);
    csv_str(&m->out, at < 0 ? NULL : csv_text(t, row, at));
}

/* target, combination: NULL: the row's own. */
static void take_row(struct make *m, const struct csv_table *t, int row, const char *setting,
                     const char *target, const char *combination)
{
    csv_str(&m->out, setting);
    if (target)
        csv_str(&m->out, target);
    else
        field(m, t, row, "target");
    if (combination)
        csv_str(&m->out, combination);
    else
        field(m, t, row, "combination");
    for (const char *const *s = standard; *s; s++)
        field(m, t, row, *s);
    for (int i = 0; i < m->spec->shows; i++)
        if (!is_there(m->spec, i))
            field(m, t, row, m->spec->shown[i].column);
    csv_end_row(&m->out);
}

static const char *size_of(const struct make *m)
{
    return *m->spec->size ? m->spec->size : m->o->size ? m->o->size : "medium";
}

/* Its program is a launch file, which has no size, and whose runs are not kept. */
static bool is_file(const struct figure_run *r)
{
    return strstr(r->args, ".cfg") != NULL;
}

static bool compare(struct make *m, const struct figure_run *r, struct err *e)
{
    char *jobs = xasprintf("%d", m->o->jobs);
    struct words_of w = {.n = 0};
    add(&w, "mdpredict");
    add(&w, "compare");
    add_split(&w, r->args);
    const char *const more[] = {"--csv", "--counters", "-j",       jobs,     "-o",
                                m->part, "--size",     size_of(m), "--runs", m->o->runs};
    const size_t count = sizeof more / sizeof *more - (is_file(r) ? 4 : 0);
    for (size_t i = 0; i < count; i++)
        add(&w, more[i]);
    bool ok = run_self(&w, e);
    struct csv_table *t = ok ? csv_load(m->part, e) : NULL;
    for (int i = 0; t && i < csv_rows(t); i++)
        if (!strstr(csv_text(t, i, csv_find(t, "target")), " mean"))
            take_row(m, t, i, r->setting, NULL, NULL);
    csv_table_free(t);
    free(w.text);
    free(jobs);
    return t;
}

/* One workload of a suite; the combination is the last word of the arguments. */
static bool run_one(struct make *m, const struct figure_run *r, const char *name, const char *args,
                    struct err *e)
{
    const char *last = strrchr(args, ' ');
    char *target = xasprintf("%s:%s", name, size_of(m));
    struct words_of w = {.n = 0};
    add(&w, "mdpredict");
    add(&w, "run");
    add(&w, target);
    add_split(&w, args);
    add(&w, "--csv");
    add(&w, "-o");
    add(&w, m->part);
    struct csv_table *t = run_self(&w, e) ? csv_load(m->part, e) : NULL;
    if (t)
        take_row(m, t, 0, r->setting, target, last ? last + 1 : "");
    csv_table_free(t);
    free(w.text);
    free(target);
    return t;
}

static bool run_suite(struct make *m, const struct figure_run *r, struct err *e)
{
    const size_t len = strcspn(r->run, " ");
    char *suite = xasprintf("%.*s", (int)len, r->run);
    bool ok = workload_suite_check(suite, e);
    for (int i = 0; ok && workloads[i]; i++)
        if (workload_in_suite(workloads[i], suite))
            ok = run_one(m, r, workloads[i]->name, r->run + len, e);
    free(suite);
    return ok;
}

/* Comparisons of one figure may have runs in common: a row stands once. */
static char *without_repeats(const char *text)
{
    char *out, *copy = xstrdup(text), *save = NULL;
    size_t len;
    FILE *to = open_memstream(&out, &len);
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const char *first = strstr(text, line);
        while (first > text && first[-1] != '\n')
            first = strstr(first + 1, line);
        if (first - text == line - copy)
            fprintf(to, "%s\n", line);
    }
    fclose(to);
    free(copy);
    return out;
}

static bool make_rows(struct make *m, struct err *e)
{
    heading(m);
    for (int i = 0; i < figure_runs(m->spec); i++) {
        struct figure_run r;
        if (!figure_run_read(m->spec, i, &r, e) ||
            !(r.args ? compare(m, &r, e) : run_suite(m, &r, e)))
            return false;
    }
    return true;
}

/* Launch files that scripts/schedulers.sh writes are there. */
static bool has_launch_files(const struct figure_spec *s)
{
    struct figure_run r;
    struct err e;
    for (int i = 0; i < figure_runs(s); i++) {
        const char *file =
            figure_run_read(s, i, &r, &e) && r.args ? strstr(r.args, "build/schedulers/") : NULL;
        if (!file)
            continue;
        char *path = xasprintf("%.*s", (int)strcspn(file, " "), file);
        const bool there = access(path, R_OK) == 0;
        free(path);
        if (!there)
            return false;
    }
    return true;
}

bool figure_make(const struct options *o, const struct figure_spec *s, const char *path,
                 struct err *e)
{
    struct make m = {.o = o, .spec = s};
    char *text;
    size_t len;
    if (s->plain || !has_launch_files(s))
        return err_set(e, "%s is made by `scripts/schedulers.sh %s` in the project's folder",
                       s->name, s->name);
    csv_start(&m.out, open_memstream(&text, &len));
    m.part = xasprintf("%s.part", path);
    bool ok = make_rows(&m, e);
    fclose(m.out.out);
    char *once = without_repeats(text);
    ok = ok && file_write(path, once, strlen(once), e);
    unlink(m.part);
    free(m.part);
    free(once);
    free(text);
    return ok;
}
