// Prefix sums in one pass: a CTA waits for what those before it have published (decoupled look-back,
// as CUB's scans do it). By the number of the CTA, and by a ticket that each draws when it begins.
#include "check.cuh"

#define TILE 128

struct tile {
    volatile unsigned state; // 0: nothing, 1: its own sum, 2: that of all up to it
    volatile int own, all;
};

__device__ unsigned next;

__device__ int before(struct tile *tiles, int t)
{
    int sum = 0;
    for (int i = t - 1; i >= 0; i--) {
        unsigned state;
        while ((state = tiles[i].state) == 0)
            ;
        __threadfence();
        if (state == 2)
            return sum + tiles[i].all;
        sum += tiles[i].own;
    }
    return sum;
}

__device__ void scan(const int *in, int *out, struct tile *tiles, int t)
{
    __shared__ int sum[TILE], first;
    const int i = threadIdx.x, at = t * TILE + i;
    sum[i] = in[at];
    __syncthreads();
    for (int d = 1; d < TILE; d *= 2) {
        const int left = i >= d ? sum[i - d] : 0;
        __syncthreads();
        sum[i] += left;
        __syncthreads();
    }
    if (i == TILE - 1) {
        tiles[t].own = sum[i];
        __threadfence();
        tiles[t].state = 1;
        first = before(tiles, t);
        tiles[t].all = first + sum[i];
        __threadfence();
        tiles[t].state = 2;
    }
    __syncthreads();
    out[at] = first + sum[i];
}

__global__ void by_number(const int *in, int *out, struct tile *tiles)
{
    scan(in, out, tiles, blockIdx.x);
}

__global__ void by_ticket(const int *in, int *out, struct tile *tiles)
{
    __shared__ int t;
    if (threadIdx.x == 0)
        t = atomicAdd(&next, 1);
    __syncthreads();
    scan(in, out, tiles, t);
}

int main()
{
    const int tiles = 150, n = tiles * TILE;
    int *in, *out;
    struct tile *state;
    CHECK(cudaMallocManaged(&in, n * sizeof *in));
    CHECK(cudaMallocManaged(&out, n * sizeof *out));
    CHECK(cudaMalloc(&state, tiles * sizeof *state));
    for (int i = 0; i < n; i++)
        in[i] = i * 7 % 13;
    for (int k = 0; k < 2; k++) {
        CHECK(cudaMemset(state, 0, tiles * sizeof *state));
        if (k == 0)
            by_number<<<tiles, TILE>>>(in, out, state);
        else
            by_ticket<<<tiles, TILE>>>(in, out, state);
        CHECK(cudaDeviceSynchronize());
        for (int i = 0, sum = 0; i < n; i++) {
            sum += in[i];
            EXPECT(out[i] == sum);
        }
    }
    puts("passed");
}
