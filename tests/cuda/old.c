/* What the runtime of CUDA 10.2 tells of pointers: another struct, and errors where later ones have
 * none. */
#include <stdint.h>
#include <stdlib.h>

#include "tests/cuda/ok.h"

struct attributes {
    int memory, type, device;
    void *device_pointer, *host_pointer;
    int managed;
};
int cudaPointerGetAttributes(struct attributes *, const void *), cudaGetLastError(void);
int cudaMalloc(void **, size_t), cudaMallocHost(void **, size_t);
int cudaMallocManaged(void **, size_t, unsigned), cudaRuntimeGetVersion(int *);

enum { INVALID_VALUE = 1, HOST = 1, DEVICE, MANAGED };

int main(void)
{
    struct attributes a[2];
    int version;
    char *d, *h, *m, plain[4];
    OK(cudaRuntimeGetVersion(&version));
    EXPECT(version == 10020);
    OK(cudaMalloc((void **)&d, 64) | cudaMallocHost((void **)&h, 64));
    OK(cudaMallocManaged((void **)&m, 64, 1));
    a[1].memory = 42; /* behind the struct nothing is written */
    OK(cudaPointerGetAttributes(a, d + 4));
    EXPECT(a->memory == DEVICE && a->type == DEVICE && a->device == 0 && !a->managed);
    EXPECT(a->device_pointer == d + 4 && !a->host_pointer && a[1].memory == 42);
    OK(cudaPointerGetAttributes(a, h));
    EXPECT(a->memory == HOST && a->type == HOST && !a->managed && a->host_pointer == h);
    OK(cudaPointerGetAttributes(a, m));
    EXPECT(a->memory == DEVICE && a->type == MANAGED && a->managed && a->host_pointer == m);
    EXPECT(cudaPointerGetAttributes(a, plain) == INVALID_VALUE);
    EXPECT(cudaGetLastError() == INVALID_VALUE);
    fputs("passed\n", stderr);
    return 0;
}
