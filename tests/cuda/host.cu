// The kernels of host.ptx: nvcc -ptx -arch=compute_75 -lineinfo -o host.ptx host.cu
extern "C" {
__device__ int counter;
__global__ void scale(float *p, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= by;
    if (i == 0)
        counter++;
}
__global__ void poke(char *p)
{
    *p = 77;
}
__global__ void spin()
{
    while (atomicAdd(&counter, 1) >= 0)
        ;
}
}
