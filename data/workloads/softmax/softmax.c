/* softmax -- softmax of the rows of a matrix, a CTA of 256 threads a row: three passes, reduced by
 * warp shuffles. The rows are scores of attention: a few elements stand out. */
#include "data/workloads/host.h"

#include <math.h>

#define CTA   256
#define NOISE 4.0 /* scores are within, but those that stand out by up to PEAK */
#define PEAK  8.0
#define RARE  32 /* one in so many stands out */

/* Row by row in double precision, by the logarithm of the sum. */
static void reference(const float *x, double *y, size_t rows, size_t columns)
{
    for (size_t r = 0; r < rows; r++) {
        double sum = 0.0;
        for (size_t i = r * columns; i < (r + 1) * columns; i++)
            sum += exp((double)x[i]);
        for (size_t i = r * columns; i < (r + 1) * columns; i++)
            y[i] = exp((double)x[i] - log(sum));
    }
}

/* Exponentials of d are relatively off by 2 + 1.173 |d| units in the last place (CUDA C++
 * Programming Guide, __expf) and by the rounding of d, sums by a rounding an element that a thread
 * adds and 10 of the reductions, the quotient by 3 more. */
static bool check(struct host *h, const float *x, const float *found, struct err *e)
{
    const size_t rows = (size_t)h->in->size->param[0], columns = (size_t)h->in->size->param[1];
    const double farthest = 2.0 * NOISE + PEAK, exponential = 2.0 + (1.173 + 0.5) * farthest;
    const double added = (double)columns / 32.0 + 10.0;
    double *expected = host_new(h, rows * columns, sizeof *expected);
    reference(x, expected, rows, columns);
    return host_near(h,
                     &(struct host_floats){"y", found, expected, expected, rows * columns,
                                           (2.0 * exponential + 0.5 * (added + 3.0)) * 0x1p-23},
                     e);
}

static bool body(struct host *h, struct err *e)
{
    const size_t rows = (size_t)h->in->size->param[0], all = rows * (size_t)h->in->size->param[1];
    int columns = (int)h->in->size->param[1];
    float *x = host_random_floats(h, all, -NOISE, NOISE), *y = host_new(h, all, sizeof *y);
    for (size_t i = 0; i < all; i++)
        if (rng_below(&h->rng, RARE) == 0)
            x[i] += (float)rng_real(&h->rng, 0.0, PEAK);
    CUfunction kernel;
    CUdeviceptr from, to;
    if (!host_kernel(h, "softmax_rows", &kernel, e) || !host_array(&from, x, all * sizeof *x, e) ||
        !host_array(&to, NULL, all * sizeof *y, e))
        return false;
    void *args[] = {&to, &from, &columns};
    if (!host_launch(kernel, (unsigned)rows, host_threads(h, CTA), args, e))
        return false;
    TRY(cuMemcpyDtoH(y, to, all * sizeof *y));
    return !h->in->verify || check(h, x, y, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_softmax_ptx[];
extern const struct workload workload_softmax;
const struct workload workload_softmax = {
    .name = "softmax",
    .suite = "modern",
    .title = "softmax of rows, a CTA a row, warp shuffles",
    .paper_class = "memory-intensive",
    .size = {{"small", {48, 600}, "48 rows of 600"},
             {"medium", {1024, 2048}, "1024 rows of 2048"},
             {"paper", {12288, 1024}, "12 heads' 1024 x 1024 attention scores (GPT-2)"}},
    .any_warps = true,
    .ptx = workload_softmax_ptx,
    .run = run,
};
