/* bench/held_out.h -- degrees chosen for the reference kernels, which no fit has seen: each effort
 * asks as `sample` does, and is judged by GPGPU-Sim's own cycles. */
#ifndef MDP_BENCH_HELD_OUT_H
#define MDP_BENCH_HELD_OUT_H

#include "base/err.h"

/* A line a bar, then a table. *bad: bars that are short. */
bool held_out_bars(const char *dir, const char *data, int threads, int *bad, struct err *e);

#endif
