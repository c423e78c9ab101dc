/* tests/cuda/elements.h -- matrices of any type, stored by columns or by rows, with gaps: what they
 * hold, and its copy on the device. */
#ifndef MDP_TESTS_CUDA_ELEMENTS_H
#define MDP_TESTS_CUDA_ELEMENTS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tests/cuda/driver_types.h"
#include "tests/cuda/ok.h"

enum { FLOAT = 0, DOUBLE = 1, HALF = 2, BFLOAT = 14 };
#define ROOM 200 /* elements of a buffer, with gaps and batches */

struct buffer {
    int type, by_rows, ld, stride;
    double v[ROOM]; /* what it holds */
    void *d;
};

static inline int size_of(int type)
{
    return type == DOUBLE ? 8 : type == FLOAT ? 4 : 2;
}

static inline void put(int type, void *at, double v)
{
    const float f = (float)v;
    const _Float16 h = (_Float16)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    const uint16_t wide = (uint16_t)(bits >> 16); /* exact: 8 bits are enough */
    memcpy(at,
           type == DOUBLE  ? (const void *)&v
           : type == FLOAT ? (const void *)&f
           : type == HALF  ? (const void *)&h
                           : &wide,
           (size_t)size_of(type));
}

static inline double get(int type, const void *at)
{
    double d;
    float f;
    _Float16 h;
    uint16_t wide;
    uint32_t bits;
    switch (type) {
    case DOUBLE:
        memcpy(&d, at, 8);
        return d;
    case FLOAT:
        memcpy(&f, at, 4);
        return (double)f;
    case HALF:
        memcpy(&h, at, 2);
        return (double)h;
    default:
        memcpy(&wide, at, 2);
        bits = (uint32_t)wide << 16;
        memcpy(&f, &bits, 4);
        return (double)f;
    }
}

/* Quarters from -0.5 to 0.5: sums of few products are exact in every type. */
static inline void fill(struct buffer *b, int type, int by_rows, int least, int others, int seed)
{
    unsigned char raw[ROOM * 8];
    CUdeviceptr d;
    b->type = type;
    b->by_rows = by_rows;
    b->ld = least + 1;
    b->stride = b->ld * others + 2;
    for (int i = 0; i < ROOM; i++) {
        b->v[i] = ((i * 7 + seed + i / 5) % 5 - 2) * 0.25;
        put(type, raw + i * size_of(type), b->v[i]);
    }
    OK(cuMemAlloc_v2(&d, (size_t)(ROOM * size_of(type))));
    OK(cuMemcpyHtoD_v2(d, raw, (size_t)(ROOM * size_of(type))));
    b->d = (void *)d;
}

static inline int place(const struct buffer *b, int i, int j, int batch)
{
    return batch * b->stride + (b->by_rows ? i * b->ld + j : i + j * b->ld);
}

static inline double at(const struct buffer *b, int i, int j, int batch)
{
    return b->v[place(b, i, j, batch)];
}

static inline void same(const struct buffer *b)
{
    const double bound = b->type == DOUBLE  ? 1e-9
                         : b->type == FLOAT ? 1e-6
                         : b->type == HALF  ? 1e-3
                                            : 8e-3;
    unsigned char raw[ROOM * 8];
    OK(cuMemcpyDtoH_v2(raw, (CUdeviceptr)b->d, (size_t)(ROOM * size_of(b->type))));
    for (int i = 0; i < ROOM; i++)
        EXPECT(fabs(get(b->type, raw + i * size_of(b->type)) - b->v[i]) <= bound);
}

#endif
