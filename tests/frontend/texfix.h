/* tests/frontend/texfix.h -- a session with a module, arrays with known contents, and one-CTA
 * launches, for the suites of arrays and textures. */
#ifndef MDP_TESTS_FRONTEND_TEXFIX_H
#define MDP_TESTS_FRONTEND_TEXFIX_H

#include "base/file.h"
#include "sim/frontend/session.h"
#include "tests/frontend/ptx.h"
#include "tests/suite.h"

#include <string.h>

#define OK(call)         CU_ASSERT_EQUAL_FATAL(call, CUDA_SUCCESS)
#define GIVES(call, res) CU_ASSERT_EQUAL(call, res)

struct texfix {
    struct session *s;
    CUmodule module;
    CUdeviceptr in, out; /* 4096 bytes each */
};

/* text: PTX; NULL: no module. */
static inline struct texfix texfix_open(const char *text)
{
    struct texfix f = {.s = session_begin(&functional, "test.ptx")};
    CUcontext ctx;
    OK(cuInit(0));
    OK(cuCtxCreate(&ctx, 0, 0));
    if (text)
        OK(cuModuleLoadData(&f.module, text));
    OK(cuMemAlloc(&f.in, 4096));
    OK(cuMemAlloc(&f.out, 4096));
    return f;
}

static inline struct texfix texfix_compiled(void)
{
    struct err e;
    size_t len;
    char *text = file_read("tests/data/ptx/textures_nvcc13_sm75.ptx", 1 << 20, &len, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    char *whole = xasprintf("%.*s", (int)len, text);
    struct texfix f = texfix_open(whole);
    free(whole);
    free(text);
    return f;
}

static inline void texfix_close(struct texfix *f)
{
    struct err e = {""};
    CU_ASSERT_TRUE(session_end(f->s, &e));
    if (e.msg[0])
        printf("%s\n", e.msg);
}

static inline CUresult texfix_launch(struct texfix *f, const char *kernel, const int shape[2],
                                     void **params)
{
    CUfunction k;
    OK(cuModuleGetFunction(&k, f->module, kernel));
    return cuLaunchKernel(k, (unsigned)shape[0], 1, 1, (unsigned)shape[1], 1, 1, 0, NULL, params,
                          NULL);
}

/* The kernel fails so, with a message that holds `text`; closes the session. */
static inline void texfix_fails(struct texfix *f, const char *kernel, void **params, CUresult want,
                                const char *text)
{
    struct err e = {""};
    CU_ASSERT_EQUAL(texfix_launch(f, kernel, (const int[]){1, 1}, params), want);
    CU_ASSERT_FALSE(session_end(f->s, &e));
    if (!strstr(e.msg, text))
        printf("\nexpected: %s\nfound:    %s\n", text, e.msg);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, text));
}

static inline void texfix_faults(struct texfix *f, const char *kernel, void **params,
                                 const char *text)
{
    texfix_fails(f, kernel, params, CUDA_ERROR_LAUNCH_FAILED, text);
}

static inline CUarray texfix_array(const CUDA_ARRAY3D_DESCRIPTOR *d, const void *rows)
{
    CUarray a;
    struct image im = {0};
    OK(cuArray3DCreate(&a, d));
    CU_ASSERT_TRUE(session_texel_format(d->Format, d->NumChannels, &im));
    const size_t bytes = d->Width << im.texel_log2, height = d->Height ? d->Height : 1;
    const CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                             .srcHost = rows,
                             .srcPitch = bytes,
                             .srcHeight = height,
                             .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                             .dstArray = a,
                             .WidthInBytes = bytes,
                             .Height = height,
                             .Depth = d->Depth ? d->Depth : 1};
    OK(cuMemcpy3D(&c));
    return a;
}

static inline CUtexObject texfix_object(CUarray a, const CUDA_TEXTURE_DESC *d)
{
    const CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
    CUtexObject t = 0;
    OK(cuTexObjectCreate(&t, &r, d, NULL));
    return t;
}

static inline CUsurfObject texfix_surface(CUarray a)
{
    const CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
    CUsurfObject s = 0;
    OK(cuSurfObjectCreate(&s, &r));
    return s;
}

#endif
