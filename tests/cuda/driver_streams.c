/* The driver API as code for per-thread default streams calls it: by its names for that, and by
 * cuGetProcAddress, which is asked for them. A thread's work waits for nothing but its own. */
#include <pthread.h>

#include "tests/cuda/driver_types.h"
#include "tests/cuda/ok.h"

CUresult cuGetProcAddress_v2(const char *, void **, int, unsigned long long, int *);
CUresult cuLaunchKernel_ptsz(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, CUstream, void **, void **);
CUresult cuStreamSynchronize_ptsz(CUstream), cuStreamQuery_ptsz(CUstream), cuStreamQuery(CUstream);
CUresult cuMemcpy_ptds(CUdeviceptr, CUdeviceptr, size_t);
CUresult cuMemcpyDtoH_v2_ptds(void *, CUdeviceptr, size_t);
CUresult cuMemsetD2D32_v2_ptds(CUdeviceptr, size_t, unsigned, size_t, size_t);
CUresult cuStreamGetFlags_ptsz(CUstream, unsigned *);
CUresult cuStreamGetId(CUstream, unsigned long long *),
    cuStreamGetId_ptsz(CUstream, unsigned long long *);
CUresult cuStreamBeginCapture_v2_ptsz(CUstream, int), cuStreamEndCapture_ptsz(CUstream, void **);
CUresult cuGraphInstantiateWithFlags(void **, void *, unsigned long long);
CUresult cuGraphLaunch_ptsz(void *, CUstream);
CUresult cuCtxSetCurrent(CUcontext), cuCtxGetDevice(CUdevice *);
CUresult cuStreamGetCaptureInfo_v2_ptsz(CUstream, int *, unsigned long long *, void **, void **,
                                        size_t *);

enum { NOT_READY = 600, LEGACY = 1, OWN = 2, CAPTURED = 901 };
#define PER_THREAD ((CUstream)2)

static CUcontext ctx;
static CUfunction await, put;
static CUdeviceptr d; /* [0] a flag, [1] what a kernel writes when it is set, [2] another's */
static unsigned long long first_id;

/* The prototype is that of the plain function. */
#define ADDRESS(name, flags) ((__typeof__(&(name)))address(#name, 13000, flags))
static void *address(const char *name, int version, unsigned long long flags)
{
    void *at = NULL;
    int status = -1;
    char plain[64];
    int n = 0;
    for (; name[n] && name[n] != '_'; n++) /* a name without its version is asked for */
        plain[n] = name[n];
    plain[n] = 0;
    OK(cuGetProcAddress_v2(plain, &at, version, flags, &status));
    EXPECT(at && status == 0);
    return at;
}

static void launch(CUfunction f, CUdeviceptr p, CUdeviceptr q, unsigned value)
{
    OK(cuLaunchKernel_ptsz(f, 1, 1, 1, 32, 1, 1, 0, NULL, (void *[]){&p, &q, &value}, NULL));
}

static void *second(void *unused)
{
    unsigned found = 0, flags = 9;
    unsigned long long id;
    OK(cuCtxSetCurrent(ctx));
    OK(cuStreamGetId_ptsz(NULL, &id));
    EXPECT(id != first_id);
    launch(put, d + 8, 0, 7);
    OK(ADDRESS(cuStreamSynchronize, OWN)(NULL));
    OK(cuStreamQuery_ptsz(PER_THREAD));
    OK(cuStreamGetFlags_ptsz(NULL, &flags));
    EXPECT(flags == 0);
    OK(ADDRESS(cuMemcpyDtoH_v2, OWN)(&found, d + 8, 4));
    EXPECT(found == 7);
    OK(cuMemcpy_ptds((CUdeviceptr)(size_t)&found, d + 4, 4));
    EXPECT(found == 0);
    OK(cuMemsetD2D32_v2_ptds(d, 4, 1, 1, 1)); /* the flag */
    return unused;
}

static void threads_do_not_wait_for_each_other(void)
{
    pthread_t t;
    unsigned found;
    OK(cuStreamGetId_ptsz(NULL, &first_id));
    launch(await, d, d + 4, 1);
    EXPECT(cuStreamQuery_ptsz(NULL) == NOT_READY);
    EXPECT(ADDRESS(cuStreamQuery, OWN)(NULL) == NOT_READY);
    EXPECT(ADDRESS(cuStreamQuery, LEGACY)(NULL) == NOT_READY); /* it waits for all */
    OK(pthread_create(&t, NULL, second, NULL));
    OK(pthread_join(t, NULL));
    OK(cuStreamSynchronize_ptsz(NULL));
    OK(cuMemcpyDtoH_v2_ptds(&found, d + 4, 4));
    EXPECT(found == 2);
}

static void a_thread_captures_its_stream(void)
{
    void *g, *e;
    unsigned found;
    int status;
    OK(cuMemsetD32_v2(d, 0, 4));
    OK(cuStreamBeginCapture_v2_ptsz(NULL, 0));
    launch(put, d, 0, 9);
    OK(cuStreamGetCaptureInfo_v2_ptsz(NULL, &status, NULL, NULL, NULL, NULL));
    EXPECT(status == 1);
    OK(cuStreamEndCapture_ptsz(NULL, &g));
    OK(cuMemcpyDtoH_v2_ptds(&found, d, 4));
    EXPECT(found == 0);
    OK(cuGraphInstantiateWithFlags(&e, g, 0));
    OK(cuGraphLaunch_ptsz(e, NULL));
    OK(cuMemcpyDtoH_v2_ptds(&found, d, 4));
    EXPECT(found == 9);
    OK(cuStreamBeginCapture_v2_ptsz(NULL, 0));
    EXPECT(cuMemcpyDtoH_v2_ptds(&found, d, 4)); /* waits for the stream that is captured */
    EXPECT(cuStreamEndCapture_ptsz(NULL, &g) == CAPTURED);
}

/* A name means what it meant to the headers of the version that asks. */
static void names_go_by_version(void)
{
    CUdevice device = -1;
    void *at[4];
    OK(((CUresult(*)(CUdevice *))address("cuCtxGetDevice", 12080, 0))(&device));
    EXPECT(device == 0);
    OK(((CUresult(*)(CUdevice *, CUcontext))address("cuCtxGetDevice", 13000, 0))(&device, ctx));
    EXPECT(device == 0);
    at[0] = address("cuMemPrefetchAsync", 12010, 0);
    at[1] = address("cuMemPrefetchAsync", 12020, 0);
    at[2] = address("cuMemPrefetchAsync", 12010, OWN);
    at[3] = address("cuMemPrefetchAsync", 12020, OWN);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            EXPECT(at[i] != at[k]);
    EXPECT(address("cuInit", 13000, OWN) == (void *)cuInit); /* has no stream */
}

int main(int argc, char **argv)
{
    CUmodule module;
    EXPECT(argc > 1);
    OK(cuInit(0) | cuCtxCreate_v2(&ctx, 0, 0) | cuModuleLoad(&module, argv[1]));
    OK(cuModuleGetFunction(&await, module, "await") | cuModuleGetFunction(&put, module, "put"));
    OK(cuMemAlloc_v2(&d, 64) | cuMemsetD32_v2(d, 0, 16));
    threads_do_not_wait_for_each_other();
    a_thread_captures_its_stream();
    names_go_by_version();
    puts("passed");
    return 0;
}
