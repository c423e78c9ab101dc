/* register.c -- what a compiled program tells the runtime before main: its fat binaries, and which
 * of their kernels and variables stand behind which addresses of the host. */
#include <stdlib.h>
#include <string.h>

#include "cudart/rt.h"
#include "sim/frontend/fatbin.h"
#include "sim/ptx/link.h"

#define WRAPPER_MAGIC 0x466243B1

struct wrapper { /* version 1: one container; 2: `more` is a NULL-terminated array of them */
    int magic, version;
    const void *data;
    const void *more;
};

struct rt_module {
    const struct wrapper *wrapper; /* borrowed; NULL: unregistered, it may be gone */
    unsigned sm;                   /* what its kernels were compiled for; 0: not looked up yet */
    struct on_device {
        bool tried;
        cudaError_t error; /* of loading */
        CUmodule cu;
    } on[DEVMEM_DEVICES];
    struct rt_module *next;
};

enum { TABLE_FUNCTIONS, TABLE_VARS, TABLE_TEXTURES, TABLES };
static struct rt_module *modules;
static struct table {
    struct slot {
        const void *host;
        void *entry; /* struct rt_function or rt_var */
    } * slot;
    size_t n, cap; /* cap: a power of two */
} tables[TABLES];

static struct slot *slot_of(struct table *t, const void *host)
{
    size_t i = ((uintptr_t)host >> 3) * 0x9e3779b97f4a7c15ull >> 20 & (t->cap - 1);
    while (t->slot[i].host && t->slot[i].host != host)
        i = (i + 1) & (t->cap - 1);
    return &t->slot[i];
}

static void put(struct table *t, const void *host, void *entry)
{
    if (2 * (t->n + 1) > t->cap) {
        struct table old = *t;
        t->cap = old.cap ? 2 * old.cap : 64;
        t->slot = xcalloc(t->cap, sizeof *t->slot);
        for (size_t i = 0; i < old.cap; i++)
            if (old.slot[i].host)
                *slot_of(t, old.slot[i].host) = old.slot[i];
        free(old.slot);
    }
    struct slot *s = slot_of(t, host);
    t->n += !s->host;
    *s = (struct slot){host, entry};
}

static void *get(struct table *t, const void *host)
{
    return t->cap && host ? slot_of(t, host)->entry : NULL;
}

/* -- registration */

CUDART_AS(void **, __cudaRegisterFatBinary, const void *wrapper)
{
    SESSION_CALL();
    struct rt_module *m = xcalloc(1, sizeof *m), **at = &modules;
    m->wrapper = wrapper;
    while (*at)
        at = &(*at)->next;
    *at = m;
    return (void **)m;
}

CUDART_AS(void, __cudaRegisterFatBinaryEnd, void **handle)
{
    (void)handle;
}

CUDART_AS(void, __cudaUnregisterFatBinary, void **handle)
{
    SESSION_CALL();
    struct rt_module *m = modules;
    while (m && m != (struct rt_module *)handle)
        m = m->next;
    if (m) /* the process ends, or a library is closed; what was loaded stays, as its memory does */
        m->wrapper = NULL;
}

struct geometry; /* uint3, dim3: NULL in practice */

CUDART_AS(void, __cudaRegisterFunction, void **handle, const void *host, char *device,
          const char *name, int limit, struct geometry *tid, struct geometry *bid,
          struct geometry *bdim, struct geometry *gdim, int *wsize)
{
    (void)device, (void)limit, (void)tid, (void)bid, (void)bdim, (void)gdim, (void)wsize;
    SESSION_CALL();
    struct rt_function *f = xcalloc(1, sizeof *f);
    f->module = (struct rt_module *)handle;
    f->name = name;
    put(&tables[TABLE_FUNCTIONS], host, f);
    put(&tables[TABLE_FUNCTIONS], f, f); /* a cudaKernel_t is as good */
}

struct rt_function *rt_add_kernel(CUkernel kernel, const char *name)
{
    struct rt_function *f = get(&tables[TABLE_FUNCTIONS], kernel);
    if (f) /* a kernel of a library that is gone may have lain there */
        free((char *)(uintptr_t)f->name);
    else
        f = xcalloc(1, sizeof *f);
    *f = (struct rt_function){.kernel = kernel, .name = xstrdup(name)};
    put(&tables[TABLE_FUNCTIONS], kernel, f);
    put(&tables[TABLE_FUNCTIONS], f, f);
    return f;
}

static void add_var(void **handle, const void *host, const char *name, size_t bytes, void **managed)
{
    SESSION_CALL();
    struct rt_var *v = xcalloc(1, sizeof *v);
    *v = (struct rt_var){
        .module = (struct rt_module *)handle, .name = name, .bytes = bytes, .managed = managed};
    put(&tables[TABLE_VARS], host, v);
}

CUDART_AS(void, __cudaRegisterVar, void **handle, char *host, char *device, const char *name,
          int external, size_t bytes, int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    add_var(handle, host, name, bytes, NULL);
}

CUDART_AS(void, __cudaRegisterManagedVar, void **handle, void **host, char *device,
          const char *name, int external, size_t bytes, int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    add_var(handle, host, name, bytes, host);
}

struct rt_tex {
    struct rt_module *module;
    const char *name;
    int normalized_float;
};

void rt_add_texture(void **handle, const void *host, const char *name, int normalized_float)
{
    SESSION_CALL();
    struct rt_tex *t = xcalloc(1, sizeof *t);
    *t = (struct rt_tex){(struct rt_module *)handle, name, normalized_float};
    put(&tables[TABLE_TEXTURES], host, t);
}

/* -- loading */

static const void *const *containers(const struct wrapper *w, const void **one)
{
    if (w->version >= 2 && w->more)
        return w->more;
    one[0] = w->data;
    one[1] = NULL;
    return one;
}

static bool is_empty(const void *container)
{
    unsigned machine;
    return fatbin_best_sm(container, &machine) == 0 && machine == 0;
}

/* The module's PTX, linked when it is several. NULL and e: one has none. */
static char *module_text(const struct rt_module *m, struct err *e)
{
    const void *one[2];
    const void *const *c = containers(m->wrapper, one);
    char *text[1024], *all = NULL;
    int n = 0;
    bool ok = true;
    for (; ok && *c && n < 1024; c++) {
        struct fatbin_ptx ptx;
        if (is_empty(*c))
            continue;
        ok = fatbin_read(*c, &ptx, e);
        if (ok)
            text[n++] = ptx.text;
    }
    if (ok && n == 0)
        ok = err_set(e, "a module of the program holds no code");
    if (ok)
        all = n == 1 ? text[0] : ptx_link((const char *const *)text, n, e);
    for (int i = 0; i < n; i++)
        if (text[i] != all)
            free(text[i]);
    return all;
}

static void place_managed(const struct rt_module *m, CUmodule cu)
{
    struct table *t = &tables[TABLE_VARS];
    for (size_t i = 0; i < t->cap; i++) {
        struct rt_var *v = t->slot[i].entry;
        if (v && v->module == m && v->managed &&
            cuModuleGetGlobal(&v->at, NULL, cu, v->name) == CUDA_SUCCESS)
            *v->managed = (void *)(uintptr_t)(v->on[rt_device()] = v->at);
    }
}

static bool is_managed(const struct rt_module *m)
{
    const struct table *t = &tables[TABLE_VARS];
    for (size_t i = 0; i < t->cap; i++) {
        const struct rt_var *v = t->slot[i].entry;
        if (v && v->module == m && v->managed)
            return true;
    }
    return false;
}

#define SHARED_IN_VAIN "managed variables of a module that several devices use are not supported"
/* A managed variable is one for all devices; a module has its own. */
static bool is_shared_in_vain(const struct rt_module *m)
{
    for (int i = 0; i < DEVMEM_DEVICES; i++)
        if (m->on[i].tried && i != rt_device())
            return is_managed(m);
    return false;
}

/* On the present device. */
static cudaError_t load(struct rt_module *m)
{
    struct on_device *on = &m->on[rt_device()];
    if (on->tried)
        return on->error;
    if (!m->wrapper)
        return cudaErrorCudartUnloading;
    struct err e;
    const bool in_vain = is_shared_in_vain(m);
    char *text = in_vain ? NULL : module_text(m, &e);
    on->tried = true;
    if (!text) {
        rt_say("%s", in_vain ? SHARED_IN_VAIN : e.msg);
        return on->error = rt_refuse(cudaErrorNoKernelImageForDevice,
                                     in_vain ? SHARED_IN_VAIN : "a module without PTX");
    }
    on->error = (cudaError_t)session_load(&on->cu, text, false, &e);
    free(text);
    if (on->error == cudaSuccess)
        place_managed(m, on->cu);
    else if (on->error == cudaErrorInvalidPtx)
        rt_refuse(on->error, NULL);
    return on->error;
}

CUDART_AS(char, __cudaInitModule, void **handle)
{
    SESSION_CALL();
    return rt_ready() == cudaSuccess && load((struct rt_module *)handle) == cudaSuccess;
}

cudaError_t rt_function(const void *host, struct rt_function **out)
{
    struct rt_function *f = get(&tables[TABLE_FUNCTIONS], host);
    if (!f)
        return cudaErrorInvalidDeviceFunction;
    *out = f;
    if (f->kernel)
        return (cudaError_t)cuKernelGetFunction(&f->cu, f->kernel);
    const int device = rt_device();
    cudaError_t e = load(f->module);
    f->cu = f->on[device];
    if (e != cudaSuccess || f->cu)
        return e;
    e = (cudaError_t)cuModuleGetFunction(&f->cu, f->module->on[device].cu, f->name);
    f->on[device] = e == cudaSuccess ? f->cu : NULL;
    if (e == cudaErrorInvalidPtx)
        rt_refuse(e, NULL);
    return e == cudaErrorSymbolNotFound ? cudaErrorInvalidDeviceFunction : e;
}

cudaError_t rt_var(const void *host, struct rt_var **out)
{
    struct rt_var *v = get(&tables[TABLE_VARS], host);
    if (!v)
        return cudaErrorInvalidSymbol;
    *out = v;
    const int device = rt_device();
    cudaError_t e = load(v->module);
    v->at = v->on[device];
    if (e != cudaSuccess || v->at)
        return e;
    size_t bytes;
    CUresult r = cuModuleGetGlobal(&v->at, &bytes, v->module->on[device].cu, v->name);
    v->on[device] = r == CUDA_SUCCESS ? v->at : 0;
    return r == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : (cudaError_t)r;
}

cudaError_t rt_texture(const void *host, CUtexref *out, int *normalized_float)
{
    const struct rt_tex *t = get(&tables[TABLE_TEXTURES], host);
    if (!t)
        return cudaErrorInvalidTexture;
    *normalized_float = t->normalized_float;
    cudaError_t e = load(t->module);
    return e == cudaSuccess
               ? (cudaError_t)cuModuleGetTexRef(out, t->module->on[rt_device()].cu, t->name)
               : e;
}

void rt_forget_modules(int device)
{
    for (struct rt_module *m = modules; m; m = m->next)
        m->on[device] = (struct on_device){.tried = false};
    for (size_t i = 0; i < tables[TABLE_FUNCTIONS].cap; i++) {
        struct rt_function *f = tables[TABLE_FUNCTIONS].slot[i].entry;
        if (f)
            f->cu = f->on[device] = NULL;
    }
    for (size_t i = 0; i < tables[TABLE_VARS].cap; i++) {
        struct rt_var *v = tables[TABLE_VARS].slot[i].entry;
        if (v)
            v->at = v->on[device] = 0;
    }
}

/* NVIDIA's device runtime: a variable with its version is in it, and nowhere else. */
static bool is_device_runtime(const void *container)
{
    struct fatbin_ptx ptx;
    struct err e;
    bool found = false;
    if (fatbin_read(container, &ptx, &e)) {
        found = strstr(ptx.text, "__CNPRT_VERSION_NUMBER__") != NULL;
        free(ptx.text);
    }
    return found;
}

/* With -rdc=true the device runtime is among the containers; its PTX is for the newest GPUs,
 * whatever the program's is for. */
static unsigned module_sm(struct rt_module *m)
{
    if (m->sm || !m->wrapper)
        return m->sm;
    const void *one[2];
    const void *const *c = containers(m->wrapper, one);
    bool linked = c != one;
    for (; *c; c++) {
        unsigned sm = fatbin_best_sm(*c, NULL);
        if (sm > m->sm && !(linked && is_device_runtime(*c)))
            m->sm = sm;
    }
    return m->sm;
}

unsigned rt_function_sm(const struct rt_function *f)
{
    return f->module ? module_sm(f->module) : rt_compute_capability();
}

unsigned rt_compute_capability(void)
{
    unsigned best = 0;
    for (struct rt_module *m = modules; m; m = m->next) {
        unsigned sm = module_sm(m);
        best = sm > best ? sm : best;
    }
    return best ? best : 75;
}
