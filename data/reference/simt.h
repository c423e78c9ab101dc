// simt.h - the few CUDA names these kernels need, for clang with -nocudainc -nocudalib (no CUDA
// headers)
#pragma once
#define KERNEL           extern "C" __attribute__((global)) void
#define DEV              static inline __attribute__((device, always_inline))
#define SHARED           static __attribute__((shared))
#define CONSTMEM         __attribute__((constant))
#define TX               ((int)__nvvm_read_ptx_sreg_tid_x())
#define TY               ((int)__nvvm_read_ptx_sreg_tid_y())
#define BX               ((int)__nvvm_read_ptx_sreg_ctaid_x())
#define BY               ((int)__nvvm_read_ptx_sreg_ctaid_y())
#define NX               ((int)__nvvm_read_ptx_sreg_ntid_x())
#define SYNC()           __syncthreads()
#define ATOMIC_ADD(p, v) __nvvm_atom_add_gen_i((int *)(p), (v))
typedef unsigned u32;
typedef unsigned char u8;
struct __attribute__((aligned(16))) vec4 {
    float x, y, z, w;
};
// keeps clang from fusing a shift and a mask into bfe, which GPGPU-Sim 3.2.1 does not implement
DEV u32 opaque(u32 x)
{
    asm("" : "+r"(x));
    return x;
}
