/* vectoradd -- the sum of two vectors of floats, CTAs of 256 threads (Awatramani 2015). Every word
 * is touched once: the shortest kernel with two phases. */
#include "data/workloads/host.h"

#define CTA 256

/* A sum of two floats is rounded once, as here: exactly equal. */
static bool check(struct host *h, const float *a, const float *b, const float *c, struct err *e)
{
    size_t n = (size_t)h->in->size->param[0];
    double *sum = host_new(h, n, sizeof *sum);
    for (size_t i = 0; i < n; i++)
        sum[i] = (double)(a[i] + b[i]);
    return host_near(h, &(struct host_floats){"C", c, sum, NULL, n, 0.0}, e);
}

static bool body(struct host *h, struct err *e)
{
    int n = (int)h->in->size->param[0];
    size_t all = (size_t)n, bytes = all * sizeof(float);
    const float *a = host_random_floats(h, all, 0.0, 1.0),
                *b = host_random_floats(h, all, 0.0, 1.0);
    float *c = host_new(h, all, sizeof *c);
    CUfunction kernel;
    CUdeviceptr da, db, dc;
    unsigned threads = host_threads(h, CTA);
    if (!host_kernel(h, "vectoradd", &kernel, e) || !host_array(&da, a, bytes, e) ||
        !host_array(&db, b, bytes, e) || !host_array(&dc, NULL, bytes, e))
        return false;
    void *args[] = {&dc, &da, &db, &n};
    if (!host_launch(kernel, host_ctas(all, threads), threads, args, e))
        return false;
    TRY(cuMemcpyDtoH(c, dc, bytes));
    return !h->in->verify || check(h, a, b, c, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_vectoradd_ptx[];
extern const struct workload workload_vectoradd;
const struct workload workload_vectoradd = {
    .name = "vectoradd",
    .suite = "Awatramani",
    .title = "vector addition on floats",
    .paper_class = "memory-intensive",
    .size = {{"small", {50000}, "50000 elements"},
             {"medium", {500000}, "500000 elements"},
             {"paper", {50000}, "50000 elements"}},
    .any_warps = true,
    .ptx = workload_vectoradd_ptx,
    .run = run,
};
