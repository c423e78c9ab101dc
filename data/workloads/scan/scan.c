/* scan -- sum and inclusive prefix sums of an array of integers, by warp shuffles: each CTA's sum
 * of four elements a thread, the prefix sums of these in a single CTA, then all prefixes. */
#include "data/workloads/host.h"

#define CTA        256
#define SUMS_CTA   1024
#define PER_THREAD 4

static bool check(struct host *h, const int *value, const int *found, int total, struct err *e)
{
    const size_t n = (size_t)h->in->size->param[0];
    int *expected = host_new(h, n, sizeof *expected), sum = 0;
    for (size_t i = 0; i < n; i++)
        expected[i] = sum += value[i];
    return host_same_ints(h, "prefix", found, expected, n, e) &&
           host_same_ints(h, "sum", &total, &sum, 1, e);
}

static bool run_on_device(struct host *h, const int *value, int *prefix, int *total, struct err *e)
{
    int n = (int)h->in->size->param[0];
    const unsigned threads = host_threads(h, CTA);
    const size_t bytes = (size_t)n * sizeof(int);
    unsigned ctas = host_ctas((size_t)n, PER_THREAD * threads);
    CUfunction reduce, sums, elements;
    CUdeviceptr from, to, sum;
    if (!host_kernel(h, "scan_reduce", &reduce, e) || !host_kernel(h, "scan_sums", &sums, e) ||
        !host_kernel(h, "scan_elements", &elements, e) || !host_array(&from, value, bytes, e) ||
        !host_array(&to, NULL, bytes, e) || !host_array(&sum, NULL, (ctas + 1) * sizeof(int), e))
        return false;
    void *reduce_args[] = {&sum, &from, &n}, *sums_args[] = {&sum, &ctas};
    void *element_args[] = {&to, &from, &sum, &n};
    if (!host_launch(reduce, ctas, threads, reduce_args, e) ||
        !host_launch(sums, 1, SUMS_CTA, sums_args, e) ||
        !host_launch(elements, ctas, threads, element_args, e))
        return false;
    TRY(cuMemcpyDtoH(prefix, to, bytes));
    TRY(cuMemcpyDtoH(total, sum + ctas * sizeof(int), sizeof *total));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const size_t n = (size_t)h->in->size->param[0];
    const int *value = host_random_ints(h, n, 1, 100);
    int *prefix = host_new(h, n, sizeof *prefix), total = 0;
    return run_on_device(h, value, prefix, &total, e) &&
           (!h->in->verify || check(h, value, prefix, total, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_scan_ptx[];
extern const struct workload workload_scan;
const struct workload workload_scan = {
    .name = "scan",
    .suite = "modern",
    .title = "sum and prefix sums of an array, warp shuffles",
    .paper_class = "memory-intensive",
    .size = {{"small", {40002}, "40002 integers"},
             {"medium", {1 << 20}, "4 MB of integers"},
             {"paper", {1 << 24}, "64 MB of integers"}},
    .any_warps = true,
    .ptx = workload_scan_ptx,
    .run = run,
};
