/* tpacf -- two-point angular correlation (TPACF of Park 2015, Table 2; Parboil): pairs of points on
 * the sky counted by their angle, in 20 bins, five a decade from 1 to 10000 arc minutes; within the
 * observed set and within each random one, and between the observed and each random one. Galaxies
 * lie in clusters, the random points anywhere in the same part of the sky. */
#include "data/workloads/host.h"

#include <math.h>

#define BINS        20
#define BINS_DECADE 5.0
#define CTA         256
#define ARC_MINUTE  (3.14159265358979324 / (180.0 * 60.0))
#define CLUSTER     8    /* galaxies */
#define SPREAD      0.01 /* of a cluster, in radians */
#define ACROSS      1.5  /* radians from the middle of the sky that is looked at to its edges */
#define UP          0.7

struct sky {
    int n, sets, histograms; /* points of a set; sets, the observed one first */
    float *x, *y, *z;        /* [sets][n] each, one after the other, on the unit sphere */
    float edge[BINS + 1];    /* cosines */
    int *count;              /* found: [histograms][BINS] */
};

static void place(struct sky *s, size_t i, double across, double up)
{
    s->x[i] = (float)(cos(up) * cos(across));
    s->y[i] = (float)(cos(up) * sin(across));
    s->z[i] = (float)sin(up);
}

static struct sky make_sky(struct host *h)
{
    const long *p = h->in->size->param;
    struct sky s = {.n = (int)p[0], .sets = 1 + (int)p[1], .histograms = 1 + 2 * (int)p[1]};
    const size_t all = (size_t)(s.n * s.sets);
    double across = 0.0, up = 0.0;
    s.x = host_new(h, 3 * all, sizeof *s.x);
    s.y = s.x + all;
    s.z = s.y + all;
    s.count = host_new(h, (size_t)(s.histograms * BINS), sizeof *s.count);
    for (size_t i = 0; i < all; i++) {
        const bool galaxy = i < (size_t)s.n;
        if (!galaxy || i % CLUSTER == 0) {
            across = rng_real(&h->rng, -ACROSS, ACROSS);
            up = rng_real(&h->rng, -UP, UP);
        }
        place(&s, i, across + (galaxy ? rng_real(&h->rng, -SPREAD, SPREAD) : 0.0),
              up + (galaxy ? rng_real(&h->rng, -SPREAD, SPREAD) : 0.0));
    }
    for (int b = 0; b <= BINS; b++)
        s.edge[b] = (float)cos(ARC_MINUTE * pow(10.0, b / BINS_DECADE));
    return s;
}

static bool run_on_device(struct host *h, struct sky *s, struct err *e)
{
    const size_t points = 3 * (size_t)(s->n * s->sets) * sizeof(float);
    const size_t counts = (size_t)(s->histograms * BINS) * sizeof *s->count;
    CUfunction kernel;
    CUdeviceptr histogram, point;
    if (!host_kernel(h, "tpacf_pairs", &kernel, e) ||
        !host_symbol(h, "tpacf_edge", s->edge, sizeof s->edge, e) ||
        !host_array(&histogram, NULL, counts, e) || !host_array(&point, s->x, points, e))
        return false;
    void *args[] = {&histogram, &point, &s->n, &s->sets};
    if (!host_launch(kernel, (unsigned)s->histograms, CTA, args, e))
        return false;
    TRY(cuMemcpyDtoH(s->count, histogram, counts));
    return true;
}

/* pairs[0][b], pairs[1][b]: pairs of points i of set `a` and j of set `b` that are surely, and that
 * may be, beyond edge b: a cosine is off by 3 roundings of at most 2^-24 (the terms of a product of
 * unit vectors are below 1 in sum; 4, for vectors a rounding longer). */
static void count_pairs(const struct sky *s, size_t a, size_t b, int pairs[2][BINS + 1])
{
    const size_t n = (size_t)s->n;
    for (size_t i = a * n; i < (a + 1) * n; i++)
        for (size_t j = b * n; j < (a == b ? i : (b + 1) * n); j++) {
            const double cosine = (double)s->x[i] * (double)s->x[j] +
                                  (double)s->y[i] * (double)s->y[j] +
                                  (double)s->z[i] * (double)s->z[j];
            for (int k = BINS; k >= 0 && cosine + 0x1p-22 > (double)s->edge[k]; k--) {
                pairs[1][k]++;
                pairs[0][k] += cosine - 0x1p-22 > (double)s->edge[k];
            }
        }
}

/* Of each histogram, the pairs up to each edge; those closer than edge 0 are in bin 0. */
static bool check(struct host *h, const struct sky *s, struct err *e)
{
    for (int i = 0; i < s->histograms; i++) {
        const bool itself = i < s->sets;
        int pairs[2][BINS + 1] = {{0}}, sum = 0;
        count_pairs(s, itself ? (size_t)i : 0, (size_t)(itself ? i : i - s->sets + 1), pairs);
        for (int b = 0; b < BINS; b++) {
            sum += s->count[i * BINS + b];
            if (sum < pairs[0][b + 1] || sum > pairs[1][b + 1])
                return err_set(e,
                               "%s: histogram %d has %d pairs in bins 0 to %d, expected %d to %d",
                               h->workload->name, i, sum, b, pairs[0][b + 1], pairs[1][b + 1]);
        }
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct sky s = make_sky(h);
    return run_on_device(h, &s, e) && (!h->in->verify || check(h, &s, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_tpacf_ptx[];
extern const struct workload workload_tpacf;
const struct workload workload_tpacf = {
    .name = "tpacf",
    .suite = "Park",
    .title = "two-point angular correlation, histograms of angles",
    .paper_class = "compute-intensive",
    .size = {{"small", {60, 5}, "6 sets of 60 points"},
             {"medium", {120, 60}, "61 sets of 120 points"},
             {"paper", {487, 100}, "101 sets of 487 points (Parboil, small)"}},
    .ptx = workload_tpacf_ptx,
    .run = run,
};
