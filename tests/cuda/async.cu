// Barriers and pipelines of libcu++, which keep their state in shared memory: from compute_80 on they
// are mbarrier instructions.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

#include "check.cuh"

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
const int threads = 128, stages = 2, rounds = 6;

// Each warp hands its numbers to the next one; between arriving and waiting it does something else.
__global__ void ring(int *out)
{
    __shared__ barrier b;
    __shared__ int s[threads];
    int t = threadIdx.x, sum = 0, other = 0;
    if (t == 0)
        init(&b, threads);
    __syncthreads();
    for (int i = 0; i < rounds; i++) {
        s[t] = t * rounds + i;
        auto state = b.arrive();
        other += i;
        b.wait(std::move(state));
        sum += s[(t + 32) % threads];
        b.arrive_and_wait();
    }
    out[t] = sum + 1000000 * other;
}

// Half of the warps leave after one round.
__global__ void leave(int *out)
{
    __shared__ barrier b;
    __shared__ int last;
    if (threadIdx.x == 0)
        init(&b, threads);
    __syncthreads();
    if (threadIdx.x >= threads / 2) {
        b.arrive_and_drop();
        return;
    }
    b.arrive_and_wait();
    if (threadIdx.x == 32)
        last = 7;
    b.arrive_and_wait();
    out[threadIdx.x] = last;
}

__global__ void pipeline(int *out, const int *in)
{
    __shared__ int s[stages][threads];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    auto p = cuda::make_pipeline(block, &state);
    int t = threadIdx.x, sum = 0;
    for (int fetch = 0, i = 0; i < rounds; i++) {
        for (; fetch < rounds && fetch < i + stages; fetch++) {
            p.producer_acquire();
            cuda::memcpy_async(block, s[fetch % stages], in + fetch * threads, sizeof s[0], p);
            p.producer_commit();
        }
        p.consumer_wait();
        sum += s[i % stages][threads - 1 - t] << i;
        p.consumer_release();
    }
    out[t] = sum;
}

// One thread asks for everything: on compute_90 this is a bulk copy, which tells the barrier its bytes.
__global__ void whole(int *out, const int *in)
{
    __shared__ __align__(16) int s[threads];
    __shared__ barrier b;
    if (threadIdx.x == 0) {
        init(&b, threads);
        cuda::memcpy_async(s, in, cuda::aligned_size_t<16>(sizeof s), b);
    }
    __syncthreads();
    b.arrive_and_wait();
    out[threadIdx.x] = s[threads - 1 - threadIdx.x];
}

int main()
{
    int *out, *in;
    CHECK(cudaMallocManaged(&out, threads * sizeof *out));
    CHECK(cudaMallocManaged(&in, rounds * threads * sizeof *in));
    ring<<<2, threads>>>(out);
    CHECK(cudaDeviceSynchronize());
    const int series = rounds * (rounds - 1) / 2;
    for (int t = 0; t < threads; t++)
        EXPECT(out[t] == (t + 32) % threads * rounds * rounds + series + 1000000 * series);
    leave<<<1, threads>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < threads / 2; t++)
        EXPECT(out[t] == 7);
    for (int i = 0; i < rounds * threads; i++)
        in[i] = 3 * i;
    pipeline<<<2, threads>>>(out, in);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < threads; t++) {
        int want = 0;
        for (int i = 0; i < rounds; i++)
            want += 3 * (i * threads + threads - 1 - t) << i;
        EXPECT(out[t] == want);
    }
    whole<<<2, threads>>>(out, in);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < threads; t++)
        EXPECT(out[t] == 3 * (threads - 1 - t));
    puts("passed");
}
