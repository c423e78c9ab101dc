/* Launch files: is a buffer what was expected? */
#include "sim/frontend/launch_impl.h"

#include <math.h>
#include <stdio.h>

/* NaN equals only NaN and an infinity only itself; a tolerance never bridges to them. */
static bool close_real(double found, double expected, double tolerance)
{
    if (isnan(found) || isnan(expected))
        return isnan(found) && isnan(expected);
    if (isinf(found) || isinf(expected))
        return found == expected;
    return fabs(found - expected) <= tolerance * fmax(1.0, fabs(expected));
}

/* Integers are compared by absolute difference. */
static bool close_enough(enum elem t, union elem_value found, union elem_value expected,
                         double tolerance)
{
    if (elem_kind(t) == ELEM_FLOAT)
        return close_real(found.f, expected.f, tolerance);
    if (found.u == expected.u)
        return true;
    bool greater = elem_kind(t) == ELEM_SIGNED ? found.s > expected.s : found.u > expected.u;
    uint64_t apart = greater ? found.u - expected.u : expected.u - found.u;
    return (double)apart <= tolerance;
}

bool check_buffer(const struct check *c, const struct buffer *b, const uint8_t *found,
                  struct err *e)
{
    static const uint8_t zero[8];
    size_t width = elem_bytes(c->type);
    uint64_t n = b->bytes / width, wrong = 0, first = 0;
    union elem_value first_found = {.u = 0}, first_expected = {.u = 0};
    for (uint64_t i = 0; i < n; i++) {
        const uint8_t *want = i * width < c->src.len ? c->src.data + i * width : zero;
        union elem_value x = elem_load(c->type, found + i * width), y = elem_load(c->type, want);
        if (close_enough(c->type, x, y, c->tolerance))
            continue;
        if (wrong++ == 0) {
            first = i;
            first_found = x;
            first_expected = y;
        }
    }
    char x[ELEM_TEXT], y[ELEM_TEXT];
    return !wrong || cfg_err(c->at, e,
                             "check of buffer '%s' failed at index %llu: found %s, expected %s "
                             "(%llu of %llu elements differ)",
                             b->name, (unsigned long long)first, elem_text(c->type, first_found, x),
                             elem_text(c->type, first_expected, y), (unsigned long long)wrong,
                             (unsigned long long)n);
}
