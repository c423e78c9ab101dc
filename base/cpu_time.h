/* base/cpu_time.h -- CPU seconds of the calling thread: what a simulation costs, however many
 * others share the machine. Only for reports; nothing simulated depends on it. */
#ifndef MDP_BASE_CPU_TIME_H
#define MDP_BASE_CPU_TIME_H

#include <time.h>

static inline double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ... of all threads of the process so far. */
static inline double process_cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
