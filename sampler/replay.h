/* sampler/replay.h -- traced CTAs run again on one core, n at a time, by the clock alone: nothing
 * is executed and no value computed, only when things happen. The core has its warp scheduler, its
 * scoreboard, fetch, units with intervals, L1s with MSHRs and merges; what it sends is served, with
 * what the other cores send meanwhile, by L2 slices and DRAM channels that know open rows, bank
 * groups, turn-around and the width of the bus.
 *
 * The other cores are not run: whenever this one sends a transaction, each of them sends the one
 * that stands at the same place of the CTA beside ours. That keeps which channels are asked at the
 * same time, and leaves out that cores drift apart (they are taken to be PHASE cycles apart). */
#ifndef MDP_SAMPLER_REPLAY_H
#define MDP_SAMPLER_REPLAY_H

#include "sampler/trace.h"

struct replay_opts {
    int n;          /* CTAs at once */
    double latency; /* core cycles of a request's way to its partition and back, without DRAM */
    double stretch; /* what DRAM takes for a command, x the time that its bus is held */
    bool alone;     /* no other core runs */
    uint64_t mark;  /* warp instructions of the core after which the clock is read; 0: not */
};

struct replay_result { /* of one launch; cycles are the core's */
    uint64_t ctas, insts;
    double cycles; /* until the last CTA is done */
    double wave;   /* of n CTAs, once all places are taken */
    double spread; /* between the ends of the first and the last of the last n CTAs, in waves */
    double mark_cycles;  /* when the marked instruction issued; 0: it never did */
    double cta_cycles;   /* mean from a CTA's start to its end */
    double read_latency; /* mean, of data reads that leave the core */
    /* Requests of this core's CTAs: in the first round, when caches are cold, and later. */
    uint64_t first_ctas, l1d_accesses, l1d_misses, l1d_merges;
    double dram_reads_first, dram_reads_later; /* data reads of DRAM for them */
};

struct replay; /* opaque */
struct replay *replay_new(const struct gpu_cfg *cfg, const struct replay_opts *o);
void replay_free(struct replay *r);
/* One launch after another: caches and DRAM keep their state. At most `ctas` of the trace. */
void replay_run(struct replay *r, const struct trace *t, int ctas, struct replay_result *out);

#endif
