/* cli/answer.h -- what `sample` says first, on one screen: the degree, what it gains, what bounds
 * the kernel, how to set it, and the price. */
#ifndef MDP_CLI_ANSWER_H
#define MDP_CLI_ANSWER_H

#include "cli/explain.h"
#include "cli/price.h"

struct gain { /* of the chosen degree over the default, as a part of it; 0.1: ten percent */
    double mean;
    bool known;       /* the model knows its error */
    double low, high; /* ... between these it lies with a probability of 80 %; NAN: not known */
};
struct gain answer_gain(const struct prediction *p);

struct answer { /* all borrowed */
    const struct explanation *of;
    const struct price *price;
    const char *gpu;
    enum effort effort;
    bool every_kernel; /* says of each how to set the degree; else of the first few */
};
void answer_print(FILE *out, const struct answer *a);
/* What set_degree_blocks() says of the kernel, as a sentence that ends with `more`; nothing where
 * it says nothing. */
void answer_blocks(FILE *out, const struct sm_cfg *c, const struct cta_resources *k, int n,
                   const char *kernel, const char *more);
/* Degrees that may be better than the chosen one still: "n = 2, 3"; NULL: none. The caller frees
 * it. */
char *answer_undecided(const struct prediction *p);
struct query { /* query_rows: what an answer is of */
    const char *target, *gpu, *model;
    enum effort effort;
};
/* effort_name(), for rows. */
const char *answer_effort_text(const void *field);
/* chosen_n, predicted gain and its interval, what is undecided, into the present object. */
void answer_output(struct output *out, const struct prediction *p);
void answer_output_undecided(struct output *out, const struct prediction *p);

#endif
