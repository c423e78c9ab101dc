/* sim/func/alu_float.h -- the parts of floating-point arithmetic that have files of their own. */
#ifndef MDP_SIM_FUNC_ALU_FLOAT_H
#define MDP_SIM_FUNC_ALU_FLOAT_H

#include "sim/func/exec.h"

exec_fn exec_lookup_half(const struct inst *in);  /* alu_half.c: f16, f16x2, bf16, bf16x2 */
exec_fn exec_lookup_mixed(const struct inst *in); /* alu_round.c: .f32.f16, .f32.bf16 */
exec_fn exec_lookup_f32x2(const struct inst *in);
exec_fn exec_lookup_round(const struct inst *in); /* alu_round.c: .rz .rm .rp, f32 and f64 */

#endif
