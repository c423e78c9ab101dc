/* library/library.h -- what stands behind the handles of include/mdpredict.h. The header is the
 * contract; nothing here is seen from outside. */
#ifndef MDP_LIBRARY_LIBRARY_H
#define MDP_LIBRARY_LIBRARY_H

#include "include/mdpredict.h"
#include "program/measure.h"
#include "sim/frontend/context.h"

struct mdpredict_gpu {
    struct gpu_cfg cfg;
};

struct mdpredict_module {
    struct mdpredict_device *device; /* borrowed */
    struct module *module;           /* borrowed from the device's context */
    struct mdpredict_module *next;
};

struct mdpredict_device {
    struct program_plan plan; /* the GPU, and how its launches are measured */
    struct executor x;
    struct context *context;          /* owned */
    struct mdpredict_module *modules; /* owned */
    struct gpu *gpu;                  /* owned; of simulated launches; NULL until the first */
    struct memory_rates rates;        /* of the GPU */
    /* What happens to the launch that comes; its argument. */
    bool (*act)(struct mdpredict_device *d, struct launch *l, struct err *e);
    struct mdpredict_result *result; /* borrowed; NULL: none is wanted */
    int n;                           /* asked for, then what it is */
};

struct mdpredict_result {
    int n, n_max;
    bool predicted; /* by n in `known`; else counted in run[n].stats */
    struct prediction known;
    struct record_run *run; /* owned; [n_max + 1] */
};

/* The thread's failure; empty at the start of every call. */
struct err *library_failed(void);
struct err *library_begin(void);

#endif
