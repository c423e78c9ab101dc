/* fitter/eval/cases.h -- what a profile says of each application in each setting: its samples, and
 * what it did at every n, all of its kernels together. */
#ifndef MDP_FITTER_EVAL_CASES_H
#define MDP_FITTER_EVAL_CASES_H

#include "base/stats.h"
#include "fitter/eval/metrics.h"
#include "fitter/store/profile.h"

struct case_runs;

struct app_case {
    char gpu[64], config[32], numbering[32];
    char target[128];            /* "nbf:small" */
    char workload[64], size[64]; /* "nbf", "small" */
    int64_t l1d_bytes, seed, warps;
    struct sample *sample; /* owned */
    int samples;
    struct case_runs *at;       /* owned, while rows are read; then NULL */
    int runs;                   /* of each degree */
    struct measured m;          /* over all of its runs. n_max 0: sampled, but not run */
    struct measured once;       /* the runs that are not perturbed alone */
    double sample_warp_insts;   /* simulated in detail for the samples */
    double full_warp_insts;     /* of one run; where there is none, as executing it counted them */
    double search_warp_insts;   /* of a run of each degree; 0: there are none */
    struct profile_price price; /* CPU time; all 0: not measured */
};

bool case_has_price(const struct app_case *c);
/* CPU time of a run of each degree: as measured, or that of one simulation for each; NAN: not
 * known. */
double case_search_seconds(const struct app_case *c);

struct case_set {
    struct app_case *one; /* owned; by GPU, L1D, application */
    int count;
};

/* False and e: of a case that was run, a degree that its samples allow was not, or not with every
 * perturbation that another degree was. */
bool cases_load(struct profile *p, struct case_set *out, struct err *e);
void cases_release(struct case_set *s);
/* The size that most of the cases that were run have, of equals the longer one (by the warp
 * instructions of a run, mean); "" if none was run. */
const char *cases_main_size(const struct case_set *s);

#endif
