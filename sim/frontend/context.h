/* sim/frontend/context.h -- one simulated device's memory, the modules loaded on it, and the
 * sequence of launches. Launch files and the driver API both stand on it.
 *
 *   context_new -> context_load (parse, place, initialise variables) -> context_launch ... -> free
 *
 * A context is used by one thread at a time; contexts share nothing, so threads may each have one.
 */
#ifndef MDP_SIM_FRONTEND_CONTEXT_H
#define MDP_SIM_FRONTEND_CONTEXT_H

#include "sim/frontend/executor.h"

#define DEVICE_MALLOC_LIMIT (8u << 20) /* the device heap that CUDA gives a kernel by default */

/* What CUDA allows a launch, whatever the device. */
#define LAUNCH_MAX_THREADS 1024
#define LAUNCH_MAX_BLOCK_X 1024
#define LAUNCH_MAX_BLOCK_Y 1024
#define LAUNCH_MAX_BLOCK_Z 64
#define LAUNCH_MAX_GRID_X  2147483647
#define LAUNCH_MAX_GRID_YZ 65535
bool launch_grid_ok(int64_t x, int64_t y, int64_t z);
bool launch_block_ok(int64_t x, int64_t y, int64_t z);

struct context;

/* x is borrowed; NULL: a context that only loads modules (disasm, validation). */
struct context *context_new(const struct executor *x);
/* A context of device `device` of several, of which `beside`, one of the same process or NULL, has
 * the memory: addresses are one space, so that copies and kernels reach what lies on other devices.
 */
struct context *context_new_on(const struct executor *x, int device, int devices,
                               struct context *beside);
/* What kernels see beside their own device's memory: bit i, that of device i. */
void context_see(struct context *c, unsigned devices);
void context_free(struct context *c);
struct devmem *context_mem(struct context *c);
struct textures *context_textures(struct context *c); /* texture objects, surfaces, samplers */
/* Managed variables are placed in memory that the host sees at the same addresses. Borrowed. */
struct host_region;
void context_share_host(struct context *c, struct host_region *r);
void context_limit_heap(struct context *c, uint64_t bytes); /* of malloc() in kernels */
uint64_t context_heap(const struct context *c);

/* Parses PTX, gives every module variable an address, copies the initialisers. The context owns the
 * module. Text needs no NUL. */
struct module *context_load(struct context *c, const char *name, const char *text, size_t len,
                            struct err *e);
/* Frees a module and releases its variables. */
void context_unload(struct context *c, struct module *m);

struct launch_shape {
    int grid[3], block[3];
    int cluster[3]; /* CTAs; 0: as the kernel says */
    uint32_t dyn_shared;
    bool cooperative; /* its CTAs wait for each other: all are there at once */
    int regs;         /* registers a thread, for occupancy; 0: as the kernel needs */
    const struct trace_launch *recorded;    /* NULL: it is executed */
    bool (*others)(void *user, bool stuck); /* of struct launch */
    void *others_user;
};
/* params: kernel->param_bytes bytes, copied. Runs to completion. */
bool context_launch(struct context *c, struct kernel *k, const struct launch_shape *s,
                    const void *params, struct err *e);
/* Why the last launch failed; kind FAULT_NONE: it was refused before it began. */
const struct fault *context_fault(const struct context *c);

#endif
