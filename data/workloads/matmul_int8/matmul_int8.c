/* matmul_int8 -- product of matrices of 8-bit integers by dp4a, as in quantised neural networks:
 * activations (m rows) times weights (n rows), both of k bytes a row; 32 x 32 tiles in CTAs of 8 x
 * 8 threads. */
#include "data/workloads/host.h"

#define SIDE 8
#define TILE 32

struct product {
    int m, n, k;
    int8_t *a, *b; /* [m][k], [n][k] */
    int *c;        /* [m][n] */
};

/* By outer products: each column of A with that of B. */
static bool check(struct host *h, const struct product *p, struct err *e)
{
    const size_t m = (size_t)p->m, n = (size_t)p->n, k = (size_t)p->k;
    int *expected = host_new(h, m * n, sizeof *expected);
    int8_t *column = host_new(h, n, sizeof *column);
    for (size_t l = 0; l < k; l++) {
        for (size_t j = 0; j < n; j++)
            column[j] = p->b[j * k + l];
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++)
                expected[i * n + j] += p->a[i * k + l] * column[j];
    }
    return host_same_ints(h, "C", p->c, expected, m * n, e);
}

static int8_t *random_bytes(struct host *h, size_t n)
{
    int8_t *all = host_new(h, n, sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = (int8_t)((int)rng_below(&h->rng, 256) - 128);
    return all;
}

static bool body(struct host *h, struct err *e)
{
    const long *size = h->in->size->param;
    struct product p = {.m = (int)size[0], .n = (int)size[1], .k = (int)size[2]};
    const size_t m = (size_t)p.m, n = (size_t)p.n, k = (size_t)p.k;
    int row_words = p.k / 4;
    p.a = random_bytes(h, m * k);
    p.b = random_bytes(h, n * k);
    p.c = host_new(h, m * n, sizeof *p.c);
    CUfunction kernel;
    CUdeviceptr a, b, c;
    struct host_grid tiles = {(unsigned)(p.n / TILE), (unsigned)(p.m / TILE), 1};
    if (!host_kernel(h, "matmul_int8_tiled", &kernel, e) || !host_array(&a, p.a, m * k, e) ||
        !host_array(&b, p.b, n * k, e) || !host_array(&c, NULL, m * n * sizeof *p.c, e))
        return false;
    void *args[] = {&c, &a, &b, &p.n, &row_words};
    if (!host_launch_grid(kernel, tiles, (struct host_grid){SIDE, SIDE, 1}, args, e))
        return false;
    TRY(cuMemcpyDtoH(p.c, c, m * n * sizeof *p.c));
    return !h->in->verify || check(h, &p, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_matmul_int8_ptx[];
extern const struct workload workload_matmul_int8;
const struct workload workload_matmul_int8 = {
    .name = "matmul_int8",
    .suite = "modern",
    .title = "matrix product of 8-bit integers, dp4a",
    .paper_class = "compute-intensive",
    .size = {{"small", {160, 160, 96}, "160 x 160, inner 96"},
             {"medium", {512, 768, 256}, "512 x 768, inner 256"},
             {"paper", {512, 3072, 768}, "512 tokens, a layer of 3072 x 768 (BERT, base)"}},
    .ptx = workload_matmul_int8_ptx,
    .run = run,
};
