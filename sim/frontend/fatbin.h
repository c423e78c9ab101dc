/* sim/frontend/fatbin.h -- fat binary containers, as nvcc 11 to 13 and clang put them into
 * programs: a header, then entries of PTX and machine code for several GPUs, PTX perhaps compressed
 * (LZ4 or zstd). */
#ifndef MDP_SIM_FRONTEND_FATBIN_H
#define MDP_SIM_FRONTEND_FATBIN_H

#include "base/err.h"

#include <stdint.h>

#define FATBIN_MAGIC 0xBA55ED50u

struct fatbin_ptx {
    char *text;  /* owned; NUL-terminated */
    unsigned sm; /* 75: compute_75 */
};

bool fatbin_is(const void *image);
/* The highest compute_XX of its PTX images, or 0; also *machine: the highest sm_XX of machine code.
 */
unsigned fatbin_best_sm(const void *container, unsigned *machine);
/* The PTX image for the highest GPU; later ones are taken only when the first is broken. False and
 * e: there is none; the message says how to build the program with PTX. */
bool fatbin_read(const void *container, struct fatbin_ptx *out, struct err *e);

#endif
