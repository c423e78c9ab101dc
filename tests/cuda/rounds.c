/* Launches that are the same but for what they find in memory: some execute more than others.
 * `rounds HOW ROUNDS[xTIMES]...`: launches of so many rounds, each TIMES times; by HOW (rounds.ptx)
 * they `known`: change nothing; `counts`: count themselves, so that none finds what one before
 * found; `own`: consume what they find; `asks`: wait for the host. Needs no CUDA tool; see host.sh.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/fatbin.h"

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

int cudaHostAlloc(void **p, size_t bytes, unsigned flags);
int cudaDeviceSynchronize(void);

enum { CTAS = 60, THREADS = 64, WORDS = 4 + CTAS * THREADS };
static const char stub = 0;

static int launch(void *words)
{
    void *args[] = {&words};
    return cudaLaunchKernel(&stub, (dim3){CTAS, 1, 1}, (dim3){THREADS, 1, 1}, args, 0, NULL);
}

static int asks(unsigned rounds)
{
    static volatile unsigned *words;
    if (!words && cudaHostAlloc((void **)&words, WORDS * sizeof *words, 0))
        return 1;
    words[0] = words[1] = 0;
    words[2] = 3;
    words[3] = rounds;
    if (launch((void *)words))
        return 1;
    while (!words[1])
        ;
    words[0] = 1;
    return cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    static const char *const hows[] = {"known", "counts", "own", "asks"};
    static unsigned got[WORDS];
    unsigned how = 0, launches = 0;
    void *words;
    while (strcmp(argv[1], hows[how]))
        how++;
    register_kernel(register_ptx(ptx, (size_t)(ptx_end - ptx), 0, 50), &stub, "rounds");
    got[2] = how;
    int bad = cudaMalloc(&words, sizeof got) || cudaMemcpy(words, got, sizeof got, 1);
    for (int i = 2; i < argc; i++) {
        const unsigned rounds = (unsigned)atoi(argv[i]);
        const char *times = strchr(argv[i], 'x');
        for (int k = 4; k < WORDS; k++)
            got[k] = rounds;
        for (int n = times ? atoi(times + 1) : 1; n > 0; n--, launches++)
            bad = bad || (how == 3 ? asks(rounds)
                                   : cudaMemcpy(words, &rounds, sizeof rounds, 1) ||
                                         (how == 2 && cudaMemcpy((char *)words + 16, got + 4,
                                                                 sizeof got - 16, 1)) ||
                                         launch(words));
    }
    return bad || cudaMemcpy(got, words, sizeof got, 2) || (how == 1 && got[1] != launches);
}
