/* Driver API: modules, functions, launches (contract: cuda.h). */
#include "sim/frontend/cuda_library.h"
#include "sim/frontend/pending.h"

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
    pending_settle_all();
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
