#include "sampler/pilot/work_done.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"

void work_done_add(struct work_done *p, const struct work_point *x)
{
    if (p->points == p->room) {
        p->room = p->room ? 2 * p->room : 256;
        p->point = xrealloc(p->point, (size_t)p->room * sizeof *p->point);
    }
    p->point[p->points++] = *x;
}

void work_done_free(struct work_done *p)
{
    free(p->point);
    *p = (struct work_done){0};
}

double work_done_insts(const struct work_done *p)
{
    return p->point[p->points - 1].insts;
}

/* Cycles in which so many instructions had been issued, between the points that are known. */
static double cycles_at(const struct work_done *p, double insts)
{
    struct work_point before = {0};
    uint64_t low = 0, high = p->points; /* the first one with so many */
    while (low < high) {
        const uint64_t mid = (low + high) / 2;
        if (p->point[mid].insts < insts)
            low = mid + 1;
        else
            high = mid;
    }
    if (low > 0)
        before = p->point[low - 1];
    if (low == p->points)
        return before.cycles;
    const struct work_point x = p->point[low];
    return x.insts > before.insts
               ? before.cycles +
                     (x.cycles - before.cycles) * (insts - before.insts) / (x.insts - before.insts)
               : x.cycles;
}

static double rate(const struct work_done *p, double from, double to)
{
    const double cycles = cycles_at(p, to) - cycles_at(p, from);
    return cycles > 0 ? (to - from) / cycles : 0;
}

double work_done_rate(const struct work_done *p, double from)
{
    return rate(p, from, work_done_insts(p));
}

bool work_done_steady(const struct work_done *p, double from, const struct pilot_params *by,
                      double within)
{
    const double done = work_done_insts(p) - from, last_from = from + (1 - by->cut_last) * done;
    const double last = work_done_rate(p, last_from),
                 before = rate(p, last_from - by->cut_before * done, last_from);
    return before > 0 && fabs(last / before - 1) < within;
}

double work_done_first(const struct work_done *p)
{
    uint64_t i = 0;
    while (i < p->points && !p->point[i].ctas)
        i++;
    return i < p->points ? p->point[i].cycles : 0;
}

double work_done_hop(const struct work_done *p)
{
    const uint64_t ctas = p->point[p->points - 1].ctas;
    double *between = xcalloc((size_t)ctas + 1, sizeof *between), last = 0;
    uint64_t n = 0;
    for (uint64_t i = 0; i < p->points; i++)
        for (; n < p->point[i].ctas; last = p->point[i].cycles)
            between[n++] = p->point[i].cycles - last;
    double hop = 0;
    if (n > 1) {
        const double mean = gsl_stats_mean(between + 1, 1, (size_t)n - 1);
        hop = fmin(mean, gsl_stats_median(between + 1, 1, (size_t)n - 1));
    }
    free(between);
    return hop;
}
