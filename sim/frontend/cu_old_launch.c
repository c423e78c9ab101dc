/* Driver API: launches as CUDA had them before 4.0. Block, shared memory and arguments are set at
 * the function, one by one, and stay for its next launches. */
#include "sim/frontend/session.h"

#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z);
CUresult cuFuncSetSharedSize(CUfunction f, unsigned bytes);
CUresult cuParamSetSize(CUfunction f, unsigned bytes);
CUresult cuParamSetv(CUfunction f, int offset, const void *value, unsigned bytes);
CUresult cuParamSeti(CUfunction f, int offset, unsigned value);
CUresult cuParamSetf(CUfunction f, int offset, float value);
CUresult cuLaunch(CUfunction f);
CUresult cuLaunchGrid(CUfunction f, int width, int height);
CUresult cuLaunchGridAsync(CUfunction f, int width, int height, CUstream stream);
#pragma GCC visibility pop

static CUresult check(CUfunction *f)
{
    CUcontext ctx;
    const CUresult r = session_context(&ctx);
    return r == CUDA_SUCCESS ? session_function(ctx, f) : r;
}

CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z)
{
    SESSION_CALL();
    const CUresult r = check(&f);
    if (r != CUDA_SUCCESS)
        return r;
    if (x < 1 || y < 1 || z < 1 || !launch_block_ok((unsigned)x, (unsigned)y, (unsigned)z))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(f->old.block, (unsigned[3]){(unsigned)x, (unsigned)y, (unsigned)z}, sizeof f->old.block);
    return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction f, unsigned bytes)
{
    SESSION_CALL();
    const CUresult r = check(&f);
    if (r == CUDA_SUCCESS)
        f->old.shared = bytes;
    return r;
}

CUresult cuParamSetSize(CUfunction f, unsigned bytes)
{
    SESSION_CALL();
    const CUresult r = check(&f);
    if (r == CUDA_SUCCESS)
        f->old.bytes = bytes;
    return r;
}

CUresult cuParamSetv(CUfunction f, int offset, const void *value, unsigned bytes)
{
    SESSION_CALL();
    const CUresult r = check(&f);
    if (r != CUDA_SUCCESS)
        return r;
    const uint64_t room = f->kernel->param_bytes;
    if (offset < 0 || (!value && bytes) || (uint64_t)offset > room ||
        bytes > room - (uint64_t)offset)
        return CUDA_ERROR_INVALID_VALUE;
    if (!f->old.params)
        f->old.params = xcalloc(1, room + 1);
    if (bytes)
        memcpy(f->old.params + offset, value, bytes);
    return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction f, int offset, unsigned value)
{
    return cuParamSetv(f, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction f, int offset, float value)
{
    return cuParamSetv(f, offset, &value, sizeof value);
}

static CUresult launch(CUfunction handle, const unsigned *grid, CUstream stream)
{
    CUfunction f = handle;
    const CUresult r = check(&f);
    if (r != CUDA_SUCCESS)
        return r;
    const struct old_launch *o = &f->old;
    const unsigned *b = o->block;
    static const uint8_t none[1];
    size_t bytes = o->bytes;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(o->params ? o->params : none),
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    if (!o->params && f->kernel->param_bytes > 0)
        return CUDA_ERROR_INVALID_VALUE;
    return session_launch(&(struct graph_launch){.f = f,
                                                 .grid = {grid[0], grid[1], 1},
                                                 .block = {b[0], b[1], b[2]},
                                                 .shared = o->shared,
                                                 .handle = handle,
                                                 .extra = extra},
                          stream);
}

CUresult cuLaunchGridAsync(CUfunction f, int width, int height, CUstream stream)
{
    SESSION_CALL();
    if (width < 1 || height < 1)
        return CUDA_ERROR_INVALID_VALUE;
    return launch(f, (unsigned[2]){(unsigned)width, (unsigned)height}, stream);
}

CUresult cuLaunchGrid(CUfunction f, int width, int height)
{
    return cuLaunchGridAsync(f, width, height, NULL);
}

CUresult cuLaunch(CUfunction f)
{
    return cuLaunchGridAsync(f, 1, 1, NULL);
}
