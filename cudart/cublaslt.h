/* cudart/cublaslt.h -- descriptors of cuBLASLt, and what its calls share.
 *
 * A program may keep descriptors in memory of its own (cublasLt...Init): its header gives it 88
 * bytes or more for an operation (CUDA 11.0; 256 in CUDA 13), 64 or more for the others. Ours are
 * no larger. Nothing is allocated below a descriptor. */
#ifndef MDP_CUDART_CUBLASLT_H
#define MDP_CUDART_CUBLASLT_H

#include "cudart/cublas.h"

#define EXPORTED_LT(type, name, ...)               \
    RT_EXPORT type rt_##name(__VA_ARGS__);         \
    RT_AT(rt_##name, name, "@libcublasLt.so.11");  \
    RT_AT(rt_##name, name, "@libcublasLt.so.12");  \
    RT_AT(rt_##name, name, "@@libcublasLt.so.13"); \
    type rt_##name(__VA_ARGS__)
#define CUBLASLT(name, ...) EXPORTED_LT(int, name, __VA_ARGS__)

enum { BY_COLUMNS, BY_ROWS }; /* cublasLtOrder_t, those of which a matrix is one piece */

struct lt_layout { /* of a matrix */
    uint32_t type;
    int32_t order;
    uint64_t rows, cols;
    int64_t ld, stride;
    int32_t batch;
};

struct lt_matmul { /* an operation; aux, bias: pointers of the device */
    int32_t compute, scale, pointers, transa, transb;
    uint32_t epilogue;
    uint64_t bias, aux;
    int64_t bias_stride, aux_ld, aux_stride;
    int32_t bias_type, aux_type, cores; /* a type of -1: as the result's */
    int8_t fast;
};

/* Which algorithm is asked for: there is one, so that no preference matters. */
struct lt_preference {
    uint64_t workspace, numerics;
    uint32_t search, reductions, aligned[4], math, gaussian, pointers, epilogues;
    int32_t cores;
    float waves;
};

struct lt_algorithm {
    uint64_t data[8];
};
struct lt_heuristic { /* what a program reads about an algorithm */
    struct lt_algorithm algorithm;
    size_t workspace;
    int status;
    float waves;
    int reserved[4];
};

/* One line on stderr; CUBLAS_STATUS_NOT_SUPPORTED. */
int cublaslt_refuse(const char *call, const char *what);

#endif
