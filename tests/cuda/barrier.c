/* `barrier CTAS [KERNEL]`: one launch of a kernel whose CTAs all wait for each other: meet, or
 * late. */
#include <stdlib.h>

#include "tests/cuda/fatbin.h"

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

int main(int argc, char **argv)
{
    static const char stub = 0;
    unsigned all = argc > 1 ? (unsigned)atoi(argv[1]) : 1, got = 0;
    void *count;
    register_kernel(register_ptx(ptx, (size_t)(ptx_end - ptx), 0, 50), &stub,
                    argc > 2 ? argv[2] : "meet");
    int bad = cudaMalloc(&count, sizeof got) || cudaMemcpy(count, &got, sizeof got, 1);
    bad = bad || cudaLaunchKernel(&stub, (dim3){all, 1, 1}, (dim3){64, 1, 1},
                                  (void *[]){&count, &all}, 0, NULL);
    return bad || cudaMemcpy(&got, count, sizeof got, 2) || got != all;
}
