/* sampler/representative.h -- a launch that stands for others like it, of a target or of a CUDA
 * program: sampled, or where its CTAs wait for each other simulated at some degrees; and what a
 * user is told of that. Device memory stays as it is. */
#ifndef MDP_SAMPLER_REPRESENTATIVE_H
#define MDP_SAMPLER_REPRESENTATIVE_H

#include "sampler/profile/launch_cluster.h"
#include "sampler/sample_launch.h"

struct representative {
    const struct gpu_cfg *cfg;       /* borrowed */
    const struct sample_opts *opts;  /* borrowed; its CTA and its pilots may take as many cycles as
                                        its instructions may need, and at most opts->max_cycles */
    struct launch_facts *facts;      /* borrowed; sampling adds to them */
    const struct launch_cluster *of; /* borrowed; the launches that it stands for */
    bool waits; /* its CTAs wait for each other: set if they do, and not looked for if it is */
};

/* Fills *d and adds to *cost, also if it fails. What the kernel prints is the caller's business. */
bool representative_sample(struct representative *r, struct launch *l, struct sample *d,
                           struct sample_cost *cost, struct err *e);
/* Adds a pilot to those of a sample that has been taken, if sample_more_gain(). */
bool representative_more(const struct representative *r, const struct launch *l, struct sample *d,
                         struct sample_cost *cost, struct err *e);

/* Why d has no window, or one that says nothing of waiting: waits, as the representative had it, or
 * the launch is short; NULL: it has a window, or nothing is to be chosen. The caller frees. */
char *representative_text(const struct launch *l, const struct launch_facts *facts,
                          const struct sample *d, bool waits);
/* The fewest CTAs at once with which the launch ends, if with fewer it would run and never end; 0:
 * there are no such. */
int representative_least(const struct gpu_cfg *cfg, const struct launch *l, const struct sample *d);
/* A sentence on that, of a kernel or a target; the caller frees. */
char *representative_least_text(const char *name, int least);

#endif
