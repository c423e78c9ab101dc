// layernorm.cu -- layer normalisation (Ba and others, 2016), a CTA a row: mean, variance about it,
// and the row scaled to mean 0 and variance 1, then by a learnt gain and bias an element.
// PTX: nvcc -ptx -arch=compute_75 layernorm.cu -o layernorm.ptx
#include "../warp.cuh"

extern "C" __global__ void layernorm_rows(float *to, const float *from, const float *gain,
                                          const float *bias, int columns, float epsilon)
{
    __shared__ float partial[32];
    const float *x = from + (size_t)blockIdx.x * columns;
    float *y = to + (size_t)blockIdx.x * columns;
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += x[i];
    float mean = block_reduce<sum_of>(sum, partial) / columns;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        squares += (x[i] - mean) * (x[i] - mean);
    float scale = rsqrtf(block_reduce<sum_of>(squares, partial) / columns + epsilon);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        y[i] = (x[i] - mean) * scale * gain[i] + bias[i];
}
