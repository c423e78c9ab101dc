/* matmul -- dense matrix product through shared-memory tiles: what memory traffic there is, is
 * coalesced and reused, so that more CTAs only help. */
#include "data/workloads/host.h"

#include <math.h>
#include <stdlib.h>

#define TILE 16

static bool run_on_device(const struct workload *w, const float *a, const float *b, float *c, int n,
                          struct err *e)
{
    CUcontext ctx;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr da, db, dc;
    size_t bytes = (size_t)n * (size_t)n * sizeof *a;
    unsigned tiles = (unsigned)(n / TILE);
    if (!host_open(w->ptx, &ctx, &module, e))
        return false;
    TRY(cuModuleGetFunction(&kernel, module, "matmul_tiled"));
    if (!host_array(&da, a, bytes, e) || !host_array(&db, b, bytes, e) ||
        !host_array(&dc, NULL, bytes, e))
        return false;
    void *args[] = {&dc, &da, &db, &n};
    TRY(cuLaunchKernel(kernel, tiles, tiles, 1, TILE, TILE, 1, 0, NULL, args, NULL));
    TRY(cuCtxSynchronize());
    TRY(cuMemcpyDtoH(c, dc, bytes));
    TRY(cuCtxDestroy(ctx));
    return true;
}

/* One row of A B in double precision, and the sum of magnitudes that bounds its rounding error. */
static void reference_row(const float *a_row, const float *b, double *sum, double *size, int n)
{
    for (int j = 0; j < n; j++)
        sum[j] = size[j] = 0.0;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            double term = (double)a_row[k] * (double)b[(size_t)k * (size_t)n + (size_t)j];
            sum[j] += term;
            size[j] += fabs(term);
        }
}

/* A sum of n rounded terms is off by at most n half units in the last place of the magnitudes'
 * sum. */
static bool check(const float *a, const float *b, const float *c, int n, struct err *e)
{
    double *sum = xcalloc((size_t)n, sizeof *sum), *size = xcalloc((size_t)n, sizeof *size);
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        size_t row = (size_t)i * (size_t)n;
        reference_row(a + row, b, sum, size, n);
        for (int j = 0; ok && j < n; j++) {
            double found = (double)c[row + (size_t)j];
            if (!(fabs(found - sum[j]) <= n * 0x1p-24 * size[j]))
                ok = err_set(e, "matmul: C[%d][%d] is %g, expected %g", i, j, found, sum[j]);
        }
    }
    free(sum);
    free(size);
    return ok;
}

static bool run(const struct workload *w, const struct workload_size *size, bool verify,
                struct err *e)
{
    int n = (int)size->param[0];
    size_t all = (size_t)n * (size_t)n;
    float *a = xcalloc(all, sizeof *a), *b = xcalloc(all, sizeof *b), *c = xcalloc(all, sizeof *c);
    struct rng r = rng_seed(1);
    for (size_t i = 0; i < all; i++) {
        a[i] = (float)rng_real(&r, -1.0, 1.0);
        b[i] = (float)rng_real(&r, -1.0, 1.0);
    }
    bool ok = run_on_device(w, a, b, c, n, e) && (!verify || check(a, b, c, n, e));
    free(a);
    free(b);
    free(c);
    return ok;
}

extern const char workload_matmul_ptx[];
extern const struct workload workload_matmul;
const struct workload workload_matmul = {
    .name = "matmul",
    .suite = "classic",
    .title = "dense matrix product, 16 x 16 tiles in shared memory",
    .paper_class = "compute-intensive",
    .size = {{"small", {192}, "192 x 192"},
             {"medium", {416}, "416 x 416"},
             {"paper", {640}, "640 x 640"}},
    .ptx = workload_matmul_ptx,
    .run = run,
};
