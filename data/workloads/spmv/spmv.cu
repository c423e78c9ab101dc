// spmv.cu -- sparse matrix times vector, jagged diagonal storage: rows sorted by length, longest
// first; element k of all rows that have one lies together, so that neighbouring threads read
// neighbouring words. One thread a row; the next element is fetched while the last is multiplied.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S spmv.cu -o spmv.ptx
#include "../simt.cuh"

#define DIAGONALS 512  // the longest row
#define GROUPS    8192 // groups of 32 rows

__constant__ int spmv_first[DIAGONALS]; // where jagged diagonal k begins
__constant__ int spmv_length[GROUPS];   // the longest row of each 32; shorter ones are padded

extern "C" __global__ void spmv_jds(float *y, const float *value, const int *column, const int *row,
                                    const float *x, int rows)
{
    int r = blockDim.x * blockIdx.x + threadIdx.x;
    if (r >= rows)
        return;
    int length = spmv_length[r / 32];
    int at = spmv_first[0] + r;
    float v = value[at];
    int col = column[at];
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 1; k < length; k++) {
        at = spmv_first[k] + r;
        float v_next = value[at];
        int col_next = column[at];
        KEEP(v_next);
        KEEP_INT(col_next);
        KEEP(v);
        sum += v * x[col];
        v = v_next;
        col = col_next;
    }
    y[row[r]] = sum + v * x[col];
}
