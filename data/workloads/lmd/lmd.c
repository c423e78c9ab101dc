/* lmd -- molecular dynamics of particles in boxes (Rodinia's lavaMD; Park 2015, Table 2), in double
 * precision: potential and force on every particle from those of its own box and of the boxes that
 * touch it, a CTA a box. Charges and places are uniform within the boxes. */
#include "data/workloads/host.h"

#include <math.h>
#include <stdlib.h>

#define CTA        128
#define NEIGHBOURS 26
#define SIDE       10.0 /* of a box */
#define ALPHA      0.5  /* the potential of a unit charge: exp(-(ALPHA r)^2) */

struct vec4 {
    double v, x, y, z; /* place, v = (x^2 + y^2 + z^2) / 2; or potential and force */
};

struct box { /* as in lmd.cu */
    int first, neighbours;
    int neighbour[NEIGHBOURS];
};

struct space {
    int nx, ny, nz, each; /* boxes along the axes, particles of a box */
    int boxes, particles;
    struct vec4 *place, *force;
    double *charge;
    struct box *box;
};

static void box_at(const struct space *s, int b, int at[3])
{
    at[0] = b % s->nx;
    at[1] = b / s->nx % s->ny;
    at[2] = b / s->nx / s->ny;
}

static bool touch(const struct space *s, int a, int b)
{
    int p[3], q[3];
    box_at(s, a, p);
    box_at(s, b, q);
    return abs(p[0] - q[0]) <= 1 && abs(p[1] - q[1]) <= 1 && abs(p[2] - q[2]) <= 1;
}

static int clamp(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static void find_neighbours(const struct space *s, int b)
{
    int at[3];
    box_at(s, b, at);
    s->box[b].first = b * s->each;
    for (int z = clamp(at[2] - 1, s->nz); z <= clamp(at[2] + 1, s->nz); z++)
        for (int y = clamp(at[1] - 1, s->ny); y <= clamp(at[1] + 1, s->ny); y++)
            for (int x = clamp(at[0] - 1, s->nx); x <= clamp(at[0] + 1, s->nx); x++) {
                int other = (z * s->ny + y) * s->nx + x;
                if (other != b)
                    s->box[b].neighbour[s->box[b].neighbours++] = other;
            }
}

static void make_particles(struct host *h, struct space *s)
{
    for (int i = 0; i < s->particles; i++) {
        int at[3];
        struct vec4 *p = &s->place[i];
        box_at(s, i / s->each, at);
        p->x = rng_real(&h->rng, SIDE * at[0], SIDE * (at[0] + 1));
        p->y = rng_real(&h->rng, SIDE * at[1], SIDE * (at[1] + 1));
        p->z = rng_real(&h->rng, SIDE * at[2], SIDE * (at[2] + 1));
        p->v = (p->x * p->x + p->y * p->y + p->z * p->z) / 2;
        s->charge[i] = rng_real(&h->rng, 0.1, 1.0);
    }
}

struct bound { /* of a particle: exact results, and how far off the device's may be */
    long double v, x, y, z;
    double v_err, x_err, y_err, z_err;
};

/* From the distance itself. The device's half r^2 is off by 2^-53 for each of some 10 roundings of
 * numbers up to 2 (p->v + q->v), and by 2^-52 of itself once it is scaled; exp, its product and
 * charge add 8 roundings, each of the n additions one of the sum so far. */
static void add_pair(struct bound *b, const struct vec4 *p, const struct vec4 *q, double charge,
                     int n)
{
    long double dx = (long double)p->x - q->x, dy = (long double)p->y - q->y,
                dz = (long double)p->z - q->z, r2 = dx * dx + dy * dy + dz * dz;
    long double weight = charge * expl(-ALPHA * ALPHA * r2);
    double off = 2 * ALPHA * ALPHA * (20 * 0x1p-53 * (p->v + q->v) + 0x1p-52 * (double)r2);
    double err = (double)weight * (off + (8 + n) * 0x1p-53);
    b->v += weight;
    b->x += 2 * weight * dx;
    b->y += 2 * weight * dy;
    b->z += 2 * weight * dz;
    b->v_err += err;
    b->x_err += 2 * err * fabs((double)dx);
    b->y_err += 2 * err * fabs((double)dy);
    b->z_err += 2 * err * fabs((double)dz);
}

static bool near(const char *what, int i, double found, long double expected, double err,
                 struct err *e)
{
    return fabs((double)(found - expected)) <= err ||
           err_set(e, "lmd: %s[%d] is %.17g, expected %.17g within %g", what, i, found,
                   (double)expected, err);
}

static bool check(const struct space *s, struct err *e)
{
    for (int i = 0; i < s->particles; i++) {
        struct bound b = {0};
        const struct vec4 *f = &s->force[i];
        for (int other = 0; other < s->boxes; other++)
            for (int j = other * s->each; touch(s, i / s->each, other) && j < (other + 1) * s->each;
                 j++)
                add_pair(&b, &s->place[i], &s->place[j], s->charge[j], 27 * s->each);
        if (!near("potential", i, f->v, b.v, b.v_err, e) || !near("fx", i, f->x, b.x, b.x_err, e) ||
            !near("fy", i, f->y, b.y, b.y_err, e) || !near("fz", i, f->z, b.z, b.z_err, e))
            return false;
    }
    return true;
}

static bool run_on_device(struct host *h, struct space *s, struct err *e)
{
    size_t n = (size_t)s->particles;
    double alpha = ALPHA;
    CUfunction kernel;
    CUdeviceptr force, place, charge, box;
    void *args[] = {&force, &place, &charge, &box, &s->each, &alpha};
    if (!host_kernel(h, "lmd_forces", &kernel, e) ||
        !host_array(&force, NULL, n * sizeof *s->force, e) ||
        !host_array(&place, s->place, n * sizeof *s->place, e) ||
        !host_array(&charge, s->charge, n * sizeof *s->charge, e) ||
        !host_array(&box, s->box, (size_t)s->boxes * sizeof *s->box, e) ||
        !host_launch(kernel, (unsigned)s->boxes, host_threads(h, CTA), args, e))
        return false;
    TRY(cuMemcpyDtoH(s->force, force, n * sizeof *s->force));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct space s = {.nx = (int)p[0], .ny = (int)p[1], .nz = (int)p[2], .each = (int)p[3]};
    s.boxes = s.nx * s.ny * s.nz;
    s.particles = s.boxes * s.each;
    size_t n = (size_t)s.particles;
    s.place = host_new(h, n, sizeof *s.place);
    s.force = host_new(h, n, sizeof *s.force);
    s.charge = host_new(h, n, sizeof *s.charge);
    s.box = host_new(h, (size_t)s.boxes, sizeof *s.box);
    for (int b = 0; b < s.boxes; b++)
        find_neighbours(&s, b);
    make_particles(h, &s);
    return run_on_device(h, &s, e) && (!h->in->verify || check(&s, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_lmd_ptx[];
extern const struct workload workload_lmd;
const struct workload workload_lmd = {
    .name = "lmd",
    .suite = "Park",
    .title = "forces between particles in boxes that touch, double precision",
    .paper_class = "compute-intensive",
    .size = {{"small", {2, 2, 2, 32}, "2 x 2 x 2 boxes of 32 particles"},
             {"medium", {4, 4, 4, 64}, "4 x 4 x 4 boxes of 64 particles"},
             {"paper", {10, 10, 10, 100}, "10 x 10 x 10 boxes of 100 particles"}},
    .any_warps = true,
    .ptx = workload_lmd_ptx,
    .run = run,
};
