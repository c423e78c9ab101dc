/* sim/func/cvt_any.h -- conversions one lane at a time; the common ones have vectorised executors
 * in cvt.c. */
#ifndef MDP_SIM_FUNC_CVT_ANY_H
#define MDP_SIM_FUNC_CVT_ANY_H

#include "sim/func/exec.h"

exec_fn exec_lookup_cvt_any(const struct inst *in);
exec_fn exec_lookup_cvt_narrow(const struct inst *in); /* cvt_narrow.c */

#endif
