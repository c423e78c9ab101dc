/* program/measure.h -- one launch in detail: in place, or on copies of device memory, so that the
 * launch itself and its memory stay as they are: at every degree, or one CTA of it as a sample. */
#ifndef MDP_PROGRAM_MEASURE_H
#define MDP_PROGRAM_MEASURE_H

#include "base/progress.h"
#include "program/recorder.h"
#include "sampler/profile/launch_facts.h"
#include "sim/func/run.h"
#include "sim/gpu/gpu.h"

struct measure_progress {  /* of some runs together */
    struct progress *line; /* borrowed; NULL: nobody looks */
    int runs;
    _Atomic uint64_t done; /* millionths of runs */
};
struct measure_opts {
    uint64_t max_cycles;
    struct inst_counts *counts; /* borrowed: of each instruction; NULL: they are not counted */
    struct measure_progress *progress; /* borrowed; NULL: nobody looks */
};
/* In place, at r->n; fills the rest of what r measures. *g: the GPU that it finds as the launch
 * before left it; NULL: it is made; NULL again when the launch fails. */
bool measure_launch(struct gpu **g, const struct program_plan *p, struct launch *l,
                    const struct measure_opts *opts, struct record_run *r, struct err *e);

struct degrees { /* from launch to launch */
    /* Owned: the GPU that ran the launch before at its highest degree, whose caches each degree of
     * the next one finds; NULL: there was none. */
    struct gpu *before;
};
void degrees_free(struct degrees *d);

struct measured_degrees {
    struct record_run *out; /* [n_max + 1] */
    int n_max;
    int perturbation;      /* gpu_cfg_perturbation() of the plan's GPU; 0: none */
    struct progress *line; /* borrowed; NULL: nobody looks */
};
/* m->out[1 .. n_max] are filled (kernel and launch are the caller's; below gpu_least_degree(), and
 * where its CTAs wait for ever, with what it does at the least n at which it ends): n_max first,
 * which tells what the others may take; then plan's jobs at a time. Every degree begins with the
 * same caches; those above gpu_most_degree() are not simulated again. False: e tells of the highest
 * degree that failed, and no GPU is left. */
bool measure_degrees(struct degrees *d, const struct program_plan *p, const struct launch *l,
                     const struct measured_degrees *m, struct err *e);
struct measured_launch { /* borrowed */
    const struct launch *l;
    struct launch_facts *facts; /* measure_sample() adds to them */
    struct memory_rates *rates; /* of the plan's GPU, for all launches */
    struct pilot_rest *rest;    /* what pilots of earlier ones left; NULL: no other will come */
    bool again;                 /* more pilots are possible when the program has ended */
    bool *waits; /* its CTAs wait for each other: set if they do, and not looked for if it is; NULL:
                    nobody asks */
};
bool measure_sample(const struct program_plan *p, const struct measured_launch *m,
                    struct record_sample *out, struct err *e);
/* sample_more_gain() of it. */
double measure_pilot_gain(const struct program_plan *p, const struct record_sample *s);
/* It is run. out->cost is what that took. */
bool measure_more(const struct program_plan *p, const struct measured_launch *m,
                  struct record_sample *out, struct err *e);

#endif
