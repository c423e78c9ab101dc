/* Driver API: modules, functions, launches (contract: cuda.h). */
#include "sim/frontend/cuda_library.h"
#include "sim/frontend/session.h"

#include <stdlib.h>
#include <string.h>

CUresult session_broken_ptx(const struct err *why)
{
    struct session *s = session_get();
    if (s->on_failure)
        s->on_failure(why, NULL, NULL);
    return session_fail(s, CUDA_ERROR_INVALID_PTX, why);
}

CUresult session_load(CUmodule *module, const char *text, bool check, struct err *why)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!module || !text)
        return CUDA_ERROR_INVALID_VALUE;
    struct session *s = session_get();
    struct module *loaded = context_load(ctx->context, s->module_name, text, strlen(text), why);
    if (loaded && check && !module_check(loaded, why)) {
        context_unload(ctx->context, loaded);
        loaded = NULL;
    }
    if (!loaded)
        return session_broken_ptx(why);
    CUmodule m = xcalloc(1, sizeof *m);
    m->module = loaded;
    m->next = ctx->modules;
    ctx->modules = *module = m;
    return CUDA_SUCCESS;
}

static CUmodule *find(CUcontext ctx, CUmodule module)
{
    CUmodule *at = &ctx->modules;
    while (*at && *at != module)
        at = &(*at)->next;
    return at;
}

CUresult cuModuleUnload(CUmodule module)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    CUmodule *at = find(ctx, module);
    if (!*at)
        return CUDA_ERROR_INVALID_HANDLE;
    *at = module->next;
    context_unload(ctx->context, module->module);
    session_module_free(module);
    return CUDA_SUCCESS;
}

static bool has_entry(const struct module *m, const char *name)
{
    for (int i = 0; i < module_nentries(m); i++)
        if (!strcmp(module_entry_name(m, i), name))
            return true;
    return false;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!function || !name)
        return CUDA_ERROR_INVALID_VALUE;
    if (!*find(ctx, module))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!has_entry(module->module, name))
        return CUDA_ERROR_NOT_FOUND;
    struct err why;
    struct kernel *k = kernel_get(module->module, name, &why);
    if (!k)
        return session_broken_ptx(&why);
    CUfunction f = xcalloc(1, sizeof *f);
    f->module = module;
    f->kernel = k;
    f->max_dynamic = k->shared_bytes < SHARED_UNASKED ? SHARED_UNASKED - (int)k->shared_bytes : 0;
    f->carveout = -1;
    f->next = module->functions;
    module->functions = *function = f;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!*find(ctx, module))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = (unsigned)module_nentries(module->module);
    return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned n, CUmodule module)
{
    SESSION_CALL();
    unsigned all;
    CUresult r = cuModuleGetFunctionCount(&all, module);
    if (r == CUDA_SUCCESS && !functions && n)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < all && i < n && r == CUDA_SUCCESS; i++)
        r = cuModuleGetFunction(&functions[i], module, module_entry_name(module->module, (int)i));
    return r;
}

CUresult cuModuleGetGlobal(CUdeviceptr *ptr, size_t *bytes, CUmodule module, const char *name)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    if (!*find(ctx, module))
        return CUDA_ERROR_INVALID_HANDLE;
    const struct module_var *v = module_var_find(module->module, name);
    if (!v)
        return CUDA_ERROR_NOT_FOUND;
    if (ptr)
        *ptr = v->addr;
    if (bytes)
        *bytes = v->bytes;
    return CUDA_SUCCESS;
}

/* The two ways to hand over arguments: a pointer to each, or all of them packed. */
static CUresult pack(const struct kernel *k, void **params, void **extra, uint8_t *out)
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

CUresult cuLaunchKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz,
                        unsigned int bx, unsigned int by, unsigned int bz,
                        unsigned int shared_bytes, CUstream stream, void **params, void **extra)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    r = session_stream(ctx, stream);
    if (r == CUDA_SUCCESS)
        r = session_function(ctx, &f);
    if (r != CUDA_SUCCESS)
        return r;
    if (params && extra)
        return CUDA_ERROR_INVALID_VALUE;
    const struct launch_request asked = {{gx, gy, gz}, {bx, by, bz}, shared_bytes};
    if (!shape_ok(f, &asked))
        return CUDA_ERROR_INVALID_VALUE;
    struct launch_shape shape = {.grid = {(int)gx, (int)gy, (int)gz},
                                 .block = {(int)bx, (int)by, (int)bz},
                                 .dyn_shared = shared_bytes};
    uint8_t *packed = xcalloc(1, f->kernel->param_bytes);
    r = pack(f->kernel, params, extra, packed);
    struct err why;
    if (r == CUDA_SUCCESS && !context_launch(ctx->context, f->kernel, &shape, packed, &why)) {
        struct session *s = session_get();
        const struct fault *fault = context_fault(ctx->context);
        if (s->on_failure)
            s->on_failure(&why, fault, f->kernel);
        r = session_fail(s, result_of(fault), &why);
        if (r != CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) /* the program may try a smaller one */
            ctx->sticky = r;
        if (s->host && r == ctx->sticky && r != CUDA_ERROR_NOT_SUPPORTED)
            r = CUDA_SUCCESS; /* as with hardware, the calls that follow tell programs */
    }
    free(packed);
    return r;
}
