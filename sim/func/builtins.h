/* sim/func/builtins.h -- the functions that CUDA's device runtime provides: vprintf, __assertfail,
 * malloc, free, and launches by kernels (device_launch.h). Lanes are served in increasing order, so
 * output has a fixed order. */
#ifndef MDP_SIM_FUNC_BUILTINS_H
#define MDP_SIM_FUNC_BUILTINS_H

#include "sim/func/warp.h"

void builtin_call(struct warp *w, const struct inst *in, lanes_t active);

/* vprintf for one lane: format and packed arguments by generic address. Returns what the kernel's
 * call returns, the number of conversions; -1 for a null format. False: a fault. */
bool device_printf(struct warp *w, const struct inst *in, int lane, addr_t format, addr_t args,
                   int32_t *result);

#endif
