// nw.cu -- global alignment of two sequences (Needleman-Wunsch): the table of scores is filled tile
// by tile, all tiles of an antidiagonal in one launch, with 16 threads a tile, one a column, that
// follow the tile's own antidiagonals. Two kernels: antidiagonals that grow, and that shrink.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S nw.cu -o nw.ptx
#include "../simt.cuh"

#define TILE 16

static __device__ inline int larger(int a, int b)
{
    return a > b ? a : b;
}

// score and similar: side x side, with the border in row and column 0; bx, by: which tile.
static __device__ inline void fill_tile(int *score, const int *similar, int side, int penalty,
                                        int bx, int by)
{
    __shared__ int s[TILE + 1][TILE + 1], match[TILE][TILE];
    int t = threadIdx.x, corner = by * TILE * side + bx * TILE;
    for (int row = 0; row < TILE; row++)
        match[row][t] = similar[corner + (row + 1) * side + t + 1];
    if (t == 0)
        s[0][0] = score[corner];
    s[t + 1][0] = score[corner + (t + 1) * side];
    s[0][t + 1] = score[corner + t + 1];
    __syncthreads();
    for (int diagonal = 0; diagonal < 2 * TILE - 1; diagonal++) {
        int row = diagonal - t;
        if (row >= 0 && row < TILE) {
            int gap = larger(s[row][t + 1], s[row + 1][t]) - penalty;
            s[row + 1][t + 1] = larger(s[row][t] + match[row][t], gap);
        }
        __syncthreads();
    }
    for (int row = 0; row < TILE; row++)
        score[corner + (row + 1) * side + t + 1] = s[row + 1][t + 1];
}

// Antidiagonal from the tile (0, tiles - 1), counted from the upper left.
extern "C" __global__ void nw_growing(int *score, const int *similar, int side, int penalty,
                                      int tiles)
{
    fill_tile(score, similar, side, penalty, blockIdx.x, tiles - 1 - blockIdx.x);
}

// The last `tiles` rows and columns of tiles out of `all`: the antidiagonal through their corners.
extern "C" __global__ void nw_shrinking(int *score, const int *similar, int side, int penalty,
                                        int tiles, int all)
{
    fill_tile(score, similar, side, penalty, all - tiles + blockIdx.x, all - 1 - blockIdx.x);
}
