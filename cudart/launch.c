/* launch.c -- `k<<<grid, block, shared, stream>>>(...)` and what compilers make of it. A fault of
 * the kernel is seen by the calls that follow the launch, as with hardware. */
#include <string.h>

#include "cudart/rt.h"

#define MAX_NESTED                                                                \
    32 /* configurations pushed and not yet popped: arguments that launch kernels \
        */

struct config {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    bool cooperative;
    unsigned cluster[3]; /* 0: as the kernel says */
};
static _Thread_local struct config pushed[MAX_NESTED];
static _Thread_local int depth;

CUDART_AS(unsigned, __cudaPushCallConfiguration, dim3 grid, dim3 block, size_t shared, void *stream)
{
    if (depth == MAX_NESTED)
        return 1;
    pushed[depth++] =
        (struct config){.grid = grid, .block = block, .shared = shared, .stream = stream};
    return 0;
}

CUDART(__cudaPopCallConfiguration, dim3 *grid, dim3 *block, size_t *shared, void **stream)
{
    if (depth == 0)
        return rt_set(cudaErrorMissingConfiguration);
    const struct config *c = &pushed[--depth];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    *stream = c->stream;
    return cudaSuccess;
}

static cudaError_t check(const struct rt_function *f, const struct config *c)
{
    const struct kernel *k = f->cu->kernel;
    uint64_t threads = (uint64_t)c->block.x * c->block.y * c->block.z;
    if (!launch_grid_ok(c->grid.x, c->grid.y, c->grid.z) ||
        !launch_block_ok(c->block.x, c->block.y, c->block.z))
        return cudaErrorInvalidConfiguration;
    if (threads > rt_most_threads(k))
        return cudaErrorLaunchOutOfResources;
    size_t room = (size_t)rt_gpu()->sm.shared_bytes;
    return c->shared > room || k->shared_bytes + c->shared > room ? cudaErrorInvalidValue
                                                                  : cudaSuccess;
}

static cudaError_t launch(const void *host, const struct config *c, void **args)
{
    struct rt_function *f;
    cudaError_t e = rt_function(host, &f);
    if (e != cudaSuccess)
        return rt_set(e);
    e = check(f, c);
    if (e != cudaSuccess) {
        const struct launch_request r = {.grid = {c->grid.x, c->grid.y, c->grid.z},
                                         .block = {c->block.x, c->block.y, c->block.z},
                                         .shared = c->shared};
        rt_rejected(f->cu->kernel, &r, e);
        return rt_set(e);
    }
    return rt(session_launch(
        &(struct graph_launch){.f = f->cu,
                               .grid = {c->grid.x, c->grid.y, c->grid.z},
                               .block = {c->block.x, c->block.y, c->block.z},
                               .shared = (unsigned)c->shared,
                               .cluster = {c->cluster[0], c->cluster[1], c->cluster[2]},
                               .cooperative = c->cooperative,
                               .handle = host,
                               .params = args},
        c->stream));
}

CUDART(cudaLaunchKernel, const void *f, dim3 grid, dim3 block, void **args, size_t shared,
       cudaStream_t stream)
{
    RT_ENTER();
    return launch(
        f, &(struct config){.grid = grid, .block = block, .shared = shared, .stream = stream},
        args);
}
CUDART_ALIAS(cudaLaunchKernel, __cudaLaunchKernel);

CUDART(cudaLaunchCooperativeKernel, const void *f, dim3 grid, dim3 block, void **args,
       size_t shared, cudaStream_t stream)
{
    RT_ENTER();
    return launch(f, &(struct config){grid, block, shared, stream, true, {0}}, args);
}

enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };

void rt_attributes(const struct cudaLaunchAttribute *attrs, unsigned n, struct graph_launch *l)
{
    for (unsigned i = 0; i < n; i++) {
        unsigned v[3];
        memcpy(v, attrs[i].value, sizeof v);
        if (attrs[i].id == ATTRIBUTE_COOPERATIVE)
            l->cooperative = v[0];
        if (attrs[i].id == ATTRIBUTE_CLUSTER)
            memcpy(l->cluster, v, sizeof v);
    }
}

CUDART(cudaLaunchKernelExC, const cudaLaunchConfig_t *c, const void *f, void **args)
{
    RT_ENTER();
    struct graph_launch said = {.cooperative = false};
    if (!c)
        return rt_set(cudaErrorInvalidValue);
    rt_attributes(c->attrs, c->numAttrs, &said);
    struct config as = {c->gridDim, c->blockDim,      c->dynamicSmemBytes,
                        c->stream,  said.cooperative, {0}};
    memcpy(as.cluster, said.cluster, sizeof as.cluster);
    return launch(f, &as, args);
}

CUDART(__cudaGetKernel, cudaKernel_t *out, const void *host)
{
    RT_ENTER();
    struct rt_function *f = NULL;
    cudaError_t e = rt_function(host, &f);
    *out = f;
    return rt_set(e);
}
CUDART_ALIAS(__cudaGetKernel, cudaGetKernel);
CUDART_ALIAS(__cudaGetKernel, cudaGetFuncBySymbol);

CUDART(cudaFuncGetName, const char **name, const void *host)
{
    RT_ENTER();
    struct rt_function *f;
    cudaError_t e = name ? rt_function(host, &f) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
        *name = f->name;
    return rt_set(e);
}
