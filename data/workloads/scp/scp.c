/* scp -- scalar products of pairs of vectors (SCP of Kayiran 2013, Table II: scalarProd of NVIDIA's
 * SDK): 128 CTAs of 256 threads, a CTA pair after pair, 1024 partial sums in shared memory. Both
 * vectors are read once: nothing to keep in a cache. */
#include "data/workloads/host.h"

#include <math.h>

#define CTA  256
#define CTAS 128
#define SUMS 1024 /* of scp.cu */

struct pairs {
    int pairs, elements;
    float *a, *b, *product;
};

/* One sum in double precision, from the last element to the first. Each product is rounded once,
 * and then takes part in at most elements / SUMS + log2(SUMS) additions, each of which adds 2^-24
 * of what it sums, which is at most the sum of magnitudes. */
static bool check(struct host *h, const struct pairs *p, struct err *e)
{
    size_t n = (size_t)p->pairs, m = (size_t)p->elements;
    double *expected = host_new(h, n, sizeof *expected), *size = host_new(h, n, sizeof *size);
    for (size_t i = 0; i < n; i++)
        for (size_t k = (i + 1) * m; k-- > i * m;) {
            double term = (double)p->a[k] * (double)p->b[k];
            expected[i] += term;
            size[i] += fabs(term);
        }
    double roundings = 1.0 + ceil((double)m / SUMS) + log2(SUMS);
    return host_near(
        h, &(struct host_floats){"product", p->product, expected, size, n, roundings * 0x1.01p-24},
        e);
}

static bool run_on_device(struct host *h, struct pairs *p, struct err *e)
{
    size_t bytes = (size_t)p->pairs * (size_t)p->elements * sizeof(float);
    size_t out = (size_t)p->pairs * sizeof(float);
    CUfunction kernel;
    CUdeviceptr product, a, b;
    if (!host_kernel(h, "scp_products", &kernel, e) || !host_array(&a, p->a, bytes, e) ||
        !host_array(&b, p->b, bytes, e) || !host_array(&product, NULL, out, e))
        return false;
    void *args[] = {&product, &a, &b, &p->pairs, &p->elements};
    const unsigned ctas = p->pairs < CTAS ? (unsigned)p->pairs : CTAS;
    if (!host_launch(kernel, ctas, host_threads(h, CTA), args, e))
        return false;
    TRY(cuMemcpyDtoH(p->product, product, out));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct pairs p = {.pairs = (int)h->in->size->param[0], .elements = (int)h->in->size->param[1]};
    size_t all = (size_t)p.pairs * (size_t)p.elements;
    p.a = host_random_floats(h, all, -1.0, 1.0);
    p.b = host_random_floats(h, all, -1.0, 1.0);
    p.product = host_new(h, (size_t)p.pairs, sizeof *p.product);
    return run_on_device(h, &p, e) && (!h->in->verify || check(h, &p, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_scp_ptx[];
extern const struct workload workload_scp;
const struct workload workload_scp = {
    .name = "scp",
    .suite = "Kayiran",
    .title = "scalar products of pairs of vectors",
    .paper_class = "memory-intensive",
    .size = {{"small", {48, 1024}, "48 pairs of 1024 elements"},
             {"medium", {1024, 4096}, "1024 pairs of 4096 elements, 32 MB"},
             {"paper", {256, 4096}, "256 pairs of 4096 elements (SDK), 8 MB"}},
    .any_warps = true,
    .ptx = workload_scp_ptx,
    .run = run,
};
