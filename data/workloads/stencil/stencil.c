/* stencil -- Jacobi steps of the 7-point stencil on a box (ST of Park 2015, Table 2; Parboil's
 * stencil, its kernel with two columns a thread): CTAs of 32 x 4 threads, 64 x 4 columns each, a
 * launch a step. The field is smooth, with noise; its border keeps its values. */
#include "data/workloads/host.h"

#include <math.h>

#define WIDE   32
#define HIGH   4
#define TILE   (2 * WIDE)
#define CENTRE (1.0f / 6.0f)
#define SIDE   (1.0f / 36.0f)

struct box {
    int nx, ny, nz, steps;
    size_t row, plane, cells;
};

static float *make_field(struct host *h, const struct box *b)
{
    float *field = host_new(h, b->cells, sizeof *field);
    const double bend = rng_real(&h->rng, 1.0, 3.0);
    for (size_t i = 0; i < b->cells; i++) {
        double x = (double)(i % b->row) / b->nx, y = (double)(i / b->row % (size_t)b->ny) / b->ny;
        double z = (double)(i / b->plane) / b->nz;
        field[i] = (float)(x * (1.0 - x) + bend * y * (1.0 - z) + rng_real(&h->rng, -0.05, 0.05));
    }
    return field;
}

static bool on_border(const struct box *b, size_t i)
{
    const size_t x = i % b->row, y = i / b->row % (size_t)b->ny, z = i / b->plane;
    return x == 0 || y == 0 || z == 0 || x + 1 == b->row || y + 1 == (size_t)b->ny ||
           z + 1 == (size_t)b->nz;
}

/* One step from `from` to zeroed `to`: every cell gives to its neighbours, and keeps. For values
 * (own < 0) and, with magnitudes for factors, for errors. */
static void give(const struct box *b, const double *from, double *to, double own)
{
    const size_t away[] = {1, b->row, b->plane};
    for (size_t i = 0; i < b->cells; i++) {
        to[i] += own * from[i];
        for (int d = 0; d < 3; d++) {
            if (i >= away[d])
                to[i - away[d]] += (double)SIDE * from[i];
            if (i + away[d] < b->cells)
                to[i + away[d]] += (double)SIDE * from[i];
        }
    }
}

/* The device's result of one step is off by its inputs' errors, weighted, and by at most 8
 * roundings (5 sums, 2 products, a difference) of the terms' magnitudes; where the field has faded
 * to denormals, by 2^-149 for both products. What a border cell or a wrapped row gives reaches only
 * the border, which is put back. */
static void reference_step(const struct box *b, double *value[2], double *error[2], double *size)
{
    for (size_t i = 0; i < b->cells; i++) {
        value[1][i] = error[1][i] = 0.0;
        size[i] = 8 * (fabs(value[0][i]) * 0x1p-24 + 0x1p-149) + error[0][i];
    }
    give(b, value[0], value[1], -(double)CENTRE);
    give(b, size, error[1], (double)CENTRE);
    for (size_t i = 0; i < b->cells; i++)
        if (on_border(b, i)) {
            value[1][i] = value[0][i];
            error[1][i] = 0.0;
        }
    for (size_t i = 0; i < b->cells; i++) {
        value[0][i] = value[1][i];
        error[0][i] = error[1][i];
    }
}

static bool check(struct host *h, const struct box *b, const float *before, const float *found,
                  struct err *e)
{
    double *array[5];
    for (int i = 0; i < 5; i++)
        array[i] = host_new(h, b->cells, sizeof(double));
    for (size_t i = 0; i < b->cells; i++)
        array[0][i] = (double)before[i];
    for (int s = 0; s < b->steps; s++)
        reference_step(b, array, array + 2, array[4]);
    return host_near(h, &(struct host_floats){"field", found, array[0], array[2], b->cells, 1.01},
                     e);
}

static bool run_on_device(struct host *h, struct box *b, const float *field, float *found,
                          struct err *e)
{
    const size_t bytes = b->cells * sizeof *field;
    float centre = CENTRE, side = SIDE;
    CUfunction kernel;
    CUdeviceptr from, to;
    struct host_grid ctas = {host_ctas(b->row, TILE), host_ctas((size_t)b->ny, HIGH), 1};
    if (!host_kernel(h, "stencil_step", &kernel, e) || !host_array(&from, field, bytes, e) ||
        !host_array(&to, field, bytes, e))
        return false;
    for (int s = 0; s < b->steps; s++) {
        void *args[] = {&to, &from, &b->nx, &b->ny, &b->nz, &centre, &side};
        if (!host_launch_grid(kernel, ctas, (struct host_grid){WIDE, HIGH, 1}, args, e))
            return false;
        CUdeviceptr written = to;
        to = from;
        from = written;
    }
    TRY(cuMemcpyDtoH(found, from, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct box b = {.nx = (int)p[0], .ny = (int)p[1], .nz = (int)p[2], .steps = (int)p[3]};
    b.row = (size_t)b.nx;
    b.plane = b.row * (size_t)b.ny;
    b.cells = b.plane * (size_t)b.nz;
    const float *field = make_field(h, &b);
    float *found = host_new(h, b.cells, sizeof *found);
    return run_on_device(h, &b, field, found, e) &&
           (!h->in->verify || check(h, &b, field, found, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_stencil_ptx[];
extern const struct workload workload_stencil;
const struct workload workload_stencil = {
    .name = "stencil",
    .suite = "Park",
    .title = "7-point stencil on a box, two columns a thread",
    .paper_class = "memory-intensive",
    .size = {{"small", {120, 30, 10, 2}, "120 x 30 x 10 cells, 2 steps"},
             {"medium", {128, 128, 32, 6}, "128 x 128 x 32 cells, 6 steps"},
             {"paper", {512, 512, 64, 100}, "512 x 512 x 64 cells, 100 steps (Parboil, default)"}},
    .ptx = workload_stencil_ptx,
    .run = run,
};
