/* The driver API means what NVIDIA's documentation says, as far as host code of workloads goes. */
#include "sim/frontend/cuda.h"
#include "sim/frontend/session.h"
#include "tests/frontend/ptx.h"
#include "tests/suite.h"

#include <string.h>

#define OK(call)         CU_ASSERT_EQUAL_FATAL(call, CUDA_SUCCESS)
#define GIVES(call, res) CU_ASSERT_EQUAL(call, res)

/* A session with a context and the test module. */
static struct session *start(CUmodule *module)
{
    struct session *s = session_begin(&functional, "test.ptx");
    CUcontext ctx;
    CUdevice dev;
    OK(cuInit(0));
    OK(cuDeviceGet(&dev, 0));
    OK(cuCtxCreate(&ctx, 0, dev));
    if (module)
        OK(cuModuleLoadData(module, test_ptx));
    return s;
}

static void finish(struct session *s)
{
    struct err e;
    CU_ASSERT_TRUE(session_end(s, &e));
}

static void calls_need_a_session_then_init_then_a_context(void)
{
    CUdeviceptr p;
    int n;
    GIVES(cuInit(0), CUDA_ERROR_NO_DEVICE);
    GIVES(cuMemAlloc(&p, 4), CUDA_ERROR_NO_DEVICE);
    struct session *s = session_begin(&functional, "test.ptx");
    GIVES(cuDeviceGetCount(&n), CUDA_ERROR_NOT_INITIALIZED);
    GIVES(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    OK(cuInit(0));
    OK(cuDeviceGetCount(&n));
    CU_ASSERT_EQUAL(n, 1);
    CUdevice dev;
    GIVES(cuDeviceGet(&dev, 1), CUDA_ERROR_INVALID_DEVICE);
    OK(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    CU_ASSERT_EQUAL(n, 32);
    GIVES(cuMemAlloc(&p, 4), CUDA_ERROR_INVALID_CONTEXT);
    finish(s);
}

/* Every call that works on a context, with arguments that are right otherwise. */
static void every_context_call_gives(CUresult want)
{
    CUdeviceptr p = 0x80000000;
    CUmodule m = NULL;
    CUfunction f = NULL;
    size_t n;
    int x = 0;
    GIVES(cuModuleLoadData(&m, test_ptx), want);
    GIVES(cuModuleUnload(m), want);
    GIVES(cuModuleGetFunction(&f, m, "scale"), want);
    GIVES(cuModuleGetGlobal(&p, &n, m, "calls"), want);
    GIVES(cuMemAlloc(&p, 4), want);
    GIVES(cuMemFree(p), want);
    GIVES(cuMemcpyHtoD(p, &x, 4), want);
    GIVES(cuMemcpyDtoH(&x, p, 4), want);
    GIVES(cuMemcpyDtoD(p, p, 4), want);
    GIVES(cuMemsetD8(p, 0, 4), want);
    GIVES(cuMemsetD16(p, 0, 2), want);
    GIVES(cuMemsetD32(p, 0, 1), want);
    GIVES(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), want);
    GIVES(cuCtxSynchronize(), want);
}

static void every_device_call_gives(CUresult want)
{
    CUcontext ctx;
    CUdevice dev;
    int n;
    char name[64];
    GIVES(cuDeviceGet(&dev, 0), want);
    GIVES(cuDeviceGetCount(&n), want);
    GIVES(cuDeviceGetName(name, sizeof name, 0), want);
    GIVES(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 0), want);
    GIVES(cuCtxGetCurrent(&ctx), want);
    GIVES(cuCtxSetCurrent(NULL), want);
    GIVES(cuCtxCreate(&ctx, 0, 0), want);
}

static void each_call_says_what_is_missing(void)
{
    every_device_call_gives(CUDA_ERROR_NO_DEVICE);
    every_context_call_gives(CUDA_ERROR_NO_DEVICE);
    GIVES(cuCtxDestroy(NULL), CUDA_ERROR_NO_DEVICE);
    struct session *s = session_begin(&functional, "test.ptx");
    every_device_call_gives(CUDA_ERROR_NOT_INITIALIZED);
    every_context_call_gives(CUDA_ERROR_NOT_INITIALIZED);
    OK(cuInit(0));
    every_context_call_gives(CUDA_ERROR_INVALID_CONTEXT);
    every_device_call_gives(CUDA_SUCCESS);
    finish(s);
}

static void null_and_unknown_handles_are_refused(void)
{
    CUmodule m;
    struct session *s = start(&m);
    CUfunction f;
    CUdeviceptr p;
    CUcontext ctx;
    int n;
    GIVES(cuGetErrorName(CUDA_SUCCESS, NULL), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuGetErrorString(CUDA_SUCCESS, NULL), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuDeviceGet(NULL, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuDeviceGetCount(NULL), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuDeviceGetName(NULL, 5, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuDeviceGetName((char *)&n, 4, 1), CUDA_ERROR_INVALID_DEVICE);
    GIVES(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1), CUDA_ERROR_INVALID_DEVICE);
    GIVES(cuDeviceGetAttribute(&n, (CUdevice_attribute)9999, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuCtxCreate(NULL, 0, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuCtxCreate(&ctx, 0, 1), CUDA_ERROR_INVALID_DEVICE);
    GIVES(cuCtxGetCurrent(NULL), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuCtxDestroy(NULL), CUDA_ERROR_INVALID_CONTEXT);
    GIVES(cuModuleLoadData(NULL, test_ptx), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuModuleLoadData(&m, NULL), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuModuleGetFunction(NULL, m, "scale"), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuModuleGetFunction(&f, NULL, "scale"), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuModuleGetGlobal(&p, NULL, m, NULL), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuModuleGetGlobal(&p, NULL, NULL, "calls"), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuMemAlloc(NULL, 4), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(0));
    OK(cuModuleGetFunction(&f, m, "scale"));
    void *params[4] = {NULL}, *extra[] = {(void *)m, NULL, CU_LAUNCH_PARAM_END};
    GIVES(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra), CUDA_ERROR_INVALID_VALUE);
    finish(s);
}

static void a_kernel_that_does_not_decode_is_refused_with_its_line(void)
{
    static const char ptx[] = ".version 3.2\n.target sm_20\n.address_size 64\n"
                              ".entry k()\n{\nadd.s32 %r1, %r2, %r3;\nret;\n}\n";
    struct session *s = start(NULL);
    CUmodule m;
    CUfunction f;
    struct err e = {""};
    CUresult r = cuModuleLoadData(&m, ptx);
    if (r == CUDA_SUCCESS)
        r = cuModuleGetFunction(&f, m, "k");
    CU_ASSERT_EQUAL(r, CUDA_ERROR_INVALID_PTX);
    CU_ASSERT_FALSE(session_end(s, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "test.ptx:6:"));
}

static void errors_have_names_and_texts(void)
{
    const char *text;
    OK(cuGetErrorName(CUDA_ERROR_LAUNCH_FAILED, &text));
    CU_ASSERT_STRING_EQUAL(text, "CUDA_ERROR_LAUNCH_FAILED");
    OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    CU_ASSERT_STRING_EQUAL(text, "out of memory");
    GIVES(cuGetErrorString((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
    CU_ASSERT_PTR_NULL(text);
}

static void memory_is_copied_filled_and_bounded(void)
{
    struct session *s = start(NULL);
    CUdeviceptr a, b;
    int x[4] = {1, 2, 3, 4}, y[4] = {0};
    OK(cuMemAlloc(&a, sizeof x));
    OK(cuMemAlloc(&b, sizeof x));
    CU_ASSERT_EQUAL(a, 0x80000000);
    CU_ASSERT_EQUAL(b, 0x80000100);
    OK(cuMemcpyHtoD(a, x, sizeof x));
    OK(cuMemcpyDtoD(b, a, sizeof x));
    OK(cuMemcpyDtoH(y, b, sizeof y));
    CU_ASSERT_TRUE(!memcmp(x, y, sizeof x));
    OK(cuMemsetD32(a + 4, 0x01020304, 2));
    OK(cuMemsetD8(a + 15, 0xff, 1));
    OK(cuMemsetD16(a, 0x55aa, 1));
    OK(cuMemcpyDtoH(y, a, sizeof y));
    CU_ASSERT_EQUAL(y[0], 0x55aa);
    CU_ASSERT_EQUAL(y[2], 0x01020304);
    CU_ASSERT_EQUAL((unsigned)y[3], 0xff000004);
    GIVES(cuMemcpyHtoD(a + 1, x, sizeof x), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemcpyDtoH(y, 64, 4), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemsetD32(a + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemsetD32(a, 0, 5), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemsetD32(a, 0, SIZE_MAX / 2), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemcpyDtoD(b, a, 17), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(a));
    GIVES(cuMemcpyDtoH(y, a, 4), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemFree(a), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAlloc(&a, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAlloc(&a, SIZE_MAX), CUDA_ERROR_OUT_OF_MEMORY);
    finish(s);
}

static void modules_give_functions_and_variables(void)
{
    CUmodule m;
    struct session *s = start(&m);
    CUfunction f;
    CUdeviceptr var;
    size_t bytes;
    unsigned value = 0, table[2];
    OK(cuModuleGetFunction(&f, m, "scale"));
    GIVES(cuModuleGetFunction(&f, m, "scales"), CUDA_ERROR_NOT_FOUND);
    OK(cuModuleGetGlobal(&var, &bytes, m, "calls"));
    CU_ASSERT_EQUAL(bytes, 4);
    OK(cuMemcpyDtoH(&value, var, 4));
    CU_ASSERT_EQUAL(value, 5);
    GIVES(cuMemFree(var), CUDA_ERROR_INVALID_VALUE);
    OK(cuModuleGetGlobal(&var, NULL, m, "table"));
    OK(cuMemcpyDtoH(table, var, 8));
    CU_ASSERT_EQUAL(table[1], 2);
    GIVES(cuModuleGetGlobal(&var, &bytes, m, "nothing"), CUDA_ERROR_NOT_FOUND);
    OK(cuModuleUnload(m));
    GIVES(cuMemcpyDtoH(&value, var, 4), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuModuleUnload(m), CUDA_ERROR_INVALID_HANDLE);
    finish(s);
}

/* scale(p, offset, gain, n) over 40 words that start as 0, 1, 2 ... */
static void check_scaled(CUdeviceptr p, CUmodule m, int offset, int gain)
{
    int y[40];
    unsigned calls = 0;
    CUdeviceptr var;
    OK(cuMemcpyDtoH(y, p, sizeof y));
    for (int i = 0; i < 40; i++)
        CU_ASSERT_EQUAL(y[i], (i + offset) * gain * 2);
    OK(cuModuleGetGlobal(&var, NULL, m, "calls"));
    OK(cuMemcpyDtoH(&calls, var, 4));
    CU_ASSERT_EQUAL(calls, 45);
}

static void arguments_come_one_by_one_or_packed(void)
{
    for (int packed = 0; packed < 2; packed++) {
        CUmodule m;
        struct session *s = start(&m);
        CUfunction f;
        struct {
            CUdeviceptr p;
            int offset, gain, n;
        } all = {0, 3, 5, 40};
        int x[40];
        for (int i = 0; i < 40; i++)
            x[i] = i;
        OK(cuModuleGetFunction(&f, m, "scale"));
        OK(cuMemAlloc(&all.p, sizeof x));
        OK(cuMemcpyHtoD(all.p, x, sizeof x));
        void *params[] = {&all.p, &all.offset, &all.gain, &all.n};
        size_t size = sizeof all;
        void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &all, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                         CU_LAUNCH_PARAM_END};
        OK(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, NULL, packed ? NULL : params,
                          packed ? extra : NULL));
        OK(cuCtxSynchronize());
        check_scaled(all.p, m, 3, 5);
        GIVES(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, params, extra),
              CUDA_ERROR_INVALID_VALUE);
        GIVES(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
        GIVES(cuLaunchKernel(f, 0, 1, 1, 32, 1, 1, 0, NULL, params, NULL),
              CUDA_ERROR_INVALID_VALUE);
        GIVES(cuLaunchKernel(f, 1, 1, 1, 1025, 1, 1, 0, NULL, params, NULL),
              CUDA_ERROR_INVALID_VALUE);
        GIVES(cuLaunchKernel((CUfunction)(void *)x, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL),
              CUDA_ERROR_INVALID_HANDLE);
        finish(s);
    }
}

static void a_fault_sticks_to_its_context_and_keeps_its_text(void)
{
    CUmodule m;
    struct session *s = start(&m);
    CUfunction f;
    CUdeviceptr p;
    CUcontext first, second;
    struct err e = {""};
    OK(cuModuleGetFunction(&f, m, "bad"));
    OK(cuCtxGetCurrent(&first));
    GIVES(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_ILLEGAL_ADDRESS);
    GIVES(cuMemAlloc(&p, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
    GIVES(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuCtxCreate(&second, 0, 0));
    OK(cuMemAlloc(&p, 4));
    OK(cuCtxSetCurrent(first));
    GIVES(cuMemAlloc(&p, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuCtxDestroy(first));
    GIVES(cuCtxSetCurrent(first), CUDA_ERROR_INVALID_CONTEXT);
    CU_ASSERT_FALSE(session_end(s, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "kernel bad, test.ptx:"));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "0x40"));
}

static void wrong_ptx_is_refused_with_its_line(void)
{
    struct session *s = start(NULL);
    CUmodule m;
    struct err e = {""};
    GIVES(cuModuleLoadData(&m, ".version 3.2\n.target sm_20\n.entry k( {\n"),
          CUDA_ERROR_INVALID_PTX);
    CU_ASSERT_FALSE(session_end(s, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "test.ptx:3:"));
}

SUITE("driver API", T(calls_need_a_session_then_init_then_a_context),
      T(errors_have_names_and_texts), T(memory_is_copied_filled_and_bounded),
      T(modules_give_functions_and_variables), T(arguments_come_one_by_one_or_packed),
      T(a_fault_sticks_to_its_context_and_keeps_its_text), T(wrong_ptx_is_refused_with_its_line),
      T(each_call_says_what_is_missing), T(null_and_unknown_handles_are_refused),
      T(a_kernel_that_does_not_decode_is_refused_with_its_line))
