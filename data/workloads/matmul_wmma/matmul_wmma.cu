// matmul_wmma.cu -- matrix product on tensor cores: half-precision A and B, single-precision C, all
// stored by rows. CTAs of 4 warps compute tiles of 64 x 64 through shared memory, 32 of K at a time;
// each warp has a quarter, 2 x 2 fragments of 16 x 16.
// PTX: nvcc -ptx -arch=compute_75 matmul_wmma.cu -o matmul_wmma.ptx
#include <mma.h>

using namespace nvcuda;

#define THREADS 128
#define TILE    64
#define INNER   32 // of K at a time
#define PART    16 // side of a fragment
#define PAD     8  // halves that shift rows to other banks

// rows x columns halves, 8 an access
static __device__ void load(half *to, int to_row, const half *from, int from_row, int columns,
                            int rows)
{
    for (int i = threadIdx.x; i < rows * columns / 8; i += THREADS) {
        int y = i / (columns / 8), x = i % (columns / 8) * 8;
        *(int4 *)(to + y * to_row + x) = *(const int4 *)(from + (size_t)y * from_row + x);
    }
}

// C[m][n] = A[m][k] B[k][n]; m and n are multiples of TILE, k of INNER
extern "C" __global__ void matmul_wmma_tiled(float *c, const half *a, const half *b, int n, int k)
{
    __shared__ __align__(32) half tile_a[TILE][INNER + PAD], tile_b[INNER][TILE + PAD];
    int warp = threadIdx.x / 32, y = warp / 2 * (TILE / 2), x = warp % 2 * (TILE / 2);
    size_t row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    wmma::fragment<wmma::accumulator, PART, PART, PART, float> sum[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);
    for (int l = 0; l < k; l += INNER) {
        load(tile_a[0], INNER + PAD, a + row * k + l, k, INNER, TILE);
        load(tile_b[0], TILE + PAD, b + (size_t)l * n + column, n, TILE, INNER);
        __syncthreads();
#pragma unroll 1
        for (int in = 0; in < INNER; in += PART) {
            wmma::fragment<wmma::matrix_a, PART, PART, PART, half, wmma::row_major> left[2];
            wmma::fragment<wmma::matrix_b, PART, PART, PART, half, wmma::row_major> right[2];
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(left[i], &tile_a[y + i * PART][in], INNER + PAD);
                wmma::load_matrix_sync(right[i], &tile_b[in][x + i * PART], TILE + PAD);
            }
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(sum[i][j], left[i], right[j], sum[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(c + (row + y + i * PART) * n + column + x + j * PART, sum[i][j],
                                    n, wmma::mem_row_major);
}
