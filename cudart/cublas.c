/* cublas.c -- what programs mix with their own kernels of cuBLAS, computed by the host with GSL's
 * CBLAS: the library's own kernels are machine code. It is counted in the report; no time passes on
 * the device. What is missing here refuses by name (cublas.list). */
#include <stdlib.h>

#include "cudart/cublas.h"

static bool shape_ok(const struct call *c)
{
    const bool ta = c->transa, tb = c->transb;
    if (c->m < 0 || c->n < 0 || c->k < 0 || c->batch < 0 || c->transa < 0 || c->transa > 2 ||
        c->transb < 0 || c->transb > 2 || !cublas_is_type(c->a.type) ||
        !cublas_is_type(c->b.type) || !cublas_is_type(c->c.type))
        return false;
    if (c->what > GEMM)
        return cublas_matrix_ok(c);
    const int rows_a = c->what == GEMM && ta ? c->k : c->m, rows_b = tb ? c->n : c->k;
    if (c->what == GEMM && (c->b.ld < (rows_b > 1 ? rows_b : 1)))
        return false;
    if ((c->what == GEMM || c->what == GEMV) && c->a.ld < (rows_a > 1 ? rows_a : 1))
        return false;
    return (c->what != GEMM && c->what != GER) || c->c.ld >= (c->m > 1 ? c->m : 1);
}

int cublas_submit(Handle h, struct call *c, const void *alpha, const void *beta)
{
    SESSION_CALL();
    if (!h || rt_ready() != cudaSuccess)
        return NOT_INITIALIZED;
    if (!shape_ok(c))
        return INVALID_VALUE;
    if (!c->batch && c->what < GEMM)
        c->batch = 1;
    if (h->on_device) {
        c->alpha_at = alpha;
        c->beta_at = beta;
    } else if (!cublas_scalar(c, alpha, &c->alpha) || !cublas_scalar(c, beta, &c->beta)) {
        return INVALID_VALUE;
    }
    const struct graph_work w = {GRAPH_EMPTY, cublas_run, c, sizeof *c};
    CUresult r = session_own_stream(h->stream);
    if (r == CUDA_SUCCESS && !graph_capture(h->stream, &w, &r) &&
        !pending_later(session_current(), h->stream, &w))
        r = cublas_run(c, h->stream);
    return r == CUDA_SUCCESS ? OK : EXECUTION_FAILED;
}

/* -- handles */

int cublas_create(Handle *h)
{
    SESSION_CALL();
    if (!h)
        return INVALID_VALUE;
    if (rt_ready() != cudaSuccess)
        return NOT_INITIALIZED;
    *h = xcalloc(1, sizeof **h);
    return OK;
}

int cublas_destroy(Handle h)
{
    free(h);
    return h ? OK : NOT_INITIALIZED;
}

CUBLAS(cublasCreate_v2, Handle *h)
{
    return cublas_create(h);
}

CUBLAS(cublasDestroy_v2, Handle h)
{
    return cublas_destroy(h);
}

#define SETTING(set, get, type, field)                            \
    CUBLAS(set, Handle h, type value)                             \
    {                                                             \
        if (h)                                                    \
            h->field = value;                                     \
        return h ? OK : NOT_INITIALIZED;                          \
    }                                                             \
    CUBLAS(get, Handle h, type *value)                            \
    {                                                             \
        if (h && value)                                           \
            *value = h->field;                                    \
        return !h ? NOT_INITIALIZED : value ? OK : INVALID_VALUE; \
    }
SETTING(cublasSetStream_v2, cublasGetStream_v2, CUstream, stream)
SETTING(cublasSetMathMode, cublasGetMathMode, int, math)
SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, int, atomics)
SETTING(cublasSetPointerMode_v2, cublasGetPointerMode_v2, int, on_device)

CUBLAS(cublasSetWorkspace_v2, Handle h, void *at, size_t bytes)
{
    (void)at, (void)bytes;
    return h ? OK : NOT_INITIALIZED;
}

CUBLAS(cublasGetVersion_v2, Handle h, int *version)
{
    (void)h;
    if (version)
        *version = CUBLAS_VERSION;
    return version ? OK : INVALID_VALUE;
}

int cublas_property(int which, int *value)
{
    if (!value || which < 0 || which > 2)
        return INVALID_VALUE;
    *value = which == 0 ? CUBLAS_VERSION / 10000 : 0;
    return OK;
}

CUBLAS(cublasGetProperty, int which, int *value)
{
    return cublas_property(which, value);
}

const char *cublas_status_name(int status)
{
    static const struct {
        int status;
        const char *name;
    } names[] = {{OK, "CUBLAS_STATUS_SUCCESS"},
                 {NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED"},
                 {ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED"},
                 {INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE"},
                 {EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED"},
                 {NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status)
            return names[i].name;
    return "CUBLAS_STATUS_INTERNAL_ERROR";
}

EXPORTED(const char *, cublasGetStatusName, int status)
{
    return cublas_status_name(status);
}

EXPORTED(const char *, cublasGetStatusString, int status)
{
    return cublas_status_name(status);
}

/* -- vectors and matrices, floats and doubles */

#define LEVELS(S, Is, type, t)                                                                     \
    CUBLAS(cublas##S##nrm2_v2, Handle h, int n, const type *x, int ix, type *result)               \
    {                                                                                              \
        struct call c = {.what = NRM2, .name = "cublas" #S "nrm2", .n = n, .scalar = t};           \
        c.a = cublas_matrix(x, t, ix, 0);                                                          \
        c.result = result;                                                                         \
        return result ? cublas_submit(h, &c, NULL, NULL) : INVALID_VALUE;                          \
    }                                                                                              \
    CUBLAS(cublas##S##asum_v2, Handle h, int n, const type *x, int ix, type *result)               \
    {                                                                                              \
        struct call c = {.what = ASUM, .name = "cublas" #S "asum", .n = n, .scalar = t};           \
        c.a = cublas_matrix(x, t, ix, 0);                                                          \
        c.result = result;                                                                         \
        return result ? cublas_submit(h, &c, NULL, NULL) : INVALID_VALUE;                          \
    }                                                                                              \
    CUBLAS(cublasI##Is##amax_v2, Handle h, int n, const type *x, int ix, int *result)              \
    {                                                                                              \
        struct call c = {.what = AMAX, .name = "cublasI" #Is "amax", .n = n, .scalar = t};         \
        c.a = cublas_matrix(x, t, ix, 0);                                                          \
        c.result = result;                                                                         \
        return result ? cublas_submit(h, &c, NULL, NULL) : INVALID_VALUE;                          \
    }                                                                                              \
    CUBLAS(cublas##S##dot_v2, Handle h, int n, const type *x, int ix, const type *y, int iy,       \
           type *result)                                                                           \
    {                                                                                              \
        struct call c = {.what = DOT, .name = "cublas" #S "dot", .n = n, .scalar = t};             \
        c.a = cublas_matrix(x, t, ix, 0);                                                          \
        c.b = cublas_matrix(y, t, iy, 0);                                                          \
        c.result = result;                                                                         \
        return result ? cublas_submit(h, &c, NULL, NULL) : INVALID_VALUE;                          \
    }                                                                                              \
    CUBLAS(cublas##S##axpy_v2, Handle h, int n, const type *alpha, const type *x, int ix, type *y, \
           int iy)                                                                                 \
    {                                                                                              \
        struct call c = {.what = AXPY, .name = "cublas" #S "axpy", .n = n, .scalar = t};           \
        c.a = cublas_matrix(x, t, ix, 0);                                                          \
        c.c = cublas_matrix(y, t, iy, 0);                                                          \
        return alpha ? cublas_submit(h, &c, alpha, NULL) : INVALID_VALUE;                          \
    }                                                                                              \
    CUBLAS(cublas##S##scal_v2, Handle h, int n, const type *alpha, type *x, int ix)                \
    {                                                                                              \
        struct call c = {.what = SCAL, .name = "cublas" #S "scal", .n = n, .scalar = t};           \
        c.c = cublas_matrix(x, t, ix, 0);                                                          \
        return alpha ? cublas_submit(h, &c, alpha, NULL) : INVALID_VALUE;                          \
    }                                                                                              \
    CUBLAS(cublas##S##copy_v2, Handle h, int n, const type *x, int ix, type *y, int iy)            \
    {                                                                                              \
        struct call c = {.what = COPY, .name = "cublas" #S "copy", .n = n, .scalar = t};           \
        c.a = cublas_matrix(x, t, ix, 0);                                                          \
        c.c = cublas_matrix(y, t, iy, 0);                                                          \
        return cublas_submit(h, &c, NULL, NULL);                                                   \
    }                                                                                              \
    CUBLAS(cublas##S##swap_v2, Handle h, int n, type *x, int ix, type *y, int iy)                  \
    {                                                                                              \
        struct call c = {.what = SWAP, .name = "cublas" #S "swap", .n = n, .scalar = t};           \
        c.a = cublas_matrix(x, t, ix, 0);                                                          \
        c.c = cublas_matrix(y, t, iy, 0);                                                          \
        return cublas_submit(h, &c, NULL, NULL);                                                   \
    }                                                                                              \
    CUBLAS(cublas##S##gemv_v2, Handle h, int trans, int m, int n, const type *alpha,               \
           const type *a, int lda, const type *x, int ix, const type *beta, type *y, int iy)       \
    {                                                                                              \
        struct call c = {.what = GEMV, .name = "cublas" #S "gemv", .m = m, .n = n, .scalar = t};   \
        c.transa = trans;                                                                          \
        c.a = cublas_matrix(a, t, lda, 0);                                                         \
        c.b = cublas_matrix(x, t, ix, 0);                                                          \
        c.c = cublas_matrix(y, t, iy, 0);                                                          \
        return alpha && beta ? cublas_submit(h, &c, alpha, beta) : INVALID_VALUE;                  \
    }                                                                                              \
    CUBLAS(cublas##S##ger_v2, Handle h, int m, int n, const type *alpha, const type *x, int ix,    \
           const type *y, int iy, type *a, int lda)                                                \
    {                                                                                              \
        struct call c = {.what = GER, .name = "cublas" #S "ger", .m = m, .n = n, .scalar = t};     \
        c.a = cublas_matrix(x, t, ix, 0);                                                          \
        c.b = cublas_matrix(y, t, iy, 0);                                                          \
        c.c = cublas_matrix(a, t, lda, 0);                                                         \
        return alpha ? cublas_submit(h, &c, alpha, NULL) : INVALID_VALUE;                          \
    }                                                                                              \
    CUBLAS(cublas##S##gemm_v2, Handle h, int ta, int tb, int m, int n, int k, const type *alpha,   \
           const type *a, int lda, const type *b, int ldb, const type *beta, type *out, int ldc)   \
    {                                                                                              \
        struct call c = {GEMM, "cublas" #S "gemm", m, n, k, ta, tb, 1, .scalar = t};               \
        c.a = cublas_matrix(a, t, lda, 0);                                                         \
        c.b = cublas_matrix(b, t, ldb, 0);                                                         \
        c.c = cublas_matrix(out, t, ldc, 0);                                                       \
        return alpha && beta ? cublas_submit(h, &c, alpha, beta) : INVALID_VALUE;                  \
    }                                                                                              \
    CUBLAS(cublas##S##gemmStridedBatched, Handle h, int ta, int tb, int m, int n, int k,           \
           const type *alpha, const type *a, int lda, long long sa, const type *b, int ldb,        \
           long long sb, const type *beta, type *out, int ldc, long long sc, int batch)            \
    {                                                                                              \
        struct call c = {GEMM,       "cublas" #S "gemmStridedBatched", m, n, k, ta, tb, batch,     \
                         .scalar = t};                                                             \
        c.a = cublas_matrix(a, t, lda, sa);                                                        \
        c.b = cublas_matrix(b, t, ldb, sb);                                                        \
        c.c = cublas_matrix(out, t, ldc, sc);                                                      \
        return alpha && beta ? cublas_submit(h, &c, alpha, beta) : INVALID_VALUE;                  \
    }                                                                                              \
    CUBLAS(cublas##S##gemmBatched, Handle h, int ta, int tb, int m, int n, int k,                  \
           const type *alpha, const type *const *a, int lda, const type *const *b, int ldb,        \
           const type *beta, type *const *out, int ldc, int batch)                                 \
    {                                                                                              \
        struct call c = {                                                                          \
            GEMM, "cublas" #S "gemmBatched", m, n, k, ta, tb, batch, .arrays = true, .scalar = t}; \
        c.a = cublas_matrix(a, t, lda, 0);                                                         \
        c.b = cublas_matrix(b, t, ldb, 0);                                                         \
        c.c = cublas_matrix(out, t, ldc, 0);                                                       \
        return alpha && beta ? cublas_submit(h, &c, alpha, beta) : INVALID_VALUE;                  \
    }
LEVELS(S, s, float, FLOAT)
LEVELS(D, d, double, DOUBLE)

/* -- mixed types: alpha and beta have the type that is computed in */

int cublas_computed_in(int compute)
{
    switch (compute) {
    case 64:
    case 65:
    case HALF:
        return HALF;
    case 68:
    case 69:
    case 74:
    case 75:
    case 77:
    case 78:
    case FLOAT:
        return FLOAT;
    case 70:
    case 71:
    case 79:
    case DOUBLE:
        return DOUBLE;
    case 72:
    case 73:
    case INT:
        return INT;
    }
    return -1;
}

static int computed_in(int compute)
{
    const int type = cublas_computed_in(compute);
    return type < 0 ? FLOAT : type;
}

CUBLAS(cublasGemmEx, Handle h, int ta, int tb, int m, int n, int k, const void *alpha,
       const void *a, int at, int lda, const void *b, int bt, int ldb, const void *beta, void *out,
       int ct, int ldc, int compute_, int algorithm)
{
    (void)algorithm;
    struct call c = {GEMM, "cublasGemmEx", m, n, k, ta, tb, 1, .scalar = computed_in(compute_)};
    c.a = cublas_matrix(a, at, lda, 0);
    c.b = cublas_matrix(b, bt, ldb, 0);
    c.c = cublas_matrix(out, ct, ldc, 0);
    return alpha && beta ? cublas_submit(h, &c, alpha, beta) : INVALID_VALUE;
}

CUBLAS(cublasSgemmEx, Handle h, int ta, int tb, int m, int n, int k, const float *alpha,
       const void *a, int at, int lda, const void *b, int bt, int ldb, const float *beta, void *out,
       int ct, int ldc)
{
    return rt_cublasGemmEx(h, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, out, ct, ldc,
                           FLOAT, 0);
}

CUBLAS(cublasHgemm, Handle h, int ta, int tb, int m, int n, int k, const void *alpha, const void *a,
       int lda, const void *b, int ldb, const void *beta, void *out, int ldc)
{
    return rt_cublasGemmEx(h, ta, tb, m, n, k, alpha, a, HALF, lda, b, HALF, ldb, beta, out, HALF,
                           ldc, HALF, 0);
}

CUBLAS(cublasGemmStridedBatchedEx, Handle h, int ta, int tb, int m, int n, int k, const void *alpha,
       const void *a, int at, int lda, long long sa, const void *b, int bt, int ldb, long long sb,
       const void *beta, void *out, int ct, int ldc, long long sc, int batch, int compute_,
       int algorithm)
{
    (void)algorithm;
    struct call c = {GEMM,  "cublasGemmStridedBatchedEx",   m, n, k, ta, tb,
                     batch, .scalar = computed_in(compute_)};
    c.a = cublas_matrix(a, at, lda, sa);
    c.b = cublas_matrix(b, bt, ldb, sb);
    c.c = cublas_matrix(out, ct, ldc, sc);
    return alpha && beta ? cublas_submit(h, &c, alpha, beta) : INVALID_VALUE;
}

CUBLAS(cublasHgemmStridedBatched, Handle h, int ta, int tb, int m, int n, int k, const void *alpha,
       const void *a, int lda, long long sa, const void *b, int ldb, long long sb, const void *beta,
       void *out, int ldc, long long sc, int batch)
{
    return rt_cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, alpha, a, HALF, lda, sa, b, HALF, ldb,
                                         sb, beta, out, HALF, ldc, sc, batch, HALF, 0);
}

CUBLAS(cublasGemmBatchedEx, Handle h, int ta, int tb, int m, int n, int k, const void *alpha,
       const void *const *a, int at, int lda, const void *const *b, int bt, int ldb,
       const void *beta, void *const *out, int ct, int ldc, int batch, int compute_, int algorithm)
{
    (void)algorithm;
    struct call c = {GEMM,           "cublasGemmBatchedEx",          m, n, k, ta, tb, batch,
                     .arrays = true, .scalar = computed_in(compute_)};
    c.a = cublas_matrix(a, at, lda, 0);
    c.b = cublas_matrix(b, bt, ldb, 0);
    c.c = cublas_matrix(out, ct, ldc, 0);
    return alpha && beta ? cublas_submit(h, &c, alpha, beta) : INVALID_VALUE;
}

CUBLAS(cublasHgemmBatched, Handle h, int ta, int tb, int m, int n, int k, const void *alpha,
       const void *const *a, int lda, const void *const *b, int ldb, const void *beta,
       void *const *out, int ldc, int batch)
{
    return rt_cublasGemmBatchedEx(h, ta, tb, m, n, k, alpha, a, HALF, lda, b, HALF, ldb, beta, out,
                                  HALF, ldc, batch, HALF, 0);
}

CUBLAS(cublasDotEx, Handle h, int n, const void *x, int xt, int ix, const void *y, int yt, int iy,
       void *result, int type, int compute_)
{
    struct call c = {.what = DOT, .name = "cublasDotEx", .n = n, .scalar = computed_in(compute_)};
    c.a = cublas_matrix(x, xt, ix, 0);
    c.b = cublas_matrix(y, yt, iy, 0);
    c.c.type = type;
    c.typed = true;
    c.result = result;
    return result ? cublas_submit(h, &c, NULL, NULL) : INVALID_VALUE;
}

/* -- copies */

cudaError_t rt_cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                            size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t rt_cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                 size_t width, size_t height, enum cudaMemcpyKind kind,
                                 CUstream stream);

struct order { /* of a copy: whether it is in a stream's */
    bool waits;
    CUstream stream;
};

static int copy(void *dst, size_t dp, const void *src, size_t sp, const size_t box[2],
                struct order o)
{
    const cudaError_t r =
        o.waits
            ? rt_cudaMemcpy2D(dst, dp, src, sp, box[0], box[1], cudaMemcpyDefault)
            : rt_cudaMemcpy2DAsync(dst, dp, src, sp, box[0], box[1], cudaMemcpyDefault, o.stream);
    return r == cudaSuccess ? OK : EXECUTION_FAILED;
}

static int copy_vector(const int shape[2], const void *x, int ix, void *y, int iy, struct order o)
{
    if (shape[0] < 0 || shape[1] <= 0 || ix <= 0 || iy <= 0)
        return INVALID_VALUE;
    const size_t s = (size_t)shape[1];
    return copy(y, (size_t)iy * s, x, (size_t)ix * s, (size_t[]){s, (size_t)shape[0]}, o);
}

static int copy_matrix(const int shape[3], const void *a, int lda, void *b, int ldb, struct order o)
{
    const size_t s = (size_t)shape[2];
    if (shape[0] < 0 || shape[1] < 0 || shape[2] <= 0 || lda < shape[0] || ldb < shape[0])
        return INVALID_VALUE;
    return copy(b, (size_t)ldb * s, a, (size_t)lda * s,
                (size_t[]){(size_t)shape[0] * s, (size_t)shape[1]}, o);
}

#define COPIES(way)                                                                                \
    CUBLAS(cublas##way##Vector, int n, int size, const void *x, int ix, void *y, int iy)           \
    {                                                                                              \
        return copy_vector((int[]){n, size}, x, ix, y, iy, (struct order){true, NULL});            \
    }                                                                                              \
    CUBLAS(cublas##way##VectorAsync, int n, int size, const void *x, int ix, void *y, int iy,      \
           CUstream s)                                                                             \
    {                                                                                              \
        return copy_vector((int[]){n, size}, x, ix, y, iy, (struct order){false, s});              \
    }                                                                                              \
    CUBLAS(cublas##way##Matrix, int rows, int cols, int size, const void *a, int lda, void *b,     \
           int ldb)                                                                                \
    {                                                                                              \
        return copy_matrix((int[]){rows, cols, size}, a, lda, b, ldb, (struct order){true, NULL}); \
    }                                                                                              \
    CUBLAS(cublas##way##MatrixAsync, int rows, int cols, int size, const void *a, int lda,         \
           void *b, int ldb, CUstream s)                                                           \
    {                                                                                              \
        return copy_matrix((int[]){rows, cols, size}, a, lda, b, ldb, (struct order){false, s});   \
    }
COPIES(Set)
COPIES(Get)
