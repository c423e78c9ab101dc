#include "data/workloads/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct host_block { /* one array of the host, and the link */
    struct host_block *next;
    _Alignas(max_align_t) unsigned char bytes[];
};

bool host_fail(struct err *e, const char *call, CUresult r)
{
    const char *text = NULL;
    if (cuGetErrorString(r, &text) != CUDA_SUCCESS)
        text = "unknown error";
    return err_set(e, "%.*s: %s", (int)strcspn(call, "("), call, text);
}

static bool open_device(const struct workload *w, CUcontext *ctx, CUmodule *module, struct err *e)
{
    CUdevice dev;
    TRY(cuInit(0));
    TRY(cuDeviceGet(&dev, 0));
    TRY(cuCtxCreate(ctx, 0, dev));
    TRY(cuModuleLoadData(module, w->ptx));
    return true;
}

bool host_run(const struct workload *w, const struct workload_input *in,
              bool (*body)(struct host *h, struct err *e), struct err *e)
{
    struct host h = {.workload = w, .in = in, .rng = rng_seed(in->seed)};
    CUcontext ctx = NULL;
    bool ok = open_device(w, &ctx, &h.module, e) && body(&h, e);
    for (struct host_block *b = h.blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    CUresult closed = ctx ? cuCtxDestroy(ctx) : CUDA_SUCCESS;
    if (ok && closed != CUDA_SUCCESS)
        return host_fail(e, "cuCtxDestroy", closed);
    return ok;
}

void *host_new(struct host *h, size_t n, size_t size)
{
    struct host_block *b = xcalloc(1, sizeof *b + n * size);
    b->next = h->blocks;
    h->blocks = b;
    return b->bytes;
}

int *host_random_ints(struct host *h, size_t n, int lo, int hi)
{
    int *all = host_new(h, n, sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = lo + (int)rng_below(&h->rng, (uint64_t)((int64_t)hi - lo));
    return all;
}

float *host_random_floats(struct host *h, size_t n, double lo, double hi)
{
    float *all = host_new(h, n, sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = (float)rng_real(&h->rng, lo, hi);
    return all;
}

bool host_array(CUdeviceptr *ptr, const void *src, size_t bytes, struct err *e)
{
    TRY(cuMemAlloc(ptr, bytes));
    if (src)
        TRY(cuMemcpyHtoD(*ptr, src, bytes));
    else
        TRY(cuMemsetD8(*ptr, 0, bytes));
    return true;
}

bool host_symbol(const struct host *h, const char *name, const void *src, size_t bytes,
                 struct err *e)
{
    CUdeviceptr at;
    TRY(cuModuleGetGlobal(&at, NULL, h->module, name));
    TRY(cuMemcpyHtoD(at, src, bytes));
    return true;
}

bool host_kernel(const struct host *h, const char *name, CUfunction *kernel, struct err *e)
{
    TRY(cuModuleGetFunction(kernel, h->module, name));
    return true;
}

unsigned host_threads(const struct host *h, unsigned own)
{
    return h->in->warps ? 32 * h->in->warps : own;
}

unsigned host_ctas(size_t n, unsigned threads)
{
    return (unsigned)((n + threads - 1) / threads);
}

static unsigned at_least_1(unsigned v)
{
    return v ? v : 1;
}

bool host_launch_grid(CUfunction kernel, struct host_grid ctas, struct host_grid threads,
                      void **args, struct err *e)
{
    TRY(cuLaunchKernel(kernel, at_least_1(ctas.x), at_least_1(ctas.y), at_least_1(ctas.z),
                       at_least_1(threads.x), at_least_1(threads.y), at_least_1(threads.z), 0, NULL,
                       args, NULL));
    return true;
}

bool host_launch(CUfunction kernel, unsigned ctas, unsigned threads, void **args, struct err *e)
{
    return host_launch_grid(kernel, (struct host_grid){ctas, 1, 1},
                            (struct host_grid){threads, 1, 1}, args, e);
}

bool host_same_ints(const struct host *h, const char *what, const int *found, const int *expected,
                    size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (found[i] != expected[i])
            return err_set(e, "%s: %s[%zu] is %d, expected %d", h->workload->name, what, i,
                           found[i], expected[i]);
    return true;
}

bool host_near(const struct host *h, const struct host_floats *f, struct err *e)
{
    for (size_t i = 0; i < f->n; i++) {
        double found = (double)f->found[i], expected = f->expected[i];
        double size = f->size ? f->size[i] : fmax(1.0, fabs(expected));
        if (!(fabs(found - expected) <= f->tolerance * size))
            return err_set(e, "%s: %s[%zu] is %.9g, expected %.9g within %g", h->workload->name,
                           f->what, i, found, expected, f->tolerance * size);
    }
    return true;
}
