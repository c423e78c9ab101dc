// Tensor operations: wmma of every element type and shape, mma.sync with ldmatrix as libraries use it.
// Sums of small whole numbers are exact in every order, so results are compared for equality.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "check.cuh"

using namespace nvcuda;

template <class T> __host__ __device__ float number(T x)
{
    return (float)x;
}
const int ld = 40; // elements from row to row, more than any matrix has

// c = a b + c; a by rows, b by LB, c by LC in and out.
template <int M, int N, int K, class T, class Stored, class Sum, class LA, class LB>
__global__ void product(const Stored *a, const Stored *b, Sum *c, wmma::layout_t lc)
{
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> fc;
    __shared__ __align__(32) Stored copy[32 * ld];
    for (int i = threadIdx.x; i < 32 * ld; i += 32)
        copy[i] = b[i];
    __syncwarp();
    wmma::load_matrix_sync(fa, a, ld);
    wmma::load_matrix_sync(fb, copy, ld);
    wmma::load_matrix_sync(fc, c, ld, lc);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] = fc.x[i] + fc.x[i];
    wmma::store_matrix_sync(c, fc, ld, lc);
}

template <int M, int N, int K, class T, class Stored, class Sum, class LA, class LB>
void check_product(bool rows_a, bool rows_b, bool rows_c)
{
    Stored *a, *b;
    Sum *c;
    CHECK(cudaMallocManaged(&a, 32 * ld * sizeof *a));
    CHECK(cudaMallocManaged(&b, 32 * ld * sizeof *b));
    CHECK(cudaMallocManaged(&c, 32 * ld * sizeof *c));
    for (int i = 0; i < 32 * ld; i++) {
        a[i] = (Stored)(float)(i * 7 % 11);
        b[i] = (Stored)(float)(i * 5 % 9);
        c[i] = (Sum)(float)(i % 17);
    }
    float want[32][32];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            want[i][j] = number(c[rows_c ? i * ld + j : j * ld + i]);
            for (int k = 0; k < K; k++)
                want[i][j] += number(a[rows_a ? i * ld + k : k * ld + i]) *
                              number(b[rows_b ? k * ld + j : j * ld + k]);
        }
    product<M, N, K, T, Stored, Sum, LA, LB>
        <<<1, 32>>>(a, b, c, rows_c ? wmma::mem_row_major : wmma::mem_col_major);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            EXPECT(number(c[rows_c ? i * ld + j : j * ld + i]) == 2 * want[i][j]);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
}

template <int M, int N, int K, class T, class Stored, class Sum> void check_layouts()
{
    using R = wmma::row_major;
    using C = wmma::col_major;
    check_product<M, N, K, T, Stored, Sum, R, C>(true, false, true);
    check_product<M, N, K, T, Stored, Sum, C, R>(false, true, false);
    check_product<M, N, K, T, Stored, Sum, R, R>(true, true, false);
}

template <class T, class Sum> void check_shapes()
{
    check_layouts<16, 16, 16, T, T, Sum>();
    check_layouts<32, 8, 16, T, T, Sum>();
    check_layouts<8, 32, 16, T, T, Sum>();
}

// mma.m16n8k16 fed by ldmatrix: a by rows, b (16 x 8) by rows, so that it is loaded transposed.
__global__ void rows(const half *a, const half *b, float *c)
{
    __shared__ __align__(16) half sa[16 * 16], sb[16 * 8];
    int t = threadIdx.x;
    for (int i = t; i < 16 * 16; i += 32)
        sa[i] = a[i];
    for (int i = t; i < 16 * 8; i += 32)
        sb[i] = b[i];
    __syncwarp();
    unsigned ra[4], rb[2], pa = (unsigned)__cvta_generic_to_shared(sa + t % 16 * 16 + t / 16 * 8),
                           pb = (unsigned)__cvta_generic_to_shared(sb + t % 16 * 8);
    float d[4] = {0, 0, 0, 0};
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int i = 0; i < 4; i++)
        c[(t / 4 + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = d[i];
}

void check_rows()
{
    half *a, *b;
    float *c;
    CHECK(cudaMallocManaged(&a, 256 * sizeof *a));
    CHECK(cudaMallocManaged(&b, 128 * sizeof *b));
    CHECK(cudaMallocManaged(&c, 128 * sizeof *c));
    for (int i = 0; i < 256; i++)
        a[i] = (float)(i % 23);
    for (int i = 0; i < 128; i++)
        b[i] = (float)(i * 3 % 19);
    rows<<<1, 32>>>(a, b, c);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++) {
            float want = 0;
            for (int k = 0; k < 16; k++)
                want += number(a[i * 16 + k]) * number(b[k * 8 + j]);
            EXPECT(c[i * 8 + j] == want);
        }
}

int main()
{
    check_shapes<half, float>();
    check_shapes<half, half>();
    check_shapes<__nv_bfloat16, float>();
    check_shapes<signed char, int>();
    check_shapes<unsigned char, int>();
    check_layouts<16, 16, 8, wmma::precision::tf32, float, float>();
    check_layouts<8, 8, 4, double, double, double>();
    check_rows();
    puts("passed");
}
