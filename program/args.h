/* program/args.h -- a launch's parameters, as far as its kernel can tell: bytes that it never reads
 * count for nothing. Compilers leave there what lay on the stack: between the members of a struct,
 * in objects that have none. */
#ifndef MDP_PROGRAM_ARGS_H
#define MDP_PROGRAM_ARGS_H

#include "sim/func/run.h"

/* A copy of them in which the other bytes are 0; the caller frees it. */
uint8_t *args_read(const struct launch *l);

#endif
