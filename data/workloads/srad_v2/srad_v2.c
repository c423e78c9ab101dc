/* srad_v2 -- speckle reducing anisotropic diffusion of an image (Yu and Acton 2002; Yen 2014,
 * Table 2), two kernels an iteration, 16 x 16 pixels a CTA. Between iterations the host computes
 * the speckle's strength over a part of the image that should be even. */
#include "data/workloads/speckle.h"

#include <string.h>

#define TILE 16

/* Squared coefficient of variation over the upper left sixteenth of the image. */
static float speckle(const float *image, int side)
{
    double sum = 0.0, sum2 = 0.0, n = (side / 4) * (side / 4);
    for (int y = 0; y < side / 4; y++)
        for (int x = 0; x < side / 4; x++) {
            double v = (double)image[y * side + x];
            sum += v;
            sum2 += v * v;
        }
    double mean = sum / n;
    return (float)((sum2 / n - mean * mean) / (mean * mean));
}

struct on_device {
    CUfunction coefficients, flow;
    CUdeviceptr image, c, slope;
};

static bool upload(const struct host *h, const float *image, size_t bytes, struct on_device *d,
                   struct err *e)
{
    return host_kernel(h, "srad_v2_coefficients", &d->coefficients, e) &&
           host_kernel(h, "srad_v2_flow", &d->flow, e) && host_array(&d->c, NULL, bytes, e) &&
           host_array(&d->slope, NULL, 4 * bytes, e) && host_array(&d->image, image, bytes, e);
}

static bool iterate(struct on_device *d, int side, float q0, struct err *e)
{
    float rate = SPECKLE_RATE;
    void *coefficients[] = {&d->c, &d->slope, &d->image, &side, &q0};
    void *flow[] = {&d->image, &d->c, &d->slope, &side, &rate};
    struct host_grid tiles = {(unsigned)(side / TILE), (unsigned)(side / TILE), 1},
                     tile = {TILE, TILE, 1};
    return host_launch_grid(d->coefficients, tiles, tile, coefficients, e) &&
           host_launch_grid(d->flow, tiles, tile, flow, e);
}

/* Each iteration is compared with one from the device's own image before it: errors don't add up.
 */
static bool body(struct host *h, struct err *e)
{
    int side = (int)h->in->size->param[0];
    size_t n = (size_t)side * (size_t)side, bytes = n * sizeof(float);
    float *image = speckle_image(h, side, side), *before = host_new(h, n, sizeof *before);
    struct speckle expected = speckle_new(h, side, side);
    struct on_device d;
    if (!upload(h, image, bytes, &d, e))
        return false;
    for (long i = 0; i < h->in->size->param[1]; i++) {
        float q0 = speckle(image, side);
        memcpy(before, image, bytes);
        if (!iterate(&d, side, q0, e))
            return false;
        TRY(cuMemcpyDtoH(image, d.image, bytes));
        if (!h->in->verify)
            continue;
        speckle_iterate(&expected, before, q0);
        if (!bounded_near(h, "image", image, expected.next, n, e))
            return false;
    }
    return true;
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_srad_v2_ptx[];
extern const struct workload workload_srad_v2;
const struct workload workload_srad_v2 = {
    .name = "srad_v2",
    .suite = "Kayiran, Park, Yen",
    .title = "speckle reducing diffusion of an image, two kernels an iteration",
    .paper_class = "memory-intensive",
    .size = {{"small", {192, 1}, "192 x 192 pixels, 1 iteration"},
             {"medium", {512, 1}, "512 x 512 pixels, 1 iteration"},
             {"paper", {1024, 2}, "1024 x 1024 pixels, 4 MB as in Table 2; 2 iterations"}},
    .ptx = workload_srad_v2_ptx,
    .run = run,
};
