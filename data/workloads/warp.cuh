// warp.cuh -- reductions by warp shuffles, over a warp and over a CTA of whole warps.
#ifndef WARP_CUH
#define WARP_CUH

#define WARP_ALL 0xffffffffu

struct sum_of {
    static __device__ float none() { return 0.0f; }
    static __device__ float both(float a, float b) { return a + b; }
};

struct largest_of {
    static __device__ float none() { return __int_as_float(0xff800000); } // minus infinity
    static __device__ float both(float a, float b) { return fmaxf(a, b); }
};

// Every lane gets the warp's result.
template <class Op> static __device__ float warp_reduce(float v)
{
    for (int far = 16; far > 0; far /= 2)
        v = Op::both(v, __shfl_xor_sync(WARP_ALL, v, far));
    return v;
}

// Every thread gets the CTA's result. partial: room for a number a warp.
template <class Op> static __device__ float block_reduce(float v, float *partial)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    v = warp_reduce<Op>(v);
    __syncthreads(); // what the last reduction left has been read
    if (lane == 0)
        partial[warp] = v;
    __syncthreads();
    return warp_reduce<Op>(lane < blockDim.x / 32 ? partial[lane] : Op::none());
}

#endif
