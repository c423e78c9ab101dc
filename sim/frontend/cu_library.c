/* Driver API: libraries and their kernels (contract: cuda_library.h). */
#include "sim/frontend/cuda_library.h"
#include "sim/frontend/jit_log.h"
#include "sim/frontend/pending.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define MAX_IMAGE (1u << 30)

struct instance {     /* a library in a context */
    uint64_t context; /* its number: contexts that are gone are never found again */
    CUmodule module;
    struct instance *next;
};

struct CUkern_st {
    CUlibrary library; /* borrowed */
    char *name;        /* owned */
    CUkernel next;
};

struct CUlib_st {
    char *text;                /* owned: PTX */
    struct instance *instance; /* owned */
    CUkernel kernels;          /* owned */
    CUlibrary next;
};

static void library_free(CUlibrary l)
{
    for (CUkernel k = l->kernels; k; k = k->next)
        free(k->name);
    FREE_LIST(l->kernels);
    FREE_LIST(l->instance);
    free(l->text);
    free(l);
}

void session_libraries_free(struct session *s)
{
    for (CUlibrary l = s->libraries, next; l; l = next) {
        next = l->next;
        library_free(l);
    }
    s->libraries = NULL;
}

static CUlibrary *find(CUlibrary l)
{
    CUlibrary *at = &session_get()->libraries;
    while (*at && *at != l)
        at = &(*at)->next;
    return at;
}

/* A kernel of any library; NULL: the handle is none. */
static CUkernel kernel_of(const void *handle)
{
    const struct session *s = session_get();
    for (CUlibrary l = s ? s->libraries : NULL; l; l = l->next)
        for (CUkernel k = l->kernels; k; k = k->next)
            if (k == handle)
                return k;
    return NULL;
}

/* The library's module in the current context, loaded if need be. */
static CUresult module_of(CUlibrary l, CUmodule *module)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    for (const struct instance *i = l->instance; i; i = i->next)
        if (i->context == ctx->number) {
            *module = i->module;
            return CUDA_SUCCESS;
        }
    struct err why;
    r = session_load(module, l->text, false, &why); /* it was checked */
    if (r != CUDA_SUCCESS)
        return r;
    struct instance *made = xcalloc(1, sizeof *made);
    *made = (struct instance){ctx->number, *module, l->instance};
    l->instance = made;
    return CUDA_SUCCESS;
}

/* What every call with a library begins with. */
static CUresult check(CUlibrary l, bool asked_well)
{
    CUresult r = session_ready();
    if (r == CUDA_SUCCESS && !asked_well)
        r = CUDA_ERROR_INVALID_VALUE;
    return r == CUDA_SUCCESS && !*find(l) ? CUDA_ERROR_INVALID_HANDLE : r;
}

static CUresult check_kernel(CUkernel k, bool asked_well)
{
    CUresult r = session_ready();
    if (r == CUDA_SUCCESS && !asked_well)
        r = CUDA_ERROR_INVALID_VALUE;
    return r == CUDA_SUCCESS && !kernel_of(k) ? CUDA_ERROR_INVALID_HANDLE : r;
}

/* A kernel for each entry, in the order of the text. */
static void add_kernels(CUlibrary l, const struct module *m)
{
    CUkernel *end = &l->kernels;
    for (int i = 0; i < module_nentries(m); i++) {
        CUkernel k = *end = xcalloc(1, sizeof *k);
        k->library = l;
        k->name = xstrdup(module_entry_name(m, i));
        end = &k->next;
    }
}

/* The library of an image; NULL: *r says why not. */
static CUlibrary library_new(const void *code, CUresult *r, struct err *why)
{
    char *text;
    *r = session_image_text(code, &text, why);
    if (*r != CUDA_SUCCESS)
        return NULL;
    struct module *m = module_parse(session_get()->module_name, text, strlen(text), why);
    if (!m || !module_check(m, why)) {
        module_free(m);
        free(text);
        *r = session_broken_ptx(why);
        return NULL;
    }
    CUlibrary l = xcalloc(1, sizeof *l);
    l->text = text;
    add_kernels(l, m);
    module_free(m);
    return l;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, int *jit, void **jit_values,
                           unsigned njit, int *options, void **values, unsigned n)
{
    SESSION_CALL();
    (void)options, (void)values, (void)n;
    CUresult r = session_ready();
    if (r == CUDA_SUCCESS && (!library || !code))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS)
        return r;
    struct jit_log log;
    struct err why = {""};
    jit_log_init(&log, njit, jit, jit_values);
    CUlibrary l = library_new(code, &r, &why);
    jit_log_write(&log, l ? NULL : why.msg);
    if (!l)
        return r;
    l->next = session_get()->libraries;
    session_get()->libraries = *library = l;
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, int *jit, void **jit_values,
                               unsigned njit, int *options, void **values, unsigned n)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    char *image = library && path ? file_read(path, MAX_IMAGE, NULL, NULL) : NULL;
    if (!image)
        return library && path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
    r = cuLibraryLoadData(library, image, jit, jit_values, njit, options, values, n);
    free(image);
    return r;
}

/* Its modules go with it, in the contexts that there still are. */
static void unload_instances(CUlibrary l)
{
    for (const struct instance *i = l->instance; i; i = i->next)
        for (CUcontext c = session_get()->contexts; c; c = c->next)
            if (c->number == i->context && session_push_context(c)) {
                cuModuleUnload(i->module);
                session_pop_context();
            }
}

CUresult cuLibraryUnload(CUlibrary library)
{
    SESSION_CALL();
    pending_settle_all();
    CUresult r = check(library, true);
    if (r != CUDA_SUCCESS)
        return r;
    *find(library) = library->next;
    unload_instances(library);
    library_free(library);
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    SESSION_CALL();
    CUresult r = check(library, kernel && name);
    if (r != CUDA_SUCCESS)
        return r;
    for (CUkernel k = library->kernels; k; k = k->next)
        if (!strcmp(k->name, name)) {
            *kernel = k;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_NOT_FOUND;
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library)
{
    SESSION_CALL();
    CUresult r = check(library, count);
    if (r != CUDA_SUCCESS)
        return r;
    *count = 0;
    for (CUkernel k = library->kernels; k; k = k->next)
        ++*count;
    return CUDA_SUCCESS;
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned n, CUlibrary library)
{
    SESSION_CALL();
    CUresult r = check(library, kernels || !n);
    if (r != CUDA_SUCCESS)
        return r;
    unsigned i = 0;
    for (CUkernel k = library->kernels; k && i < n; k = k->next)
        kernels[i++] = k;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    SESSION_CALL();
    CUresult r = check(library, module);
    return r == CUDA_SUCCESS ? module_of(library, module) : r;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *ptr, size_t *bytes, CUlibrary library, const char *name)
{
    SESSION_CALL();
    CUmodule m;
    CUresult r = check(library, name && (ptr || bytes));
    if (r == CUDA_SUCCESS)
        r = module_of(library, &m);
    return r == CUDA_SUCCESS ? cuModuleGetGlobal(ptr, bytes, m, name) : r;
}

CUresult cuLibraryGetManaged(CUdeviceptr *ptr, size_t *bytes, CUlibrary library, const char *name)
{
    SESSION_CALL();
    CUmodule m;
    CUresult r = check(library, name && (ptr || bytes));
    if (r == CUDA_SUCCESS)
        r = module_of(library, &m);
    if (r != CUDA_SUCCESS)
        return r;
    const struct module_var *v = module_var_find(m->module, name);
    return v && v->is_managed ? cuModuleGetGlobal(ptr, bytes, m, name) : CUDA_ERROR_NOT_FOUND;
}

CUresult cuLibraryGetUnifiedFunction(void **at, CUlibrary library, const char *symbol)
{
    SESSION_CALL();
    CUresult r = check(library, at && symbol);
    return r == CUDA_SUCCESS ? CUDA_ERROR_NOT_FOUND : r; /* of devices that run host code */
}

/* -- kernels */

CUresult cuKernelGetFunction(CUfunction *f, CUkernel kernel)
{
    SESSION_CALL();
    CUmodule m;
    CUresult r = check_kernel(kernel, f);
    if (r == CUDA_SUCCESS)
        r = module_of(kernel->library, &m);
    if (r != CUDA_SUCCESS)
        return r;
    for (CUfunction at = m->functions; at; at = at->next)
        if (!strcmp(at->kernel->name, kernel->name)) {
            *f = at;
            return CUDA_SUCCESS;
        }
    return cuModuleGetFunction(f, m, kernel->name);
}

CUresult session_function(CUcontext ctx, CUfunction *f)
{
    if (session_has_function(ctx, *f))
        return CUDA_SUCCESS;
    const CUkernel k = kernel_of(*f);
    return k ? cuKernelGetFunction(f, k) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
    SESSION_CALL();
    CUresult r = check_kernel(kernel, library);
    if (r == CUDA_SUCCESS)
        *library = kernel->library;
    return r;
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
    SESSION_CALL();
    CUresult r = check_kernel(kernel, name);
    if (r == CUDA_SUCCESS)
        *name = kernel->name;
    return r;
}

static CUresult on_device(CUkernel kernel, CUdevice dev, CUfunction *f)
{
    CUresult r = check_kernel(kernel, true);
    if (r == CUDA_SUCCESS && !session_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    return r == CUDA_SUCCESS ? cuKernelGetFunction(f, kernel) : r;
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute a, CUkernel kernel, CUdevice dev)
{
    SESSION_CALL();
    CUfunction f;
    CUresult r = on_device(kernel, dev, &f);
    return r == CUDA_SUCCESS ? cuFuncGetAttribute(value, a, f) : r;
}

CUresult cuKernelSetAttribute(CUfunction_attribute a, int value, CUkernel kernel, CUdevice dev)
{
    SESSION_CALL();
    CUfunction f;
    CUresult r = on_device(kernel, dev, &f);
    return r == CUDA_SUCCESS ? cuFuncSetAttribute(f, a, value) : r;
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice dev)
{
    SESSION_CALL();
    CUfunction f;
    CUresult r = on_device(kernel, dev, &f);
    return r == CUDA_SUCCESS && (config < 0 || config > 3) ? CUDA_ERROR_INVALID_VALUE : r;
}

CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *bytes)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS)
        r = session_function(ctx, &f);
    if (r != CUDA_SUCCESS)
        return r;
    if (!offset || index >= (size_t)f->kernel->nparam)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = f->kernel->param[index].off;
    if (bytes)
        *bytes = f->kernel->param[index].bytes;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes)
{
    SESSION_CALL();
    CUfunction f;
    CUresult r = check_kernel(kernel, true);
    if (r == CUDA_SUCCESS)
        r = cuKernelGetFunction(&f, kernel);
    return r == CUDA_SUCCESS ? cuFuncGetParamInfo(f, index, offset, bytes) : r;
}
