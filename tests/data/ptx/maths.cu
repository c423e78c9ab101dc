/* Special functions, half precision, doubles, atomics, warp functions, inline assembly. */
#include <cuda_fp16.h>

__global__ void maths(const float *a, const double *b, int *o, float *f, double *d)
{
    __shared__ double sd[64];
    extern __shared__ float dyn[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = a[i];
    const double y = b[i];
    f[i] = sinf(x) + expf(x) * logf(x) + sqrtf(x) + powf(x, 2.5f) + tanhf(x) + fmodf(x, 3.0f);
    d[i] = exp(y) * log(y) + sqrt(y) + fmod(y, 2.0) + 1.0 / y + cbrt(y);
    f[i] += __fadd_rz(x, x) + __fdiv_rd(x, x) + __saturatef(x) + __fdividef(x, x) + __sinf(x);
    d[i] += __dmul_ru(y, y) + __ddiv_rd(y, y) + __dsqrt_rd(y);
    sd[threadIdx.x & 63] = y;
    dyn[threadIdx.x] = x;
    __syncthreads();
    f[i] += dyn[threadIdx.x ^ 1] + (float)sd[1];
    __half q = __float2half(x);
    q = hsin(q) + hexp(q) - q * q / q;
    __half2 h = __floats2half2_rn(x, x);
    h = __hfma2(h, h, h);
    f[i] += __half2float(q) + __low2float(h) + __half2int_rz(q);
    o[i] = __popc(i) + __clz(i) + __ffs(i) + __byte_perm(i, o[i], 0x1234) + __umulhi(i, o[i]) +
           __dp4a(i, o[i], 3) + __vabsdiffu4(i, o[i]) + __float2int_ru(x) + __double2uint_rd(y);
    o[i] += __shfl_xor_sync(~0u, i, 1) + __any_sync(~0u, i) + __ballot_sync(~0u, i) +
            __syncthreads_count(i & 1) + (int)clock64();
    atomicAdd(&f[0], x);
    atomicMax(&o[1], i);
    atomicCAS(&o[2], 1, 2);
}

__global__ void assembly(int *o)
{
    int r;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        asm volatile("{ .reg .pred p; .reg .u32 t; setp.lt.s32 p, %1, 5; mov.u32 t, 3;\n"
                     "@!p bra L1; add.u32 t, t, 1; L1: mov.u32 %0, t; }"
                     : "=r"(r)
                     : "r"(o[k]));
        o[k] = r;
    }
    asm("{ .reg .u32 a, b; add.cc.u32 a, %1, 5; addc.u32 b, 0, 0; mad.lo.cc.u32 a, a, b, %1;\n"
        "madc.hi.u32 %0, a, b, %1; }"
        : "=r"(r)
        : "r"(o[5]));
    o[5] = r;
}

__global__ void textures(cudaTextureObject_t t, cudaSurfaceObject_t s, float *o)
{
    o[threadIdx.x] = tex2D<float>(t, 1.0f, 2.0f);
    surf2Dwrite(3.0f, s, 4, 5);
}
