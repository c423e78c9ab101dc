// Built with --default-stream per-thread: a kernel in one thread's default stream waits for a flag
// that a kernel of another thread's sets; by <<<>>>, by the driver's names, and by its addresses.
#include <cuda.h>

#include <thread>

#include "check.cuh"

__device__ unsigned flag[4], seen[4];

__global__ void await(int i)
{
    while (*(volatile unsigned *)&flag[i] == 0)
        ;
    seen[i] = flag[i] + 1;
}

__global__ void put(int i, unsigned value)
{
    flag[i] = value;
}

static void by_launch(void)
{
    await<<<1, 1>>>(0);
    EXPECT(cudaStreamQuery(0) == cudaErrorNotReady);
    std::thread([] {
        put<<<1, 1>>>(0, 6);
        CHECK(cudaStreamSynchronize(0)); // not for the other thread's
        unsigned f;
        CHECK(cudaMemcpyFromSymbol(&f, flag, sizeof f));
        EXPECT(f == 6);
    }).join();
    CHECK(cudaStreamSynchronize(0));
    unsigned s;
    CHECK(cudaMemcpyFromSymbol(&s, seen, sizeof s));
    EXPECT(s == 7);
}

// The driver's: cuda.h gives the names those of per-thread streams.
static void by_driver(void)
{
    void *address, *synchronize = nullptr, *legacy = nullptr;
    CUdeviceptr d;
    CHECK(cudaGetSymbolAddress(&address, flag));
    d = (CUdeviceptr)address;
    await<<<1, 1>>>(1);
    std::thread([d] {
        CHECK(cudaFree(0));
        EXPECT(cuMemsetD32(d + 4, 3, 1) == CUDA_SUCCESS);
    }).join();
    EXPECT(cuStreamSynchronize(0) == CUDA_SUCCESS);
    unsigned s[2];
    CHECK(cudaMemcpyFromSymbol(s, seen, sizeof s));
    EXPECT(s[1] == 4);
    CUdriverProcAddressQueryResult how;
    EXPECT(cuGetProcAddress("cuStreamSynchronize", &synchronize, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &how) == CUDA_SUCCESS);
    EXPECT(synchronize == (void *)cuStreamSynchronize && how == CU_GET_PROC_ADDRESS_SUCCESS);
    EXPECT(cuGetProcAddress("cuStreamSynchronize", &legacy, 12000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &how) == CUDA_SUCCESS);
    EXPECT(legacy && legacy != synchronize);
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 13000
    CHECK(cudaGetDriverEntryPointByVersion("cuStreamSynchronize", &entry, 12000, cudaEnableDefault, &found));
#else
    CHECK(cudaGetDriverEntryPoint("cuStreamSynchronize", &entry, cudaEnableDefault, &found));
#endif
    EXPECT(entry == synchronize);
}

int main()
{
    by_launch();
    by_driver();
    puts("passed");
    return 0;
}
