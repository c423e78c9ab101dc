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

static void errors_have_names_and_texts(void)
{
    const char *text;
    OK(cuGetErrorName(CUDA_ERROR_LAUNCH_FAILED, &text));
    CU_ASSERT_STRING_EQUAL(text, "CUDA_ERROR_LAUNCH_FAILED");
    OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    CU_ASSERT_STRING_EQUAL(text, "out of device memory");
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
    GIVES(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_LAUNCH_FAILED);
    GIVES(cuMemAlloc(&p, 4), CUDA_ERROR_LAUNCH_FAILED);
    GIVES(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
    OK(cuCtxCreate(&second, 0, 0));
    OK(cuMemAlloc(&p, 4));
    OK(cuCtxSetCurrent(first));
    GIVES(cuMemAlloc(&p, 4), CUDA_ERROR_LAUNCH_FAILED);
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
      T(a_fault_sticks_to_its_context_and_keeps_its_text), T(wrong_ptx_is_refused_with_its_line))
