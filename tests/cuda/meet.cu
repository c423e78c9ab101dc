// CTAs that wait for each other: a barrier of the whole grid made of atomics, and a lock. They need
// as many CTAs at once as the GPU holds, executed and simulated alike.
#include "check.cuh"

__device__ unsigned arrived;
__device__ volatile unsigned go;
__device__ int held, entered;

__global__ void all_meet(int *sums, int rounds)
{
    for (int r = 0; r < rounds; r++) {
        if (threadIdx.x == 0)
            atomicAdd(&sums[r], blockIdx.x + 1);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            if (atomicAdd(&arrived, 1) == gridDim.x * (r + 1) - 1)
                go = r + 1;
            while (go < r + 1)
                ;
        }
        __syncthreads();
        if (threadIdx.x == 0 && r > 0) // what all added in the round before
            atomicMax(&sums[rounds + r], sums[r - 1]);
    }
}

__global__ void one_by_one()
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&held, 0, 1) != 0)
            ;
        entered = entered + 1;
        __threadfence();
        atomicExch(&held, 0);
    }
}

int main()
{
    const int rounds = 4, ctas = 60, sum = ctas * (ctas + 1) / 2;
    int *sums, times;
    CHECK(cudaMallocManaged(&sums, 2 * rounds * sizeof *sums));
    CHECK(cudaMemset(sums, 0, 2 * rounds * sizeof *sums));
    all_meet<<<ctas, 64>>>(sums, rounds);
    CHECK(cudaDeviceSynchronize());
    for (int r = 0; r < rounds; r++)
        EXPECT(sums[r] == sum && sums[rounds + r] == (r ? sum : 0));
    one_by_one<<<200, 64>>>();
    CHECK(cudaMemcpyFromSymbol(&times, entered, sizeof times));
    EXPECT(times == 200);
    puts("passed");
}
