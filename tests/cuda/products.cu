// A product with bias by cuBLASLt as its header has it, with descriptors in memory of the program's
// own; a kernel computes the same.
#include <cstdio>
#include <cublasLt.h>

static_assert(sizeof(cublasLtMatmulDescOpaque_t) >= 88 &&
                  sizeof(cublasLtMatrixLayoutOpaque_t) >= 64 &&
                  sizeof(cublasLtMatmulPreferenceOpaque_t) >= 64,
              "there is room for our descriptors");
static_assert(sizeof(cublasLtMatmulHeuristicResult_t) == 96 && sizeof(cublasLtMatmulAlgo_t) == 64,
              "results are as we write them");

const int M = 64, N = 32, K = 48;

__global__ void expected(const float *a, const float *b, const float *bias, float *d)
{
    const int i = threadIdx.x, j = blockIdx.x;
    float v = bias[i];
    for (int l = 0; l < K; l++)
        v += a[l + i * K] * b[l + j * K];
    d[i + j * M] = v;
}

static int multiply(const float *a, const float *b, const float *bias, float *d)
{
    cublasLtHandle_t h;
    cublasLtMatmulDescOpaque_t op;
    cublasLtMatrixLayoutOpaque_t la, lb, ld;
    cublasLtMatmulPreferenceOpaque_t any;
    cublasLtMatmulHeuristicResult_t found;
    const cublasOperation_t transposed = CUBLAS_OP_T;
    const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_BIAS;
    const float one = 1, zero = 0;
    int n;
    int bad = cublasLtCreate(&h) | cublasLtMatmulDescInit(&op, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    bad |= cublasLtMatmulDescSetAttribute(&op, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                          sizeof transposed);
    bad |= cublasLtMatmulDescSetAttribute(&op, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                          sizeof epilogue);
    bad |=
        cublasLtMatmulDescSetAttribute(&op, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias);
    bad |= cublasLtMatrixLayoutInit(&la, CUDA_R_32F, K, M, K);
    bad |= cublasLtMatrixLayoutInit(&lb, CUDA_R_32F, K, N, K);
    bad |= cublasLtMatrixLayoutInit(&ld, CUDA_R_32F, M, N, M);
    bad |= cublasLtMatmulPreferenceInit(&any);
    bad |= cublasLtMatmulAlgoGetHeuristic(h, &op, &la, &lb, &ld, &ld, &any, 1, &found, &n);
    bad |= n != 1 || found.state != CUBLAS_STATUS_SUCCESS;
    bad |= cublasLtMatmul(h, &op, &one, a, &la, b, &lb, &zero, d, &ld, d, &ld, &found.algo, nullptr,
                          0, 0);
    return bad | cublasLtDestroy(h);
}

int main()
{
    static float host[(M + N) * K + M], got[M * N], wanted[M * N];
    float *in, *d, *e;
    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        host[i] = (float)(i % 7) - 3;
    int bad =
        cudaMalloc(&in, sizeof host) | cudaMalloc(&d, sizeof got) | cudaMalloc(&e, sizeof got);
    bad |= cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    const float *b = in + M * K, *bias = b + N * K;
    bad |= multiply(in, b, bias, d);
    expected<<<N, M>>>(in, b, bias, e);
    bad |= cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost);
    bad |= cudaMemcpy(wanted, e, sizeof wanted, cudaMemcpyDeviceToHost);
    for (int i = 0; i < M * N; i++) // small whole numbers: no rounding
        bad |= got[i] != wanted[i];
    printf("%s\n", bad ? "failed" : "passed");
    return bad;
}
