/* lps -- Laplace's equation in three dimensions by Jacobi's iteration (Park 2015, Table 2; from
 * GPGPU-Sim's ISPASS 2009 suite): a launch an iteration, 32 x 4 columns of points a CTA, which
 * walks along z. Points on the box's faces keep their values.
 *
 * Faces: a potential that varies smoothly over the box's faces; inside, a poor first guess. */
#include "data/workloads/bounded.h"

#include <string.h>

#define WIDE  32
#define HIGH  4
#define WAVES 6 /* of the potential on the faces */

struct box {
    int nx, ny, nz, iterations;
    size_t points;
    float *now, *next; /* before and after the last iteration */
};

static bool on_face(const struct box *b, size_t i)
{
    int x = (int)(i % (size_t)b->nx), y = (int)(i / (size_t)b->nx) % b->ny;
    int z = (int)(i / (size_t)b->nx / (size_t)b->ny);
    return x == 0 || y == 0 || z == 0 || x == b->nx - 1 || y == b->ny - 1 || z == b->nz - 1;
}

static void make_box(struct host *h, struct box *b)
{
    double k[WAVES][4];
    b->points = (size_t)b->nx * (size_t)b->ny * (size_t)b->nz;
    b->now = host_random_floats(h, b->points, -0.1, 0.1);
    b->next = host_new(h, b->points, sizeof *b->next);
    for (int w = 0; w < WAVES; w++)
        for (int d = 0; d < 4; d++)
            k[w][d] = rng_real(&h->rng, -0.2, 0.2);
    for (size_t i = 0; i < b->points; i++) {
        double x = (double)(i % (size_t)b->nx), y = (double)(i / (size_t)b->nx % (size_t)b->ny);
        double z = (double)(i / (size_t)b->nx / (size_t)b->ny), sum = 0.0;
        if (!on_face(b, i))
            continue;
        for (int w = 0; w < WAVES; w++)
            sum += sin(k[w][0] * x + k[w][1] * y + k[w][2] * z + 10.0 * k[w][3]);
        b->now[i] = (float)sum;
    }
}

static struct bounded mean_of_neighbours(const struct box *b, size_t i)
{
    const float *p = b->now + i;
    size_t row = (size_t)b->nx, area = row * (size_t)b->ny;
    const float others[] = {p[1], *(p - row), p[row], *(p - area), p[area]};
    struct bounded sum = bounded(p[-1]);
    for (int d = 0; d < 5; d++)
        sum = bounded_add(sum, bounded(others[d]));
    return bounded_mul(sum, bounded(1.0f / 6.0f));
}

/* What one iteration makes of b->now, point by point. */
static bool check(struct host *h, const struct box *b, struct bounded *expected, struct err *e)
{
    for (size_t i = 0; i < b->points; i++)
        expected[i] = on_face(b, i) ? bounded(b->now[i]) : mean_of_neighbours(b, i);
    return bounded_near(h, "potential", b->next, expected, b->points, e);
}

static bool run_on_device(struct host *h, struct box *b, struct err *e)
{
    size_t bytes = b->points * sizeof *b->now;
    struct bounded *expected = host_new(h, h->in->verify ? b->points : 0, sizeof *expected);
    struct host_grid ctas = {host_ctas((size_t)b->nx, WIDE), host_ctas((size_t)b->ny, HIGH), 1},
                     threads = {WIDE, HIGH, 1};
    CUfunction jacobi;
    CUdeviceptr now, next;
    void *args[] = {&next, &now, &b->nx, &b->ny, &b->nz};
    if (!host_kernel(h, "lps_jacobi", &jacobi, e) || !host_array(&now, b->now, bytes, e) ||
        !host_array(&next, NULL, bytes, e))
        return false;
    for (int i = 0; i < b->iterations; i++) {
        CUdeviceptr swap = now;
        if (!host_launch_grid(jacobi, ctas, threads, args, e))
            return false;
        TRY(cuMemcpyDtoH(b->next, next, bytes));
        if (h->in->verify && !check(h, b, expected, e))
            return false;
        memcpy(b->now, b->next, bytes);
        now = next;
        next = swap;
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct box b = {.nx = (int)p[0], .ny = (int)p[1], .nz = (int)p[2], .iterations = (int)p[3]};
    make_box(h, &b);
    return run_on_device(h, &b, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_lps_ptx[];
extern const struct workload workload_lps;
const struct workload workload_lps = {
    .name = "lps",
    .suite = "Park",
    .title = "Laplace's equation in three dimensions, Jacobi's iteration",
    .paper_class = "memory-intensive",
    .size = {{"small", {70, 40, 6, 2}, "70 x 40 x 6 points, 2 iterations"},
             {"medium", {100, 100, 60, 2}, "100 x 100 x 60 points, 2 iterations"},
             {"paper", {100, 100, 100, 1}, "100 x 100 x 100 points, 1 iteration"}},
    .ptx = workload_lps_ptx,
    .run = run,
};
