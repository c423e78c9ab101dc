// What every program here uses: results are compared on the host; a failure names its line.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                     \
    do {                                                                                \
        cudaError_t error_ = (call);                                                    \
        if (error_ != cudaSuccess) {                                                    \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(error_)); \
            exit(1);                                                                    \
        }                                                                               \
    } while (0)

#define GIVES(call, wanted)                                                             \
    do {                                                                                \
        cudaError_t error_ = (call);                                                    \
        if (error_ != (wanted)) {                                                       \
            printf("%s:%d: %s gives %s, not %s\n", __FILE__, __LINE__, #call,           \
                   cudaGetErrorName(error_), #wanted);                                  \
            exit(1);                                                                    \
        }                                                                               \
    } while (0)

#define EXPECT(condition)                                                               \
    do {                                                                                \
        if (!(condition)) {                                                             \
            printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);        \
            exit(1);                                                                    \
        }                                                                               \
    } while (0)
