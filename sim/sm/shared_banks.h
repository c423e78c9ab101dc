/* sim/sm/shared_banks.h -- bank conflicts of one shared memory instruction. Pure. */
#ifndef MDP_SIM_SM_SHARED_BANKS_H
#define MDP_SIM_SM_SHARED_BANKS_H

#include "base/types.h"

/* Cycles that the access takes: in each part of the warp (1: all lanes at once, 2: half warps) the
 * largest number of different 4-byte words in one bank; lanes that read the same word share it.
 * At least 1 (also without an active lane). bytes: contiguous bytes of each lane. */
int shared_cycles(const addr_t *offset, lanes_t active, int bytes, int banks, int parts);
/* The same for atomics whose lanes take turns at a word: the most words asked of one bank. */
int shared_atomic_cycles(const addr_t *offset, lanes_t active, int bytes, int banks, int parts);

#endif
