/* cli/forecast.h -- sample, then model: what `sample` prints and `compare` puts to the test. */
#ifndef MDP_CLI_FORECAST_H
#define MDP_CLI_FORECAST_H

#include "cli/price.h"
#include "cli/sample_report.h"
#include "fitter/fit/coefficients.h"
#include "model/model.h"
#include "sampler/sampler.h"

struct forecast {
    const struct model_ops *model;
    struct coefficients coeff; /* owned; the model's */
    struct pilot_coeff pilots;
    struct sampling rules;
    struct sample_set set;
    struct prediction *kernel; /* owned; one a sample */
    struct prediction all;     /* of the whole application: all.chosen_n is the answer */
    struct posterior *known;   /* owned; ... of which that is */

    struct price price; /* whoever prints it calls price_end() */
    uint64_t total_ctas;
    double total_warp_insts, total_thread_insts; /* of one full run, counted functionally */
};

/* The model of that name; NULL and e, a usage error: there is none. */
const struct model_ops *forecast_find_model(struct options *o, const char *name, struct err *e);
/* Those of pilot simulations. */
bool forecast_pilots(struct pilot_coeff *out, struct err *e);
/* On stderr, before anything runs: what a thorough answer of `sample` may cost, without a budget.
 */
void forecast_say_cost(const struct options *o, const struct pilot_coeff *c);
/* The model that --model names, with its own coefficients or those of --coefficients. */
bool forecast_model(struct options *o, struct coefficients *out, struct err *e);
/* Takes --model, --coefficients, --effort, --budget, --cta, --jobs and --max-cycles from o. */
bool forecast_run(struct options *o, const struct target *t, const struct gpu_cfg *cfg,
                  struct forecast *out, struct err *e);
/* Its kernels, as model.h wants them together; k: one of them, -1: all. */
struct model_kernels forecast_kernels(const struct forecast *f, int k);
void forecast_release(struct forecast *f);

#endif
