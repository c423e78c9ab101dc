/* cuBLAS beside a kernel of the program's own: results by hand; errors. */
#include "tests/cuda/one_kernel.h"

typedef struct blas *Handle;
typedef struct CUgraph_st *Graph;
typedef struct CUgraphExec_st *Exec;
int cublasCreate_v2(Handle *), cublasDestroy_v2(Handle), cublasSetStream_v2(Handle, CUstream);
int cublasSetMathMode(Handle, int), cublasGetMathMode(Handle, int *);
int cublasSetPointerMode_v2(Handle, int);
int cublasSgemm_v2(Handle, int, int, int, int, int, const float *, const float *, int,
                   const float *, int, const float *, float *, int);
int cublasDgemmStridedBatched(Handle, int, int, int, int, int, const double *, const double *, int,
                              long long, const double *, int, long long, const double *, double *,
                              int, long long, int);
int cublasGemmEx(Handle, int, int, int, int, int, const void *, const void *, int, int,
                 const void *, int, int, const void *, void *, int, int, int, int);
int cublasSgemv_v2(Handle, int, int, int, const float *, const float *, int, const float *, int,
                   const float *, float *, int);
int cublasSaxpy_v2(Handle, int, const float *, const float *, int, float *, int);
int cublasSdot_v2(Handle, int, const float *, int, const float *, int, float *);
int cublasSscal_v2(Handle, int, const float *, float *, int);
int cublasSnrm2_v2(Handle, int, const float *, int, float *);
int cublasIsamax_v2(Handle, int, const float *, int, int *);
int cublasSetVector(int, int, const void *, int, void *, int);
int cublasGetMatrix(int, int, int, const void *, int, void *, int);
int cublasCtrsm_v2(void);
int cudaStreamBeginCapture(CUstream, int), cudaStreamEndCapture(CUstream, Graph *);
int cudaGraphInstantiate(Exec *, Graph, unsigned long long), cudaGraphLaunch(Exec, CUstream);

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13, NOT_SUPPORTED = 15 };

static void *device(const void *from, size_t bytes)
{
    CUdeviceptr d;
    OK(cuMemAlloc_v2(&d, bytes));
    OK(cuMemcpyHtoD_v2(d, from, bytes));
    return (void *)d;
}

static float at(const float *d, int i)
{
    float h;
    OK(cuMemcpyDtoH_v2(&h, (CUdeviceptr)(d + i), sizeof h));
    return h;
}

static void mixed(Handle h)
{
    const _Float16 a[] = {1, 2, 3, 4}, b[] = {0.5f, 0, 0, 2}; /* columns */
    const signed char ia[] = {1, 2, 3, -4}, ib[] = {100, 0, 0, 100};
    const float one = 1, zero = 0;
    const int ione = 1, izero = 0;
    const double two[] = {1, 2, 3, 4, 10, 20, 30, 40}, done = 1, dzero = 0;
    float *out = device((float[4]){0}, 16);
    int *iout = device((int[4]){0}, 16), hi[4];
    double *dout = device((double[8]){0}, 64), hd[8];
    OK(cublasGemmEx(h, 0, 0, 2, 2, 2, &one, device(a, 8), 2, 2, device(b, 8), 2, 2, &zero, out, 0,
                    2, 68, -1));
    EXPECT(at(out, 0) == 0.5f && at(out, 1) == 1 && at(out, 2) == 6 && at(out, 3) == 8);
    OK(cublasGemmEx(h, 0, 0, 2, 2, 2, &ione, device(ia, 4), 3, 2, device(ib, 4), 3, 2, &izero, iout,
                    10, 2, 72, -1));
    OK(cuMemcpyDtoH_v2(hi, (CUdeviceptr)iout, sizeof hi));
    EXPECT(hi[0] == 100 && hi[3] == -400);
    const double *a2 = device(two, 64); /* each squared */
    OK(cublasDgemmStridedBatched(h, 0, 0, 2, 2, 2, &done, a2, 2, 4, a2, 2, 4, &dzero, dout, 2, 4,
                                 2));
    OK(cuMemcpyDtoH_v2(hd, (CUdeviceptr)dout, sizeof hd));
    EXPECT(hd[0] == 7 && hd[1] == 10 && hd[4] == 700 && hd[7] == 2200);
}

static void plain(Handle h, CUstream s)
{
    const float ones[] = {1, 1, 1, 1, 1, 1}, a[] = {1, 2, 3, 4, 5, 6}; /* 2 x 3, by columns */
    float *x = device(ones, sizeof ones), *m = device(a, sizeof a), *y = device(ones, sizeof ones);
    float two = 2, one = 1, zero = 0, r, host[6];
    int i;
    Graph g;
    Exec e;
    OK(cublasSgemm_v2(h, 0, 1, 2, 2, 3, &one, m, 2, m, 2, &zero, y, 2)); /* m times its transpose */
    EXPECT(at(y, 0) == 35 && at(y, 1) == 44 && at(y, 3) == 56);
    OK(cublasSgemv_v2(h, 0, 2, 3, &two, m, 2, x, 1, &zero, y, 2));
    EXPECT(at(y, 0) == 18 && at(y, 1) == 44 && at(y, 2) == 24);
    OK(cublasSgemv_v2(h, 1, 2, 3, &one, m, 2, x, 1, &zero, y, 1));
    EXPECT(at(y, 0) == 3 && at(y, 1) == 7 && at(y, 2) == 11);
    OK(cublasSaxpy_v2(h, 3, &two, x, 2, y, 1));
    EXPECT(at(y, 2) == 13);
    OK(cublasSscal_v2(h, 2, &two, y, 1));
    EXPECT(at(y, 0) == 10 && at(y, 1) == 18 && at(y, 2) == 13);
    OK(cublasSdot_v2(h, 6, m, 1, x, 1, &r));
    EXPECT(r == 21);
    OK(cublasIsamax_v2(h, 6, m, 1, &i));
    EXPECT(i == 6);
    OK(cublasSetPointerMode_v2(h, 1)); /* scalars and results are the device's */
    OK(cublasSnrm2_v2(h, 4, x, 1, y));
    OK(cublasSaxpy_v2(h, 1, y, x, 1, y + 1, 1));
    EXPECT(at(y, 0) == 2 && at(y, 1) == 20);
    OK(cublasSetPointerMode_v2(h, 0));
    OK(cublasGetMatrix(2, 3, 4, m, 2, host, 2));
    EXPECT(host[5] == 6);
    OK(cublasSetVector(3, 4, ones, 1, m, 2));
    EXPECT(at(m, 4) == 1 && at(m, 5) == 6);
    OK(cublasSetStream_v2(h, s)); /* captured, as the stream is */
    OK(cudaStreamBeginCapture(s, 0));
    OK(cublasSscal_v2(h, 1, &two, x, 1));
    OK(cudaStreamEndCapture(s, &g));
    EXPECT(at(x, 0) == 1);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, s));
    OK(cudaGraphLaunch(e, s));
    EXPECT(at(x, 0) == 4);
    EXPECT(cublasSgemm_v2(NULL, 0, 0, 1, 1, 1, &one, m, 1, m, 1, &one, y, 1) == NOT_INITIALIZED);
    EXPECT(cublasSgemm_v2(h, 0, 0, 2, 1, 1, &one, m, 1, m, 1, &one, y, 2) == INVALID_VALUE);
    EXPECT(cublasSgemm_v2(h, 0, 0, 9, 9, 9, &one, m, 9, m, 9, &one, y, 9) == EXECUTION_FAILED);
    EXPECT(cublasCtrsm_v2() == NOT_SUPPORTED);
}

int main(void)
{
    Handle h;
    int mode;
    CUstream s = one_stream();
    OK(cublasCreate_v2(&h));
    OK(cublasSetMathMode(h, 3));
    OK(cublasGetMathMode(h, &mode));
    EXPECT(mode == 3);
    one_launch();
    plain(h, s);
    mixed(h);
    OK(cublasDestroy_v2(h));
    printf("passed\n");
    return 0;
}
