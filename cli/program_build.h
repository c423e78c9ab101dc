/* cli/program_build.h -- --build: CUDA source becomes a program that is removed afterwards. */
#ifndef MDP_CLI_PROGRAM_BUILD_H
#define MDP_CLI_PROGRAM_BUILD_H

#include "cli/options.h"

struct program_build {
    char *folder, *program; /* owned; NULL: nothing was built */
    char **arg;             /* owned: the program and its arguments; the strings are borrowed */
};

/* Compiles the source that o->arg[0] names, and puts the program in its place; o->source is the
 * source then. By $NVCC, nvcc, /usr/local/cuda/bin/nvcc or clang++, the first that there is.
 * program_build_end in any case. */
bool program_build(struct program_build *b, struct options *o, struct err *e);
void program_build_end(struct program_build *b);

#endif
