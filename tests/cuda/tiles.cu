// Cooperative groups of several warps, which keep their state in shared memory that the toolkit
// reserves (compute_80 and later) or is given (before).
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.cuh"

namespace cg = cooperative_groups;
const int threads = 256;

__global__ void tiles(int *out, const int *in)
{
#if __CUDA_ARCH__ < 800
    __shared__ cg::block_tile_memory<threads> room;
    auto block = cg::this_thread_block(room);
#else
    auto block = cg::this_thread_block();
#endif
    extern __shared__ int own[]; // none of it is the toolkit's
    int t = threadIdx.x;
    own[t] = in[t];
    auto pair = cg::tiled_partition<64>(block);
    auto half = cg::tiled_partition<128>(block);
    out[t] = cg::reduce(pair, t, cg::plus<int>());
    out[threads + t] = cg::inclusive_scan(pair, 1);
    out[2 * threads + t] = cg::reduce(half, t, cg::greater<int>());
    out[3 * threads + t] = pair.shfl(t, 3) + (pair.any(t == 70) ? 1000 : 0);
    out[4 * threads + t] = own[t];
}

int main()
{
    int *out, *in;
    CHECK(cudaMallocManaged(&out, 5 * threads * sizeof *out));
    CHECK(cudaMallocManaged(&in, threads * sizeof *in));
    for (int t = 0; t < threads; t++)
        in[t] = 7 * t;
    tiles<<<2, threads, threads * sizeof *in>>>(out, in);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < threads; t++) {
        int first = t / 64 * 64;
        EXPECT(out[t] == 64 * first + 63 * 64 / 2);
        EXPECT(out[threads + t] == t % 64 + 1);
        EXPECT(out[2 * threads + t] == t / 128 * 128 + 127);
        EXPECT(out[3 * threads + t] == first + 3 + (first == 64 ? 1000 : 0));
        EXPECT(out[4 * threads + t] == 7 * t);
    }
    puts("passed");
}
