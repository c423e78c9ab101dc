// softmax.cu -- softmax of the rows of a matrix, a CTA a row: the row's largest element, the sum of
// exponentials less that, and their quotients. Three passes over the row, reduced by warp shuffles.
// PTX: nvcc -ptx -arch=compute_75 softmax.cu -o softmax.ptx
#include "../warp.cuh"

extern "C" __global__ void softmax_rows(float *to, const float *from, int columns)
{
    __shared__ float partial[32];
    const float *x = from + (size_t)blockIdx.x * columns;
    float *y = to + (size_t)blockIdx.x * columns;
    float largest = largest_of::none(), sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        largest = fmaxf(largest, x[i]);
    largest = block_reduce<largest_of>(largest, partial);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += __expf(x[i] - largest);
    float scale = 1.0f / block_reduce<sum_of>(sum, partial);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        y[i] = __expf(x[i] - largest) * scale;
}
