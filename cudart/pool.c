/* pool.c -- memory in the order of a stream, out of pools. An allocation is there, or gone, when
 * its call returns; a pool counts what was taken from it, and keeps nothing that was freed. */
#include <stdlib.h>

#include "cudart/rt.h"

enum { /* cudaMemPoolAttr */
       REUSE_FIRST = 1,
       REUSE_LAST = 3,
       RELEASE_THRESHOLD,
       RESERVED_CURRENT,
       RESERVED_HIGH,
       USED_CURRENT,
       USED_HIGH
};

struct taken { /* an allocation; it counts while there is one of that serial number */
    CUdeviceptr at;
    uint64_t serial;
    struct taken *next;
};

typedef struct rt_pool {
    int reuse[REUSE_LAST + 1]; /* policies: kept, no more */
    uint64_t threshold, high;
    struct taken *taken; /* owned */
    struct rt_pool *next;
} * cudaMemPool_t;
static struct rt_pool the_pool = {.reuse = {1, 1, 1, 1}}; /* then those that the program makes */
static cudaMemPool_t current = &the_pool;                 /* the device's */

static bool is_pool(cudaMemPool_t pool)
{
    for (const struct rt_pool *p = &the_pool; p; p = p->next)
        if (p == pool)
            return true;
    return false;
}

static uint64_t used(cudaMemPool_t pool)
{
    uint64_t sum = 0;
    for (struct taken **at = &pool->taken, *t; (t = *at);) {
        const struct alloc *al = devmem_find(rt_memory(), t->at, 1);
        if (al && al->serial == t->serial) {
            sum += al->bytes;
            at = &t->next;
            continue;
        }
        *at = t->next;
        free(t);
    }
    if (sum > pool->high)
        pool->high = sum;
    return sum;
}

struct properties { /* cudaMemPoolProps, as far as it says what can be had */
    int type, handles;
    struct {
        int type, id;
    } where;
};

CUDART(cudaMemPoolCreate, cudaMemPool_t *pool, const struct properties *p)
{
    RT_ENTER();
    if (!pool || !p || p->type != 1 || p->where.type != 1) /* pinned, on a device */
        return rt_set(cudaErrorInvalidValue);
    if (p->where.id != 0)
        return rt_set(cudaErrorInvalidDevice);
    if (p->handles)
        return rt_set(cudaErrorNotSupported); /* no other process has the device */
    *pool = xcalloc(1, sizeof **pool);
    **pool = (struct rt_pool){.reuse = {1, 1, 1, 1}, .next = the_pool.next};
    the_pool.next = *pool;
    return cudaSuccess;
}

CUDART(cudaMemPoolDestroy, cudaMemPool_t pool)
{
    RT_ENTER();
    for (cudaMemPool_t *at = &the_pool.next; *at; at = &(*at)->next) {
        if (*at != pool)
            continue;
        *at = pool->next;
        if (current == pool)
            current = &the_pool;
        while (pool->taken) {
            struct taken *t = pool->taken;
            pool->taken = t->next;
            free(t);
        }
        free(pool);
        return cudaSuccess;
    }
    return rt_set(cudaErrorInvalidValue);
}

CUDART(cudaMemPoolSetAccess, cudaMemPool_t pool, const void *who, size_t n)
{
    RT_ENTER();
    return rt_set(is_pool(pool) && (who || !n) ? cudaSuccess : cudaErrorInvalidValue);
}

CUDART(cudaMemPoolGetAccess, int *flags, cudaMemPool_t pool, const void *who)
{
    RT_ENTER();
    if (!flags || !who || !is_pool(pool))
        return rt_set(cudaErrorInvalidValue);
    *flags = 3; /* cudaMemAccessFlagsProtReadWrite */
    return cudaSuccess;
}

/* -- allocations */

static CUresult allocate(CUdeviceptr *d, size_t bytes, cudaStream_t stream)
{
    struct graph_capturing c;
    CUresult r = graph_capturing(stream, &c);
    if (r != CUDA_SUCCESS || c.status == CAPTURE_NONE)
        return r == CUDA_SUCCESS ? cuMemAlloc(d, bytes) : r;
    return rt_graph_capture_alloc(d, bytes, stream);
}

static cudaError_t take(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    CUdeviceptr d;
    CUresult r = session_own_stream(stream);
    if (r == CUDA_SUCCESS && !p)
        r = CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS)
        return rt(r);
    *p = NULL;
    if (!bytes)
        return cudaSuccess;
    r = allocate(&d, bytes, stream);
    if (r != CUDA_SUCCESS)
        return rt(r);
    struct taken *t = xcalloc(1, sizeof *t);
    *t = (struct taken){d, devmem_find(rt_memory(), d, 1)->serial, pool->taken};
    pool->taken = t;
    used(pool);
    *p = (void *)(uintptr_t)d;
    return cudaSuccess;
}

CUDART(cudaMallocAsync, void **p, size_t bytes, cudaStream_t stream)
{
    RT_ENTER();
    return take(p, bytes, current, stream);
}

CUDART(cudaMallocFromPoolAsync, void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    RT_ENTER();
    return is_pool(pool) ? take(p, bytes, pool, stream) : rt_set(cudaErrorInvalidValue);
}

static CUresult give_back(const void *p, cudaStream_t stream)
{
    (void)stream;
    return rt_free((CUdeviceptr) * (const uintptr_t *)p);
}

CUDART(cudaFreeAsync, void *p, cudaStream_t stream)
{
    RT_ENTER();
    CUresult r = session_own_stream(stream);
    const struct graph_work later = {GRAPH_MEM_FREE, give_back, &p, sizeof p};
    if (r != CUDA_SUCCESS || rt_graph_capture_free(p, stream, &r))
        return rt(r);
    if (p && pending_later(session_current(), stream, &later))
        return cudaSuccess;
    return rt(p ? rt_free((CUdeviceptr)(uintptr_t)p) : CUDA_ERROR_INVALID_VALUE);
}

/* -- the device's */

static cudaError_t give(cudaMemPool_t *to, int device, cudaMemPool_t pool)
{
    if (!to || !session_is_device(device))
        return rt_set(to ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *to = pool;
    return cudaSuccess;
}

CUDART(cudaDeviceGetDefaultMemPool, cudaMemPool_t *pool, int device)
{
    RT_ENTER();
    return give(pool, device, &the_pool);
}

CUDART(cudaDeviceGetMemPool, cudaMemPool_t *pool, int device)
{
    RT_ENTER();
    return give(pool, device, current);
}

CUDART(cudaDeviceSetMemPool, int device, cudaMemPool_t pool)
{
    RT_ENTER();
    if (!session_is_device(device))
        return rt_set(cudaErrorInvalidDevice);
    if (!is_pool(pool))
        return rt_set(cudaErrorInvalidValue);
    current = pool;
    return cudaSuccess;
}

struct location {
    int type, id;
};

static cudaError_t check(const struct location *where, int type)
{
    if (!where || where->type != 1 || type != 1) /* a device's, pinned */
        return cudaErrorInvalidValue;
    return where->id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

CUDART(cudaMemGetDefaultMemPool, cudaMemPool_t *pool, const struct location *where, int type)
{
    RT_ENTER();
    cudaError_t e = check(where, type);
    return e == cudaSuccess ? give(pool, 0, &the_pool) : rt_set(e);
}

CUDART(cudaMemGetMemPool, cudaMemPool_t *pool, const struct location *where, int type)
{
    RT_ENTER();
    cudaError_t e = check(where, type);
    return e == cudaSuccess ? give(pool, 0, current) : rt_set(e);
}

CUDART(cudaMemSetMemPool, const struct location *where, int type, cudaMemPool_t pool)
{
    RT_ENTER();
    cudaError_t e = check(where, type);
    return e == cudaSuccess ? rt_cudaDeviceSetMemPool(0, pool) : rt_set(e);
}

/* -- attributes */

CUDART(cudaMemPoolSetAttribute, cudaMemPool_t pool, int attribute, void *value)
{
    RT_ENTER();
    if (!is_pool(pool) || !value)
        return rt_set(cudaErrorInvalidValue);
    if (attribute >= REUSE_FIRST && attribute <= REUSE_LAST) {
        pool->reuse[attribute] = *(int *)value;
        return cudaSuccess;
    }
    uint64_t v;
    __builtin_memcpy(&v, value, sizeof v);
    if (attribute == RELEASE_THRESHOLD)
        pool->threshold = v;
    else if ((attribute == RESERVED_HIGH || attribute == USED_HIGH) && v == 0)
        pool->high = 0; /* they can be reset, no more */
    else
        return rt_set(cudaErrorInvalidValue);
    return cudaSuccess;
}

CUDART(cudaMemPoolGetAttribute, cudaMemPool_t pool, int attribute, void *value)
{
    RT_ENTER();
    if (!is_pool(pool) || attribute < REUSE_FIRST || attribute > USED_HIGH || !value)
        return rt_set(cudaErrorInvalidValue);
    if (attribute <= REUSE_LAST) {
        *(int *)value = pool->reuse[attribute];
        return cudaSuccess;
    }
    const uint64_t now = used(pool);
    const uint64_t v = attribute == RELEASE_THRESHOLD ? pool->threshold
                       : attribute == RESERVED_CURRENT || attribute == USED_CURRENT ? now
                                                                                    : pool->high;
    __builtin_memcpy(value, &v, sizeof v);
    return cudaSuccess;
}

CUDART(cudaMemPoolTrimTo, cudaMemPool_t pool, size_t keep)
{
    (void)keep;
    RT_ENTER();
    return rt_set(is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}
