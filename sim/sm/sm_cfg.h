/* sim/sm/sm_cfg.h -- parameters of a core (defaults: GTX480 as GPGPU-Sim 3.2.1 sets it). */
#ifndef MDP_SIM_SM_SM_CFG_H
#define MDP_SIM_SM_SM_CFG_H

#include "base/params.h"

#define SM_PARAMS(X)                                                                              \
    X(max_ctas, INT, 1, 64, 8, "CTAs", "CTA slots a core")                                        \
    X(max_threads, INT, 32, 2048, 1536, "threads", "resident threads a core")                     \
    X(registers, INT, 1024, 1 << 20, 32768, "registers", "32-bit registers a core")               \
    X(register_granularity, INT, 1, 64, 4, "registers", "a thread's registers are rounded up to") \
    X(shared_bytes, INT, 0, 1 << 20, 49152, "bytes", "shared memory a core")                      \
    X(shared_granularity, INT, 1, 4096, 1, "bytes", "a CTA's shared memory is rounded up to")     \
    X(warp_scheduler, STR, 0, 0, "gto", "", "see `mdpredict list schedulers`")                    \
    X(schedulers, INT, 1, 4, 2, "", "warp schedulers a core; warp slot i belongs to i mod this")

PARAM_STRUCT(sm_cfg, SM_PARAMS);

extern const struct param_group sm_cfg_groups[]; /* prefix "": top level; ends with rows == NULL */
bool sm_cfg_check(const struct sm_cfg *c, struct err *e);

#endif
