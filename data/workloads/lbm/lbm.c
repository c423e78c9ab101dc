/* lbm -- the lattice Boltzmann method (LBM of Park 2015, Table 2; Parboil): a driven cavity, that
 * is a box of fluid between walls, of which the upper layer moves. 19 directions, collisions after
 * Bhatnagar, Gross and Krook (Qian and others, Europhys. Lett. 1992); a CTA a row of cells, a
 * launch a step. Cells set at random stand still in the fluid, as a porous filling does. */
#include "data/workloads/bounded.h"

#define DIRECTIONS 19
#define RATE       1.95f
#define LID_SPEED  0.05f
#define POROUS     50 /* one inner cell in so many is a wall */

enum { FLUID, WALL, LID };

struct cavity {
    int nx, ny, nz, steps;
    int count, first; /* cells with those beyond the box; the box's first */
    int *kind;        /* [count] */
    float *f;         /* [DIRECTIONS][count] */
    int step[DIRECTIONS][3];
    int away[DIRECTIONS]; /* from a cell to its neighbour */
    float weight[DIRECTIONS];
};

/* The kernel's order: at rest, along the axes, then along the diagonals of planes xy, xz and yz,
 * each direction before its opposite. */
static void set_directions(struct cavity *c)
{
    static const int diagonals[6][3] = {{1, 1, 0},  {1, -1, 0}, {1, 0, 1},
                                        {1, 0, -1}, {0, 1, 1},  {0, 1, -1}};
    for (int d = 1; d < DIRECTIONS; d++)
        for (int a = 0; a < 3; a++) {
            int ahead = d < 7 ? (d - 1) / 2 == a : diagonals[(d - 7) / 2][a];
            c->step[d][a] = d % 2 ? ahead : -ahead;
        }
    for (int d = 0; d < DIRECTIONS; d++) {
        const int *s = c->step[d];
        c->away[d] = s[0] + c->nx * (s[1] + c->ny * s[2]);
        c->weight[d] = d == 0 ? 1.0f / 3.0f : d < 7 ? 1.0f / 18.0f : 1.0f / 36.0f;
    }
}

static int kind_of(struct host *h, const struct cavity *c, int x, int y, int z)
{
    if (x == 0 || y == 0 || z == 0 || x == c->nx - 1 || y == c->ny - 1 || z == c->nz - 1)
        return WALL;
    if (z == c->nz - 2)
        return LID;
    return rng_below(&h->rng, POROUS) == 0 ? WALL : FLUID;
}

static struct cavity make_cavity(struct host *h)
{
    const long *p = h->in->size->param;
    struct cavity c = {.nx = (int)p[0], .ny = (int)p[1], .nz = (int)p[2], .steps = (int)p[3]};
    const int margin = c.nx * c.ny + c.nx + 1, cells = c.nx * c.ny * c.nz;
    c.first = margin;
    c.count = cells + 2 * margin;
    c.kind = host_new(h, (size_t)c.count, sizeof *c.kind);
    c.f = host_new(h, (size_t)c.count * DIRECTIONS, sizeof *c.f);
    set_directions(&c);
    for (int i = 0; i < c.count; i++) {
        const int in = i - c.first;
        const double density = rng_real(&h->rng, 0.98, 1.02);
        c.kind[i] = in < 0 || in >= cells
                        ? WALL
                        : kind_of(h, &c, in % c.nx, in / c.nx % c.ny, in / c.nx / c.ny);
        for (int d = 0; d < DIRECTIONS; d++)
            c.f[(size_t)d * (size_t)c.count + (size_t)i] = (float)(density * (double)c.weight[d]);
    }
    return c;
}

/* Density and velocity of what arrives at a cell, by its moments. */
static void moments(const struct cavity *c, const struct bounded *in, int kind,
                    struct bounded *density, struct bounded u[3])
{
    *density = bounded(0.0f);
    for (int a = 0; a < 3; a++)
        u[a] = bounded(0.0f);
    for (int d = 0; d < DIRECTIONS; d++) {
        *density = bounded_add(*density, in[d]);
        for (int a = 0; a < 3; a++)
            u[a] = bounded_add(u[a], bounded_mul(bounded((float)c->step[d][a]), in[d]));
    }
    const struct bounded per_mass = bounded_div(bounded(1.0f), *density);
    for (int a = 0; a < 3; a++)
        u[a] = kind != LID ? bounded_mul(u[a], per_mass) : bounded(a == 0 ? LID_SPEED : 0.0f);
}

static struct bounded dot(const struct bounded a[3], const struct bounded b[3])
{
    return bounded_add(bounded_add(bounded_mul(a[0], b[0]), bounded_mul(a[1], b[1])),
                       bounded_mul(a[2], b[2]));
}

/* What leaves the cell in direction d: 1 + 3 along + 4.5 along^2 - 1.5 |u|^2, weighted. */
static struct bounded collide(const struct cavity *c, int d, struct bounded in,
                              struct bounded density, const struct bounded u[3])
{
    struct bounded step[3];
    for (int a = 0; a < 3; a++)
        step[a] = bounded((float)c->step[d][a]);
    const struct bounded along = dot(step, u);
    struct bounded series = bounded_add(bounded(3.0f), bounded_mul(bounded(4.5f), along));
    series = bounded_add(bounded(1.0f), bounded_mul(along, series));
    series = bounded_sub(series, bounded_mul(bounded(1.5f), dot(u, u)));
    const struct bounded rest = bounded_mul(bounded_mul(bounded(c->weight[d]), density), series);
    return bounded_add(in, bounded_mul(bounded(RATE), bounded_sub(rest, in)));
}

/* One cell's results, from those of the step before. */
static void reference_cell(const struct cavity *c, const float *before, int cell,
                           struct bounded out[DIRECTIONS])
{
    struct bounded in[DIRECTIONS], density, u[3];
    for (int d = 0; d < DIRECTIONS; d++)
        in[d] = bounded(before[(size_t)d * (size_t)c->count + (size_t)(cell - c->away[d])]);
    moments(c, in, c->kind[cell], &density, u);
    for (int d = 0; d < DIRECTIONS; d++)
        if (c->kind[cell] != WALL)
            out[d] = collide(c, d, in[d], density, u);
        else
            for (int back = 0; back < DIRECTIONS; back++)
                if (c->away[back] == -c->away[d])
                    out[d] = in[back];
}

/* One step. A bound of errors through many collisions would say nothing, so each is checked on what
 * the device made of the one before. */
static bool check_step(struct host *h, const struct cavity *c, const float *before,
                       const float *found, struct err *e)
{
    for (int i = 0; i < c->nx * c->ny * c->nz; i++) {
        struct bounded out[DIRECTIONS];
        const int cell = c->first + i;
        reference_cell(c, before, cell, out);
        for (int d = 0; d < DIRECTIONS; d++) {
            const double v = (double)found[(size_t)d * (size_t)c->count + (size_t)cell];
            if (!(fabs(v - out[d].x) <= out[d].err))
                return err_set(e, "%s: direction %d of cell %d is %.9g, expected %.9g within %g",
                               h->workload->name, d, i, v, out[d].x, out[d].err);
        }
    }
    return true;
}

struct on_device {
    CUfunction step;
    CUdeviceptr from, to, kind;
};

/* A step; into found what it made, if that is checked or the last. */
static bool advance(struct cavity *c, struct on_device *d, float *found, struct err *e)
{
    float rate = RATE, lid = LID_SPEED;
    void *args[] = {&d->to, &d->from, &d->kind, &c->count, &c->first, &rate, &lid};
    struct host_grid ctas = {(unsigned)c->ny, (unsigned)c->nz, 1}, row = {(unsigned)c->nx, 1, 1};
    if (!host_launch_grid(d->step, ctas, row, args, e))
        return false;
    CUdeviceptr made = d->to;
    d->to = d->from;
    d->from = made;
    if (found)
        TRY(cuMemcpyDtoH(found, made, (size_t)c->count * DIRECTIONS * sizeof *found));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct cavity c = make_cavity(h);
    struct on_device d;
    const size_t bytes = (size_t)c.count * DIRECTIONS * sizeof *c.f;
    float *found = host_new(h, (size_t)c.count * DIRECTIONS, sizeof *found);
    if (!host_kernel(h, "lbm_step", &d.step, e) || !host_array(&d.from, c.f, bytes, e) ||
        !host_array(&d.to, c.f, bytes, e) ||
        !host_array(&d.kind, c.kind, (size_t)c.count * sizeof *c.kind, e))
        return false;
    for (int s = 0; s < c.steps; s++) {
        const bool look = h->in->verify || s + 1 == c.steps;
        if (!advance(&c, &d, look ? found : NULL, e) ||
            (h->in->verify && !check_step(h, &c, c.f, found, e)))
            return false;
        float *before = c.f;
        c.f = found;
        found = before;
    }
    return true;
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_lbm_ptx[];
extern const struct workload workload_lbm;
const struct workload workload_lbm = {
    .name = "lbm",
    .suite = "Park",
    .title = "lattice Boltzmann method, 19 directions, a driven cavity",
    .paper_class = "memory-intensive",
    .size = {{"small", {48, 8, 9, 2}, "48 x 8 x 9 cells, 2 steps"},
             {"medium", {120, 30, 30, 3}, "120 x 30 x 30 cells, 3 steps"},
             {"paper", {120, 120, 150, 100}, "120 x 120 x 150 cells, 100 steps (Parboil, short)"}},
    .ptx = workload_lbm_ptx,
    .run = run,
};
