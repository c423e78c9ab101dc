#include "figure/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

static bool read_columns(const struct cfg_node *shows, struct figure_spec *out, struct err *e)
{
    if (cfg_len(shows) > FIGURE_COLUMNS)
        return cfg_err(shows, e, "more than %d columns", FIGURE_COLUMNS);
    for (int i = 0; i < cfg_len(shows); i++) {
        struct figure_column *s = &out->shown[out->shows++];
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

static bool read_plot(const struct cfg_node *n, struct figure_spec *out, struct err *e)
{
    static const char *const names[] = {
        [FIGURE_BARS] = "bars", [FIGURE_STACK] = "stack", [FIGURE_LINES] = "lines"};
    const char *plot = "bars";
    if (!cfg_get_str(n, "plot", &plot, e))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(plot, names[i]) == 0) {
            out->plot = (enum figure_plot)i;
            return true;
        }
    return cfg_err(n, e, "plot is \"%s\": bars, stack or lines", plot);
}

bool figure_run_read(const struct figure_spec *s, int i, struct figure_run *out, struct err *e)
{
    const struct cfg_node *r = cfg_at(s->runs, i);
    *out = (struct figure_run){.setting = ""};
    if (!cfg_get_str(r, "setting", &out->setting, e) || !cfg_get_str(r, "args", &out->args, e) ||
        !cfg_get_str(r, "run", &out->run, e))
        return false;
    return !out->args != !out->run || cfg_err(r, e, "either args, of `compare`, or run, of `run`");
}

int figure_runs(const struct figure_spec *s)
{
    return s->runs ? cfg_len(s->runs) : 0;
}

static bool read_spec(const struct cfg_node *n, struct figure_spec *out, struct err *e)
{
    const struct cfg_node *name, *title;
    struct figure_run run;
    *out = (struct figure_spec){.note = "", .base = "", .size = "", .says = ""};
    if (!cfg_need(n, "name", &name, e) || !cfg_need(n, "title", &title, e) ||
        !cfg_str(name, &out->name, e) || !cfg_str(title, &out->title, e) ||
        !cfg_get_str(n, "note", &out->note, e) || !cfg_get_str(n, "base", &out->base, e) ||
        !cfg_get_str(n, "size", &out->size, e) || !cfg_get_str(n, "says", &out->says, e) ||
        !cfg_get_bool(n, "means", &out->means, e) ||
        !cfg_get_real(n, "minutes", 0, 1e6, &out->minutes, e) || !read_plot(n, out, e))
        return false;
    const struct cfg_node *shows = cfg_get(n, "shows");
    out->runs = cfg_get(n, "runs");
    out->plain = !out->runs;
    for (int i = 0; i < figure_runs(out); i++)
        if (!figure_run_read(out, i, &run, e))
            return false;
    return !shows || read_columns(shows, out, e);
}

/* labels = { COLUMN = "words"; }; names = ( ["combination", "words"] ). */
static bool check_words(const struct cfg_node *labels, const struct cfg_node *names, struct err *e)
{
    const char *text;
    for (int i = 0; labels && i < cfg_len(labels); i++)
        if (!cfg_str(cfg_at(labels, i), &text, e))
            return false;
    for (int i = 0; names && i < cfg_len(names); i++) {
        const struct cfg_node *n = cfg_at(names, i);
        if (cfg_len(n) != 2)
            return cfg_err(n, e, "a combination and its words");
        if (!cfg_str(cfg_at(n, 0), &text, e) || !cfg_str(cfg_at(n, 1), &text, e))
            return false;
    }
    return true;
}

const char *figure_label(const struct figure_spec *s, const char *column)
{
    struct err e;
    const char *text = column;
    const struct cfg_node *n = s->labels ? cfg_get(s->labels, column) : NULL;
    return n && cfg_str(n, &text, &e) ? text : column;
}

const char *figure_name(const struct figure_spec *s, const char *combination)
{
    struct err e;
    const char *key, *text;
    for (int i = 0; s->names && i < cfg_len(s->names); i++) {
        const struct cfg_node *n = cfg_at(s->names, i);
        if (cfg_str(cfg_at(n, 0), &key, &e) && strcmp(key, combination) == 0 &&
            cfg_str(cfg_at(n, 1), &text, &e))
            return text;
    }
    return combination;
}

bool figure_list_open(struct figure_list *l, const char *path, struct err *e)
{
    const struct cfg_node *list;
    *l = (struct figure_list){.file = cfg_open(path, e)};
    if (!l->file || !cfg_need(cfg_root(l->file), "tables", &list, e))
        return false;
    const struct cfg_node *labels = cfg_get(cfg_root(l->file), "labels");
    const struct cfg_node *names = cfg_get(cfg_root(l->file), "names");
    if (!check_words(labels, names, e))
        return false;
    l->one = xcalloc((size_t)cfg_len(list) + 1, sizeof *l->one);
    for (; l->count < cfg_len(list); l->count++) {
        if (!read_spec(cfg_at(list, l->count), &l->one[l->count], e))
            return false;
        l->one[l->count].labels = labels;
        l->one[l->count].names = names;
    }
    return cfg_all_read(cfg_root(l->file), e);
}

void figure_list_close(struct figure_list *l)
{
    cfg_close(l->file);
    free(l->one);
    *l = (struct figure_list){0};
}

const struct figure_spec *figure_find(const struct figure_list *l, const char *name, struct err *e)
{
    struct suggest near;
    char text[256];
    suggest_init(&near, name);
    for (int i = 0; i < l->count; i++) {
        if (strcmp(l->one[i].name, name) == 0)
            return &l->one[i];
        suggest_offer(&near, l->one[i].name);
    }
    err_set(e, "no figure \"%s\" (all: `mdpredict figure --list`)%s", name,
            suggest_text(&near, text, sizeof text));
    return NULL;
}
