/* blackscholes -- prices of European options (BlackScholes of NVIDIA's SDK: Kayiran 2013, Table II;
 * Park 2015, Table 2): 480 CTAs of 128 threads stride over all options. Prices, strikes and years
 * are drawn from the ranges that the SDK states. */
#include "data/workloads/host.h"

#include <math.h>

#define CTA        128
#define CTAS       480
#define RATE       0.02f
#define VOLATILITY 0.30f

struct market {
    int options;
    float *price, *strike, *years;
    float *call, *put; /* from the device */
};

static double normal(double d)
{
    return 0.5 * erfc(-d * sqrt(0.5));
}

/* How far single precision and the special function unit may be off, for prices 5 .. 30, strikes
 * 1 .. 100 and 0.25 .. 10 years. The logarithm (at most 3.1) is off by 2^-22 for the quotient,
 * 2^-22 relative for itself and 2^-24 for each of some 4 roundings: 1.6e-6. Divided by VOLATILITY
 * sqrt(t), at least 0.15: 1.1e-5, and |d| 4e-7 for that division. The distribution turns this into
 * at most 0.4 * 1.1e-5 + 0.25 * 4e-7 = 4.5e-6. To that come the polynomial's own 7.5e-8 and, in
 * evaluating it, some 1e-6 (coefficients up to 1.8, sum of magnitudes 5). The prices are
 * differences of price and strike times such a distribution. */
#define TOLERANCE 6e-6

static bool check(struct host *h, const struct market *m, struct err *e)
{
    size_t n = (size_t)m->options;
    double *call = host_new(h, n, sizeof *call), *put = host_new(h, n, sizeof *put);
    double *size = host_new(h, n, sizeof *size), v = (double)VOLATILITY, r = (double)RATE;
    for (size_t i = 0; i < n; i++) {
        double s = (double)m->price[i], x = (double)m->strike[i], t = (double)m->years[i];
        double d1 = (log(s / x) + (r + 0.5 * v * v) * t) / (v * sqrt(t)), d2 = d1 - v * sqrt(t);
        double discounted = x * exp(-r * t);
        call[i] = s * normal(d1) - discounted * normal(d2);
        put[i] = discounted * normal(-d2) - s * normal(-d1);
        size[i] = s + x;
    }
    return host_near(h, &(struct host_floats){"call", m->call, call, size, n, TOLERANCE}, e) &&
           host_near(h, &(struct host_floats){"put", m->put, put, size, n, TOLERANCE}, e);
}

static bool run_on_device(struct host *h, struct market *m, struct err *e)
{
    size_t bytes = (size_t)m->options * sizeof(float);
    unsigned threads = host_threads(h, CTA), ctas = CTAS * CTA / threads;
    float rate = RATE, volatility = VOLATILITY;
    CUfunction kernel;
    CUdeviceptr call, put, price, strike, years;
    if (!host_kernel(h, "black_scholes", &kernel, e) || !host_array(&price, m->price, bytes, e) ||
        !host_array(&strike, m->strike, bytes, e) || !host_array(&years, m->years, bytes, e) ||
        !host_array(&call, NULL, bytes, e) || !host_array(&put, NULL, bytes, e))
        return false;
    void *args[] = {&call, &put, &price, &strike, &years, &rate, &volatility, &m->options};
    if (!host_launch(kernel, ctas, threads, args, e))
        return false;
    TRY(cuMemcpyDtoH(m->call, call, bytes));
    TRY(cuMemcpyDtoH(m->put, put, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct market m = {.options = (int)h->in->size->param[0]};
    size_t n = (size_t)m.options;
    m.price = host_random_floats(h, n, 5.0, 30.0);
    m.strike = host_random_floats(h, n, 1.0, 100.0);
    m.years = host_random_floats(h, n, 0.25, 10.0);
    m.call = host_new(h, n, sizeof *m.call);
    m.put = host_new(h, n, sizeof *m.put);
    return run_on_device(h, &m, e) && (!h->in->verify || check(h, &m, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_blackscholes_ptx[];
extern const struct workload workload_blackscholes;
const struct workload workload_blackscholes = {
    .name = "blackscholes",
    .suite = "Kayiran, Park",
    .title = "option prices by the formula of Black and Scholes",
    .paper_class = "compute-intensive",
    .size = {{"small", {122880}, "122880 options, 2 a thread"},
             {"medium", {614400}, "614400 options"},
             {"paper", {4000000}, "4000000 options (SDK), 80 MB"}},
    .any_warps = true,
    .ptx = workload_blackscholes_ptx,
    .run = run,
};
