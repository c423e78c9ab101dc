/* Launches that are the same but for what they find in memory: some execute more than others.
 * `rounds counts|known ROUNDS[xTIMES]...`: launches of so many rounds, each TIMES times; those that
 * count themselves never find what one before found. Needs no CUDA tool; see host.sh. */
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/fatbin.h"

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

enum { CTAS = 60, THREADS = 64 };

int main(int argc, char **argv)
{
    static const char stub = 0;
    const unsigned counts = !strcmp(argv[1], "counts");
    unsigned got[3] = {0, 0, counts}, launches = 0;
    void *words, *args[] = {&words};
    register_kernel(register_ptx(ptx, (size_t)(ptx_end - ptx), 0, 50), &stub, "rounds");
    int bad = cudaMalloc(&words, sizeof got) || cudaMemcpy(words, got, sizeof got, 1);
    for (int i = 2; i < argc; i++) {
        const unsigned rounds = (unsigned)atoi(argv[i]);
        const char *times = strchr(argv[i], 'x');
        for (int n = times ? atoi(times + 1) : 1; n > 0; n--, launches++)
            bad = bad || cudaMemcpy(words, &rounds, sizeof rounds, 1) ||
                  cudaLaunchKernel(&stub, (dim3){CTAS, 1, 1}, (dim3){THREADS, 1, 1}, args, 0, NULL);
    }
    return bad || cudaMemcpy(got, words, sizeof got, 2) || (counts && got[1] != launches);
}
