#include "sampler/code_seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

void code_seen_init(struct code_seen *c, int cores)
{
    *c = (struct code_seen){.cores = cores};
}

void code_seen_fini(struct code_seen *c)
{
    for (int i = 0; i < c->kernels; i++)
        free(c->core[i]);
}

/* Where k stands, or a place for it: that of the one that ran longest ago if none is left. */
static int place_of(struct code_seen *c, const struct kernel *k)
{
    int i = 0;
    while (i < c->kernels && c->kernel[i] != k)
        i++;
    if (i < c->kernels)
        return i;
    if (c->kernels == CODE_SEEN) {
        i = 0;
        free(c->core[i]);
    } else {
        c->kernels++;
    }
    c->core[i] = xcalloc((size_t)c->cores, sizeof *c->core[i]);
    return i;
}

void code_seen_add(struct code_seen *c, const struct kernel *k, int first, uint64_t ctas)
{
    const int i = place_of(c, k), last = c->kernels - 1;
    bool *core = c->core[i];
    memmove(&c->core[i], &c->core[i + 1], (size_t)(last - i) * sizeof *c->core);
    memmove(&c->kernel[i], &c->kernel[i + 1], (size_t)(last - i) * sizeof *c->kernel);
    c->core[last] = core;
    c->kernel[last] = k;
    for (int n = 0; n < c->cores && (uint64_t)n < ctas; n++)
        core[(first + n) % c->cores] = true;
}

bool code_seen_by(const struct code_seen *c, int i, int core, int number)
{
    return c->core[i][(core + number) % c->cores];
}
