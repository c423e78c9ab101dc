/* sim/func/fpround.h -- brackets around arithmetic in another rounding mode than nearest even,
 * which is the host's mode everywhere else. */
#ifndef MDP_SIM_FUNC_FPROUND_H
#define MDP_SIM_FUNC_FPROUND_H

#include "sim/ptx/inst.h"
#include <fenv.h>

static inline void round_begin(enum rounding r)
{
    fesetround(r == RND_RZ   ? FE_TOWARDZERO
               : r == RND_RM ? FE_DOWNWARD
               : r == RND_RP ? FE_UPWARD
                             : FE_TONEAREST);
}
static inline void round_end(void)
{
    fesetround(FE_TONEAREST);
}

#endif
