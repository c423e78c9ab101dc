/* cudart/cublas.h -- a call of cuBLAS, and how it is computed: with GSL's CBLAS, on copies of what
 * it uses of device memory. Matrices are stored by columns. */
#ifndef MDP_CUDART_CUBLAS_H
#define MDP_CUDART_CUBLAS_H

#include "cudart/rt.h"

enum { FLOAT, DOUBLE, HALF, BYTE = 3, INT = 10, BFLOAT = 14 }; /* cudaDataType, real types */
enum what { NRM2, ASUM, DOT, AXPY, SCAL, COPY, SWAP, AMAX, GEMV, GER, GEMM };

struct matrix { /* or vector */
    CUdeviceptr at;
    int type, ld; /* ld: a vector's step */
    long long stride;
};

struct call {
    enum what what;
    const char *name;
    int m, n, k, transa, transb, batch;
    bool arrays; /* a, b, c point to arrays of pointers */
    double alpha, beta;
    const void *alpha_at, *beta_at; /* NULL: alpha, beta hold them */
    int scalar;                     /* their type, and of the computation */
    struct matrix a, b, c;
    void *result;
    bool on_device;
};

/* Types of elements that there are. */
bool cublas_is_type(int type);
/* A scalar, of c->scalar, where the program says, which may be the device's. NULL: *v is it. */
bool cublas_scalar(const struct call *c, const void *at, double *v);
/* Work of a graph: data is a struct call, which is computed and counted. */
CUresult cublas_run(const void *data, CUstream stream);

#endif
