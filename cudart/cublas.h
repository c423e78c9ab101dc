/* cudart/cublas.h -- a call of cuBLAS, and how it is computed: with GSL's CBLAS, on copies of what
 * it uses of device memory. Matrices are stored by columns. */
#ifndef MDP_CUDART_CUBLAS_H
#define MDP_CUDART_CUBLAS_H

#include "cudart/rt.h"

enum { FLOAT, DOUBLE, HALF, BYTE = 3, INT = 10, BFLOAT = 14 }; /* cudaDataType, real types */
enum what {                                                    /* the second row: cublas_matrix.c */
            NRM2,
            ASUM,
            DOT,
            AXPY,
            SCAL,
            COPY,
            SWAP,
            AMAX,
            GEMV,
            GER,
            GEMM,
            SYMM,
            SYRK,
            TRMM,
            TRSM,
            TRSV,
            SYMV,
            GEAM,
            GETRF,
            GETRI
};
enum { /* cublasStatus_t */
       OK,
       NOT_INITIALIZED,
       ALLOC_FAILED = 3,
       INVALID_VALUE = 7,
       EXECUTION_FAILED = 13,
       NOT_SUPPORTED = 15
};

#define CUBLAS_VERSION 130000

typedef struct blas_handle {
    CUstream stream;
    int math, atomics;
    bool on_device; /* alpha, beta and results are in device memory */
} * Handle;

#define EXPORTED(type, name, ...)                \
    RT_EXPORT type rt_##name(__VA_ARGS__);       \
    RT_AT(rt_##name, name, "@libcublas.so.11");  \
    RT_AT(rt_##name, name, "@libcublas.so.12");  \
    RT_AT(rt_##name, name, "@@libcublas.so.13"); \
    type rt_##name(__VA_ARGS__)
#define CUBLAS(name, ...) EXPORTED(int, name, __VA_ARGS__)

/* The calls of CBLAS come in floats and doubles. */
#define BOTH(call_float, call_double) \
    do {                              \
        if (c->scalar == DOUBLE) {    \
            call_double;              \
        } else {                      \
            call_float;               \
        }                             \
    } while (0)

struct matrix { /* or vector */
    CUdeviceptr at;
    int type, ld; /* ld: a vector's step */
    long long stride;
};

/* What cuBLASLt does with a product before it is stored: cublasLtEpilogue_t, whose bits these are.
 */
enum {
    EPILOGUE_NONE = 1,
    EPILOGUE_RELU = 2,
    EPILOGUE_BIAS = 4,
    EPILOGUE_GELU = 32,
    EPILOGUE_DGELU = 64,
    EPILOGUE_AUX = 128,
    EPILOGUE_SUM_A = 256,
    EPILOGUE_SUM_B = 512,
    EPILOGUE_VECTOR = EPILOGUE_BIAS | EPILOGUE_SUM_A | EPILOGUE_SUM_B
};
struct epilogue {
    unsigned kind;           /* 0: as EPILOGUE_NONE */
    bool along_row;          /* the bias has an element a column */
    struct matrix bias, aux; /* bias: a vector */
};

struct call {
    enum what what;
    const char *name;
    int m, n, k, transa, transb, batch;
    int right, upper, unit; /* where a symmetric or triangular matrix stands, and what it has */
    bool arrays;            /* a, b, c point to arrays of pointers */
    double alpha, beta;
    const void *alpha_at, *beta_at; /* NULL: alpha, beta hold them */
    int scalar;                     /* their type, and of the computation */
    struct matrix a, b, c;
    void *result; /* of GETRF and GETRI, in device memory: pivots, n a matrix; NULL: none */
    int *info;    /* ... a word a matrix: 0, or at which element it is singular */
    bool on_device;
    bool typed;        /* the result is of c.type, not of `scalar` */
    struct matrix add; /* of a GEMM: what beta multiplies; at 0: c */
    struct epilogue epilogue;
};

static inline struct matrix cublas_matrix(const void *at, int type, int ld, long long stride)
{
    return (struct matrix){(CUdeviceptr)(uintptr_t)at, type, ld, stride};
}
/* A status. alpha and beta are where the handle's pointer mode says; NULL: it takes none. */
int cublas_submit(Handle h, struct call *c, const void *alpha, const void *beta);

int cublas_create(Handle *h); /* a status */
int cublas_destroy(Handle h);
/* The type that a cublasComputeType_t computes in, or what CUDA 10 gave for it, a type of data; -1:
 * there is none. */
int cublas_computed_in(int compute);
const char *cublas_status_name(int status);
int cublas_property(int which, int *value); /* of the version: a status */

bool cublas_is_type(int type); /* of elements that there are */
/* A scalar, of c->scalar, where the program says, which may be the device's. NULL: *v is it. */
bool cublas_scalar(const struct call *c, const void *at, double *v);
/* Of calls that cublas_matrix.c has: whether the shape is one; elements of a, b and c; the
 * computation, of the batch's element number `i`. False: memory is not the device's. */
bool cublas_matrix_ok(const struct call *c);
void cublas_matrix_sizes(const struct call *c, size_t n[3]);
bool cublas_matrix_compute(const struct call *c, int i, void *a, void *b, void *out);
/* Columns of `rows` elements, ld apart. */
size_t cublas_columns(int rows, int cols, int ld);
size_t cublas_vector(int n, int step);
/* A matrix in memory, and as the type that is computed in. False: not all of it is memory. */
struct view {
    void *own;  /* as it is */
    void *work; /* as `as`; NULL: own */
    size_t n, bytes;
    int type, as;
};
bool cublas_view_get(struct view *v, const struct matrix *m, size_t n, int as);
void *cublas_view_at(const struct view *v);
bool cublas_view_put(struct view *v, const struct matrix *m);
void cublas_view_free(struct view *v); /* after cublas_view_get, whatever that returned */
size_t cublas_bytes(int type);
double cublas_load(int type, const void *at, size_t i);
void cublas_store(int type, void *at, size_t i, double v);
/* A GEMM's `add` in the place of its result; its epilogue, on results that are not stored yet. */
bool cublas_start(const struct call *c, void *out);
bool cublas_finish(const struct call *c, const void *a, const void *b, void *out);
/* Work of a graph: data is a struct call, which is computed and counted. */
CUresult cublas_run(const void *data, CUstream stream);

#endif
