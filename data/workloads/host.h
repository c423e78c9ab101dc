/* data/workloads/host.h -- what the host code of every workload does: open the device, move arrays,
 * launch, say which call failed, compare results. CUDA driver API only, so that it also runs on
 * hardware.
 *
 *   static bool body(struct host *h, struct err *e) { ... }
 *   static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
 *   { return host_run(w, in, body, e); }
 *
 * The body may leave at any point: host_run frees what it took, on the host and on the device. */
#ifndef MDP_DATA_WORKLOADS_HOST_H
#define MDP_DATA_WORKLOADS_HOST_H

#include "base/rng.h"
#include "sim/frontend/cuda.h"
#include "sim/frontend/workload.h"

struct host_block;

struct host {
    const struct workload *workload;
    const struct workload_input *in;
    CUmodule module;
    struct rng rng; /* seeded with in->seed */
    struct host_block *blocks;
};

bool host_run(const struct workload *w, const struct workload_input *in,
              bool (*body)(struct host *h, struct err *e), struct err *e);

/* n zeroed elements on the host; freed by host_run. Never NULL. */
void *host_new(struct host *h, size_t n, size_t size);
/* n numbers drawn from lo .. hi - 1, or lo .. hi. */
int *host_random_ints(struct host *h, size_t n, int lo, int hi);
float *host_random_floats(struct host *h, size_t n, double lo, double hi);

/* "cuMemAlloc: out of device memory"; returns false. call: the source text of the call. */
bool host_fail(struct err *e, const char *call, CUresult r);
/* Leaves the function with false unless the call succeeds; needs `struct err *e`. */
#define TRY(call)                           \
    do {                                    \
        CUresult r_ = (call);               \
        if (r_ != CUDA_SUCCESS)             \
            return host_fail(e, #call, r_); \
    } while (0)

/* A device array with the bytes at src; NULL: zeroed. */
bool host_array(CUdeviceptr *ptr, const void *src, size_t bytes, struct err *e);
/* Fills a variable of the module, as cudaMemcpyToSymbol does. */
bool host_symbol(const struct host *h, const char *name, const void *src, size_t bytes,
                 struct err *e);
bool host_kernel(const struct host *h, const char *name, CUfunction *kernel, struct err *e);

/* Threads a CTA: as the user asked for in warps, or the workload's own. */
unsigned host_threads(const struct host *h, unsigned own);
/* CTAs of `threads` that cover n elements, one a thread. */
unsigned host_ctas(size_t n, unsigned threads);
/* One dimension, no dynamic shared memory; args as cuLaunchKernel's params. */
bool host_launch(CUfunction kernel, unsigned ctas, unsigned threads, void **args, struct err *e);
struct host_grid {
    unsigned x, y, z; /* 0 is 1 */
};
bool host_launch_grid(CUfunction kernel, struct host_grid ctas, struct host_grid threads,
                      void **args, struct err *e);

/* Equal element by element, or e names the first that is not: "bfs: level[3] is 4, expected 2". */
bool host_same_ints(const struct host *h, const char *what, const int *found, const int *expected,
                    size_t n, struct err *e);
/* |found - expected| <= tolerance x size, where size[i] is the magnitude that element i's rounding
 * errors scale with (for a sum: of its terms' magnitudes); size NULL: max(1, |expected|). NaN is
 * wrong. The tolerance is derived where it is stated. */
struct host_floats {
    const char *what;
    const float *found;
    const double *expected, *size;
    size_t n;
    double tolerance;
};
bool host_near(const struct host *h, const struct host_floats *f, struct err *e);

#endif
