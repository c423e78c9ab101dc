/* graph_memory.c -- nodes that allocate and free. What a node allocates is taken when the node is
 * made, and stays: freed, by a node or by the program, it is out of use until the node runs again.
 * That no launch finds its memory in use is not checked. */
#include <stdlib.h>

#include "cudart/rt.h"

enum { USED, USED_HIGH, RESERVED, RESERVED_HIGH }; /* cudaGraphMemAttributeType */

static struct graph_block {
    CUdeviceptr at;
    uint64_t serial; /* of the allocation: after a reset another may lie there */
    size_t bytes;
    bool used;
    struct graph_block *next;
} * blocks;
static uint64_t used_high, reserved_high;

struct alloc_params { /* cudaMemAllocNodeParams */
    struct {
        int type, handles;
        struct {
            int type, id;
        } where;
        long long zero[9];
    } pool;
    const void *access;
    size_t naccess, bytes;
    void *at;
};

static struct graph_block *block_at(CUdeviceptr p)
{
    for (struct graph_block *b = blocks; b; b = b->next) {
        const struct alloc *al = b->at == p ? devmem_find(rt_memory(), p, 1) : NULL;
        if (al && al->serial == b->serial)
            return b;
    }
    return NULL;
}

static uint64_t sum(bool all)
{
    uint64_t bytes = 0;
    for (const struct graph_block *b = blocks; b; b = b->next)
        if (block_at(b->at) == b && (all || b->used))
            bytes += b->bytes;
    return bytes;
}

static void keep_high(void)
{
    const uint64_t used = sum(false), reserved = sum(true);
    used_high = used > used_high ? used : used_high;
    reserved_high = reserved > reserved_high ? reserved : reserved_high;
}

static CUresult allocate(CUdeviceptr *d, size_t bytes)
{
    int relaxed = 2; /* whatever is captured meanwhile */
    cuThreadExchangeStreamCaptureMode(&relaxed);
    const CUresult r = cuMemAlloc(d, bytes);
    cuThreadExchangeStreamCaptureMode(&relaxed);
    if (r != CUDA_SUCCESS)
        return r;
    struct graph_block *b = xcalloc(1, sizeof *b);
    *b = (struct graph_block){*d, devmem_find(rt_memory(), *d, 1)->serial, bytes, false, blocks};
    blocks = b;
    keep_high();
    return CUDA_SUCCESS;
}

static CUresult run_alloc(const void *data, CUstream stream)
{
    (void)stream;
    const struct alloc_params *p = data;
    struct graph_block *b = block_at((CUdeviceptr)(uintptr_t)p->at);
    if (!b)
        return CUDA_ERROR_INVALID_VALUE;
    b->used = true;
    keep_high();
    return CUDA_SUCCESS;
}

static CUresult run_free(const void *data, CUstream stream)
{
    (void)stream;
    return rt_free((CUdeviceptr) * (const uintptr_t *)data);
}

CUresult rt_free(CUdeviceptr p)
{
    struct graph_block *b = p ? block_at(p) : NULL;
    if (!b)
        return cuMemFree(p);
    if (!b->used)
        return CUDA_ERROR_INVALID_VALUE;
    b->used = false;
    return CUDA_SUCCESS;
}

/* -- by capture */

CUresult rt_graph_capture_alloc(CUdeviceptr *d, size_t bytes, cudaStream_t stream)
{
    CUresult r = allocate(d, bytes);
    if (r != CUDA_SUCCESS)
        return r;
    const struct alloc_params p = {.pool = {.type = 1, .where = {1, rt_device()}},
                                   .bytes = bytes,
                                   .at = (void *)(uintptr_t)*d};
    const struct graph_work w = {GRAPH_MEM_ALLOC, run_alloc, &p, sizeof p};
    graph_capture(stream, &w, &r);
    return r;
}

bool rt_graph_capture_free(void *p, cudaStream_t stream, CUresult *r)
{
    const struct graph_work w = {GRAPH_MEM_FREE, run_free, &p, sizeof p};
    return graph_capture(stream, &w, r);
}

/* -- by hand */

CUresult rt_graph_add_alloc(const struct rt_graph_place *at, void *params)
{
    struct alloc_params *p = params;
    CUdeviceptr d;
    if (!p || !p->bytes || p->pool.type != 1 || p->pool.where.type != 1) /* pinned, on a device */
        return CUDA_ERROR_INVALID_VALUE;
    if (p->pool.handles || p->pool.where.id != rt_device())
        return CUDA_ERROR_NOT_SUPPORTED;
    CUresult r = allocate(&d, p->bytes);
    if (r != CUDA_SUCCESS)
        return r;
    p->at = (void *)(uintptr_t)d;
    const struct graph_work w = {GRAPH_MEM_ALLOC, run_alloc, p, sizeof *p};
    return graph_add(at->node, at->g, at->deps, at->n, &w);
}

CUresult rt_graph_add_free(const struct rt_graph_place *at, void *p)
{
    if (!block_at((CUdeviceptr)(uintptr_t)p))
        return CUDA_ERROR_INVALID_VALUE;
    const struct graph_work w = {GRAPH_MEM_FREE, run_free, &p, sizeof p};
    return graph_add(at->node, at->g, at->deps, at->n, &w);
}

CUDART(cudaGraphAddMemAllocNode, CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
       void *params)
{
    RT_ENTER();
    return rt(rt_graph_add_alloc(&(struct rt_graph_place){node, g, deps, n}, params));
}

CUDART(cudaGraphAddMemFreeNode, CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
       void *p)
{
    RT_ENTER();
    return rt(rt_graph_add_free(&(struct rt_graph_place){node, g, deps, n}, p));
}

CUDART(cudaGraphMemAllocNodeGetParams, CUgraphNode node, struct alloc_params *out)
{
    RT_ENTER();
    const struct alloc_params *p = graph_node_data(node, GRAPH_MEM_ALLOC);
    if (!p || !out)
        return rt_set(cudaErrorInvalidValue);
    *out = *p;
    return cudaSuccess;
}

CUDART(cudaGraphMemFreeNodeGetParams, CUgraphNode node, void **out)
{
    RT_ENTER();
    void *const *p = graph_node_data(node, GRAPH_MEM_FREE);
    if (!p || !out)
        return rt_set(cudaErrorInvalidValue);
    *out = *p;
    return cudaSuccess;
}

/* -- the device's */

CUDART(cudaDeviceGetGraphMemAttribute, int device, int attribute, uint64_t *value)
{
    RT_ENTER();
    if (!session_is_device(device))
        return rt_set(cudaErrorInvalidDevice);
    if (!value || attribute < USED || attribute > RESERVED_HIGH)
        return rt_set(cudaErrorInvalidValue);
    *value = attribute == USED_HIGH       ? used_high
             : attribute == RESERVED_HIGH ? reserved_high
                                          : sum(attribute == RESERVED);
    return cudaSuccess;
}

CUDART(cudaDeviceSetGraphMemAttribute, int device, int attribute, const uint64_t *value)
{
    RT_ENTER();
    if (!session_is_device(device))
        return rt_set(cudaErrorInvalidDevice);
    if (!value || *value || (attribute != USED_HIGH && attribute != RESERVED_HIGH))
        return rt_set(cudaErrorInvalidValue); /* they can be reset, no more */
    if (attribute == USED_HIGH)
        used_high = sum(false);
    else
        reserved_high = sum(true);
    return cudaSuccess;
}

CUDART(cudaDeviceGraphMemTrim, int device)
{
    RT_ENTER();
    return rt_set(session_is_device(device) ? cudaSuccess : cudaErrorInvalidDevice);
}
