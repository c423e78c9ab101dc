/* sim/sm/sched/elf.h -- what tests may look at of the ELF warp scheduler. */
#ifndef MDP_SIM_SM_SCHED_ELF_H
#define MDP_SIM_SM_SCHED_ELF_H

/* The priority of a slot that is in force: instructions to its next load; smaller goes first. */
int elf_priority(const void *st, int slot);

#endif
