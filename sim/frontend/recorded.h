/* sim/frontend/recorded.h -- launches out of a trace (sim/sm/trace_file.h): the kernels are decoded
 * again, what they did is in the file. */
#ifndef MDP_SIM_FRONTEND_RECORDED_H
#define MDP_SIM_FRONTEND_RECORDED_H

#include "sim/frontend/executor.h"
#include "sim/sm/trace_file.h"

/* All launches in their order. */
bool recorded_run(const struct trace_file *f, const struct executor *x, struct err *e);
/* Calls fn once for each kernel. */
bool recorded_kernels(const struct trace_file *f,
                      bool (*fn)(void *user, const struct kernel *k, struct err *e), void *user,
                      struct err *e);

#endif
