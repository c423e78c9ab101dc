/* histogram -- bytes counted in 256 bins (Podlozhnyuk, NVIDIA 2007): 240 CTAs of 6 warps, each warp
 * with a histogram of its own in shared memory (1 KB), then a CTA a bin adds the partial
 * histograms. Park 2015, Table 2 has another one, which is `histo` here. */
#include "data/workloads/host.h"

#define CTA       192
#define BINS      256
#define MERGE_CTA 256

static bool run_on_device(struct host *h, const uint8_t *data, int *total, struct err *e)
{
    unsigned threads = host_threads(h, CTA), shared = threads / 32 * BINS * sizeof(unsigned);
    int words = (int)h->in->size->param[0], partials = (int)h->in->size->param[1];
    CUfunction count, merge;
    CUdeviceptr d_data, d_partial, d_total;
    if (!host_kernel(h, "histogram_count", &count, e) ||
        !host_kernel(h, "histogram_merge", &merge, e) ||
        !host_array(&d_data, data, 4 * (size_t)words, e) ||
        !host_array(&d_partial, NULL, (size_t)partials * BINS * sizeof(unsigned), e) ||
        !host_array(&d_total, NULL, BINS * sizeof(unsigned), e))
        return false;
    void *count_args[] = {&d_partial, &d_data, &words};
    void *merge_args[] = {&d_total, &d_partial, &partials};
    TRY(cuLaunchKernel(count, (unsigned)partials, 1, 1, threads, 1, 1, shared, NULL, count_args,
                       NULL));
    if (!host_launch(merge, BINS, MERGE_CTA, merge_args, e))
        return false;
    TRY(cuMemcpyDtoH(total, d_total, BINS * sizeof *total));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    int words = (int)h->in->size->param[0], total[BINS], expected[BINS] = {0};
    uint8_t *data = host_new(h, 4 * (size_t)words, 1);
    for (size_t i = 0; i < 4 * (size_t)words; i++)
        expected[data[i] = (uint8_t)rng_below(&h->rng, BINS)]++;
    return run_on_device(h, data, total, e) &&
           (!h->in->verify || host_same_ints(h, "total", total, expected, BINS, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_histogram_ptx[];
extern const struct workload workload_histogram;
const struct workload workload_histogram = {
    .name = "histogram",
    .suite = "classic",
    .title = "histogram of bytes, a copy of the bins for each warp",
    .paper_class = "memory-intensive",
    .size = {{"small", {276480, 120}, "1 MB, 120 CTAs"},
             {"medium", {2097152, 240}, "8 MB, 240 CTAs"},
             {"paper", {16777216, 240}, "64 MB (SDK), 240 CTAs"}},
    .any_warps = true,
    .ptx = workload_histogram_ptx,
    .run = run,
};
