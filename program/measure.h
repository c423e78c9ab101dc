/* program/measure.h -- one launch in detail: in place, or on copies of device memory, so that the
 * launch itself and its memory stay as they are: at every degree, or as a sample. */
#ifndef MDP_PROGRAM_MEASURE_H
#define MDP_PROGRAM_MEASURE_H

#include "base/progress.h"
#include "program/recorder.h"
#include "sampler/driver.h"
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
/* x->l as a sample; a thorough answer confirms it by whole runs. */
bool measure_sample(struct sampling_driver *d, const struct program_plan *p,
                    struct sampled_launch *x, struct record_sample *out, struct err *e);
/* The driver of a plan's samples. model: filled; p and it must outlive *out. */
void measure_driver(const struct program_plan *p, struct model_coeffs *model,
                    struct sampling_driver *out);

#endif
