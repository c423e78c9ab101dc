// backprop.cu -- a layer of a neural network with 16 hidden units, forward and back: the inputs'
// weighted sums, 16 inputs a CTA, added up as a tree in shared memory; and the correction of every
// weight. Unit 0 of a layer is its bias: weights are rows of 17, one row an input.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S backprop.cu -o backprop.ptx
#include "../simt.cuh"

#define HIDDEN 16
#define ROW    (HIDDEN + 1)

// sum[blockIdx.y][unit]: over the CTA's inputs
extern "C" __global__ void backprop_forward(float *sum, const float *input, const float *weight)
{
    __shared__ float value[HIDDEN], product[HIDDEN][HIDDEN];
    int unit = threadIdx.x, ty = threadIdx.y, i = blockIdx.y * HIDDEN + ty + 1;
    if (unit == 0)
        value[ty] = input[i];
    __syncthreads();
    product[ty][unit] = weight[i * ROW + unit + 1] * value[ty];
    __syncthreads();
    for (int far = 1; far < HIDDEN; far *= 2) {
        if (ty % (2 * far) == 0)
            product[ty][unit] += product[ty + far][unit];
        __syncthreads();
    }
    if (ty == 0)
        sum[blockIdx.y * HIDDEN + unit] = product[0][unit];
}

// change: each weight's last correction, of which a part is done again
extern "C" __global__ void backprop_adjust(float *weight, float *change, const float *input,
                                           const float *delta, float rate, float momentum)
{
    int unit = threadIdx.x + 1, i = blockIdx.y * HIDDEN + threadIdx.y + 1, k = i * ROW + unit;
    float step = rate * delta[unit] * input[i] + momentum * change[k];
    weight[k] += step;
    change[k] = step;
    if (threadIdx.y == 0 && blockIdx.y == 0) { // the bias: input 0 is 1
        step = rate * delta[unit] + momentum * change[unit];
        weight[unit] += step;
        change[unit] = step;
    }
}
