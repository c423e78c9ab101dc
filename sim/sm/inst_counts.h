/* sim/sm/inst_counts.h -- what a launch did, instruction by instruction: issue slots, why
 * schedulers did not issue and which instruction waited, and what memory instructions asked for. */
#ifndef MDP_SIM_SM_INST_COUNTS_H
#define MDP_SIM_SM_INST_COUNTS_H

#include <stdint.h>

/* What a scheduler's cycle is. */
enum cause {
    CAUSE_ISSUED,
    CAUSE_IDLE,
    CAUSE_BARRIER,
    CAUSE_FETCH,
    CAUSE_MEM_DEP,
    CAUSE_ALU_DEP,
    CAUSE_MEM_UNIT,
    CAUSE_ALU_UNIT,
    CAUSE_POLICY,
    CAUSE_NONE, /* no CTA on the core: not counted */
    CAUSE_COUNT
};

/* Of one instruction, over all cores. A cycle in which a scheduler does not issue belongs to the
 * instruction that the oldest of its warps waits with for that reason; CAUSE_IDLE belongs to none,
 * CAUSE_BARRIER to the barrier, and to none while its warps have all ended. */
struct inst_counts {
    uint64_t issued;                   /* warp instructions */
    uint64_t thread_insts;             /* active lanes, summed over these */
    uint64_t cycles[CAUSE_COUNT];      /* of schedulers */
    uint64_t accesses;                 /* of these: memory instructions with an active lane */
    uint64_t transactions;             /* that these made; shared memory has none */
    uint64_t l1d_accesses, l1d_misses; /* as run_stats counts them */
    uint64_t conflict_cycles;          /* bank conflicts of shared memory */
};

void inst_counts_add(struct inst_counts *to, const struct inst_counts *c);

#endif
