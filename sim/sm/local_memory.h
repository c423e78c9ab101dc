/* sim/sm/local_memory.h -- where local memory lies in the timing model's address space: word i of
 * all threads of a CTA is adjacent; CTAs take their place from the core and the slot that they run
 * in, so that the next CTA in the slot uses the same addresses. */
#ifndef MDP_SIM_SM_LOCAL_MEMORY_H
#define MDP_SIM_SM_LOCAL_MEMORY_H

#include "base/types.h"

/* Congruent to GPGPU-Sim 3.2.1's LOCAL_GENERIC_START (0x3fc00000) modulo 6 x 2^28, so that
 * partition, bank, row and column of an access are the same there, but far above any buffer. */
#define LOCAL_BASE (0x3fc00000ull + (0x60000000ull << 16))
#define LOCAL_WORD 4

/* Word 0 of thread 0 of the CTA in a slot of a core; threads: of a CTA, its last warp full. */
static inline addr_t local_cta(addr_t threads, int cores, int core, int slot)
{
    return LOCAL_BASE + LOCAL_WORD * threads * ((addr_t)core + (addr_t)cores * (addr_t)slot);
}

/* From a thread's word to its next one, where each core has so many slots. */
static inline addr_t local_stride(addr_t threads, int cores, int slots)
{
    return LOCAL_WORD * threads * (addr_t)slots * (addr_t)cores;
}

#endif
