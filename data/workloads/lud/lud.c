/* lud -- LU decomposition by blocks of 16 x 16 (Awatramani 2015; Kayiran 2013, LUD): three kernels
 * a step, of 1 CTA of 16 threads, a row of CTAs of 32, and a square of CTAs of 16 x 16, which all
 * shrink from step to step. The matrix is diagonally dominant: there is no pivoting. */
#include "data/workloads/bounded.h"

#include <string.h>

#define BLOCK 16

static float *make_matrix(struct host *h, int n)
{
    size_t all = (size_t)n * (size_t)n;
    float *a = host_random_floats(h, all, -1.0, 1.0);
    for (size_t i = 0; i < all; i += (size_t)n + 1)
        a[i] = (float)n;
    return a;
}

/* Element (i, j) once all above it and to its left are done: the kernels add up the products of a
 * block of 16 before they subtract them, but subtract those of its own block of the diagonal one by
 * one. */
static struct bounded element(const struct bounded *a, int n, int i, int j)
{
    int last = i < j ? i : j, own = last / BLOCK * BLOCK;
    struct bounded v = a[i * n + j];
    for (int block = 0; block < own; block += BLOCK) {
        struct bounded sum = bounded(0.0f);
        for (int k = block; k < block + BLOCK; k++)
            sum = bounded_add(sum, bounded_mul(a[i * n + k], a[k * n + j]));
        v = bounded_sub(v, sum);
    }
    for (int k = own; k < last; k++)
        v = bounded_sub(v, bounded_mul(a[i * n + k], a[k * n + j]));
    return i > j ? bounded_div(v, a[j * n + j]) : v;
}

static const struct bounded *reference(struct host *h, const float *matrix, int n)
{
    struct bounded *a = bounded_from(h, matrix, (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = element(a, n, i, j);
    return a;
}

/* In: the matrix. Out: L below the diagonal, U on and above it. */
static bool run_on_device(struct host *h, float *a, int n, struct err *e)
{
    CUfunction diagonal, perimeter, internal;
    CUdeviceptr matrix, corner;
    size_t bytes = (size_t)n * (size_t)n * sizeof *a;
    void *args[] = {&corner, &n};
    if (!host_kernel(h, "lud_diagonal", &diagonal, e) ||
        !host_kernel(h, "lud_perimeter", &perimeter, e) ||
        !host_kernel(h, "lud_internal", &internal, e) || !host_array(&matrix, a, bytes, e))
        return false;
    for (int left = n / BLOCK - 1; left >= 0; left--) { /* blocks after this step's */
        unsigned rest = (unsigned)left;
        corner = matrix + (size_t)(n - (left + 1) * BLOCK) * ((size_t)n + 1) * sizeof *a;
        if (!host_launch(diagonal, 1, BLOCK, args, e))
            return false;
        if (left && (!host_launch(perimeter, rest, 2 * BLOCK, args, e) ||
                     !host_launch_grid(internal, (struct host_grid){rest, rest, 1},
                                       (struct host_grid){BLOCK, BLOCK, 1}, args, e)))
            return false;
    }
    TRY(cuMemcpyDtoH(a, matrix, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    int n = (int)h->in->size->param[0];
    size_t all = (size_t)n * (size_t)n;
    float *a = make_matrix(h, n), *before = host_new(h, all, sizeof *before);
    memcpy(before, a, all * sizeof *a);
    if (!run_on_device(h, a, n, e))
        return false;
    return !h->in->verify || bounded_near(h, "a", a, reference(h, before, n), all, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_lud_ptx[];
extern const struct workload workload_lud;
const struct workload workload_lud = {
    .name = "lud",
    .suite = "Kayiran, Park, Awatramani",
    .title = "LU decomposition by blocks, three kernels a step",
    .paper_class = "not enough parallelism",
    .size = {{"small", {128}, "128 x 128"},
             {"medium", {192}, "192 x 192"},
             {"paper", {256}, "256 x 256"}},
    .ptx = workload_lud_ptx,
    .run = run,
};
