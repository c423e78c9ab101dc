/* cli/block_sizes.h -- search --block-sizes: every degree at each of several block sizes, and which
 * block takes the fewest cycles. IPC does not tell: another block executes other instructions. */
#ifndef MDP_CLI_BLOCK_SIZES_H
#define MDP_CLI_BLOCK_SIZES_H

#include "cli/search.h"

#define BLOCK_SIZE_ENV "MDPREDICT_BLOCK_SIZE" /* what a program reads: threads of a block */

struct block_choice {     /* what one block size is worth, for a kernel or a whole target */
    char *of;             /* owned: whose */
    int size;             /* threads */
    int n_max, n;         /* as many as fit; with the fewest cycles */
    double deflt, cycles; /* core cycles of all launches, at n_max and n */
    char *paste;          /* owned: lines of CUDA that get n */
};
struct block_choices {
    struct block_choice *at; /* owned */
    int count;
};

/* c takes what is owned. */
void block_choices_add(struct block_choices *b, struct block_choice c);
/* For each kernel its block sizes, the best of them, and its lines. */
void block_choices_print(FILE *out, const struct block_choices *b);
void block_choices_free(struct block_choices *b);
/* The lines for n CTAs of that block at once; the caller frees them. */
char *block_paste(const struct sm_cfg *c, const struct cta_resources *k, const int block[3], int n,
                  const char *kernel);

/* Of a target that was searched at that size. */
struct block_choice block_choose(const struct gpu_cfg *cfg, const char *of, int size,
                                 const struct search *s);

#endif
