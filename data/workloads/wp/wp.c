/* wp -- cloud microphysics of a weather model (WP of Kayiran 2013, Table II; in GPGPU-Sim's ISPASS
 * 2009 suite, WRF's WSM5: 72 CTAs of 8 x 8 threads, a column of 27 levels each): rain and snow
 * fall, water changes its phase, in every column by itself. Columns without clouds have little to
 * do.
 *
 * The air is drawn at random: moist below, colder and drier above, with cells of cloud, rain, ice
 * and snow. The reference works in double precision on one level after the other: the rates of all
 * processes, each with the phase it takes from and the one it gives to. It keeps how far off single
 * precision may be. A column in which this could change at which side of the freezing point a level
 * is, or how many steps rain takes to fall, is not compared; at least COMPARED of all are. */
#include "data/workloads/host.h"

#include <math.h>

#define CTA      8 /* in both directions */
#define LEVELS   27
#define PI       3.14159265358979323846
#define T_ICE    273.15
#define RV       461.5
#define CP       1004.5
#define LV       2.5e6
#define LS       2.834e6
#define RHO_0    1.28
#define TINY     1e-9
#define RAIN_N   8e6
#define SNOW_N   2e6
#define COMPARED 0.7

enum phase { VAPOUR, CLOUD, ICE, RAIN, SNOW, PHASES };
enum { T = PHASES, FIELDS, P = FIELDS, RHO, DEPTH, ALL_FIELDS };

static const double latent[PHASES] = {0.0, LV, LS, LV, LS}; /* heat that is free in a phase */

struct region {
    int wide, high, columns, parts;
    float dt;                 /* of a part, s */
    float *field[ALL_FIELDS]; /* [LEVELS][columns]; after the run: from the device */
    float *fallen;            /* [2][columns]: rain, snow; from the device */
    float *before[FIELDS];    /* as the device found them */
};

struct level {
    double q[PHASES], t, p, rho, depth;
    double off; /* kg per kg: by how much the device's water may differ */
};

struct column {
    struct level level[LEVELS];
    double fallen[2];
    bool sure;
};

static double saturated(const struct level *l, double a, double b)
{
    const double e = 610.78 * exp(a * (l->t - T_ICE) / (l->t - b));
    return 0.622 * e / (l->p - e);
}

static double over_water(const struct level *l)
{
    return saturated(l, 17.27, 35.86);
}

static double over_ice(const struct level *l)
{
    return saturated(l, 21.875, 7.66);
}

/* Of drops, and of flakes: sizes d are distributed as n exp(-d / size), fall with a d^b. */
struct particles {
    double density, a, b, n, still, blown; /* the last two: ventilation factors */
};

static struct particles particles(const struct level *l, enum phase kind)
{
    if (kind == RAIN)
        return (struct particles){1000.0, 841.9, 0.8, RAIN_N, 2.0 * PI * 0.78, 2.0 * PI * 0.31};
    const double n = SNOW_N * exp(0.12 * fmax(T_ICE - l->t, 0.0));
    return (struct particles){100.0, 11.72, 0.41, n, 4.0 * 0.65, 4.0 * 0.44};
}

static double mean_size(const struct level *l, enum phase kind)
{
    const struct particles s = particles(l, kind);
    return sqrt(sqrt(l->rho * l->q[kind] / (PI * s.density * s.n)));
}

static double fall_speed(const struct level *l, enum phase kind)
{
    const struct particles s = particles(l, kind);
    return s.a * tgamma(4.0 + s.b) / 6.0 * pow(mean_size(l, kind), s.b) * sqrt(RHO_0 / l->rho);
}

/* Volume of air that all particles of a cubic metre sweep in a second. */
static double sweeps(const struct level *l, enum phase kind)
{
    const struct particles s = particles(l, kind);
    return PI / 4.0 * s.n * s.a * tgamma(3.0 + s.b) * pow(mean_size(l, kind), 3.0 + s.b) *
           sqrt(RHO_0 / l->rho);
}

static double viscous(const struct level *l)
{
    return 1.496e-6 * pow(l->t, 1.5) / (l->t + 120.0);
}

static double diffuses(const struct level *l)
{
    return 8.794e-5 * pow(l->t, 1.81) / l->p;
}

/* Sum of the particles' sizes, times what their motion adds to the exchange with the air. */
static double exchange(const struct level *l, enum phase kind)
{
    const struct particles s = particles(l, kind);
    const double size = mean_size(l, kind), nu = viscous(l) / l->rho;
    const double wind = cbrt(nu / diffuses(l)) * sqrt(s.a / nu) * pow(RHO_0 / l->rho, 0.25);
    return s.n * (s.still * size * size +
                  s.blown * tgamma((5.0 + s.b) / 2.0) * wind * pow(size, (5.0 + s.b) / 2.0));
}

/* Growth per supersaturation and exchange, 1 / s. */
static double growth(const struct level *l, double heat, double saturation)
{
    const double conducts = 1414.0 * viscous(l);
    return 1.0 / (l->rho * (heat * heat / (conducts * RV * l->t * l->t) +
                            1.0 / (l->rho * saturation * diffuses(l))));
}

enum process {
    TO_RAIN,
    SWEEP_CLOUD,
    EVAPORATE,
    TO_SNOW,
    SNOW_ICE,
    SNOW_CLOUD,
    DEPOSIT_SNOW,
    DEPOSIT_ICE,
    NEW_ICE,
    FREEZE,
    MELT_SNOW,
    MELT_ICE,
    PROCESSES
};
static const enum phase takes[PROCESSES][2] = {/* from, to; the other way round if negative */
                                               {CLOUD, RAIN},  {CLOUD, RAIN}, {RAIN, VAPOUR},
                                               {ICE, SNOW},    {ICE, SNOW},   {CLOUD, SNOW},
                                               {VAPOUR, SNOW}, {VAPOUR, ICE}, {VAPOUR, ICE},
                                               {CLOUD, ICE},   {SNOW, RAIN},  {ICE, CLOUD}};

static void warm_rain(const struct level *l, double *rate, double dt)
{
    const double saturation = over_water(l), lacks = fmax(saturation - l->q[VAPOUR], 0.0);
    rate[TO_RAIN] = 1e-3 * fmax(l->q[CLOUD] - 5e-4, 0.0);
    if (l->q[RAIN] <= TINY)
        return;
    rate[SWEEP_CLOUD] = l->q[CLOUD] * sweeps(l, RAIN);
    rate[EVAPORATE] =
        fmin(exchange(l, RAIN) * growth(l, LV, saturation) * lacks / saturation, 0.5 * lacks / dt);
}

static void frost(const struct level *l, double *rate, double dt)
{
    const double cold = T_ICE - l->t, saturation = over_ice(l), spare = l->q[VAPOUR] - saturation;
    const double grows = growth(l, LS, saturation) * spare / saturation;
    rate[TO_SNOW] = 1e-3 * exp(-0.025 * cold) * fmax(l->q[ICE] - 8e-5 / l->rho, 0.0);
    if (l->q[SNOW] > TINY) {
        rate[SNOW_ICE] = l->q[ICE] * sweeps(l, SNOW) * exp(-0.07 * cold);
        rate[SNOW_CLOUD] = l->q[CLOUD] * sweeps(l, SNOW);
        rate[DEPOSIT_SNOW] = grows * exchange(l, SNOW);
    }
    if (l->q[ICE] > TINY) {
        const double mass = l->rho * l->q[ICE], crystals = fmin(5.38e7 * pow(mass, 0.75), 1e6);
        rate[DEPOSIT_ICE] = 4.0 * fmin(11.9 * sqrt(mass / crystals), 5e-4) * crystals * grows;
    }
    const double first = 4.92e-11 * pow(1e3 * exp(0.1 * cold), 1.33) / l->rho;
    rate[NEW_ICE] = fmin(fmax(first - l->q[ICE], 0.0), fmax(spare, 0.0)) / dt;
    const double all = rate[DEPOSIT_SNOW] + rate[DEPOSIT_ICE] + rate[NEW_ICE];
    if (fabs(all) * dt > 0.5 * fabs(spare))
        for (int i = DEPOSIT_SNOW; i <= NEW_ICE; i++)
            rate[i] *= 0.5 * spare / (all * dt);
    rate[FREEZE] = cold > 40.0 ? l->q[CLOUD] / dt
                               : 100.0 * expm1(0.66 * cold) * l->rho * l->q[CLOUD] * l->q[CLOUD] /
                                     (1000.0 * 3e8);
}

static void thaw(const struct level *l, double *rate, double dt)
{
    const double warm = l->t - T_ICE, most = 0.5 * warm * CP / (LS - LV);
    rate[MELT_ICE] = l->q[ICE] / dt;
    if (l->q[SNOW] > TINY)
        rate[MELT_SNOW] =
            PI / 2.0 * 1414.0 * viscous(l) * warm * exchange(l, SNOW) / (l->rho * (LS - LV));
    const double all = (rate[MELT_ICE] + rate[MELT_SNOW]) * dt, share = fmin(1.0, most / all);
    if (all > 0.0)
        rate[MELT_ICE] *= share, rate[MELT_SNOW] *= share;
}

/* Nothing gives more than it has, but for vapour. */
static void limit(const struct level *l, double *rate, double dt)
{
    double gives[PHASES] = {0.0};
    for (int i = 0; i < PROCESSES; i++)
        gives[takes[i][rate[i] < 0.0]] += fabs(rate[i]) * dt;
    for (int i = 0; i < PROCESSES; i++) {
        const enum phase from = takes[i][rate[i] < 0.0];
        if (from != VAPOUR && gives[from] > l->q[from])
            rate[i] *= l->q[from] / gives[from];
    }
}

static void change(struct level *l, const double *rate, double dt)
{
    for (int i = 0; i < PROCESSES; i++) {
        const enum phase from = takes[i][0], to = takes[i][1];
        l->q[from] -= rate[i] * dt;
        l->q[to] += rate[i] * dt;
        l->t += (latent[to] - latent[from]) * rate[i] * dt / CP;
        l->off += fabs(rate[i]) * dt * 0x1p-17;
    }
    const double saturation = over_water(l);
    const double heats = LV * LV * saturation / (CP * RV * l->t * l->t);
    const double condenses = fmax((l->q[VAPOUR] - saturation) / (1.0 + heats), -l->q[CLOUD]);
    l->q[VAPOUR] -= condenses;
    l->q[CLOUD] += condenses;
    l->t += LV * condenses / CP;
    l->off += fabs(condenses) * 0x1p-17;
    if (l->q[CLOUD] + l->q[ICE] + l->q[RAIN] + l->q[SNOW] > TINY)
        l->off += saturation * 0x1p-19;
    for (int i = 0; i < PHASES; i++)
        l->q[i] = fmax(l->q[i], 0.0);
}

/* Kelvin that a level may be off by: of the water, and in adding up its changes. */
static double off_kelvin(const struct level *l)
{
    return LS / CP * l->off + 300.0 * 0x1p-20;
}

/* Each level's processes in double precision: rates are off by 2^-17, for the logarithms and
 * exponentials of numbers up to 2^30; saturations by 2^-19, for temperatures that are off by 2^-24
 * and exponents up to 20. */
static void phases(struct column *c, double dt)
{
    for (int k = 0; k < LEVELS; k++) {
        struct level *l = &c->level[k];
        double rate[PROCESSES] = {0.0};
        if (fabs(l->t - T_ICE) < off_kelvin(l) || fabs(l->t - T_ICE + 40.0) < off_kelvin(l))
            c->sure = false;
        warm_rain(l, rate, dt);
        if (l->t < T_ICE)
            frost(l, rate, dt);
        else
            thaw(l, rate, dt);
        limit(l, rate, dt);
        change(l, rate, dt);
    }
}

/* Rain or snow falls; an upwind scheme, in as many steps as the fastest level needs. */
static double fall(struct column *c, enum phase kind, double dt)
{
    double turns = 0.0, ground = 0.0;
    for (int k = 0; k < LEVELS; k++)
        if (c->level[k].q[kind] > TINY)
            turns = fmax(turns, fall_speed(&c->level[k], kind) * dt / c->level[k].depth);
    if (turns == 0.0)
        return 0.0;
    if (turns > 0.5 && fabs(turns - round(turns)) < 1e-3)
        c->sure = false;
    const int steps = 1 + (int)turns;
    for (int s = 0; s < steps; s++) {
        double flux[LEVELS + 1] = {0.0};
        for (int k = 0; k < LEVELS; k++) {
            const struct level *l = &c->level[k];
            const double share = fmin(fall_speed(l, kind) * dt / steps / l->depth, 1.0);
            flux[k] = l->q[kind] > TINY ? share * l->q[kind] * l->rho * l->depth : 0.0;
        }
        for (int k = 0; k < LEVELS; k++) {
            struct level *l = &c->level[k];
            const double mass = l->rho * l->depth;
            l->q[kind] += (flux[k + 1] - flux[k]) / mass;
            l->off += (flux[k + 1] + flux[k]) / mass * 0x1p-17 + (flux[k + 1] > 0.0 ? TINY : 0.0);
        }
        ground += flux[0];
    }
    return ground;
}

static void expect(const struct region *r, int at, struct column *c)
{
    *c = (struct column){.sure = true};
    for (int k = 0; k < LEVELS; k++) {
        const int i = k * r->columns + at;
        struct level *l = &c->level[k];
        for (int q = 0; q < PHASES; q++)
            l->q[q] = (double)r->before[q][i];
        l->t = (double)r->before[T][i];
        l->p = (double)r->field[P][i];
        l->rho = (double)r->field[RHO][i];
        l->depth = (double)r->field[DEPTH][i];
        l->off = TINY;
    }
    for (int part = 0; part < r->parts; part++) {
        c->fallen[0] += fall(c, RAIN, (double)r->dt);
        c->fallen[1] += fall(c, SNOW, (double)r->dt);
        phases(c, (double)r->dt);
    }
}

struct sums { /* what there is to compare: [FIELDS][LEVELS][columns], and what fell */
    double *expected[FIELDS], *off[FIELDS], *fallen, *off_fallen;
};

/* What is wrong at one level falls into others: the worst level's stands for all, and twice that,
 * since what was off once changes the rates of later parts. */
static void note(const struct region *r, int at, const struct column *c, struct sums *s)
{
    double off = 0.0, mass = 0.0;
    for (int k = 0; k < LEVELS; k++) {
        off = fmax(off, 2.0 * c->level[k].off);
        mass += c->level[k].rho * c->level[k].depth;
    }
    for (int k = 0; k < LEVELS; k++)
        for (int f = 0; f < FIELDS; f++) {
            const int i = k * r->columns + at;
            const struct level worst = {.off = off};
            s->expected[f][i] = f == T ? c->level[k].t : c->level[k].q[f];
            s->off[f][i] = !c->sure ? INFINITY : f == T ? off_kelvin(&worst) : off;
        }
    for (int i = 0; i < 2; i++) {
        s->fallen[i * r->columns + at] = c->fallen[i];
        s->off_fallen[i * r->columns + at] = c->sure ? off * mass : INFINITY;
    }
}

static bool check(struct host *h, const struct region *r, struct err *e)
{
    static const char *const name[FIELDS] = {"vapour", "cloud", "ice", "rain", "snow", "t"};
    const size_t all = (size_t)r->columns * LEVELS, ground = 2 * (size_t)r->columns;
    struct sums s = {.fallen = host_new(h, ground, sizeof(double)),
                     .off_fallen = host_new(h, ground, sizeof(double))};
    int compared = 0;
    for (int f = 0; f < FIELDS; f++) {
        s.expected[f] = host_new(h, all, sizeof(double));
        s.off[f] = host_new(h, all, sizeof(double));
    }
    for (int at = 0; at < r->columns; at++) {
        struct column c;
        expect(r, at, &c);
        note(r, at, &c, &s);
        compared += c.sure;
    }
    if (compared < COMPARED * r->columns)
        return err_set(e, "wp: %d of %d columns can be compared, expected %g of them", compared,
                       r->columns, COMPARED);
    for (int f = 0; f < FIELDS; f++)
        if (!host_near(
                h, &(struct host_floats){name[f], r->field[f], s.expected[f], s.off[f], all, 1.0},
                e))
            return false;
    return host_near(
        h, &(struct host_floats){"fallen", r->fallen, s.fallen, s.off_fallen, ground, 1.0}, e);
}

struct cell { /* of clouds */
    double x, y, radius, strength;
};

/* One column: temperature falls by 6.5 degrees a kilometre, pressure with it; near a cell the air
 * is moister, and has water of all phases that its temperature allows. */
static void fill_column(struct region *r, int at, double ground_t, double cell, struct rng *rng)
{
    double z = 0.0, p = 1e5;
    for (int k = 0; k < LEVELS; k++) {
        const int i = k * r->columns + at;
        const double depth = 100.0 + 25.0 * k;
        struct level l = {.t = ground_t - 0.0065 * (z + depth / 2.0), .depth = depth};
        l.p = p * exp(-9.81 * depth / 2.0 / (287.0 * l.t));
        l.rho = l.p / (287.0 * l.t);
        p *= exp(-9.81 * depth / (287.0 * l.t));
        z += depth;
        const double top = 0.75 - 0.4 * z / 12000.0, moist = top + (1.02 - top) * cell;
        const double cold = fmin(fmax((T_ICE - l.t) / 40.0, 0.0), 1.0);
        const double high = exp(-z / 6000.0) * cell * cell * rng_real(rng, 0.8, 1.2);
        l.q[VAPOUR] = moist * over_water(&l) * rng_real(rng, 0.97, 1.0);
        if (cell > 0.3) {
            const double frozen = l.t < T_ICE + 3.0 ? cell : 0.0;
            l.q[CLOUD] = 1e-3 * high * (1.0 - 0.9 * cold);
            l.q[RAIN] = l.t > T_ICE - 5.0 ? 2e-3 * high : 0.0;
            l.q[ICE] = 4e-4 * frozen * (0.1 + cold);
            l.q[SNOW] = 1e-3 * frozen * (0.3 + cold) * (1.0 - z / 16000.0);
        }
        for (int q = 0; q < PHASES; q++)
            r->field[q][i] = (float)l.q[q];
        r->field[T][i] = (float)l.t;
        r->field[P][i] = (float)l.p;
        r->field[RHO][i] = (float)l.rho;
        r->field[DEPTH][i] = (float)l.depth;
    }
}

static void make_region(struct host *h, struct region *r)
{
    const size_t all = (size_t)r->columns * LEVELS;
    struct cell cell[3];
    for (int f = 0; f < ALL_FIELDS; f++)
        r->field[f] = host_new(h, all, sizeof(float));
    for (int f = 0; f < FIELDS; f++)
        r->before[f] = host_new(h, all, sizeof(float));
    r->fallen = host_new(h, 2 * (size_t)r->columns, sizeof(float));
    for (int i = 0; i < 3; i++)
        cell[i] =
            (struct cell){rng_real(&h->rng, 0.0, r->wide), rng_real(&h->rng, 0.0, r->high),
                          rng_real(&h->rng, 0.1, 0.25) * r->wide, rng_real(&h->rng, 0.7, 1.0)};
    for (int at = 0; at < r->columns; at++) {
        const int x = at % r->wide, y = at / r->wide;
        double inside = 0.0;
        for (int i = 0; i < 3; i++) {
            const double far = hypot(x - cell[i].x, y - cell[i].y) / cell[i].radius;
            inside = fmax(inside, cell[i].strength * exp(-far * far));
        }
        fill_column(r, at, 295.0 - 5.0 * y / r->high + 2.0 * inside, inside, &h->rng);
    }
    for (int f = 0; f < FIELDS; f++)
        for (size_t i = 0; i < all; i++)
            r->before[f][i] = r->field[f][i];
}

static bool run_on_device(struct host *h, struct region *r, struct err *e)
{
    const size_t bytes = (size_t)r->columns * LEVELS * sizeof(float);
    const size_t ground = 2 * (size_t)r->columns * sizeof(float);
    const struct host_grid cta = {CTA, CTA, 1}, ctas = {host_ctas((size_t)r->wide, CTA),
                                                        host_ctas((size_t)r->high, CTA), 1};
    /* as struct wp_fields has them */
    static const int order[ALL_FIELDS] = {T, VAPOUR, CLOUD, ICE, RAIN, SNOW, P, RHO, DEPTH};
    CUdeviceptr field[ALL_FIELDS], fallen;
    CUfunction kernel;
    int levels = LEVELS;
    if (!host_kernel(h, "wp_microphysics", &kernel, e) || !host_array(&fallen, NULL, ground, e))
        return false;
    for (int f = 0; f < ALL_FIELDS; f++)
        if (!host_array(&field[f], r->field[order[f]], bytes, e))
            return false;
    void *args[] = {field, &fallen, &r->wide, &r->high, &levels, &r->dt, &r->parts};
    if (!host_launch_grid(kernel, ctas, cta, args, e))
        return false;
    for (int f = 0; f < ALL_FIELDS; f++)
        TRY(cuMemcpyDtoH(r->field[order[f]], field[f], bytes));
    TRY(cuMemcpyDtoH(r->fallen, fallen, ground));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct region r = {.wide = (int)p[0], .high = (int)p[1], .parts = (int)p[2], .dt = 60.0f};
    r.columns = r.wide * r.high;
    make_region(h, &r);
    return run_on_device(h, &r, e) && (!h->in->verify || check(h, &r, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_wp_ptx[];
extern const struct workload workload_wp;
const struct workload workload_wp = {
    .name = "wp",
    .suite = "Kayiran",
    .title = "cloud microphysics of a weather model, a column a thread",
    .paper_class = "memory-intensive",
    .size = {{"small", {16, 16, 1}, "16 x 16 columns of 27 levels, one step"},
             {"medium", {71, 58, 1}, "71 x 58 columns, one step"},
             {"paper",
              {71, 58, 3},
              "71 x 58 columns (ISPASS 2009: 72 CTAs of 8 x 8), three steps"}},
    .ptx = workload_wp_ptx,
    .run = run,
};
