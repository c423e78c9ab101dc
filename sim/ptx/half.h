/* sim/ptx/half.h -- the bits of a floating-point literal in any type that holds one. */
#ifndef MDP_SIM_PTX_HALF_H
#define MDP_SIM_PTX_HALF_H

#include "sim/ptx/ast.h"

/* False: the type holds no floating-point value. Bit types take the format of their size. */
bool number_bits(const struct operand *o, enum vtype t, uint64_t *bits);

#endif
