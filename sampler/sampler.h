/* sampler/sampler.h -- the single-CTA window: one CTA of each distinct kernel of a target runs
 * alone on one core of the detailed simulator; everything else of the program is executed
 * functionally, so that later launches see the right data. */
#ifndef MDP_SAMPLER_SAMPLER_H
#define MDP_SAMPLER_SAMPLER_H

#include "model/effort.h"
#include "sampler/window.h"
#include "sim/frontend/target.h"

struct sampler_opts {
    int64_t cta; /* which CTA; -1: one whose instruction count is nearest to the launch's mean */
    uint64_t max_cycles;
    struct window_opts window;
    enum effort effort;
    double budget;       /* CPU seconds; 0: no limit */
    int jobs;            /* host threads of the replays; 0: one. The results are the same */
    bool by_group;       /* one launch of each group is replayed, even of a short program */
    double tried_beyond; /* a program of more warp instructions is tried at every degree (trial.h);
                            0: none is */
    /* At every launch and CTA, fraction of the work in 0..1; false: stop. Called from any thread,
     * by one at a time. */
    bool (*progress)(void *user, double fraction);
    void *user;
};

struct sample_set {
    int nkernels;
    /* owned; one a group of like launches of a kernel, in order of its first */
    struct sample *kernel;
    uint64_t warp_insts; /* simulated in detail, all windows and what refines: the cost */
    uint64_t functional_warp_insts; /* executed without timing */
    double host_seconds;            /* CPU time of that */
    double functional_seconds;
    uint64_t replayed_warp_insts; /* of traces, at every degree */
    double replay_seconds;
    double program_insts;           /* warp instructions of one full run */
    int tried_kernel, tried_launch; /* what a trial is worth most of: the group with the most warp
                                       instructions, and the launch that stands for it */
};

bool sampler_run(const struct target *t, const struct gpu_cfg *cfg, const struct sampler_opts *o,
                 struct sample_set *out, struct err *e);
/* Tries one degree of what sampler_run() has sampled: fills its tried_kernel's trial_* there. */
bool sampler_try(const struct target *t, const struct gpu_cfg *cfg, const struct sampler_opts *o,
                 int n, struct sample_set *set, struct err *e);
void sample_set_release(struct sample_set *s);

#endif
