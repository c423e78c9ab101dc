#include "hw/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "hw/driver.h"

static struct measurement *now; /* between measure_begin and measure_end */

void measure_begin(struct measurement *m, int n, int carveout)
{
    *m = (struct measurement){.n = n, .carveout = carveout};
    now = m;
}

void measure_end(struct measurement *m)
{
    BUG_ON(now != m, "another measurement runs");
    now = NULL;
}

void measure_free(struct measurement *m)
{
    for (int i = 0; i < m->nameds; i++)
        free(m->named[i].name);
    free(m->named);
    free(m->held);
    free(m->kernel);
    *m = (struct measurement){0};
}

CUresult cuModuleGetFunction(CUfunction *f, CUmodule module, const char *name)
{
    CUresult r = driver_get_function(f, module, name);
    if (r != CUDA_SUCCESS || !now)
        return r;
    now->named = xrealloc(now->named, (size_t)(now->nameds + 1) * sizeof *now->named);
    now->named[now->nameds++] = (struct named){*f, xstrdup(name)};
    return r;
}

static const char *name_of(CUfunction f)
{
    for (int i = now->nameds - 1; i >= 0; i--) /* a handle may be used again after an unload */
        if (now->named[i].f == f)
            return now->named[i].name;
    return "?";
}

static struct kernel_time *kernel_find(const char *name)
{
    for (int i = 0; i < now->kernels; i++)
        if (strcmp(now->kernel[i].name, name) == 0)
            return &now->kernel[i];
    now->kernel = xrealloc(now->kernel, (size_t)(now->kernels + 1) * sizeof *now->kernel);
    struct kernel_time *k = &now->kernel[now->kernels++];
    *k = (struct kernel_time){0};
    snprintf(k->name, sizeof k->name, "%s", name);
    return k;
}

#define TRY(call)               \
    do {                        \
        CUresult r_ = (call);   \
        if (r_ != CUDA_SUCCESS) \
            return r_;          \
    } while (0)

/* The most dynamic shared memory that a launch of f may have, allowed to it from now on. */
static CUresult allow_shared(CUfunction f, unsigned *most)
{
    CUdevice dev;
    int a_cta, fixed;
    TRY(cuDeviceGet(&dev, 0));
    TRY(cuDeviceGetAttribute(&a_cta, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, dev));
    TRY(cuFuncGetAttribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
    *most = (unsigned)(a_cta - fixed);
    TRY(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, a_cta - fixed));
    return cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, now->carveout);
}

static CUresult fitting(const struct held *h, unsigned shared, int *n)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(n, h->f, (int)h->threads, shared);
}

/* The least shared memory with which no more than now->n CTAs fit; all there is if that is not
 * enough. What fits falls with it. */
static CUresult hold(struct held *h)
{
    unsigned lo = h->asked, hi;
    TRY(allow_shared(h->f, &hi));
    TRY(fitting(h, lo, &h->n_max));
    h->n = h->n_max;
    h->shared = lo;
    if (now->n == 0 || h->n_max <= now->n)
        return CUDA_SUCCESS;
    while (lo + 1 < hi) { /* lo: more than n fit; hi: n or fewer, unless it is all there is */
        unsigned mid = lo + (hi - lo) / 2;
        TRY(fitting(h, mid, &h->n));
        if (h->n > now->n)
            lo = mid;
        else
            hi = mid;
    }
    h->shared = hi;
    return fitting(h, hi, &h->n);
}

static CUresult held_find(const struct driver_launch *l, struct held *out)
{
    struct held h = {
        .f = l->f, .threads = l->block[0] * l->block[1] * l->block[2], .asked = l->shared};
    for (int i = 0; i < now->helds; i++) {
        const struct held *o = &now->held[i];
        if (o->f == h.f && o->threads == h.threads && o->asked == h.asked) {
            *out = *o;
            return CUDA_SUCCESS;
        }
    }
    TRY(hold(&h));
    now->held = xrealloc(now->held, (size_t)(now->helds + 1) * sizeof *now->held);
    *out = now->held[now->helds++] = h;
    return CUDA_SUCCESS;
}

/* Between two events; the launch's own failure comes back first. */
static CUresult timed(const struct driver_launch *l, float *ms)
{
    CUevent start, stop;
    TRY(cuEventCreate(&start, 0));
    TRY(cuEventCreate(&stop, 0));
    TRY(cuEventRecord(start, l->stream));
    TRY(driver_launch(l));
    TRY(cuEventRecord(stop, l->stream));
    TRY(cuEventSynchronize(stop));
    TRY(cuEventElapsedTime(ms, start, stop));
    TRY(cuEventDestroy(start));
    return cuEventDestroy(stop);
}

static CUresult measured(struct driver_launch *l)
{
    struct held h;
    float ms;
    TRY(held_find(l, &h));
    l->shared = h.shared;
    TRY(timed(l, &ms));
    struct kernel_time *k = kernel_find(name_of(l->f));
    if (k->launches++ == 0)
        k->threads = (int)h.threads;
    if (h.n > k->n) {
        k->n = h.n;
        k->shared = h.shared;
    }
    k->n_max = h.n_max > k->n_max ? h.n_max : k->n_max;
    k->ms += (double)ms;
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz,
                        unsigned int bx, unsigned int by, unsigned int bz,
                        unsigned int shared_bytes, CUstream stream, void **params, void **extra)
{
    struct driver_launch l = {f, {gx, gy, gz}, {bx, by, bz}, shared_bytes, stream, params, extra};
    return now ? measured(&l) : driver_launch(&l);
}
