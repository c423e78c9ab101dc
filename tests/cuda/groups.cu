// Block-level cooperative groups, shuffles, votes; lanes that leave before a barrier; barriers in
// diverged code.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.cuh"
namespace cg = cooperative_groups;

__global__ void sum(const int *in, int *out)
{
    __shared__ int part[8];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int v = in[blockIdx.x * blockDim.x + block.thread_rank()];
    for (int i = tile.size() / 2; i > 0; i /= 2)
        v += tile.shfl_down(v, i);
    if (tile.thread_rank() == 0)
        part[tile.meta_group_rank()] = v;
    block.sync();
    cg::thread_block_tile<8> eight = cg::tiled_partition<8>(block);
    if (block.thread_rank() < 8) {
        int all = cg::reduce(eight, part[block.thread_rank()], cg::plus<int>());
        if (block.thread_rank() == 0)
            out[blockIdx.x] = all;
    }
}

__global__ void votes(unsigned *out)
{
    unsigned t = threadIdx.x;
    cg::coalesced_group active = cg::coalesced_threads();
    out[t] = __ballot_sync(0xffffffff, t % 3 == 0) + (__any_sync(0xffffffff, t == 31) ? 1 : 0) +
             active.size();
}

// Threads beyond n return before the barriers, in the middle of a warp.
__global__ void reverse(int *p, int n)
{
    __shared__ int s[256];
    int i = threadIdx.x;
    if (i >= n)
        return;
    s[i] = p[i];
    __syncthreads();
    p[i] = s[n - 1 - i];
    __syncthreads();
    s[i] = p[i] + 1;
    __syncthreads();
    p[i] = s[i];
}

// Each half of a warp waits at a barrier of its own.
__global__ void halves(int *p)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    if (i & 1) {
        s[i] = i;
        __syncthreads();
        p[i] = s[i ^ 1] + 1000;
    } else {
        s[i] = 2 * i;
        __syncthreads();
        p[i] = s[i ^ 1] + 2000;
    }
}

int main()
{
    int h[1024], o[4], *d, *e;
    long wanted[4] = {0};
    for (int i = 0; i < 1024; i++)
        wanted[i / 256] += h[i] = i * i % 1009;
    CHECK(cudaMalloc(&d, sizeof h));
    CHECK(cudaMalloc(&e, sizeof h));
    CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    sum<<<4, 256>>>(d, e);
    CHECK(cudaMemcpy(o, e, sizeof o, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++)
        EXPECT(o[i] == wanted[i]);
    votes<<<1, 32>>>((unsigned *)e);
    CHECK(cudaMemcpy(h, e, 128, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        EXPECT((unsigned)h[i] == 0x49249249u + 1 + 32);
    for (int n : {100, 1, 33, 256}) {
        for (int i = 0; i < 256; i++)
            h[i] = 3 * i;
        CHECK(cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice));
        reverse<<<1, 256>>>(d, n);
        CHECK(cudaMemcpy(h, d, 1024, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 256; i++)
            EXPECT(h[i] == (i < n ? 3 * (n - 1 - i) + 1 : 3 * i));
    }
    halves<<<1, 64>>>(d);
    CHECK(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(h[i] == (i & 1 ? 2 * (i ^ 1) + 1000 : (i ^ 1) + 2000));
    puts("passed");
}
