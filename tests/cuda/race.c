/* A program whose kernel `shift` races in shared memory and `tidy` does not: race shift|tidy|both.
 * The results are those that warps in step give; see tests/data/race. */
#include <string.h>

#include "tests/cuda/fatbin.h"
#include "tests/cuda/ok.h"

static char shift, tidy; /* their addresses name the kernels */

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

__attribute__((constructor)) static void before_main(void)
{
    void **h = register_ptx(ptx, (size_t)(ptx_end - ptx), 5, 75);
    register_kernel(h, &shift, "shift");
    register_kernel(h, &tidy, "tidy");
}

static void launch(const char *k, void *d)
{
    unsigned out[64];
    OK(cudaLaunchKernel(k, (dim3){2, 1, 1}, (dim3){64, 1, 1}, (void *[]){&d}, 0, NULL));
    OK(cudaMemcpy(out, d, sizeof out, 2));
    for (unsigned i = 0; i < 64; i++)
        EXPECT(out[i] == (i ^ 32));
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "both";
    void *d;
    OK(cudaMalloc(&d, 256));
    for (int i = 0; i < 3; i++) {
        if (strcmp(which, "tidy") != 0)
            launch(&shift, d);
        if (strcmp(which, "shift") != 0)
            launch(&tidy, d);
    }
    fputs("passed\n", stderr);
    return 0;
}
