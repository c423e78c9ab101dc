/* The driver API from eight host threads at once: each has a stack of contexts of its own; those of
 * one context share its memory. Callbacks may wait for another thread that makes calls. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/cuda/ok.h"

typedef int CUresult;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
CUresult cuInit(unsigned);
CUresult cuCtxCreate_v2(CUcontext *, unsigned, int), cuCtxDestroy_v2(CUcontext);
CUresult cuCtxPushCurrent_v2(CUcontext), cuCtxPopCurrent_v2(CUcontext *);
CUresult cuCtxGetCurrent(CUcontext *), cuCtxSetCurrent(CUcontext);
CUresult cuModuleLoadData(CUmodule *, const void *);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, CUmodule, const char *);
CUresult cuMemAlloc_v2(CUdeviceptr *, size_t), cuMemFree_v2(CUdeviceptr);
CUresult cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t);
CUresult cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t);
CUresult cuStreamCreate(CUstream *, unsigned), cuStreamDestroy_v2(CUstream);
CUresult cuLaunchHostFunc(CUstream, void (*)(void *), void *);
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, CUstream, void **, void **);

enum { THREADS = 8, ROUNDS = 50, N = 96, INVALID_CONTEXT = 201 };
static char ptx[1 << 16];
static pthread_barrier_t all;
static CUcontext shared;
static CUfunction shared_scale;

static void *call_once(void *unused)
{
    CUdeviceptr d;
    (void)unused;
    OK(cuCtxSetCurrent(shared));
    OK(cuMemAlloc_v2(&d, 4));
    OK(cuMemFree_v2(d));
    return NULL;
}

static void wait_for_another(void *done)
{
    pthread_t other;
    OK(pthread_create(&other, NULL, call_once, NULL));
    OK(pthread_join(other, NULL));
    *(int *)done = 1;
}

static void scale(CUfunction f, int thread)
{
    float h[N], by = (float)(thread + 2);
    int n = N;
    CUdeviceptr d;
    CUstream stream;
    for (int i = 0; i < N; i++)
        h[i] = (float)i;
    OK(cuStreamCreate(&stream, 0));
    OK(cuMemAlloc_v2(&d, sizeof h));
    OK(cuMemcpyHtoD_v2(d, h, sizeof h));
    void *args[] = {&d, &by, &n};
    OK(cuLaunchKernel(f, N / 32, 1, 1, 32, 1, 1, 0, stream, args, NULL));
    OK(cuMemcpyDtoH_v2(h, d, sizeof h));
    for (int i = 0; i < N; i++)
        EXPECT(h[i] == by * (float)i);
    OK(cuMemFree_v2(d));
    OK(cuStreamDestroy_v2(stream));
}

static void *work(void *number)
{
    const int thread = *(int *)number;
    int done = 0;
    CUcontext own, now;
    CUmodule m;
    CUfunction f;
    OK(cuCtxGetCurrent(&now));
    EXPECT(now == NULL); /* what main made is current to main alone */
    CUdeviceptr d;
    EXPECT(cuMemAlloc_v2(&d, 4) == INVALID_CONTEXT);
    OK(cuCtxCreate_v2(&own, 0, 0));
    pthread_barrier_wait(&all);
    OK(cuModuleLoadData(&m, ptx));
    OK(cuModuleGetFunction(&f, m, "scale"));
    for (int i = 0; i < ROUNDS; i++) {
        OK(cuCtxGetCurrent(&now));
        EXPECT(now == own);
        scale(f, thread);
        OK(cuCtxPushCurrent_v2(shared));
        scale(shared_scale, thread);
        OK(cuCtxPopCurrent_v2(&now));
        EXPECT(now == shared);
    }
    OK(cuLaunchHostFunc(NULL, wait_for_another, &done));
    EXPECT(done);
    OK(cuCtxDestroy_v2(own));
    OK(cuCtxGetCurrent(&now));
    EXPECT(now == NULL);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    int number[THREADS], counter = 0;
    CUmodule m;
    CUdeviceptr at;
    FILE *f = fopen(argv[argc - 1], "r");
    EXPECT(f && fread(ptx, 1, sizeof ptx - 1, f) > 0);
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&shared, 0, 0));
    OK(cuModuleLoadData(&m, ptx));
    OK(cuModuleGetFunction(&shared_scale, m, "scale"));
    OK(cuModuleGetGlobal_v2(&at, NULL, m, "counter"));
    OK(cuMemcpyHtoD_v2(at, &counter, sizeof counter));
    OK(pthread_barrier_init(&all, NULL, THREADS));
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        OK(pthread_create(&thread[i], NULL, work, &number[i]));
    }
    for (int i = 0; i < THREADS; i++)
        OK(pthread_join(thread[i], NULL));
    OK(cuMemcpyDtoH_v2(&counter, at, sizeof counter));
    EXPECT(counter == THREADS * ROUNDS); /* each launch adds 1 */
    puts("passed");
    return 0;
}
