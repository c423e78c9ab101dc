/* device.c -- devices: which is current, attributes, limits, flags, peers. */
#include <stdio.h>
#include <string.h>

#include "cudart/props.h"
#include "cudart/rt.h"

static cudaError_t check(int device)
{
    return session_is_device(device) ? cudaSuccess : rt_set(cudaErrorInvalidDevice);
}

CUDART(cudaGetDeviceCount, int *count)
{
    RT_ENTER();
    if (!count)
        return rt_set(cudaErrorInvalidValue);
    return rt(cuDeviceGetCount(count));
}

CUDART(cudaSetDevice, int device)
{
    RT_ENTER();
    return rt_set(rt_choose(device));
}

CUDART(cudaInitDevice, int device, unsigned device_flags, unsigned flags)
{
    (void)device_flags, (void)flags;
    RT_ENTER();
    return check(device);
}

CUDART(cudaGetDevice, int *device)
{
    RT_ENTER();
    if (!device)
        return rt_set(cudaErrorInvalidValue);
    *device = rt_device();
    return cudaSuccess;
}

CUDART(cudaSetValidDevices, int *list, int n)
{
    (void)list;
    RT_ENTER();
    return rt_set(n < 0 ? cudaErrorInvalidValue : cudaSuccess);
}

CUDART(cudaChooseDevice, int *device, const void *wanted)
{
    RT_ENTER();
    if (!device || !wanted)
        return rt_set(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

static unsigned device_flags; /* what was set is what is read; nothing depends on it */

CUDART(cudaSetDeviceFlags, unsigned flags)
{
    RT_ENTER();
    device_flags = flags;
    return cudaSuccess;
}

CUDART(cudaGetDeviceFlags, unsigned *flags)
{
    RT_ENTER();
    if (!flags)
        return rt_set(cudaErrorInvalidValue);
    *flags = device_flags;
    return cudaSuccess;
}

CUDART(cudaDeviceSynchronize, void)
{
    RT_ENTER();
    return rt(cuCtxSynchronize());
}
CUDART_ALIAS(cudaDeviceSynchronize, cudaThreadSynchronize);

CUDART(cudaDeviceReset, void)
{
    RT_ENTER();
    return rt_reset();
}
CUDART_ALIAS(cudaDeviceReset, cudaThreadExit);

/* Profilers and hints about caches have nothing to do here. */
CUDART(cudaProfilerStart, void)
{
    RT_ENTER();
    return cudaSuccess;
}
CUDART_ALIAS(cudaProfilerStart, cudaProfilerStop);
CUDART_ALIAS(cudaProfilerStart, cudaCtxResetPersistingL2Cache);

static int cache_config, bank_config;

CUDART(cudaDeviceSetCacheConfig, int config)
{
    RT_ENTER();
    if (config < 0 || config > 3)
        return rt_set(cudaErrorInvalidValue);
    cache_config = config;
    return cudaSuccess;
}
CUDART_ALIAS(cudaDeviceSetCacheConfig, cudaThreadSetCacheConfig);

CUDART(cudaDeviceGetCacheConfig, int *config)
{
    RT_ENTER();
    if (!config)
        return rt_set(cudaErrorInvalidValue);
    *config = cache_config;
    return cudaSuccess;
}
CUDART_ALIAS(cudaDeviceGetCacheConfig, cudaThreadGetCacheConfig);

CUDART(cudaDeviceSetSharedMemConfig, int config)
{
    RT_ENTER();
    if (config < 0 || config > 2)
        return rt_set(cudaErrorInvalidValue);
    bank_config = config;
    return cudaSuccess;
}

CUDART(cudaDeviceGetSharedMemConfig, int *config)
{
    RT_ENTER();
    if (!config)
        return rt_set(cudaErrorInvalidValue);
    *config = bank_config ? bank_config : 1;
    return cudaSuccess;
}

/* -- limits */

enum {
    LIMIT_STACK,
    LIMIT_PRINTF,
    LIMIT_HEAP,
    LIMIT_SYNC_DEPTH,
    LIMIT_LAUNCHES,
    LIMIT_FETCH,
    LIMIT_L2,
    LIMITS
};
static size_t limits[LIMITS] = {1024, 1 << 20, 0, 2, 2048, 64, 0};

CUDART(cudaDeviceSetLimit, int limit, size_t value)
{
    RT_ENTER();
    if (limit < 0 || limit >= LIMITS)
        return rt_set(cudaErrorUnsupportedLimit);
    limits[limit] = value;
    if (limit == LIMIT_HEAP) /* the only one that matters: the others are never too small here */
        context_limit_heap(session_current()->context, value);
    return cudaSuccess;
}
CUDART_ALIAS(cudaDeviceSetLimit, cudaThreadSetLimit);

CUDART(cudaDeviceGetLimit, size_t *value, int limit)
{
    RT_ENTER();
    if (!value || limit < 0 || limit >= LIMITS)
        return rt_set(value ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue);
    *value = limit == LIMIT_HEAP ? context_heap(session_current()->context) : limits[limit];
    return cudaSuccess;
}
CUDART_ALIAS(cudaDeviceGetLimit, cudaThreadGetLimit);

CUDART(cudaDeviceGetStreamPriorityRange, int *least, int *greatest)
{
    RT_ENTER();
    if (least)
        *least = 0;
    if (greatest)
        *greatest = 0; /* one priority: work is done in order */
    return cudaSuccess;
}

#define PCI_NAME "0000:%02x:00.0" /* device i is on bus i */

CUDART(cudaDeviceGetPCIBusId, char *text, int room, int device)
{
    RT_ENTER();
    if (!text || room < 13)
        return rt_set(cudaErrorInvalidValue);
    snprintf(text, (size_t)room, PCI_NAME, (unsigned)device);
    return check(device);
}

CUDART(cudaDeviceGetByPCIBusId, int *device, const char *text)
{
    RT_ENTER();
    if (!device || !text)
        return rt_set(cudaErrorInvalidValue);
    unsigned bus;
    if (sscanf(text, PCI_NAME, &bus) != 1)
        return rt_set(cudaErrorInvalidDevice);
    *device = (int)bus;
    return check(*device);
}

/* -- peers: every device can reach every other's memory, once its context says so */

CUDART(cudaDeviceCanAccessPeer, int *can, int device, int peer)
{
    RT_ENTER();
    if (!can)
        return rt_set(cudaErrorInvalidValue);
    *can = device != peer;
    return check(device) == cudaSuccess ? check(peer) : cudaErrorInvalidDevice;
}

cudaError_t rt_reach(int peer, bool enable)
{
    CUcontext ctx = session_current();
    const unsigned bit = 1u << (peer & 31);
    if (!session_is_device(peer) || (enable && peer == ctx->device))
        return cudaErrorInvalidDevice;
    if (!!(ctx->peers & bit) == enable)
        return enable ? cudaErrorPeerAccessAlreadyEnabled : cudaErrorPeerAccessNotEnabled;
    ctx->peers ^= bit;
    context_see(ctx->context, ctx->peers);
    return cudaSuccess;
}

CUDART(cudaDeviceEnablePeerAccess, int peer, unsigned flags)
{
    RT_ENTER();
    return rt_set(flags ? cudaErrorInvalidValue : rt_reach(peer, true));
}

CUDART(cudaDeviceDisablePeerAccess, int peer)
{
    RT_ENTER();
    return rt_set(rt_reach(peer, false));
}

CUDART(cudaDeviceGetP2PAttribute, int *value, int attribute, int device, int peer)
{
    enum { PERFORMANCE_RANK = 1, ACCESS, ATOMICS, ARRAYS };
    RT_ENTER();
    if (!value || attribute < PERFORMANCE_RANK || attribute > ARRAYS)
        return rt_set(cudaErrorInvalidValue);
    if (check(device) != cudaSuccess || check(peer) != cudaSuccess || device == peer)
        return rt_set(cudaErrorInvalidDevice);
    *value = attribute != PERFORMANCE_RANK;
    return cudaSuccess;
}

/* -- attributes and versions */

CUDART(cudaDeviceGetAttribute, int *value, int attribute, int device)
{
    RT_ENTER();
    if (!value)
        return rt_set(cudaErrorInvalidValue);
    if (check(device) != cudaSuccess)
        return cudaErrorInvalidDevice;
    return props_attribute(attribute, value) ? cudaSuccess : rt_set(cudaErrorInvalidValue);
}

#define VERSION_OF(node, number)                                             \
    RT_EXPORT cudaError_t rt_version_##node(int *version);                   \
    RT_AT(rt_version_##node, cudaRuntimeGetVersion, RT_VERSION_NODE_##node); \
    cudaError_t rt_version_##node(int *version)                              \
    {                                                                        \
        if (!version)                                                        \
            return rt_set(cudaErrorInvalidValue);                            \
        *version = (number);                                                 \
        return cudaSuccess;                                                  \
    }
#define RT_VERSION_NODE_10 "@" RT_NODE_10
#define RT_VERSION_NODE_11 "@" RT_NODE_11
#define RT_VERSION_NODE_12 "@" RT_NODE_12
#define RT_VERSION_NODE_13 "@@" RT_NODE_13
VERSION_OF(10, 10020)
VERSION_OF(11, 11080)
VERSION_OF(12, 12080)
VERSION_OF(13, 13000)

CUDART(cudaDriverGetVersion, int *version)
{
    return rt_version_13(version);
}
