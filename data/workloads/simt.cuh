// simt.cuh -- the few CUDA names that the kernels here use, for clang without a CUDA toolkit. With
// nvcc they come from the toolkit, and this file adds nothing.
//
//   clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2
//       -Wno-unknown-cuda-version -S NAME.cu -o NAME.ptx
#ifndef SIMT_CUH
#define SIMT_CUH
#ifndef __NVCC__

#define __global__   __attribute__((global))
#define __device__   __attribute__((device))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(threads, ctas) __attribute__((launch_bounds(threads, ctas)))

#define SIMT_INDEX(type, reg)                         \
    struct type {                                     \
        __declspec(property(get = get_x)) unsigned x; \
        __declspec(property(get = get_y)) unsigned y; \
        __declspec(property(get = get_z)) unsigned z; \
        static __device__ inline unsigned get_x()     \
        {                                             \
            return __nvvm_read_ptx_sreg_##reg##_x();  \
        }                                             \
        static __device__ inline unsigned get_y()     \
        {                                             \
            return __nvvm_read_ptx_sreg_##reg##_y();  \
        }                                             \
        static __device__ inline unsigned get_z()     \
        {                                             \
            return __nvvm_read_ptx_sreg_##reg##_z();  \
        }                                             \
    }
SIMT_INDEX(simt_tid, tid);
SIMT_INDEX(simt_ctaid, ctaid);
SIMT_INDEX(simt_ntid, ntid);
SIMT_INDEX(simt_nctaid, nctaid);
extern const __device__ __attribute__((weak)) simt_tid threadIdx;
extern const __device__ __attribute__((weak)) simt_ctaid blockIdx;
extern const __device__ __attribute__((weak)) simt_ntid blockDim;
extern const __device__ __attribute__((weak)) simt_nctaid gridDim;

struct __attribute__((aligned(16))) float4 {
    float x, y, z, w;
};
static __device__ inline float4 make_float4(float x, float y, float z, float w)
{
    float4 v = {x, y, z, w};
    return v;
}
// Keeps a component from being loaded where it is used, far from the rest of its vector: nvcc loads
// a float4 with one instruction.
#define KEEP(component) asm volatile("" : "+f"(component))
// Keeps a number, not the address that was made of it (one register instead of two); like KEEP, it
// keeps a load before what follows another KEEP.
#define KEEP_INT(number) asm volatile("" : "+r"(number))
static __device__ inline float sqrtf(float x)
{
    return __nvvm_sqrt_rn_f(x);
}
static __device__ inline float rsqrtf(float x)
{
    return __nvvm_rsqrt_approx_f(x);
}
static __device__ inline float fabsf(float x)
{
    return __nvvm_fabs_f(x);
}
static __device__ inline float __fdividef(float x, float y)
{
    return __nvvm_div_approx_f(x, y);
}
static __device__ inline float __expf(float x)
{
    return __nvvm_ex2_approx_f(1.4426950f * x);
}
static __device__ inline float __logf(float x)
{
    return 0.69314718f * __nvvm_lg2_approx_f(x);
}
static __device__ inline float __log2f(float x)
{
    return __nvvm_lg2_approx_f(x);
}
static __device__ inline float exp2f(float x)
{
    return __nvvm_ex2_approx_f(x);
}
static __device__ inline float __powf(float x, float y)
{
    return exp2f(y * __log2f(x));
}
static __device__ inline float __sinf(float x)
{
    return __nvvm_sin_approx_f(x);
}
static __device__ inline float __cosf(float x)
{
    return __nvvm_cos_approx_f(x);
}
static __device__ inline int __float2int_rn(float x)
{
    return __nvvm_f2i_rn(x);
}
static __device__ inline unsigned __float_as_uint(float x)
{
    return (unsigned)__nvvm_bitcast_f2i(x);
}
static __device__ inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
// Of a whole warp: sm_20 has no other.
static __device__ inline unsigned __ballot_sync(unsigned, int own)
{
    unsigned all;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.ballot.b32 %0, p; }"
                 : "=r"(all)
                 : "r"(own));
    return all;
}
static __device__ inline unsigned atomicAdd(unsigned *at, unsigned x)
{
    return __nvvm_atom_add_gen_i((int *)at, (int)x);
}

// Textures need --cuda-gpu-arch=sm_30. Element types: those of texels below.
typedef unsigned long long cudaTextureObject_t;
template <class T> static __device__ T tex2D(cudaTextureObject_t t, float x, float y);
template <class T> static __device__ T tex1Dfetch(cudaTextureObject_t t, int x);
template <>
__device__ inline unsigned short tex2D<unsigned short>(cudaTextureObject_t t, float x, float y)
{
    unsigned r, g, b, a;
    asm("tex.2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
        : "=r"(r), "=r"(g), "=r"(b), "=r"(a)
        : "l"(t), "f"(x), "f"(y));
    return (unsigned short)r;
}
template <> __device__ inline float tex1Dfetch<float>(cudaTextureObject_t t, int x)
{
    float r, g, b, a;
    asm("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
        : "=f"(r), "=f"(g), "=f"(b), "=f"(a)
        : "l"(t), "r"(x));
    return r;
}

struct __attribute__((aligned(8))) float2 {
    float x, y;
};
static __device__ inline float2 make_float2(float x, float y)
{
    float2 v = {x, y};
    return v;
}

struct __attribute__((aligned(8))) uint2 {
    unsigned x, y;
};
static __device__ inline uint2 make_uint2(unsigned x, unsigned y)
{
    uint2 v = {x, y};
    return v;
}
struct __attribute__((aligned(16))) uint4 {
    unsigned x, y, z, w;
};
static __device__ inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    uint4 v = {x, y, z, w};
    return v;
}

// e^x within two units in the last place, for x from -708 to 709; 0 below. x = n ln 2 + r, |r| at
// most half of ln 2; e^r by its series up to r^13, the rest of which is below 2^-56.
static __device__ inline double exp(double x)
{
    const double factor[] = {1.0,          1.0,          1.0 / 2,       1.0 / 6,        1.0 / 24,
                             1.0 / 120,    1.0 / 720,    1.0 / 5040,    1.0 / 40320,    1.0 / 362880,
                             1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600};
    int n = __nvvm_d2i_rn(x * 1.4426950408889634);
    double sum = 1.0 / 6227020800;
    double r = x - n * 6.93147180369123816490e-01 - n * 1.90821492927058770002e-10;
#pragma unroll
    for (int i = 12; i >= 0; i--)
        sum = factor[i] + r * sum;
    return x < -708.0 ? 0.0 : __nvvm_lohi_i2d(0, (n + 1023) << 20) * sum;
}

template <>
__device__ inline uint4 tex1Dfetch<uint4>(cudaTextureObject_t t, int x)
{
    uint4 v;
    asm("tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
        : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
        : "l"(t), "r"(x));
    return v;
}
template <>
__device__ inline unsigned char tex1Dfetch<unsigned char>(cudaTextureObject_t t, int x)
{
    return (unsigned char)tex1Dfetch<uint4>(t, x).x; // the other channels don't matter
}

#else
#define KEEP(component)
#define KEEP_INT(number)
#endif
#endif
