/* cublas_matrix.c -- of cuBLAS: symmetric and triangular matrices, sums of matrices, LU in batches;
 * floats and doubles. */
#include <gsl/gsl_cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cudart/cublas.h"

static int max1(int n)
{
    return n > 1 ? n : 1;
}

/* Of the symmetric or triangular matrix. */
static int order(const struct call *c)
{
    return c->what == SYMM || c->what == TRMM || c->what == TRSM ? c->right ? c->n : c->m : c->n;
}

/* Rows of a as it is stored. */
static int rows_a(const struct call *c)
{
    if (c->what == SYRK)
        return c->transa ? c->k : c->n;
    if (c->what == GEAM)
        return c->transa ? c->n : c->m;
    return order(c);
}

bool cublas_matrix_ok(const struct call *c)
{
    const bool is_vector = c->what == TRSV || c->what == SYMV, lu = c->what >= GETRF;
    if (c->right < 0 || c->right > 1 || c->upper < 0 || c->upper > 1 || c->unit < 0 || c->unit > 1)
        return false;
    if (is_vector)
        return c->a.ld >= max1(c->n) && c->c.ld != 0 && (c->what == TRSV || c->b.ld != 0);
    if (c->a.ld < max1(rows_a(c)))
        return false;
    if ((c->what == SYMM || c->what == TRMM) && c->b.ld < max1(c->m))
        return false;
    if (c->what == GEAM && c->b.ld < max1(c->transb ? c->n : c->m))
        return false;
    return c->c.ld >= max1(lu || c->what == SYRK ? c->n : c->m);
}

void cublas_matrix_sizes(const struct call *c, size_t n[3])
{
    const int o = order(c);
    n[0] = cublas_columns(o, o, c->a.ld);
    n[2] = cublas_columns(c->m, c->n, c->c.ld);
    switch (c->what) {
    case SYMM:
    case TRMM:
        n[1] = cublas_columns(c->m, c->n, c->b.ld);
        return;
    case SYRK:
        n[0] = cublas_columns(rows_a(c), c->transa ? c->n : c->k, c->a.ld);
        n[2] = cublas_columns(c->n, c->n, c->c.ld);
        return;
    case SYMV:
        n[1] = cublas_vector(c->n, c->b.ld);
        n[2] = cublas_vector(c->n, c->c.ld);
        return;
    case TRSV:
        n[2] = cublas_vector(c->n, c->c.ld);
        return;
    case GEAM: /* a matrix that is multiplied by 0 is not looked at */
        n[0] = c->alpha != 0 ? cublas_columns(rows_a(c), c->transa ? c->m : c->n, c->a.ld) : 0;
        n[1] = c->beta != 0
                   ? cublas_columns(c->transb ? c->n : c->m, c->transb ? c->m : c->n, c->b.ld)
                   : 0;
        return;
    case GETRF: /* in place */
        n[0] = 0;
        n[2] = cublas_columns(c->n, c->n, c->c.ld);
        return;
    case GETRI:
        n[2] = cublas_columns(c->n, c->n, c->c.ld);
        return;
    default:
        return;
    }
}

/* -- element by element */

static double get(const struct call *c, const void *m, size_t i)
{
    return c->scalar == DOUBLE ? ((const double *)m)[i] : (double)((const float *)m)[i];
}

static void set(const struct call *c, void *m, size_t i, double v)
{
    if (c->scalar == DOUBLE)
        ((double *)m)[i] = v;
    else
        ((float *)m)[i] = (float)v;
}

static size_t place(int row, int col, int ld)
{
    return (size_t)row + (size_t)col * (size_t)ld;
}

static void add(const struct call *c, const void *a, const void *b, void *out)
{
    for (int j = 0; j < c->n; j++)
        for (int i = 0; i < c->m; i++) {
            double v = 0;
            if (c->alpha != 0)
                v += c->alpha * get(c, a, c->transa ? place(j, i, c->a.ld) : place(i, j, c->a.ld));
            if (c->beta != 0)
                v += c->beta * get(c, b, c->transb ? place(j, i, c->b.ld) : place(i, j, c->b.ld));
            set(c, out, place(i, j, c->c.ld), v);
        }
}

static void swap_rows(const struct call *c, void *m, int a, int b)
{
    for (int j = 0; j < c->n; j++) {
        const size_t at = place(a, j, c->c.ld), to = place(b, j, c->c.ld);
        const double v = get(c, m, at);
        set(c, m, at, get(c, m, to));
        set(c, m, to, v);
    }
}

static int pivot_row(const struct call *c, const void *m, int k)
{
    int best = k;
    for (int i = k + 1; i < c->n; i++)
        if (fabs(get(c, m, place(i, k, c->c.ld))) > fabs(get(c, m, place(best, k, c->c.ld))))
            best = i;
    return best;
}

/* Rows below the k-th, less what its pivot takes of them. */
static void eliminate(const struct call *c, void *m, int k)
{
    const int ld = c->c.ld;
    for (int i = k + 1; i < c->n; i++) {
        const double by = get(c, m, place(i, k, ld)) / get(c, m, place(k, k, ld));
        set(c, m, place(i, k, ld), by);
        for (int j = k + 1; j < c->n; j++)
            set(c, m, place(i, j, ld),
                get(c, m, place(i, j, ld)) - by * get(c, m, place(k, j, ld)));
    }
}

/* L and U in place of m; pivots from 1 on, where they are wanted. Which element of U is 0, from 1
 * on; 0: none. */
static int factor(const struct call *c, void *m, int *pivots)
{
    int info = 0;
    for (int k = 0; k < c->n; k++) {
        const int p = c->result ? pivot_row(c, m, k) : k;
        pivots[k] = p + 1;
        if (p != k)
            swap_rows(c, m, k, p);
        if (get(c, m, place(k, k, c->c.ld)) != 0)
            eliminate(c, m, k);
        else if (!info)
            info = k + 1;
    }
    return info;
}

/* The inverse of what `lu` has the factors of: columns of the unit matrix, solved. Which element of
 * U is 0, from 1 on; 0: none. */
static int invert(const struct call *c, const void *lu, const int *pivots, void *out)
{
    const int n = c->n, ld = c->a.ld, to = c->c.ld;
    for (int k = 0; k < n; k++)
        if (get(c, lu, place(k, k, ld)) == 0)
            return k + 1;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            set(c, out, place(i, j, to), i == j);
    for (int k = 0; k < n; k++)
        if (pivots[k] != k + 1 && pivots[k] > 0 && pivots[k] <= n)
            swap_rows(c, out, k, pivots[k] - 1);
    for (int upper = 0; upper < 2; upper++) {
        const enum CBLAS_UPLO uplo = upper ? CblasUpper : CblasLower;
        const enum CBLAS_DIAG diag = upper ? CblasNonUnit : CblasUnit;
        BOTH(cblas_strsm(CblasColMajor, CblasLeft, uplo, CblasNoTrans, diag, n, n, 1, lu, ld, out,
                         to),
             cblas_dtrsm(CblasColMajor, CblasLeft, uplo, CblasNoTrans, diag, n, n, 1, lu, ld, out,
                         to));
    }
    return 0;
}

static CUdeviceptr word(const void *at, size_t i)
{
    return (CUdeviceptr)(uintptr_t)at + i * sizeof(int);
}

static bool lu(const struct call *c, int i, const void *a, void *out)
{
    int info, *pivots = xcalloc((size_t)c->n + 1, sizeof *pivots);
    const size_t bytes = (size_t)c->n * sizeof *pivots;
    const CUdeviceptr at = word(c->result, (size_t)i * (size_t)c->n);
    bool ok = true;
    for (int k = 0; k < c->n; k++)
        pivots[k] = k + 1;
    if (c->what == GETRI && c->result)
        ok = devmem_read(rt_memory(), at, pivots, bytes);
    info = c->what == GETRI ? invert(c, a, pivots, out) : factor(c, out, pivots);
    if (c->what == GETRF && c->result)
        ok = devmem_write(rt_memory(), at, pivots, bytes);
    free(pivots);
    return ok && devmem_write(rt_memory(), word(c->info, (size_t)i), &info, sizeof info);
}

/* -- by CBLAS */

static void copy_columns(const struct call *c, const void *from, void *to)
{
    for (int j = 0; j < c->n; j++)
        for (int i = 0; i < c->m; i++)
            set(c, to, place(i, j, c->c.ld), get(c, from, place(i, j, c->b.ld)));
}

bool cublas_matrix_compute(const struct call *c, int i, void *a, void *b, void *out)
{
    const enum CBLAS_SIDE side = c->right ? CblasRight : CblasLeft;
    const enum CBLAS_UPLO uplo = c->upper ? CblasUpper : CblasLower;
    const enum CBLAS_DIAG diag = c->unit ? CblasUnit : CblasNonUnit;
    const enum CBLAS_TRANSPOSE ta = (enum CBLAS_TRANSPOSE)(CblasNoTrans + c->transa);
    const float alpha = (float)c->alpha, beta = (float)c->beta;
    const int m = c->m, n = c->n, lda = c->a.ld, ldb = c->b.ld, ldc = c->c.ld;
    switch (c->what) {
    case SYMM:
        BOTH(cblas_ssymm(CblasColMajor, side, uplo, m, n, alpha, a, lda, b, ldb, beta, out, ldc),
             cblas_dsymm(CblasColMajor, side, uplo, m, n, c->alpha, a, lda, b, ldb, c->beta, out,
                         ldc));
        return true;
    case SYRK:
        BOTH(cblas_ssyrk(CblasColMajor, uplo, ta, n, c->k, alpha, a, lda, beta, out, ldc),
             cblas_dsyrk(CblasColMajor, uplo, ta, n, c->k, c->alpha, a, lda, c->beta, out, ldc));
        return true;
    case TRMM: /* cuBLAS has a place for the result */
        copy_columns(c, b, out);
        BOTH(cblas_strmm(CblasColMajor, side, uplo, ta, diag, m, n, alpha, a, lda, out, ldc),
             cblas_dtrmm(CblasColMajor, side, uplo, ta, diag, m, n, c->alpha, a, lda, out, ldc));
        return true;
    case TRSM:
        BOTH(cblas_strsm(CblasColMajor, side, uplo, ta, diag, m, n, alpha, a, lda, out, ldc),
             cblas_dtrsm(CblasColMajor, side, uplo, ta, diag, m, n, c->alpha, a, lda, out, ldc));
        return true;
    case TRSV:
        BOTH(cblas_strsv(CblasColMajor, uplo, ta, diag, n, a, lda, out, ldc),
             cblas_dtrsv(CblasColMajor, uplo, ta, diag, n, a, lda, out, ldc));
        return true;
    case SYMV:
        BOTH(cblas_ssymv(CblasColMajor, uplo, n, alpha, a, lda, b, ldb, beta, out, ldc),
             cblas_dsymv(CblasColMajor, uplo, n, c->alpha, a, lda, b, ldb, c->beta, out, ldc));
        return true;
    case GEAM:
        add(c, a, b, out);
        return true;
    default:
        return lu(c, i, a, out);
    }
}

/* -- the functions */

static struct call triangular(enum what what, const char *name, int side, int uplo, int trans,
                              int diag, int m, int n, int type)
{
    return (struct call){what,
                         name,
                         m,
                         n,
                         .transa = trans,
                         .batch = 1,
                         .right = side,
                         .upper = uplo,
                         .unit = diag,
                         .scalar = type};
}

#define MATRICES(S, type, t)                                                                      \
    CUBLAS(cublas##S##symm_v2, Handle h, int side, int uplo, int m, int n, const type *alpha,     \
           const type *a, int lda, const type *b, int ldb, const type *beta, type *out, int ldc)  \
    {                                                                                             \
        struct call c = {SYMM, "cublas" #S "symm", m, n, .batch = 1, .scalar = t};                \
        c.right = side;                                                                           \
        c.upper = uplo;                                                                           \
        c.a = cublas_matrix(a, t, lda, 0);                                                        \
        c.b = cublas_matrix(b, t, ldb, 0);                                                        \
        c.c = cublas_matrix(out, t, ldc, 0);                                                      \
        return alpha && beta ? cublas_submit(h, &c, alpha, beta) : INVALID_VALUE;                 \
    }                                                                                             \
    CUBLAS(cublas##S##syrk_v2, Handle h, int uplo, int trans, int n, int k, const type *alpha,    \
           const type *a, int lda, const type *beta, type *out, int ldc)                          \
    {                                                                                             \
        struct call c = {SYRK, "cublas" #S "syrk", n, n, k, trans, .batch = 1, .scalar = t};      \
        c.upper = uplo;                                                                           \
        c.a = cublas_matrix(a, t, lda, 0);                                                        \
        c.c = cublas_matrix(out, t, ldc, 0);                                                      \
        return alpha && beta ? cublas_submit(h, &c, alpha, beta) : INVALID_VALUE;                 \
    }                                                                                             \
    CUBLAS(cublas##S##trmm_v2, Handle h, int side, int uplo, int trans, int diag, int m, int n,   \
           const type *alpha, const type *a, int lda, const type *b, int ldb, type *out, int ldc) \
    {                                                                                             \
        struct call c = triangular(TRMM, "cublas" #S "trmm", side, uplo, trans, diag, m, n, t);   \
        c.a = cublas_matrix(a, t, lda, 0);                                                        \
        c.b = cublas_matrix(b, t, ldb, 0);                                                        \
        c.c = cublas_matrix(out, t, ldc, 0);                                                      \
        return alpha ? cublas_submit(h, &c, alpha, NULL) : INVALID_VALUE;                         \
    }                                                                                             \
    CUBLAS(cublas##S##trsm_v2, Handle h, int side, int uplo, int trans, int diag, int m, int n,   \
           const type *alpha, const type *a, int lda, type *b, int ldb)                           \
    {                                                                                             \
        struct call c = triangular(TRSM, "cublas" #S "trsm", side, uplo, trans, diag, m, n, t);   \
        c.a = cublas_matrix(a, t, lda, 0);                                                        \
        c.c = cublas_matrix(b, t, ldb, 0);                                                        \
        return alpha ? cublas_submit(h, &c, alpha, NULL) : INVALID_VALUE;                         \
    }                                                                                             \
    CUBLAS(cublas##S##trsmBatched, Handle h, int side, int uplo, int trans, int diag, int m,      \
           int n, const type *alpha, const type *const *a, int lda, type *const *b, int ldb,      \
           int batch)                                                                             \
    {                                                                                             \
        struct call c =                                                                           \
            triangular(TRSM, "cublas" #S "trsmBatched", side, uplo, trans, diag, m, n, t);        \
        c.batch = batch;                                                                          \
        c.arrays = true;                                                                          \
        c.a = cublas_matrix(a, t, lda, 0);                                                        \
        c.c = cublas_matrix(b, t, ldb, 0);                                                        \
        return alpha ? cublas_submit(h, &c, alpha, NULL) : INVALID_VALUE;                         \
    }                                                                                             \
    CUBLAS(cublas##S##trsv_v2, Handle h, int uplo, int trans, int diag, int n, const type *a,     \
           int lda, type *x, int ix)                                                              \
    {                                                                                             \
        struct call c = triangular(TRSV, "cublas" #S "trsv", 0, uplo, trans, diag, n, n, t);      \
        c.a = cublas_matrix(a, t, lda, 0);                                                        \
        c.c = cublas_matrix(x, t, ix, 0);                                                         \
        return cublas_submit(h, &c, NULL, NULL);                                                  \
    }                                                                                             \
    CUBLAS(cublas##S##symv_v2, Handle h, int uplo, int n, const type *alpha, const type *a,       \
           int lda, const type *x, int ix, const type *beta, type *y, int iy)                     \
    {                                                                                             \
        struct call c = {SYMV, "cublas" #S "symv", n, n, .batch = 1, .scalar = t};                \
        c.upper = uplo;                                                                           \
        c.a = cublas_matrix(a, t, lda, 0);                                                        \
        c.b = cublas_matrix(x, t, ix, 0);                                                         \
        c.c = cublas_matrix(y, t, iy, 0);                                                         \
        return alpha && beta ? cublas_submit(h, &c, alpha, beta) : INVALID_VALUE;                 \
    }                                                                                             \
    CUBLAS(cublas##S##geam, Handle h, int ta, int tb, int m, int n, const type *alpha,            \
           const type *a, int lda, const type *beta, const type *b, int ldb, type *out, int ldc)  \
    {                                                                                             \
        struct call c = {GEAM, "cublas" #S "geam", m, n, 0, ta, tb, .batch = 1, .scalar = t};     \
        c.a = cublas_matrix(a, t, lda, 0);                                                        \
        c.b = cublas_matrix(b, t, ldb, 0);                                                        \
        c.c = cublas_matrix(out, t, ldc, 0);                                                      \
        return alpha && beta ? cublas_submit(h, &c, alpha, beta) : INVALID_VALUE;                 \
    }                                                                                             \
    CUBLAS(cublas##S##getrfBatched, Handle h, int n, type *const *a, int lda, int *pivots,        \
           int *info, int batch)                                                                  \
    {                                                                                             \
        struct call c = {GETRF, "cublas" #S "getrfBatched", n, n, .batch = batch, .scalar = t};   \
        c.arrays = true;                                                                          \
        c.result = pivots;                                                                        \
        c.info = info;                                                                            \
        c.a = c.c = cublas_matrix(a, t, lda, 0);                                                  \
        return info ? cublas_submit(h, &c, NULL, NULL) : INVALID_VALUE;                           \
    }                                                                                             \
    CUBLAS(cublas##S##getriBatched, Handle h, int n, const type *const *a, int lda,               \
           const int *pivots, type *const *out, int ldc, int *info, int batch)                    \
    {                                                                                             \
        struct call c = {GETRI, "cublas" #S "getriBatched", n, n, .batch = batch, .scalar = t};   \
        c.arrays = true;                                                                          \
        c.result = (void *)pivots;                                                                \
        c.info = info;                                                                            \
        c.a = cublas_matrix(a, t, lda, 0);                                                        \
        c.c = cublas_matrix(out, t, ldc, 0);                                                      \
        return info ? cublas_submit(h, &c, NULL, NULL) : INVALID_VALUE;                           \
    }
MATRICES(S, float, FLOAT)
MATRICES(D, double, DOUBLE)
