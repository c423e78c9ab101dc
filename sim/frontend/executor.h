/* sim/frontend/executor.h -- what happens to a launch: the front end prepares it, an executor runs
 * it (functionally, cycle by cycle, sampled). */
#ifndef MDP_SIM_FRONTEND_EXECUTOR_H
#define MDP_SIM_FRONTEND_EXECUTOR_H

#include "sim/func/warp.h"
#include "sim/gpu/gpu_cfg.h"

/* link: between host and device; fill: memory is written only */
enum copy_route { COPY_ON_DEVICE, COPY_OVER_LINK, FILL_ON_DEVICE };

struct executor {
    bool (*launch)(void *self, struct launch *l, struct err *e);
    void *self;
    /* Host code copied these bytes out of device memory; NULL: nobody asks. */
    void (*to_host)(void *self, const void *bytes, size_t n);
    const struct gpu_cfg *device; /* what host code may ask about; NULL: the default parameters */
    psec_t (*now)(void *self);    /* device time that launches took so far; NULL: none passes */
    void (*copy)(void *self, uint64_t bytes,
                 enum copy_route route); /* a copy; NULL: takes no time */
};

#endif
