#include "sampler/calendar.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static void remove_spans(struct calendar *c, int at, int n)
{
    c->spans -= n;
    const size_t behind = (size_t)(c->spans - at);
    memmove(&c->from[at], &c->from[at + n], behind * sizeof *c->from);
    memmove(&c->to[at], &c->to[at + n], behind * sizeof *c->to);
}

/* In front of span `at`. If there is no place the first span is forgotten, or the new one if it is
 * before all others. */
static void insert_span(struct calendar *c, int at, double from, double to)
{
    if (c->spans == CALENDAR_SPANS) {
        if (at == 0)
            return;
        remove_spans(c, 0, 1);
        at--;
    }
    const size_t behind = (size_t)(c->spans - at);
    memmove(&c->from[at + 1], &c->from[at], behind * sizeof *c->from);
    memmove(&c->to[at + 1], &c->to[at], behind * sizeof *c->to);
    c->from[at] = from;
    c->to[at] = to;
    c->spans++;
}

double calendar_take(struct calendar *c, double t, double need)
{
    int first = c->spans; /* span that begins behind t */
    while (first > 0 && c->from[first - 1] > t)
        first--;
    const bool joins = first > 0 && c->to[first - 1] >= t;
    const double from = joins ? c->to[first - 1] : t;
    double end = from, left = need;
    int next = first; /* span behind what is taken */
    for (; next < c->spans && c->from[next] - end < left; next++) {
        left -= c->from[next] - end;
        end = c->to[next];
    }
    end += left;
    const double began = end - need;
    if (next < c->spans && c->from[next] <= end)
        end = c->to[next++];
    if (joins) {
        c->to[first - 1] = end;
        remove_spans(c, first, next - first);
    } else if (next > first) {
        c->from[first] = from;
        c->to[first] = end;
        remove_spans(c, first + 1, next - first - 1);
    } else {
        insert_span(c, first, from, end);
    }
    return began;
}
