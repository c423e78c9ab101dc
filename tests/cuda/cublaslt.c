/* cuBLASLt beside a kernel of the program's own: products of all types, orders and epilogues, each
 * compared with a plain sum over elements; what is refused. */
#include "tests/cuda/cublaslt.h"
#include "tests/cuda/elements.h"
#include "tests/cuda/one_kernel.h"

typedef struct CUgraph_st *Graph;
typedef struct CUgraphExec_st *Exec;
int cudaStreamBeginCapture(CUstream, int), cudaStreamEndCapture(CUstream, Graph *);
int cudaGraphInstantiate(Exec *, Graph, unsigned long long), cudaGraphLaunch(Exec, CUstream);

enum { M = 5, N = 3, K = 4 };

/* -- products */

struct types {
    int compute, scale, in, out;
};
struct product {
    struct types t;
    int ta, tb, rows_a, rows_b, rows_d, epilogue, batch;
    double beta;
    int in_place; /* C is D */
    struct buffer a, b, c, d, bias, aux;
    Operation op;
    Layout l[4];
};

static Layout layout(const struct buffer *b, int rows, int cols, int batch)
{
    Layout l;
    const int32_t order = b->by_rows, n = batch;
    const int64_t stride = b->stride;
    OK(cublasLtMatrixLayoutCreate(&l, b->type, (uint64_t)rows, (uint64_t)cols, b->ld));
    OK(cublasLtMatrixLayoutSetAttribute(l, ORDER, &order, sizeof order));
    OK(cublasLtMatrixLayoutSetAttribute(l, BATCH, &n, sizeof n));
    OK(cublasLtMatrixLayoutSetAttribute(l, STRIDE, &stride, sizeof stride));
    return l;
}

static void set(Operation op, int which, int64_t value, size_t bytes)
{
    OK(cublasLtMatmulDescSetAttribute(op, which, &value, bytes));
}

static Operation operation(const struct product *p)
{
    Operation op;
    OK(cublasLtMatmulDescCreate(&op, p->t.compute, p->t.scale));
    set(op, TRANSA, p->ta, 4);
    set(op, TRANSB, p->tb, 4);
    set(op, EPILOGUE, p->epilogue, 4);
    set(op, BIAS, (int64_t)p->bias.d, 8);
    set(op, BIAS_STRIDE, p->bias.stride, 8);
    set(op, AUX, (int64_t)p->aux.d, 8);
    set(op, AUX_LD, p->aux.ld, 8);
    set(op, AUX_STRIDE, p->aux.stride, 8);
    return op;
}

static void begin(struct product *p)
{
    const int ma = p->ta ? K : M, na = p->ta ? M : K, mb = p->tb ? N : K, nb = p->tb ? K : N;
    fill(&p->a, p->t.in, p->rows_a, p->rows_a ? na : ma, p->rows_a ? ma : na, 0);
    fill(&p->b, p->t.in, p->rows_b, p->rows_b ? nb : mb, p->rows_b ? mb : nb, 1);
    fill(&p->c, p->t.out, p->rows_d, (p->rows_d ? N : M) + 1, p->rows_d ? M : N, 2);
    fill(&p->d, p->t.out, p->rows_d, p->rows_d ? N : M, p->rows_d ? M : N, 3);
    fill(&p->bias, p->t.out, 0, M, 1, 4);
    fill(&p->aux, p->t.out, 0, 7, N, 2); /* 8 from column to column */
    p->aux.stride = 8 * (N + 1);
    p->op = operation(p);
    p->l[0] = layout(&p->a, ma, na, p->batch);
    p->l[1] = layout(&p->b, mb, nb, p->batch);
    p->l[2] = layout(p->in_place ? &p->d : &p->c, M, N, p->batch);
    p->l[3] = layout(&p->d, M, N, p->batch);
}

static void end(struct product *p)
{
    struct buffer *const all[] = {&p->a, &p->b, &p->c, &p->d, &p->bias, &p->aux};
    for (int i = 0; i < 4; i++)
        OK(cublasLtMatrixLayoutDestroy(p->l[i]));
    OK(cublasLtMatmulDescDestroy(p->op));
    for (int i = 0; i < 6; i++)
        OK(cuMemFree_v2((CUdeviceptr)all[i]->d));
}

/* -- what they are to be, element by element */

static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

/* By the difference quotient, which shares nothing with the derivative as it is written. */
static double gelu_slope(double x)
{
    return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5;
}

static double a_of(const struct product *p, int i, int l, int batch)
{
    return p->ta ? at(&p->a, l, i, batch) : at(&p->a, i, l, batch);
}

static double b_of(const struct product *p, int l, int j, int batch)
{
    return p->tb ? at(&p->b, j, l, batch) : at(&p->b, l, j, batch);
}

static void expect_element(struct product *p, int i, int j, int batch)
{
    const struct buffer *c = p->in_place ? &p->d : &p->c;
    double v = p->beta != 0 ? p->beta * at(c, i, j, batch) : 0;
    for (int l = 0; l < K; l++)
        v += 2 * a_of(p, i, l, batch) * b_of(p, l, j, batch);
    if (p->epilogue & ADD_BIAS)
        v += at(&p->bias, i, 0, batch);
    if (p->epilogue & DGELU)
        v *= gelu_slope(at(&p->aux, i, j, batch));
    else if (p->epilogue & WITH_AUX)
        p->aux.v[place(&p->aux, i, j, batch)] = v;
    if (p->epilogue & RELU)
        v = v > 0 ? v : 0;
    p->d.v[place(&p->d, i, j, batch)] = p->epilogue & GELU ? gelu(v) : v;
}

static void expect_sums(struct product *p, int batch)
{
    for (int i = 0; i < (p->epilogue == SUM_A ? M : N); i++) {
        double v = 0;
        for (int l = 0; l < K; l++)
            v += p->epilogue == SUM_A ? a_of(p, i, l, batch) : b_of(p, l, i, batch);
        p->bias.v[place(&p->bias, i, 0, batch)] = v;
    }
}

static void expect(struct product *p)
{
    for (int batch = 0; batch < p->batch; batch++) {
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++)
                expect_element(p, i, j, batch);
        if (p->epilogue & (SUM_A | SUM_B))
            expect_sums(p, batch);
    }
}

static int multiply(Handle h, struct product *p, CUstream s)
{
    unsigned char alpha[8], beta[8];
    put(p->t.scale, alpha, 2);
    put(p->t.scale, beta, p->beta);
    return cublasLtMatmul(h, p->op, alpha, p->a.d, p->l[0], p->b.d, p->l[1], beta,
                          p->in_place ? p->d.d : p->c.d, p->l[2], p->d.d, p->l[3], NULL, NULL, 0,
                          s);
}

static int heuristic(Handle h, struct product *p)
{
    struct heuristic found;
    Preference any;
    int n = 7;
    OK(cublasLtMatmulPreferenceCreate(&any));
    const int r = cublasLtMatmulAlgoGetHeuristic(h, p->op, p->l[0], p->l[1], p->l[2], p->l[3], any,
                                                 1, &found, &n);
    OK(cublasLtMatmulPreferenceDestroy(any));
    EXPECT(n == (r == 0));
    if (r == 0) {
        EXPECT(found.status == 0 && found.workspace == 0);
        OK(cublasLtMatmulAlgoCheck(h, p->op, p->l[0], p->l[1], p->l[2], p->l[3], &found.algorithm,
                                   &found));
    }
    return r;
}

static int one(Handle h, struct product *p)
{
    const int wanted = p->rows_d && p->epilogue & (WITH_AUX | SUM_A | SUM_B) ? NOT_SUPPORTED : 0;
    begin(p);
    EXPECT(heuristic(h, p) == wanted);
    EXPECT(multiply(h, p, NULL) == wanted);
    if (!wanted) {
        expect(p);
        same(&p->d);
        same(&p->bias);
        same(&p->aux);
    }
    end(p);
    return !wanted;
}

static const struct types there[] = {
    {AS_FLOATS, FLOAT, FLOAT, FLOAT},     {AS_FLOATS, FLOAT, HALF, HALF},
    {AS_FLOATS, FLOAT, HALF, FLOAT},      {AS_FLOATS, FLOAT, BFLOAT, BFLOAT},
    {AS_FLOATS, FLOAT, BFLOAT, FLOAT},    {AS_HALVES, HALF, HALF, HALF},
    {AS_DOUBLES, DOUBLE, DOUBLE, DOUBLE}, {FAST, FLOAT, FLOAT, FLOAT}};

/* Each combination of transposes, orders, batches, beta and where C is, which `bits` are. */
static int all_of(Handle h, const struct types *t, int epilogue)
{
    int n = 0;
    for (int bits = 0; bits < 256; bits++) {
        struct product p = {.t = *t, .epilogue = epilogue};
        p.ta = bits & 1;
        p.tb = bits >> 1 & 1;
        p.rows_a = bits >> 2 & 1;
        p.rows_b = bits >> 3 & 1;
        p.rows_d = bits >> 4 & 1;
        p.batch = bits >> 5 & 1 ? 3 : 1;
        p.beta = bits >> 6 & 1;
        p.in_place = bits >> 7 & 1;
        n += one(h, &p);
    }
    return n;
}

static void products(Handle h)
{
    static const int epilogues[] = {NONE,
                                    RELU,
                                    ADD_BIAS,
                                    RELU | ADD_BIAS,
                                    GELU,
                                    GELU | ADD_BIAS,
                                    GELU | WITH_AUX,
                                    GELU | WITH_AUX | ADD_BIAS,
                                    DGELU | WITH_AUX,
                                    SUM_A,
                                    SUM_B};
    int n = 0;
    for (size_t e = 0; e < sizeof epilogues / sizeof *epilogues; e++)
        for (size_t t = 0; t < sizeof there / sizeof *there; t++)
            n += all_of(h, &there[t], epilogues[e]);
    printf("%d products\n", n);
}

/* -- scalars of the device, streams, descriptors in the program's memory */

static void elsewhere(Handle h, CUstream s)
{
    struct product p = {.t = there[0], .epilogue = NONE, .batch = 1, .beta = 1};
    const float factors[] = {2, 1};
    uint64_t own[11], layout_room[8], preference_room[8];
    CUdeviceptr d;
    Graph g;
    Exec e;
    begin(&p);
    OK(cuMemAlloc_v2(&d, sizeof factors));
    OK(cuMemcpyHtoD_v2(d, factors, sizeof factors));
    OK(cublasLtMatmulDescInit_internal((Operation)own, sizeof own, AS_FLOATS, FLOAT));
    OK(cublasLtMatrixLayoutInit_internal((Layout)layout_room, sizeof layout_room, FLOAT, M, N,
                                         p.c.ld));
    OK(cublasLtMatmulPreferenceInit_internal((Preference)preference_room, sizeof preference_room));
    set((Operation)own, POINTERS, 1, 4);
    OK(cudaStreamBeginCapture(s, 0));
    OK(cublasLtMatmul(h, (Operation)own, (void *)d, p.a.d, p.l[0], p.b.d, p.l[1], (void *)(d + 4),
                      p.c.d, (Layout)layout_room, p.d.d, p.l[3], NULL, NULL, 0, s));
    OK(cudaStreamEndCapture(s, &g));
    same(&p.d); /* as it was */
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, s));
    OK(cuStreamSynchronize(s));
    expect(&p);
    same(&p.d);
    end(&p);
    EXPECT(cublasLtMatmulDescInit_internal((Operation)own, 8, AS_FLOATS, FLOAT) == ALLOC_FAILED);
}

/* What is refused from here on. */
static void attributes(void)
{
    Layout l;
    Operation op;
    Preference any;
    int64_t ld = 9, zero = 0, got = 0;
    int32_t order = 1;
    uint64_t workspace = 1 << 20;
    size_t n;
    OK(cublasLtMatrixLayoutCreate(&l, FLOAT, 5, 6, 7));
    OK(cublasLtMatrixLayoutSetAttribute(l, LD, &ld, 8));
    OK(cublasLtMatrixLayoutGetAttribute(l, LD, &got, 8, &n));
    EXPECT(got == 9 && n == 8);
    OK(cublasLtMatrixLayoutGetAttribute(l, BATCH, NULL, 0, &n));
    EXPECT(n == 4);
    EXPECT(cublasLtMatrixLayoutSetAttribute(l, LD, &order, 4) == INVALID_VALUE);
    EXPECT(cublasLtMatrixLayoutSetAttribute(l, LD, NULL, 8) == INVALID_VALUE);
    EXPECT(cublasLtMatrixLayoutGetAttribute(l, LD, &got, 4, &n) == INVALID_VALUE);
    EXPECT(cublasLtMatrixLayoutSetAttribute(l, POINTERS_TO, &order, 4) == NOT_SUPPORTED);
    OK(cublasLtMatrixLayoutSetAttribute(l, PLANE, &zero, 8));
    OK(cublasLtMatmulDescCreate(&op, AS_FLOATS, FLOAT));
    OK(cublasLtMatmulDescGetAttribute(op, EPILOGUE, &order, 4, NULL));
    EXPECT(order == NONE);
    OK(cublasLtMatmulDescGetAttribute(op, PART, &order, 4, NULL));
    EXPECT(order == 2);
    OK(cublasLtMatmulDescGetAttribute(op, BIAS_TYPE, &order, 4, NULL));
    EXPECT(order == -1);
    EXPECT(cublasLtMatmulDescSetAttribute(op, A_SCALE, &ld, 8) == NOT_SUPPORTED);
    EXPECT(cublasLtMatmulDescSetAttribute(op, 1000, &ld, 8) == NOT_SUPPORTED);
    OK(cublasLtMatmulPreferenceCreate(&any));
    OK(cublasLtMatmulPreferenceSetAttribute(any, 1, &workspace, 8));
    OK(cublasLtMatmulPreferenceGetAttribute(any, 1, &got, 8, NULL));
    EXPECT(got == 1 << 20);
    OK(cublasLtMatrixLayoutDestroy(l));
    OK(cublasLtMatmulDescDestroy(op));
    OK(cublasLtMatmulPreferenceDestroy(any));
}

/* A product that is right but for one attribute, of the operation (m < 0) or of matrix m. */
static const struct wrong {
    int m, which, bytes, status;
    int64_t value;
} wrongs[] = {
    {-1, SCALE, 4, NOT_SUPPORTED, DOUBLE},
    {-1, POINTERS, 4, NOT_SUPPORTED, 2},
    {-1, TRANSA, 4, INVALID_VALUE, 1}, /* then A has as many columns as rows of B, no longer */
    {-1, TRANSB, 4, INVALID_VALUE, 3},
    {-1, EPILOGUE, 4, NOT_SUPPORTED, RELU | WITH_AUX},
    {-1, BIAS_TYPE, 4, NOT_SUPPORTED, HALF},
    {-1, AUX_TYPE, 4, NOT_SUPPORTED, HALF},
    {-1, AUX_LD, 8, INVALID_VALUE, 12},
    {-1, AUX_LD, 8, INVALID_VALUE, 0},
    {-1, AUX_STRIDE, 8, INVALID_VALUE, 12},
    {0, 0, 4, NOT_SUPPORTED, HALF},
    {0, LD, 8, INVALID_VALUE, 4},
    {1, ROWS, 8, INVALID_VALUE, 5},
    {1, COLS, 8, NOT_SUPPORTED, 1ll << 31},
    {2, ORDER, 4, INVALID_VALUE, 1},
    {3, ORDER, 4, NOT_SUPPORTED, 2},
    {3, BATCH, 4, INVALID_VALUE, 2},
    {3, BATCH, 4, INVALID_VALUE, 0},
};

static void wrong(Handle h, const struct wrong *w)
{
    struct product p = {.t = there[0], .epilogue = GELU | WITH_AUX | ADD_BIAS, .batch = 1};
    begin(&p);
    if (w->m < 0)
        set(p.op, w->which, w->value, (size_t)w->bytes);
    else
        OK(cublasLtMatrixLayoutSetAttribute(p.l[w->m], w->which, &w->value, (size_t)w->bytes));
    EXPECT(heuristic(h, &p) == w->status);
    EXPECT(multiply(h, &p, NULL) == w->status);
    same(&p.d); /* untouched */
    end(&p);
}

static void pointers(Handle h)
{
    struct product p = {.t = there[0], .epilogue = ADD_BIAS, .batch = 1};
    const struct algorithm unknown = {{99}};
    const float one = 1, zero = 0;
    begin(&p);
    EXPECT(multiply(NULL, &p, NULL) == NOT_INITIALIZED);
    EXPECT(cublasLtMatmul(h, p.op, &one, p.a.d, p.l[0], p.b.d, p.l[1], &one, NULL, p.l[2], p.d.d,
                          p.l[3], NULL, NULL, 0, NULL) == INVALID_VALUE);
    EXPECT(cublasLtMatmul(h, p.op, &one, p.a.d, p.l[0], p.b.d, p.l[1], &zero, p.d.d, p.l[2], p.d.d,
                          p.l[3], NULL, NULL, 0, NULL) == INVALID_VALUE); /* another ld */
    EXPECT(cublasLtMatmul(h, p.op, &one, p.a.d, p.l[0], p.b.d, p.l[1], &zero, p.c.d, p.l[2], p.d.d,
                          p.l[3], &unknown, NULL, 0, NULL) == INVALID_VALUE);
    EXPECT(cublasLtMatmul(h, p.op, &one, p.a.d, NULL, p.b.d, p.l[1], &zero, p.c.d, p.l[2], p.d.d,
                          p.l[3], NULL, NULL, 0, NULL) == INVALID_VALUE);
    OK(cublasLtMatmul(h, p.op, &one, p.a.d, p.l[0], p.b.d, p.l[1], &zero, NULL, p.l[2], p.d.d,
                      p.l[3], NULL, NULL, 0, NULL));
    set(p.op, BIAS, 0, 8);
    EXPECT(multiply(h, &p, NULL) == INVALID_VALUE);
    end(&p);
    EXPECT(cublasLtMatrixTransform() == NOT_SUPPORTED);
}

int main(void)
{
    Handle h;
    int major;
    CUstream s = one_stream();
    OK(cublasLtCreate(&h));
    OK(cublasLtGetProperty(0, &major));
    EXPECT(cublasLtGetVersion() / 10000 == (size_t)major && cublasLtLoggerSetLevel(0) == 0);
    EXPECT(strcmp(cublasLtGetStatusString(NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED") == 0);
    one_launch();
    products(h);
    elsewhere(h, s);
    attributes();
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++)
        wrong(h, &wrongs[i]);
    pointers(h);
    OK(cublasLtDestroy(h));
    printf("passed\n");
    return 0;
}
