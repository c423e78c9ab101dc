// histogram_shared.cu -- histograms of an image's three colours: each CTA counts its pixels in
// shared memory, by atomics, and adds its bins to the result, by atomics too.
// PTX: nvcc -ptx -arch=compute_75 histogram_shared.cu -o histogram_shared.ptx

#define BINS 256

extern "C" __global__ void histogram_shared_count(unsigned *bin, const uchar4 *pixel, int pixels)
{
    __shared__ unsigned own[3 * BINS];
    for (int i = threadIdx.x; i < 3 * BINS; i += blockDim.x)
        own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
        uchar4 p = pixel[i];
        atomicAdd(&own[p.x], 1u);
        atomicAdd(&own[BINS + p.y], 1u);
        atomicAdd(&own[2 * BINS + p.z], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 3 * BINS; i += blockDim.x)
        if (own[i] > 0)
            atomicAdd(&bin[i], own[i]);
}
