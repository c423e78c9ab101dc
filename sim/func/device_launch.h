/* sim/func/device_launch.h -- kernels that kernels launch (CUDA C++ programming guide, CUDA dynamic
 * parallelism), and the little that the device's own runtime needs beside that: streams and events
 * by number, the last error of a thread.
 *
 * A thread asks for a parameter buffer, stores the parameters, and launches. What was launched is
 * noted here, and runs when the grid that launched it has ended (context_launch()), which no kernel
 * can tell from other orders that CUDA allows: a grid does not wait for those it launches. */
#ifndef MDP_SIM_FUNC_DEVICE_LAUNCH_H
#define MDP_SIM_FUNC_DEVICE_LAUNCH_H

#include "sim/func/warp.h"

struct device_launch {
    struct kernel *kernel;
    int grid[3], block[3];
    uint32_t dyn_shared;
    addr_t params;   /* kernel->param_bytes in the device's heap */
    uint64_t parent; /* linear index of the CTA that launched it */
    bool launched;   /* so far only its parameters have been asked for */
    bool tail;       /* cudaStreamTailLaunch: after all others */
    int number;      /* of those launched */
};

struct device_launches {
    struct device_launch *v;
    int n, cap, n_launched;
    struct device_error *errors; /* last errors of threads that have one */
    int nerrors, cap_errors;
    int depth;        /* of the grid that launches */
    uint64_t handles; /* of streams and events so far */
};

/* In the order in which they run: the tail launches last; by the CTA that launched them; as it
 * did so. */
void device_launches_sort(struct device_launches *d);
void device_launches_fini(struct device_launches *d); /* but not the parameters */

/* The built-ins, for one lane. Arguments are as in the call. */
addr_t device_parameter_buffer(struct warp *w, const struct inst *in, int lane,
                               const struct device_launch *asked, addr_t kernel);
/* A cudaError. */
uint32_t device_launch_now(struct warp *w, addr_t params, uint64_t stream);
#define DEVICE_LAUNCH_TOO_DEEP 65 /* cudaErrorLaunchMaxDepthExceeded */
#define DEVICE_LAUNCH_DEPTH    24 /* grids that the host launches are at depth 0 */
void device_set_error(struct warp *w, int lane, uint32_t error);
uint32_t device_last_error(const struct warp *w, int lane);
uint64_t device_new_handle(struct warp *w);

#endif
