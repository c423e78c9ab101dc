/* sim/func/stray.h -- loads from outside of all buffers, where they are allowed: hardware lets them
 * pass if the page is mapped, and programs that drop the value depend on it. They give 0, and each
 * is told once a kernel and line. Stores, atomics, misaligned loads and those from other memories
 * are faults as ever. Threads may share a struct strays. */
#ifndef MDP_SIM_FUNC_STRAY_H
#define MDP_SIM_FUNC_STRAY_H

#include <pthread.h>

#include "sim/func/fault.h"

struct strays {
    void (*tell)(void *user, const char *text); /* "kernel K, FILE:LINE: ..." */
    void *user;
    pthread_mutex_t lock;
    struct stray *seen; /* owned */
};

void strays_init(struct strays *s, void (*tell)(void *user, const char *text), void *user);
void strays_fini(struct strays *s);
/* Zeros in place of what the lane would read; NULL: it is a fault. */
uint8_t *stray_read(struct warp *w, const struct inst *in, const struct bad_access *b);

#endif
