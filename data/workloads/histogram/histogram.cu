// histogram.cu -- histogram of bytes in 256 bins: each warp counts in a histogram of its own in
// shared memory, the CTA adds them up into a partial histogram, and a second kernel adds the
// partial histograms, one CTA a bin.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S histogram.cu -o histogram.ptx
#include "../simt.cuh"

#define BINS 256

extern __shared__ unsigned bins[]; // [warps][BINS], then the sums of merge's threads

// words: 4 bytes each. The grid strides over them.
extern "C" __global__ void histogram_count(unsigned *partial, const unsigned *data, int words)
{
    int warps = blockDim.x / 32;
    for (int i = threadIdx.x; i < warps * BINS; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    unsigned *own = bins + threadIdx.x / 32 * BINS;
    int stride = blockDim.x * gridDim.x;
    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < words; i += stride) {
        unsigned four = data[i];
        atomicAdd(&own[four & 255], 1u);
        atomicAdd(&own[four >> 8 & 255], 1u);
        atomicAdd(&own[four >> 16 & 255], 1u);
        atomicAdd(&own[four >> 24], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < warps; w++)
            sum += bins[w * BINS + bin];
        partial[blockIdx.x * BINS + bin] = sum;
    }
}

// blockDim.x: a power of two
extern "C" __global__ void histogram_merge(unsigned *total, const unsigned *partial, int partials)
{
    __shared__ unsigned sums[BINS];
    unsigned sum = 0;
    for (int p = threadIdx.x; p < partials; p += blockDim.x)
        sum += partial[p * BINS + blockIdx.x];
    sums[threadIdx.x] = sum;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        total[blockIdx.x] = sums[0];
}
