/* sampler/driver.h -- samples launches one after another, whoever launches them: a target, in the
 * second of its passes (sampler.h); a CUDA program, while it runs (program/); a caller of
 * libmdpredict, for whom each launch is a program of its own. It has what goes from one launch to
 * the next: what the GPU's memory delivers, which kernels ran last, what pilots have left of their
 * budgets, what has been said. */
#ifndef MDP_SAMPLER_DRIVER_H
#define MDP_SAMPLER_DRIVER_H

#include <stdio.h>

#include "sampler/representative.h"
#include "sampler/unfinished.h"
#include "sim/func/memory.h"

struct sampling_driver {
    /* The caller's; what they point at is borrowed. */
    const struct gpu_cfg *cfg;
    struct sample_opts opts; /* without rates, rest and program_insts */
    int64_t cta;             /* to sample; -1: one near the mean of the launch */
    double program_insts;    /* warp instructions of all launches; INFINITY: nobody knows yet */
    /* A sentence on a kernel that is not sampled as others are; what kind of launch it has is said
     * once. NULL: nobody listens. */
    void (*say)(void *user, const char *sentence);
    void *user;

    struct memory_rates rates; /* of the GPU; the caller's if it has some already */
    struct pilot_rest rest;
    struct unfinished unfinished;
    struct recent_code code[DEVMEM_DEVICES];
    struct said {
        char *kernel; /* owned */
        enum sampling_news { NEWS_WAITS, NEWS_SHORT, NEWS_LEAST } what;
        int least; /* of NEWS_LEAST: the largest that was said */
    } * said;      /* owned */
    int nsaid;
    FILE *nowhere; /* what sampled kernels print */
};

/* The caller's fields are filled, and all others 0. */
void sampling_driver_begin(struct sampling_driver *d);
/* Once, after begin: frees what it owns. */
void sampling_driver_end(struct sampling_driver *d);

/* The device has a new context: nothing has run on it. */
void sampling_driver_reset(struct sampling_driver *d, int device);
/* A launch has run, sampled or not. */
void sampling_driver_ran(struct sampling_driver *d, const struct launch *l);
/* What is asked of a launch that runs next is added to what executing it tells. */
void sampling_driver_ask(const struct sampling_driver *d, const struct launch *l,
                         struct launch_facts *facts);

struct sampled_launch {              /* a representative */
    const struct launch *l;          /* borrowed; with memory as it found it */
    struct launch_facts *facts;      /* borrowed; sampling adds to them */
    const struct launch_cluster *of; /* borrowed; NULL: it stands for itself, so far */
    bool waits;     /* its CTAs wait for each other: set if they do, and not looked for if it is */
    bool told;      /* ... and the user has been told */
    bool may_go_on; /* it can be kept until the end */
};
/* Fills *out and adds to *cost, also if it fails. Device memory stays as it is. */
bool sampling_driver_sample(struct sampling_driver *d, struct sampled_launch *x, struct sample *out,
                            struct sample_cost *cost, struct err *e);
/* Expected gain of another pilot at the end (sample_more_gain()); > 0: the launch should be kept,
 * by unfinished_keep(). */
double sampling_driver_gain(const struct sampling_driver *d, const struct sample *s);

/* Says that the kernel never ends with fewer than `least` CTAs at once, if no more have been said.
 */
void sampling_driver_say_least(struct sampling_driver *d, const char *kernel, int least);

struct sampling_end { /* what is the caller's business of a launch that goes on */
    /* Warp instructions of the launches that it stands for. */
    double (*insts)(void *user, const struct unfinished_launch *x);
    /* Another pilot was run, or failed. */
    void (*took)(void *user, struct unfinished_launch *x, bool ok, const struct sample_cost *cost);
    void (*progress)(void *user, double done); /* NULL: nobody asks */
    void *user;
};
/* All launches have run, of so many warp instructions in all: what is left of the budgets goes to
 * those that were kept. */
void sampling_driver_finish(struct sampling_driver *d, double program_insts,
                            const struct sampling_end *by);

#endif
