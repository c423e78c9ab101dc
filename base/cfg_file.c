#include "base/cfg_file.h"

#include "base/cfg_lex.h"
#include "base/file.h"
#include "base/suggest.h"

#include <inttypes.h>
#include <libconfig.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)256 << 20)

/* The parsed tree comes first: a setting knows its config_t, which is thus its cfg_file. A
 * setting's hook is set once it has been read. */
struct cfg_file {
    config_t tree;
    char *name;
    const char **asked; /* keys that the program knows, for suggestions: copies, owned */
    int nasked, asked_cap;
    struct cfg_includes includes; /* owned */
};

static char read_mark; /* only its address matters */

/* cfg_node is libconfig's setting by another name; read marks are the one thing written. */
static config_setting_t *setting(const struct cfg_node *n)
{
    return (config_setting_t *)n;
}

static const struct cfg_node *node(const config_setting_t *s)
{
    return (const struct cfg_node *)s;
}

static struct cfg_file *file_of(const struct cfg_node *n)
{
    return (struct cfg_file *)setting(n)->config;
}

static struct cfg_file *parse(const char *name, const char *text, size_t len, bool may_include,
                              struct err *e)
{
    struct cfg_file *f = xcalloc(1, sizeof *f);
    f->name = xstrdup(name);
    config_init(&f->tree);
    char *clean = cfg_lex(name, text, len, may_include ? &f->includes : NULL, e);
    if (!clean) {
        cfg_close(f);
        return NULL;
    }
    if (!config_read_string(&f->tree, clean)) {
        err_set(e, "%s:%d: %s", name, config_error_line(&f->tree), config_error_text(&f->tree));
        cfg_close(f);
        f = NULL;
    }
    free(clean);
    return f;
}

static struct cfg_file *open_file(const char *path, bool may_include, struct err *e)
{
    size_t len;
    char *text = file_read(path, FILE_MAX, &len, e);
    if (!text)
        return NULL;
    struct cfg_file *f = parse(path, text, len, may_include, e);
    free(text);
    return f;
}

struct cfg_file *cfg_open(const char *path, struct err *e)
{
    return open_file(path, false, e);
}

struct cfg_file *cfg_open_including(const char *path, struct err *e)
{
    return open_file(path, true, e);
}

char *cfg_included(const struct cfg_file *f, int i, int *line)
{
    if (i >= f->includes.n)
        return NULL;
    *line = f->includes.at[i].line;
    return file_beside(f->name, f->includes.at[i].path);
}

struct cfg_file *cfg_open_text(const char *name, const char *text, struct err *e)
{
    return parse(name, text, strlen(text), false, e);
}

void cfg_close(struct cfg_file *f)
{
    if (!f)
        return;
    config_destroy(&f->tree);
    cfg_includes_free(&f->includes);
    for (int i = 0; i < f->nasked; i++)
        free((char *)f->asked[i]);
    free(f->asked);
    free(f->name);
    free(f);
}

const struct cfg_node *cfg_root(const struct cfg_file *f)
{
    return node(config_root_setting(&f->tree));
}

enum cfg_kind cfg_kind(const struct cfg_node *n)
{
    switch (config_setting_type(setting(n))) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        return CFG_INT;
    case CONFIG_TYPE_FLOAT:
        return CFG_REAL;
    case CONFIG_TYPE_BOOL:
        return CFG_BOOL;
    case CONFIG_TYPE_STRING:
        return CFG_STR;
    case CONFIG_TYPE_ARRAY:
        return CFG_ARRAY;
    case CONFIG_TYPE_LIST:
        return CFG_LIST;
    default:
        return CFG_GROUP;
    }
}

const char *cfg_kind_name(enum cfg_kind k)
{
    static const char *const names[] = {
        [CFG_INT] = "an integer",  [CFG_REAL] = "a number",     [CFG_BOOL] = "true or false",
        [CFG_STR] = "a string",    [CFG_GROUP] = "a group { }", [CFG_ARRAY] = "an array [ ]",
        [CFG_LIST] = "a list ( )",
    };
    return names[k];
}

int cfg_line(const struct cfg_node *n)
{
    unsigned line = config_setting_source_line(setting(n));
    return line ? (int)line : 1;
}

const char *cfg_path(const struct cfg_node *n)
{
    return file_of(n)->name;
}

const char *cfg_name(const struct cfg_node *n)
{
    return config_setting_name(setting(n));
}

int cfg_len(const struct cfg_node *n)
{
    return config_setting_is_aggregate(setting(n)) ? config_setting_length(setting(n)) : 0;
}

static const struct cfg_node *mark(config_setting_t *s)
{
    if (s)
        config_setting_set_hook(s, &read_mark);
    return node(s);
}

const struct cfg_node *cfg_at(const struct cfg_node *n, int i)
{
    return mark(config_setting_get_elem(setting(n), (unsigned)i));
}

static void note_asked(struct cfg_file *f, const char *key)
{
    for (int i = 0; i < f->nasked; i++)
        if (!strcmp(f->asked[i], key))
            return;
    if (f->nasked == f->asked_cap) {
        f->asked_cap = f->asked_cap ? 2 * f->asked_cap : 32;
        f->asked = xrealloc(f->asked, (size_t)f->asked_cap * sizeof *f->asked);
    }
    f->asked[f->nasked++] = xstrdup(key);
}

const struct cfg_node *cfg_get(const struct cfg_node *n, const char *key)
{
    note_asked(file_of(n), key);
    if (!config_setting_is_group(setting(n)))
        return NULL;
    return mark(config_setting_get_member(setting(n), key));
}

bool cfg_need(const struct cfg_node *n, const char *key, const struct cfg_node **out, struct err *e)
{
    *out = cfg_get(n, key);
    return *out || cfg_err(n, e, "`%s` is missing", key);
}

bool cfg_err(const struct cfg_node *n, struct err *e, const char *fmt, ...)
{
    char msg[sizeof e->msg];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return err_set(e, "%s:%d: %s", cfg_path(n), cfg_line(n), msg);
}

/* "`size` " or, for an element, the name of what holds it: "element 3 of `grid` ". */
static const char *title(const struct cfg_node *n, char buf[96])
{
    config_setting_t *s = setting(n), *up = config_setting_parent(s);
    if (config_setting_name(s))
        snprintf(buf, 96, "`%.60s`", config_setting_name(s));
    else if (up && config_setting_name(up))
        snprintf(buf, 96, "element %d of `%.60s`", config_setting_index(s),
                 config_setting_name(up));
    else
        snprintf(buf, 96, "this");
    return buf;
}

bool cfg_expect(const struct cfg_node *n, enum cfg_kind k, struct err *e)
{
    enum cfg_kind found = cfg_kind(n);
    char t[96];
    return found == k || cfg_err(n, e, "%s is %s, must be %s", title(n, t), cfg_kind_name(found),
                                 cfg_kind_name(k));
}

bool cfg_int(const struct cfg_node *n, int64_t lo, int64_t hi, int64_t *out, struct err *e)
{
    if (!cfg_expect(n, CFG_INT, e))
        return false;
    int64_t v = config_setting_get_int64(setting(n));
    char t[96];
    if (v < 0 && config_setting_get_format(setting(n)) == CONFIG_FORMAT_HEX)
        return cfg_err(n, e, "%s = 0x%" PRIx64 ", allowed %" PRId64 "..%" PRId64, title(n, t),
                       (uint64_t)v, lo, hi);
    if (v < lo || v > hi)
        return cfg_err(n, e, "%s = %" PRId64 ", allowed %" PRId64 "..%" PRId64, title(n, t), v, lo,
                       hi);
    *out = v;
    return true;
}

bool cfg_u64(const struct cfg_node *n, uint64_t *out, struct err *e)
{
    if (!cfg_expect(n, CFG_INT, e))
        return false;
    int64_t v = config_setting_get_int64(setting(n));
    char t[96];
    if (v < 0 && config_setting_get_format(setting(n)) != CONFIG_FORMAT_HEX)
        return cfg_err(n, e, "%s = %" PRId64 ", must not be negative", title(n, t), v);
    *out = (uint64_t)v;
    return true;
}

bool cfg_real(const struct cfg_node *n, double lo, double hi, double *out, struct err *e)
{
    enum cfg_kind k = cfg_kind(n);
    if (k != CFG_INT && !cfg_expect(n, CFG_REAL, e))
        return false;
    double v = k == CFG_INT ? (double)config_setting_get_int64(setting(n))
                            : config_setting_get_float(setting(n));
    char t[96];
    if (!(v >= lo && v <= hi))
        return cfg_err(n, e, "%s = %g, allowed %g..%g", title(n, t), v, lo, hi);
    *out = v;
    return true;
}

bool cfg_bool(const struct cfg_node *n, bool *out, struct err *e)
{
    if (!cfg_expect(n, CFG_BOOL, e))
        return false;
    *out = config_setting_get_bool(setting(n));
    return true;
}

bool cfg_str(const struct cfg_node *n, const char **out, struct err *e)
{
    if (!cfg_expect(n, CFG_STR, e))
        return false;
    *out = config_setting_get_string(setting(n));
    return true;
}

bool cfg_get_int(const struct cfg_node *n, const char *key, int64_t lo, int64_t hi, int64_t *out,
                 struct err *e)
{
    const struct cfg_node *m = cfg_get(n, key);
    return !m || cfg_int(m, lo, hi, out, e);
}

bool cfg_get_real(const struct cfg_node *n, const char *key, double lo, double hi, double *out,
                  struct err *e)
{
    const struct cfg_node *m = cfg_get(n, key);
    return !m || cfg_real(m, lo, hi, out, e);
}

bool cfg_get_bool(const struct cfg_node *n, const char *key, bool *out, struct err *e)
{
    const struct cfg_node *m = cfg_get(n, key);
    return !m || cfg_bool(m, out, e);
}

bool cfg_get_str(const struct cfg_node *n, const char *key, const char **out, struct err *e)
{
    const struct cfg_node *m = cfg_get(n, key);
    return !m || cfg_str(m, out, e);
}

static bool unknown_key(const struct cfg_node *n, struct err *e)
{
    const struct cfg_file *f = file_of(n);
    struct suggest s;
    suggest_init(&s, cfg_name(n));
    for (int i = 0; i < f->nasked; i++)
        suggest_offer(&s, f->asked[i]);
    char hint[256];
    return cfg_err(n, e, "unknown setting `%s`%s", cfg_name(n),
                   suggest_text(&s, hint, sizeof hint));
}

/* Nesting is bounded by cfg_lex. An array holds plain values alone, so there is no key below it. */
bool cfg_all_read(const struct cfg_node *n, struct err *e)
{
    if (cfg_kind(n) != CFG_GROUP && cfg_kind(n) != CFG_LIST)
        return true;
    for (int i = 0; i < cfg_len(n); i++) {
        config_setting_t *s = config_setting_get_elem(setting(n), (unsigned)i);
        if (config_setting_name(s) && !config_setting_get_hook(s))
            return unknown_key(node(s), e);
        if (!cfg_all_read(node(s), e))
            return false;
    }
    return true;
}
