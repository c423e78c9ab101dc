/* printf of device code: the format string and a block of packed arguments, each on its natural
 * alignment: 4 bytes for int and char, 8 for long, pointers and floating point. The conversion is
 * handed to the host's printf piece by piece, rebuilt from parts that were checked, so that no
 * format can read what was not passed. */
#include <stdio.h>
#include <string.h>

#include "sim/func/access.h"
#include "sim/func/builtins.h"
#include "sim/func/exec.h"

#define MAX_FIELD 65535 /* wider fields and finer precisions are cut to this */

struct cursor {
    struct warp *w;
    const struct inst *inst;
    int lane;
    FILE *out;
    const uint8_t *format;
    uint64_t left; /* bytes of format that may be read */
    addr_t args;
    int conversions;
};

static bool bad(struct cursor *c, const char *what, addr_t a)
{
    char text[120];
    snprintf(text, sizeof text, "printf: %s at 0x%llx is not in any memory", what,
             (unsigned long long)a);
    warp_fault(c->w, c->inst, FAULT_OUT_OF_BOUNDS, c->lane, a, 0, text);
    return false;
}

/* Next character of the format; '\0' at its end, or where its memory ends. */
static char peek(const struct cursor *c)
{
    return c->left ? (char)*c->format : '\0';
}

static char next(struct cursor *c)
{
    char ch = peek(c);
    if (ch) {
        c->format++;
        c->left--;
    }
    return ch;
}

static bool take(struct cursor *c, unsigned bytes, uint64_t *v)
{
    c->args = (c->args + bytes - 1) & ~(addr_t)(bytes - 1);
    uint64_t left;
    const uint8_t *p = access_generic(c->w, c->lane, c->args, &left);
    if (!p || left < bytes)
        return bad(c, "an argument", c->args);
    *v = 0;
    memcpy(v, p, bytes);
    c->args += bytes;
    return true;
}

#define ABSENT INT32_MIN

/* Digits or `*`. */
static bool number(struct cursor *c, int *n)
{
    uint64_t v;
    *n = ABSENT;
    if (peek(c) == '*') {
        next(c);
        if (!take(c, 4, &v))
            return false;
        int given = (int32_t)v;
        *n = given > MAX_FIELD ? MAX_FIELD : given < -MAX_FIELD ? -MAX_FIELD : given;
        return true;
    }
    while (peek(c) >= '0' && peek(c) <= '9') {
        int digit = next(c) - '0';
        *n = (*n == ABSENT ? 0 : *n) * 10 + digit;
        if (*n > MAX_FIELD)
            *n = MAX_FIELD;
    }
    return true;
}

struct spec {
    char flags[8];
    int width;      /* ABSENT or >= 0 */
    int precision;  /* ABSENT: none; a negative one counts as none, too */
    unsigned bytes; /* of an integer argument, from the length modifier; 1, 2, 4, 8 */
};

static bool read_spec(struct cursor *c, struct spec *s)
{
    *s = (struct spec){.bytes = 4, .precision = ABSENT};
    size_t n = 0;
    while (peek(c) && strchr("-+ #0", peek(c))) {
        char f = next(c);
        if (!memchr(s->flags, f, n))
            s->flags[n++] = f;
    }
    if (!number(c, &s->width))
        return false;
    if (s->width < 0 && s->width != ABSENT) { /* a negative `*` width is the flag `-` */
        s->width = -s->width;
        if (!memchr(s->flags, '-', n))
            s->flags[n++] = '-';
    }
    if (peek(c) == '.') {
        next(c);
        if (!number(c, &s->precision))
            return false;
        if (s->precision == ABSENT) /* a lone point is ".0" */
            s->precision = 0;
    }
    for (;;) {
        switch (peek(c)) {
        case 'h':
            s->bytes = s->bytes == 2 ? 1 : 2;
            break;
        case 'l':
        case 'j':
        case 'z':
        case 't':
        case 'L':
            s->bytes = 8;
            break;
        default:
            return true;
        }
        next(c);
    }
}

/* "%" flags width .precision, then the tail */
static void host_format(const struct spec *s, const char *tail, char *to, size_t room)
{
    int n = snprintf(to, room, "%%%s", s->flags);
    if (s->width >= 0)
        n += snprintf(to + n, room - (size_t)n, "%d", s->width);
    if (s->precision >= 0)
        n += snprintf(to + n, room - (size_t)n, ".%d", s->precision);
    snprintf(to + n, room - (size_t)n, "%s", tail);
}

static bool print_integer(struct cursor *c, const struct spec *s, char conv)
{
    char format[48], tail[4] = {'l', 'l', conv, '\0'};
    uint64_t v;
    if (!take(c, s->bytes == 8 ? 8 : 4, &v))
        return false;
    int drop = 64 - 8 * (int)s->bytes;
    if (conv == 'd' || conv == 'i')
        v = (uint64_t)((int64_t)(v << drop) >> drop);
    else
        v = v << drop >> drop;
    host_format(s, tail, format, sizeof format);
    fprintf(c->out, format, (long long)v);
    return true;
}

static bool print_double(struct cursor *c, const struct spec *s, char conv)
{
    char format[48], tail[2] = {conv, '\0'};
    uint64_t bits;
    double v;
    if (!take(c, 8, &bits))
        return false;
    memcpy(&v, &bits, sizeof v);
    host_format(s, tail, format, sizeof format);
    fprintf(c->out, format, v);
    return true;
}

static bool print_string(struct cursor *c, struct spec *s)
{
    char format[48];
    uint64_t a, left;
    if (!take(c, 8, &a))
        return false;
    const char *text = "(null)";
    size_t n = strlen(text);
    if (a) {
        text = (const char *)access_generic(c->w, c->lane, a, &left);
        if (!text)
            return bad(c, "a string", a);
        n = strnlen(text, (size_t)left);
    }
    if (s->precision >= 0 && (size_t)s->precision < n)
        n = (size_t)s->precision;
    s->precision = ABSENT;
    host_format(s, ".*s", format, sizeof format);
    fprintf(c->out, format, n > INT32_MAX ? INT32_MAX : (int)n, text);
    return true;
}

static bool print_other(struct cursor *c, const struct spec *s, char conv)
{
    char format[48];
    uint64_t v;
    if (!take(c, conv == 'c' ? 4 : 8, &v))
        return false;
    if (conv == 'n')
        return true; /* stores nothing, as on the device */
    host_format(s, conv == 'c' ? "c" : "p", format, sizeof format);
    if (conv == 'c')
        fprintf(c->out, format, (int)(uint8_t)v);
    else
        fprintf(c->out, format, (void *)(uintptr_t)v);
    return true;
}

static bool convert(struct cursor *c)
{
    struct spec s;
    if (!read_spec(c, &s))
        return false;
    char conv = next(c);
    if (conv == '\0' || conv == '%') {
        if (conv)
            fputc('%', c->out);
        return true;
    }
    c->conversions++;
    if (strchr("diouxX", conv))
        return print_integer(c, &s, conv);
    if (strchr("fFeEgGaA", conv))
        return print_double(c, &s, conv);
    if (conv == 's')
        return print_string(c, &s);
    if (strchr("cpn", conv))
        return print_other(c, &s, conv);
    c->conversions--;
    fputc('%', c->out); /* unknown: printed as it stands */
    fputc(conv, c->out);
    return true;
}

bool device_printf(struct warp *w, const struct inst *in, int lane, addr_t format, addr_t args,
                   int32_t *result)
{
    const struct launch *l = w->cta->launch;
    struct cursor c = {.w = w, .inst = in, .lane = lane, .args = args};
    c.out = l->printf_file ? l->printf_file : stdout;
    *result = -1;
    if (format == 0)
        return true;
    c.format = access_generic(w, lane, format, &c.left);
    if (!c.format)
        return bad(&c, "the format", format);
    while (peek(&c)) {
        char ch = next(&c);
        if (ch != '%')
            fputc(ch, c.out);
        else if (!convert(&c))
            return false;
    }
    *result = c.conversions;
    return true;
}
