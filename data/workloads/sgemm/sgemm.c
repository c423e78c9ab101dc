/* sgemm -- dense matrix product in the form of Parboil's sgemm (Park 2015, Table 2; MM of Kayiran
 * 2013, Table II): tiled in registers (Volkov and Demmel, SC 2008), CTAs of 16 x 8 threads that
 * compute 128 x 16 elements. A is stored column by column, B transposed. */
#include "data/workloads/host.h"

#include <math.h>

#define WIDE  16 /* threads of a CTA, and columns of C that it computes */
#define HIGH  8
#define ALPHA 1.5f
#define BETA  -0.5f

struct product { /* C[m][n] = ALPHA A[m][k] B[k][n] + BETA C, the left index running fastest in A, C
                  */
    int m, n, k;
    float *a, *b, *c, *found; /* b[k][n]: the right index runs fastest */
};

/* Column j in double precision, and the sum of the terms' magnitudes. */
static void reference_column(const struct product *p, int j, double *expected, double *size)
{
    size_t m = (size_t)p->m;
    for (size_t i = 0; i < m; i++)
        expected[i] = size[i] = 0.0;
    for (size_t l = 0; l < (size_t)p->k; l++) {
        double b = (double)p->b[l * (size_t)p->n + (size_t)j];
        for (size_t i = 0; i < m; i++) {
            double term = (double)p->a[l * m + i] * b;
            expected[i] += term;
            size[i] += fabs(term);
        }
    }
    for (size_t i = 0; i < m; i++) {
        double old = (double)p->c[(size_t)j * m + i] * (double)BETA;
        expected[i] = (double)ALPHA * expected[i] + old;
        size[i] = fabs((double)ALPHA) * size[i] + fabs(old);
    }
}

/* A sum of k rounded products, scaled and added to a rounded product: at most k + 3 roundings meet
 * any term, each half a unit in the last place of the magnitudes' sum. */
static bool check(struct host *h, const struct product *p, struct err *e)
{
    size_t all = (size_t)p->m * (size_t)p->n;
    double *expected = host_new(h, all, sizeof *expected), *size = host_new(h, all, sizeof *size);
    for (int j = 0; j < p->n; j++)
        reference_column(p, j, expected + (size_t)j * (size_t)p->m,
                         size + (size_t)j * (size_t)p->m);
    return host_near(
        h, &(struct host_floats){"C", p->found, expected, size, all, (p->k + 3) * 0x1p-24}, e);
}

static bool run_on_device(struct host *h, struct product *p, struct err *e)
{
    size_t m = (size_t)p->m, n = (size_t)p->n, k = (size_t)p->k;
    float alpha = ALPHA, beta = BETA;
    CUfunction kernel;
    CUdeviceptr a, b, c;
    struct host_grid ctas = {(unsigned)(p->m / (WIDE * HIGH)), (unsigned)(p->n / WIDE), 1},
                     threads = {WIDE, HIGH, 1};
    if (!host_kernel(h, "sgemm_nt", &kernel, e) || !host_array(&a, p->a, m * k * sizeof *p->a, e) ||
        !host_array(&b, p->b, k * n * sizeof *p->b, e) ||
        !host_array(&c, p->c, m * n * sizeof *p->c, e))
        return false;
    void *args[] = {&c, &a, &b, &p->m, &p->n, &p->k, &alpha, &beta};
    if (!host_launch_grid(kernel, ctas, threads, args, e))
        return false;
    TRY(cuMemcpyDtoH(p->found, c, m * n * sizeof *p->found));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *side = h->in->size->param;
    struct product p = {.m = (int)side[0], .n = (int)side[1], .k = (int)side[2]};
    size_t m = (size_t)p.m, n = (size_t)p.n, k = (size_t)p.k;
    p.a = host_random_floats(h, m * k, -1.0, 1.0);
    p.b = host_random_floats(h, k * n, -1.0, 1.0);
    p.c = host_random_floats(h, m * n, -1.0, 1.0);
    p.found = host_new(h, m * n, sizeof *p.found);
    return run_on_device(h, &p, e) && (!h->in->verify || check(h, &p, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_sgemm_ptx[];
extern const struct workload workload_sgemm;
const struct workload workload_sgemm = {
    .name = "sgemm",
    .suite = "Kayiran, Park",
    .title = "dense matrix product, tiled in registers",
    .paper_class = "compute-intensive",
    .size = {{"small", {1024, 240, 48}, "1024 x 240, inner 48"},
             {"medium", {1024, 512, 256}, "1024 x 512, inner 256"},
             {"paper", {1024, 1056, 992}, "1024 x 1056, inner 992 (Parboil, medium)"}},
    .ptx = workload_sgemm_ptx,
    .run = run,
};
