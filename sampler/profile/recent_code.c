#include "sampler/profile/recent_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/sm/sm.h"

static uint64_t bytes_of(const struct kernel *k)
{
    return (uint64_t)k->ninst * SM_INST_BYTES;
}

static int find(const struct recent_code *r, const struct kernel *k)
{
    for (int i = 0; i < r->n; i++)
        if (r->of[i].bytes == bytes_of(k) && strcmp(r->of[i].name, k->name) == 0)
            return i;
    return r->n;
}

void recent_code_ran(struct recent_code *r, const struct kernel *k)
{
    const int at = find(r, k);
    if (at == r->n) {
        r->of = xrealloc(r->of, (size_t)(r->n + 1) * sizeof *r->of);
        r->of[r->n++] = (struct recent_kernel){xstrdup(k->name), bytes_of(k)};
    }
    const struct recent_kernel it = r->of[at];
    memmove(r->of + 1, r->of, (size_t)at * sizeof *r->of);
    r->of[0] = it;
}

uint64_t recent_code_since(const struct recent_code *r, const struct kernel *k)
{
    const int at = find(r, k);
    uint64_t bytes = 0;
    for (int i = 0; at < r->n && i <= at; i++)
        bytes += r->of[i].bytes;
    return bytes;
}

void recent_code_fini(struct recent_code *r)
{
    for (int i = 0; i < r->n; i++)
        free(r->of[i].name);
    free(r->of);
}
