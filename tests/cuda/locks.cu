// Threads of one warp that wait for each other, as they may since Volta: locks taken by every thread,
// in functions too, a chain of flags; and warp-wide operations, which wait for all lanes that they
// name, wherever these are.
#include "check.cuh"

const int threads = 64, blocks = 2;
__device__ int lock, counter;

__global__ void spin(int *out)
{
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    int turn = counter++;
    __threadfence();
    atomicExch(&lock, 0);
    int t = threadIdx.x, i = blockIdx.x * threads + t;
    out[3 * i] = turn;
    out[3 * i + 1] = __shfl_xor_sync(~0u, i, 1);
    __syncwarp();
    out[3 * i + 2] = (int)__ballot_sync(~0u, t & 1);
    __syncthreads();
}

// The highest lane goes first.
__global__ void chain(volatile int *flag)
{
    int t = threadIdx.x;
    while (t < 31 && !flag[t + 1])
        ;
    flag[t] = t == 31 ? 1 : flag[t + 1] + 1;
}

// The lock is held in one branch, and waited for in the other.
__global__ void branches(int *out)
{
    int t = threadIdx.x;
    if (t % 2 == 0) {
        while (atomicAdd(&lock, 0) < 16)
            ;
        out[t] = 1;
    } else {
        atomicAdd(&lock, 1);
        out[t] = 2;
    }
}

__device__ __noinline__ void take()
{
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
}

// The loop that waits is in a function that is not inlined.
__global__ void in_function(volatile int *count)
{
    take();
    *count = *count + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

// Both sides of a branch exchange with each other: each instruction names all lanes.
__global__ void sides(int *out)
{
    int t = threadIdx.x, x = t + 100, v;
    unsigned odd, same;
    if (t < 16) {
        v = __shfl_sync(~0u, 2 * x, 20);
        odd = __ballot_sync(~0u, t & 1);
        same = __match_any_sync(~0u, t & 1);
    } else {
        v = __shfl_sync(~0u, 3 * x, 3);
        odd = __ballot_sync(~0u, t & 1);
        same = __match_any_sync(~0u, t & 1);
    }
    out[t] = odd == 0xaaaaaaaa && same == 0x55555555u << (t & 1) ? v : 0;
}

int main()
{
    int *out;
    const int all = threads * blocks;
    CHECK(cudaMallocManaged(&out, 3 * all * sizeof *out));
    spin<<<blocks, threads>>>(out);
    CHECK(cudaDeviceSynchronize());
    bool taken[all] = {};
    for (int i = 0; i < all; i++) {
        EXPECT(out[3 * i] >= 0 && out[3 * i] < all && !taken[out[3 * i]]);
        taken[out[3 * i]] = true;
        EXPECT(out[3 * i + 1] == (i ^ 1));
        EXPECT(out[3 * i + 2] == (int)0xaaaaaaaa);
    }
    CHECK(cudaMemset(out, 0, 32 * sizeof *out));
    chain<<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < 32; t++)
        EXPECT(out[t] == 32 - t);
    branches<<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < 32; t++)
        EXPECT(out[t] == 1 + t % 2);
    int zero = 0;
    CHECK(cudaMemcpyToSymbol(lock, &zero, sizeof zero));
    CHECK(cudaMemset(out, 0, 32 * sizeof *out));
    in_function<<<blocks, threads>>>(out);
    CHECK(cudaDeviceSynchronize());
    EXPECT(out[0] == blocks * threads);
    sides<<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < 32; t++)
        EXPECT(out[t] == (t < 16 ? 360 : 206));
    puts("passed");
}
