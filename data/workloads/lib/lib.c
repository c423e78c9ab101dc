/* lib -- LIBOR market model by Monte Carlo (LIB of Kayiran 2013, Table II; the program of
 * GPGPU-Sim's ISPASS 2009 suite: 64 CTAs of 64 threads, 80 rates, 40 steps): a portfolio of 15
 * swaptions along one path a thread, first without its Greeks, then with them, by adjoints (Giles
 * and Glasserman, Risk 2006). The rates of a path lie in local memory.
 *
 * The reference computes in double precision and differentiates forwards: each number has its
 * derivative with it, while the kernel goes back. */
#include "data/workloads/host.h"

#include <math.h>

#define CTA     64
#define RATES   80 /* at most */
#define OPTIONS 15
#define DELTA   0.25
#define STRIKES 3 /* a maturity */

struct market {
    int paths, rates, steps;
    float volatility[RATES], start[RATES], strike[OPTIONS];
    int maturity[OPTIONS];
    float *normal;                                 /* [steps][paths] */
    float *value, *delta, *value_alone;            /* from the device */
    double *e_value, *e_delta, *s_value, *s_delta; /* expected, and how far off they may be */
};

/* A humped volatility, a curve of rates about 5 %, strikes on both sides of it. */
static void make_market(struct host *h, struct market *m)
{
    double level = rng_real(&h->rng, 0.045, 0.055), slope = rng_real(&h->rng, -0.01, 0.01);
    double hump = rng_real(&h->rng, 0.02, 0.06);
    for (int i = 0; i < m->rates; i++) {
        double t = (double)i / m->rates;
        m->volatility[i] = (float)(0.16 + hump * 2.7 * t * 4.0 * exp(-4.0 * t));
        m->start[i] = (float)(level + slope * t);
    }
    for (int k = 0; k < OPTIONS; k++) {
        m->maturity[k] = (m->rates - m->steps) * (k / STRIKES + 1) / (OPTIONS / STRIKES);
        m->strike[k] = 0.045f + 0.005f * (float)(k % STRIKES);
    }
    const size_t draws = (size_t)m->steps * (size_t)m->paths;
    m->normal = host_new(h, draws, sizeof *m->normal);
    for (size_t i = 0; i < draws; i++)
        m->normal[i] = (float)rng_normal(&h->rng);
}

struct dual { /* a number, and its derivative by a shift of all rates of today */
    double x, d;
};

/* a / (1 + DELTA r) */
static struct dual discounted(struct dual a, struct dual r)
{
    double by = 1.0 / (1.0 + DELTA * r.x);
    return (struct dual){a.x * by, (a.d - a.x * by * DELTA * r.d) * by};
}

static void evolve(const struct market *m, int path, struct dual *rate)
{
    for (int i = 0; i < m->rates; i++)
        rate[i] = (struct dual){(double)m->start[i], 1.0};
    for (int n = 0; n < m->steps; n++) {
        struct dual drift = {0.0, 0.0};
        double shock = sqrt(DELTA) * (double)m->normal[n * m->paths + path];
        for (int i = n + 1; i < m->rates; i++) {
            double vol = (double)m->volatility[i - n - 1];
            struct dual part = discounted(rate[i], rate[i]);
            drift.x += vol * part.x, drift.d += vol * part.d;
            double grows = exp(DELTA * vol * (DELTA * drift.x - 0.5 * vol) + vol * shock);
            double by_drift = rate[i].x * grows * DELTA * vol * DELTA;
            rate[i].d = rate[i].d * grows + by_drift * drift.d;
            rate[i].x *= grows;
        }
    }
}

/* Single precision may be off by: a rate, for each of its steps, 2^-22 for the exponential, its
 * argument (at most 1) as much again, 2^-23 for roundings, altogether 5 * 2^-23; its quotients with
 * 1 + DELTA rate, by 2^-22 each. The sum of both over all rates is what a bond is off by. Of the
 * derivative, twice that: going back multiplies as often as going forward. An option is worth
 * nothing beyond swap = 0: nearer to that than the error, it may count, or not. */
static void price(const struct market *m, int path)
{
    struct dual rate[RATES], bond[RATES] = {{0}}, annuity[RATES] = {{0}};
    struct dual b = {1.0, 0.0}, s = {0.0, 0.0};
    struct dual today = {1.0, 0.0};
    double v = 0.0, d = 0.0, size = 0.0, size_d = 0.0, flips = 0.0, off = 0x1p-20;
    evolve(m, path, rate);
    for (int i = 0; i < m->rates; i++)
        off += DELTA * rate[i].x * m->steps * 5 * 0x1p-23 + 0x1p-22;
    for (int i = m->steps; i < m->rates; i++) {
        b = discounted(b, rate[i]);
        s.x += DELTA * b.x, s.d += DELTA * b.d;
        bond[i] = b, annuity[i] = s;
    }
    for (int i = 0; i < m->steps; i++)
        today = discounted(today, rate[i]);
    for (int k = 0; k < OPTIONS; k++) {
        int last = m->maturity[k] + m->steps - 1;
        double strike = (double)m->strike[k], fixed = bond[last].x + strike * annuity[last].x;
        double by_rates = 100.0 * (bond[last].d + strike * annuity[last].d) * today.x;
        if (fixed < 1.0) {
            v += 100.0 * (1.0 - fixed) * today.x;
            d += 100.0 * (1.0 - fixed) * today.d - by_rates;
        }
        if (fabs(fixed - 1.0) < off * fixed)
            flips += fabs(by_rates);
        size += 100.0 * (1.0 + fixed) * today.x;
        size_d += fabs(by_rates) + fabs(100.0 * (1.0 - fixed) * today.d);
    }
    m->e_value[path] = v, m->e_delta[path] = d;
    m->s_value[path] = size * off, m->s_delta[path] = (2 * size_d - 100.0 * today.d) * off + flips;
}

static bool check(struct host *h, struct market *m, struct err *e)
{
    const size_t n = (size_t)m->paths;
    double **array[] = {&m->e_value, &m->e_delta, &m->s_value, &m->s_delta};
    for (int i = 0; i < 4; i++)
        *array[i] = host_new(h, n, sizeof(double));
    for (int path = 0; path < m->paths; path++)
        price(m, path);
    const struct host_floats checks[] = {
        {"value", m->value, m->e_value, m->s_value, n, 1.0},
        {"delta", m->delta, m->e_delta, m->s_delta, n, 1.0},
        {"value_alone", m->value_alone, m->e_value, m->s_value, n, 1.0},
    };
    for (int i = 0; i < 3; i++)
        if (!host_near(h, &checks[i], e))
            return false;
    return true;
}

static bool set_constants(const struct host *h, const struct market *m, struct err *e)
{
    return host_symbol(h, "lib_volatility", m->volatility, sizeof m->volatility, e) &&
           host_symbol(h, "lib_start", m->start, sizeof m->start, e) &&
           host_symbol(h, "lib_strike", m->strike, sizeof m->strike, e) &&
           host_symbol(h, "lib_maturity", m->maturity, sizeof m->maturity, e);
}

static bool run_on_device(struct host *h, struct market *m, struct err *e)
{
    const size_t bytes = (size_t)m->paths * sizeof(float);
    const unsigned ctas = host_ctas((size_t)m->paths, CTA);
    CUfunction value, greeks;
    CUdeviceptr d_value, d_delta, d_normal;
    if (!host_kernel(h, "lib_value", &value, e) || !host_kernel(h, "lib_greeks", &greeks, e) ||
        !set_constants(h, m, e) || !host_array(&d_value, NULL, bytes, e) ||
        !host_array(&d_delta, NULL, bytes, e) ||
        !host_array(&d_normal, m->normal, bytes * (size_t)m->steps, e))
        return false;
    void *with[] = {&d_value, &d_delta, &d_normal, &m->paths, &m->rates, &m->steps};
    void *without[] = {&d_value, &d_normal, &m->paths, &m->rates, &m->steps};
    if (!host_launch(value, ctas, CTA, without, e))
        return false;
    TRY(cuMemcpyDtoH(m->value_alone, d_value, bytes));
    TRY(cuMemsetD8(d_value, 0, bytes));
    if (!host_launch(greeks, ctas, CTA, with, e))
        return false;
    TRY(cuMemcpyDtoH(m->value, d_value, bytes));
    TRY(cuMemcpyDtoH(m->delta, d_delta, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct market m = {.paths = (int)p[0] * CTA, .rates = (int)p[1], .steps = (int)p[2]};
    float **array[] = {&m.value, &m.delta, &m.value_alone};
    make_market(h, &m);
    for (int i = 0; i < 3; i++)
        *array[i] = host_new(h, (size_t)m.paths, sizeof(float));
    return run_on_device(h, &m, e) && (!h->in->verify || check(h, &m, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_lib_ptx[];
extern const struct workload workload_lib;
const struct workload workload_lib = {
    .name = "lib",
    .suite = "Kayiran",
    .title = "LIBOR market model by Monte Carlo, with and without Greeks",
    .paper_class = "memory-intensive",
    .size = {{"small", {16, 10, 3}, "16 CTAs, 10 rates, 3 steps"},
             {"medium", {64, 40, 20}, "64 CTAs, 40 rates, 20 steps"},
             {"paper", {64, 80, 40}, "64 CTAs of 64 threads, 80 rates, 40 steps (ISPASS 2009)"}},
    .ptx = workload_lib_ptx,
    .run = run,
};
