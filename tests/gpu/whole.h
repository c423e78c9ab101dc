/* tests/gpu/whole.h -- a bundled workload from start to end on a GPU, and a hash of every buffer
 * after every launch. */
#ifndef MDP_TESTS_GPU_WHOLE_H
#define MDP_TESTS_GPU_WHOLE_H

#include "base/datadir.h"
#include "sim/frontend/target.h"
#include "sim/func/run.h"
#include "sim/gpu/gpu.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

struct whole {
    struct gpu_opts opts; /* .n 0: 8 */
    struct gpu *gpu;      /* NULL: functional */
    int launches;
    uint64_t hash;
    struct run_stats stats;
};

/* The first allocation at `from` or up to ALLOC_ALIGN bytes further: no gap is larger. */
static inline const struct alloc *whole_next(struct devmem *m, addr_t from)
{
    const struct alloc *a = NULL;
    for (addr_t at = from; !a && at < from + ALLOC_ALIGN; at++)
        a = devmem_find(m, at, 1);
    return a;
}

/* FNV-1a over the modules' variables and the buffers, in order of address. */
static inline uint64_t whole_hash(struct devmem *m, uint64_t h)
{
    static const addr_t start[] = {GLOBALS_BASE, HEAP_BASE};
    for (int s = 0; s < 2; s++)
        for (const struct alloc *a = whole_next(m, start[s]); a;
             a = whole_next(m, a->base + a->bytes))
            for (uint64_t i = 0; i < a->bytes; i++)
                h = (h ^ a->host[i]) * 0x100000001b3ull;
    return h;
}

static inline bool whole_launch(void *self, struct launch *l, struct err *e)
{
    struct whole *w = self;
    struct func_counts counts;
    const bool ok = w->gpu ? gpu_launch(w->gpu, l, &w->opts, &w->stats, e)
                           : launch_init(l, e) && func_run(l, &(struct func_opts){0}, &counts, e);
    w->launches++;
    w->hash = whole_hash(l->mem, w->hash);
    return ok;
}

/* cfg NULL: functionally. Results are verified, and the GPU must be empty in the end. */
static inline struct whole whole_run(const char *name, const struct gpu_cfg *cfg,
                                     const struct gpu_opts *o)
{
    struct err e = {""};
    struct target *t = target_open(name, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    struct whole w = {.opts = o ? *o : (struct gpu_opts){0}};
    w.opts.n = w.opts.n ? w.opts.n : 8;
    w.opts.only_core = -1;
    w.opts.max_cycles = 100000000;
    w.gpu = cfg ? gpu_new(cfg, &e) : NULL;
    CU_ASSERT_TRUE_FATAL(!cfg || w.gpu);
    const struct executor x = {.launch = whole_launch, .self = &w};
    const bool ok = target_run(t, &x, true, &e);
    if (!ok)
        printf("\n  %s: %s\n", name, e.msg);
    CU_ASSERT_TRUE(ok);
    if (w.gpu)
        CU_ASSERT_TRUE(gpu_drain(w.gpu, 100000));
    gpu_free(w.gpu);
    w.gpu = NULL;
    target_free(t);
    return w;
}

static inline struct gpu_cfg whole_gpu(const char *name, const char *const *settings)
{
    struct gpu_cfg cfg;
    struct err e = {""};
    char *data = datadir(&e);
    bool ok = data && gpu_cfg_load(&cfg, data, name, &e);
    for (; ok && settings && *settings; settings++)
        ok = params_set(gpu_cfg_groups(), &cfg, *settings, &e);
    ok = ok && gpu_cfg_check(&cfg, &e);
    if (!ok)
        printf("\n  %s: %s\n", name, e.msg);
    CU_ASSERT_TRUE_FATAL(ok);
    free(data);
    return cfg;
}

/* One launch on a GPU that has run nothing, n CTAs at once; its memory stays as it is. */
static inline struct run_stats whole_stats(const struct gpu_cfg *cfg, const struct launch *l, int n)
{
    struct run_stats st = {0};
    struct err e = {""};
    struct gpu *g = gpu_new(cfg, &e);
    struct launch copy = *l;
    copy.mem = devmem_share(l->mem);
    CU_ASSERT_TRUE(gpu_launch(g, &copy, &(struct gpu_opts){.n = n, .only_core = -1}, &st, &e));
    devmem_free(copy.mem);
    gpu_free(g);
    return st;
}

static inline bool whole_same(const struct run_stats *a, const struct run_stats *b)
{
    for (const struct stat_row *r = run_counter_rows; r->name; r++) {
        uint64_t x, y;
        memcpy(&x, (const char *)a + r->off, sizeof x);
        memcpy(&y, (const char *)b + r->off, sizeof y);
        if (x == y)
            continue;
        printf("\n  %s: %llu and %llu\n", r->name, (unsigned long long)x, (unsigned long long)y);
        return false;
    }
    return true;
}

#endif
