/* Driver API: the ways to load a module, and the linker (contract: cuda.h, cuda_async.h). */
#include "sim/frontend/fatbin.h"
#include "sim/frontend/jit_log.h"
#include "sim/frontend/session.h"
#include "sim/ptx/link.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define MAX_IMAGE     (1u << 30)
#define WRAPPER_MAGIC 0x466243B1u
#define MAX_INPUTS    256

enum { INPUT_CUBIN, INPUT_PTX, INPUT_FATBINARY };

struct CUlinkState_st {
    char *text[MAX_INPUTS]; /* owned */
    int n;
    char *linked; /* owned; what cuLinkComplete gave out */
    struct jit_log log;
};

static CUresult fail(CUresult r, const struct err *why)
{
    struct session *s = session_get();
    if (s->on_failure)
        s->on_failure(why, NULL, NULL);
    return session_fail(s, r, why);
}

CUresult session_image_text(const void *image, char **text, struct err *e)
{
    struct fatbin_ptx ptx;
    uint32_t magic;
    memcpy(&magic, image, sizeof magic);
    if (magic == WRAPPER_MAGIC)
        memcpy(&image, (const char *)image + 8, sizeof image);
    if (fatbin_is(image)) {
        if (!fatbin_read(image, &ptx, e))
            return fail(CUDA_ERROR_NO_BINARY_FOR_GPU, e);
        *text = ptx.text;
        return CUDA_SUCCESS;
    }
    if (memcmp(image, "\177ELF", 4) == 0) {
        err_set(e, "a module is machine code (cubin); load PTX instead");
        return fail(CUDA_ERROR_NO_BINARY_FOR_GPU, e);
    }
    *text = xstrdup(image);
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, int *options,
                            void **values)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!module || !image)
        return CUDA_ERROR_INVALID_VALUE;
    struct jit_log log;
    struct err why = {""};
    char *text = NULL;
    jit_log_init(&log, n, options, values);
    r = session_image_text(image, &text, &why);
    if (r == CUDA_SUCCESS)
        r = session_load(module, text, true, &why);
    jit_log_write(&log, r == CUDA_SUCCESS ? NULL : why.msg);
    free(text);
    return r;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    SESSION_CALL();
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    SESSION_CALL();
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    struct err e;
    char *image = module && path ? file_read(path, MAX_IMAGE, NULL, &e) : NULL;
    if (!image)
        return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
    r = cuModuleLoadDataEx(module, image, 0, NULL, NULL);
    free(image);
    return r;
}

/* -- the linker: what it makes is PTX again */

CUresult cuLinkCreate(unsigned n, int *options, void **values, CUlinkState *state)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!state)
        return CUDA_ERROR_INVALID_VALUE;
    *state = xcalloc(1, sizeof **state);
    jit_log_init(&(*state)->log, n, options, values);
    jit_log_write(&(*state)->log, NULL);
    return CUDA_SUCCESS;
}

/* An input is compiled by itself; what it does not define, others may. */
static CUresult check_text(const char *text, struct err *why)
{
    struct module *m = module_parse(session_get()->module_name, text, strlen(text), why);
    const bool ok = m && module_check(m, why);
    module_free(m);
    return ok ? CUDA_SUCCESS : fail(CUDA_ERROR_INVALID_PTX, why);
}

CUresult cuLinkAddData(CUlinkState state, int type, void *data, size_t bytes, const char *name,
                       unsigned n, int *options, void **values)
{
    SESSION_CALL();
    (void)bytes, (void)name;
    if (!state || !data || state->n == MAX_INPUTS)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != INPUT_PTX && type != INPUT_FATBINARY)
        return CUDA_ERROR_NOT_SUPPORTED;
    struct jit_log own;
    struct err why = {""};
    char **text = &state->text[state->n];
    jit_log_init(&own, n, options, values);
    CUresult r = session_image_text(data, text, &why);
    if (r == CUDA_SUCCESS && (r = check_text(*text, &why)) != CUDA_SUCCESS)
        free(*text);
    state->n += r == CUDA_SUCCESS;
    jit_log_write(&own, r == CUDA_SUCCESS ? NULL : why.msg);
    if (r != CUDA_SUCCESS)
        jit_log_write(&state->log, why.msg);
    return r;
}

CUresult cuLinkAddFile(CUlinkState state, int type, const char *path, unsigned n, int *options,
                       void **values)
{
    SESSION_CALL();
    char *data = path ? file_read(path, MAX_IMAGE, NULL, NULL) : NULL;
    if (!data)
        return CUDA_ERROR_FILE_NOT_FOUND;
    CUresult r = cuLinkAddData(state, type, data, 0, path, n, options, values);
    free(data);
    return r;
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
    SESSION_CALL();
    struct err e;
    if (!state || !image || state->n == 0)
        return CUDA_ERROR_INVALID_VALUE;
    free(state->linked);
    state->linked = ptx_link((const char *const *)state->text, state->n, &e);
    if (!state->linked) {
        jit_log_write(&state->log, e.msg);
        return fail(CUDA_ERROR_INVALID_PTX, &e);
    }
    *image = state->linked;
    if (bytes)
        *bytes = strlen(state->linked) + 1;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    SESSION_CALL();
    if (!state)
        return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < state->n; i++)
        free(state->text[i]);
    free(state->linked);
    free(state);
    return CUDA_SUCCESS;
}
