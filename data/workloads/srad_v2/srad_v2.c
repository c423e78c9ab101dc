/* srad_v2 -- speckle reducing anisotropic diffusion of an image (Yu and Acton 2002; Yen 2014,
 * Table 2), two kernels an iteration, 16 x 16 pixels a CTA. Between iterations the host computes
 * the speckle's strength over a part of the image that should be even. */
#include "data/workloads/bounded.h"

#include <string.h>

#define TILE 16
#define RATE 0.125f /* a quarter of the time step 0.5 */

/* Discs on a gradient, times speckle. */
static float *make_image(struct host *h, int side)
{
    size_t n = (size_t)side * (size_t)side;
    float *image = host_random_floats(h, n, 0.7, 1.3);
    for (size_t i = 0; i < n; i++) {
        int x = (int)i % side, y = (int)i / side, cx = x % 64 - 32, cy = y % 64 - 32;
        double even = cx * cx + cy * cy < 400 ? 1.5 : 1.0 + 0.25 * y / side;
        image[i] *= (float)even;
    }
    return image;
}

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

struct reference { /* of a pixel: differences to its neighbours, coefficient */
    struct bounded n, s, w, e, c;
};

static struct bounded sum4(struct bounded a, struct bounded b, struct bounded c, struct bounded d)
{
    return bounded_add(bounded_add(bounded_add(a, b), c), d);
}

static struct bounded square(struct bounded a)
{
    return bounded_mul(a, a);
}

static struct bounded coefficient(struct bounded j, const struct reference *r, float q0)
{
    struct bounded one = bounded(1.0f), q0b = bounded(q0);
    struct bounded squares = sum4(square(r->n), square(r->s), square(r->w), square(r->e));
    struct bounded g2 = bounded_div(squares, square(j));
    struct bounded l = bounded_div(sum4(r->n, r->s, r->w, r->e), j);
    struct bounded root = bounded_add(one, bounded_mul(bounded(0.25f), l));
    struct bounded variance =
        bounded_sub(bounded_mul(bounded(0.5f), g2), bounded_mul(bounded(0.0625f), square(l)));
    struct bounded q = bounded_div(variance, square(root));
    struct bounded scale = bounded_mul(q0b, bounded_add(one, q0b));
    struct bounded c = bounded_div(one, bounded_add(one, bounded_div(bounded_sub(q, q0b), scale)));
    c.x = c.x < 0.0 ? 0.0 : c.x > 1.0 ? 1.0 : c.x;
    return c;
}

/* One iteration from the image before. */
static const struct bounded *reference(struct host *h, const float *image, int side, float q0)
{
    size_t n = (size_t)side * (size_t)side;
    struct bounded *next = bounded_from(h, image, n);
    struct reference *all = host_new(h, n, sizeof *all);
    for (int i = 0; i < (int)n; i++) {
        struct reference *r = &all[i];
        int x = i % side, y = i / side;
        struct bounded j = next[i];
        r->n = bounded_sub(next[y > 0 ? i - side : i], j);
        r->s = bounded_sub(next[y < side - 1 ? i + side : i], j);
        r->w = bounded_sub(next[x > 0 ? i - 1 : i], j);
        r->e = bounded_sub(next[x < side - 1 ? i + 1 : i], j);
        r->c = coefficient(j, r, q0);
    }
    for (int i = 0; i < (int)n; i++) {
        const struct reference *r = &all[i];
        struct bounded south = all[i / side < side - 1 ? i + side : i].c;
        struct bounded east = all[i % side < side - 1 ? i + 1 : i].c;
        struct bounded flow = sum4(bounded_mul(r->c, r->n), bounded_mul(south, r->s),
                                   bounded_mul(r->c, r->w), bounded_mul(east, r->e));
        next[i] = bounded_add(next[i], bounded_mul(bounded(RATE), flow));
    }
    return next;
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
    float rate = RATE;
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
    float *image = make_image(h, side), *before = host_new(h, n, sizeof *before);
    struct on_device d;
    if (!upload(h, image, bytes, &d, e))
        return false;
    for (long i = 0; i < h->in->size->param[1]; i++) {
        float q0 = speckle(image, side);
        memcpy(before, image, bytes);
        if (!iterate(&d, side, q0, e))
            return false;
        TRY(cuMemcpyDtoH(image, d.image, bytes));
        if (h->in->verify && !bounded_near(h, "image", image, reference(h, before, side, q0), n, e))
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
