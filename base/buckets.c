#include "base/buckets.h"

#define EXACT      8 /* values with a bucket of their own: 2^EXACT_LOG2 */
#define EXACT_LOG2 3

int bucket_of(uint64_t v)
{
    if (v < EXACT)
        return (int)v;
    int e = 63 - __builtin_clzll(v);
    int i = EXACT + 4 * (e - EXACT_LOG2) + (int)(v >> (e - 2) & 3);
    return i < BUCKETS ? i : BUCKETS - 1;
}

uint64_t bucket_low(int i)
{
    if (i < EXACT)
        return (uint64_t)i;
    int e = EXACT_LOG2 + (i - EXACT) / 4;
    return (uint64_t)(4 + (i - EXACT) % 4) << (e - 2);
}

double buckets_from(const double count[BUCKETS], double x)
{
    double sum = 0;
    for (int i = BUCKETS - 1; i >= 0; i--) {
        double lo = (double)bucket_low(i), hi = (double)bucket_low(i + 1);
        if (x >= hi)
            return sum;
        sum += x <= lo ? count[i] : count[i] * (hi - x) / (hi - lo);
    }
    return sum;
}
