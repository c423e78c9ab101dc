#include "base/rng.h"

#include "base/err.h"

#include <math.h>

int64_t rng_between(struct rng *r, int64_t lo, int64_t hi)
{
    BUG_ON(lo > hi, "an empty range");
    uint64_t span = (uint64_t)hi - (uint64_t)lo + 1;
    return (int64_t)((uint64_t)lo + (span ? rng_below(r, span) : rng_u64(r)));
}

double rng_real(struct rng *r, double lo, double hi)
{
    double v = lo + rng_unit(r) * (hi - lo);
    return v < hi ? v : lo; /* rounding can reach hi */
}

/* Box-Muller; the second of the pair is dropped to keep the state what it is. */
double rng_normal(struct rng *r)
{
    double radius = sqrt(-2 * log(1 - rng_unit(r)));
    return radius * cos(2 * M_PI * rng_unit(r));
}

void rng_shuffle(struct rng *r, void *base, size_t n, size_t size)
{
    unsigned char *p = base;
    for (size_t i = n; i > 1; i--) {
        unsigned char *a = p + (i - 1) * size, *b = p + rng_below(r, i) * size;
        for (size_t k = 0; k < size; k++) {
            unsigned char t = a[k];
            a[k] = b[k];
            b[k] = t;
        }
    }
}
