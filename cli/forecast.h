/* cli/forecast.h -- sample, then model: what `sample` prints and `compare` puts to the test. */
#ifndef MDP_CLI_FORECAST_H
#define MDP_CLI_FORECAST_H

#include "cli/options.h"
#include "fitter/fit/coefficients.h"
#include "model/model.h"
#include "sampler/sampler.h"

struct simulated_degree { /* of the whole target */
    int n;
    double ipc, predicted; /* before that */
};

struct tried_degree { /* sampler/trial.h, of the set's tried_kernel */
    int n;
    double ipc, predicted; /* of the whole target: by that; before that */
};

struct forecast {
    const struct model_ops *model;
    struct coefficients coeff; /* owned; the model's */
    struct sample_set set;
    struct prediction *kernel; /* owned; one a sample */
    struct prediction all;     /* of the whole application: all.chosen_n is the answer */
    struct simulated_degree simulated[MODEL_N_MAX]; /* --refine, in this order */
    int simulations;
    struct tried_degree tried[MODEL_N_MAX]; /* ... of a program that is too long for that */
    int trials;
    uint64_t total_ctas;
    double total_warp_insts; /* of one full run, counted functionally */
};

/* The model that --model names, with its own coefficients or those of --coefficients. */
bool forecast_model(struct options *o, struct coefficients *out, struct err *e);
/* Takes --model, --coefficients, --cta, --refine, --refine-insts, --jobs and --max-cycles from o.
 */
bool forecast_run(struct options *o, const struct target *t, const struct gpu_cfg *cfg,
                  struct forecast *out, struct err *e);
/* CTAs at once of the kernel that is tried, where others may have n: what its trial_* are of. */
int forecast_tried_at(const struct forecast *f, int n);
/* Its kernels, as model.h wants them together; k: one of them, -1: all. */
struct model_kernels forecast_kernels(const struct forecast *f, int k);
void forecast_release(struct forecast *f);

#endif
