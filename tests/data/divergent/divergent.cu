// Threads of a warp that wait for each other in diverged code, as they may since Volta. Each kernel
// adds up in *wrong what is not as it should be.
//   nvcc -arch=compute_80 -ptx divergent.cu

// Both sides of a branch exchange: lanes 0 to 15 give 2 (t + 100), the others 3 (t + 100).
extern "C" __global__ void sides(int *wrong)
{
    const int t = threadIdx.x;
    int v, sum, x = t + 100;
    unsigned odd, same;
    if (t < 16) {
        v = __shfl_sync(~0u, 2 * x, 20);
        sum = __reduce_add_sync(~0u, t);
        odd = __ballot_sync(~0u, t & 1);
        same = __match_any_sync(~0u, t & 1);
    } else {
        v = __shfl_sync(~0u, 3 * x, 3);
        sum = __reduce_add_sync(~0u, 100 * t);
        odd = __ballot_sync(~0u, t & 1);
        same = __match_any_sync(~0u, t & 1);
    }
    const bool right = v == (t < 16 ? 360 : 206) && sum == 37720 && odd == 0xaaaaaaaa &&
                       same == 0x55555555u << (t & 1);
    atomicAdd(wrong, !right);
}

__device__ __noinline__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
}

// Every thread takes the lock, in a function that is not inlined.
extern "C" __global__ void locked(int *lock, int *count, int *wrong)
{
    take(lock);
    const int before = *(volatile int *)count;
    *(volatile int *)count = before + 1;
    __threadfence();
    atomicExch(lock, 0);
    __syncwarp();
    atomicAdd(wrong, __activemask() != ~0u || before < 0);
}

// Some threads leave, some come to the barrier at one place and some at another.
extern "C" __global__ void leaving(int *wrong)
{
    __shared__ int sum;
    const int t = threadIdx.x;
    if (t == 0)
        sum = 0;
    __syncthreads();
    if (t % 3 == 0) {
        atomicAdd(&sum, 1);
        __syncthreads();
    } else if (t % 3 == 1) {
        atomicAdd(&sum, 1000);
        __syncthreads();
    } else {
        return;
    }
    atomicAdd(wrong, sum != 22 * 1 + 21 * 1000); // of 64 threads
}
