/* tests/cuda/fatbin.h -- PTX in a fat binary, and its registration, as compilers write them into a
 * program; for programs made without one. */
#ifndef MDP_TESTS_CUDA_FATBIN_H
#define MDP_TESTS_CUDA_FATBIN_H

#include <stdint.h>
#include <string.h>

typedef struct {
    unsigned x, y, z;
} dim3;
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFunction(void **h, const char *host, char *dev, const char *name, int limit,
                            void *tid, void *bid, void *bdim, void *gdim, int *wsize);
int cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, void *s);
int cudaMalloc(void **p, size_t bytes);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);

struct entry {
    uint16_t kind, one;
    uint32_t header_bytes;
    uint64_t payload;
    uint32_t compressed, options;
    uint16_t minor, major; /* PTX version */
    uint32_t sm, name, name_bytes;
    uint64_t flags, unknown, raw;
};
static struct {
    uint32_t magic;
    uint16_t version, bytes;
    uint64_t size;
    struct entry entry;
    char text[1 << 16];
} container = {0xBA55ED50, 1, 16, 0, {1, 0x0101, 64, 0, 0, 0, 0, 7, 0, 0, 0, 0x11, 0, 0}, ""};
static struct {
    int magic, version;
    const void *data;
    void *more;
} wrapper = {0x466243B1, 1, &container, NULL};

/* Registers `bytes` of PTX, below 64 KB, of version 7.minor for compute capability sm. */
static void **register_ptx(const char *ptx, size_t bytes, uint16_t minor, uint32_t sm)
{
    memcpy(container.text, ptx, bytes);
    container.entry.payload = (bytes + 8) / 8 * 8;
    container.entry.minor = minor;
    container.entry.sm = sm;
    container.size = sizeof container.entry + container.entry.payload;
    return __cudaRegisterFatBinary(&wrapper);
}

static inline void register_kernel(void **h, const void *stub, char *name)
{
    __cudaRegisterFunction(h, stub, name, name, -1, NULL, NULL, NULL, NULL, NULL);
}

#endif
