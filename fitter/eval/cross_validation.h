/* fitter/eval/cross_validation.h -- who chooses the best degree, and at what price? Every predictor
 * names an n for every case of a profile and is judged by what was simulated there.
 *
 * A model never sees the application that it is judged by: its coefficients are fitted anew for
 * each application, to all others on the same GPU (or on other ones: cv_opts.gpus), of every size;
 * and so is what is known of pilots. Applications of each size are judged apart. Coefficients that
 * a paper states saw none of ours; such a model enters as it stands, and fitted as well. The
 * default model enters as each effort asks it: "window", "quick", "thorough". */
#ifndef MDP_FITTER_EVAL_CROSS_VALIDATION_H
#define MDP_FITTER_EVAL_CROSS_VALIDATION_H

#include "fitter/eval/predictor.h"

/* GPUs whose applications a fit sees: the case's own; all but that, so that it is new to the fit;
 * all, as of the coefficients that are shipped. */
enum cv_gpus { CV_SAME_GPU, CV_OTHER_GPUS, CV_ALL_GPUS, CV_GPUS };
/* "same", "other", "all". */
const char *cv_gpus_name(enum cv_gpus g);
/* False: there is none of that name. */
bool cv_gpus_find(const char *name, enum cv_gpus *out);

struct cross_validation {
    enum cv_gpus gpus;
    struct case_set cases;
    const char *main_size;       /* cases_main_size; borrowed from them */
    struct predictor *predictor; /* owned: "default", efforts, models, "search", "optimum" */
    int predictors;
    struct choice *choice; /* owned: case by case, predictor by predictor; see cv_choice */
};

struct cv_opts {
    const char *const *model; /* which models; NULL: all */
    int models;
    enum cv_gpus gpus;
    int jobs; /* threads */
};

/* False and e: the profile lacks something, or has no run at all, or a model's own coefficients
 * can't be read. */
bool cv_run(struct profile *p, const struct cv_opts *o, struct cross_validation *out,
            struct err *e);
void cv_release(struct cross_validation *c);

/* Of a case that was not run (m.n_max 0) there is nothing but what models predict, and that only
 * where another case of the workload was run. */
const struct choice *cv_choice(const struct cross_validation *c, int the_case, int predictor);

/* How many cases it would have had pilots of, but the profile has none. */
int cv_unpiloted(const struct cross_validation *c, int predictor);

/* The cases of a size and a GPU (NULL: of all) that were run, and whose L1D has from lo to hi
 * bytes.
 */
struct case_group {
    char name[160]; /* "yen2014, 8 KB"; where cases are of several sizes "yen2014, medium, 8 KB" */
    const char *gpu, *size;
    int64_t lo, hi;
    bool once; /* judged by one run of each degree, not by the mean of perturbed ones */
};
bool case_in_group(const struct case_group *g, const struct app_case *c);
/* All cases of the main size: "all". */
struct case_group cv_main(const struct cross_validation *c);
/* Each GPU's L1D sizes, up to 32 KB and beyond, each GPU, all, and if there are perturbed runs all
 * once more, `once`; then the same of other sizes; those that say something new. *out: owned by the
 * caller; returns how many. */
int cv_groups(const struct cross_validation *c, struct case_group **out);
/* *worst (NULL is fine): the case in which it keeps least, -1: none. */
void cv_metrics(const struct cross_validation *c, const struct case_group *g, int predictor,
                struct metrics *out, int *worst);

#endif
