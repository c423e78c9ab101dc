#include "program/device_time.h"

#define LINK_BYTES_PER_US 8000 /* PCIe 2.0 x16 */

void device_time_pass(struct device_time *t, uint64_t cycles)
{
    t->now += cycles * 1000000 / (uint64_t)t->cfg->clock.core;
}

static uint64_t dram_bytes_per_us(const struct gpu_cfg *cfg)
{
    const struct dram_cfg *m = &cfg->mem.dram;
    return (uint64_t)m->bus_bytes * (uint64_t)m->chips * (uint64_t)m->data_rate *
           (uint64_t)cfg->mem.partition.count * (uint64_t)cfg->clock.dram;
}

void device_time_copy(struct device_time *t, uint64_t bytes, enum copy_route route)
{
    uint64_t per_us = LINK_BYTES_PER_US;
    if (route != COPY_OVER_LINK) /* a copy reads as much as it writes */
        per_us = dram_bytes_per_us(t->cfg) / (route == COPY_ON_DEVICE ? 2 : 1);
    t->now += (psec_t)((double)bytes * 1e6 / (double)(per_us ? per_us : 1));
}
