// nn.cu -- recognition of handwritten digits by a convolutional network (Simard and others, ICDAR
// 2003): two layers of maps, each unit over 5 x 5 units of every map below, every second one, then
// two layers that are connected with all units below. A launch a layer, all images side by side in
// the grid's second dimension. A unit's weights lie together, its bias first.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S nn.cu -o nn.ptx
#include "../simt.cuh"

#define WINDOW 5
#define SIDE_0 29 // of an image
#define SIDE_1 13
#define SIDE_2 5
#define MAPS_1 6

// 1.7159 tanh(2 x / 3)
static __device__ inline float squash(float x)
{
    return 1.7159f - __fdividef(2.0f * 1.7159f, 1.0f + __expf(1.3333333f * x));
}

// A CTA: a map of an image, a thread a unit
extern "C" __global__ void nn_first(float *out, const float *image, const float *weight)
{
    int map = blockIdx.x, x = threadIdx.x, y = threadIdx.y;
    const float *w = weight + map * (1 + WINDOW * WINDOW);
    const float *in = image + (blockIdx.y * SIDE_0 + 2 * y) * SIDE_0 + 2 * x;
    float sum = *w++;
    for (int i = 0; i < WINDOW; i++)
#pragma unroll
        for (int k = 0; k < WINDOW; k++)
            sum += *w++ * in[i * SIDE_0 + k];
    out[((blockIdx.y * gridDim.x + map) * SIDE_1 + y) * SIDE_1 + x] = squash(sum);
}

extern "C" __global__ void nn_second(float *out, const float *below, const float *weight)
{
    int map = blockIdx.x, x = threadIdx.x, y = threadIdx.y;
    const float *w = weight + map * (1 + MAPS_1 * WINDOW * WINDOW);
    const float *in = below + (blockIdx.y * (MAPS_1 * SIDE_1) + 2 * y) * SIDE_1 + 2 * x;
    float sum = *w++;
    for (int m = 0; m < MAPS_1; m++, in += SIDE_1 * SIDE_1)
        for (int i = 0; i < WINDOW; i++)
#pragma unroll
            for (int k = 0; k < WINDOW; k++)
                sum += *w++ * in[i * SIDE_1 + k];
    out[((blockIdx.y * gridDim.x + map) * SIDE_2 + y) * SIDE_2 + x] = squash(sum);
}

// A CTA: one unit of one image, one thread
static __device__ inline void connected(float *out, const float *below, const float *weight,
                                        int inputs)
{
    const float *w = weight + blockIdx.x * (1 + inputs), *in = below + blockIdx.y * inputs;
    float sum = w[0];
    for (int i = 0; i < inputs; i++)
        sum += w[1 + i] * in[i];
    out[blockIdx.y * gridDim.x + blockIdx.x] = squash(sum);
}

extern "C" __global__ void nn_third(float *out, const float *below, const float *weight, int inputs)
{
    connected(out, below, weight, inputs);
}

extern "C" __global__ void nn_fourth(float *out, const float *below, const float *weight,
                                     int inputs)
{
    connected(out, below, weight, inputs);
}
