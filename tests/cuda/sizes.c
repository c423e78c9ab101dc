/* `sizes LAUNCHES`: launches of one CTA, each of one round more than the one before it, from 200
 * on. Needs no CUDA tool; see host.sh. */
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/fatbin.h"

static const char ptx[] = ".version 6.0\n.target sm_50\n.address_size 64\n"
                          ".visible .entry grow(.param .u64 to, .param .u32 rounds)\n{\n"
                          ".reg .u32 %r<4>; .reg .u64 %rd<2>; .reg .pred %p;\n"
                          "ld.param.u64 %rd1, [to]; ld.param.u32 %r1, [rounds];\n"
                          "mov.u32 %r2, 0;\n"
                          "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p, %r2, %r1; @%p bra L;\n"
                          "st.global.u32 [%rd1], %r2;\nret;\n}\n";
static const char stub = 0;

int main(int argc, char **argv)
{
    const int launches = argc > 1 ? atoi(argv[1]) : 1;
    void *to;
    unsigned got = 0, rounds = 199;
    register_kernel(register_ptx(ptx, sizeof ptx - 1, 0, 50), &stub, "grow");
    int bad = cudaMalloc(&to, sizeof got);
    for (int i = 0; i < launches && !bad; i++) {
        rounds++;
        void *args[] = {&to, &rounds};
        bad = cudaLaunchKernel(&stub, (dim3){1, 1, 1}, (dim3){64, 1, 1}, args, 0, NULL);
    }
    return bad || cudaMemcpy(&got, to, sizeof got, 2) || got != rounds;
}
