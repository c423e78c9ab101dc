/* cuBLAS: symmetric and triangular matrices, sums of matrices, LU in batches, halves in batches.
 * Each result is a whole number that is computed by hand. Matrices are stored by columns. */
#include "tests/cuda/driver_types.h"
#include "tests/cuda/ok.h"

typedef struct blas *Handle;
int cublasCreate_v2(Handle *), cublasDestroy_v2(Handle);
int cublasSsymm_v2(Handle, int, int, int, int, const float *, const float *, int, const float *,
                   int, const float *, float *, int);
int cublasDsyrk_v2(Handle, int, int, int, int, const double *, const double *, int, const double *,
                   double *, int);
int cublasStrmm_v2(Handle, int, int, int, int, int, int, const float *, const float *, int,
                   const float *, int, float *, int);
int cublasStrsm_v2(Handle, int, int, int, int, int, int, const float *, const float *, int, float *,
                   int);
int cublasStrsmBatched(Handle, int, int, int, int, int, int, const float *, const float **, int,
                       float **, int, int);
int cublasDtrsv_v2(Handle, int, int, int, int, const double *, int, double *, int);
int cublasSsymv_v2(Handle, int, int, const float *, const float *, int, const float *, int,
                   const float *, float *, int);
int cublasSgeam(Handle, int, int, int, int, const float *, const float *, int, const float *,
                const float *, int, float *, int);
int cublasSgetrfBatched(Handle, int, float **, int, int *, int *, int);
int cublasSgetriBatched(Handle, int, const float **, int, const int *, float **, int, int *, int);
int cublasHgemmBatched(Handle, int, int, int, int, int, const void *, const void **, int,
                       const void **, int, const void *, void **, int, int);
int cublasDotEx(Handle, int, const void *, int, int, const void *, int, int, void *, int, int);
int cublasSetMatrixAsync(int, int, int, const void *, int, void *, int, CUstream);
int cublasGetVectorAsync(int, int, const void *, int, void *, int, CUstream);

enum { LEFT, RIGHT };
enum { LOWER, UPPER };
enum { AS_IT_IS, TRANSPOSED };
enum { INVALID_VALUE = 7, EXECUTION_FAILED = 13 };
enum { FLOAT = 0, HALF = 2 };

static void *device(const void *from, size_t bytes)
{
    CUdeviceptr d;
    OK(cuMemAlloc_v2(&d, bytes));
    OK(cuMemcpyHtoD_v2(d, from, bytes));
    return (void *)d;
}

static void is(const float *d, const float *wanted, int n)
{
    for (int i = 0; i < n; i++) {
        float h;
        OK(cuMemcpyDtoH_v2(&h, (CUdeviceptr)(d + i), sizeof h));
        EXPECT(h == wanted[i]);
    }
}

static void are(const double *d, const double *wanted, int n)
{
    for (int i = 0; i < n; i++) {
        double h;
        OK(cuMemcpyDtoH_v2(&h, (CUdeviceptr)(d + i), sizeof h));
        EXPECT(h == wanted[i]);
    }
}

#define PUT(...)    device((float[]){__VA_ARGS__}, sizeof(float[]){__VA_ARGS__})
#define PUT_D(...)  device((double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__})
#define IS(d, ...)  is(d, (float[]){__VA_ARGS__}, sizeof(float[]){__VA_ARGS__} / sizeof(float))
#define ARE(d, ...) are(d, (double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double))

static const float one = 1, two = 2, zero = 0;

/* 1 2 / 2 3, of which one half is stored; the 9 is not looked at. */
static void symmetric(Handle h)
{
    float *lower = PUT(1, 2, 9, 3), *upper = PUT(1, 9, 2, 3), *b = PUT(1, 0, 4, 5), *x = PUT(1, 10);
    float *out = PUT(1, 1, 1, 1), *y = PUT(100, 100);
    OK(cublasSsymm_v2(h, LEFT, LOWER, 2, 2, &one, lower, 2, b, 2, &zero, out, 2));
    IS(out, 1, 2, 14, 23);
    OK(cublasSsymm_v2(h, RIGHT, UPPER, 2, 2, &two, upper, 2, b, 2, &one, out, 2));
    IS(out, 1 + 18, 2 + 20, 14 + 28, 23 + 30);
    OK(cublasSsymv_v2(h, UPPER, 2, &one, upper, 2, x, 1, &one, y, 1));
    IS(y, 121, 132);
    double done = 1, dzero = 0, *a = PUT_D(1, 2, 3, 4, 5, 6), *c = PUT_D(7, 7, 7, 7);
    OK(cublasDsyrk_v2(h, LOWER, AS_IT_IS, 2, 3, &done, a, 2, &dzero, c, 2)); /* 2 x 3 */
    ARE(c, 35, 44, 7, 56); /* the other half stays */
    OK(cublasDsyrk_v2(h, UPPER, TRANSPOSED, 2, 3, &done, a, 3, &dzero, c, 2)); /* 3 x 2 */
    ARE(c, 14, 44, 32, 77);
}

/* 2 0 / 1 4. */
static void triangular(Handle h)
{
    float *a = PUT(2, 1, 9, 4), *b = PUT(2, 9, 4, 18), *out = PUT(0, 0, 0, 0);
    OK(cublasStrmm_v2(h, LEFT, LOWER, AS_IT_IS, 0, 2, 2, &one, a, 2, b, 2, out, 2));
    IS(out, 4, 38, 8, 76);
    IS(b, 2, 9, 4, 18);
    OK(cublasStrsm_v2(h, LEFT, LOWER, AS_IT_IS, 0, 2, 2, &two, a, 2, out, 2));
    IS(out, 4, 18, 8, 36);                                                        /* b, twice */
    OK(cublasStrsm_v2(h, RIGHT, LOWER, TRANSPOSED, 1, 2, 2, &one, a, 2, out, 2)); /* 1 0 / 1 1 */
    IS(out, 4, 18, 4, 18);
    double *da = PUT_D(2, 1, 9, 4), *x = PUT_D(2, 9);
    OK(cublasDtrsv_v2(h, LOWER, AS_IT_IS, 0, 2, da, 2, x, 1));
    ARE(x, 1, 2);
    float *c = PUT(4, 38, 8, 76);
    const float **as = device((void *[]){a, a}, 16);
    float **bs = device((void *[]){c, c + 2}, 16);
    OK(cublasStrsmBatched(h, LEFT, LOWER, AS_IT_IS, 0, 2, 1, &one, as, 2, bs, 2, 2));
    IS(c, 2, 9, 4, 18);
    OK(cublasStrsmBatched(h, LEFT, LOWER, AS_IT_IS, 0, 2, 1, &one, as, 2, bs, 2, 0));
    IS(c, 2, 9, 4, 18);
    EXPECT(cublasStrsm_v2(h, 2, LOWER, 0, 0, 2, 2, &one, a, 2, out, 2) == INVALID_VALUE);
    EXPECT(cublasStrsm_v2(h, LEFT, LOWER, 0, 0, 2, 2, &one, a, 1, out, 2) == INVALID_VALUE);
    EXPECT(cublasStrsm_v2(h, LEFT, LOWER, 0, 0, 2, 2, NULL, a, 2, out, 2) == INVALID_VALUE);
    EXPECT(cublasStrsm_v2(h, LEFT, LOWER, 0, 0, 9, 9, &one, a, 9, out, 9) == EXECUTION_FAILED);
}

/* 1 2 3 / 4 5 6 and its transpose. A matrix that is multiplied by 0 need not be there. */
static void sums(Handle h)
{
    float *a = PUT(1, 4, 2, 5, 3, 6), *b = PUT(1, 2, 3, 4, 5, 6), *out = PUT(0, 0, 0, 0, 0, 0);
    OK(cublasSgeam(h, AS_IT_IS, TRANSPOSED, 2, 3, &one, a, 2, &two, b, 3, out, 2));
    IS(out, 3, 12, 6, 15, 9, 18);
    OK(cublasSgeam(h, TRANSPOSED, AS_IT_IS, 3, 2, &one, a, 2, &zero, NULL, 3, out, 3));
    IS(out, 1, 2, 3, 4, 5, 6);
}

/* 0 2 / 4 8: its rows change places; 1 2 / 2 4 has no inverse. */
static void factors(Handle h)
{
    float *m = PUT(0, 4, 2, 8, 1, 2, 2, 4), *out = PUT(0, 0, 0, 0, 0, 0, 0, 0);
    float **at = device((void *[]){m, m + 4}, 16), **to = device((void *[]){out, out + 4}, 16);
    int none[4] = {0}, p[4], i[2], *pivots = device(none, 16), *info = device(none, 8);
    OK(cublasSgetrfBatched(h, 2, at, 2, pivots, info, 2));
    IS(m, 4, 0, 8, 2, 2, 0.5f, 4, 0);
    OK(cuMemcpyDtoH_v2(p, (CUdeviceptr)pivots, 16) | cuMemcpyDtoH_v2(i, (CUdeviceptr)info, 8));
    EXPECT(p[0] == 2 && p[1] == 2 && p[2] == 2 && p[3] == 2 && i[0] == 0 && i[1] == 2);
    OK(cublasSgetriBatched(h, 2, (const float **)at, 2, pivots, to, 2, info, 2));
    is(out, (float[]){-1, 0.5f, 0.25f, 0}, 4);
    OK(cuMemcpyDtoH_v2(i, (CUdeviceptr)info, 8));
    EXPECT(i[0] == 0 && i[1] == 2);
    EXPECT(cublasSgetrfBatched(h, 2, at, 2, pivots, NULL, 2) == INVALID_VALUE);
}

static void halves(Handle h)
{
    const _Float16 a[] = {1, 2, 3, 4}, b[] = {10, 20, 30, 40}, hone = 1, hzero = 0;
    _Float16 *da = device(a, 8), *db = device(b, 8), *out = device(b, 8), host[4], dot;
    const void **as = device((void *[]){da, da + 2}, 16), **bs = device((void *[]){db, db + 2}, 16);
    void **to = device((void *[]){out, out + 1}, 16);
    float f;
    OK(cublasHgemmBatched(h, 0, 0, 1, 1, 2, &hone, as, 1, bs, 2, &hzero, to, 1, 2));
    OK(cuMemcpyDtoH_v2(host, (CUdeviceptr)out, 8));
    EXPECT((float)host[0] == 50 && (float)host[1] == 250 && (float)host[2] == 30);
    OK(cublasDotEx(h, 4, da, HALF, 1, db, HALF, 1, &dot, HALF, FLOAT));
    OK(cublasDotEx(h, 4, da, HALF, 1, db, HALF, 1, &f, FLOAT, FLOAT));
    EXPECT((float)dot == 300 && f == 300);
}

static void copies(CUstream s)
{
    const float from[] = {1, 2, 3, 4};
    float *d = PUT(0, 0, 0, 0, 0, 0), to[2];
    OK(cublasSetMatrixAsync(2, 2, 4, from, 2, d, 3, s));
    OK(cublasGetVectorAsync(2, 4, d, 3, to, 1, s) | cuStreamSynchronize(s));
    IS(d, 1, 2, 0, 3, 4, 0);
    EXPECT(to[0] == 1 && to[1] == 3);
}

int main(void)
{
    Handle h;
    CUstream s;
    CUcontext ctx;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&ctx, 0, 0) | cuStreamCreate(&s, 0));
    OK(cublasCreate_v2(&h));
    symmetric(h);
    triangular(h);
    sums(h);
    factors(h);
    halves(h);
    copies(s);
    OK(cublasDestroy_v2(h));
    printf("passed\n");
    return 0;
}
