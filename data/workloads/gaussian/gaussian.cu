// gaussian.cu -- one step of Gaussian elimination without pivoting, in two kernels: the factors of
// the pivot's column, then the rows below. Threads of the second stand on a 2-D grid, x down the
// rows; both grids cover the whole matrix at every step, and threads beyond its rest leave.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S gaussian.cu -o gaussian.ptx
#include "../simt.cuh"

extern "C" __global__ void gaussian_factors(float *m, const float *a, int n, int pivot)
{
    int row = pivot + 1 + blockDim.x * blockIdx.x + threadIdx.x;
    if (row < n)
        m[row * n + pivot] = a[row * n + pivot] / a[pivot * n + pivot];
}

extern "C" __global__ void gaussian_rows(float *a, float *b, const float *m, int n, int pivot)
{
    int row = pivot + 1 + blockDim.x * blockIdx.x + threadIdx.x;
    int col = pivot + blockDim.y * blockIdx.y + threadIdx.y;
    if (row >= n || col >= n)
        return;
    float factor = m[row * n + pivot];
    a[row * n + col] -= factor * a[pivot * n + col];
    if (col == pivot)
        b[row] -= factor * b[pivot];
}
