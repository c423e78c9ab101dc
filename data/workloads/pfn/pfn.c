/* pfn -- particle filter, naive (PFN of Kayiran 2013, Table II; Rodinia): the filter of pff, in
 * double precision; the host moves and weighs the particles, and only the draw, which looks at
 * half of all running sums a particle, is a kernel, one launch a frame. All lanes of a warp read
 * the same sum.
 *
 * The reference halves the range instead; nothing is rounded, so that it must agree exactly. */
#include "data/workloads/tracking.h"

#include <math.h>

#define CTA 512

enum { DRAWN_X, DRAWN_Y, X, Y, UNTIL, MARK, ARRAYS };

struct filter {
    struct tracking video;
    int particles;
    unsigned threads;
    CUfunction draw;
    CUdeviceptr device[ARRAYS];
    double *host[ARRAYS];
};

static bool open_filter(struct host *h, struct filter *f, struct err *e)
{
    const size_t bytes = (size_t)f->particles * sizeof(double);
    for (int i = 0; i < ARRAYS; i++) {
        f->host[i] = host_new(h, (size_t)f->particles, sizeof(double));
        if (!host_array(&f->device[i], NULL, bytes, e))
            return false;
    }
    for (int i = 0; i < f->particles; i++) {
        f->host[DRAWN_X][i] = f->video.start_x;
        f->host[DRAWN_Y][i] = f->video.start_y;
    }
    return host_kernel(h, "pfn_draw", &f->draw, e);
}

/* Particles move at random; running sums of their normalised weights; marks at even distances from
 * a first one at random. */
static void step_on_host(struct host *h, struct filter *f, int frame)
{
    const struct tracking *v = &f->video;
    double *const *a = f->host, sum = 0.0;
    for (int i = 0; i < f->particles; i++) {
        a[X][i] = a[DRAWN_X][i] + TRACKING_MOVE_X + TRACKING_SPREAD_X * rng_normal(&h->rng);
        a[Y][i] = a[DRAWN_Y][i] + TRACKING_MOVE_Y + TRACKING_SPREAD_Y * rng_normal(&h->rng);
        const int fit = tracking_fit(v, frame, (int)lrint(a[X][i]), (int)lrint(a[Y][i]));
        a[UNTIL][i] = sum += exp((double)fit / (TRACKING_SCALE * v->points));
    }
    const double first = rng_unit(&h->rng) / f->particles;
    for (int i = 0; i < f->particles; i++) {
        a[UNTIL][i] /= sum;
        a[MARK][i] = first + (double)i / f->particles;
    }
}

static bool draw_on_device(const struct filter *f, struct err *e)
{
    const size_t bytes = (size_t)f->particles * sizeof(double);
    const CUdeviceptr *d = f->device;
    void *args[] = {(void *)&d[DRAWN_X], (void *)&d[DRAWN_Y], (void *)&d[X],        (void *)&d[Y],
                    (void *)&d[UNTIL],   (void *)&d[MARK],    (void *)&f->particles};
    for (int i = X; i < ARRAYS; i++)
        TRY(cuMemcpyHtoD(d[i], f->host[i], bytes));
    if (!host_launch(f->draw, host_ctas((size_t)f->particles, f->threads), f->threads, args, e))
        return false;
    for (int i = DRAWN_X; i <= DRAWN_Y; i++)
        TRY(cuMemcpyDtoH(f->host[i], d[i], bytes));
    return true;
}

static bool check(const struct filter *f, struct err *e)
{
    double *const *a = f->host;
    for (int i = 0; i < f->particles; i++) {
        const int k = tracking_first_at_least(a[UNTIL], f->particles, a[MARK][i]);
        if (a[DRAWN_X][i] != a[X][k] || a[DRAWN_Y][i] != a[Y][k])
            return err_set(e, "pfn: particle %d is at (%g, %g), expected (%g, %g)", i,
                           a[DRAWN_X][i], a[DRAWN_Y][i], a[X][k], a[Y][k]);
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct filter f = {.video = tracking_make(h, p), .particles = (int)p[4]};
    f.threads = host_threads(h, (unsigned)p[5]);
    if (!open_filter(h, &f, e))
        return false;
    for (int frame = 1; frame < f.video.frames; frame++) {
        step_on_host(h, &f, frame);
        if (!draw_on_device(&f, e) || (h->in->verify && !check(&f, e)))
            return false;
    }
    return true;
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_pfn_ptx[];
extern const struct workload workload_pfn;
const struct workload workload_pfn = {
    .name = "pfn",
    .suite = "Kayiran",
    .title = "particle filter, naive: particles drawn by their weights",
    .paper_class = "compute-intensive",
    .size = {{"small", {64, 64, 3, 3, 512, 128}, "512 particles, 2 steps, CTAs of 128"},
             {"medium", {128, 128, 2, 5, 5760, 128}, "5760 particles, one step, CTAs of 128"},
             {"paper", {128, 128, 10, 5, 1000, CTA}, "1000 particles, 9 steps (Rodinia)"}},
    .any_warps = true,
    .ptx = workload_pfn_ptx,
    .run = run,
};
