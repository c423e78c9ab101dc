/* Driver API: start-up, device, error texts (contract: cuda.h). */
#include "sim/frontend/cuda.h"
#include "sim/frontend/session.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    CUresult value;
    const char *name, *text;
} results[] = {
#define BOTH(value, driver, runtime, text) {driver, #driver, text},
#define RUNTIME(value, runtime, text)
#include "sim/frontend/results.def"
#undef BOTH
#undef RUNTIME
};

CUresult cuGetErrorName(CUresult error, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = NULL;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (results[i].value == error)
            *text = results[i].name;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = NULL;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (results[i].value == error)
            *text = results[i].text;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuInit(unsigned int flags)
{
    SESSION_CALL();
    struct session *s = session_get();
    if (!s)
        return CUDA_ERROR_NO_DEVICE;
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    s->initialised = true;
    return CUDA_SUCCESS;
}

CUresult session_ready(void)
{
    const struct session *s = session_get();
    if (!s)
        return CUDA_ERROR_NO_DEVICE;
    return s->initialised ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

bool session_is_device(CUdevice device)
{
    return device >= 0 && device < session_get()->devices;
}

CUresult cuDeviceGetCount(int *count)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = session_get()->devices;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    if (!session_is_device(ordinal))
        return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!name || len <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!session_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    snprintf(name, (size_t)len, "mdpredict simulated GPU");
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice dev)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!session_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    struct gpu_cfg cfg;
    session_device(&cfg);
    const struct {
        CUdevice_attribute attribute;
        int value;
    } rows[] = {
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, LAUNCH_MAX_THREADS},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, LAUNCH_MAX_BLOCK_X},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, LAUNCH_MAX_BLOCK_Y},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, LAUNCH_MAX_BLOCK_Z},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, LAUNCH_MAX_GRID_X},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, LAUNCH_MAX_GRID_YZ},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, LAUNCH_MAX_GRID_YZ},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, SHARED_UNASKED},
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE, WARP_SIZE},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, cfg.sm.registers},
        {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, cfg.clock.core * 1000},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, cfg.top.cores},
        /* Two transfers a clock of this make the bandwidth, as NVIDIA's samples reckon it. */
        {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, cfg.clock.dram * 1000 / 2 * cfg.mem.dram.data_rate},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,
         cfg.mem.l2.enabled ? cfg.mem.l2.size * cfg.mem.partition.count : 0},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, cfg.sm.max_threads},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, cfg.sm.shared_bytes},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, cfg.sm.registers},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, session_shared_most()},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, cfg.sm.max_ctas},
    };
    for (size_t i = 0; value && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].attribute == attribute) {
            *value = rows[i].value;
            return CUDA_SUCCESS;
        }
    return value && session_attribute((int)attribute, value) ? CUDA_SUCCESS
                                                             : CUDA_ERROR_INVALID_VALUE;
}
