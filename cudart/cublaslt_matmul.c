/* cublaslt_matmul.c -- of cuBLASLt: products of matrices, D = epilogue(alpha A B + beta C). What is
 * possible is said by one check, for those who ask for an algorithm, too: there is one, which needs
 * no workspace. A matrix that is stored by rows is its transpose by columns. */
#include <limits.h>
#include <stdio.h>

#include "cudart/cublaslt.h"

enum { A, B, C, D };

struct problem {
    const char *call; /* who asks */
    const struct lt_matmul *op;
    const struct lt_layout *m[4];
    const void *at[4], *alpha, *beta;
};

int cublaslt_refuse(const char *call, const char *what)
{
    SESSION_CALL();
    rt_say("the program calls %s with %s, which is not supported", call, what);
    return NOT_SUPPORTED;
}

/* -- what is possible */

static bool layout_ok(const struct lt_layout *m)
{
    const uint64_t least = m->order == BY_ROWS ? m->cols : m->rows;
    return m->batch >= 1 && m->ld >= 1 && (uint64_t)m->ld >= least;
}

static bool shapes_ok(const struct problem *p)
{
    const struct lt_layout *a = p->m[A], *b = p->m[B], *d = p->m[D];
    const bool ta = p->op->transa, tb = p->op->transb;
    if ((ta ? a->cols : a->rows) != d->rows || (tb ? b->rows : b->cols) != d->cols ||
        (ta ? a->rows : a->cols) != (tb ? b->cols : b->rows))
        return false;
    for (int i = 0; i < 4; i++)
        if (!layout_ok(p->m[i]) || p->m[i]->batch != d->batch)
            return false;
    const struct lt_layout *c = p->m[C];
    return c->rows == d->rows && c->cols == d->cols && c->order == d->order && p->op->transa >= 0 &&
           p->op->transa <= 2 && p->op->transb >= 0 && p->op->transb <= 2;
}

/* Of a cublasComputeType_t; emulated ones are not there. */
enum { FIRST_COMPUTE = 64, LAST_COMPUTE = 78 };

/* The type of the computation; fast ones may take less of a float than it has, and here do not. */
static int computed(int compute, bool *fast)
{
    *fast = compute == 74 || compute == 75 || compute == 77 || compute == 78;
    return compute < FIRST_COMPUTE || compute > LAST_COMPUTE ? -1 : cublas_computed_in(compute);
}

static bool types_ok(const struct problem *p)
{
    static const int there[][3] = {/* of the computation, of A and B, of C and D */
                                   {HALF, HALF, HALF},      {FLOAT, FLOAT, FLOAT},
                                   {FLOAT, HALF, HALF},     {FLOAT, HALF, FLOAT},
                                   {FLOAT, BFLOAT, BFLOAT}, {FLOAT, BFLOAT, FLOAT},
                                   {DOUBLE, DOUBLE, DOUBLE}};
    bool fast;
    const int type = computed(p->op->compute, &fast), in = (int)p->m[A]->type,
              out = (int)p->m[D]->type;
    if (p->op->scale != type || (int)p->m[B]->type != in || (int)p->m[C]->type != out ||
        (fast && in != FLOAT))
        return false;
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (there[i][0] == type && there[i][1] == in && there[i][2] == out)
            return true;
    return false;
}

static bool layouts_supported(const struct problem *p)
{
    for (int i = 0; i < 4; i++)
        if ((p->m[i]->order != BY_COLUMNS && p->m[i]->order != BY_ROWS) ||
            p->m[i]->rows > INT_MAX || p->m[i]->cols > INT_MAX || p->m[i]->ld > INT_MAX)
            return false;
    return true;
}

static bool epilogue_known(unsigned kind)
{
    static const unsigned there[] = {EPILOGUE_NONE,
                                     EPILOGUE_RELU,
                                     EPILOGUE_BIAS,
                                     EPILOGUE_RELU | EPILOGUE_BIAS,
                                     EPILOGUE_GELU,
                                     EPILOGUE_GELU | EPILOGUE_BIAS,
                                     EPILOGUE_GELU | EPILOGUE_AUX,
                                     EPILOGUE_GELU | EPILOGUE_AUX | EPILOGUE_BIAS,
                                     EPILOGUE_DGELU | EPILOGUE_AUX,
                                     EPILOGUE_SUM_A,
                                     EPILOGUE_SUM_B};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (there[i] == kind)
            return true;
    return false;
}

static int epilogue_check(const struct problem *p)
{
    const struct lt_matmul *op = p->op;
    const unsigned kind = op->epilogue;
    const int type = (int)p->m[D]->type;
    const bool bias = kind & EPILOGUE_VECTOR, aux = kind & EPILOGUE_AUX;
    char what[64];
    snprintf(what, sizeof what, "epilogue %u", kind);
    if (!epilogue_known(kind))
        return cublaslt_refuse(p->call, what);
    snprintf(what, sizeof what, "epilogue %u of a matrix by rows", kind);
    if (p->m[D]->order == BY_ROWS && kind & (EPILOGUE_AUX | EPILOGUE_SUM_A | EPILOGUE_SUM_B))
        return cublaslt_refuse(p->call, what);
    if ((bias && op->bias_type != -1 && op->bias_type != type) ||
        (aux && op->aux_type != -1 && op->aux_type != type))
        return cublaslt_refuse(p->call, "a bias or auxiliary matrix of another type than D's");
    const bool aux_ok = op->aux_ld >= (int64_t)p->m[D]->rows && op->aux_ld <= INT_MAX &&
                        op->aux_ld % 8 == 0 && op->aux_stride % 8 == 0;
    return aux && !aux_ok ? INVALID_VALUE : OK;
}

static int check(const struct problem *p)
{
    char what[80];
    if (!p->op || !p->m[A] || !p->m[B] || !p->m[C] || !p->m[D])
        return INVALID_VALUE;
    if (!layouts_supported(p))
        return cublaslt_refuse(p->call, "matrices in tiles, or of 2^31 rows or columns");
    if (!shapes_ok(p))
        return INVALID_VALUE;
    if (!types_ok(p)) {
        snprintf(what, sizeof what,
                 "types %u, %u, %u and %u, computed as %d with scales of type %d", p->m[A]->type,
                 p->m[B]->type, p->m[C]->type, p->m[D]->type, p->op->compute, p->op->scale);
        return cublaslt_refuse(p->call, what);
    }
    if (p->op->pointers != 0 && p->op->pointers != 1)
        return cublaslt_refuse(p->call, "a vector of factors");
    return epilogue_check(p);
}

/* -- algorithms */

static const struct lt_heuristic the_one = {.algorithm = {{1}}, .waves = 1};

CUBLASLT(cublasLtMatmulAlgoGetHeuristic, void *h, const struct lt_matmul *op,
         const struct lt_layout *a, const struct lt_layout *b, const struct lt_layout *c,
         const struct lt_layout *d, const struct lt_preference *preference, int room,
         struct lt_heuristic *found, int *n)
{
    const struct problem p = {"cublasLtMatmulAlgoGetHeuristic", op, {a, b, c, d}, {0}, NULL, NULL};
    if (n)
        *n = 0;
    if (!h)
        return NOT_INITIALIZED;
    if (!preference || room < 1 || !found || !n)
        return INVALID_VALUE;
    const int status = check(&p);
    if (status != OK)
        return status;
    *found = the_one;
    *n = 1;
    return OK;
}

CUBLASLT(cublasLtMatmulAlgoCheck, void *h, const struct lt_matmul *op, const struct lt_layout *a,
         const struct lt_layout *b, const struct lt_layout *c, const struct lt_layout *d,
         const struct lt_algorithm *algorithm, struct lt_heuristic *result)
{
    const struct problem p = {"cublasLtMatmulAlgoCheck", op, {a, b, c, d}, {0}, NULL, NULL};
    if (!h)
        return NOT_INITIALIZED;
    if (!algorithm || !result || algorithm->data[0] != the_one.algorithm.data[0])
        return INVALID_VALUE;
    const int status = check(&p);
    if (status == OK) {
        const struct lt_algorithm kept = result->algorithm;
        *result = the_one;
        result->algorithm = kept;
    }
    return status;
}

/* -- products */

static struct matrix matrix(const struct problem *p, int i)
{
    return cublas_matrix(p->at[i], (int)p->m[i]->type, (int)p->m[i]->ld, p->m[i]->stride);
}

static struct epilogue epilogue(const struct problem *p)
{
    const struct lt_matmul *op = p->op;
    const int type = (int)p->m[D]->type;
    struct epilogue e = {.kind = op->epilogue, .along_row = p->m[D]->order == BY_ROWS};
    if (e.kind & EPILOGUE_VECTOR)
        e.bias = (struct matrix){op->bias, type, 1, op->bias_stride};
    if (e.kind & EPILOGUE_AUX)
        e.aux = (struct matrix){op->aux, type, (int)op->aux_ld, op->aux_stride};
    return e;
}

/* By columns. D by rows is the product of the transposes, the other way round. */
static struct call product(const struct problem *p)
{
    const bool ta = (p->op->transa != 0) != (p->m[A]->order == BY_ROWS),
               tb = (p->op->transb != 0) != (p->m[B]->order == BY_ROWS);
    const int rows = (int)p->m[D]->rows, cols = (int)p->m[D]->cols;
    struct call c = {GEMM, "cublasLtMatmul", rows, cols, .transa = ta, .transb = tb};
    c.a = matrix(p, A);
    c.b = matrix(p, B);
    if (p->m[D]->order == BY_ROWS) {
        c.m = cols;
        c.n = rows;
        c.transa = !tb;
        c.transb = !ta;
        c.a = matrix(p, B);
        c.b = matrix(p, A);
    }
    c.k = (int)(p->op->transa ? p->m[A]->rows : p->m[A]->cols);
    c.batch = p->m[D]->batch;
    c.scalar = p->op->scale;
    c.c = matrix(p, D);
    if (p->at[C] && p->at[C] != p->at[D])
        c.add = matrix(p, C);
    c.epilogue = epilogue(p);
    return c;
}

/* Pointers that may be left out, and are not: of C if beta is 0; D in place of C has its layout. */
static bool pointers_ok(const struct problem *p, const struct call *c)
{
    double beta = 1;
    if (!p->alpha || !p->beta || !p->at[A] || !p->at[B] || !p->at[D])
        return false;
    if ((p->op->epilogue & EPILOGUE_VECTOR && !p->op->bias) ||
        (p->op->epilogue & EPILOGUE_AUX && !p->op->aux))
        return false;
    if (p->at[C] == p->at[D])
        return p->m[C]->ld == p->m[D]->ld && p->m[C]->stride == p->m[D]->stride;
    return p->at[C] || (!p->op->pointers && cublas_scalar(c, p->beta, &beta) && beta == 0);
}

CUBLASLT(cublasLtMatmul, void *h, const struct lt_matmul *op, const void *alpha, const void *a,
         const struct lt_layout *la, const void *b, const struct lt_layout *lb, const void *beta,
         const void *c, const struct lt_layout *lc, void *d, const struct lt_layout *ld,
         const struct lt_algorithm *algorithm, void *workspace, size_t bytes, CUstream stream)
{
    const struct problem p = {"cublasLtMatmul", op, {la, lb, lc, ld}, {a, b, c, d}, alpha, beta};
    SESSION_CALL();
    (void)workspace, (void)bytes;
    if (!h || rt_ready() != cudaSuccess)
        return NOT_INITIALIZED;
    if (algorithm && algorithm->data[0] != the_one.algorithm.data[0])
        return INVALID_VALUE;
    const int status = check(&p);
    if (status != OK)
        return status;
    struct call what = product(&p);
    struct blas_handle as = {.stream = stream, .on_device = op->pointers};
    return pointers_ok(&p, &what) ? cublas_submit(&as, &what, alpha, beta) : INVALID_VALUE;
}
