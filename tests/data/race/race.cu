// Of which race.ptx is what matters: each thread reads what one of the other warp has written.

extern "C" __global__ void shift(int *out)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = tile[threadIdx.x ^ 32];
}

extern "C" __global__ void tidy(int *out)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x ^ 32];
}
