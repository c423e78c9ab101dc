#include "cli/set_degree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

#define DYNAMIC_STEP 16    /* dynamic shared memory starts at a multiple of it */
#define BLOCKS_NAMED 4     /* block sizes, at most, the smallest first */
#define PLAIN_SHARED 49152 /* bytes a CTA; beyond, CUDA wants to be asked */

static int fixed_shared(const struct cta_resources *k)
{
    return ((int)k->static_shared + DYNAMIC_STEP - 1) / DYNAMIC_STEP * DYNAMIC_STEP;
}

bool set_degree_is_same(const char *kernel, const struct cta_resources *k, const char *other,
                        const struct cta_resources *others)
{
    return strcmp(kernel, other) == 0 && memcmp(k, others, sizeof *k) == 0;
}

int set_degree_dynamic(const struct cta_resources *k)
{
    const int fixed = fixed_shared(k);
    return (int)k->all_shared > fixed ? (int)k->all_shared - fixed : 0;
}

int set_degree_shared(const struct sm_cfg *c, const struct cta_resources *k, int n)
{
    const int fixed = fixed_shared(k), now = set_degree_dynamic(k);
    if (occupancy(c, k->threads, k->regs, (int)k->all_shared, NULL) == n)
        return now;
    for (int more = (now + DYNAMIC_STEP - 1) / DYNAMIC_STEP * DYNAMIC_STEP;
         fixed + more <= c->shared_bytes; more += DYNAMIC_STEP) {
        const int fit = occupancy(c, k->threads, k->regs, fixed + more, NULL);
        if (fit <= n)
            return fit == n ? more : -1;
    }
    return -1;
}

static const char *as_it_is(const struct cta_resources *k, char *out)
{
    snprintf(out, SET_DEGREE_ROOM, "as it is");
    if (k->limit == OCC_REGISTERS)
        snprintf(out, SET_DEGREE_ROOM, "as it is; %d would need __launch_bounds__(%d, %d)",
                 k->n_max + 1, k->threads, k->n_max + 1);
    return out;
}

const char *set_degree_text(const struct sm_cfg *c, const struct cta_resources *k, int n,
                            char out[SET_DEGREE_ROOM])
{
    if (n == k->n_max)
        return as_it_is(k, out);
    if (n > k->n_max && k->limit == OCC_REGISTERS)
        snprintf(out, SET_DEGREE_ROOM, "__launch_bounds__(%d, %d)", k->threads, n);
    else if (n > k->n_max)
        snprintf(out, SET_DEGREE_ROOM, "not by fewer registers: %s limit it to %d",
                 occ_limit_name(k->limit), k->n_max);
    if (n > k->n_max)
        return out;
    const int dynamic = set_degree_shared(c, k, n);
    if (dynamic < 0)
        snprintf(out, SET_DEGREE_ROOM, "shared memory cannot hold it down to %d", n);
    else
        snprintf(out, SET_DEGREE_ROOM,
                 "%d bytes more dynamic shared memory: <<<grid, block, %d>>>%s",
                 dynamic - set_degree_dynamic(k), dynamic,
                 fixed_shared(k) + dynamic > PLAIN_SHARED
                     ? ", after cudaFuncSetAttribute(.., "
                       "cudaFuncAttributeMaxDynamicSharedMemorySize, ..)"
                     : "");
    return out;
}

int set_degree_launch(const struct cta_resources *k, int dynamic, const char *block,
                      const char *kernel, char *line[SET_DEGREE_LINES])
{
    int lines = 0;
    if (fixed_shared(k) + dynamic > PLAIN_SHARED)
        line[lines++] =
            xasprintf("cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, %d);",
                      kernel, dynamic);
    line[lines++] = dynamic ? xasprintf("%s<<<grid, %s, %d>>>(...);", kernel, block, dynamic)
                            : xasprintf("%s<<<grid, %s>>>(...);", kernel, block);
    return lines;
}

int set_degree_lines(const struct sm_cfg *c, const struct cta_resources *k, int n,
                     const char *kernel, char *line[SET_DEGREE_LINES])
{
    int lines = 0;
    if (n > k->n_max && k->limit == OCC_REGISTERS)
        line[lines++] =
            xasprintf("__global__ void __launch_bounds__(%d, %d) %s(...)", k->threads, n, kernel);
    const int dynamic = n < k->n_max ? set_degree_shared(c, k, n) : -1;
    return dynamic < 0 ? lines : set_degree_launch(k, dynamic, "block", kernel, line);
}

/* Warps on a core, in blocks of so many threads. */
static int warps_at(const struct sm_cfg *c, const struct cta_resources *k, int threads)
{
    const int64_t shared = ((int64_t)k->all_shared * threads + k->threads - 1) / k->threads;
    const int warps = (threads + WARP_SIZE - 1) / WARP_SIZE;
    return shared > c->shared_bytes ? 0 : warps * occupancy(c, threads, k->regs, (int)shared, NULL);
}

char *set_degree_blocks(const struct sm_cfg *c, const struct cta_resources *k, int n)
{
    static const int sizes[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
    int named = 0;
    const int now = warps_at(c, k, k->threads);
    char *list = NULL;
    if (n != k->n_max || k->limit == OCC_SHARED || now < 1)
        return NULL;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && named < BLOCKS_NAMED; i++) {
        if (warps_at(c, k, sizes[i]) <= now)
            continue;
        named++;
        char *longer = xasprintf("%s%s%d", list ? list : "", list ? "," : "", sizes[i]);
        free(list);
        list = longer;
    }
    if (!list)
        return NULL;
    char *text = xasprintf("%s limit it to %d warps a core: other blocks fit more, see "
                           "`search --block-sizes %s`",
                           occ_limit_name(k->limit), now, list);
    free(list);
    return text;
}

char *set_degree_carveout(const struct sm_cfg *c, const struct cta_resources *k, int n,
                          const char *kernel)
{
    if (n >= k->n_max || set_degree_shared(c, k, n) < 0)
        return NULL;
    return xasprintf("cudaFuncSetAttribute(%s, cudaFuncAttributePreferredSharedMemoryCarveout, "
                     "cudaSharedmemCarveoutMaxShared);",
                     kernel);
}
