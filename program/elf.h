/* program/elf.h -- what can be told of an executable or a library by its file. */
#ifndef MDP_PROGRAM_ELF_H
#define MDP_PROGRAM_ELF_H

#include "base/err.h"

/* The file that the shell would run for `name`. NULL and e: there is none. Caller frees. */
char *program_find(const char *name, struct err *e);
/* False and e: its CUDA runtime is linked into it and its symbols were removed, so that no library
 * can stand in for it; the message says how to build it. Whatever is no 64-bit ELF file (a script)
 * passes. */
bool program_check(const char *path, struct err *e);
bool program_has_runtime(const char *path); /* the CUDA runtime is linked into it */
/* By which function a CUDA program reads the host's clock, as its user knows it; static. NULL: by
 * none, or by one that a runtime which is linked into it reads itself, or it is no CUDA program. */
const char *program_host_clock(const char *path);

#endif
