/* What the runtime says of arguments that are not right: codes as CUDA's documentation has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cudart/types.h"
#include "tests/cuda/ok.h"

cudaError_t cudaMalloc(void **p, size_t bytes), cudaFree(void *p);
cudaError_t cudaMallocHost(void **p, size_t bytes), cudaFreeHost(void *p);
cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags);
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags), cudaHostUnregister(void *p);
cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
cudaError_t cudaMemset(void *p, int value, size_t bytes);
struct rows {
    void *p;
    size_t pitch, width, height;
};
struct box {
    size_t width, height, depth;
};
struct copy { /* CUDA_MEMCPY3D */
    size_t from_x, from_y, from_z, from_level;
    int from_type;
    const void *from_host;
    unsigned long long from;
    void *from_array, *from_ctx;
    size_t from_pitch, from_rows, to_x, to_y, to_z, to_level;
    int to_type;
    void *to_host;
    unsigned long long to;
    void *to_array, *to_ctx;
    size_t to_pitch, to_rows, width, height, depth;
};
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t pitch, size_t width,
                         size_t height, int kind);
cudaError_t cudaMemset3D(struct rows rows, int value, struct box box);
int cuMemcpy3D_v2(const struct copy *copy);
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaStreamCreate(cudaStream_t *s), cudaStreamDestroy(cudaStream_t s);
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s), cudaEventDestroy(cudaEvent_t e);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaSetDevice(int device), cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device);
cudaError_t cudaGetLastError(void), cudaPeekAtLastError(void);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *f,
                                                                   int threads, size_t shared,
                                                                   unsigned flags);
const char *cudaGetErrorName(cudaError_t e), *cudaGetErrorString(cudaError_t e);
int cuGetErrorString(int e, const char **text), cuGetErrorName(int e, const char **text);

/* Fails with that error, which is the thread's last one; then none is. */
#define GIVES(call, error)                                                         \
    do {                                                                           \
        EXPECT((call) == (error));                                                 \
        EXPECT(cudaPeekAtLastError() == (error) && cudaGetLastError() == (error)); \
        EXPECT(cudaGetLastError() == cudaSuccess);                                 \
    } while (0)

/* What no address can count; d and host have 64 bytes. */
static void sizes(char *d, const char *host)
{
    const size_t half = (size_t)1 << 63, most = (size_t)-1;
    struct copy c = {.from_type = 1, .from_host = host, .to_type = 2, .to = (size_t)d};
    OK(cudaMemcpy2D(d, 16, host, 16, 0, most, cudaMemcpyHostToDevice)); /* nothing, at once */
    OK(cudaMemset2D(d, 16, 0, 0, most));
    GIVES(cudaMemcpy2D(d, half, host, half, 16, 3, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemset2D(d, half, 0, 16, 3), cudaErrorInvalidValue);
    /* slices of 2^64 bytes would all be the first */
    GIVES(cudaMemset3D((struct rows){d, 16, 16, half / 8}, 0, (struct box){16, 1, 2}),
          cudaErrorInvalidValue);
    c.width = c.from_pitch = c.to_pitch = 16;
    c.from_rows = c.to_rows = half / 8;
    c.height = 1;
    c.depth = 2;
    EXPECT(cuMemcpy3D_v2(&c) == 1);
    c.depth = 1;
    OK(cuMemcpy3D_v2(&c));
    c.from_x = most - 7; /* 8 bytes before it */
    EXPECT(cuMemcpy3D_v2(&c) == 1);
    c.width = 0;
    c.height = most;
    OK(cuMemcpy3D_v2(&c));
}

static void memory(void)
{
    char *d, *pinned, *managed, host[64] = "";
    OK(cudaMalloc((void **)&d, 64));
    GIVES(cudaMalloc(NULL, 64), cudaErrorInvalidValue);
    GIVES(cudaMalloc((void **)&pinned, (size_t)1 << 50), cudaErrorMemoryAllocation);
    GIVES(cudaFree(d + 4), cudaErrorInvalidValue);
    GIVES(cudaFree(host), cudaErrorInvalidValue);
    GIVES(cudaMemcpy(d, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemcpy(d, host, 4, 5), cudaErrorInvalidMemcpyDirection);
    GIVES(cudaMemset(d, 0, 65), cudaErrorInvalidValue);
    GIVES(cudaMemset2D(d, 8, 0, 9, 2), cudaErrorInvalidValue);
    sizes(d, host);
    OK(cudaFree(d));
    GIVES(cudaFree(d), cudaErrorInvalidValue);
    GIVES(cudaMemcpy(d, host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    OK(cudaFree(NULL));
    /* Each kind of memory has its own way to be freed. */
    GIVES(cudaHostAlloc((void **)&pinned, 64, 8), cudaErrorInvalidValue);
    GIVES(cudaMallocManaged((void **)&managed, 64, 0), cudaErrorInvalidValue);
    OK(cudaHostAlloc((void **)&pinned, 64, 7));
    OK(cudaMallocManaged((void **)&managed, 64, 1));
    GIVES(cudaFree(pinned), cudaErrorInvalidValue);
    GIVES(cudaFreeHost(managed), cudaErrorInvalidValue);
    GIVES(cudaHostUnregister(pinned), cudaErrorHostMemoryNotRegistered);
    pinned[63] = managed[63] = 1;
    OK(cudaFreeHost(pinned));
    OK(cudaFree(managed));
    OK(cudaFreeHost(NULL));
}

static void registered(void)
{
    char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *d;
    OK(cudaHostRegister(p, 8192, 0));
    GIVES(cudaHostRegister(p, 8192, 0), cudaErrorHostMemoryAlreadyRegistered);
    GIVES(cudaFree(p), cudaErrorInvalidValue);
    OK(cudaHostUnregister(p));
    GIVES(cudaHostUnregister(p), cudaErrorHostMemoryNotRegistered);
    mprotect(p + 4096, 4096, PROT_READ);
    GIVES(cudaHostRegister(p, 8192, 0), cudaErrorInvalidValue);
    GIVES(cudaHostRegister(p, 4096, 16), cudaErrorInvalidValue);
    GIVES(cudaHostRegister(p, 4096, 8), cudaErrorNotSupported); /* read-only */
    munmap(p, 8192);
    GIVES(cudaHostRegister(p, 4096, 0), cudaErrorInvalidValue);
    OK(cudaMalloc((void **)&d, 4096));
    GIVES(cudaHostRegister(d, 4096, 0), cudaErrorInvalidValue);
}

static void streams(void)
{
    cudaStream_t s;
    cudaEvent_t e, untimed;
    float ms;
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreateWithFlags(&e, 0));
    OK(cudaEventCreateWithFlags(&untimed, 6));
    GIVES(cudaEventCreateWithFlags(&e, 4), cudaErrorInvalidValue);
    GIVES(cudaEventElapsedTime(&ms, e, e), cudaErrorInvalidResourceHandle);
    OK(cudaEventRecord(e, s));
    OK(cudaEventRecord(untimed, s));
    GIVES(cudaEventElapsedTime(&ms, e, untimed), cudaErrorInvalidResourceHandle);
    GIVES(cudaEventElapsedTime(NULL, e, e), cudaErrorInvalidValue);
    GIVES(cudaStreamWaitEvent(s, e, 2), cudaErrorInvalidValue);
    GIVES(cudaStreamWaitEvent(s, NULL, 0), cudaErrorInvalidResourceHandle);
    OK(cudaStreamWaitEvent(s, e, 0));
    OK(cudaEventDestroy(e));
    OK(cudaStreamDestroy(s));
    GIVES(cudaEventRecord(NULL, NULL), cudaErrorInvalidResourceHandle);
    GIVES(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
}

static void device(void)
{
    int n;
    GIVES(cudaSetDevice(1), cudaErrorInvalidDevice);
    GIVES(cudaDeviceGetAttribute(&n, 10, 1), cudaErrorInvalidDevice);
    GIVES(cudaDeviceGetAttribute(&n, 9999, 0), cudaErrorInvalidValue);
    GIVES(cudaDeviceDisablePeerAccess(1), cudaErrorInvalidDevice);
    GIVES(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
    GIVES(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, &n, 32, 0, 2),
          cudaErrorInvalidValue);
    GIVES(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, &n, 32, 0, 0),
          cudaErrorInvalidDeviceFunction);
}

/* Every error of CUDA 13 has its name and text, also those that nothing here returns. */
static void texts(void)
{
    const char *text;
    EXPECT(!strcmp(cudaGetErrorName((cudaError_t)908), "cudaErrorStreamCaptureWrongThread"));
    EXPECT(!strcmp(cudaGetErrorString((cudaError_t)46),
                   "CUDA-capable device(s) is/are busy or unavailable"));
    EXPECT(!strcmp(cudaGetErrorString((cudaError_t)77), "unrecognized error code"));
    OK(cuGetErrorName(719, &text));
    EXPECT(!strcmp(text, "CUDA_ERROR_LAUNCH_FAILED"));
    OK(cuGetErrorString(719, &text));
    EXPECT(!strcmp(text, "unspecified launch failure"));
    EXPECT(cuGetErrorName(98, &text) == 1 && !text); /* the runtime's alone */
}

int main(void)
{
    memory();
    registered();
    streams();
    device();
    texts();
    fputs("passed\n", stderr); /* nothing is launched: stdout stays empty */
    return 0;
}
