#include <gsl/gsl_cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cudart/cublas.h"
#include "program/recorder.h"

/* -- memory: a copy in, a copy out */

size_t cublas_bytes(int type)
{
    return type == DOUBLE ? 8 : type == FLOAT || type == INT ? 4 : type == BYTE ? 1 : 2;
}

bool cublas_is_type(int type)
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

double cublas_load(int type, const void *at, size_t i)
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

void cublas_store(int type, void *at, size_t i, double v)
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

bool cublas_view_get(struct view *v, const struct matrix *m, size_t n, int as)
{
    *v = (struct view){.n = n, .bytes = n * cublas_bytes(m->type), .type = m->type, .as = as};
    v->own = xmalloc(v->bytes + 8);
    if (n && !devmem_read(rt_memory(), m->at, v->own, v->bytes))
        return false;
    if (m->type == as)
        return true;
    v->work = xmalloc(n * cublas_bytes(as) + 8);
    for (size_t i = 0; i < n; i++)
        cublas_store(as, v->work, i, cublas_load(m->type, v->own, i));
    return true;
}

void *cublas_view_at(const struct view *v)
{
    return v->work ? v->work : v->own;
}

bool cublas_view_put(struct view *v, const struct matrix *m)
{
    for (size_t i = 0; v->work && i < v->n; i++)
        cublas_store(v->type, v->own, i, cublas_load(v->as, v->work, i));
    return !v->n || devmem_write(rt_memory(), m->at, v->own, v->bytes);
}

void cublas_view_free(struct view *v)
{
    free(v->own);
    free(v->work);
}

/* -- the calls of CBLAS, in floats or doubles */

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

size_t cublas_vector(int n, int step)
{
    const int by = step < 0 ? -step : step;
    return n > 0 ? (size_t)(n - 1) * (size_t)by + 1 : 0;
}

size_t cublas_columns(int rows, int cols, int ld)
{
    return rows > 0 && cols > 0 ? (size_t)(cols - 1) * (size_t)ld + (size_t)rows : 0;
}

/* Elements of a, b and c. */
static void sizes(const struct call *c, size_t n[3])
{
    const bool ta = c->transa, tb = c->transb;
    n[0] = n[1] = n[2] = 0;
    if (c->what > GEMM) {
        cublas_matrix_sizes(c, n);
        return;
    }
    switch (c->what) {
    case GEMM:
        n[0] = cublas_columns(ta ? c->k : c->m, ta ? c->m : c->k, c->a.ld);
        n[1] = cublas_columns(tb ? c->n : c->k, tb ? c->k : c->n, c->b.ld);
        n[2] = cublas_columns(c->m, c->n, c->c.ld);
        return;
    case GEMV:
        n[0] = cublas_columns(c->m, c->n, c->a.ld);
        n[1] = cublas_vector(ta ? c->m : c->n, c->b.ld);
        n[2] = cublas_vector(ta ? c->n : c->m, c->c.ld);
        return;
    case GER:
        n[0] = cublas_vector(c->m, c->a.ld);
        n[1] = cublas_vector(c->n, c->b.ld);
        n[2] = cublas_columns(c->m, c->n, c->c.ld);
        return;
    case AXPY:
    case COPY:
    case SWAP:
        n[0] = cublas_vector(c->n, c->a.ld);
        n[2] = cublas_vector(c->n, c->c.ld);
        return;
    case SCAL:
        n[2] = cublas_vector(c->n, c->c.ld);
        return;
    default:
        n[0] = cublas_vector(c->n, c->a.ld);
        n[1] = c->what == DOT ? cublas_vector(c->n, c->b.ld) : 0;
    }
}

/* The computation, with what a call of cuBLASLt has before and behind it. */
static bool whole(const struct call *c, void *a, void *b, void *out)
{
    if (!cublas_start(c, out))
        return false;
    compute(c, a, b, out);
    return cublas_finish(c, a, b, out);
}

static bool do_one(const struct call *c, int i)
{
    size_t n[3];
    struct view a, b, out;
    sizes(c, n);
    bool ok = cublas_view_get(&a, &c->a, n[0], c->scalar);
    ok &= cublas_view_get(&b, &c->b, n[1], c->scalar);
    ok &= cublas_view_get(&out, &c->c, n[2], c->scalar);
    if (ok && c->what > GEMM) {
        ok = cublas_matrix_compute(c, i, cublas_view_at(&a), cublas_view_at(&b),
                                   cublas_view_at(&out)) &&
             cublas_view_put(&out, &c->c);
    } else if (ok && c->result) {
        const double v = reduce(c, cublas_view_at(&a), cublas_view_at(&b));
        const int type = c->what == AMAX ? INT : c->typed ? c->c.type : c->scalar;
        unsigned char raw[8];
        cublas_store(type, raw, 0, v);
        ok = put(c->result, raw, cublas_bytes(type));
    } else if (ok && (n[0] || n[2])) {
        ok = whole(c, cublas_view_at(&a), cublas_view_at(&b), cublas_view_at(&out)) &&
             cublas_view_put(&out, &c->c) && (c->what != SWAP || cublas_view_put(&a, &c->a));
    }
    cublas_view_free(&a);
    cublas_view_free(&b);
    cublas_view_free(&out);
    return ok;
}

bool cublas_scalar(const struct call *c, const void *at, double *v)
{
    unsigned char raw[8];
    if (!at)
        return true;
    if (!get(at, raw, cublas_bytes(c->scalar)))
        return false;
    *v = cublas_load(c->scalar, raw, 0);
    return true;
}

CUresult cublas_run(const void *data, CUstream stream)
{
    struct call c = *(const struct call *)data;
    (void)stream;
    struct record_host_call r = {""};
    snprintf(r.name, sizeof r.name, "%s", c.name);
    recorder_put(rt_recorder(), RECORD_HOST_CALL, &r, sizeof r);
    bool ok = cublas_scalar(&c, c.alpha_at, &c.alpha) && cublas_scalar(&c, c.beta_at, &c.beta);
    if (c.scalar != DOUBLE &&
        c.scalar != FLOAT) /* halves are computed in floats, integers exactly */
        c.scalar = c.scalar == INT ? DOUBLE : FLOAT;
    struct matrix *const m[] = {&c.a, &c.b, &c.c, &c.add, &c.epilogue.bias, &c.epilogue.aux};
    const struct matrix first[] = {c.a, c.b, c.c, c.add, c.epilogue.bias, c.epilogue.aux};
    for (int i = 0; ok && i < c.batch; i++) {
        for (size_t k = 0; ok && k < sizeof m / sizeof *m; k++)
            if (!first[k].at)
                continue;
            else if (c.arrays)
                ok = devmem_read(rt_memory(), first[k].at + 8 * (unsigned)i, &m[k]->at, 8);
            else
                m[k]->at =
                    first[k].at + (CUdeviceptr)(first[k].stride * i) * cublas_bytes(first[k].type);
        ok = ok && do_one(&c, i);
    }
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
