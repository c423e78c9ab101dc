/* A launch that takes seconds to simulate, behind half a line of the program's own: ROUNDS of a
 * loop. */
#include "tests/cuda/fatbin.h"
#include "tests/cuda/ok.h"

static char long_one; /* its address names the kernel */

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

__attribute__((constructor)) static void before_main(void)
{
    void **h = register_ptx(ptx, (size_t)(ptx_end - ptx), 7, 70);
    register_kernel(h, &long_one, "long_one");
}

int main(int argc, char **argv)
{
    void *d;
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    OK(cudaMalloc(&d, 4));
    printf("half ");
    fflush(stdout);
    OK(cudaLaunchKernel(&long_one, (dim3){200, 1, 1}, (dim3){32, 1, 1}, (void *[]){&d, &rounds}, 0,
                        NULL));
    printf("whole\n");
    return 0;
}
