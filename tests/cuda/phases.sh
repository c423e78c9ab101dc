#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# A program's kernel without phases: paws says so once, whatever its launches' shapes.
. tests/cli/lib.bash
. tests/cuda/lib.bash

cat >"$tmp/p.c" <<'C'
#include <stddef.h>
int cuInit(unsigned), cuDeviceGet(int *, int), cuCtxCreate_v2(void **, unsigned, int);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(unsigned long long *, size_t), cuCtxSynchronize(void);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);
static const char ptx[] =
    ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry fill(.param .u64 out)\n{\n"
    ".reg .b32 %r<2>; .reg .b64 %rd<4>;\nld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1; ret;\n}\n";
int main(void)
{
    void *context, *module, *fill;
    unsigned long long out;
    int device, bad = cuInit(0) | cuDeviceGet(&device, 0) | cuCtxCreate_v2(&context, 0, device) |
                      cuModuleLoadData(&module, ptx) |
                      cuModuleGetFunction(&fill, module, "fill") | cuMemAlloc_v2(&out, 4096);
    for (unsigned threads = 32; threads <= 128; threads += 32)
        bad |= cuLaunchKernel(fill, 4, 1, 1, threads, 1, 1, 0, NULL, (void *[]){&out}, NULL);
    return bad | cuCtxSynchronize();
}
C
"${CC:-gcc}" -o "$tmp/p" "$tmp/p.c" "$lib/libcuda.so" -Wl,-rpath,"$(realpath "$lib")" || fail "does not compile"
t 0 run --warp-scheduler paws -- "$tmp/p"
says "mdpredict: fill: has no phases"
[[ $(grep -c "no phases" "$tmp/err") == 1 ]] || fail "said more than once"
t 0 compare --warp-schedulers gto,paws --cta-schedulers static,n=1,n=2 -- "$tmp/p"
[[ $(grep -c "no phases" "$tmp/err") == 1 ]] || fail "compare: not once"
t 0 run --warp-scheduler lrr -- "$tmp/p"; quiet
exit "$bad"
