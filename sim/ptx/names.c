/* sim/ptx/names.c -- interned names, and messages that show the source line. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/ptx/module_int.h"

static uint32_t hash_bytes(const char *s, size_t len)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

static struct name *find(struct module *m, const char *s, size_t len, uint32_t hash)
{
    for (struct name *n = m->bucket[hash % NAME_BUCKETS]; n; n = n->chain)
        if (n->hash == hash && n->len == len && !memcmp(n->text, s, len))
            return n;
    return NULL;
}

struct name *name_find(struct module *m, const char *s, size_t len)
{
    return find(m, s, len, hash_bytes(s, len));
}

struct name *name_intern(struct module *m, const char *s, size_t len)
{
    const uint32_t hash = hash_bytes(s, len);
    struct name *n = find(m, s, len, hash);
    if (n)
        return n;
    n = arena_alloc(&m->arena, sizeof *n + len + 1);
    n->hash = hash;
    n->len = (uint32_t)len;
    memcpy(n->text, s, len);
    n->chain = m->bucket[hash % NAME_BUCKETS];
    m->bucket[hash % NAME_BUCKETS] = n;
    return n;
}

#define SHOWN_COLUMNS 160

/* The source line around column col, and a caret below it; tabs stay tabs in both. */
static void show_line(const struct module *m, struct loc at, char *out, size_t size)
{
    const char *p = m->text, *end = m->text + m->len;
    for (int line = 1; line < at.line; line++) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        if (!nl)
            break;
        p = nl + 1;
    }
    const char *nl = memchr(p, '\n', (size_t)(end - p));
    const size_t len = (size_t)((nl ? nl : end) - p);
    const size_t col = at.col > 0 ? (size_t)at.col - 1 : 0;
    const size_t first = col > SHOWN_COLUMNS * 3 / 4 ? col - SHOWN_COLUMNS / 2 : 0;
    size_t n = 0;
    for (size_t i = first; i < len && i < first + SHOWN_COLUMNS && n + 2 < size; i++)
        if (p[i] != '\r')
            out[n++] = p[i] == '\t' || (unsigned char)p[i] >= ' ' ? p[i] : '?';
    out[n++] = '\n';
    for (size_t i = first; i < col && n + 2 < size; i++)
        out[n++] = i < len && p[i] == '\t' ? '\t' : ' ';
    out[n++] = '^';
    out[n] = 0;
}

bool module_err(const struct module *m, struct loc at, struct err *e, const char *fmt, ...)
{
    char msg[400], shown[2 * SHOWN_COLUMNS + 8];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    show_line(m, at, shown, sizeof shown);
    return err_set(e, "%s:%d:%d: %s\n%s", m->name, at.line, at.col, msg, shown);
}
