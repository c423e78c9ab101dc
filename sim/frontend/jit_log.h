/* sim/frontend/jit_log.h -- what the compiler says, in the buffers of a program's CU_JIT options.
 * The options and their values stay the program's: sizes are written back there. */
#ifndef MDP_SIM_FRONTEND_JIT_LOG_H
#define MDP_SIM_FRONTEND_JIT_LOG_H

#include <stddef.h>

struct jit_log {
    struct jit_text {
        char *to;     /* NULL: none is wanted */
        size_t room;  /* bytes there, at first */
        void **bytes; /* NULL, or where the bytes written come back, as the driver has it */
    } info, errors;
};

void jit_log_init(struct jit_log *log, unsigned n, const int *options, void **values);
/* The error, or none: NULL. */
void jit_log_write(const struct jit_log *log, const char *error);

#endif
