/* base/buckets.h -- histograms of whole numbers over many orders of magnitude: values up to 7 have
 * a bucket each, above there are four to each power of two, so that a bucket's ends differ by a
 * quarter at most. The last bucket has no upper end. */
#ifndef MDP_BASE_BUCKETS_H
#define MDP_BASE_BUCKETS_H

#include "base/types.h"

#define BUCKETS 64

int bucket_of(uint64_t v);
uint64_t bucket_low(int i); /* least value of bucket i; of BUCKETS: where the last one would end */
/* How much of a histogram lies at x and above; what a bucket holds is spread evenly over it. */
double buckets_from(const double count[BUCKETS], double x);

#endif
