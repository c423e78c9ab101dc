#include "base/params.h"

#include "base/cfg_file.h"
#include "base/fnv.h"
#include "base/num.h"
#include "base/suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Top-level strings that say what a file is; no parameter reads them. */
static const char *const header_keys[] = {"name", "description", "source"};

static void *field(const struct param_group *g, const struct param *p, void *cfg)
{
    return (char *)cfg + g->off + p->off;
}

static const void *field_const(const struct param_group *g, const struct param *p, const void *cfg)
{
    return (const char *)cfg + g->off + p->off;
}

char *params_name(const struct param_group *g, const struct param *p, char buf[PARAM_NAME_LEN])
{
    snprintf(buf, PARAM_NAME_LEN, "%s%s%s", g->prefix, *g->prefix ? "." : "", p->name);
    return buf;
}

void params_default(const struct param_group *groups, void *cfg)
{
    for (const struct param_group *g = groups; g->rows; g++)
        for (int i = 0; i < g->nrows; i++) {
            const struct param *p = &g->rows[i];
            void *f = field(g, p, cfg);
            switch (p->type) {
            case PARAM_INT:
                *(int *)f = (int)p->def_num;
                break;
            case PARAM_REAL:
                *(double *)f = p->def_num;
                break;
            case PARAM_BOOL:
                *(bool *)f = p->def_num != 0;
                break;
            case PARAM_STR:
                BUG_ON(strlen(p->def_str) >= PARAM_STR_LEN, "default of %s is too long", p->name);
                strcpy(f, p->def_str);
                break;
            }
        }
}

static bool string_fits(const char *s)
{
    return strlen(s) < PARAM_STR_LEN;
}

/* params_set: one function a type reads the text after '='. */

static bool set_int(const struct param *p, void *f, const char *text)
{
    int64_t v;
    const bool is_size = strcmp(p->unit, "bytes") == 0; /* "16KB" */
    if (!(is_size ? num_bytes(text, &v) : num_int(text, &v)) || (double)v < p->lo ||
        (double)v > p->hi)
        return false;
    *(int *)f = (int)v;
    return true;
}

static bool set_real(const struct param *p, void *f, const char *text)
{
    double v;
    if (!num_real(text, &v) || v < p->lo || v > p->hi)
        return false;
    *(double *)f = v;
    return true;
}

static bool set_bool(void *f, const char *text)
{
    static const char *const yes[] = {"true", "yes", "on", "1"};
    static const char *const no[] = {"false", "no", "off", "0"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(text, yes[i]) || !strcmp(text, no[i])) {
            *(bool *)f = !strcmp(text, yes[i]);
            return true;
        }
    return false;
}

static bool set_value(const struct param *p, void *f, const char *text)
{
    switch (p->type) {
    case PARAM_INT:
        return set_int(p, f, text);
    case PARAM_REAL:
        return set_real(p, f, text);
    case PARAM_BOOL:
        return set_bool(f, text);
    case PARAM_STR:
        break;
    }
    if (!string_fits(text))
        return false;
    strcpy(f, text);
    return true;
}

/* What may stand there: "an integer in 1..64 (warps)". */
static const char *allowed(const struct param *p, char *buf, size_t size)
{
    const char *open = *p->unit ? " (" : "", *close = *p->unit ? ")" : "";
    if (p->type == PARAM_BOOL)
        snprintf(buf, size, "true or false");
    else if (p->type == PARAM_STR)
        snprintf(buf, size, "a string of at most %d characters", PARAM_STR_LEN - 1);
    else
        snprintf(buf, size, "%s in %.15g..%.15g%s%s%s",
                 p->type == PARAM_INT ? "an integer" : "a number", p->lo, p->hi, open, p->unit,
                 close);
    return buf;
}

bool params_set(const struct param_group *groups, void *cfg, const char *assignment, struct err *e)
{
    const char *eq = strchr(assignment, '=');
    if (!eq || eq == assignment)
        return err_set(e, "`%.200s` is not of the form NAME=VALUE", assignment);
    char *name = xasprintf("%.*s", (int)(eq - assignment), assignment);
    struct suggest s;
    suggest_init(&s, name);
    char path[PARAM_NAME_LEN], hint[512];
    /* suggestions are borrowed, so the names live until the end */
    char *offered[512];
    int noffered = 0;
    bool found = false, ok = true;
    for (const struct param_group *g = groups; g->rows && !found; g++)
        for (int i = 0; i < g->nrows && !found; i++) {
            found = !strcmp(params_name(g, &g->rows[i], path), name);
            if (found)
                ok = set_value(&g->rows[i], field(g, &g->rows[i], cfg), eq + 1) ||
                     err_set(e, "%s = %.200s, must be %s", name, eq + 1,
                             allowed(&g->rows[i], hint, sizeof hint));
            else if (noffered < 512)
                suggest_offer(&s, offered[noffered++] = xstrdup(path));
        }
    if (!found)
        ok = err_set(e, "unknown parameter `%.200s`%s", name, suggest_text(&s, hint, sizeof hint));
    while (noffered > 0)
        free(offered[--noffered]);
    free(name);
    return ok;
}

static bool load_value(const struct param *p, void *f, const struct cfg_node *n, struct err *e)
{
    int64_t i;
    const char *s;
    switch (p->type) {
    case PARAM_INT:
        if (!cfg_int(n, (int64_t)p->lo, (int64_t)p->hi, &i, e))
            return false;
        *(int *)f = (int)i;
        return true;
    case PARAM_REAL:
        return cfg_real(n, p->lo, p->hi, f, e);
    case PARAM_BOOL:
        return cfg_bool(n, f, e);
    case PARAM_STR:
        break;
    }
    char words[128];
    if (!cfg_str(n, &s, e))
        return false;
    if (!string_fits(s))
        return cfg_err(n, e, "`%s` must be %s", p->name, allowed(p, words, sizeof words));
    strcpy(f, s);
    return true;
}

/* The group that a dotted prefix names; *out NULL when the file does not have it. */
static bool find_group(const struct cfg_node *root, const char *prefix, const struct cfg_node **out,
                       struct err *e)
{
    *out = root;
    while (*prefix && *out) {
        size_t len = strcspn(prefix, ".");
        char *part = xasprintf("%.*s", (int)len, prefix);
        *out = cfg_get(*out, part);
        free(part);
        if (*out && !cfg_expect(*out, CFG_GROUP, e))
            return false;
        prefix += len + (prefix[len] == '.');
    }
    return true;
}

bool params_load_tree(const struct param_group *groups, void *cfg, const struct cfg_node *root,
                      struct err *e)
{
    for (size_t i = 0; i < sizeof header_keys / sizeof *header_keys; i++) {
        const char *ignored;
        if (!cfg_get_str(root, header_keys[i], &ignored, e))
            return false;
    }
    for (const struct param_group *g = groups; g->rows; g++) {
        const struct cfg_node *at, *n;
        if (!find_group(root, g->prefix, &at, e))
            return false;
        for (int i = 0; at && i < g->nrows; i++) {
            n = cfg_get(at, g->rows[i].name);
            if (n && !load_value(&g->rows[i], field(g, &g->rows[i], cfg), n, e))
                return false;
        }
    }
    return cfg_all_read(root, e);
}

static bool load_file(const struct param_group *groups, void *cfg, struct cfg_file *f,
                      struct err *e)
{
    bool ok = f && params_load_tree(groups, cfg, cfg_root(f), e);
    cfg_close(f);
    return ok;
}

#define INCLUDES_DEEP 16

/* What the file includes, then the file itself. */
static bool load_including(const struct param_group *groups, void *cfg, const char *path, int deep,
                           struct err *e)
{
    struct cfg_file *f = cfg_open_including(path, e);
    bool ok = f;
    int line = 0;
    char *other;
    for (int i = 0; ok && (other = cfg_included(f, i, &line)); i++) {
        if (deep == INCLUDES_DEEP)
            ok = err_set(e, "%s:%d: @include: more than %d files deep: does one include itself?",
                         path, line, INCLUDES_DEEP);
        else if (access(other, R_OK) != 0)
            ok = err_set(e, "%s:%d: @include \"%s\": %s", path, line, other, strerror(errno));
        else
            ok = load_including(groups, cfg, other, deep + 1, e);
        free(other);
    }
    if (ok)
        return load_file(groups, cfg, f, e);
    cfg_close(f);
    return false;
}

bool params_load(const struct param_group *groups, void *cfg, const char *path, struct err *e)
{
    return load_including(groups, cfg, path, 0, e);
}

bool params_load_text(const struct param_group *groups, void *cfg, const char *name,
                      const char *text, struct err *e)
{
    return load_file(groups, cfg, cfg_open_text(name, text, e), e);
}

/* The dump: groups that share the first part of their prefix share one { } block. */

struct dump {
    FILE *out;
    const struct param_group *groups;
    const void *cfg;
};

static void dump_string(FILE *out, const char *s)
{
    fputc('"', out);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\x%02x", c);
        else
            fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    fputc('"', out);
}

static void dump_row(FILE *out, const struct param *p, const void *f)
{
    char text[NUM_TEXT];
    fprintf(out, "%s = ", p->name);
    switch (p->type) {
    case PARAM_INT:
        fprintf(out, "%d", *(const int *)f);
        break;
    case PARAM_REAL:
        fputs(num_text(*(const double *)f, text), out);
        break;
    case PARAM_BOOL:
        fputs(*(const bool *)f ? "true" : "false", out);
        break;
    case PARAM_STR:
        dump_string(out, f);
        break;
    }
    fputs(";\n", out);
}

/* If prefix lies below parent ("l1d.mshr" below "l1d", all below ""), its next part; else NULL. */
static const char *below(const char *parent, const char *prefix, size_t *len)
{
    size_t skip = strlen(parent);
    if (strncmp(prefix, parent, skip) != 0)
        return NULL;
    if (skip && prefix[skip] != '.')
        return NULL;
    const char *part = prefix + skip + (skip > 0);
    *len = strcspn(part, ".");
    return *len ? part : NULL;
}

static bool seen_before(const struct dump *d, const char *parent, const struct param_group *g,
                        const char *part, size_t len)
{
    for (const struct param_group *h = d->groups; h < g; h++) {
        size_t hlen;
        const char *hpart = below(parent, h->prefix, &hlen);
        if (hpart && hlen == len && !strncmp(part, hpart, len))
            return true;
    }
    return false;
}

static void dump_level(const struct dump *d, const char *parent, int indent)
{
    for (const struct param_group *g = d->groups; g->rows; g++)
        for (int i = 0; !strcmp(g->prefix, parent) && i < g->nrows; i++) {
            fprintf(d->out, "%*s", indent, "");
            dump_row(d->out, &g->rows[i], field_const(g, &g->rows[i], d->cfg));
        }
    for (const struct param_group *g = d->groups; g->rows; g++) {
        size_t len;
        const char *part = below(parent, g->prefix, &len);
        if (!part || seen_before(d, parent, g, part, len))
            continue;
        fprintf(d->out, "%*s%.*s = {\n", indent, "", (int)len, part);
        char *child = xasprintf("%s%s%.*s", parent, *parent ? "." : "", (int)len, part);
        dump_level(d, child, indent + 4);
        free(child);
        fprintf(d->out, "%*s};\n", indent, "");
    }
}

char *params_dump(const struct param_group *groups, const void *cfg)
{
    char *text = NULL;
    size_t len;
    struct dump d = {open_memstream(&text, &len), groups, cfg};
    BUG_ON(!d.out, "no memory stream");
    dump_level(&d, "", 0);
    fclose(d.out);
    return text;
}

static bool is_default(const struct param *r, const void *field)
{
    switch (r->type) {
    case PARAM_INT:
        return *(const int *)field == (int)r->def_num;
    case PARAM_REAL:
        return *(const double *)field == r->def_num;
    case PARAM_BOOL:
        return *(const bool *)field == (r->def_num != 0);
    default:
        return strcmp(field, r->def_str) == 0;
    }
}

uint64_t params_hash(const struct param_group *groups, const void *cfg)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    BUG_ON(!out, "no memory stream");
    for (const struct param_group *g = groups; g->rows; g++)
        for (int i = 0; i < g->nrows; i++) {
            const void *field = field_const(g, &g->rows[i], cfg);
            if (is_default(&g->rows[i], field))
                continue;
            fprintf(out, "%s.", g->prefix);
            dump_row(out, &g->rows[i], field);
        }
    fclose(out);
    const uint64_t h = fnv(FNV_NONE, text, len);
    free(text);
    return h;
}
