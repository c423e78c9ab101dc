/* sampler/replay.h -- traced CTAs run again on all cores, n at a time on each, by the clock alone:
 * nothing is executed and no value computed, only when things happen. A core has its warp
 * schedulers, its scoreboard, fetch, its pipeline (sampler/pipeline.h), L1s with MSHRs and merges;
 * what it sends passes, with what the others send, the networks and the memory partitions, which
 * are the simulator's own (sim/gpu/uncore.h): it is DRAM's scheduler that decides which of many
 * requests wait and for how long, and nothing simpler was found that tells. Three cores with the
 * others' transactions as echoes of theirs were up to 40 % off where CTAs are long.
 *
 * Each core gets its CTAs as if all were dealt round; of a launch that is replayed whole they are
 * dealt one by one, as the simulator does. */
#ifndef MDP_SAMPLER_REPLAY_H
#define MDP_SAMPLER_REPLAY_H

#include "sampler/l1_state.h"
#include "sampler/l2_state.h"
#include "sampler/trace.h"

struct replay_opts {
    int n;      /* CTAs at once, of launches that have room for so many */
    bool alone; /* core 0 runs and no other one */
    bool whole; /* a core gets the next CTA when it has room */
    int first;  /* core that gets the first CTA of the first launch, with whole */
    /* As soon as more warp instructions were issued the launch ends, and the replay is good for
     * nothing else (gpu_opts.max_warp_insts). 0: no limit */
    uint64_t most_insts;
};

struct replay_result {    /* of one launch; cycles are the core's, means over the cores */
    uint64_t ctas, insts; /* of all cores */
    int cores;            /* that had a CTA */
    bool short_of_insts;  /* a warp came to the end of what is recorded of it, and has more */
    double cycles; /* until the last CTA is done, or the launch was ended; of the slowest core if a
                      core gets two at most, or if the launch is whole */
    double last;   /* of the slowest core */
    double wave;   /* of n CTAs, once all places are taken */
    double cta_cycles;   /* mean from a CTA's start to its end */
    double read_latency; /* mean, of data reads that leave the core */
    double bus;          /* part of the time for which DRAM's buses are taken */
    /* Requests of the cores' CTAs: in the first round, when caches are cold, and later. */
    uint64_t first_ctas, l1d_accesses, l1d_misses, l1d_merges;
    double dram_reads_first, dram_reads_later; /* data reads of DRAM for them */
};

struct replay_cta { /* core cycles from the launch's start on */
    double start, end;
};

struct replay; /* opaque */
struct replay *replay_new(const struct gpu_cfg *cfg, const struct replay_opts *o);
void replay_free(struct replay *r);
/* From now on each core's L1s hold these lines; core: that core 0 of the replay is. */
void replay_set_l1(struct replay *r, const struct l1_state *s, int core);
/* From now on L2 holds these lines. */
void replay_set_l2(struct replay *r, const struct l2_state *s);
/* Before the first launch: a core has run the kernel, after those that were told before; its L1I
 * holds what fits of its code. */
void replay_set_code(struct replay *r, int core, const struct kernel *k);
/* From now on L2 holds the kernel's code. */
void replay_set_l2_code(struct replay *r, const struct kernel *k);
/* One launch after another: caches and DRAM keep their state. At most `ctas` of each core;
 * of a whole launch all. */
void replay_run(struct replay *r, const struct trace *t, int ctas, struct replay_result *out);
/* Of the launch that was run last, replay_result's wave if n CTAs had been allowed at once; no
 * fewer than were. */
double replay_wave(const struct replay *r, int n);
/* Of the launch that was run last: a core's CTAs in the order of their start; valid until the next
 * one is run. */
const struct replay_cta *replay_ctas(const struct replay *r, int core, int *ctas);

#endif
