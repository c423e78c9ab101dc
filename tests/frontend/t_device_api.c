/* What host code may ask the device, a function and an event, and what it may set. */
#include "sim/frontend/cuda_array.h"
#include "sim/frontend/session.h"
#include "tests/frontend/ptx.h"
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#define OK(call)         CU_ASSERT_EQUAL_FATAL(call, CUDA_SUCCESS)
#define GIVES(call, res) CU_ASSERT_EQUAL(call, res)

/* A device of the default parameters (1536 threads, 32768 registers, 49152 bytes, 8 CTAs a core),
 * on which every launch takes 1.5 ms. */
struct device {
    struct gpu_cfg cfg;
    struct executor x;
    int launches;
    uint64_t moved[3]; /* bytes, by enum copy_route */
    struct session *session;
};

static bool launch(void *self, struct launch *l, struct err *e)
{
    struct device *d = self;
    d->launches++;
    return run_functionally(NULL, l, e);
}

static void moved(void *self, uint64_t bytes, enum copy_route route)
{
    struct device *d = self;
    d->moved[route] += bytes;
}

static psec_t now(void *self)
{
    const struct device *d = self;
    return (psec_t)d->launches * 1500000000;
}

static CUfunction start(struct device *d, const char *ptx, const char *name)
{
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    memset(d, 0, sizeof *d);
    gpu_cfg_default(&d->cfg);
    d->x = (struct executor){
        .launch = launch, .self = d, .device = &d->cfg, .now = now, .copy = moved};
    d->session = session_begin(&d->x, "test.ptx");
    OK(cuInit(0));
    OK(cuCtxCreate(&ctx, 0, 0));
    OK(cuModuleLoadData(&m, ptx));
    OK(cuModuleGetFunction(&f, m, name));
    return f;
}

static void finish(struct device *d)
{
    CU_ASSERT_TRUE(session_end(d->session, NULL));
}

static int device_says(CUdevice_attribute a)
{
    int v = -1;
    OK(cuDeviceGetAttribute(&v, a, 0));
    return v;
}

static int function_says(CUfunction f, CUfunction_attribute a)
{
    int v = -1;
    OK(cuFuncGetAttribute(&v, a, f));
    return v;
}

static int fit(CUfunction f, int threads, size_t shared)
{
    int n = -1;
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, threads, shared));
    return n;
}

static void the_device_is_the_one_that_is_simulated(void)
{
    struct device d;
    char name[32];
    start(&d, test_ptx, "scale");
    d.cfg.top.cores = 7;
    d.cfg.sm.shared_bytes = 102400;
    d.cfg.clock.core = 575;
    OK(cuDeviceGetName(name, sizeof name, 0));
    CU_ASSERT_STRING_EQUAL(name, "mdpredict simulated GPU");
    CU_ASSERT_EQUAL(device_says(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), 7);
    CU_ASSERT_EQUAL(device_says(CU_DEVICE_ATTRIBUTE_CLOCK_RATE), 575000);
    d.cfg.clock.dram = 800;
    d.cfg.mem.dram.data_rate = 4; /* 3200 million transfers a second are 2 a clock of 1600 MHz */
    CU_ASSERT_EQUAL(device_says(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE), 1600000);
    CU_ASSERT_EQUAL(device_says(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK), 49152);
    CU_ASSERT_EQUAL(device_says(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), 102400);
    CU_ASSERT_EQUAL(device_says(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR), 102400);
    CU_ASSERT_EQUAL(device_says(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR), 1536);
    CU_ASSERT_EQUAL(device_says(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR), 32768);
    CU_ASSERT_EQUAL(device_says(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR), 8);
    CU_ASSERT_EQUAL(device_says(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE), 0); /* it is off */
    d.cfg.mem.l2.enabled = true;                                        /* 6 slices of 128 KB */
    CU_ASSERT_EQUAL(device_says(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE), 6 * 131072);
    int v;
    GIVES(cuDeviceGetAttribute(&v, (CUdevice_attribute)9999, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1), CUDA_ERROR_INVALID_DEVICE);
    finish(&d);
}

/* Threads: 1536 / 192 = 8, 1536 / 512 = 3. Shared memory: floor(49152 / bytes). Slots: 8. */
static void occupancy_is_that_of_the_core(void)
{
    struct device d;
    CUfunction f = start(&d, test_ptx, "scale");
    int n;
    CU_ASSERT_EQUAL(fit(f, 32, 0), 8);
    CU_ASSERT_EQUAL(fit(f, 192, 0), 8);
    CU_ASSERT_EQUAL(fit(f, 512, 0), 3);
    CU_ASSERT_EQUAL(fit(f, 192, 6144), 8);
    CU_ASSERT_EQUAL(fit(f, 192, 6145), 7);
    CU_ASSERT_EQUAL(fit(f, 192, 24577), 1);
    CU_ASSERT_EQUAL(fit(f, 192, 49153), 0);
    CU_ASSERT_EQUAL(fit(f, 1025, 0), 0);
    GIVES(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 0, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, f, 1, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, NULL, 1, 0), CUDA_ERROR_INVALID_HANDLE);
    finish(&d);
}

/* 4 KB of static shared memory; at most 192 threads; registers for 8 CTAs of those on a core. */
static const char bounded_ptx[] =
    ".version 3.2\n.target sm_20\n.address_size 64\n"
    ".visible .entry k()\n.maxntid 192, 1, 1\n.minnctapersm 8\n{\n"
    ".shared .align 4 .b8 tile[4096];\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
    "mov.u64 %rd1, tile;\nmov.u32 %r1, 1;\nst.shared.u32 [%rd1], %r1;\nret;\n}\n";

static void a_function_says_what_it_takes(void)
{
    struct device d;
    CUfunction f = start(&d, bounded_ptx, "k");
    CU_ASSERT_EQUAL(function_says(f, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 192);
    CU_ASSERT_EQUAL(function_says(f, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 4096);
    CU_ASSERT_EQUAL(function_says(f, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), 0);
    CU_ASSERT_EQUAL(function_says(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES),
                    49152 - 4096);
    CU_ASSERT_EQUAL(function_says(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT), -1);
    const int regs = function_says(f, CU_FUNC_ATTRIBUTE_NUM_REGS);
    CU_ASSERT_TRUE(regs > 0 && regs <= 20); /* 32768 / (8 * 192) = 21, by fours */
    CU_ASSERT_EQUAL(fit(f, 192, 0), 8);
    CU_ASSERT_EQUAL(fit(f, 193, 0), 0);
    CU_ASSERT_EQUAL(fit(f, 192, 4096 + 1), 5); /* 49152 / 8193 */
    int v;
    GIVES(cuFuncGetAttribute(&v, (CUfunction_attribute)99, f), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, f), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL), CUDA_ERROR_INVALID_HANDLE);
    finish(&d);
}

/* Forty values that live at once, with the directive or without. */
static void greedy(char *ptx, size_t room, const char *directive)
{
    size_t n = (size_t)snprintf(ptx, room,
                                ".version 3.2\n.target sm_20\n.address_size 64\n"
                                ".visible .entry k(.param .u64 p)\n%s{\n"
                                ".reg .b64 %%p;\n.reg .f32 %%f<40>;\nld.param.u64 %%p, [p];\n",
                                directive);
    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(ptx + n, room - n, "ld.global.f32 %%f%d, [%%p+%d];\n", i, 4 * i);
    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(ptx + n, room - n, "st.global.f32 [%%p+%d], %%f%d;\n", 4 * i, 39 - i);
    snprintf(ptx + n, room - n, "ret;\n}\n");
}

/* Of 32768 registers 1024 threads get 32 each. */
static void a_named_size_is_one_that_fits(void)
{
    struct device d;
    char ptx[8192];
    greedy(ptx, sizeof ptx, "");
    CUfunction f = start(&d, ptx, "k");
    CU_ASSERT_TRUE(function_says(f, CU_FUNC_ATTRIBUTE_NUM_REGS) >= 40);
    CU_ASSERT_EQUAL(fit(f, 1024, 0), 0);
    finish(&d);
    greedy(ptx, sizeof ptx, ".maxntid 1024, 1, 1\n");
    f = start(&d, ptx, "k");
    CU_ASSERT_EQUAL(function_says(f, CU_FUNC_ATTRIBUTE_NUM_REGS), 32);
    CU_ASSERT_EQUAL(function_says(f, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
    CU_ASSERT_EQUAL(fit(f, 1024, 0), 1);
    CU_ASSERT_EQUAL(fit(f, 512, 0), 2);
    finish(&d);
}

/* CUDA grants 48 KB, static and dynamic together; more must be asked for, up to what a core has. */
static void more_shared_memory_must_be_asked_for(void)
{
    const CUfunction_attribute most = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    struct device d;
    CUfunction f = start(&d, bounded_ptx, "k");
    d.cfg.sm.shared_bytes = 65536;
    OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 45056, NULL, NULL, NULL));
    GIVES(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 45057, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuFuncSetAttribute(f, most, 65536 - 4096 + 1), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuFuncSetAttribute(f, most, -1), CUDA_ERROR_INVALID_VALUE);
    OK(cuFuncSetAttribute(f, most, 65536 - 4096));
    OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 61440, NULL, NULL, NULL));
    GIVES(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 61441, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    CU_ASSERT_EQUAL(fit(f, 32, 61440), 1);
    OK(cuFuncSetAttribute(f, most, 1000)); /* a launch with more fails: none fits */
    CU_ASSERT_EQUAL(fit(f, 32, 1000), 8);
    CU_ASSERT_EQUAL(fit(f, 32, 1001), 0);
    d.cfg.sm.shared_reserved = 1024;
    GIVES(cuFuncSetAttribute(f, most, 65536 - 1024 - 4096 + 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuFuncSetAttribute(f, most, 65536 - 1024 - 4096));
    OK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100));
    CU_ASSERT_EQUAL(function_says(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT), 100);
    GIVES(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101),
          CUDA_ERROR_INVALID_VALUE);
    GIVES(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 1), CUDA_ERROR_INVALID_VALUE);
    finish(&d);
}

static void events_tell_what_launches_took(void)
{
    struct device d;
    CUfunction f = start(&d, bounded_ptx, "k");
    CUevent a, b, never;
    float ms = -1;
    OK(cuEventCreate(&a, 0));
    OK(cuEventCreate(&b, 0));
    OK(cuEventCreate(&never, 0));
    OK(cuEventRecord(a, NULL));
    OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    OK(cuEventRecord(b, NULL));
    OK(cuEventSynchronize(b));
    OK(cuEventElapsedTime(&ms, a, b));
    CU_ASSERT_EQUAL(ms, 3.0f);
    OK(cuEventElapsedTime(&ms, b, a));
    CU_ASSERT_EQUAL(ms, -3.0f);
    OK(cuEventRecord(a, NULL)); /* again: the later time counts */
    OK(cuEventElapsedTime(&ms, a, b));
    CU_ASSERT_EQUAL(ms, 0.0f);
    GIVES(cuEventElapsedTime(&ms, a, never), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuEventElapsedTime(NULL, a, b), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuEventElapsedTime(&ms, a, NULL), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuEventRecord(a, (CUstream)&ms), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuEventCreate(NULL, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuEventDestroy(a));
    GIVES(cuEventDestroy(a), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuEventSynchronize(a), CUDA_ERROR_INVALID_HANDLE);
    finish(&d); /* frees the other two */
}

/* Rows of 12 bytes, 5 of them, into an array and on; the failing calls move nothing. */
static void copies_and_fills_take_time(void)
{
    struct device d;
    start(&d, test_ptx, "scale");
    CUdeviceptr p;
    CUarray array;
    char host[100] = "";
    const CUDA_ARRAY_DESCRIPTOR desc = {3, 5, CU_AD_FORMAT_FLOAT, 1};
    OK(cuMemAlloc(&p, 100));
    OK(cuArrayCreate(&array, &desc));
    OK(cuMemcpyHtoD(p, host, 100));
    OK(cuMemcpyDtoH(host, p, 7));
    GIVES(cuMemcpyDtoH(host, p, 101), CUDA_ERROR_INVALID_VALUE);
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = host,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .dstArray = array,
                       .WidthInBytes = 12,
                       .Height = 5};
    OK(cuMemcpy2D(&c));
    CU_ASSERT_EQUAL(d.moved[COPY_OVER_LINK], 100 + 7 + 60);
    OK(cuMemcpyDtoD(p, p + 50, 50));
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = p;
    OK(cuMemcpy2D(&c));
    CU_ASSERT_EQUAL(d.moved[COPY_ON_DEVICE], 50 + 60);
    OK(cuMemsetD8(p, 1, 99));
    OK(cuMemsetD32(p, 1, 25));
    GIVES(cuMemsetD8(p, 1, 101), CUDA_ERROR_INVALID_VALUE);
    CU_ASSERT_EQUAL(d.moved[FILL_ON_DEVICE], 99 + 100);
    finish(&d);
}

SUITE("device API", T(the_device_is_the_one_that_is_simulated), T(occupancy_is_that_of_the_core),
      T(a_function_says_what_it_takes), T(a_named_size_is_one_that_fits),
      T(more_shared_memory_must_be_asked_for), T(events_tell_what_launches_took),
      T(copies_and_fills_take_time))
