/* base/nowhere.h -- a file that keeps nothing of what is written to it: what kernels print where
 * nobody is to see it. Unlike /dev/null it has no descriptor: a user's program may close all of
 * those, and open its own in their place. */
#ifndef MDP_BASE_NOWHERE_H
#define MDP_BASE_NOWHERE_H

#include <stdio.h>

/* To be closed by fclose(). Never NULL. */
FILE *nowhere_open(void);

#endif
