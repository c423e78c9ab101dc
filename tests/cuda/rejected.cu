// A program that asks for no errors: of its launches some are rejected for their shape. With
// `endless` one kernel never ends.
#include <cstdio>
#include <cstring>

template <typename T> __global__ void set(T *p, T v)
{
    p[threadIdx.x] = v;
}
__global__ void __launch_bounds__(64) narrow(int *p)
{
    p[threadIdx.x] = 7;
}
__global__ void endless(volatile int *p)
{
    while (p[0] == 1)
        ;
}

int main(int argc, char **argv)
{
    int *d, h = 0;
    cudaMalloc(&d, 4096);
    set<<<1, 32>>>(d, 1);
    set<<<0, 32>>>(d, 2);
    set<<<1, 2048>>>(d, 3);
    narrow<<<1, 128>>>(d);
    narrow<<<1, 32, 1 << 30>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    if (argc > 1 && !strcmp(argv[1], "endless"))
        endless<<<1, 32>>>(d);
    puts(h == 1 ? "passed" : "failed");
}
