/* cli/explain.h -- sample --explain: what is predicted at every n, and what each part of the model
 * says there. */
#ifndef MDP_CLI_EXPLAIN_H
#define MDP_CLI_EXPLAIN_H

#include "cli/output.h"
#include "cli/set_degree.h"
#include "model/model.h"

struct explanation { /* all borrowed */
    const char *title;
    int part; /* of the kernel's launches; 0: all, or the first group of like ones */
    const struct model_ops *model;
    const void *coeff;
    struct model_kernels kernels;
    const struct prediction *all;     /* of these kernels together */
    const struct cta_resources *uses; /* [kernels] */
    const struct sm_cfg *sm;
};

/* First what the model's columns mean, then tables for each explanation. */
void explain_meanings(FILE *out, const struct model_ops *m);
void explain_print(FILE *out, const struct explanation *x);
/* An object "explain" of arrays by n into the present one; JSON only. */
void explain_output(struct output *out, const struct explanation *x);
/* An array by n: what bounds it. */
void bounds_output(struct output *out, const char *name, const struct prediction *p, int n_max);

#endif
