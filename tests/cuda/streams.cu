// Streams and events in order; pinned, managed and pool memory; host functions.
#include "check.cuh"

__global__ void add(int *p, int by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += by;
}
static int called;
static void CUDART_CB on_host(void *user)
{
    called += *(int *)user;
}
static void CUDART_CB on_stream(cudaStream_t, cudaError_t status, void *user)
{
    if (status == cudaSuccess)
        called += *(int *)user;
}

int main()
{
    const int n = 1 << 14;
    int *h, *d, *m, *a, *mapped, ten = 10;
    cudaStream_t s[3];
    cudaEvent_t start, middle, end, untimed;
    CHECK(cudaMallocHost(&h, n * sizeof *h));
    CHECK(cudaMalloc(&d, n * sizeof *d));
    CHECK(cudaStreamCreate(&s[0]));
    CHECK(cudaStreamCreateWithFlags(&s[1], cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithPriority(&s[2], cudaStreamDefault, 0));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&middle));
    CHECK(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
    CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    for (int i = 0; i < n; i++)
        h[i] = i;
    CHECK(cudaEventRecord(start));
    CHECK(cudaMemcpyAsync(d, h, n * sizeof *d, cudaMemcpyHostToDevice, s[0]));
    CHECK(cudaEventRecord(middle, s[0]));
    CHECK(cudaStreamWaitEvent(s[1], middle, 0));
    add<<<n / 256, 256, 0, s[1]>>>(d, 5, n);
    add<<<n / 256, 256, 0, s[1]>>>(d, 7, n);
    CHECK(cudaEventRecord(end, s[1]));
    CHECK(cudaEventRecord(untimed, s[1]));
    CHECK(cudaMemcpyAsync(h, d, n * sizeof *d, cudaMemcpyDeviceToHost, s[1]));
    CHECK(cudaLaunchHostFunc(s[1], on_host, &ten));
    CHECK(cudaStreamAddCallback(s[1], on_stream, &ten, 0));
    CHECK(cudaStreamSynchronize(s[1]));
    CHECK(cudaStreamQuery(s[0]));
    CHECK(cudaEventSynchronize(end));
    EXPECT(called == 20);
    for (int i = 0; i < n; i++)
        EXPECT(h[i] == i + 12);
    float copy, kernels;
    CHECK(cudaEventElapsedTime(&copy, start, middle));
    CHECK(cudaEventElapsedTime(&kernels, middle, end));
    EXPECT(copy > 0 && kernels > 0);
    GIVES(cudaEventElapsedTime(&copy, start, untimed), cudaErrorInvalidResourceHandle);
    // memory that host and device share
    CHECK(cudaMallocManaged(&m, n * sizeof *m));
    CHECK(cudaHostAlloc(&a, n * sizeof *a, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&mapped, a, 0));
    int *plain = (int *)aligned_alloc(4096, n * sizeof *plain);
    CHECK(cudaHostRegister(plain, n * sizeof *plain, cudaHostRegisterDefault));
    for (int i = 0; i < n; i++)
        m[i] = a[i] = plain[i] = -i;
    add<<<n / 256, 256>>>(m, 1, n);
    add<<<n / 256, 256>>>(mapped, 2, n);
    add<<<n / 256, 256>>>(plain, 3, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        EXPECT(m[i] == 1 - i && a[i] == 2 - i && plain[i] == 3 - i);
    cudaPointerAttributes what;
    CHECK(cudaPointerGetAttributes(&what, m));
    EXPECT(what.type == cudaMemoryTypeManaged);
    CHECK(cudaPointerGetAttributes(&what, a));
    EXPECT(what.type == cudaMemoryTypeHost && what.devicePointer == a);
    CHECK(cudaPointerGetAttributes(&what, d));
    EXPECT(what.type == cudaMemoryTypeDevice);
    CHECK(cudaPointerGetAttributes(&what, &n));
    EXPECT(what.type == cudaMemoryTypeUnregistered);
    CHECK(cudaHostUnregister(plain));
    // in stream order
    int *pool;
    CHECK(cudaMallocAsync(&pool, n * sizeof *pool, s[2]));
    CHECK(cudaMemsetAsync(pool, 1, n * sizeof *pool, s[2]));
    CHECK(cudaMemcpyAsync(h, pool, n * sizeof *pool, cudaMemcpyDefault, s[2]));
    CHECK(cudaFreeAsync(pool, s[2]));
    CHECK(cudaStreamSynchronize(s[2]));
    EXPECT(h[0] == 0x01010101 && h[n - 1] == 0x01010101);
    for (int i = 0; i < 3; i++)
        CHECK(cudaStreamDestroy(s[i]));
    GIVES(cudaStreamSynchronize(s[0]), cudaErrorInvalidResourceHandle);
    CHECK(cudaEventDestroy(start));
    CHECK(cudaFree(m));
    CHECK(cudaFreeHost(a));
    CHECK(cudaFreeHost(h));
    puts("passed");
}
