/* layernorm -- layer normalisation (Ba and others, 2016) of a batch of vectors, a CTA of 256
 * threads a vector: mean and variance by warp shuffles, then gain and bias an element. */
#include "data/workloads/host.h"

#include <math.h>

#define CTA     256
#define EPSILON 1e-5f
#define U       0x1p-24

struct layer {
    int rows, columns;
    float *x, *gain, *bias, *y; /* x, y: [rows][columns] */
};

/* One row: what is expected, and how far off the device may be. A sum of n is off by added
 * roundings of its magnitudes' sum: those a thread makes, 10 of the reductions and the quotient.
 * rsqrtf is relatively off by 2 units in the last place. */
static void reference_row(const struct layer *l, const float *x, double *y, double *off)
{
    const double n = l->columns, added = n / 32.0 + 11.0;
    double sum = 0.0, square = 0.0, magnitude = 0.0, apart = 0.0;
    for (int i = 0; i < l->columns; i++) {
        sum += (double)x[i];
        square += (double)x[i] * (double)x[i];
        magnitude += fabs((double)x[i]);
    }
    const double mean = sum / n, variance = square / n - mean * mean + (double)EPSILON;
    const double mean_off = added * U * magnitude / n;
    for (int i = 0; i < l->columns; i++)
        apart += fabs((double)x[i] - mean);
    const double variance_off =
        (added + 4.0) * U * variance + 2.0 * mean_off * apart / n + mean_off * mean_off;
    const double scale = 1.0 / sqrt(variance), scale_off = variance_off / variance + 4.0 * U;
    for (int i = 0; i < l->columns; i++) {
        const double d = (double)x[i] - mean, gain = (double)l->gain[i];
        y[i] = d * scale * gain + (double)l->bias[i];
        off[i] = fabs(gain) * scale * (mean_off + fabs(d) * (scale_off + 4.0 * U)) +
                 U * (fabs(y[i]) + fabs((double)l->bias[i]));
    }
}

static bool check(struct host *h, const struct layer *l, struct err *e)
{
    const size_t columns = (size_t)l->columns, all = (size_t)l->rows * columns;
    double *y = host_new(h, all, sizeof *y), *off = host_new(h, all, sizeof *off);
    for (size_t row = 0; row < all; row += columns)
        reference_row(l, l->x + row, y + row, off + row);
    return host_near(h, &(struct host_floats){"y", l->y, y, off, all, 1.01}, e);
}

/* Vectors that differ in mean and spread, as activations do. */
static struct layer make_layer(struct host *h)
{
    struct layer l = {.rows = (int)h->in->size->param[0], .columns = (int)h->in->size->param[1]};
    const size_t columns = (size_t)l.columns, all = (size_t)l.rows * columns;
    l.x = host_random_floats(h, all, -1.0, 1.0);
    l.gain = host_random_floats(h, columns, 0.5, 1.5);
    l.bias = host_random_floats(h, columns, -0.5, 0.5);
    l.y = host_new(h, all, sizeof *l.y);
    for (size_t row = 0; row < all; row += columns) {
        const float spread = (float)rng_real(&h->rng, 0.5, 4.0);
        const float mean = (float)rng_real(&h->rng, -1.0, 1.0);
        for (size_t i = 0; i < columns; i++)
            l.x[row + i] = l.x[row + i] * spread + mean;
    }
    return l;
}

static bool body(struct host *h, struct err *e)
{
    struct layer l = make_layer(h);
    const size_t row = (size_t)l.columns * sizeof(float), bytes = (size_t)l.rows * row;
    float epsilon = EPSILON;
    CUfunction kernel;
    CUdeviceptr x, y, gain, bias;
    if (!host_kernel(h, "layernorm_rows", &kernel, e) || !host_array(&x, l.x, bytes, e) ||
        !host_array(&y, NULL, bytes, e) || !host_array(&gain, l.gain, row, e) ||
        !host_array(&bias, l.bias, row, e))
        return false;
    void *args[] = {&y, &x, &gain, &bias, &l.columns, &epsilon};
    if (!host_launch(kernel, (unsigned)l.rows, host_threads(h, CTA), args, e))
        return false;
    TRY(cuMemcpyDtoH(l.y, y, bytes));
    return !h->in->verify || check(h, &l, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_layernorm_ptx[];
extern const struct workload workload_layernorm;
const struct workload workload_layernorm = {
    .name = "layernorm",
    .suite = "modern",
    .title = "layer normalisation, a CTA a row, warp shuffles",
    .paper_class = "memory-intensive",
    .size = {{"small", {48, 600}, "48 rows of 600"},
             {"medium", {2048, 1024}, "2048 rows of 1024"},
             {"paper", {8192, 768}, "8192 rows of 768 (GPT-2, 8 x 1024 tokens)"}},
    .any_warps = true,
    .ptx = workload_layernorm_ptx,
    .run = run,
};
