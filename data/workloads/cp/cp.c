/* cp -- Coulombic potential (CP of Kayiran 2013, Table II, and Park 2015, Table 2): the potential
 * of point charges on a plane of lattice points by direct summation, the atoms in constant memory
 * (Stone and others, J. Comput. Chem. 2007). 256 CTAs of 16 x 8 threads as in GPGPU-Sim's ISPASS
 * 2009 suite, 8 points a thread. */
#include "data/workloads/host.h"

#include <math.h>

#define WIDE        16
#define HIGH        8
#define POINTS      8 /* a thread's */
#define SPACING     0.1f
#define BLOCK       4000 /* atoms that constant memory holds */
#define NEAREST     1.0  /* distance of the closest atoms from the plane, and of the farthest */
#define FARTHEST    10.0
#define ATOM_FLOATS 4

struct lattice {
    int nx, ny, atoms;
    float (*atom)[ATOM_FLOATS]; /* x, y, squared distance from the plane, charge */
    float *potential;
};

/* Adds what the device computes at (x, y) to *sum, and to *error what it may be off by. A term's
 * place is off by 2^-24 of the lattice's extent for each of the roundings of x (POINTS steps, the
 * product, the difference) and three of y, a term relatively by 2^-22 for the root and 3 roundings
 * of 2^-24; each addition rounds the sum so far. */
static void add_atom(const float a[ATOM_FLOATS], double x, double y, double extent, double *sum,
                     double *error)
{
    double dx = x - (double)a[0], dy = y - (double)a[1];
    double r = sqrt(dx * dx + dy * dy + (double)a[2]), term = (double)a[3] / r;
    double misplaced = (POINTS + 5) * 0x1p-24 * extent;
    *sum += term;
    *error += fabs(term) * (misplaced / r + 7 * 0x1p-24) + fabs(*sum) * 0x1p-24;
}

static bool check(struct host *h, const struct lattice *l, struct err *e)
{
    size_t all = (size_t)l->nx * (size_t)l->ny;
    double *expected = host_new(h, all, sizeof *expected), *error = host_new(h, all, sizeof *error);
    double extent = (double)SPACING * fmax(l->nx, l->ny);
    for (int y = 0; y < l->ny; y++)
        for (int x = 0; x < l->nx; x++) {
            size_t at = (size_t)y * (size_t)l->nx + (size_t)x;
            for (int a = 0; a < l->atoms; a++)
                add_atom(l->atom[a], (double)SPACING * x, (double)SPACING * y, extent,
                         &expected[at], &error[at]);
        }
    return host_near(
        h, &(struct host_floats){"potential", l->potential, expected, error, all, 1.01}, e);
}

static bool run_on_device(struct host *h, struct lattice *l, struct err *e)
{
    size_t bytes = (size_t)l->nx * (size_t)l->ny * sizeof *l->potential;
    float spacing = SPACING;
    CUfunction kernel;
    CUdeviceptr potential;
    struct host_grid ctas = {(unsigned)l->nx / (WIDE * POINTS), (unsigned)l->ny / HIGH, 1},
                     threads = {WIDE, HIGH, 1};
    if (!host_kernel(h, "cp_potential", &kernel, e) || !host_array(&potential, NULL, bytes, e))
        return false;
    for (int done = 0; done < l->atoms; done += BLOCK) {
        int now = l->atoms - done < BLOCK ? l->atoms - done : BLOCK;
        void *args[] = {&potential, &now, &spacing};
        if (!host_symbol(h, "cp_atom", l->atom[done], (size_t)now * sizeof *l->atom, e) ||
            !host_launch_grid(kernel, ctas, threads, args, e))
            return false;
    }
    TRY(cuMemcpyDtoH(l->potential, potential, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct lattice l = {.nx = (int)p[0], .ny = (int)p[1], .atoms = (int)p[2]};
    l.potential = host_new(h, (size_t)l.nx * (size_t)l.ny, sizeof *l.potential);
    l.atom = host_new(h, (size_t)l.atoms, sizeof *l.atom);
    for (int i = 0; i < l.atoms; i++) {
        double z = rng_real(&h->rng, NEAREST, FARTHEST);
        l.atom[i][0] = (float)rng_real(&h->rng, 0.0, (double)SPACING * l.nx);
        l.atom[i][1] = (float)rng_real(&h->rng, 0.0, (double)SPACING * l.ny);
        l.atom[i][2] = (float)(z * z);
        l.atom[i][3] = (float)rng_real(&h->rng, -1.0, 1.0);
    }
    return run_on_device(h, &l, e) && (!h->in->verify || check(h, &l, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_cp_ptx[];
extern const struct workload workload_cp;
const struct workload workload_cp = {
    .name = "cp",
    .suite = "Kayiran, Park",
    .title = "Coulombic potential on a plane, direct summation",
    .paper_class = "compute-intensive",
    .size = {{"small", {512, 240, 40}, "512 x 240 points, 40 atoms"},
             {"medium", {512, 512, 200}, "512 x 512 points, 200 atoms"},
             {"paper", {512, 512, 4000}, "512 x 512 points, 4000 atoms"}},
    .ptx = workload_cp_ptx,
    .run = run,
};
