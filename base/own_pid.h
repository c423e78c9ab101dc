/* base/own_pid.h -- the number of the process, for those who ask in every call: a child of fork()
 * has its own, and the kernel is asked once in each. */
#ifndef MDP_BASE_OWN_PID_H
#define MDP_BASE_OWN_PID_H

#include <sys/types.h>

/* As getpid(). Several threads may ask. */
pid_t own_pid(void);

#endif
