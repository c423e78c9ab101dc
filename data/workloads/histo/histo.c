/* histo -- saturating histogram with very many bins (HIST of Park 2015, Table 2; histo of Parboil:
 * 2^20 bins of 8 bits, 20 images of 996 x 1040 pixels). Four kernels an image; the host reads what
 * the first one found before it launches the third. `histogram` is another application: 256 bins.
 *
 * Each CTA of histo_main has 24 KB of shared memory, as there; bins have 16 bits in it, and the
 * image is cut so that no CTA sees 2^16 pixels, so that counts are exact in any order.
 *
 * The values: half of the pixels follow a bell curve around a middle that drifts across the image;
 * a quarter has one of four values, whose bins saturate; some are anywhere. The reference sorts
 * them and counts runs. */
#include "data/workloads/host.h"

#include <math.h>
#include <stdlib.h>

#define SWATH  12288 /* of histo.cu */
#define SAMPLE 16
#define LINES  16

enum { PRESCAN_CTAS = 64, PRESCAN_CTA = 512, MAIN_CTA = 768, FINAL_CTAS = 42, FINAL_CTA = 512 };

struct image {
    int width, height, bins, pixels;
    unsigned *value;
};

static struct image make_image(struct host *h)
{
    const long *p = h->in->size->param;
    struct image m = {.width = (int)p[0], .height = (int)p[1], .bins = (int)p[2]};
    const int *often = host_random_ints(h, 4, m.bins / 4, 3 * m.bins / 4);
    m.pixels = m.width * m.height;
    m.value = host_new(h, (size_t)m.pixels, sizeof *m.value);
    for (int i = 0; i < m.pixels; i++) {
        const double middle = m.bins * (0.45 + 0.1 * i / m.pixels);
        const int v = (int)lrint(middle + m.bins / 40.0 * rng_normal(&h->rng));
        const uint64_t kind = rng_below(&h->rng, 32);
        m.value[i] = kind < 8 ? (unsigned)often[kind % 4] : (unsigned)(v < 0 ? 0 : v % m.bins);
        if (kind == 8)
            m.value[i] = (unsigned)rng_below(&h->rng, (uint64_t)m.bins);
    }
    return m;
}

struct device {
    unsigned sample[2]; /* sums as the host read them last */
    CUfunction prescan, intermediates, main, final;
    CUdeviceptr image, sums, mapped, part, rest, histogram;
    int parts; /* of the image, for histo_main */
};

static int swaths_of(const struct image *m)
{
    return (m->bins + SWATH - 1) / SWATH;
}

static bool open_device(struct host *h, const struct image *m, struct device *d, struct err *e)
{
    const size_t words = (size_t)m->pixels * sizeof(unsigned);
    const size_t swaths = (size_t)swaths_of(m);
    d->parts = (int)h->in->size->param[3];
    return host_kernel(h, "histo_prescan", &d->prescan, e) &&
           host_kernel(h, "histo_intermediates", &d->intermediates, e) &&
           host_kernel(h, "histo_main", &d->main, e) &&
           host_kernel(h, "histo_final", &d->final, e) &&
           host_array(&d->image, m->value, words, e) &&
           host_array(&d->sums, NULL, 2 * sizeof(unsigned), e) &&
           host_array(&d->mapped, NULL, words, e) &&
           host_array(&d->part, NULL, swaths * (size_t)d->parts * SWATH * 2, e) &&
           host_array(&d->rest, NULL, swaths * SWATH * sizeof(unsigned), e) &&
           host_array(&d->histogram, NULL, (size_t)m->bins, e);
}

struct range {
    unsigned first, swaths;
};

/* The swaths within two deviations of the sample's mean. */
static bool hot_swaths(struct device *d, const struct image *m, struct range *r, struct err *e)
{
    unsigned *sums = d->sample;
    const double n = m->pixels / SAMPLE, last = swaths_of(m) - 1;
    TRY(cuMemcpyDtoH(sums, d->sums, sizeof d->sample));
    const double mean = sums[0] / n, deviation = sqrt(fmax(0.0, sums[1] / n - mean * mean));
    r->first = (unsigned)fmax(0.0, floor(mean - 2 * deviation));
    r->swaths = (unsigned)fmin(last, ceil(mean + 2 * deviation)) - r->first + 1;
    return true;
}

static bool count_image(struct device *d, struct image *m, struct err *e)
{
    int words = m->bins / 4;
    struct range r;
    void *prescan[] = {&d->sums, &d->image, &m->pixels};
    void *intermediates[] = {&d->mapped, &d->image, &m->width, &m->height};
    void *count[] = {&d->part, &d->rest, &d->mapped, &m->pixels, &r.first};
    void *final[] = {&d->histogram, &d->rest, &d->part, &d->parts, &r.first, &r.swaths, &words};
    TRY(cuMemsetD8(d->sums, 0, 2 * sizeof(unsigned)));
    return host_launch(d->prescan, PRESCAN_CTAS, PRESCAN_CTA, prescan, e) &&
           host_launch(d->intermediates, host_ctas((size_t)m->height, LINES),
                       ((unsigned)m->width + 1) / 2, intermediates, e) &&
           hot_swaths(d, m, &r, e) &&
           host_launch_grid(d->main, (struct host_grid){(unsigned)d->parts, r.swaths, 1},
                            (struct host_grid){MAIN_CTA, 1, 1}, count, e) &&
           host_launch(d->final, FINAL_CTAS, FINAL_CTA, final, e);
}

/* Another range counts right, too, but more slowly: the sums that it comes from are compared. */
static bool check_sample(const struct image *m, const unsigned *sums, struct err *e)
{
    unsigned expected[2] = {0, 0};
    for (int i = 0; i + SAMPLE <= m->pixels; i += SAMPLE) {
        const unsigned swath = m->value[i] / SWATH;
        expected[0] += swath;
        expected[1] += swath * swath;
    }
    for (int i = 0; i < 2; i++)
        if (sums[i] != expected[i])
            return err_set(e, "histo: the sample's %s is %u, expected %u",
                           i ? "sum of squares" : "sum", sums[i], expected[i]);
    return true;
}

static int by_value(const void *a, const void *b)
{
    const unsigned p = *(const unsigned *)a, q = *(const unsigned *)b;
    return (p > q) - (p < q);
}

static bool check(const struct image *m, const uint8_t *histogram, struct err *e)
{
    int next = 0;
    qsort(m->value, (size_t)m->pixels, sizeof *m->value, by_value);
    for (int bin = 0; bin < m->bins; bin++) {
        const int from = next;
        while (next < m->pixels && m->value[next] == (unsigned)bin)
            next++;
        const int expected = next - from < 255 ? next - from : 255;
        if (histogram[bin] != expected)
            return err_set(e, "histo: bin %d has %d, expected %d", bin, histogram[bin], expected);
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct image m = make_image(h);
    struct device d;
    uint8_t *histogram = host_new(h, (size_t)m.bins, 1);
    if (!open_device(h, &m, &d, e))
        return false;
    for (long images = h->in->size->param[4]; images > 0; images--)
        if (!count_image(&d, &m, e))
            return false;
    TRY(cuMemcpyDtoH(histogram, d.histogram, (size_t)m.bins));
    return !h->in->verify || (check_sample(&m, d.sample, e) && check(&m, histogram, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_histo_ptx[];
extern const struct workload workload_histo;
const struct workload workload_histo = {
    .name = "histo",
    .suite = "Park",
    .title = "saturating histogram with very many bins, four kernels",
    .paper_class = "memory-intensive",
    .size = {{"small", {96, 64, 16384, 2, 1}, "96 x 64 pixels, 16384 bins"},
             {"medium", {512, 512, 262144, 16, 2}, "512 x 512 pixels, 262144 bins, 2 images"},
             {"paper",
              {996, 1040, 1048576, 16, 20},
              "996 x 1040 pixels, 1048576 bins, 20 images (Parboil)"}},
    .ptx = workload_histo_ptx,
    .run = run,
};
