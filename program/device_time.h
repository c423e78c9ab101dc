/* program/device_time.h -- simulated time of the program's device, which its events read: launches
 * take core cycles, copies what the link or DRAM needs for their bytes. */
#ifndef MDP_PROGRAM_DEVICE_TIME_H
#define MDP_PROGRAM_DEVICE_TIME_H

#include "sim/frontend/executor.h"

struct device_time {
    const struct gpu_cfg *cfg; /* borrowed */
    psec_t now;                /* since the program's start */
};

void device_time_pass(struct device_time *t, uint64_t cycles);
void device_time_copy(struct device_time *t, uint64_t bytes, enum copy_route route);

#endif
