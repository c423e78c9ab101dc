/* mriq -- the matrix Q of MRI reconstruction from samples off the grid (Stone and others, J.
 * Parallel Distrib. Comput. 2008; MRI-Q of Parboil, Park 2015, Table 2): CTAs of 512 threads square
 * the samples' magnitudes, CTAs of 256 threads add them up for each voxel, a launch for each block
 * of samples that constant memory holds. The samples lie on a stack of spirals. */
#include "data/workloads/bounded.h"

#define MAGNITUDE_CTA 512
#define Q_CTA         256
#define TURNS         8.0 /* of a spiral */
#define TWO_PI        6.283185307179586
#define PLACE_FLOATS  4

/* __sinf and __cosf: at most 2^-21.19 off in [-pi, pi] (CUDA C++ Programming Guide) */
#define TRIG_ERROR 0x1.c1p-22

struct scan {
    int side, voxels, samples, block; /* block: samples a launch */
    float *re, *im;                   /* [samples]: phi */
    float (*place)[PLACE_FLOATS];     /* [samples]: in k-space; the magnitude goes beside it */
    float *x, *y, *z;                 /* [voxels], of an edge of length 1 */
    float *magnitude, *q_re, *q_im;   /* found */
};

/* A spiral winds outwards in each of side / 4 planes of k-space; signals fade with distance. */
static void sample(struct host *h, struct scan *s)
{
    const double farthest = 0.5 * s->side;
    const int planes = s->side / 4, turn = s->samples / planes + 1;
    for (int k = 0; k < s->samples; k++) {
        double out = (double)(k % turn) / turn, angle = TWO_PI * TURNS * out;
        double plane = ((double)(k / turn) + 0.5) / planes - 0.5;
        double fade = exp(-3.0 * (out + fabs(plane)));
        s->place[k][0] = (float)(farthest * out * cos(angle) + rng_real(&h->rng, -0.1, 0.1));
        s->place[k][1] = (float)(farthest * out * sin(angle) + rng_real(&h->rng, -0.1, 0.1));
        s->place[k][2] = (float)(2.0 * farthest * plane);
        s->re[k] = (float)(fade * rng_real(&h->rng, -1.0, 1.0));
        s->im[k] = (float)(fade * rng_real(&h->rng, -1.0, 1.0));
    }
}

static struct scan make_scan(struct host *h)
{
    const long *p = h->in->size->param;
    const int side = (int)p[0];
    const size_t samples = (size_t)p[1], voxels = (size_t)(side * side * side);
    struct scan s = {.side = side, .voxels = (int)voxels, .samples = (int)p[1], .block = (int)p[2]};
    s.re = host_new(h, samples, sizeof *s.re);
    s.im = host_new(h, samples, sizeof *s.im);
    s.place = host_new(h, samples, sizeof *s.place);
    s.magnitude = host_new(h, samples, sizeof *s.magnitude);
    float **const of_voxel[] = {&s.x, &s.y, &s.z, &s.q_re, &s.q_im};
    for (int i = 0; i < 5; i++)
        *of_voxel[i] = host_new(h, voxels, sizeof(float));
    for (int v = 0; v < s.voxels; v++) {
        s.x[v] = (float)(v % side) / (float)side - 0.5f;
        s.y[v] = (float)(v / side % side) / (float)side - 0.5f;
        s.z[v] = (float)(v / side / side) / (float)side - 0.5f;
    }
    sample(h, &s);
    return s;
}

static bool square(struct host *h, struct scan *s, struct err *e)
{
    const size_t bytes = (size_t)s->samples * sizeof(float);
    CUfunction kernel;
    CUdeviceptr re, im, magnitude;
    if (!host_kernel(h, "mriq_magnitude", &kernel, e) || !host_array(&re, s->re, bytes, e) ||
        !host_array(&im, s->im, bytes, e) || !host_array(&magnitude, NULL, bytes, e))
        return false;
    void *args[] = {&magnitude, &re, &im, &s->samples};
    if (!host_launch(kernel, host_ctas((size_t)s->samples, MAGNITUDE_CTA), MAGNITUDE_CTA, args, e))
        return false;
    TRY(cuMemcpyDtoH(s->magnitude, magnitude, bytes));
    for (int k = 0; k < s->samples; k++)
        s->place[k][3] = s->magnitude[k];
    return true;
}

static bool add_up(struct host *h, struct scan *s, struct err *e)
{
    const size_t bytes = (size_t)s->voxels * sizeof(float);
    CUfunction kernel;
    CUdeviceptr x, y, z, re, im;
    if (!host_kernel(h, "mriq_q", &kernel, e) || !host_array(&x, s->x, bytes, e) ||
        !host_array(&y, s->y, bytes, e) || !host_array(&z, s->z, bytes, e) ||
        !host_array(&re, NULL, bytes, e) || !host_array(&im, NULL, bytes, e))
        return false;
    for (int done = 0; done < s->samples; done += s->block) {
        int now = s->samples - done < s->block ? s->samples - done : s->block;
        void *args[] = {&re, &im, &x, &y, &z, &s->voxels, &now};
        if (!host_symbol(h, "mriq_sample", s->place[done], (size_t)now * sizeof *s->place, e) ||
            !host_launch(kernel, host_ctas((size_t)s->voxels, Q_CTA), Q_CTA, args, e))
            return false;
    }
    TRY(cuMemcpyDtoH(s->q_re, re, bytes));
    TRY(cuMemcpyDtoH(s->q_im, im, bytes));
    return true;
}

static bool check_magnitude(struct host *h, const struct scan *s, struct err *e)
{
    const size_t n = (size_t)s->samples;
    struct bounded *expected = host_new(h, n, sizeof *expected);
    for (size_t k = 0; k < n; k++)
        expected[k] = bounded_add(bounded_mul(bounded(s->re[k]), bounded(s->re[k])),
                                  bounded_mul(bounded(s->im[k]), bounded(s->im[k])));
    return bounded_near(h, "magnitude", s->magnitude, expected, n, e);
}

/* Adds sample k to a voxel's sums. The angle is off by what its cycles are off and by the roundings
 * of 2 pi, of the difference and of the product, each at most half a unit in the last place of pi.
 */
static void add_sample(const struct scan *s, int k, int v, struct bounded *re, struct bounded *im)
{
    const float *p = s->place[k];
    struct bounded cycles = bounded_mul(bounded(p[0]), bounded(s->x[v]));
    cycles = bounded_add(cycles, bounded_mul(bounded(p[1]), bounded(s->y[v])));
    cycles = bounded_add(cycles, bounded_mul(bounded(p[2]), bounded(s->z[v])));
    const double off = TWO_PI * cycles.err + 3 * 0x1p-23 + TRIG_ERROR;
    const double angle = TWO_PI * cycles.x;
    *re = bounded_add(*re, bounded_mul(bounded(p[3]), (struct bounded){cos(angle), off}));
    *im = bounded_add(*im, bounded_mul(bounded(p[3]), (struct bounded){sin(angle), off}));
}

static bool check_q(struct host *h, const struct scan *s, struct err *e)
{
    const size_t n = (size_t)s->voxels;
    struct bounded *re = host_new(h, n, sizeof *re), *im = host_new(h, n, sizeof *im);
    for (int v = 0; v < s->voxels; v++)
        for (int k = 0; k < s->samples; k++)
            add_sample(s, k, v, &re[v], &im[v]);
    return bounded_near(h, "q_re", s->q_re, re, n, e) && bounded_near(h, "q_im", s->q_im, im, n, e);
}

static bool body(struct host *h, struct err *e)
{
    struct scan s = make_scan(h);
    return square(h, &s, e) && add_up(h, &s, e) &&
           (!h->in->verify || (check_magnitude(h, &s, e) && check_q(h, &s, e)));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_mriq_ptx[];
extern const struct workload workload_mriq;
const struct workload workload_mriq = {
    .name = "mriq",
    .suite = "Park",
    .title = "the matrix Q of MRI reconstruction, samples on spirals",
    .paper_class = "compute-intensive",
    .size = {{"small", {16, 48, 32}, "16 x 16 x 16 voxels, 48 samples"},
             {"medium", {32, 256, 128}, "32 x 32 x 32 voxels, 256 samples"},
             {"paper", {64, 2048, 1024}, "64 x 64 x 64 voxels, 2048 samples (Parboil, large)"}},
    .ptx = workload_mriq_ptx,
    .run = run,
};
