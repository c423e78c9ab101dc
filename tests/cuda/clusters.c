/* Clusters of CTAs: launches that ask for them by attribute, functions that require them, kernels
 * that do; captured; how many are there at once; shapes that are refused. Called as `clusters` or
 * `clusters wrong`; see api.sh. */
#include "tests/cuda/driver_types.h"
#include "tests/cuda/fatbin.h"
#include "tests/cuda/ok.h"

#define CTAS 16
enum { CLUSTER = 4, WIDTH = 11, LARGE = 14, INVALID_CLUSTER = 912, NOT_PERMITTED = 800 };

struct attribute {
    int id, pad;
    union {
        unsigned cluster[3];
        char bytes[64];
    };
};
struct config { /* cudaLaunchConfig_t */
    dim3 grid, block;
    size_t shared;
    void *stream;
    struct attribute *attrs;
    unsigned n;
};
struct driver_config { /* CUlaunchConfig */
    unsigned grid[3], block[3], shared;
    CUstream stream;
    struct attribute *attrs;
    unsigned n;
};
int cudaLaunchKernelExC(const struct config *, const void *, void **);
int cudaOccupancyMaxActiveClusters(int *, const void *, const struct config *);
int cudaOccupancyMaxPotentialClusterSize(int *, const void *, const struct config *);
int cudaFuncSetAttribute(const void *, int, int), cudaGetLastError(void);
int cudaDeviceGetAttribute(int *, int, int), cudaMemset(void *, int, size_t);
int cudaStreamCreate(void **), cudaStreamBeginCapture(void *, int);
int cudaStreamEndCapture(void *, void **), cudaStreamSynchronize(void *);
int cudaGraphInstantiate(void **, void *, unsigned long long), cudaGraphLaunch(void *, void *);
CUresult cuLaunchKernelEx(const struct driver_config *, CUfunction, void **, void **);
CUresult cuOccupancyMaxActiveClusters(int *, CUfunction, const struct driver_config *);
CUresult cuFuncGetAttribute(int *, int, CUfunction);

__asm__(".section .rodata\nptx: .incbin \"" PTX "\"\nptx_end: .byte 0\n.previous");
extern const char ptx[], ptx_end[];
static char neighbour, pairs;
static unsigned *d;

static __attribute__((constructor)) void register_all(void)
{
    void **h = register_ptx(ptx, (size_t)(ptx_end - ptx), 8, 90);
    register_kernel(h, &neighbour, "neighbour");
    register_kernel(h, &pairs, "pairs");
}

/* CTA c saw the next one of its cluster of `size`. */
static void expect(unsigned size)
{
    unsigned h[CTAS];
    OK(cudaMemcpy(h, d, sizeof h, 2));
    for (unsigned c = 0; c < CTAS; c++)
        EXPECT(h[c] == 100 + c / size * size + (c % size + 1) % size);
    OK(cudaMemset(d, 0, sizeof h));
}

static int launch(const void *f, unsigned size, void *stream)
{
    struct attribute a = {.id = CLUSTER, .cluster = {size, 1, 1}};
    const struct config c = {{CTAS, 1, 1}, {32, 1, 1}, 0, stream, &a, size != 0};
    return cudaLaunchKernelExC(&c, f, (void *[]){&d});
}

static void by_attribute(void)
{
    for (unsigned size = 1; size <= 8; size *= 2) {
        OK(launch(&neighbour, size, NULL));
        expect(size);
    }
    OK(launch(&neighbour, 0, NULL));
    expect(1);
    OK(launch(&pairs, 2, NULL));
    expect(2);
    OK(cudaLaunchKernel(&pairs, (dim3){CTAS, 1, 1}, (dim3){64, 1, 1}, (void *[]){&d}, 0, NULL));
    expect(2);
}

static void refused(void)
{
    EXPECT(launch(&neighbour, 3, NULL) == INVALID_CLUSTER); /* does not divide 16 */
    EXPECT(launch(&neighbour, 16, NULL) == INVALID_CLUSTER);
    EXPECT(launch(&pairs, 4, NULL) == INVALID_CLUSTER);
    EXPECT(cudaGetLastError() == INVALID_CLUSTER);
    OK(cudaFuncSetAttribute(&neighbour, LARGE, 1));
    OK(launch(&neighbour, 16, NULL));
    expect(16);
    OK(cudaFuncSetAttribute(&neighbour, LARGE, 0));
    EXPECT(cudaFuncSetAttribute(&pairs, WIDTH, 4) == NOT_PERMITTED);
    OK(cudaFuncSetAttribute(&neighbour, WIDTH, 4));
    OK(cudaLaunchKernel(&neighbour, (dim3){CTAS, 1, 1}, (dim3){32, 1, 1}, (void *[]){&d}, 0, NULL));
    expect(4);
    OK(cudaFuncSetAttribute(&neighbour, WIDTH, 0));
    cudaGetLastError();
}

static void captured(void)
{
    void *s, *g, *x;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, 0));
    OK(launch(&neighbour, 4, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
    expect(4);
}

/* 15 cores hold 8 CTAs of 32 threads each: 120 CTAs, of 1,024 threads one each. */
static void at_once(void)
{
    struct attribute a = {.id = CLUSTER, .cluster = {4, 1, 1}};
    struct config c = {{CTAS, 1, 1}, {32, 1, 1}, 0, NULL, &a, 1};
    int n = 0;
    OK(cudaOccupancyMaxActiveClusters(&n, &neighbour, &c));
    EXPECT(n == 30);
    c.block.x = 1024;
    OK(cudaOccupancyMaxActiveClusters(&n, &neighbour, &c));
    EXPECT(n == 3);
    OK(cudaOccupancyMaxPotentialClusterSize(&n, &neighbour, &c));
    EXPECT(n == 8);
    OK(cudaDeviceGetAttribute(&n, 120, 0));
    EXPECT(n == 1);
}

static void by_driver(void)
{
    CUmodule m;
    CUfunction f;
    int n = 0;
    struct attribute a = {.id = CLUSTER, .cluster = {8, 1, 1}};
    const struct driver_config c = {{CTAS, 1, 1}, {32, 1, 1}, 0, NULL, &a, 1};
    OK(cuModuleLoad(&m, PTX));
    OK(cuModuleGetFunction(&f, m, "neighbour"));
    OK(cuLaunchKernelEx(&c, f, (void *[]){&d}, NULL));
    expect(8);
    OK(cuOccupancyMaxActiveClusters(&n, f, &c));
    EXPECT(n == 15);
    OK(cuModuleGetFunction(&f, m, "pairs"));
    OK(cuFuncGetAttribute(&n, WIDTH, f));
    EXPECT(n == 2);
}

int main(int argc, char **argv)
{
    (void)argv;
    OK(cudaMalloc((void **)&d, CTAS * sizeof *d));
    OK(cudaMemset(d, 0, CTAS * sizeof *d));
    if (argc > 1) {
        OK(launch(&pairs, 0, NULL));
        EXPECT(launch(&neighbour, 3, NULL) == INVALID_CLUSTER);
        expect(2);
    } else {
        by_attribute();
        refused();
        captured();
        at_once();
        by_driver();
    }
    printf("passed\n");
    return 0;
}
