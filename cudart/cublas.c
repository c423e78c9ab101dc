/* cublas.c -- what programs mix with their own kernels of cuBLAS, computed by the host with GSL's
 * CBLAS: the library's own kernels are machine code. It is counted in the report; no time passes on
 * the device. What is missing here refuses by name (cublas.list). */
#include <gsl/gsl_cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cudart/rt.h"
#include "program/recorder.h"

enum { /* cublasStatus_t */
       OK,
       NOT_INITIALIZED,
       INVALID_VALUE = 7,
       EXECUTION_FAILED = 13,
       NOT_SUPPORTED = 15
};
enum { FLOAT, DOUBLE, HALF, BYTE = 3, INT = 10, BFLOAT = 14 }; /* cudaDataType, real types */
enum what { NRM2, ASUM, DOT, AXPY, SCAL, COPY, SWAP, AMAX, GEMV, GER, GEMM };

typedef struct blas_handle {
    CUstream stream;
    int math, atomics;
    bool on_device; /* alpha, beta and results are in device memory */
} * Handle;

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

#define EXPORTED(type, name, ...)                \
    RT_EXPORT type rt_##name(__VA_ARGS__);       \
    RT_AT(rt_##name, name, "@libcublas.so.11");  \
    RT_AT(rt_##name, name, "@libcublas.so.12");  \
    RT_AT(rt_##name, name, "@@libcublas.so.13"); \
    type rt_##name(__VA_ARGS__)
#define CUBLAS(name, ...) EXPORTED(int, name, __VA_ARGS__)

/* -- memory: a copy in, a copy out */

static size_t bytes_of(int type)
{
    return type == DOUBLE ? 8 : type == FLOAT || type == INT ? 4 : type == BYTE ? 1 : 2;
}

static bool is_type(int type)
{
    return type == FLOAT || type == DOUBLE || type == HALF || type == BYTE || type == INT ||
           type == BFLOAT;
}

/* Memory of the device, or of the host. */
static bool get(const void *at, void *to, size_t bytes)
{
    if (devmem_read(rt_memory(), (CUdeviceptr)(uintptr_t)at, to, bytes))
        return true;
    const CUdeviceptr p = (CUdeviceptr)(uintptr_t)at;
    if (!at || (p >= GLOBALS_BASE && p < HEAP_BASE + DEVMEM_HEAP_SPAN))
        return false;
    memcpy(to, at, bytes);
    return true;
}

static bool put(void *at, const void *from, size_t bytes)
{
    if (devmem_write(rt_memory(), (CUdeviceptr)(uintptr_t)at, from, bytes))
        return true;
    const CUdeviceptr p = (CUdeviceptr)(uintptr_t)at;
    if (!at || (p >= GLOBALS_BASE && p < HEAP_BASE + DEVMEM_HEAP_SPAN))
        return false;
    memcpy(at, from, bytes);
    return true;
}

static double load(int type, const void *at, size_t i)
{
    uint32_t wide;
    float f;
    switch (type) {
    case FLOAT:
        return ((const float *)at)[i];
    case DOUBLE:
        return ((const double *)at)[i];
    case HALF:
        return (double)((const _Float16 *)at)[i];
    case BYTE:
        return ((const int8_t *)at)[i];
    case INT:
        return ((const int32_t *)at)[i];
    default:
        wide = (uint32_t)((const uint16_t *)at)[i] << 16;
        memcpy(&f, &wide, sizeof f);
        return (double)f;
    }
}

static void store(int type, void *at, size_t i, double v)
{
    const float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    switch (type) {
    case FLOAT:
        ((float *)at)[i] = f;
        return;
    case DOUBLE:
        ((double *)at)[i] = v;
        return;
    case HALF:
        ((_Float16 *)at)[i] = (_Float16)v;
        return;
    case BYTE:
        ((int8_t *)at)[i] = (int8_t)(v > 127 ? 127 : v < -128 ? -128 : v);
        return;
    case INT:
        ((int32_t *)at)[i] = (int32_t)(int64_t)v;
        return;
    default: /* to nearest, ties to even; NaN stays NaN */
        ((uint16_t *)at)[i] =
            v != v ? 0x7fff : (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
}

/* `cols` columns of `rows`, as the type that is computed in. NULL: not all of it is memory. */
struct view {
    void *own;  /* as it is */
    void *work; /* as floats or doubles; NULL: own */
    size_t n, bytes;
    int type, as;
};

static bool view_get(struct view *v, const struct matrix *m, size_t n, int as)
{
    *v = (struct view){.n = n, .bytes = n * bytes_of(m->type), .type = m->type, .as = as};
    v->own = xmalloc(v->bytes + 8);
    if (n && !devmem_read(rt_memory(), m->at, v->own, v->bytes))
        return false;
    if (m->type == as)
        return true;
    v->work = xmalloc(n * bytes_of(as) + 8);
    for (size_t i = 0; i < n; i++)
        store(as, v->work, i, load(m->type, v->own, i));
    return true;
}

static void *view_at(const struct view *v)
{
    return v->work ? v->work : v->own;
}

static bool view_put(struct view *v, const struct matrix *m)
{
    for (size_t i = 0; v->work && i < v->n; i++)
        store(v->type, v->own, i, load(v->as, v->work, i));
    return !v->n || devmem_write(rt_memory(), m->at, v->own, v->bytes);
}

static void view_free(struct view *v)
{
    free(v->own);
    free(v->work);
}

/* -- the calls of CBLAS, in floats or doubles */

#define BOTH(call_float, call_double) \
    do {                              \
        if (c->scalar == DOUBLE) {    \
            call_double;              \
        } else {                      \
            call_float;               \
        }                             \
    } while (0)

static double reduce(const struct call *c, const void *x, const void *y)
{
    const int n = c->n, ix = c->a.ld, iy = c->b.ld;
    switch (c->what) {
    case NRM2:
        return c->scalar == DOUBLE ? cblas_dnrm2(n, x, ix) : (double)cblas_snrm2(n, x, ix);
    case ASUM:
        return c->scalar == DOUBLE ? cblas_dasum(n, x, ix) : (double)cblas_sasum(n, x, ix);
    case DOT:
        return c->scalar == DOUBLE ? cblas_ddot(n, x, ix, y, iy)
                                   : (double)cblas_sdot(n, x, ix, y, iy);
    default: /* cuBLAS counts from 1; 0: there is none */
        if (n <= 0 || ix <= 0)
            return 0;
        return 1 + (double)(c->scalar == DOUBLE ? cblas_idamax(n, x, ix) : cblas_isamax(n, x, ix));
    }
}

static void compute(const struct call *c, void *a, void *b, void *out)
{
    const enum CBLAS_TRANSPOSE ta = (enum CBLAS_TRANSPOSE)(CblasNoTrans + c->transa),
                               tb = (enum CBLAS_TRANSPOSE)(CblasNoTrans + c->transb);
    const float alpha = (float)c->alpha, beta = (float)c->beta;
    switch (c->what) {
    case AXPY:
        BOTH(cblas_saxpy(c->n, alpha, a, c->a.ld, out, c->c.ld),
             cblas_daxpy(c->n, c->alpha, a, c->a.ld, out, c->c.ld));
        return;
    case SCAL:
        BOTH(cblas_sscal(c->n, alpha, out, c->c.ld), cblas_dscal(c->n, c->alpha, out, c->c.ld));
        return;
    case COPY:
        BOTH(cblas_scopy(c->n, a, c->a.ld, out, c->c.ld),
             cblas_dcopy(c->n, a, c->a.ld, out, c->c.ld));
        return;
    case SWAP:
        BOTH(cblas_sswap(c->n, a, c->a.ld, out, c->c.ld),
             cblas_dswap(c->n, a, c->a.ld, out, c->c.ld));
        return;
    case GEMV:
        BOTH(cblas_sgemv(CblasColMajor, ta, c->m, c->n, alpha, a, c->a.ld, b, c->b.ld, beta, out,
                         c->c.ld),
             cblas_dgemv(CblasColMajor, ta, c->m, c->n, c->alpha, a, c->a.ld, b, c->b.ld, c->beta,
                         out, c->c.ld));
        return;
    case GER:
        BOTH(cblas_sger(CblasColMajor, c->m, c->n, alpha, a, c->a.ld, b, c->b.ld, out, c->c.ld),
             cblas_dger(CblasColMajor, c->m, c->n, c->alpha, a, c->a.ld, b, c->b.ld, out, c->c.ld));
        return;
    default:
        BOTH(cblas_sgemm(CblasColMajor, ta, tb, c->m, c->n, c->k, alpha, a, c->a.ld, b, c->b.ld,
                         beta, out, c->c.ld),
             cblas_dgemm(CblasColMajor, ta, tb, c->m, c->n, c->k, c->alpha, a, c->a.ld, b, c->b.ld,
                         c->beta, out, c->c.ld));
    }
}

static size_t vector(int n, int step)
{
    const int by = step < 0 ? -step : step;
    return n > 0 ? (size_t)(n - 1) * (size_t)by + 1 : 0;
}

static size_t columns(int rows, int cols, int ld)
{
    return rows > 0 && cols > 0 ? (size_t)(cols - 1) * (size_t)ld + (size_t)rows : 0;
}

/* Elements of a, b and c. */
static void sizes(const struct call *c, size_t n[3])
{
    const bool ta = c->transa, tb = c->transb;
    n[0] = n[1] = n[2] = 0;
    switch (c->what) {
    case GEMM:
        n[0] = columns(ta ? c->k : c->m, ta ? c->m : c->k, c->a.ld);
        n[1] = columns(tb ? c->n : c->k, tb ? c->k : c->n, c->b.ld);
        n[2] = columns(c->m, c->n, c->c.ld);
        return;
    case GEMV:
        n[0] = columns(c->m, c->n, c->a.ld);
        n[1] = vector(ta ? c->m : c->n, c->b.ld);
        n[2] = vector(ta ? c->n : c->m, c->c.ld);
        return;
    case GER:
        n[0] = vector(c->m, c->a.ld);
        n[1] = vector(c->n, c->b.ld);
        n[2] = columns(c->m, c->n, c->c.ld);
        return;
    case AXPY:
    case COPY:
    case SWAP:
        n[0] = vector(c->n, c->a.ld);
        n[2] = vector(c->n, c->c.ld);
        return;
    case SCAL:
        n[2] = vector(c->n, c->c.ld);
        return;
    default:
        n[0] = vector(c->n, c->a.ld);
        n[1] = c->what == DOT ? vector(c->n, c->b.ld) : 0;
    }
}

static bool do_one(const struct call *c)
{
    size_t n[3];
    struct view a, b, out;
    sizes(c, n);
    bool ok = view_get(&a, &c->a, n[0], c->scalar);
    ok &= view_get(&b, &c->b, n[1], c->scalar);
    ok &= view_get(&out, &c->c, n[2], c->scalar);
    if (ok && c->result) {
        const double v = reduce(c, view_at(&a), view_at(&b));
        const int i = (int)v;
        const float f = (float)v;
        ok = c->what == AMAX       ? put(c->result, &i, sizeof i)
             : c->scalar == DOUBLE ? put(c->result, &v, sizeof v)
                                   : put(c->result, &f, sizeof f);
    } else if (ok && (n[0] || n[2])) {
        compute(c, view_at(&a), view_at(&b), view_at(&out));
        ok = view_put(&out, &c->c) && (c->what != SWAP || view_put(&a, &c->a));
    }
    view_free(&a);
    view_free(&b);
    view_free(&out);
    return ok;
}

static bool scalar_at(const struct call *c, const void *at, double *v)
{
    unsigned char raw[8];
    if (!at)
        return true;
    if (!get(at, raw, bytes_of(c->scalar)))
        return false;
    *v = load(c->scalar, raw, 0);
    return true;
}

static CUresult run(const void *data, CUstream stream)
{
    struct call c = *(const struct call *)data;
    (void)stream;
    struct record_host_call r = {""};
    snprintf(r.name, sizeof r.name, "%s", c.name);
    recorder_put(rt_recorder(), RECORD_HOST_CALL, &r, sizeof r);
    bool ok = scalar_at(&c, c.alpha_at, &c.alpha) && scalar_at(&c, c.beta_at, &c.beta);
    if (c.scalar != DOUBLE &&
        c.scalar != FLOAT) /* halves are computed in floats, integers exactly */
        c.scalar = c.scalar == INT ? DOUBLE : FLOAT;
    const struct matrix first[3] = {c.a, c.b, c.c};
    for (int i = 0; ok && i < c.batch; i++) {
        struct matrix *m[3] = {&c.a, &c.b, &c.c};
        for (int k = 0; ok && k < 3; k++)
            if (c.arrays)
                ok = devmem_read(rt_memory(), first[k].at + 8 * (unsigned)i, &m[k]->at, 8);
            else
                m[k]->at =
                    first[k].at + (CUdeviceptr)(first[k].stride * i) * bytes_of(first[k].type);
        ok = ok && do_one(&c);
    }
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool shape_ok(const struct call *c)
{
    const bool ta = c->transa, tb = c->transb;
    if (c->m < 0 || c->n < 0 || c->k < 0 || c->batch < 0 || c->transa < 0 || c->transa > 2 ||
        c->transb < 0 || c->transb > 2 || !is_type(c->a.type) || !is_type(c->b.type) ||
        !is_type(c->c.type))
        return false;
    const int rows_a = c->what == GEMM && ta ? c->k : c->m, rows_b = tb ? c->n : c->k;
    if (c->what == GEMM && (c->b.ld < (rows_b > 1 ? rows_b : 1)))
        return false;
    if ((c->what == GEMM || c->what == GEMV) && c->a.ld < (rows_a > 1 ? rows_a : 1))
        return false;
    return (c->what != GEMM && c->what != GER) || c->c.ld >= (c->m > 1 ? c->m : 1);
}

static int submit(Handle h, struct call *c, const void *alpha, const void *beta)
{
    SESSION_CALL();
    if (!h || rt_ready() != cudaSuccess)
        return NOT_INITIALIZED;
    if (!shape_ok(c))
        return INVALID_VALUE;
    if (!c->batch && c->what != GEMM)
        c->batch = 1;
    if (h->on_device) {
        c->alpha_at = alpha;
        c->beta_at = beta;
    } else if (!scalar_at(c, alpha, &c->alpha) || !scalar_at(c, beta, &c->beta)) {
        return INVALID_VALUE;
    }
    const struct graph_work w = {GRAPH_EMPTY, run, c, sizeof *c};
    CUresult r = session_own_stream(h->stream);
    if (r == CUDA_SUCCESS && !graph_capture(h->stream, &w, &r))
        r = run(c, h->stream);
    return r == CUDA_SUCCESS ? OK : EXECUTION_FAILED;
}

static struct matrix matrix(const void *at, int type, int ld, long long stride)
{
    return (struct matrix){(CUdeviceptr)(uintptr_t)at, type, ld, stride};
}

/* -- handles */

CUBLAS(cublasCreate_v2, Handle *h)
{
    SESSION_CALL();
    if (!h)
        return INVALID_VALUE;
    if (rt_ready() != cudaSuccess)
        return NOT_INITIALIZED;
    *h = xcalloc(1, sizeof **h);
    return OK;
}

CUBLAS(cublasDestroy_v2, Handle h)
{
    free(h);
    return h ? OK : NOT_INITIALIZED;
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
        *version = 130000;
    return version ? OK : INVALID_VALUE;
}

CUBLAS(cublasGetProperty, int which, int *value)
{
    if (!value || which < 0 || which > 2)
        return INVALID_VALUE;
    *value = which == 0 ? 13 : 0;
    return OK;
}

static const char *status_name(int status)
{
    static const struct {
        int status;
        const char *name;
    } names[] = {{OK, "CUBLAS_STATUS_SUCCESS"},
                 {NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED"},
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
    return status_name(status);
}

EXPORTED(const char *, cublasGetStatusString, int status)
{
    return status_name(status);
}

/* -- vectors and matrices, floats and doubles */

#define LEVELS(S, Is, type, t)                                                                     \
    CUBLAS(cublas##S##nrm2_v2, Handle h, int n, const type *x, int ix, type *result)               \
    {                                                                                              \
        struct call c = {.what = NRM2, .name = "cublas" #S "nrm2", .n = n, .scalar = t};           \
        c.a = matrix(x, t, ix, 0);                                                                 \
        c.result = result;                                                                         \
        return result ? submit(h, &c, NULL, NULL) : INVALID_VALUE;                                 \
    }                                                                                              \
    CUBLAS(cublas##S##asum_v2, Handle h, int n, const type *x, int ix, type *result)               \
    {                                                                                              \
        struct call c = {.what = ASUM, .name = "cublas" #S "asum", .n = n, .scalar = t};           \
        c.a = matrix(x, t, ix, 0);                                                                 \
        c.result = result;                                                                         \
        return result ? submit(h, &c, NULL, NULL) : INVALID_VALUE;                                 \
    }                                                                                              \
    CUBLAS(cublasI##Is##amax_v2, Handle h, int n, const type *x, int ix, int *result)              \
    {                                                                                              \
        struct call c = {.what = AMAX, .name = "cublasI" #Is "amax", .n = n, .scalar = t};         \
        c.a = matrix(x, t, ix, 0);                                                                 \
        c.result = result;                                                                         \
        return result ? submit(h, &c, NULL, NULL) : INVALID_VALUE;                                 \
    }                                                                                              \
    CUBLAS(cublas##S##dot_v2, Handle h, int n, const type *x, int ix, const type *y, int iy,       \
           type *result)                                                                           \
    {                                                                                              \
        struct call c = {.what = DOT, .name = "cublas" #S "dot", .n = n, .scalar = t};             \
        c.a = matrix(x, t, ix, 0);                                                                 \
        c.b = matrix(y, t, iy, 0);                                                                 \
        c.result = result;                                                                         \
        return result ? submit(h, &c, NULL, NULL) : INVALID_VALUE;                                 \
    }                                                                                              \
    CUBLAS(cublas##S##axpy_v2, Handle h, int n, const type *alpha, const type *x, int ix, type *y, \
           int iy)                                                                                 \
    {                                                                                              \
        struct call c = {.what = AXPY, .name = "cublas" #S "axpy", .n = n, .scalar = t};           \
        c.a = matrix(x, t, ix, 0);                                                                 \
        c.c = matrix(y, t, iy, 0);                                                                 \
        return alpha ? submit(h, &c, alpha, NULL) : INVALID_VALUE;                                 \
    }                                                                                              \
    CUBLAS(cublas##S##scal_v2, Handle h, int n, const type *alpha, type *x, int ix)                \
    {                                                                                              \
        struct call c = {.what = SCAL, .name = "cublas" #S "scal", .n = n, .scalar = t};           \
        c.c = matrix(x, t, ix, 0);                                                                 \
        return alpha ? submit(h, &c, alpha, NULL) : INVALID_VALUE;                                 \
    }                                                                                              \
    CUBLAS(cublas##S##copy_v2, Handle h, int n, const type *x, int ix, type *y, int iy)            \
    {                                                                                              \
        struct call c = {.what = COPY, .name = "cublas" #S "copy", .n = n, .scalar = t};           \
        c.a = matrix(x, t, ix, 0);                                                                 \
        c.c = matrix(y, t, iy, 0);                                                                 \
        return submit(h, &c, NULL, NULL);                                                          \
    }                                                                                              \
    CUBLAS(cublas##S##swap_v2, Handle h, int n, type *x, int ix, type *y, int iy)                  \
    {                                                                                              \
        struct call c = {.what = SWAP, .name = "cublas" #S "swap", .n = n, .scalar = t};           \
        c.a = matrix(x, t, ix, 0);                                                                 \
        c.c = matrix(y, t, iy, 0);                                                                 \
        return submit(h, &c, NULL, NULL);                                                          \
    }                                                                                              \
    CUBLAS(cublas##S##gemv_v2, Handle h, int trans, int m, int n, const type *alpha,               \
           const type *a, int lda, const type *x, int ix, const type *beta, type *y, int iy)       \
    {                                                                                              \
        struct call c = {.what = GEMV, .name = "cublas" #S "gemv", .m = m, .n = n, .scalar = t};   \
        c.transa = trans;                                                                          \
        c.a = matrix(a, t, lda, 0);                                                                \
        c.b = matrix(x, t, ix, 0);                                                                 \
        c.c = matrix(y, t, iy, 0);                                                                 \
        return alpha && beta ? submit(h, &c, alpha, beta) : INVALID_VALUE;                         \
    }                                                                                              \
    CUBLAS(cublas##S##ger_v2, Handle h, int m, int n, const type *alpha, const type *x, int ix,    \
           const type *y, int iy, type *a, int lda)                                                \
    {                                                                                              \
        struct call c = {.what = GER, .name = "cublas" #S "ger", .m = m, .n = n, .scalar = t};     \
        c.a = matrix(x, t, ix, 0);                                                                 \
        c.b = matrix(y, t, iy, 0);                                                                 \
        c.c = matrix(a, t, lda, 0);                                                                \
        return alpha ? submit(h, &c, alpha, NULL) : INVALID_VALUE;                                 \
    }                                                                                              \
    CUBLAS(cublas##S##gemm_v2, Handle h, int ta, int tb, int m, int n, int k, const type *alpha,   \
           const type *a, int lda, const type *b, int ldb, const type *beta, type *out, int ldc)   \
    {                                                                                              \
        struct call c = {GEMM, "cublas" #S "gemm", m, n, k, ta, tb, 1, .scalar = t};               \
        c.a = matrix(a, t, lda, 0);                                                                \
        c.b = matrix(b, t, ldb, 0);                                                                \
        c.c = matrix(out, t, ldc, 0);                                                              \
        return alpha && beta ? submit(h, &c, alpha, beta) : INVALID_VALUE;                         \
    }                                                                                              \
    CUBLAS(cublas##S##gemmStridedBatched, Handle h, int ta, int tb, int m, int n, int k,           \
           const type *alpha, const type *a, int lda, long long sa, const type *b, int ldb,        \
           long long sb, const type *beta, type *out, int ldc, long long sc, int batch)            \
    {                                                                                              \
        struct call c = {GEMM,       "cublas" #S "gemmStridedBatched", m, n, k, ta, tb, batch,     \
                         .scalar = t};                                                             \
        c.a = matrix(a, t, lda, sa);                                                               \
        c.b = matrix(b, t, ldb, sb);                                                               \
        c.c = matrix(out, t, ldc, sc);                                                             \
        return alpha && beta ? submit(h, &c, alpha, beta) : INVALID_VALUE;                         \
    }                                                                                              \
    CUBLAS(cublas##S##gemmBatched, Handle h, int ta, int tb, int m, int n, int k,                  \
           const type *alpha, const type *const *a, int lda, const type *const *b, int ldb,        \
           const type *beta, type *const *out, int ldc, int batch)                                 \
    {                                                                                              \
        struct call c = {                                                                          \
            GEMM, "cublas" #S "gemmBatched", m, n, k, ta, tb, batch, .arrays = true, .scalar = t}; \
        c.a = matrix(a, t, lda, 0);                                                                \
        c.b = matrix(b, t, ldb, 0);                                                                \
        c.c = matrix(out, t, ldc, 0);                                                              \
        return alpha && beta ? submit(h, &c, alpha, beta) : INVALID_VALUE;                         \
    }
LEVELS(S, s, float, FLOAT)
LEVELS(D, d, double, DOUBLE)

/* -- mixed types: alpha and beta have the type that is computed in; CUDA 10 gave that as a type of
 * data */

static int computed_in(int compute)
{
    switch (compute) {
    case 64:
    case 65:
        return HALF;
    case 70:
    case 71:
    case 79:
    case DOUBLE:
        return DOUBLE;
    case 72:
    case 73:
    case INT:
        return INT;
    case HALF:
        return HALF;
    }
    return FLOAT;
}

CUBLAS(cublasGemmEx, Handle h, int ta, int tb, int m, int n, int k, const void *alpha,
       const void *a, int at, int lda, const void *b, int bt, int ldb, const void *beta, void *out,
       int ct, int ldc, int compute_, int algorithm)
{
    (void)algorithm;
    struct call c = {GEMM, "cublasGemmEx", m, n, k, ta, tb, 1, .scalar = computed_in(compute_)};
    c.a = matrix(a, at, lda, 0);
    c.b = matrix(b, bt, ldb, 0);
    c.c = matrix(out, ct, ldc, 0);
    return alpha && beta ? submit(h, &c, alpha, beta) : INVALID_VALUE;
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
    c.a = matrix(a, at, lda, sa);
    c.b = matrix(b, bt, ldb, sb);
    c.c = matrix(out, ct, ldc, sc);
    return alpha && beta ? submit(h, &c, alpha, beta) : INVALID_VALUE;
}

/* -- copies */

cudaError_t rt_cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                            size_t width, size_t height, enum cudaMemcpyKind kind);

static int copy(void *dst, size_t dp, const void *src, size_t sp, const size_t box[2])
{
    return rt_cudaMemcpy2D(dst, dp, src, sp, box[0], box[1], cudaMemcpyDefault) == cudaSuccess
               ? OK
               : EXECUTION_FAILED;
}

static int copy_vector(int n, int size, const void *x, int ix, void *y, int iy)
{
    if (n < 0 || size <= 0 || ix <= 0 || iy <= 0)
        return INVALID_VALUE;
    const size_t s = (size_t)size;
    return copy(y, (size_t)iy * s, x, (size_t)ix * s, (size_t[]){s, (size_t)n});
}

CUBLAS(cublasSetVector, int n, int size, const void *x, int ix, void *y, int iy)
{
    return copy_vector(n, size, x, ix, y, iy);
}

CUBLAS(cublasGetVector, int n, int size, const void *x, int ix, void *y, int iy)
{
    return copy_vector(n, size, x, ix, y, iy);
}

static int copy_matrix(const int shape[3], const void *a, int lda, void *b, int ldb)
{
    const size_t s = (size_t)shape[2];
    if (shape[0] < 0 || shape[1] < 0 || shape[2] <= 0 || lda < shape[0] || ldb < shape[0])
        return INVALID_VALUE;
    return copy(b, (size_t)ldb * s, a, (size_t)lda * s,
                (size_t[]){(size_t)shape[0] * s, (size_t)shape[1]});
}

CUBLAS(cublasSetMatrix, int rows, int cols, int size, const void *a, int lda, void *b, int ldb)
{
    return copy_matrix((int[]){rows, cols, size}, a, lda, b, ldb);
}

CUBLAS(cublasGetMatrix, int rows, int cols, int size, const void *a, int lda, void *b, int ldb)
{
    return copy_matrix((int[]){rows, cols, size}, a, lda, b, ldb);
}
