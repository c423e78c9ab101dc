/* model/model.h -- a model maps samples and coefficients to predicted IPC(n), and the decision
 * follows. Pure arithmetic: no simulator, no I/O (the online controller calls it too). */
#ifndef MDP_MODEL_MODEL_H
#define MDP_MODEL_MODEL_H

#include "base/params.h"
#include "model/bound.h"
#include "model/sample.h"

#define MODEL_N_MAX 64
#define MODEL_DEFAULT                                                          \
    "bottleneck" /* the name of the model that answers unless another is asked \
                  */

struct prediction { /* of one kernel; arrays are indexed by n, 1..n_max, or 1..last */
    int n_max, chosen_n;
    int last;  /* beyond n_max: what n_max of its CTAs do beside n of other kernels'; 0: the same */
    int least; /* with fewer at once its CTAs wait for ever; 0: with none */
    int same_from;      /* from here on degrees are one and the same; 0: not known */
    bool compute_bound; /* of equal IPC the larger n is chosen; else the smaller */
    double margin; /* the largest n is chosen unless another promises more than this above it */
    double error;  /* standard deviation of the logarithm of ipc; 0: the model doesn't know */
    double fit_error[MODEL_N_MAX + 1]; /* as much again by its coefficients' fit: model_predict() */
    double error_correlation, correlation_length; /* how much of its errors degrees share:
                                                     model/posterior.h; 0: nothing */
    bool piloted[MODEL_N_MAX + 1]; /* a pilot simulation was run there; of several kernels: of
                                      the one that takes longest */
    bool wants_pilot; /* another one would be worth it, and there is one or none: a budget ended */
    bool simulated[MODEL_N_MAX + 1]; /* the whole program was simulated there */
    bool far_off; /* ... and at one of these took unlike what was predicted: estimate_run() */
    double ipc[MODEL_N_MAX + 1];
    double deviation[MODEL_N_MAX + 1]; /* standard deviation of ln ipc; 0: not known */
    double gain_deviation; /* of ln(ipc at chosen_n / ipc at n_max); 0: not known, or the same n */
    bool undecided[MODEL_N_MAX + 1]; /* it may be better than chosen_n, by more than is worth it */
    double dram_reads_per_cta[MODEL_N_MAX + 1];
    double miss_rate[MODEL_N_MAX + 1];
    double mf_latency[MODEL_N_MAX + 1];
    double cta_cycles[MODEL_N_MAX + 1];
    const char *bound[MODEL_N_MAX + 1]; /* bound_name() */
};

/* What was measured of a kernel at one n; means over its CTAs. */
struct model_state {
    double dram_reads, miss_rate, mf_latency, cta_cycles;
    double cycles; /* of the GPU, over all launches */
};

struct model_step {              /* from n - 1 to n */
    const struct sample *sample; /* the part with the most work */
    const struct sample *part;   /* [parts]: groups of like launches of the kernel */
    int parts;
    const struct model_state *before, *now;
    int n;
};

/* A coefficient at which a curve changes from one segment to the next, and the quantity that is
 * compared with it. */
struct model_jump {
    const char *coeff;
    double (*quantity)(const struct model_step *s);
};

/* A part of a model that can be put beside measurements: the growth of something from n - 1 to n
 * as a factor, or its size at n, and the coefficients that it depends on. A fit works on the
 * logarithms. */
struct model_stage {
    const char *name;
    const char *const *coeff;      /* names of those that it depends on smoothly; ends with NULL */
    const struct model_jump *jump; /* ends with coeff == NULL */
    double (*predicted)(const void *coeff, const struct model_step *s);
    double (*observed)(const struct model_step *s);
    /* Which of coeff[] alone the step depends on, -1: on none of them. NULL: on several. */
    int (*segment)(const void *coeff, const struct model_step *s);
    bool whole; /* no growth but a size, at n = 1 too; `before` is not looked at */
};

/* An application's kernels and what is predicted of each. */
struct model_kernels {
    const struct sample *sample;         /* [kernels] */
    const struct prediction *prediction; /* [kernels] */
    int kernels;
};

/* What a part of a model says about n CTAs at once, for people. */
struct model_column {
    const char *name, *unit, *help;
    double (*value)(const void *coeff, const struct sample *s, const struct prediction *p, int n);
};

struct model_ops {
    const char *name, *help;
    const struct param_group
        *groups; /* its coefficients; the file data/coefficients/NAME.cfg holds them */
    size_t coeff_size;
    bool needs_pilots; /* a window alone tells it nothing */
    bool refines;      /* what is simulated at one degree says something of the others:
                          `error_correlation` */
    const struct model_stage *stages;   /* ends with name == NULL */
    const struct model_column *columns; /* what its stages predict; ends with name == NULL */
    void (*predict)(const void *coeff, const struct sample *s,
                    struct prediction *out); /* fills ipc[1..n_max] ... and chosen_n */
};

struct model_coeffs { /* borrowed */
    const struct model_ops *model;
    const void *value;
    const double *covariance; /* by rows and columns of the model's table, 0 where there is none;
                                 NULL: nothing is known of it */
};

const struct model_ops *model_find(const char *name); /* exact; NULL: unknown */
const struct model_ops *model_at(int i);
/* Of a CTA's time with n at once, the part in which units (arithmetic, LD/ST, what leads to them)
 * are taken: by its own warps, as the window counted, and by other CTAs. */
double model_unit_wait(const struct sample *s, const struct prediction *p, int n);
/* Of it: more CTAs gain next to nothing from there on. It names what bounds a launch, and chooses
 * no degree. */
#define MODEL_UNIT_BOUND 0.4
/* What bounds n CTAs at once by ipc, dram_reads_per_cta, cta_cycles and mf_latency; dram: whether
 * DRAM does if nothing nearer to the core does. */
const char *model_bound(const struct sample *s, const struct prediction *p, int n, bool dram);
/* The n of highest ipc; of equals (within 1e-9, relative) the smallest, or the largest. */
int model_decide(const double *ipc, int n_max, bool prefer_high);
/* Fills chosen_n from ipc, compute_bound and margin: half of it (as a factor) is taken from what is
 * only predicted of a degree, and half given to what is only predicted of the largest. */
void model_choose(struct prediction *p);
/* With fewer CTAs at once than sample_least() the launch never ends: what is said of them is that
 * of as many, and none is chosen. */
void model_leave_out(const struct sample *s, struct prediction *p);
/* Fills ipc of a sample without a window (sample_searched()): what the simulations of it have
 * found, at a degree without one what the next larger one with one has; and what bounds those that
 * were simulated. All else is NAN. */
void model_searched(const struct sample *s, struct prediction *p);
/* Where a pilot was simulated its counters say what bounds n: puts that into p->bound. */
void model_simulated_bounds(const struct sample *s, struct prediction *p);
/* What bounds more CTAs than a core gets of a launch: what bounds as many as it gets, but the grid
 * where more of them would hide more latency. */
enum bound model_bound_beyond(enum bound of_share, bool beyond);
/* Several kernels of one application: total time at n is the sum over kernels (each clamped to its
 * own n_max, or last); IPC = all thread instructions / total time. */
void model_combine(const struct sample *s, const struct prediction *p, int kernels,
                   struct prediction *out);
/* Predicts each kernel (kernel[kernels]) and all of them together, and fills their fit_error. */
void model_predict(const struct model_coeffs *c, const struct sample *s, int kernels,
                   struct prediction *kernel, struct prediction *all);
/* A column at n, a kernel's n being at most its own n_max, or last; of several kernels the mean
 * over them, weighted by the time that each takes at n. */
double model_column(const struct model_column *c, const void *coeff, const struct model_kernels *k,
                    int n);
/* error, and fit_error at n, together; 0: none is known. */
double model_error(const struct prediction *p, int n);

/* Of normally distributed errors 80 % lie within so many standard deviations of the mean. */
#define MODEL_DEVIATIONS_80 1.2815515655446004

#endif
