/* ray -- ray tracing with reflections and shadows (RAY of Kayiran 2013, Table II; in GPGPU-Sim's
 * ISPASS 2009 suite, 512 CTAs of 16 x 8 threads, 256 x 256 pixels): spheres on a chequered floor,
 * up to five bounces, without recursion.
 *
 * The reference traces in double precision, with other formulas, and keeps how far off the single
 * precision ray may be by then. A pixel for which that could change what a ray meets, a shadow or
 * a square of the floor, is not compared; at least COMPARED of all are. */
#include "data/workloads/host.h"

#include <math.h>

#define SPHERES  64 /* at most, as in ray.cu */
#define BOUNCES  5
#define FLOOR    SPHERES
#define NOTHING  (SPHERES + 1)
#define ROUNDING 1e-6 /* of a few operations: 16 times 2^-24 */
#define COMPARED 0.8

struct scene {
    int wide, high, spheres;
    float sphere[SPHERES][4];     /* centre, radius */
    float colour[SPHERES + 2][4]; /* red, green, blue, reflected share; two of the floor */
    float light[4];
    unsigned *pixel; /* from the device */
};

struct vec {
    double x, y, z;
};

static struct vec vec(const float v[3])
{
    return (struct vec){(double)v[0], (double)v[1], (double)v[2]};
}

static struct vec plus(struct vec a, double times, struct vec b)
{
    return (struct vec){a.x + times * b.x, a.y + times * b.y, a.z + times * b.z};
}

static double dot(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length(struct vec a)
{
    return sqrt(dot(a, a));
}

/* A ray, and by how much the device's may begin and point elsewhere. */
struct ray {
    struct vec from, along;
    double off_from, off_along;
    int own;   /* object that it begins on */
    bool sure; /* the device's rays have met the same objects so far */
};

struct hit {
    int object;
    double t, off;
};

static struct hit meet_sphere(const struct scene *s, int k, struct ray *r)
{
    const double radius = (double)s->sphere[k][3];
    const struct vec to = plus(vec(s->sphere[k]), -1.0, r->from);
    const double before = dot(to, r->along), apart = length(plus(to, -before, r->along));
    const double off =
        r->off_from + fabs(before) * r->off_along + ROUNDING * (1.0 + dot(to, to) / radius);
    if (before > -off && fabs(apart - radius) < 2.0 * off)
        r->sure = false;
    if (before <= 0.0 || apart >= radius)
        return (struct hit){NOTHING, INFINITY, 0.0};
    const double half = sqrt(radius * radius - apart * apart);
    return (struct hit){k, before - half, off * (2.0 + apart / half)};
}

static struct hit meet_floor(struct ray *r)
{
    const double down = -r->along.y, t = r->from.y / down;
    if (r->own != FLOOR && fabs(down) < 2.0 * (r->off_along + ROUNDING))
        r->sure = false;
    if (r->own == FLOOR || down <= 0.0)
        return (struct hit){NOTHING, INFINITY, 0.0};
    return (struct hit){FLOOR, t, (r->off_from + t * r->off_along + ROUNDING * (1.0 + t)) / down};
}

static struct hit nearest(const struct scene *s, struct ray *r)
{
    struct hit best = meet_floor(r);
    for (int k = 0; k < s->spheres; k++) {
        if (k == r->own)
            continue;
        const struct hit now = meet_sphere(s, k, r);
        if (now.object != NOTHING && fabs(now.t - best.t) < 2.0 * (now.off + best.off))
            r->sure = false;
        if (now.t < best.t)
            best = now;
    }
    return best;
}

static bool in_shadow(const struct scene *s, struct ray *to_light, double distance)
{
    bool dark = false;
    for (int k = 0; k < s->spheres; k++)
        if (k != to_light->own)
            dark |= meet_sphere(s, k, to_light).t < distance;
    return dark;
}

/* Goes to what the ray meets. Returns its colour; *normal: there. */
static const float *arrive(const struct scene *s, struct ray *r, const struct hit *h,
                           struct vec *normal, double *off_normal)
{
    r->from = plus(r->from, h->t, r->along);
    r->off_from += h->t * r->off_along + h->off + ROUNDING * (1.0 + h->t + length(r->from));
    r->own = h->object;
    if (h->object == FLOOR) {
        const double x = r->from.x, z = r->from.z, rounding = r->off_from + 4096.0 * 0x1p-23;
        if (fabs(x - round(x)) < rounding || fabs(z - round(z)) < rounding || fabs(x) > 4000.0 ||
            fabs(z) > 4000.0)
            r->sure = false;
        *normal = (struct vec){0.0, 1.0, 0.0};
        *off_normal = 0.0;
        return s->colour[SPHERES + (fmod(floor(x) + floor(z), 2.0) != 0.0)];
    }
    const double radius = (double)s->sphere[h->object][3];
    const struct vec apart = plus(r->from, -1.0, vec(s->sphere[h->object]));
    *normal = (struct vec){apart.x / radius, apart.y / radius, apart.z / radius};
    *off_normal = r->off_from / radius + ROUNDING;
    return s->colour[h->object];
}

struct shade {
    double light[3], off;
};

/* Adds the light of an object from where r is now, and reflects r. */
static void reflect(const struct scene *s, struct ray *r, const struct hit *h, double *share,
                    struct shade *sum)
{
    struct vec normal;
    double off_normal;
    const float *colour = arrive(s, r, h, &normal, &off_normal);
    const struct vec apart = plus(vec(s->light), -1.0, r->from);
    const double distance = length(apart);
    const double off_light = 2.0 * r->off_from / distance + ROUNDING;
    struct ray light = {r->from,     plus((struct vec){0, 0, 0}, 1.0 / distance, apart),
                        r->off_from, off_light,
                        r->own,      r->sure};
    double lit = dot(normal, light.along), shine = 0.0;
    r->along = plus(r->along, -2.0 * dot(r->along, normal), normal);
    r->off_along = (h->object == FLOOR ? 1.0 : 3.0) * r->off_along + 4.0 * off_normal + ROUNDING;
    if (fabs(lit) < off_normal + off_light) /* the edge of the lit side: shine begins there */
        r->sure = false;
    if (lit > 0.0 && !in_shadow(s, &light, distance)) {
        r->sure &= light.sure;
        shine = 0.3 * pow(fmax(dot(r->along, light.along), 0.0), 8.0);
    } else {
        r->sure &= light.sure || lit <= 0.0;
        lit = 0.0;
    }
    for (int c = 0; c < 3; c++)
        sum->light[c] +=
            *share * ((1.0 - (double)colour[3]) * (0.2 + 0.8 * lit) * (double)colour[c] + shine);
    sum->off += *share * (off_normal + off_light + 2.4 * (r->off_along + off_light) + ROUNDING);
    *share *= (double)colour[3];
}

/* Light of a pixel; false: the device may have met other objects. */
static bool trace(const struct scene *s, int x, int y, struct shade *sum)
{
    struct ray r = {{0.0, 1.5, -6.0},
                    {(x + 0.5 - 0.5 * s->wide) / s->high, (0.5 * s->high - y - 0.5) / s->high, 1.0},
                    0.0,
                    ROUNDING,
                    NOTHING,
                    true};
    double share = 1.0;
    r.along = plus((struct vec){0, 0, 0}, 1.0 / length(r.along), r.along);
    *sum = (struct shade){{0}, ROUNDING};
    for (int bounce = 0; bounce < BOUNCES && share > 0.0; bounce++) {
        const struct hit h = nearest(s, &r);
        if (h.object == NOTHING) {
            const double up = fmax(r.along.y, 0.0);
            const double sky[3] = {0.5 - 0.3 * up, 0.6 - 0.2 * up, 0.9};
            for (int c = 0; c < 3; c++)
                sum->light[c] += share * sky[c];
            sum->off += share * r.off_along;
            break;
        }
        reflect(s, &r, &h, &share, sum);
    }
    return r.sure;
}

static bool check(struct host *h, const struct scene *s, struct err *e)
{
    const int all = s->wide * s->high;
    const size_t n = 3 * (size_t)all;
    float *found = host_new(h, n, sizeof *found);
    double *expected = host_new(h, n, sizeof *expected), *off = host_new(h, n, sizeof *off);
    int compared = 0;
    for (int i = 0; i < all; i++) {
        struct shade sum;
        const bool sure = trace(s, i % s->wide, i / s->wide, &sum);
        compared += sure;
        for (int c = 0; c < 3; c++) {
            found[3 * i + c] = (float)(s->pixel[i] >> 8 * c & 255);
            expected[3 * i + c] = 255.0 * fmin(sum.light[c], 1.0);
            off[3 * i + c] = sure ? 0.5 + 255.0 * sum.off : 255.0;
        }
    }
    if (compared < COMPARED * all)
        return err_set(e, "ray: %d of %d pixels can be compared, expected %g of them", compared,
                       all, COMPARED);
    return host_near(h, &(struct host_floats){"light", found, expected, off, n, 1.0}, e);
}

static bool overlaps(const struct scene *s, const float a[4])
{
    for (int k = 0; k < s->spheres; k++)
        if (length(plus(vec(a), -1.0, vec(s->sphere[k]))) < (double)(a[3] + s->sphere[k][3]))
            return true;
    return false;
}

/* Spheres beside and above each other, half of them on the floor. */
static void make_scene(struct host *h, struct scene *s, int spheres)
{
    struct rng *r = &h->rng;
    while (s->spheres < spheres) {
        const double radius = rng_real(r, 0.3, 1.0), high = rng_real(r, -2.0, 2.0);
        float *now = s->sphere[s->spheres], *colour = s->colour[s->spheres];
        now[0] = (float)rng_real(r, -5.0, 5.0);
        now[1] = (float)(1.02 * radius + fmax(high, 0.0));
        now[2] = (float)rng_real(r, -1.0, 12.0);
        now[3] = (float)radius;
        for (int c = 0; c < 3; c++)
            colour[c] = (float)rng_real(r, 0.2, 1.0);
        colour[3] = rng_below(r, 4) ? (float)rng_real(r, 0.1, 0.6) : 0.0f;
        s->spheres += !overlaps(s, now);
    }
    for (int c = 0; c < 3; c++) {
        s->colour[SPHERES][c] = 0.9f;
        s->colour[SPHERES + 1][c] = 0.1f;
    }
    s->colour[SPHERES][3] = s->colour[SPHERES + 1][3] = 0.15f;
    s->light[0] = (float)rng_real(r, -6.0, 6.0);
    s->light[1] = (float)rng_real(r, 6.0, 9.0);
    s->light[2] = (float)rng_real(r, -6.0, 0.0);
}

static bool run_on_device(struct host *h, struct scene *s, struct err *e)
{
    const struct host_grid cta = {16, 8, 1}, ctas = {host_ctas((size_t)s->wide, cta.x),
                                                     host_ctas((size_t)s->high, cta.y), 1};
    const size_t bytes = (size_t)s->wide * (size_t)s->high * sizeof *s->pixel;
    CUfunction kernel;
    CUdeviceptr pixel;
    if (!host_kernel(h, "ray_trace", &kernel, e) || !host_array(&pixel, NULL, bytes, e) ||
        !host_symbol(h, "ray_sphere", s->sphere, sizeof s->sphere, e) ||
        !host_symbol(h, "ray_colour", s->colour, sizeof s->colour, e) ||
        !host_symbol(h, "ray_light", s->light, sizeof s->light, e))
        return false;
    void *args[] = {&pixel, &s->wide, &s->high, &s->spheres};
    if (!host_launch_grid(kernel, ctas, cta, args, e))
        return false;
    TRY(cuMemcpyDtoH(s->pixel, pixel, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct scene s = {.wide = (int)p[0], .high = (int)p[1]};
    s.pixel = host_new(h, (size_t)s.wide * (size_t)s.high, sizeof *s.pixel);
    make_scene(h, &s, (int)p[2]);
    return run_on_device(h, &s, e) && (!h->in->verify || check(h, &s, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_ray_ptx[];
extern const struct workload workload_ray;
const struct workload workload_ray = {
    .name = "ray",
    .suite = "Kayiran",
    .title = "ray tracing of spheres, with shadows and reflections",
    .paper_class = "compute-intensive",
    .size = {{"small", {64, 64, 6}, "64 x 64 pixels, 6 spheres"},
             {"medium", {256, 128, 24}, "256 x 128 pixels, 24 spheres"},
             {"paper", {256, 256, 16}, "256 x 256 pixels (ISPASS 2009), 16 spheres"}},
    .ptx = workload_ray_ptx,
    .run = run,
};
