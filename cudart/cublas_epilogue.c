/* cublas_epilogue.c -- what cuBLASLt adds to a product of matrices: another matrix than the result
 * to start with, a bias, ReLU, GELU and its derivative, sums over an operand.
 * GELU is the approximation by tanh: 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))). */
#include <math.h>
#include <string.h>

#include "cudart/cublas.h"

bool cublas_start(const struct call *c, void *out)
{
    struct view v;
    if (!c->add.at || c->beta == 0)
        return true;
    const bool ok = cublas_view_get(&v, &c->add, cublas_columns(c->m, c->n, c->add.ld), c->scalar);
    const size_t size = cublas_bytes(c->scalar);
    for (int j = 0; ok && j < c->n; j++)
        memcpy((char *)out + (size_t)j * (size_t)c->c.ld * size,
               (char *)cublas_view_at(&v) + (size_t)j * (size_t)c->add.ld * size,
               (size_t)c->m * size);
    cublas_view_free(&v);
    return ok;
}

static double inner(double x)
{
    return sqrt(M_2_PI) * (x + 0.044715 * x * x * x);
}

static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(inner(x)));
}

static double gelu_slope(double x)
{
    const double t = tanh(inner(x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * sqrt(M_2_PI) * (1 + 3 * 0.044715 * x * x);
}

static double activated(unsigned kind, double v)
{
    if (kind & EPILOGUE_RELU)
        return v < 0 ? 0 : v;
    return kind & EPILOGUE_GELU ? gelu(v) : v;
}

static void element(const struct call *c, int i, int j, void *out, const void *bias, void *aux)
{
    const unsigned kind = c->epilogue.kind;
    const size_t at = (size_t)i + (size_t)j * (size_t)c->c.ld,
                 aux_at = (size_t)i + (size_t)j * (size_t)c->epilogue.aux.ld;
    double v = cublas_load(c->scalar, out, at);
    if (kind & EPILOGUE_BIAS)
        v += cublas_load(c->scalar, bias, (size_t)(c->epilogue.along_row ? j : i));
    if (kind & EPILOGUE_DGELU)
        v *= gelu_slope(cublas_load(c->scalar, aux, aux_at));
    else if (kind & EPILOGUE_AUX)
        cublas_store(c->scalar, aux, aux_at, v);
    cublas_store(c->scalar, out, at, activated(kind, v));
}

/* Over k: of op(A) for each row, of op(B) for each column of the result. */
static void sum(const struct call *c, const void *a, const void *b, void *to)
{
    const bool is_a = c->epilogue.kind == EPILOGUE_SUM_A;
    const bool k_first = is_a ? c->transa : !c->transb;
    const size_t ld = (size_t)(is_a ? c->a.ld : c->b.ld), k = (size_t)c->k;
    for (size_t i = 0; i < (size_t)(is_a ? c->m : c->n); i++) {
        double v = 0;
        for (size_t l = 0; l < k; l++)
            v += cublas_load(c->scalar, is_a ? a : b, k_first ? l + i * ld : i + l * ld);
        cublas_store(c->scalar, to, i, v);
    }
}

static bool with(const struct call *c, const void *operand[2], void *out, struct view v[2])
{
    const struct epilogue *e = &c->epilogue;
    void *bias = cublas_view_at(&v[0]), *aux = cublas_view_at(&v[1]);
    if (e->kind & (EPILOGUE_SUM_A | EPILOGUE_SUM_B)) {
        sum(c, operand[0], operand[1], bias);
        return cublas_view_put(&v[0], &e->bias);
    }
    for (int j = 0; j < c->n; j++)
        for (int i = 0; i < c->m; i++)
            element(c, i, j, out, bias, aux);
    return !(e->kind & EPILOGUE_AUX) || e->kind & EPILOGUE_DGELU || cublas_view_put(&v[1], &e->aux);
}

bool cublas_finish(const struct call *c, const void *a, const void *b, void *out)
{
    const struct epilogue *e = &c->epilogue;
    struct view v[2];
    if (e->kind <= EPILOGUE_NONE)
        return true;
    const bool rows = e->kind == EPILOGUE_SUM_A || !(e->kind & EPILOGUE_SUM_B || e->along_row);
    const size_t nbias = e->kind & EPILOGUE_VECTOR ? (size_t)(rows ? c->m : c->n) : 0,
                 naux = e->kind & EPILOGUE_AUX ? cublas_columns(c->m, c->n, e->aux.ld) : 0;
    bool ok = cublas_view_get(&v[0], &e->bias, nbias, c->scalar);
    ok &= cublas_view_get(&v[1], &e->aux, naux, c->scalar);
    ok = ok && with(c, (const void *[2]){a, b}, out, v);
    cublas_view_free(&v[0]);
    cublas_view_free(&v[1]);
    return ok;
}
