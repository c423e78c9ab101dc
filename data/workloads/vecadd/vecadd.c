/* vecadd -- streaming: every word is touched once (Yen 2014, Table 3: 20480 integers, CTAs of 64
 * threads). */
#include "data/workloads/host.h"

#include <stdlib.h>

#define CTA 64

static bool run_on_device(const struct workload *w, const int *a, const int *b, int *c, long n,
                          struct err *e)
{
    CUcontext ctx;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr da, db, dc;
    size_t bytes = (size_t)n * sizeof *a;
    if (!host_open(w->ptx, &ctx, &module, e))
        return false;
    TRY(cuModuleGetFunction(&kernel, module, "kernel_vec_add"));
    if (!host_array(&da, a, bytes, e) || !host_array(&db, b, bytes, e) ||
        !host_array(&dc, NULL, bytes, e))
        return false;
    void *args[] = {&dc, &da, &db};
    TRY(cuLaunchKernel(kernel, (unsigned)(n / CTA), 1, 1, CTA, 1, 1, 0, NULL, args, NULL));
    TRY(cuCtxSynchronize());
    TRY(cuMemcpyDtoH(c, dc, bytes));
    TRY(cuCtxDestroy(ctx));
    return true;
}

static bool check(const int *a, const int *b, const int *c, long n, struct err *e)
{
    for (long i = 0; i < n; i++)
        if (c[i] != a[i] + b[i])
            return err_set(e, "vecadd: C[%ld] is %d, expected %d", i, c[i], a[i] + b[i]);
    return true;
}

static bool run(const struct workload *w, const struct workload_size *size, bool verify,
                struct err *e)
{
    long n = size->param[0];
    int *a = xcalloc((size_t)n, sizeof *a), *b = xcalloc((size_t)n, sizeof *b);
    int *c = xcalloc((size_t)n, sizeof *c);
    struct rng r = rng_seed(1);
    for (long i = 0; i < n; i++) {
        a[i] = (int)rng_below(&r, 1 << 20);
        b[i] = (int)rng_below(&r, 1 << 20);
    }
    bool ok = run_on_device(w, a, b, c, n, e) && (!verify || check(a, b, c, n, e));
    free(a);
    free(b);
    free(c);
    return ok;
}

extern const char workload_vecadd_ptx[];
extern const struct workload workload_vecadd;
const struct workload workload_vecadd = {
    .name = "vecadd",
    .suite = "Yen",
    .title = "vector addition (Yen 2014, Table 3)",
    .paper_class = "memory-intensive",
    .size = {{"small", {20480}, "20480 elements, as in the paper"},
             {"medium", {655360}, "655360 elements"},
             {"paper", {20480}, "20480 elements"}},
    .ptx = workload_vecadd_ptx,
    .run = run,
};
