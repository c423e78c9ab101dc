/* sim/gpu/gpu.h -- the whole GPU: cores, networks, partitions, clocks; one launch after another.
 * A gpu keeps its caches, DRAM rows and scheduler state from launch to launch. */
#ifndef MDP_SIM_GPU_GPU_H
#define MDP_SIM_GPU_GPU_H

#include "base/stats.h"
#include "sim/cta/cta_scheduler.h"
#include "sim/func/warp.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/sm/occupancy.h"
#include "sim/sm/sched/sched_counts.h"

struct gpu; /* opaque */

struct gpu_interval {              /* a stretch of a launch, handed to gpu_opts.interval */
    cycle_t end;                   /* core cycles since the launch began */
    int resident;                  /* CTAs on the cores at its end */
    const struct run_stats *stats; /* of the stretch alone; mf_latency_max too */
};

struct gpu_work {        /* of a launch so far, handed to gpu_opts.work */
    uint64_t ctas;       /* that have ended */
    cycle_t cycles;      /* core cycles */
    uint64_t warp_insts; /* issued */
    uint64_t polls;      /* of these, in loops that only wait (sim/func/poll.h) */
    uint64_t waiting;    /* core cycles in which a warp of a CTA is in one, summed over CTAs */
};

struct gpu_opts {
    int n;                        /* CTA limit a core; at most as many as fit, and at least
                                     gpu_least_degree() */
    uint64_t max_cycles;          /* core cycles a launch may take; 0: no limit */
    uint64_t max_warp_insts;      /* as soon as more were issued the launch ends: true, and what was
                                     counted until then; CTAs are left on the cores, so that the gpu is
                                     good for nothing else. 0: no limit */
    uint64_t first_cta, num_ctas; /* num 0: the whole grid; the sampler's window runs one */
    const uint64_t *cta_list; /* num_ctas linear ids, handed out in this order; NULL: as above */
    bool alone;    /* some are left out, and all that run provably wait for these: FAULT_NEVER_ENDS;
                      false: only a limit ends that */
    int only_core; /* -1: all; else CTAs go to this core alone */
    const struct cta_predictor *predictor; /* for CTA schedulers that want one; NULL: none */
    bool trace_working_set;                /* count distinct L1D lines a CTA */
    /* called every `progress_every` core cycles or somewhat later (0: 100,000); false: stop */
    bool (*progress)(void *user, uint64_t ctas_done, uint64_t ctas_all, cycle_t now);
    void *progress_user;
    cycle_t progress_every;
    /* called in each cycle in which CTAs end, and every `work_every` core cycles or somewhat later
     * (0: never). False: the launch ends here, as with max_warp_insts. */
    bool (*work)(void *user, const struct gpu_work *w);
    void *work_user;
    cycle_t work_every;
    /* called every `every` core cycles (0: never), and once for what is left at the end */
    uint64_t every;
    void (*interval)(void *user, const struct gpu_interval *i);
    void *interval_user;
    /* cfg.top.cores of them, NULL: nobody asks; what each core counted is added (DRAM, L2 and
     * networks belong to no core) */
    struct run_stats *per_core;
    struct inst_counts *inst_counts; /* kernel.ninst of them, NULL: nobody asks; what each
                                      * instruction did is added */
    struct warm *warm;   /* what L2 held before, beside what it holds (sim/mem/warm.h), or NULL;
                            borrowed up to the next launch */
    uint64_t code_since; /* sm_ran_before() of every core; 0: the kernel has not */
    bool reverse_ticks;  /* for tests: cores take their turns from the last to the first */
};

/* cfg is copied. NULL and e: contradictions in the config. */
struct gpu *gpu_new(const struct gpu_cfg *cfg, struct err *e);
void gpu_free(struct gpu *g);
/* Of the same cfg, and has run nothing yet: its next launch finds the caches, and the core whose
 * turn it is, as the launches of `from` have left them. What is on its way there, open rows and
 * such are not copied. */
void gpu_copy_caches(struct gpu *g, const struct gpu *from);
/* Runs one launch to completion and adds its statistics to *out (cleared by the caller). False: a
 * fault, a hang, max_cycles reached or stopped by progress(); *out has what was counted until then,
 * and the gpu is good for nothing else. */
bool gpu_launch(struct gpu *g, struct launch *l, const struct gpu_opts *o, struct run_stats *out,
                struct err *e);

/* What warp schedulers, and parts that are off by default, counted in all launches. */
void gpu_sched_counts(const struct gpu *g, struct sched_counts *add);
/* What a user should know of the kernel that was launched last under this GPU's warp scheduler, to
 * be read behind the kernel's name; NULL: nothing. */
const char *gpu_note(const struct gpu *g);

/* Lets what a finished launch left on its way arrive (instructions fetched ahead, dirty lines), for
 * at most max_cycles. True: nothing is left in any queue, MSHR or pool. */
bool gpu_drain(struct gpu *g, uint64_t max_cycles);

/* Registers a thread. With .maxntid the code generator spares them until .minnctapersm CTAs of so
 * many threads, or one, fit on a core (PTX ISA, performance-tuning directives). */
int gpu_regs(const struct gpu_cfg *cfg, const struct launch *l);
/* How many CTAs of this launch fit on one core, and what sets the limit. */
int gpu_occupancy(const struct gpu_cfg *cfg, const struct launch *l,
                  enum occ_limit *why); /* 0: one CTA does not fit */
/* ... on all cores: a wave. */
int gpu_resident_ctas(const struct gpu_cfg *cfg, const struct launch *l);
/* What a CTA of it takes of a core; l: after launch_init(). */
struct cta_resources gpu_cta_resources(const struct gpu_cfg *cfg, const struct launch *l);
/* The fewest CTAs a core with which the launch runs: a cooperative launch needs all its CTAs on the
 * cores at once, one in clusters those of a cluster. */
int gpu_least_degree(const struct gpu_cfg *cfg, const struct launch *l);
/* The most CTAs that a core gets when they are dealt evenly: all higher degrees are the same under
 * the static CTA scheduler. */
int gpu_most_degree(const struct gpu_cfg *cfg, const struct launch *l);
/* False: more than fit, so that it cannot run; e says what for. */
bool gpu_has_room(const struct gpu_cfg *cfg, const struct launch *l, struct err *e);

#endif
