// nqu.cu -- solutions of the N queens puzzle. The host has set the queens of the first rows; each
// thread tries all ways to set the others, row by row, and counts those that end. The queens' fields
// are bit masks, one stack of rows a thread in shared memory; no recursion. The CTA adds up.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S nqu.cu -o nqu.ptx
#include "../simt.cuh"

#define ROWS 10 // that threads fill, at most

extern __shared__ unsigned stack[]; // [4][ROWS][blockDim.x], then the threads' counts

// Of board i: taken[i] holds the columns, falling[i] and rising[i] the two kinds of diagonals that
// the next row may not use; twice[i]: the board stands for its mirror image, too. rows: left to fill.
extern "C" __global__ void nqu_count(unsigned *solutions, const unsigned *taken,
                                     const unsigned *falling, const unsigned *rising,
                                     const unsigned *twice, int boards, int columns, int rows)
{
    const int t = threadIdx.x, wide = blockDim.x, i = blockIdx.x * wide + t;
    const unsigned all = (1u << columns) - 1;
    unsigned *used = stack + t, *fall = used + ROWS * wide, *rise = fall + ROWS * wide;
    unsigned *left = rise + ROWS * wide, *count = stack + 4 * ROWS * wide, found = 0;
    if (i < boards) {
        used[0] = taken[i];
        fall[0] = falling[i];
        rise[0] = rising[i];
        left[0] = all & ~(used[0] | fall[0] | rise[0]);
        int row = 0;
        while (row >= 0) {
            const int at = row * wide;
            const unsigned fields = left[at];
            if (fields == 0) { // this row has had all its queens
                row--;
                continue;
            }
            const unsigned queen = fields & (0u - fields);
            left[at] = fields & ~queen;
            if (row == rows - 1) {
                found++;
                continue;
            }
            const unsigned u = used[at] | queen, f = (fall[at] | queen) << 1;
            const unsigned r = (rise[at] | queen) >> 1;
            used[at + wide] = u;
            fall[at + wide] = f;
            rise[at + wide] = r;
            left[at + wide] = all & ~(u | f | r);
            row++;
        }
        if (twice[i])
            found *= 2;
    }
    count[t] = found;
    for (int far = 1; far < wide; far *= 2) {
        __syncthreads();
        if (t % (2 * far) == 0 && t + far < wide)
            count[t] += count[t + far];
    }
    if (t == 0)
        solutions[blockIdx.x] = count[0];
}
