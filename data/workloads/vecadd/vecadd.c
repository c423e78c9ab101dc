/* vecadd -- streaming: every word is touched once (Yen 2014, Table 3: 20480 integers, CTAs of 64
 * threads). */
#include "data/workloads/host.h"

#define CTA 64

static bool body(struct host *h, struct err *e)
{
    size_t n = (size_t)h->in->size->param[0], bytes = n * sizeof(int);
    int *a = host_random_ints(h, n, 0, 1 << 20), *b = host_random_ints(h, n, 0, 1 << 20);
    int *c = host_new(h, n, sizeof *c);
    CUfunction kernel;
    CUdeviceptr da, db, dc;
    if (!host_kernel(h, "kernel_vec_add", &kernel, e) || !host_array(&da, a, bytes, e) ||
        !host_array(&db, b, bytes, e) || !host_array(&dc, NULL, bytes, e))
        return false;
    void *args[] = {&dc, &da, &db};
    if (!host_launch(kernel, host_ctas(n, CTA), CTA, args, e))
        return false;
    TRY(cuMemcpyDtoH(c, dc, bytes));
    for (size_t i = 0; i < n; i++)
        a[i] += b[i];
    return !h->in->verify || host_same_ints(h, "C", c, a, n, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_vecadd_ptx[];
extern const struct workload workload_vecadd;
const struct workload workload_vecadd = {
    .name = "vecadd",
    .suite = "Yen",
    .title = "vector addition (Yen 2014, Table 3)",
    .paper_class = "memory-intensive",
    .size = {{"small", {20480}, "20480 elements, as in the paper"},
             {"medium", {655360}, "655360 elements"},
             {"paper", {20480}, "20480 elements"}},
    .ptx = workload_vecadd_ptx,
    .run = run,
};
