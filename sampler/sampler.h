/* sampler/sampler.h -- what a model needs to know of a program: a sample of each cluster of like
 * launches. Everything else of the program is executed without timing, so that later launches see
 * the right data. */
#ifndef MDP_SAMPLER_SAMPLER_H
#define MDP_SAMPLER_SAMPLER_H

#include "model/effort.h"
#include "sampler/sample_launch.h"
#include "sim/frontend/target.h"
#include "sim/sm/occupancy.h"

struct sampler_opts {
    int64_t cta; /* which CTA; -1: one whose instruction count is nearest to the launch's mean */
    struct sample_opts sample;
    /* At every launch and CTA, fraction of the work in 0..1; false: stop. Called from any thread,
     * by one at a time. */
    bool (*progress)(void *user, double fraction);
    void *user;
};

struct sample_set {
    int nkernels;
    /* owned; one a cluster of like launches of a kernel, in order of its first */
    struct sample *kernel;
    struct cta_resources *uses; /* owned, [nkernels]: what a CTA of it takes of a core */
    struct sample_cost cost;
    double program_insts; /* warp instructions of one full run */
    char **note;          /* owned; sentences on kernels that can't be sampled */
    int notes;
};

bool sampler_run(const struct target *t, const struct gpu_cfg *cfg, const struct sampler_opts *o,
                 struct sample_set *out, struct err *e);
void sample_set_release(struct sample_set *s);

#endif
