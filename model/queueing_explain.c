/* queueing_explain.c -- what the replays and the dispatcher say, n by n. */
#include "model/queueing.h"

#define COLUMN(name) \
    static double name(const void *coeff, const struct sample *s, const struct prediction *p, int n)
#define NOT_USED (void)coeff, (void)p

COLUMN(replayed_ctas)
{
    NOT_USED;
    return s->replay_ctas[n - 1];
}

COLUMN(replayed_cycles)
{
    NOT_USED;
    return s->replay_cycles[n - 1];
}

COLUMN(wave_cycles)
{
    NOT_USED;
    return s->replay_wave[n - 1];
}

COLUMN(launch_cycles)
{
    NOT_USED;
    return s->replay_launch[n - 1];
}

COLUMN(dram_bus)
{
    NOT_USED;
    return s->replay_bus[n - 1];
}

COLUMN(dram_reads)
{
    NOT_USED;
    return queueing_reads(s, n);
}

COLUMN(l1d_miss_rate)
{
    NOT_USED;
    return s->replay_miss_rate[n - 1];
}

COLUMN(latency)
{
    NOT_USED;
    return s->replay_latency[n - 1];
}

const struct model_column queueing_columns[] = {
    {"replayed_ctas", "CTAs", "of a core's share of a launch, replayed n at once", replayed_ctas},
    {"replayed_cycles", "cycles", "until the last of them is done", replayed_cycles},
    {"wave_cycles", "cycles", "of n CTAs, once all places are taken", wave_cycles},
    {"launch_cycles", "cycles", "of the whole launch, its CTAs dealt to all cores", launch_cycles},
    {"dram_bus", "ratio", "part of the time for which DRAM's buses are taken", dram_bus},
    {"dram_reads", "requests", "DRAM reads of a CTA", dram_reads},
    {"l1d_miss_rate", "ratio", "L1D misses / accesses", l1d_miss_rate},
    {"latency", "cycles", "mean latency of a read", latency},
    {NULL, NULL, NULL, NULL}};
