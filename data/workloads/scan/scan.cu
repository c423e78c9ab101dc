// scan.cu -- sum and inclusive prefix sums of an array by warp shuffles, in three launches: the sum
// of each CTA's 1024 elements, the prefix sums of those in one CTA, and the elements' own.
// PTX: nvcc -ptx -arch=compute_75 scan.cu -o scan.ptx

#define ALL 0xffffffffu

static __device__ int warp_prefix(int v)
{
    int lane = threadIdx.x % 32;
    for (int far = 1; far < 32; far *= 2) {
        int left = __shfl_up_sync(ALL, v, far);
        v += lane >= far ? left : 0;
    }
    return v;
}

// Inclusive, over the CTA's threads; *total: over all. partial: room for a number a warp.
static __device__ int block_prefix(int v, int *total, int *partial)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    v = warp_prefix(v);
    __syncthreads(); // what the last call left has been read
    if (lane == 31)
        partial[warp] = v;
    __syncthreads();
    int before = warp_prefix(lane < warps ? partial[lane] : 0);
    *total = __shfl_sync(ALL, before, 31);
    before = __shfl_sync(ALL, before, (warp + 31) % 32); // of the warp before
    return warp > 0 ? v + before : v;
}

static __device__ int4 elements(const int *from, int at, int n)
{
    int4 v = {0, 0, 0, 0};
    if (at + 3 < n)
        return *(const int4 *)(from + at);
    v.x = at < n ? from[at] : 0;
    v.y = at + 1 < n ? from[at + 1] : 0;
    v.z = at + 2 < n ? from[at + 2] : 0;
    return v;
}

extern "C" __global__ void scan_reduce(int *sum, const int *from, int n)
{
    __shared__ int partial[32];
    int4 v = elements(from, 4 * (blockIdx.x * blockDim.x + threadIdx.x), n);
    int s = v.x + v.y + v.z + v.w, lane = threadIdx.x % 32;
    for (int far = 16; far > 0; far /= 2)
        s += __shfl_down_sync(ALL, s, far);
    if (lane == 0)
        partial[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x < 32) {
        s = lane < blockDim.x / 32 ? partial[lane] : 0;
        for (int far = 16; far > 0; far /= 2)
            s += __shfl_down_sync(ALL, s, far);
        if (lane == 0)
            sum[blockIdx.x] = s;
    }
}

// Sums -> the sum of all before each, in place, and that of all in sum[n].
extern "C" __global__ void scan_sums(int *sum, int n)
{
    __shared__ int partial[32];
    int before = 0, total;
    for (int from = 0; from < n; from += blockDim.x) {
        int i = from + threadIdx.x, own = i < n ? sum[i] : 0;
        int prefix = block_prefix(own, &total, partial);
        if (i < n)
            sum[i] = before + prefix - own;
        before += total;
    }
    if (threadIdx.x == 0)
        sum[n] = before;
}

extern "C" __global__ void scan_elements(int *to, const int *from, const int *sum, int n)
{
    __shared__ int partial[32];
    int at = 4 * (blockIdx.x * blockDim.x + threadIdx.x), total;
    int4 v = elements(from, at, n);
    int s = v.x + v.y + v.z + v.w;
    int before = sum[blockIdx.x] + block_prefix(s, &total, partial) - s;
    v.x += before;
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    if (at + 3 < n) {
        *(int4 *)(to + at) = v;
        return;
    }
    if (at < n)
        to[at] = v.x;
    if (at + 1 < n)
        to[at + 1] = v.y;
    if (at + 2 < n)
        to[at + 2] = v.z;
}
