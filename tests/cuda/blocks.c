/* A program that takes its block size from MDPREDICT_BLOCK_SIZE; with an argument, it does not. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/cuda/fatbin.h"

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

enum { N = 3001, WORDS = 16, TO_HOST = 2 };

static int reread(const unsigned *in, unsigned *out, unsigned threads, unsigned passes)
{
    const char *block = getenv("MDPREDICT_BLOCK_SIZE");
    const unsigned size = block ? (unsigned)atoi(block) : 64;
    void *args[] = {&in, &out, &threads, &passes};
    return cudaLaunchKernel((const void *)reread, (dim3){(threads + size - 1) / size, 1, 1},
                            (dim3){size, 1, 1}, args, size * sizeof(unsigned), NULL);
}

int main(int argc, char **argv)
{
    static unsigned sum[N], words[N * WORDS];
    void *in, *out;
    (void)argv;
    if (argc > 1)
        unsetenv("MDPREDICT_BLOCK_SIZE");
    register_kernel(register_ptx(ptx, (size_t)(ptx_end - ptx), 3, 30), (const void *)reread,
                    "reread");
    for (int i = 0; i < N * WORDS; i++)
        words[i] = 3;
    int bad = cudaMalloc(&in, sizeof words) | cudaMalloc(&out, sizeof sum);
    bad |= cudaMemcpy(in, words, sizeof words, 1) | reread(in, out, N, 2);
    bad |= cudaMemcpy(sum, out, sizeof sum, TO_HOST);
    for (int i = 0; i < N; i++)
        bad |= sum[i] != 3 * WORDS * 2;
    puts(bad ? "failed" : "passed");
    return bad;
}
