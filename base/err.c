#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool err_set(struct err *e, const char *fmt, ...)
{
    if (e) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(e->msg, sizeof e->msg, fmt, ap);
        va_end(ap);
    }
    return false;
}

bool err_prefix(struct err *e, const char *fmt, ...)
{
    if (e) {
        char old[sizeof e->msg];
        memcpy(old, e->msg, sizeof old);
        va_list ap;
        va_start(ap, fmt);
        int n = vsnprintf(e->msg, sizeof e->msg, fmt, ap);
        va_end(ap);
        size_t at = n < 0 ? 0 : (size_t)n;
        for (const char *c = ": "; *c && at + 1 < sizeof e->msg; c++)
            e->msg[at++] = *c;
        for (const char *c = old; *c && at + 1 < sizeof e->msg; c++)
            e->msg[at++] = *c;
        e->msg[at < sizeof e->msg ? at : sizeof e->msg - 1] = '\0';
    }
    return false;
}

void bug_at(const char *file, int line, const char *cond, const char *fmt, ...)
{
    fprintf(stderr, "mdpredict: bug at %s:%d (%s): ", file, line, cond);
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    abort();
}

static void *checked(void *p)
{
    if (!p) {
        fputs("mdpredict: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

void *xmalloc(size_t bytes)
{
    return checked(malloc(bytes ? bytes : 1));
}

void *xcalloc(size_t n, size_t size)
{
    return checked(calloc(n ? n : 1, size ? size : 1));
}

void *xrealloc(void *p, size_t bytes)
{
    return checked(realloc(p, bytes ? bytes : 1));
}

void *xgrow(void *p, size_t count, size_t size)
{
    const bool full = (count & (count - 1)) == 0; /* room is 1, 2, 4, ... */
    return full ? xrealloc(p, (count ? 2 * count : 1) * size) : p;
}

void *xaligned(size_t align, size_t bytes)
{
    return checked(aligned_alloc(align, (bytes + align - 1) / align * align));
}

char *xstrdup(const char *s)
{
    return checked(strdup(s));
}

char *xvasprintf(const char *fmt, va_list ap)
{
    char *s = NULL;
    if (vasprintf(&s, fmt, ap) < 0)
        s = NULL;
    return checked(s);
}

char *xasprintf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = xvasprintf(fmt, ap);
    va_end(ap);
    return s;
}
