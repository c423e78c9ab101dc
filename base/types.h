/* base/types.h -- the integer types that carry a unit, the one way to divide counters,
 * and the greatest common divisor.
 * Time is integer everywhere: cycles of the component's own clock, or picoseconds. */
#ifndef MDP_BASE_TYPES_H
#define MDP_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t cycle_t; /* cycles of the clock domain that the reader is in */
typedef uint64_t psec_t;  /* picoseconds since the start of the simulation */
typedef uint64_t addr_t;  /* byte address in device memory */
typedef uint32_t lanes_t; /* bit i: lane i of the warp */

#define CYCLE_NEVER UINT64_MAX
#define WARP_SIZE   32
#define LANES_ALL   UINT32_MAX

/* a/b as a real number; 0 where b is 0 (a rate of nothing is reported as 0, never as NaN). */
static inline double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0.0;
}

static inline uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
