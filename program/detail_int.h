/* program/detail_int.h -- detail.c and detail_launch.c: what they share. */
#ifndef MDP_PROGRAM_DETAIL_INT_H
#define MDP_PROGRAM_DETAIL_INT_H

#include <time.h>

#include "program/detail.h"
#include "program/device_time.h"
#include "program/kernels.h"
#include "program/known.h"
#include "program/measure.h"
#include "program/repeat.h"
#include "program/tracer.h"
#include "program/undo.h"
#include "sampler/profile/launch_watch.h"
#include "sim/func/race.h"
#include "sim/func/stray.h"

struct detail {
    struct recorder *recorder; /* borrowed */
    const struct program_plan *plan;
    struct executor x;
    struct kernels kernels;
    struct repeats *repeats;         /* owned */
    struct known *known;             /* owned */
    struct tracer *tracer;           /* owned; NULL: nothing is recorded */
    struct gpu *gpu[DEVMEM_DEVICES]; /* owned; of a plain run; NULL until the first launch */
    int number;                      /* of the running launch in the process */
    int launches;                    /* so far */
    int running;                     /* of them, at present: all but one wait for others */
    struct progress *line; /* borrowed; of the launch that began last; NULL: it has ended */
    struct timespec begun; /* when the program made its first call */
    bool disturbed;        /* ... have waited: nothing is learned of what they read and wrote */
    struct degrees degrees[DEVMEM_DEVICES][GPU_CFG_PERTURBATIONS + 1];
    struct strays strays; /* of a lenient plan */
    struct races *races;  /* owned; NULL: nobody looks for them */
    struct device_time time;
    struct sampling_driver driver;
    struct model_coeffs model; /* of driver.opts */
    bool ended;                /* nothing more is kept in driver.unfinished */
    double executed_insts;     /* warp instructions of all launches before the running one */
    struct launch_facts facts; /* of the running launch, where it is looked at */
    struct usage used;         /* ... what it used, until the next one */
    struct undo undo;          /* ... where memory may be wanted as it was before */
};

struct kept_sample {             /* of unfinished_launch.owner */
    struct kernel_state *kernel; /* borrowed */
    struct record_sample sample;
};

/* What a sample took that failed. */
void detail_put_tried(const struct detail *d, const struct kernel_state *k,
                      const struct sample_cost *cost);
/* Cycles of a launch that was only executed: see docs/programs.md, Time. */
uint64_t detail_estimate(const struct detail *d, const struct kernel_state *k,
                         const struct record_launch *r);
/* One more launch of the kernel, by --max-launches. */
bool detail_may_measure(const struct detail *d, const struct kernel_state *k);
struct func_counts detail_counts(const struct record_launch *r);

/* What may be done with a launch; each fills r. False and e: it failed. */
bool detail_execute(struct detail *d, const struct kernel_state *k, struct launch *l,
                    struct func_opts *fo, struct record_launch *r, struct err *e);
/* Or not even that, where memory holds what it would write. */
bool detail_only_execute(struct detail *d, struct kernel_state *k, struct launch *l,
                         const struct repeat *rep, struct record_launch *r, struct err *e);
/* In place. */
bool detail_simulate(struct detail *d, struct kernel_state *k, struct launch *l,
                     struct record_launch *r, struct err *e);
/* It is to be measured on copies of memory, or credited to the cluster of like ones that was. */
bool detail_try_out(struct detail *d, struct kernel_state *k, struct launch *l, struct repeat *rep,
                    struct record_launch *r, struct err *e);

#endif
