/* queueing_explain.c -- what the replays and the waves after them say, n by n. */
#include <math.h>

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

COLUMN(waves_left)
{
    NOT_USED;
    const double ctas = s->replay_ctas[n - 1], share = sample_share(s);
    return ctas > 0 ? fmax(0, share - ctas) / fmin(n, ctas) : 0;
}

COLUMN(wave_cycles)
{
    NOT_USED;
    return s->replay_wave[n - 1];
}

COLUMN(launch_cycles)
{
    NOT_USED;
    return queueing_cycles(s, n, false);
}

COLUMN(dram_sensitivity)
{
    NOT_USED;
    const double fast = queueing_cycles(s, n, false), slow = queueing_cycles(s, n, true);
    return fast > 0 && slow > 0 ? log(slow / fast) / log(QUEUEING_SLOW) : 0;
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
    {"waves_left", "waves", "of n CTAs, that the replay leaves of the share", waves_left},
    {"wave_cycles", "cycles", "of one such wave", wave_cycles},
    {"launch_cycles", "cycles", "both together, before n's neighbours are looked at",
     launch_cycles},
    {"dram_sensitivity", "ratio", "0: slower DRAM changes nothing; 1: DRAM bounds it",
     dram_sensitivity},
    {"dram_reads", "requests", "DRAM reads of a CTA", dram_reads},
    {"l1d_miss_rate", "ratio", "L1D misses / accesses", l1d_miss_rate},
    {"latency", "cycles", "mean latency of a read", latency},
    {NULL, NULL, NULL, NULL}};
