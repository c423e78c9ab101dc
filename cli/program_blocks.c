/* program_blocks.c -- search --block-sizes of a program: it takes its block size from the
 * environment, and runs once for each. */
#include <stdlib.h>

#include "base/demangle.h"
#include "cli/program.h"

void program_blocks_tell(int block_size)
{
    char text[16];
    snprintf(text, sizeof text, "%d", block_size);
    setenv(BLOCK_SIZE_ENV, text, 1);
}

/* Of the fewest cycles. */
static struct block_choice choose(const struct program_result *r, const struct verdict *v)
{
    const struct record_kernel *k = &v->k->k;
    const struct cta_resources uses = program_resources(k);
    return (struct block_choice){
        .of = xstrdup(v->name),
        .size = r->block_size,
        .n_max = v->deflt,
        .n = v->optimum,
        .deflt = outcome_cycles(v->k, v->deflt),
        .cycles = outcome_cycles(v->k, v->optimum),
        .paste = block_paste(&r->cfg->sm, &uses, k->block, v->optimum, k->name)};
}

bool program_blocks_add(const struct program_result *r, struct delivery *d, struct err *e)
{
    bool followed = false;
    for (int i = 0; i < r->found->kernels; i++) {
        const struct verdict *v = &r->v[i];
        if (!v->measured || program_resources(&v->k->k).threads != r->block_size)
            continue;
        followed = true;
        block_choices_add(&d->blocks, choose(r, v));
    }
    return followed ||
           err_set(e,
                   "%s: no kernel that was simulated had blocks of %d threads; the program has to "
                   "take its block size from the variable " BLOCK_SIZE_ENV " of the environment",
                   r->o->arg[0], r->block_size);
}
