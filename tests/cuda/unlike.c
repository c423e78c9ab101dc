/* Launches of one kernel with the same grid, block and scalars, which execute the same but use
 * memory in unlike ways: how, they read from memory. `unlike COUNT LINES[@CTAS]...`: a launch for
 * each LINES, which loads COUNT times, of 120 CTAs unless it says otherwise. With RESET in the
 * environment the device is gone before the program ends. Needs no CUDA tool; see host.sh. */
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/fatbin.h"

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

int cudaDeviceReset(void);

enum { CTAS = 120, THREADS = 192, CTA_BYTES = 8192 };

int main(int argc, char **argv)
{
    static const char stub = 0;
    unsigned count = (unsigned)atoi(argv[1]), launches = (unsigned)(argc - 2), got[2] = {0};
    void *table, *lines;
    register_kernel(register_ptx(ptx, (size_t)(ptx_end - ptx), 0, 50), &stub, "stray");
    int bad = cudaMalloc(&table, CTAS * CTA_BYTES) || cudaMalloc(&lines, sizeof got) ||
              cudaMemcpy(lines, got, sizeof got, 1);
    for (int i = 2; i < argc; i++) {
        const unsigned n = (unsigned)atoi(argv[i]);
        const char *ctas = strchr(argv[i], '@');
        void *args[] = {&table, &lines, &count};
        bad = bad || cudaMemcpy(lines, &n, sizeof n, 1) ||
              cudaLaunchKernel(&stub, (dim3){ctas ? (unsigned)atoi(ctas + 1) : CTAS, 1, 1},
                               (dim3){THREADS, 1, 1}, args, 0, NULL);
    }
    bad = bad || cudaMemcpy(got, lines, sizeof got, 2) || got[1] != launches;
    return bad || (getenv("RESET") && cudaDeviceReset());
}
