#include "sampler/profile/recent_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/sm/sm.h"

void recent_code_init(struct recent_code *r, int cores, int most)
{
    *r = (struct recent_code){
        .cores = cores, .most = most, .core = xcalloc((size_t)cores, sizeof *r->core)};
    for (int i = 0; i < cores; i++)
        r->core[i].of = xcalloc((size_t)most, sizeof *r->core[i].of);
}

void recent_code_fini(struct recent_code *r)
{
    for (int i = 0; i < r->n; i++)
        free(r->known[i].name);
    for (int i = 0; i < r->cores; i++)
        free(r->core[i].of);
    free(r->known);
    free(r->core);
    *r = (struct recent_code){0};
}

static uint64_t bytes_of(const struct kernel *k)
{
    return (uint64_t)k->ninst * SM_INST_BYTES;
}

/* r->n: it is not known. */
static int find(const struct recent_code *r, const struct kernel *k)
{
    for (int i = 0; i < r->n; i++)
        if (r->known[i].bytes == bytes_of(k) && strcmp(r->known[i].name, k->name) == 0)
            return i;
    return r->n;
}

static int add(struct recent_code *r, const struct kernel *k)
{
    r->known = xrealloc(r->known, (size_t)(r->n + 1) * sizeof *r->known);
    r->known[r->n] = (struct recent_kernel){xstrdup(k->name), bytes_of(k)};
    return r->n++;
}

/* c->n: it has not run there. */
static int place_of(const struct core_code *c, int kernel)
{
    int at = 0;
    while (at < c->n && c->of[at] != kernel)
        at++;
    return at;
}

static void runs_on(struct core_code *c, int most, int kernel)
{
    int at = place_of(c, kernel);
    if (at == most)
        at--; /* the oldest goes */
    else if (at == c->n)
        c->n++;
    memmove(c->of + 1, c->of, (size_t)at * sizeof *c->of);
    c->of[0] = kernel;
}

/* Cores to which a launch goes, from the one behind the last. */
static int cores_of(const struct recent_code *r, uint64_t ctas)
{
    return ctas < (uint64_t)r->cores ? (int)ctas : r->cores;
}

static struct core_code *core_at(const struct recent_code *r, int i)
{
    return &r->core[(r->last + 1 + i) % r->cores];
}

void recent_code_ran(struct recent_code *r, const struct kernel *k, uint64_t ctas)
{
    int kernel = find(r, k);
    if (kernel == r->n)
        kernel = add(r, k);
    for (int i = 0; i < cores_of(r, ctas); i++)
        runs_on(core_at(r, i), r->most, kernel);
    r->last = (int)(((uint64_t)r->last + ctas) % (uint64_t)r->cores);
}

bool recent_code_has(const struct recent_code *r, const struct kernel *k)
{
    return find(r, k) < r->n;
}

uint64_t recent_code_since(const struct recent_code *r, const struct kernel *k, uint64_t ctas)
{
    const int kernel = find(r, k);
    uint64_t most = 0;
    for (int i = 0; i < cores_of(r, ctas); i++) {
        const struct core_code *c = core_at(r, i);
        const int at = place_of(c, kernel);
        uint64_t bytes = 0;
        if (at == c->n)
            return 0;
        for (int j = 0; j <= at; j++)
            bytes += r->known[c->of[j]].bytes;
        most = bytes > most ? bytes : most;
    }
    return most;
}
