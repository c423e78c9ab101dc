/* A program whose memory lies elsewhere each time: kernels use what the host registered on its
 * stack and heap and what both share, and get structs with what was on the stack between their
 * members. PAD in the environment moves the stack, and the heap by its length; called with an
 * argument, the program lies wherever the system puts it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "tests/cuda/fatbin.h"

int cudaHostRegister(void *p, size_t bytes, unsigned flags);
int cudaHostUnregister(void *p);
int cudaMallocHost(void **p, size_t bytes);
int cudaMallocManaged(void **p, size_t bytes, unsigned flags);
int cudaDeviceSynchronize(void);

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

enum { N = 1 << 13 };
struct args {
    int *to;
    const int *from;
    unsigned char step;
    unsigned mask;
};

static int gather(int *to, const int *from, int step, int nothing)
{
    int was[64], bad;
    struct args a;
    memset(&a, (int)((uintptr_t)&a >> nothing & 15), sizeof a);
    a.to = to;
    a.from = from;
    a.step = (unsigned char)step;
    a.mask = N - 1;
    memcpy(was, to, sizeof was);
    void *args[] = {&a};
    bad = cudaLaunchKernel((const void *)gather, (dim3){N / 64, 1, 1}, (dim3){64, 1, 1}, args, 0,
                           NULL);
    bad |= cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++)
        bad |= to[i] != was[i] + from[i * step % N] && to != from;
    return bad;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        personality(PER_LINUX);
        execl("/proc/self/exe", argv[0], NULL);
    }
    static int in_data[N];
    int on_stack[N], *pinned, *managed, bad = 0;
    const char *pad = getenv("PAD");
    char *before = malloc((pad ? strlen(pad) : 0) + 1);
    int *on_heap = malloc(sizeof on_stack), *end = malloc(sizeof *end);
    register_kernel(register_ptx(ptx, (size_t)(ptx_end - ptx), 8, 75), (const void *)gather,
                    "gather");
    int *host[] = {in_data, on_stack, on_heap, end};
    for (int i = 0; i < 4; i++)
        bad |= cudaHostRegister(host[i], i < 3 ? sizeof on_stack : sizeof *end, 0);
    bad |= cudaMallocHost((void **)&pinned, sizeof on_stack);
    bad |= cudaMallocManaged((void **)&managed, sizeof on_stack, 1);
    for (int i = 0; i < N; i++)
        in_data[i] = on_stack[i] = on_heap[i] = pinned[i] = managed[i] = i;
    int *all[] = {on_stack, on_heap, in_data, pinned, managed};
    for (int i = 0; i < 25; i++)
        bad |= gather(all[i % 5], all[(i / 5 + i + 1) % 5], i % 5 * 16 + 33, i);
    for (int i = 0; i < 4; i++)
        bad |= cudaHostUnregister(host[i]);
    free(before);
    puts(bad ? "wrong" : "passed");
    return bad;
}
