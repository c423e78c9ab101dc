/* sim/sm/inst_run.h -- a launch without timing, wherever its instructions come from: executed
 * (sim/func/run.h), or read from the trace that recorded them. Instructions, lanes, addresses and
 * their order in each warp and CTA are the same of both; memory stays as it is when they are read,
 * and CTAs come one after another, since none waits for another any more. */
#ifndef MDP_SIM_SM_INST_RUN_H
#define MDP_SIM_SM_INST_RUN_H

#include "sim/func/run.h"

/* o: NULL is all zero; its turn 0: FUNC_LONG_TURN, the order in which the samples in data/profiles
 * were taken. False and e: a fault, a limit, a trace that is damaged; *counts (may be NULL) has
 * what there was until then. */
bool inst_run(struct launch *l, const struct func_opts *o, struct func_counts *counts,
              struct err *e);

#endif
