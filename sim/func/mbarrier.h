/* sim/func/mbarrier.h -- the 64-bit object in shared memory that mbarrier instructions work on. PTX
 * leaves its contents open; here they are
 *
 *   63     60        40         20         0
 *   | phase | tx, signed | pending | expected |
 *
 * A phase ends when no arrival is pending and no transaction is under way; the next one begins with
 * `expected` arrivals pending. A state is the object as it was before the arrival that gave it. */
#ifndef MDP_SIM_FUNC_MBARRIER_H
#define MDP_SIM_FUNC_MBARRIER_H

#include "base/types.h"

#define MBARRIER_COUNT_MAX 0xfffffu /* arrivals; bytes under way, up and down */

uint64_t mbarrier_make(uint32_t count);
/* The object after n arrivals, of which `drop` stay away in later phases, too. */
uint64_t mbarrier_arrive(uint64_t b, uint32_t n, uint32_t drop);
/* The object with so many more transactions, or fewer: then the phase may end. */
uint64_t mbarrier_expect(uint64_t b, int32_t bytes);
uint64_t mbarrier_complete(uint64_t b, int32_t bytes);
uint32_t mbarrier_pending(uint64_t state);
/* 0 in the first phase, then 1, 0 ... */
static inline unsigned mbarrier_phase(uint64_t b)
{
    return b >> 63;
}

#endif
