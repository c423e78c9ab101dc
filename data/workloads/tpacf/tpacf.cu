// tpacf.cu -- two-point angular correlation: how many pairs of points on a sphere lie how far
// apart. A CTA a histogram: of a set with itself, or of the observed points with a random set. Each
// thread keeps a point of the first set, the second passes through shared memory; each warp counts
// in bins of its own, which are added up at the end.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S tpacf.cu -o tpacf.ptx
#include "../simt.cuh"

#define BINS  20
#define CTA   256
#define WARPS (CTA / 32)

__constant__ float tpacf_edge[BINS + 1]; // cosines, falling: bin b is from edge[b + 1] to edge[b]

// The bin of a pair, by bisection; BINS: beyond the last. Pairs closer than edge 0 are in bin 0.
static __device__ inline int bin_of(float cosine)
{
    if (cosine <= tpacf_edge[BINS])
        return BINS;
    int low = 0, high = BINS; // edge[high] < cosine <= edge[low]
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (cosine > tpacf_edge[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

// CTAs 0 to sets - 1: each set with itself, every pair once. The others: set 0, which has been
// observed, with sets 1, 2, ... Points: [3][sets][n], the coordinates x, y, z.
extern "C" __global__ void tpacf_pairs(unsigned *histogram, const float *point, int n, int sets)
{
    __shared__ float other[3][CTA];
    __shared__ unsigned count[WARPS][BINS];
    int t = threadIdx.x, warp = t / 32, all = n * sets;
    bool itself = blockIdx.x < sets;
    const float *first = point + (itself ? blockIdx.x * n : 0);
    const float *second = itself ? first : point + (blockIdx.x - sets + 1) * n;
    for (int i = t; i < WARPS * BINS; i += CTA)
        count[i / BINS][i % BINS] = 0;
    for (int from = 0; from < n; from += CTA) {
        __syncthreads();
        if (from + t < n)
            for (int d = 0; d < 3; d++)
                other[d][t] = second[d * all + from + t];
        __syncthreads();
        for (int i = t; i < n; i += CTA) {
            float x = first[i], y = first[all + i], z = first[2 * all + i];
            int end = itself ? i - from : n - from;
#pragma unroll 1
            for (int j = 0; j < end && j < CTA; j++) {
                int bin = bin_of(x * other[0][j] + y * other[1][j] + z * other[2][j]);
                if (bin < BINS)
                    atomicAdd(&count[warp][bin], 1);
            }
        }
    }
    __syncthreads();
    if (t < BINS) {
        unsigned sum = 0;
#pragma unroll 1
        for (int w = 0; w < WARPS; w++)
            sum += count[w][t];
        histogram[blockIdx.x * BINS + t] = sum;
    }
}
