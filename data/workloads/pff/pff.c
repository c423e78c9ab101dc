/* pff -- particle filter, float (PFF of Kayiran 2013, Table II; PF of Park 2015, Table 2; Rodinia):
 * a disk is tracked through a video, four kernels a frame, CTAs of 512. Each particle keeps the
 * places of its pixels in a row of its own in memory, so that lanes are a row apart.
 *
 * Here the running sums are made of weights that no other CTA changes meanwhile, and each CTA draws
 * the first mark itself, so that no result depends on which CTA comes first.
 *
 * A draw by a mark close to a running sum may go either way with rounding, and the particles would
 * then be others. So the reference, in double precision, takes each kernel's input as the device
 * left it, and checks what the kernel made of it; draws are then exact. */
#include "data/workloads/tracking.h"

#include <math.h>
#include <string.h>

#define CTA 512

enum { X, Y, DRAWN_X, DRAWN_Y, WEIGHT, PARTIAL, SHARE, UNTIL, MARK, FLOATS };

struct filter {
    struct tracking video;
    int particles;
    unsigned threads, ctas;
    CUdeviceptr floats[FLOATS], seeds, places, disk, frames;
    CUfunction likelihood, sum, normalise, find;
    float *was[FLOATS], *is[FLOATS]; /* copies: before a kernel, and now */
    unsigned *seed;                  /* before the frame */
};

static bool open_filter(struct host *h, struct filter *f, struct err *e)
{
    const size_t n = (size_t)f->particles;
    for (int i = 0; i < FLOATS; i++) {
        f->was[i] = host_new(h, n, sizeof(float));
        f->is[i] = host_new(h, n, sizeof(float));
    }
    for (int i = 0; i < f->particles; i++) {
        f->was[DRAWN_X][i] = (float)f->video.start_x;
        f->was[DRAWN_Y][i] = (float)f->video.start_y;
        f->was[WEIGHT][i] = 1.0f / (float)f->particles;
    }
    for (int i = 0; i < FLOATS; i++)
        if (!host_array(&f->floats[i], f->was[i], n * sizeof(float), e))
            return false;
    f->seed = host_new(h, n, sizeof *f->seed);
    for (size_t i = 0; i < n; i++)
        f->seed[i] = (unsigned)rng_u64(&h->rng);
    const struct tracking *v = &f->video;
    return host_array(&f->seeds, f->seed, n * sizeof *f->seed, e) &&
           host_array(&f->places, NULL, n * (size_t)v->points * sizeof(int), e) &&
           host_array(&f->disk, v->disk, 2 * (size_t)v->points * sizeof(int), e) &&
           host_array(&f->frames, v->video, (size_t)(v->frames * v->width * v->height), e) &&
           host_kernel(h, "pff_likelihood", &f->likelihood, e) &&
           host_kernel(h, "pff_sum", &f->sum, e) &&
           host_kernel(h, "pff_normalise", &f->normalise, e) &&
           host_kernel(h, "pff_find", &f->find, e);
}

/* What was becomes what is, and the named arrays are read anew. */
static bool read_back(struct filter *f, const int *which, int n, struct err *e)
{
    for (int i = 0; i < FLOATS; i++)
        memcpy(f->was[i], f->is[i], (size_t)f->particles * sizeof(float));
    for (int i = 0; i < n; i++)
        TRY(cuMemcpyDtoH(f->is[which[i]], f->floats[which[i]],
                         (which[i] == PARTIAL ? f->ctas : (size_t)f->particles) * sizeof(float)));
    return true;
}

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return ((*seed >> 8) + 1) / 16777216.0;
}

static double normal(unsigned *seed)
{
    const double u = uniform(seed), v = uniform(seed);
    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

/* Places: lg2.approx is off by 2^-22 near 1, where its square root is steepest: a normal number by
 * sqrt(2 ln 2 x 2^-22) = 0.00058 at the most, which the spread of 5 makes 0.003; rounding of the
 * place adds less than 0.0001. */
static bool check_places(struct host *h, struct filter *f, struct err *e)
{
    const size_t n = (size_t)f->particles;
    double *x = host_new(h, n, sizeof *x), *y = host_new(h, n, sizeof *y);
    double *one = host_new(h, n, sizeof *one);
    for (size_t i = 0; i < n; i++) {
        x[i] = f->was[DRAWN_X][i] + TRACKING_MOVE_X + TRACKING_SPREAD_X * normal(&f->seed[i]);
        y[i] = f->was[DRAWN_Y][i] + TRACKING_MOVE_Y + TRACKING_SPREAD_Y * normal(&f->seed[i]);
        one[i] = 1.0;
    }
    return host_near(h, &(struct host_floats){"x", f->is[X], x, one, n, 0.0031}, e) &&
           host_near(h, &(struct host_floats){"y", f->is[Y], y, one, n, 0.0031}, e);
}

/* Weights: the exponent, below 60 in base 2, is rounded three times (60 x 3 x 2^-24 = 2^-16.5), and
 * the product and ex2.approx add less than 2^-21. Sums: ten halvings. */
static bool check_weights(struct host *h, struct filter *f, int frame, struct err *e)
{
    const struct tracking *v = &f->video;
    const size_t n = (size_t)f->particles;
    double *w = host_new(h, n, sizeof *w), *sum = host_new(h, f->ctas, sizeof *sum);
    for (size_t i = 0; i < n; i++) {
        const int fit = tracking_fit(v, frame, (int)lrintf(f->is[X][i]), (int)lrintf(f->is[Y][i]));
        w[i] = f->was[WEIGHT][i] * exp((double)fit / (TRACKING_SCALE * v->points));
        sum[i / f->threads] += f->is[WEIGHT][i];
    }
    return host_near(h, &(struct host_floats){"weight", f->is[WEIGHT], w, w, n, 0x1p-16}, e) &&
           host_near(
               h, &(struct host_floats){"partial", f->is[PARTIAL], sum, sum, f->ctas, 0x1p-20}, e);
}

static bool likelihood(struct host *h, struct filter *f, int frame, struct err *e)
{
    static const int changed[] = {X, Y, WEIGHT, PARTIAL};
    struct tracking *v = &f->video;
    CUdeviceptr pixels = f->frames + (CUdeviceptr)(frame * v->width * v->height), *d = f->floats;
    void *args[] = {&d[X],      &d[Y],       &d[DRAWN_X], &d[DRAWN_Y],  &f->seeds,
                    &d[WEIGHT], &d[PARTIAL], &f->places,  &pixels,      &f->disk,
                    &v->points, &v->width,   &v->height,  &f->particles};
    return host_launch(f->likelihood, f->ctas, f->threads, args, e) &&
           read_back(f, changed, 4, e) &&
           (!h->in->verify || (check_places(h, f, e) && check_weights(h, f, frame, e)));
}

/* ctas additions */
static bool sum(struct host *h, struct filter *f, struct err *e)
{
    static const int changed[] = {PARTIAL};
    int partials = (int)f->ctas;
    double all = 0;
    void *args[] = {&f->floats[PARTIAL], &partials};
    if (!host_launch(f->sum, f->ctas, f->threads, args, e) || !read_back(f, changed, 1, e))
        return false;
    for (unsigned c = 0; c < f->ctas; c++)
        all += f->was[PARTIAL][c];
    return !h->in->verify || host_near(h,
                                       &(struct host_floats){"sum", f->is[PARTIAL], &all, &all, 1,
                                                             (f->ctas + 1) * 0x1p-24},
                                       e);
}

/* Running sums: the k-th is rounded k times, its terms once each. */
static bool check_shares(struct host *h, struct filter *f, unsigned seed, struct err *e)
{
    const size_t n = (size_t)f->particles;
    const double total = f->was[PARTIAL][0], first = uniform(&seed) / (double)n;
    double *share = host_new(h, n, sizeof *share), *until = host_new(h, n, sizeof *until);
    double *mark = host_new(h, n, sizeof *mark), so_far = 0.0;
    for (size_t i = 0; i < n; i++) {
        share[i] = f->was[WEIGHT][i] / total;
        until[i] = so_far += share[i];
        mark[i] = first + (double)i / (double)n;
    }
    return host_near(h, &(struct host_floats){"share", f->is[SHARE], share, share, n, 0x1p-23},
                     e) &&
           host_near(h,
                     &(struct host_floats){"until", f->is[UNTIL], until, NULL, n,
                                           ((double)n + 1) * 0x1p-24},
                     e) &&
           host_near(h, &(struct host_floats){"mark", f->is[MARK], mark, NULL, n, 0x1p-22}, e);
}

static bool normalise(struct host *h, struct filter *f, struct err *e)
{
    static const int changed[] = {SHARE, UNTIL, MARK};
    unsigned seed = (unsigned)rng_u64(&h->rng);
    CUdeviceptr *d = f->floats;
    void *args[] = {&d[SHARE], &d[UNTIL], &d[MARK], &d[WEIGHT], &d[PARTIAL], &seed, &f->particles};
    return host_launch(f->normalise, f->ctas, f->threads, args, e) && read_back(f, changed, 3, e) &&
           (!h->in->verify || check_shares(h, f, seed, e));
}

static bool check_draw(struct host *h, struct filter *f, struct err *e)
{
    double *until = host_new(h, (size_t)f->particles, sizeof *until);
    for (int i = 0; i < f->particles; i++)
        until[i] = f->is[UNTIL][i];
    for (int i = 0; i < f->particles; i++) {
        const int k = tracking_first_at_least(until, f->particles, f->is[MARK][i]);
        if (f->is[DRAWN_X][i] != f->is[X][k] || f->is[DRAWN_Y][i] != f->is[Y][k] ||
            f->is[WEIGHT][i] != 1.0f / (float)f->particles)
            return err_set(e, "pff: particle %d is at (%g, %g), expected (%g, %g)", i,
                           (double)f->is[DRAWN_X][i], (double)f->is[DRAWN_Y][i],
                           (double)f->is[X][k], (double)f->is[Y][k]);
    }
    return true;
}

static bool find(struct host *h, struct filter *f, struct err *e)
{
    static const int changed[] = {DRAWN_X, DRAWN_Y, WEIGHT};
    CUdeviceptr *d = f->floats;
    void *args[] = {&d[DRAWN_X], &d[DRAWN_Y], &d[WEIGHT], &d[X],
                    &d[Y],       &d[UNTIL],   &d[MARK],   &f->particles};
    return host_launch(f->find, f->ctas, f->threads, args, e) && read_back(f, changed, 3, e) &&
           (!h->in->verify || check_draw(h, f, e));
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct filter f = {.video = tracking_make(h, p), .particles = (int)p[4]};
    f.threads = host_threads(h, (unsigned)p[5]);
    f.ctas = host_ctas((size_t)f.particles, f.threads);
    if (!open_filter(h, &f, e))
        return false;
    for (int i = 0; i < FLOATS; i++)
        memcpy(f.is[i], f.was[i], (size_t)f.particles * sizeof(float));
    for (int frame = 1; frame < f.video.frames; frame++)
        if (!likelihood(h, &f, frame, e) || !sum(h, &f, e) || !normalise(h, &f, e) ||
            !find(h, &f, e))
            return false;
    return true;
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_pff_ptx[];
extern const struct workload workload_pff;
const struct workload workload_pff = {
    .name = "pff",
    .suite = "Kayiran, Park",
    .title = "particle filter, float: a disk tracked through a video",
    .paper_class = "memory-intensive",
    .size = {{"small", {64, 64, 3, 3, 512, 128}, "512 particles, 2 steps, CTAs of 128"},
             {"medium", {128, 128, 2, 5, 5760, 128}, "5760 particles, one step, CTAs of 128"},
             {"paper", {128, 128, 10, 5, 1000, CTA}, "1000 particles, 9 steps (Rodinia)"}},
    .any_warps = true,
    .ptx = workload_pff_ptx,
    .run = run,
};
