/* Driver API: launches (contract: cuda.h). */
#include "sim/frontend/pending.h"
#include "sim/gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

/* The two ways to hand over arguments: a pointer to each, or all of them packed. */
CUresult session_pack(const struct kernel *k, void **params, void **extra, uint8_t *out)
{
    if (params) {
        for (int i = 0; i < k->nparam; i++) {
            if (!params[i])
                return CUDA_ERROR_INVALID_VALUE;
            memcpy(out + k->param[i].off, params[i], k->param[i].bytes);
        }
        return CUDA_SUCCESS;
    }
    const void *packed = NULL;
    size_t bytes = 0;
    for (int i = 0; extra && extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
        if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            packed = extra[i + 1];
        else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = *(const size_t *)extra[i + 1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (k->param_bytes > 0 && (!packed || bytes < k->param_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (k->param_bytes > 0)
        memcpy(out, packed, k->param_bytes);
    return CUDA_SUCCESS;
}

/* The error that hardware gives. A launch that was refused before it began counts as failed too,
 * and so does a trap: Hopper gives 719 for it (DeepEP's pull request 704 traced that down). */
static CUresult result_of(const struct fault *f)
{
    switch (f->kind) {
    case FAULT_OUT_OF_BOUNDS:
    case FAULT_READ_ONLY:
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    case FAULT_MISALIGNED:
        return CUDA_ERROR_MISALIGNED_ADDRESS;
    case FAULT_ASSERT:
        return CUDA_ERROR_ASSERT;
    case FAULT_RECURSION:
        return CUDA_ERROR_HARDWARE_STACK_ERROR;
    case FAULT_BAD_CALL:
        return CUDA_ERROR_INVALID_PC;
    case FAULT_BARRIER_DEADLOCK:
    case FAULT_LIMIT:
    case FAULT_NEVER_ENDS:
        return CUDA_ERROR_LAUNCH_TIMEOUT;
    case FAULT_UNSUPPORTED:
        return CUDA_ERROR_NOT_SUPPORTED;
    case FAULT_TOO_LARGE:
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    default:
        return CUDA_ERROR_LAUNCH_FAILED;
    }
}

static bool shape_ok(const struct CUfunc_st *f, const struct launch_request *r)
{
    const unsigned *g = r->grid, *b = r->block;
    const struct session *s = session_get();
    const bool ok = launch_grid_ok(g[0], g[1], g[2]) && launch_block_ok(b[0], b[1], b[2]) &&
                    r->shared <= (unsigned)f->max_dynamic;
    if (!ok && s->on_rejected)
        s->on_rejected(f->kernel, r, CUDA_ERROR_INVALID_VALUE);
    return ok;
}

static CUresult check_cluster(const struct CUfunc_st *f, const struct graph_launch *l,
                              struct launch_request *asked)
{
    int size[3];
    struct session *s = session_get();
    CUresult r = session_cluster((CUfunction)f, l, size);
    for (int i = 0; i < 3; i++)
        asked->cluster[i] = l->cluster[0] ? l->cluster[i] : (unsigned)f->kernel->cluster[i];
    if (r != CUDA_SUCCESS && s->on_rejected)
        s->on_rejected(f->kernel, asked, r);
    return r;
}

/* The launch is work of a capture. */
static bool captured(const struct graph_launch *l, CUstream stream, CUresult *r)
{
    struct graph_work w = {.type = GRAPH_KERNEL};
    struct graph_capturing c;
    if (graph_capturing(stream, &c) != CUDA_SUCCESS || c.status != CAPTURE_ACTIVE)
        return graph_capture(stream, &w, r); /* or refused because of one */
    *r = graph_kernel_work(l, &w);
    if (*r == CUDA_SUCCESS) {
        graph_capture(stream, &w, r);
        free((void *)(uintptr_t)w.data);
    }
    return true;
}

/* All its CTAs have to be on the cores at once. */
static CUresult check_cooperative(CUfunction f, const struct graph_launch *l)
{
    struct gpu_cfg cfg;
    int ctas = 0;
    session_device(&cfg);
    const unsigned *g = l->grid, *b = l->block;
    CUresult r =
        cuOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, f, (int)(b[0] * b[1] * b[2]), l->shared);
    const uint64_t all = (uint64_t)g[0] * g[1] * g[2];
    if (r == CUDA_SUCCESS && all > (uint64_t)ctas * (uint64_t)cfg.top.cores)
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return r;
}

/* It has failed. */
static CUresult failed(CUcontext ctx, const struct kernel *k, const struct err *why)
{
    struct session *s = session_get();
    const struct fault *fault = context_fault(ctx->context);
    if (s->on_failure)
        s->on_failure(why, fault, k);
    CUresult r = session_fail(s, result_of(fault), why);
    if (r != CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) /* the program may try a smaller one */
        ctx->sticky = r;
    if (s->host && r == ctx->sticky && r != CUDA_ERROR_NOT_SUPPORTED)
        r = CUDA_SUCCESS; /* as with hardware, the calls that follow tell programs */
    return r;
}

/* Of the GPU, which its CTAs take when as many are there as fit. */
static double share_of(CUfunction f, const struct graph_launch *l)
{
    struct gpu_cfg cfg;
    int ctas = 0;
    session_device(&cfg);
    const unsigned *g = l->grid, *b = l->block;
    cuOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, f, (int)(b[0] * b[1] * b[2]), l->shared);
    const double all = (double)g[0] * g[1] * g[2], most = (double)ctas * cfg.top.cores;
    return all < most ? all / most : 1;
}

static CUresult check(const struct graph_launch *l, CUcontext *ctx, CUfunction *f, CUstream stream)
{
    CUresult r = session_context(ctx);
    if (r == CUDA_SUCCESS)
        r = session_stream(*ctx, stream);
    *f = l->f;
    if (r == CUDA_SUCCESS)
        r = session_function(*ctx, f);
    if (r != CUDA_SUCCESS)
        return r;
    const unsigned *g = l->grid, *b = l->block;
    struct launch_request asked = {
        .grid = {g[0], g[1], g[2]}, .block = {b[0], b[1], b[2]}, .shared = l->shared};
    if ((l->params && l->extra) || !shape_ok(*f, &asked))
        return CUDA_ERROR_INVALID_VALUE;
    r = check_cluster(*f, l, &asked);
    if (r != CUDA_SUCCESS)
        return r;
    return l->cooperative ? check_cooperative(*f, l) : CUDA_SUCCESS;
}

CUresult session_launch(const struct graph_launch *l, CUstream stream)
{
    CUcontext ctx;
    CUfunction f;
    CUresult r = check(l, &ctx, &f, stream);
    if (r != CUDA_SUCCESS || captured(l, stream, &r))
        return r;
    struct launch_shape shape = {.dyn_shared = l->shared, .cooperative = l->cooperative};
    session_cluster(f, l, shape.cluster);
    for (int i = 0; i < 3; i++) {
        const int counts = f->kernel->blocks_are_clusters ? f->kernel->cluster[i] : 1;
        shape.grid[i] = (int)l->grid[i] * (counts ? counts : 1);
        shape.block[i] = (int)l->block[i];
    }
    struct pending_launch p = {
        .ctx = ctx, .stream = stream, .kernel = f->kernel, .shape = shape, .failed = failed};
    p.share = share_of(f, l);
    p.params = xcalloc(1, f->kernel->param_bytes + 1);
    r = session_pack(f->kernel, l->params, l->extra, p.params);
    if (r == CUDA_SUCCESS)
        return pending_launch(&p); /* which frees them */
    free(p.params);
    return r;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz,
                        unsigned int bx, unsigned int by, unsigned int bz,
                        unsigned int shared_bytes, CUstream stream, void **params, void **extra)
{
    SESSION_CALL();
    return session_launch(&(struct graph_launch){.f = f,
                                                 .grid = {gx, gy, gz},
                                                 .block = {bx, by, bz},
                                                 .shared = shared_bytes,
                                                 .handle = f,
                                                 .params = params,
                                                 .extra = extra},
                          stream);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz,
                                   unsigned int bx, unsigned int by, unsigned int bz,
                                   unsigned int shared_bytes, CUstream stream, void **params)
{
    SESSION_CALL();
    return session_launch(&(struct graph_launch){.f = f,
                                                 .grid = {gx, gy, gz},
                                                 .block = {bx, by, bz},
                                                 .shared = shared_bytes,
                                                 .cooperative = true,
                                                 .handle = f,
                                                 .params = params},
                          stream);
}
