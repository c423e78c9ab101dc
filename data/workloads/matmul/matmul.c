/* matmul -- dense matrix product through shared-memory tiles: what memory traffic there is, is
 * coalesced and reused, so that more CTAs only help. */
#include "data/workloads/host.h"

#include <math.h>

#define TILE 16

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
static bool check(struct host *h, const float *a, const float *b, const float *c, struct err *e)
{
    int n = (int)h->in->size->param[0];
    size_t all = (size_t)n * (size_t)n;
    double *sum = host_new(h, all, sizeof *sum), *size = host_new(h, all, sizeof *size);
    for (size_t row = 0; row < all; row += (size_t)n)
        reference_row(a + row, b, sum + row, size + row, n);
    return host_near(h, &(struct host_floats){"C", c, sum, size, all, n * 0x1p-24}, e);
}

static bool body(struct host *h, struct err *e)
{
    int n = (int)h->in->size->param[0];
    size_t all = (size_t)n * (size_t)n, bytes = all * sizeof(float);
    const float *a = host_random_floats(h, all, -1.0, 1.0),
                *b = host_random_floats(h, all, -1.0, 1.0);
    float *c = host_new(h, all, sizeof *c);
    CUfunction kernel;
    CUdeviceptr da, db, dc;
    struct host_grid tiles = {(unsigned)(n / TILE), (unsigned)(n / TILE), 1},
                     tile = {TILE, TILE, 1};
    if (!host_kernel(h, "matmul_tiled", &kernel, e) || !host_array(&da, a, bytes, e) ||
        !host_array(&db, b, bytes, e) || !host_array(&dc, NULL, bytes, e))
        return false;
    void *args[] = {&dc, &da, &db, &n};
    if (!host_launch_grid(kernel, tiles, tile, args, e))
        return false;
    TRY(cuMemcpyDtoH(c, dc, bytes));
    return !h->in->verify || check(h, a, b, c, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
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
