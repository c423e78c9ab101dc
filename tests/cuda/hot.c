/* The kernel of tests/data/hot, launched three times: once with another block. `hot 2`: on each of
 * two devices. */
#include <stdlib.h>

#include "tests/cuda/fatbin.h"
#include "tests/cuda/ok.h"

static char hot; /* its address names the kernel */

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

__attribute__((constructor)) static void before_main(void)
{
    void **h = register_ptx(ptx, (size_t)(ptx_end - ptx), 7, 70);
    register_kernel(h, &hot, "hot");
}

int cudaSetDevice(int);

static void launch_all(void)
{
    void *d;
    OK(cudaMalloc(&d, 32 * 32 * 64 * 4));
    for (unsigned i = 0; i < 3; i++)
        OK(cudaLaunchKernel(&hot, (dim3){2, 1, 1}, (dim3){i < 2 ? 32 : 16, 1, 1}, (void *[]){&d}, 0,
                            NULL));
}

int main(int argc, char **argv)
{
    for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 1); i++) {
        OK(cudaSetDevice(i));
        launch_all();
    }
    return 0;
}
