// A program that looks at no error: what is not supported must not let it pass.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void plain(int *p)
{
    *p = 1;
}
__global__ void gradients(cudaTextureObject_t t, float *o)
{
    *o = tex2DGrad<float>(t, 0, 0, make_float2(0, 0), make_float2(0, 0));
}

int main()
{
    int *d, h = -1;
    cudaMalloc(&d, sizeof *d);
    plain<<<1, 1>>>(d);
    gradients<<<1, 1>>>(0, (float *)d);
    cudaDeviceSynchronize();
    if (cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaErrorNotSupported && h == -1)
        puts("no result");
}
