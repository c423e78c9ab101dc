/* gaussian -- solves a dense system of equations by Gaussian elimination (Yen 2014, Table 2): two
 * kernels for every pivot, launched with CTAs of 512 and of 4 x 4 threads on grids of the whole
 * matrix; the host substitutes back. The matrix is diagonally dominant: there is no pivoting. */
#include "data/workloads/bounded.h"

#define FACTORS_CTA 512
#define ROWS_CTA    4

struct system_of_equations {
    int n;
    float *a, *b, *x; /* a x = b; a is n x n */
};

static struct system_of_equations make_system(struct host *h, int n)
{
    size_t all = (size_t)n * (size_t)n;
    struct system_of_equations s = {n, host_random_floats(h, all, -1.0, 1.0),
                                    host_random_floats(h, (size_t)n, -100.0, 100.0),
                                    host_new(h, (size_t)n, sizeof(float))};
    for (size_t i = 0; i < all; i += (size_t)n + 1)
        s.a[i] = (float)n;
    return s;
}

/* Upper triangle -> solution. */
static void substitute_back(const struct system_of_equations *s)
{
    for (int i = s->n - 1; i >= 0; i--) {
        float sum = s->b[i];
        const float *row = s->a + (size_t)i * (size_t)s->n;
        for (int j = s->n - 1; j > i; j--)
            sum -= row[j] * s->x[j];
        s->x[i] = sum / row[i];
    }
}

/* The same, elimination and substitution: a and b as given -> x. */
static void reference(struct bounded *a, struct bounded *b, struct bounded *x, size_t n)
{
    for (size_t pivot = 0; pivot < n; pivot++)
        for (size_t row = pivot + 1; row < n; row++) {
            const struct bounded *p = a + pivot * n;
            struct bounded *r = a + row * n, factor = bounded_div(r[pivot], p[pivot]);
            for (size_t col = pivot; col < n; col++)
                r[col] = bounded_sub(r[col], bounded_mul(factor, p[col]));
            b[row] = bounded_sub(b[row], bounded_mul(factor, b[pivot]));
        }
    for (size_t i = n; i-- > 0;) {
        struct bounded sum = b[i];
        for (size_t j = n - 1; j > i; j--)
            sum = bounded_sub(sum, bounded_mul(a[i * n + j], x[j]));
        x[i] = bounded_div(sum, a[i * n + i]);
    }
}

/* a and b: in, the system; out, the triangle. */
static bool eliminate(struct host *h, struct system_of_equations *s, struct err *e)
{
    CUfunction factors, rows;
    CUdeviceptr a, b, m;
    size_t vector = (size_t)s->n * sizeof *s->b, matrix = vector * (size_t)s->n;
    if (!host_kernel(h, "gaussian_factors", &factors, e) ||
        !host_kernel(h, "gaussian_rows", &rows, e) || !host_array(&a, s->a, matrix, e) ||
        !host_array(&b, s->b, vector, e) || !host_array(&m, NULL, matrix, e))
        return false;
    unsigned wide = host_ctas((size_t)s->n, ROWS_CTA);
    for (int pivot = 0; pivot < s->n - 1; pivot++) {
        void *factors_args[] = {&m, &a, &s->n, &pivot};
        void *rows_args[] = {&a, &b, &m, &s->n, &pivot};
        if (!host_launch(factors, host_ctas((size_t)s->n, FACTORS_CTA), FACTORS_CTA, factors_args,
                         e) ||
            !host_launch_grid(rows, (struct host_grid){wide, wide, 1},
                              (struct host_grid){ROWS_CTA, ROWS_CTA, 1}, rows_args, e))
            return false;
    }
    TRY(cuMemcpyDtoH(s->a, a, matrix));
    TRY(cuMemcpyDtoH(s->b, b, vector));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct system_of_equations s = make_system(h, (int)h->in->size->param[0]);
    size_t n = (size_t)s.n;
    struct bounded *a = bounded_from(h, s.a, n * n), *b = bounded_from(h, s.b, n);
    struct bounded *x = host_new(h, n, sizeof *x);
    if (!eliminate(h, &s, e))
        return false;
    substitute_back(&s);
    if (!h->in->verify)
        return true;
    reference(a, b, x, n);
    return bounded_near(h, "a", s.a, a, n * n, e) && bounded_near(h, "b", s.b, b, n, e) &&
           bounded_near(h, "x", s.x, x, n, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_gaussian_ptx[];
extern const struct workload workload_gaussian;
const struct workload workload_gaussian = {
    .name = "gaussian",
    .suite = "Yen",
    .title = "Gaussian elimination, two kernels a pivot",
    .paper_class = "compute-intensive",
    .size = {{"small", {48}, "48 equations"},
             {"medium", {112}, "112 equations"},
             {"paper", {208}, "208 equations: 192 KB as text, our reading of Table 2"}},
    .ptx = workload_gaussian_ptx,
    .run = run,
};
