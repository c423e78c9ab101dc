/* fitter/eval/predictor.h -- who names a degree: asked for one case of a profile, it answers with
 * an n, and with what the answer costs. Nothing is simulated here. A predictor that simulates to
 * decide is shown what the profile recorded of the degrees that it asks for, and of no other, one
 * after the other, as the sampler would run them.
 *
 * A profile has pilots of every degree up to 8; further on they are a quarter apart. What a pilot
 * in between would have found is interpolated, and so is what it would have taken. */
#ifndef MDP_FITTER_EVAL_PREDICTOR_H
#define MDP_FITTER_EVAL_PREDICTOR_H

#include "fitter/eval/cases.h"
#include "model/pilots.h"

struct choice {        /* of one predictor for one case */
    int n;             /* 0: no single n */
    double ipc;        /* simulated: the mean of all runs */
    double seconds;    /* CPU time of the answer; NAN: not known */
    double warp_insts; /* simulated in detail for it */
    bool unpiloted;    /* it asked for pilots, and the profile has none */
    bool predicts;
    struct prediction predicted;
    struct evaluation mean; /* by the mean of all runs */
    struct evaluation once; /* by the runs that are not perturbed alone */
};

/* What other applications have taught. */
struct knowledge {
    struct model_coeffs model; /* borrowed; .model NULL: none is asked */
    struct pilot_coeff pilots;
};

struct predictor {
    char name[64];
    const char *help;
    const struct model_ops *model; /* NULL: it asks none */
    bool fitted;                   /* its coefficients are, for each application */
    /* Fills n, seconds and warp_insts; predicted, if it predicts. */
    void (*predict)(const struct app_case *c, const struct knowledge *k, struct choice *out);
    int fits, refused; /* of the fits that were tried: it kept the file's coefficients */
    char why[512];     /* the first of these was refused; else empty */
};

/* Those that ask no model: as many CTAs as fit; the best by one run of each degree; the best by
 * all runs. */
extern const struct predictor predictor_default, predictor_search, predictor_optimum;

/* A model asked the way of an effort; of model_pilots, which is none: every pilot, without another
 * model. */
void predict_window(const struct app_case *c, const struct knowledge *k, struct choice *out);
void predict_quick(const struct app_case *c, const struct knowledge *k, struct choice *out);
void predict_thorough(const struct app_case *c, const struct knowledge *k, struct choice *out);
void predict_by_pilots(const struct app_case *c, const struct knowledge *k, struct choice *out);

#endif
