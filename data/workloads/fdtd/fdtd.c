/* fdtd -- finite differences in time on a three-dimensional grid (FDTD3d of the SDK; Park 2015,
 * Table 2): a launch a time step, 32 x 8 columns of points a CTA, weights in constant memory
 * (Micikevicius, GPGPU-2, 2009). The grid has a border of 4 points that never changes.
 *
 * The field: a few waves. The weights: those of diffusion with differences of order 8, which keep
 * it bounded. */
#include "data/workloads/bounded.h"

#include <string.h>

#define RADIUS 4
#define WIDE   32
#define HIGH   8
#define WAVES  4
#define RATE   0.1 /* time step x diffusivity / spacing^2: stable below 0.2 */

struct grid {
    int nx, ny, nz, steps;    /* points that change */
    size_t row, area, all;    /* of the arrays, border included */
    float weight[RADIUS + 1]; /* by distance; [0] of the point itself */
    float *now, *next;        /* before and after the last step */
};

/* Second derivative of order 8: the classical coefficients. */
static void make_weights(struct grid *g)
{
    static const double second[RADIUS + 1] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315,
                                              -1.0 / 560};
    g->weight[0] = (float)(1.0 + 3 * RATE * second[0]);
    for (int i = 1; i <= RADIUS; i++)
        g->weight[i] = (float)(RATE * second[i]);
}

static void make_grid(struct host *h, struct grid *g)
{
    double k[WAVES][4];
    g->row = (size_t)g->nx + 2 * RADIUS;
    g->area = g->row * ((size_t)g->ny + 2 * RADIUS);
    g->all = g->area * ((size_t)g->nz + 2 * RADIUS);
    g->now = host_random_floats(h, g->all, -0.05, 0.05);
    g->next = host_new(h, g->all, sizeof *g->next);
    for (int w = 0; w < WAVES; w++)
        for (int d = 0; d < 4; d++)
            k[w][d] = rng_real(&h->rng, -0.5, 0.5);
    for (size_t i = 0; i < g->all; i++) {
        double x = (double)(i % g->row), y = (double)(i % g->area / g->row);
        double z = (double)(i / g->area);
        for (int w = 0; w < WAVES; w++)
            g->now[i] += (float)sin(k[w][0] * x + k[w][1] * y + k[w][2] * z + 10.0 * k[w][3]);
    }
}

static struct bounded step(const struct grid *g, size_t at)
{
    const size_t stride[] = {g->area, g->row, 1};
    const float *p = g->now + at;
    struct bounded sum = bounded_mul(bounded(g->weight[0]), bounded(*p));
    for (size_t i = 1; i <= RADIUS; i++) {
        struct bounded shell = bounded(0.0f);
        for (int d = 0; d < 3; d++) {
            shell = bounded_add(shell, bounded(*(p - i * stride[d])));
            shell = bounded_add(shell, bounded(p[i * stride[d]]));
        }
        sum = bounded_add(sum, bounded_mul(bounded(g->weight[i]), shell));
    }
    return sum;
}

static bool in_border(int i, int n)
{
    return i < RADIUS || i >= n + RADIUS;
}

/* What one step makes of g->now, plane by plane; the border is as it was. */
static bool check(struct host *h, const struct grid *g, struct bounded *plane, struct err *e)
{
    for (int z = 0; z < g->nz + 2 * RADIUS; z++) {
        size_t first = (size_t)z * g->area;
        for (size_t i = 0; i < g->area; i++) {
            bool border = in_border(z, g->nz) || in_border((int)(i / g->row), g->ny) ||
                          in_border((int)(i % g->row), g->nx);
            plane[i] = border ? bounded(g->now[first + i]) : step(g, first + i);
        }
        if (!bounded_near(h, "field", g->next + first, plane, g->area, e))
            return false;
    }
    return true;
}

static bool run_on_device(struct host *h, struct grid *g, struct err *e)
{
    size_t bytes = g->all * sizeof *g->now;
    struct bounded *plane = host_new(h, g->area, sizeof *plane);
    struct host_grid ctas = {host_ctas((size_t)g->nx, WIDE), host_ctas((size_t)g->ny, HIGH), 1},
                     threads = {WIDE, HIGH, 1};
    CUfunction kernel;
    CUdeviceptr now, next;
    void *args[] = {&next, &now, &g->nx, &g->ny, &g->nz};
    if (!host_kernel(h, "fdtd_step", &kernel, e) ||
        !host_symbol(h, "fdtd_weight", g->weight, sizeof g->weight, e) ||
        !host_array(&now, g->now, bytes, e) || !host_array(&next, g->now, bytes, e))
        return false;
    for (int s = 0; s < g->steps; s++) {
        CUdeviceptr swap = now;
        if (!host_launch_grid(kernel, ctas, threads, args, e))
            return false;
        TRY(cuMemcpyDtoH(g->next, next, bytes));
        if (h->in->verify && !check(h, g, plane, e))
            return false;
        memcpy(g->now, g->next, bytes);
        now = next;
        next = swap;
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct grid g = {.nx = (int)p[0], .ny = (int)p[1], .nz = (int)p[2], .steps = (int)p[3]};
    make_weights(&g);
    make_grid(h, &g);
    return run_on_device(h, &g, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_fdtd_ptx[];
extern const struct workload workload_fdtd;
const struct workload workload_fdtd = {
    .name = "fdtd",
    .suite = "Park",
    .title = "finite differences in time on a three-dimensional grid, radius 4",
    .paper_class = "memory-intensive",
    .size = {{"small", {70, 36, 10, 1}, "70 x 36 x 10 points, 1 time step"},
             {"medium", {192, 192, 24, 2}, "192 x 192 x 24 points, 2 time steps"},
             {"paper", {376, 376, 376, 5}, "376 x 376 x 376 points, 5 time steps"}},
    .ptx = workload_fdtd_ptx,
    .run = run,
};
