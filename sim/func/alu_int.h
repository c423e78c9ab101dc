/* sim/func/alu_int.h -- the second file of integer arithmetic, for the first. */
#ifndef MDP_SIM_FUNC_ALU_INT_H
#define MDP_SIM_FUNC_ALU_INT_H

#include "sim/func/exec.h"

/* alu_wide.c: carry chains, dp4a, dp2a; NULL: not one of these. */
exec_fn exec_lookup_wide(const struct inst *in);

#endif
