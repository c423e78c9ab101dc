// pff.cu -- particle filter that tracks a disk through a video (Goodrum and others, 2010), float:
// each particle guesses the disk's centre. A frame: particles move at random, and weigh what they
// see (likelihood); the weights' sum (sum); weights over it, and their running sums (normalise);
// particles are drawn anew by these (find).
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S pff.cu -o pff.ptx
#include "../simt.cuh"

#define CTA_MAX 1024
#define GROUND  100
#define OBJECT  228
#define SCALE   400.0f

static __device__ inline int global_id()
{
    return blockDim.x * blockIdx.x + threadIdx.x;
}

static __device__ inline int clamp(int x, int hi)
{
    return x < 0 ? 0 : x > hi ? hi : x;
}

// A linear congruential generator (Numerical Recipes); 0 < u <= 1.
static __device__ inline float uniform(unsigned &seed)
{
    seed = seed * 1664525u + 1013904223u;
    return ((seed >> 8) + 1) * 0x1p-24f;
}

// Box and Muller
static __device__ inline float normal(unsigned &seed)
{
    float u = uniform(seed), v = uniform(seed);
    return sqrtf(-2.0f * __logf(u)) * __cosf(6.2831853f * v);
}

// at: for each particle a row of `points` places in the frame. partial[CTA]: the sum of its weights.
extern "C" __global__ void pff_likelihood(float *x, float *y, const float *drawn_x,
                                          const float *drawn_y, unsigned *seeds, float *weight,
                                          float *partial, int *at, const unsigned char *frame,
                                          const int *disk, int points, int width, int height,
                                          int particles)
{
    __shared__ float sums[CTA_MAX];
    int i = global_id(), t = threadIdx.x;
    sums[t] = 0.0f;
    if (i < particles) {
        unsigned seed = seeds[i];
        float px = drawn_x[i] + 1.0f + 5.0f * normal(seed);
        float py = drawn_y[i] - 2.0f + 2.0f * normal(seed);
        x[i] = px;
        y[i] = py;
        seeds[i] = seed;
        int left = __float2int_rn(px), top = __float2int_rn(py), *row = at + i * points;
        for (int p = 0; p < points; p++)
            row[p] = clamp(top + disk[2 * p + 1], height - 1) * width +
                     clamp(left + disk[2 * p], width - 1);
        int fit = 0;
        for (int p = 0; p < points; p++) {
            int from_ground = frame[row[p]] - GROUND, from_object = frame[row[p]] - OBJECT;
            fit += from_ground * from_ground - from_object * from_object;
        }
        float w = weight[i] * __expf(fit / (SCALE * points));
        weight[i] = w;
        sums[t] = w;
    }
    for (int n = blockDim.x, half; n > 1; n = half) {
        half = (n + 1) / 2;
        __syncthreads();
        if (t < n / 2)
            sums[t] += sums[t + half];
    }
    if (t == 0)
        partial[blockIdx.x] = sums[0];
}

// One thread of the grid adds.
extern "C" __global__ void pff_sum(float *partial, int partials)
{
    if (global_id() != 0)
        return;
    float sum = 0.0f;
    for (int p = 0; p < partials; p++)
        sum += partial[p];
    partial[0] = sum;
}

// until[i]: the sum of the shares up to i, which one thread adds up. mark[i]: where particle i
// draws, evenly from a first mark at random.
extern "C" __global__ void pff_normalise(float *share, float *until, float *mark,
                                         const float *weight, const float *sum, unsigned seed,
                                         int particles)
{
    __shared__ float total, first;
    int i = global_id();
    if (threadIdx.x == 0) {
        total = sum[0];
        first = uniform(seed) / particles;
    }
    __syncthreads();
    if (i < particles) {
        share[i] = weight[i] / total;
        mark[i] = first + i / (float)particles;
    }
    if (i == 0) {
        float so_far = 0.0f;
        for (int k = 0; k < particles; k++) {
            so_far += weight[k] / total;
            until[k] = so_far;
        }
    }
}

extern "C" __global__ void pff_find(float *drawn_x, float *drawn_y, float *weight, const float *x,
                                    const float *y, const float *until, const float *mark,
                                    int particles)
{
    int i = global_id();
    if (i >= particles)
        return;
    float mine = mark[i];
    int found = particles - 1;
#pragma unroll 1
    for (int k = 0; k < particles; k++)
        if (until[k] >= mine) {
            found = k;
            break;
        }
    drawn_x[i] = x[found];
    drawn_y[i] = y[found];
    weight[i] = 1.0f / particles;
}
