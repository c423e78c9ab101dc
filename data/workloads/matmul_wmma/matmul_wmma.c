/* matmul_wmma -- matrix product on tensor cores (wmma): half-precision factors, sums in single
 * precision; 64 x 64 tiles in CTAs of 4 warps, through shared memory. */
#include "data/workloads/host.h"

#include <stdlib.h>

#define THREADS 128
#define TILE    64
#define STEPS   1024 /* factors are multiples of 1 / STEPS below 1: halves are exact */

struct product {
    int m, n, k;
    int *a, *b; /* [m][k], [k][n]: in units of 1 / STEPS */
    float *c;   /* [m][n] */
};

/* The bits of v / STEPS in half precision, |v| < STEPS: 10 bits of fraction, exponents from -14 on
 * and, where it is smaller, none. */
static uint16_t half_of(int v)
{
    const uint32_t sign = v < 0 ? 0x8000u : 0u;
    uint32_t fraction = (uint32_t)(v < 0 ? -v : v);
    uint32_t exponent = 15; /* of 1 */
    if (fraction == 0)
        return (uint16_t)sign;
    for (; fraction < STEPS; fraction *= 2)
        exponent--;
    return (uint16_t)(sign | exponent << 10 | (fraction & (STEPS - 1)));
}

static uint16_t *halves(struct host *h, const int *v, size_t n)
{
    uint16_t *all = host_new(h, n, sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = half_of(v[i]);
    return all;
}

/* In integers, so without roundings. Products of halves are exact in single precision; a sum of k
 * is off by at most k units in the last place of the magnitudes' sum, since tensor cores may cut
 * off what others round. */
static bool check(struct host *h, const struct product *p, struct err *e)
{
    const size_t m = (size_t)p->m, n = (size_t)p->n, k = (size_t)p->k;
    const double unit = 1.0 / ((double)STEPS * STEPS);
    double *sum = host_new(h, m * n, sizeof *sum), *size = host_new(h, m * n, sizeof *size);
    for (size_t i = 0; i < m; i++)
        for (size_t l = 0; l < k; l++)
            for (size_t j = 0; j < n; j++) {
                const int term = p->a[i * k + l] * p->b[l * n + j];
                sum[i * n + j] += unit * term;
                size[i * n + j] += unit * abs(term);
            }
    return host_near(h, &(struct host_floats){"C", p->c, sum, size, m * n, p->k * 0x1p-23}, e);
}

static bool body(struct host *h, struct err *e)
{
    const long *side = h->in->size->param;
    struct product p = {.m = (int)side[0], .n = (int)side[1], .k = (int)side[2]};
    const size_t m = (size_t)p.m, n = (size_t)p.n, k = (size_t)p.k;
    p.a = host_random_ints(h, m * k, 1 - STEPS, STEPS);
    p.b = host_random_ints(h, k * n, 1 - STEPS, STEPS);
    p.c = host_new(h, m * n, sizeof *p.c);
    CUfunction kernel;
    CUdeviceptr a, b, c;
    struct host_grid tiles = {(unsigned)(p.n / TILE), (unsigned)(p.m / TILE), 1};
    if (!host_kernel(h, "matmul_wmma_tiled", &kernel, e) ||
        !host_array(&a, halves(h, p.a, m * k), m * k * sizeof(uint16_t), e) ||
        !host_array(&b, halves(h, p.b, k * n), k * n * sizeof(uint16_t), e) ||
        !host_array(&c, NULL, m * n * sizeof *p.c, e))
        return false;
    void *args[] = {&c, &a, &b, &p.n, &p.k};
    if (!host_launch_grid(kernel, tiles, (struct host_grid){THREADS, 1, 1}, args, e))
        return false;
    TRY(cuMemcpyDtoH(p.c, c, m * n * sizeof *p.c));
    return !h->in->verify || check(h, &p, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_matmul_wmma_ptx[];
extern const struct workload workload_matmul_wmma;
const struct workload workload_matmul_wmma = {
    .name = "matmul_wmma",
    .suite = "modern",
    .title = "matrix product on tensor cores, half precision",
    .paper_class = "compute-intensive",
    .size = {{"small", {384, 256, 128}, "384 x 256, inner 128"},
             {"medium", {1024, 768, 512}, "1024 x 768, inner 512"},
             {"paper", {1024, 3072, 768}, "1024 tokens, a layer of 768 x 3072 (GPT-2)"}},
    .ptx = workload_matmul_wmma_ptx,
    .run = run,
};
