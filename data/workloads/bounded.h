/* data/workloads/bounded.h -- a number, and how far off a single-precision computation of it may
 * be: running error analysis (Wilkinson; Higham, Accuracy and Stability of Numerical Algorithms,
 * section 3.3). A reference written with these instead of doubles, in the kernel's order of
 * operations, yields the tolerance of every result. Each operation adds half a unit in the last
 * place of what it may have rounded; a fused multiply-add rounds once less, and stays inside. */
#ifndef MDP_DATA_WORKLOADS_BOUNDED_H
#define MDP_DATA_WORKLOADS_BOUNDED_H

#include "data/workloads/host.h"

#include <math.h>

struct bounded {
    double x;   /* the value; double precision's own errors are 2^-29 of what is bounded here */
    double err; /* |single-precision result - x| is at most this */
};

static inline struct bounded bounded(float v)
{
    return (struct bounded){(double)v, 0.0};
}

/* err before rounding -> after; results below the normal numbers are rounded to 2^-149. */
static inline struct bounded bounded_round(double x, double err)
{
    return (struct bounded){x, err + 0x1.001p-24 * (fabs(x) + err) + 0x1p-149};
}

static inline struct bounded bounded_add(struct bounded a, struct bounded b)
{
    return bounded_round(a.x + b.x, a.err + b.err);
}

static inline struct bounded bounded_sub(struct bounded a, struct bounded b)
{
    return bounded_round(a.x - b.x, a.err + b.err);
}

static inline struct bounded bounded_mul(struct bounded a, struct bounded b)
{
    return bounded_round(a.x * b.x, fabs(a.x) * b.err + fabs(b.x) * a.err + a.err * b.err);
}

/* b may not be 0: |b.x| > b.err */
static inline struct bounded bounded_div(struct bounded a, struct bounded b)
{
    double x = a.x / b.x;
    return bounded_round(x, (a.err + fabs(x) * b.err) / (fabs(b.x) - b.err));
}

/* a.x > a.err */
static inline struct bounded bounded_sqrt(struct bounded a)
{
    return bounded_round(sqrt(a.x), a.err / sqrt(a.x - a.err));
}

/* n exact numbers */
static inline struct bounded *bounded_from(struct host *h, const float *v, size_t n)
{
    struct bounded *b = host_new(h, n, sizeof *b);
    for (size_t i = 0; i < n; i++)
        b[i] = bounded(v[i]);
    return b;
}

/* Every found[i] is within expected[i], or e names the first that is not. */
static inline bool bounded_near(const struct host *h, const char *what, const float *found,
                                const struct bounded *expected, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)found[i] - expected[i].x) <= expected[i].err))
            return err_set(e, "%s: %s[%zu] is %.9g, expected %.9g within %g", h->workload->name,
                           what, i, (double)found[i], expected[i].x, expected[i].err);
    return true;
}

#endif
