/* histogram_shared -- histograms of red, green and blue of an image, 4 bytes a pixel: atomics on
 * bins in shared memory, a copy a CTA, then atomics on those in global memory. Neighbours in the
 * image are alike, so that lanes of a warp often want the same bin. */
#include "data/workloads/host.h"

#define CTA     256
#define BINS    256
#define COLOURS 3
#define PATCH   64 /* pixels between the points that the image goes smoothly through */
#define NOISE   6

struct image {
    int wide, high, ctas;
    uint8_t (*pixel)[4];
};

/* Between four corners of a patch. */
static int blend(const int *corner, int across, int x, int y)
{
    const int upper = corner[0] * (PATCH - x) + corner[1] * x;
    const int lower = corner[across] * (PATCH - x) + corner[across + 1] * x;
    return (upper * (PATCH - y) + lower * y) / (PATCH * PATCH);
}

static struct image make_image(struct host *h)
{
    const long *p = h->in->size->param;
    struct image m = {(int)p[0], (int)p[1], (int)p[2], NULL};
    const int across = m.wide / PATCH + 2, down = m.high / PATCH + 2;
    m.pixel = host_new(h, (size_t)(m.wide * m.high), sizeof *m.pixel);
    for (int colour = 0; colour < COLOURS; colour++) {
        const int *at = host_random_ints(h, (size_t)(across * down), 0, 256 - NOISE);
        for (int i = 0; i < m.wide * m.high; i++) {
            const int x = i % m.wide, y = i / m.wide;
            const int *corner = &at[y / PATCH * across + x / PATCH];
            m.pixel[i][colour] = (uint8_t)(blend(corner, across, x % PATCH, y % PATCH) +
                                           (int)rng_below(&h->rng, NOISE));
        }
    }
    return m;
}

static bool check(struct host *h, const struct image *m, const int *found, struct err *e)
{
    int expected[COLOURS * BINS] = {0};
    for (int i = 0; i < m->wide * m->high; i++)
        for (int colour = 0; colour < COLOURS; colour++)
            expected[colour * BINS + m->pixel[i][colour]]++;
    return host_same_ints(h, "bin", found, expected, COLOURS * BINS, e);
}

static bool body(struct host *h, struct err *e)
{
    const struct image m = make_image(h);
    int pixels = m.wide * m.high, bin[COLOURS * BINS];
    CUfunction kernel;
    CUdeviceptr from, to;
    if (!host_kernel(h, "histogram_shared_count", &kernel, e) ||
        !host_array(&from, m.pixel, (size_t)pixels * sizeof *m.pixel, e) ||
        !host_array(&to, NULL, sizeof bin, e))
        return false;
    void *args[] = {&to, &from, &pixels};
    if (!host_launch(kernel, (unsigned)m.ctas, host_threads(h, CTA), args, e))
        return false;
    TRY(cuMemcpyDtoH(bin, to, sizeof bin));
    return !h->in->verify || check(h, &m, bin, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_histogram_shared_ptx[];
extern const struct workload workload_histogram_shared;
const struct workload workload_histogram_shared = {
    .name = "histogram_shared",
    .suite = "modern",
    .title = "histograms of an image's colours, atomics in shared memory",
    .paper_class = "compute-intensive",
    .size = {{"small", {250, 200, 45}, "250 x 200 pixels, 45 CTAs"},
             {"medium", {1920, 1080, 240}, "1920 x 1080 pixels, 240 CTAs"},
             {"paper", {3840, 2160, 960}, "3840 x 2160 pixels, 960 CTAs"}},
    .any_warps = true,
    .ptx = workload_histogram_shared_ptx,
    .run = run,
};
