/* sim/sm/sched/phases.h -- the phases of a kernel (Awatramani et al., PACT 2015). A phase is a run
 * of instructions of which none reads what a long-latency load of the same run brings: such a
 * reader (operand, address or guard) begins the next phase. Long-latency loads read global, local
 * or texture memory; atomics that return are among them. The distance of an instruction is the sum
 * of the latencies (latency.*) from it to the end of its phase.
 *
 * The code is taken in the order in which it lies: branches are not followed, and a backward one
 * ends nothing. Each function begins a phase. */
#ifndef MDP_SIM_SM_SCHED_PHASES_H
#define MDP_SIM_SM_SCHED_PHASES_H

#include "sim/sm/sched/warp_scheduler.h"

struct phase_at {
    uint32_t phase;    /* from 1 */
    uint32_t distance; /* cycles */
};

struct phases {
    uint32_t count; /* of phases */
    bool any; /* one begins at a reader; false: nothing tells warps apart but how far they are */
    struct phase_at at[]; /* by pc */
};

struct phases *phases_build(const struct sched_code *code); /* caller frees, by free() */

/* PAWS: of the warps of a set that is not empty, those with an empty instruction buffer first, then
 * by the distance of the next instruction, the smallest first, then by age. None has ended. */
int phases_first(const struct phases *p, const struct sched_view *v, uint64_t among);

/* For warp_scheduler_ops.note, where there is no reader; by: the parameter that asks for phases. */
#define PHASES_NOTE(by)                                                               \
    "has no phases, as it uses nothing that a load from memory brings: " by " takes " \
    "the warps that are furthest first"

#endif
