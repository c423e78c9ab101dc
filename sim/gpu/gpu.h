/* sim/gpu/gpu.h -- the whole GPU: cores, networks, partitions, clocks; one launch after another.
 * A gpu keeps its caches, DRAM rows and scheduler state from launch to launch. */
#ifndef MDP_SIM_GPU_GPU_H
#define MDP_SIM_GPU_GPU_H

#include "base/stats.h"
#include "sim/func/warp.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/sm/occupancy.h"

struct gpu; /* opaque */

struct gpu_opts {
    int n;                        /* CTA limit a core; clamped to the occupancy limit */
    uint64_t max_cycles;          /* core cycles a launch may take; 0: no limit */
    uint64_t first_cta, num_ctas; /* num 0: the whole grid; the sampler's window runs one */
    int only_core;                /* -1: all; else CTAs go to this core alone */
    bool trace_working_set;       /* count distinct L1D lines a CTA */
    /* called about every 100,000 cycles; false: stop */
    bool (*progress)(void *user, uint64_t ctas_done, uint64_t ctas_all, cycle_t now);
    void *progress_user;
};

/* cfg is copied. NULL and e: contradictions in the config. */
struct gpu *gpu_new(const struct gpu_cfg *cfg, struct err *e);
void gpu_free(struct gpu *g);
/* Runs one launch to completion and adds its statistics to *out (cleared by the caller). False: a
 * fault, a hang, or max_cycles reached. */
bool gpu_launch(struct gpu *g, struct launch *l, const struct gpu_opts *o, struct run_stats *out,
                struct err *e);

/* How many CTAs of this launch fit on one core, and what sets the limit. */
int gpu_occupancy(const struct gpu_cfg *cfg, const struct launch *l,
                  enum occ_limit *why); /* 0: one CTA does not fit */

#endif
