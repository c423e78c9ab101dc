/* fft -- a batch of complex Fourier transforms (FFT of Kayiran 2013, Table II; Parboil's). The
 * papers give no sizes: 512 points in CTAs of 64 threads, as Govindaraju and others (SC 2008) do
 * what fits shared memory. */
#include "data/workloads/host.h"

#include <complex.h>
#include <math.h>

#define POINTS 512
#define RADIX  8
#define CTA    (POINTS / RADIX)

/* Decimation in time; out[n] from every step-th element of in. */
static void transform(const float *in, size_t step, size_t n, double complex *out)
{
    if (n == 1) {
        out[0] = (double)in[0] + I * (double)in[1];
        return;
    }
    transform(in, 2 * step, n / 2, out);
    transform(in + 2 * step, 2 * step, n / 2, out + n / 2);
    for (size_t k = 0; k < n / 2; k++) {
        double angle = -2.0 * M_PI * (double)k / (double)n;
        double complex even = out[k], odd = out[k + n / 2] * (cos(angle) + I * sin(angle));
        out[k] = even + odd;
        out[k + n / 2] = even - odd;
    }
}

/* Error of a coefficient, relative to the root of the sum of all coefficients' squares (which every
 * pass scales alike). The special function unit's sine and cosine are off by 2^-20.9 each, the
 * seventh power of a twiddle factor by 7 times that and 7 products' roundings: 7 * (1.42 * 2^-20.9
 * + 3 * 2^-24) = 6.4e-6. Two such passes, and 9 levels of butterflies with 3 roundings
 * each: 1.28e-5 + 1.6e-6. */
#define TOLERANCE 1.5e-5

static bool check(struct host *h, const float *in, const float *found, size_t batch, struct err *e)
{
    double complex out[POINTS];
    double *expected = host_new(h, 2 * POINTS, sizeof *expected);
    double *size = host_new(h, 2 * POINTS, sizeof *size);
    for (size_t b = 0; b < batch; b++) {
        double sum = 0.0;
        transform(in + b * 2 * POINTS, 1, POINTS, out);
        for (size_t k = 0; k < POINTS; k++) {
            expected[2 * k] = creal(out[k]);
            expected[2 * k + 1] = cimag(out[k]);
            sum += creal(out[k]) * creal(out[k]) + cimag(out[k]) * cimag(out[k]);
        }
        for (size_t i = 0; i < 2 * POINTS; i++)
            size[i] = sqrt(sum);
        struct host_floats one = {"out",    found + b * 2 * POINTS, expected, size, 2 * POINTS,
                                  TOLERANCE};
        if (!host_near(h, &one, e))
            return false;
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    size_t batch = (size_t)h->in->size->param[0], all = batch * POINTS * 2;
    const float *in = host_random_floats(h, all, -1.0, 1.0);
    float *out = host_new(h, all, sizeof *out);
    CUfunction kernel;
    CUdeviceptr d_in, d_out;
    if (!host_kernel(h, "fft_512", &kernel, e) || !host_array(&d_in, in, all * sizeof *in, e) ||
        !host_array(&d_out, NULL, all * sizeof *out, e))
        return false;
    void *args[] = {&d_out, &d_in};
    if (!host_launch(kernel, (unsigned)batch, CTA, args, e))
        return false;
    TRY(cuMemcpyDtoH(out, d_out, all * sizeof *out));
    return !h->in->verify || check(h, in, out, batch, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_fft_ptx[];
extern const struct workload workload_fft;
const struct workload workload_fft = {
    .name = "fft",
    .suite = "Kayiran",
    .title = "Fourier transforms of 512 points, radix 8 in shared memory",
    .paper_class = "memory-intensive",
    .size = {{"small", {360}, "360 transforms, 1.5 MB in"},
             {"medium", {2048}, "2048 transforms, 8 MB in"},
             {"paper", {8192}, "8192 transforms, 32 MB in (no published size)"}},
    .ptx = workload_fft_ptx,
    .run = run,
};
