/* nbf -- non-bonded forces of molecular dynamics (Yen 2014, Table 1: the kernel of GROMOS; CTAs of
 * 6 warps). Every thread gathers the positions of its atom's neighbours: the CTA's warps share some
 * 65 lines of positions that they come back to again and again, and read the neighbour list once.
 * One CTA's lines fit a small L1D; several CTAs' lines drive each other out.
 *
 * The system is a thin film, LAYERS atoms thick and periodic in x and y: a disturbed lattice of
 * unit spacing, as a liquid's short-range order. As molecular dynamics codes do, atoms are numbered
 * cell by cell, the cells along a space-filling curve, and at random inside a cell. */
#include "data/workloads/host.h"

#include <math.h>
#include <stdlib.h>

#define CTA         192
#define LAYERS      3
#define CELL        2                      /* lattice sites a cell's side, through all layers */
#define CELL_ATOMS  (CELL * CELL * LAYERS) /* exactly */
#define JITTER      0.2                    /* displacement from the site, each way */
#define CUTOFF      1.5
#define LIST_RADIUS 1.7 /* cutoff and skin; cells next to each other reach that far */

struct film {
    int nx, ny, atoms; /* lattice sites in x and y; multiples of CELL */
    float (*atom)[4];  /* x y z charge */
    int *cell_first;   /* [ny/CELL][nx/CELL]: number of the cell's first atom */
    int *count, *list; /* neighbour k of atom i is list[k * atoms + i] */
    int slots;         /* the longest list */
    float (*force)[4]; /* from the device: x y z 0 */
};

/* Bits of x and y interleaved: the order of the cells. */
static uint64_t curve(uint32_t x, uint32_t y)
{
    uint64_t key = 0;
    for (int b = 0; b < 32; b++)
        key |= (uint64_t)(x >> b & 1) << (2 * b) | (uint64_t)(y >> b & 1) << (2 * b + 1);
    return key;
}

struct placed_cell {
    uint64_t key;
    int cell;
};

static int by_key(const void *a, const void *b)
{
    const struct placed_cell *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static void fill_cell(struct film *f, int cell, int first, struct rng *r)
{
    int cx = cell % (f->nx / CELL) * CELL, cy = cell / (f->nx / CELL) * CELL;
    for (int i = 0; i < CELL_ATOMS; i++) {
        int site[3] = {cx + i % CELL, cy + i / CELL % CELL, i / (CELL * CELL)};
        float *a = f->atom[first + i];
        for (int d = 0; d < 3; d++)
            a[d] = (float)(site[d] + 0.5 + rng_real(r, -JITTER, JITTER));
        a[3] = rng_below(r, 2) ? 0.5f : -0.5f;
    }
    rng_shuffle(r, f->atom[first], CELL_ATOMS, sizeof *f->atom);
    f->cell_first[cell] = first;
}

static void place_atoms(struct host *h, struct film *f)
{
    int cells = f->atoms / CELL_ATOMS;
    struct placed_cell *order = host_new(h, (size_t)cells, sizeof *order);
    for (int c = 0; c < cells; c++) {
        unsigned wide = (unsigned)(f->nx / CELL);
        order[c].key = curve((unsigned)c % wide, (unsigned)c / wide);
        order[c].cell = c;
    }
    qsort(order, (size_t)cells, sizeof *order, by_key);
    f->atom = host_new(h, (size_t)f->atoms, sizeof *f->atom);
    f->cell_first = host_new(h, (size_t)cells, sizeof *f->cell_first);
    for (int c = 0; c < cells; c++)
        fill_cell(f, order[c].cell, c * CELL_ATOMS, &h->rng);
}

static double distance2(const struct film *f, int i, int j, double d[3])
{
    const float *p = f->atom[i], *q = f->atom[j];
    for (int k = 0; k < 3; k++)
        d[k] = (double)p[k] - (double)q[k];
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Neighbours of atom i, in ascending order, from its own cell (cx, cy) and the eight around it. */
static int find_neighbours(const struct film *f, int i, int cx, int cy, int *out)
{
    int wide = f->nx / CELL, high = f->ny / CELL, n = 0;
    for (int around = 0; around < 9; around++) {
        int x = cx + around % 3 - 1, y = cy + around / 3 - 1;
        if (x < 0 || x >= wide || y < 0 || y >= high)
            continue;
        int first = f->cell_first[y * wide + x];
        for (int j = first; j < first + CELL_ATOMS; j++) {
            double d[3];
            if (j != i && distance2(f, i, j, d) < LIST_RADIUS * LIST_RADIUS)
                out[n++] = j;
        }
    }
    qsort(out, (size_t)n, sizeof *out, ascending);
    return n;
}

static void build_lists(struct host *h, struct film *f)
{
    int wide = f->nx / CELL, cells = f->atoms / CELL_ATOMS;
    int(*found)[9 * CELL_ATOMS] = host_new(h, (size_t)f->atoms, sizeof *found);
    f->count = host_new(h, (size_t)f->atoms, sizeof *f->count);
    for (int c = 0; c < cells; c++)
        for (int i = f->cell_first[c]; i < f->cell_first[c] + CELL_ATOMS; i++) {
            f->count[i] = find_neighbours(f, i, c % wide, c / wide, found[i]);
            f->slots = f->count[i] > f->slots ? f->count[i] : f->slots;
        }
    f->list = host_new(h, (size_t)f->slots * (size_t)f->atoms, sizeof *f->list);
    for (int i = 0; i < f->atoms; i++)
        for (int k = 0; k < f->count[i]; k++)
            f->list[(size_t)k * (size_t)f->atoms + (size_t)i] = found[i][k];
}

static bool run_on_device(struct host *h, struct film *f, struct err *e)
{
    CUfunction kernel;
    CUdeviceptr force, atom, count, list;
    size_t n = (size_t)f->atoms;
    if (!host_kernel(h, "nbf_force", &kernel, e) ||
        !host_array(&atom, f->atom, n * sizeof *f->atom, e) ||
        !host_array(&count, f->count, n * sizeof *f->count, e) ||
        !host_array(&list, f->list, (size_t)f->slots * n * sizeof *f->list, e) ||
        !host_array(&force, NULL, n * sizeof *f->force, e))
        return false;
    float cutoff2 = (float)(CUTOFF * CUTOFF);
    void *args[] = {&force, &atom, &count, &list, &f->atoms, &cutoff2};
    if (!host_launch(kernel, host_ctas(n, CTA), CTA, args, e))
        return false;
    TRY(cuMemcpyDtoH(f->force, force, n * sizeof *f->force));
    return true;
}

/* Adds a pair's force on atom i to sum, and the magnitudes of its terms to size. */
static void add_pair(const struct film *f, int i, int j, double sum[3], double size[3])
{
    double d[3], r2 = distance2(f, i, j, d);
    if (!(r2 < CUTOFF * CUTOFF))
        return;
    double s2 = 1.0 / r2, s6 = 0.25 * s2 * s2 * s2;
    double coulomb = (double)f->atom[i][3] * (double)f->atom[j][3] * sqrt(s2);
    double g = (48.0 * s6 * (s6 - 0.5) + coulomb) * s2;
    double g_size = (48.0 * s6 * (s6 + 0.5) + fabs(coulomb)) * s2;
    for (int k = 0; k < 3; k++) {
        sum[k] += g * d[k];
        size[k] += g_size * fabs(d[k]);
    }
}

/* Single precision carries some 2^-24 of each magnitude through about 20 operations and a sum; the
 * positions' own rounding weighs in through the distance, to the twelfth power. A pair at the very
 * cutoff may count on one side only. */
static bool check(const struct film *f, struct err *e)
{
    for (int i = 0; i < f->atoms; i++) {
        double sum[3] = {0}, size[3] = {0};
        for (int k = 0; k < f->count[i]; k++)
            add_pair(f, i, f->list[(size_t)k * (size_t)f->atoms + (size_t)i], sum, size);
        for (int c = 0; c < 3; c++)
            if (!(fabs((double)f->force[i][c] - sum[c]) <= 1e-4 * size[c] + 1e-5))
                return err_set(e, "nbf: force[%d][%d] is %g, expected %g", i, c,
                               (double)f->force[i][c], sum[c]);
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *side = h->in->size->param;
    struct film f = {.nx = (int)side[0], .ny = (int)side[1]};
    f.atoms = f.nx * f.ny * LAYERS;
    place_atoms(h, &f);
    build_lists(h, &f);
    f.force = host_new(h, (size_t)f.atoms, sizeof *f.force);
    return run_on_device(h, &f, e) && (!h->in->verify || check(&f, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_nbf_ptx[];
extern const struct workload workload_nbf;
const struct workload workload_nbf = {
    .name = "nbf",
    .suite = "Yen",
    .title = "non-bonded forces over neighbour lists",
    .paper_class = "memory-intensive",
    .size = {{"small", {96, 80}, "23040 atoms, 3 MB"},
             {"medium", {256, 300}, "230400 atoms, 31 MB"},
             {"paper", {128, 124}, "47616 atoms, 6.3 MB as in Table 1"}},
    .ptx = workload_nbf_ptx,
    .run = run,
};
