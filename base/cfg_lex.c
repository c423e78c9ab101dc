#include "base/cfg_lex.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEST_MAX 64

struct lex {
    const char *name, *p, *end;
    char *out; /* never longer than twice the input: an integer gains one character */
    size_t n;
    int line, depth;
    bool settings;           /* one has begun */
    struct cfg_includes *in; /* NULL: the file includes nothing */
    struct err *e;
};

static bool copy(struct lex *x, size_t len)
{
    for (size_t i = 0; i < len; i++)
        x->line += x->p[i] == '\n';
    memcpy(x->out + x->n, x->p, len);
    x->n += len;
    x->p += len;
    return true;
}

static bool fail(const struct lex *x, const char *what)
{
    return err_set(x->e, "%s:%d: %s", x->name, x->line, what);
}

/* Up to and including the two characters that close it. */
static bool block_comment(struct lex *x)
{
    for (const char *q = x->p + 2; q + 1 < x->end; q++)
        if (q[0] == '*' && q[1] == '/')
            return copy(x, (size_t)(q + 2 - x->p));
    return fail(x, "the comment that starts here has no end");
}

static bool line_comment(struct lex *x)
{
    const char *nl = memchr(x->p, '\n', (size_t)(x->end - x->p));
    return copy(x, (size_t)((nl ? nl : x->end) - x->p));
}

static bool string(struct lex *x)
{
    for (const char *q = x->p + 1; q < x->end; q++) {
        if (*q == '\\')
            q++;
        else if (*q == '"')
            return copy(x, (size_t)(q + 1 - x->p));
    }
    return fail(x, "the string that starts here has no end");
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '*';
}

static bool name(struct lex *x)
{
    const char *q = x->p;
    while (q < x->end && (is_word(*q) || *q == '-'))
        q++;
    x->settings = true;
    return copy(x, (size_t)(q - x->p));
}

/* Length of the digits if the token is an integer (an L or LL may follow), else 0. */
static size_t integer_len(const char *s, size_t len, bool *hex)
{
    size_t i = s[0] == '-' || s[0] == '+';
    *hex = i == 0 && len > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    if (*hex)
        i = 2;
    size_t first = i;
    while (i < len && (*hex ? isxdigit((unsigned char)s[i]) : isdigit((unsigned char)s[i])))
        i++;
    size_t digits = i;
    while (i < len && s[i] == 'L' && i < digits + 2)
        i++;
    return i == len && digits > first ? digits : 0;
}

static bool number(struct lex *x)
{
    const char *q = x->p + 1;
    bool hex = x->p[0] == '0' && q < x->end && (*q == 'x' || *q == 'X');
    while (q < x->end && (is_word(*q) || *q == '.' ||
                          ((*q == '-' || *q == '+') && !hex && (q[-1] == 'e' || q[-1] == 'E'))))
        q++;
    size_t len = (size_t)(q - x->p);
    size_t digits = integer_len(x->p, len, &hex);
    /* the text ends with a NUL, so the number's end is seen by strtoll and friends */
    errno = 0;
    if (!digits) {
        double v = strtod(x->p, NULL);
        return isfinite(v) ? copy(x, len) : fail(x, "this number is too large");
    }
    if (hex)
        strtoull(x->p, NULL, 16);
    else
        strtoll(x->p, NULL, 10);
    if (errno)
        return fail(x, "this integer does not fit in 64 bits");
    copy(x, digits);
    x->out[x->n++] = 'L';
    x->p = q;
    return true;
}

/* `@include "PATH"` */
static bool include(struct lex *x)
{
    static const char word[] = "@include";
    const size_t len = sizeof word - 1, left = (size_t)(x->end - x->p);
    if (!x->in)
        return fail(x, "@include and other directives are not supported here");
    if (left < len || memcmp(x->p, word, len) != 0)
        return fail(x, "no directive but @include is known");
    if (x->settings)
        return fail(x, "@include comes before all settings, which then change what it gives");
    const char *from = x->p + len;
    from += strspn(from, " \t");
    const char *to = from < x->end && *from == '"' ? strpbrk(from + 1, "\"\n\\") : NULL;
    if (!to || *to != '"' || to == from + 1)
        return fail(x, "@include wants a file's name between quotes");
    struct cfg_includes *in = x->in;
    in->at = xrealloc(in->at, (size_t)(in->n + 1) * sizeof *in->at);
    in->at[in->n++] =
        (struct cfg_include){xasprintf("%.*s", (int)(to - from - 1), from + 1), x->line};
    x->p = to + 1;
    return true;
}

void cfg_includes_free(struct cfg_includes *in)
{
    for (int i = 0; i < in->n; i++)
        free(in->at[i].path);
    free(in->at);
    *in = (struct cfg_includes){0};
}

static bool punctuation(struct lex *x)
{
    char c = *x->p;
    if (c == '@')
        return include(x);
    x->depth += (c == '{' || c == '(' || c == '[') - (c == '}' || c == ')' || c == ']');
    if (x->depth > NEST_MAX)
        return fail(x, "groups or lists are nested too deeply (more than 64)");
    return copy(x, 1);
}

static bool token(struct lex *x)
{
    char c = *x->p, next = x->p + 1 < x->end ? x->p[1] : '\0';
    if (c == '/' && next == '*')
        return block_comment(x);
    if (c == '#' || (c == '/' && next == '/'))
        return line_comment(x);
    if (c == '"')
        return string(x);
    if (isalpha((unsigned char)c) || c == '*')
        return name(x);
    if (isdigit((unsigned char)c) || c == '-' || c == '+' || c == '.')
        return number(x);
    return punctuation(x);
}

char *cfg_lex(const char *name, const char *text, size_t len, struct cfg_includes *in,
              struct err *e)
{
    struct lex x = {.name = name, .p = text, .end = text + len, .line = 1, .in = in, .e = e};
    x.out = xmalloc(2 * len + 1);
    bool ok = true;
    const char *nul = memchr(text, '\0', len);
    if (nul) {
        for (const char *q = text; q < nul; q++)
            x.line += *q == '\n';
        ok = fail(&x, "a NUL byte: this is not a text file");
    }
    while (ok && x.p < x.end)
        ok = token(&x);
    if (!ok) {
        free(x.out);
        return NULL;
    }
    x.out[x.n] = '\0';
    return x.out;
}
