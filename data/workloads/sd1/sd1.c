/* sd1 -- speckle reducing anisotropic diffusion, version 1 (Rodinia's srad_v1: Kayiran 2013, Table
 * II, SD1): logarithm undone, then a number of iterations, then the logarithm again. An iteration
 * prepares and sums the image and its squares on the device, from which the host computes the
 * speckle's strength over the whole image; then coefficients, then the new image. */
#include "data/workloads/speckle.h"

#include <string.h>

#define CTA 512

struct slopes { /* the kernels' parameters */
    CUdeviceptr n, s, w, e, c;
};
struct around {
    CUdeviceptr north, south, west, east;
};

struct filter {
    int wide, high, pixels, iterations;
    float *image, *before;
    struct speckle expected;
    CUfunction extract, prepare, reduce, coefficients, flow, compress;
    CUdeviceptr on_device, sum[2], squares[2];
    struct slopes slopes;
    struct around around;
};

/* 0, 0, 1, ... or 1, 2, ... n - 1, n - 1 */
static bool neighbours(struct host *h, CUdeviceptr *to, int n, int step, struct err *e)
{
    int *at = host_new(h, (size_t)n, sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = i + step < 0 ? 0 : i + step == n ? n - 1 : i + step;
    return host_array(to, at, (size_t)n * sizeof *at, e);
}

static bool upload(struct host *h, struct filter *f, struct err *e)
{
    size_t bytes = (size_t)f->pixels * sizeof *f->image;
    struct slopes *s = &f->slopes;
    CUdeviceptr *all[] = {&s->n,      &s->s,      &s->w,          &s->e,         &s->c,
                          &f->sum[0], &f->sum[1], &f->squares[0], &f->squares[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!host_array(all[i], NULL, bytes, e))
            return false;
    return host_array(&f->on_device, f->image, bytes, e) &&
           neighbours(h, &f->around.north, f->high, -1, e) &&
           neighbours(h, &f->around.south, f->high, 1, e) &&
           neighbours(h, &f->around.west, f->wide, -1, e) &&
           neighbours(h, &f->around.east, f->wide, 1, e) &&
           host_kernel(h, "sd1_extract", &f->extract, e) &&
           host_kernel(h, "sd1_prepare", &f->prepare, e) &&
           host_kernel(h, "sd1_reduce", &f->reduce, e) &&
           host_kernel(h, "sd1_coefficients", &f->coefficients, e) &&
           host_kernel(h, "sd1_flow", &f->flow, e) &&
           host_kernel(h, "sd1_compress", &f->compress, e);
}

/* The exponential's argument, at most 1, has two roundings; the exponential itself is within 2^-22
 * relative. */
static bool check_extracted(struct host *h, const struct filter *f, struct err *e)
{
    double *expected = host_new(h, (size_t)f->pixels, sizeof *expected);
    for (int i = 0; i < f->pixels; i++)
        expected[i] = exp((double)f->before[i] / 255.0);
    return host_near(h,
                     &(struct host_floats){"extracted", f->image, expected, expected,
                                           (size_t)f->pixels, 0x1p-22 + 4 * 0x1p-24},
                     e);
}

/* The logarithm, at most 1, is within 2^-22 and has two roundings, the product one. */
static bool check_compressed(struct host *h, const struct filter *f, struct err *e)
{
    size_t n = (size_t)f->pixels;
    double *expected = host_new(h, n, sizeof *expected), *size = host_new(h, n, sizeof *size);
    for (size_t i = 0; i < n; i++) {
        expected[i] = 255.0 * log((double)f->before[i]);
        size[i] = 255.0;
    }
    return host_near(h, &(struct host_floats){"compressed", f->image, expected, size, n, 0x1p-21},
                     e);
}

/* All of an image, from the device; f->before: what it was. */
static bool fetch(struct filter *f, struct err *e)
{
    size_t bytes = (size_t)f->pixels * sizeof *f->image;
    memcpy(f->before, f->image, bytes);
    TRY(cuMemcpyDtoH(f->image, f->on_device, bytes));
    return true;
}

/* One kernel on every pixel, in place. */
static bool convert(struct filter *f, CUfunction kernel, struct err *e)
{
    unsigned ctas = host_ctas((size_t)f->pixels, CTA);
    void *args[] = {&f->on_device, &f->pixels};
    return host_launch(kernel, ctas, CTA, args, e) && fetch(f, e);
}

/* Sums of the image and of its squares; *depth: additions that a number went through, at most. */
static bool sums(struct filter *f, float sum[2], int *depth, struct err *e)
{
    int n = f->pixels, from = 0;
    void *prepare_args[] = {&f->sum[0], &f->squares[0], &f->on_device, &f->pixels};
    if (!host_launch(f->prepare, host_ctas((size_t)n, CTA), CTA, prepare_args, e))
        return false;
    for (*depth = 0; n > 1; *depth += 9) { /* 2^9 is CTA */
        int ctas = (int)host_ctas((size_t)n, CTA);
        void *args[] = {&f->sum[1 - from], &f->squares[1 - from], &f->sum[from], &f->squares[from],
                        &n};
        if (!host_launch(f->reduce, (unsigned)ctas, CTA, args, e))
            return false;
        n = ctas;
        from = 1 - from;
    }
    TRY(cuMemcpyDtoH(&sum[0], f->sum[from], sizeof *sum));
    TRY(cuMemcpyDtoH(&sum[1], f->squares[from], sizeof *sum));
    return true;
}

/* All terms are positive: each addition adds 2^-24 relative, and so does the square. */
static bool check_sums(const struct host *h, const struct filter *f, const float sum[2], int depth,
                       struct err *e)
{
    double expected[2] = {0.0, 0.0};
    for (int i = 0; i < f->pixels; i++) {
        expected[0] += (double)f->image[i];
        expected[1] += (double)f->image[i] * (double)f->image[i];
    }
    return host_near(
        h, &(struct host_floats){"sum", sum, expected, expected, 2, (depth + 2) * 0x1p-24}, e);
}

static bool iterate(struct host *h, struct filter *f, struct err *e)
{
    unsigned ctas = host_ctas((size_t)f->pixels, CTA);
    float sum[2], q0, rate = SPECKLE_RATE;
    int depth;
    if (!sums(f, sum, &depth, e) || (h->in->verify && !check_sums(h, f, sum, depth, e)))
        return false;
    double mean = (double)sum[0] / f->pixels, mean2 = mean * mean;
    q0 = (float)(((double)sum[1] / f->pixels - mean2) / mean2);
    void *coefficient_args[] = {&f->slopes, &f->on_device, &f->around, &f->wide, &f->pixels, &q0};
    void *flow_args[] = {&f->on_device, &f->slopes, &f->around, &f->wide, &f->pixels, &rate};
    if (!host_launch(f->coefficients, ctas, CTA, coefficient_args, e) ||
        !host_launch(f->flow, ctas, CTA, flow_args, e) || !fetch(f, e))
        return false;
    if (!h->in->verify)
        return true;
    speckle_iterate(&f->expected, f->before, q0);
    return bounded_near(h, "image", f->image, f->expected.next, (size_t)f->pixels, e);
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct filter f = {.wide = (int)p[0], .high = (int)p[1], .iterations = (int)p[2]};
    f.pixels = f.wide * f.high;
    f.image = speckle_image(h, f.wide, f.high);
    for (int i = 0; i < f.pixels; i++)
        f.image[i] *= 100.0f; /* 70 .. 195 */
    f.before = host_new(h, (size_t)f.pixels, sizeof *f.before);
    f.expected = speckle_new(h, f.wide, f.high);
    if (!upload(h, &f, e) || !convert(&f, f.extract, e) ||
        (h->in->verify && !check_extracted(h, &f, e)))
        return false;
    for (int i = 0; i < f.iterations; i++)
        if (!iterate(h, &f, e))
            return false;
    return convert(&f, f.compress, e) && (!h->in->verify || check_compressed(h, &f, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_sd1_ptx[];
extern const struct workload workload_sd1;
const struct workload workload_sd1 = {
    .name = "sd1",
    .suite = "Kayiran",
    .title = "speckle reducing diffusion, version 1: sums on the device, six kernels",
    .paper_class = "compute-intensive",
    .size = {{"small", {100, 60, 2}, "100 x 60 pixels, 2 iterations"},
             {"medium", {502, 458, 2}, "502 x 458 pixels, 2 iterations"},
             {"paper", {502, 458, 100}, "502 x 458 pixels, 100 iterations"}},
    .ptx = workload_sd1_ptx,
    .run = run,
};
