#include "sampler/pilot/scale_model.h"

#include <math.h>

int scale_model_least(const struct gpu_cfg *full)
{
    return full->top.cluster_size < full->top.cores ? full->top.cluster_size : full->top.cores;
}

static int scaled(int value, double by)
{
    return (int)fmax(1, round(value * by));
}

/* By how much the partitions of so many cores have to be scaled to be whole, either way. */
static double scaling(const struct gpu_cfg *full, int cores)
{
    const double parts = (double)full->mem.partition.count * cores / full->top.cores;
    return exp(fabs(log(parts / scaled(1, parts))));
}

int scale_model_slice(const struct gpu_cfg *full, const struct pilot_params *by)
{
    const int cluster = scale_model_least(full), clusters = full->top.cores / cluster;
    const int slices =
        full->top.cores % cluster
            ? 1
            : (int)common_divisor((uint64_t)clusters, (uint64_t)full->mem.partition.count);
    if (slices > 2)
        return full->top.cores / slices;
    int some = (clusters + by->slice_of - 1) / by->slice_of;
    while (some < clusters && scaling(full, some * cluster) > by->most_scaling + 1e-9)
        some++;
    return (some < clusters ? some : (clusters + by->slice_most - 1) / by->slice_most) * cluster;
}

/* The nearest power of two. */
static int scaled_power(int value, double by)
{
    return 1 << (int)fmax(0, round(log2(value * by)));
}

/* A channel with so much of its bandwidth: as many chips as that takes, on a slower clock. Row
 * timings keep their nanoseconds; activates come as much more rarely as the channel is smaller. */
static void scale_dram(struct gpu_cfg *c, double by)
{
    struct dram_cfg *d = &c->mem.dram;
    const int chips = (int)ceil(d->chips * by - 1e-9), banks = d->banks;
    const double slower = d->chips * by / chips;
    int *const keep[] = {&d->tRCD, &d->tRAS, &d->tRP,   &d->tRC,
                         &d->tCL,  &d->tWL,  &d->tCDLR, &d->tWR};
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
        *keep[i] = scaled(*keep[i], slower);
    d->tRRD = scaled(d->tRRD, slower / by);
    d->chips = chips;
    c->clock.dram = scaled(c->clock.dram, slower);
    d->queue = scaled(d->queue, by);
    d->banks = scaled_power(banks, by);
    if (d->bank_groups > 1)
        d->bank_groups = scaled_power(d->bank_groups, (double)d->banks / banks);
    d->row_bit += (int)round(log2((double)d->banks / banks));
}

bool scale_model(const struct gpu_cfg *full, int cores, double network, struct gpu_cfg *out,
                 struct err *e)
{
    *out = *full;
    if (cores >= full->top.cores)
        return true;
    const double parts = (double)full->mem.partition.count * cores / full->top.cores;
    const double by = parts / scaled(1, parts);
    out->top.cores = cores;
    out->mem.partition.count = scaled(1, parts);
    out->mem.model.partitions = full->mem.partition.count;
    out->mem.model.flit_bytes = full->icnt.flit_bytes;
    out->mem.model.header_bytes = full->icnt.header_bytes;
    out->clock.icnt = scaled(full->clock.icnt, by * network);
    if (fabs(by - 1) > 1e-9) {
        scale_dram(out, by);
        out->clock.l2 = scaled(full->clock.l2, by);
        const int ways = out->mem.l2.ways;
        out->mem.l2.ways = scaled(ways, by);
        out->mem.l2.size = full->mem.l2.size / ways * out->mem.l2.ways;
    }
    out->mem.model.l2_cycle = (double)out->clock.core / out->clock.l2;
    out->mem.model.flit_cycle = (double)out->clock.core / out->clock.icnt;
    return gpu_cfg_check(out, e);
}
