// sad.cu -- sums of absolute differences for motion estimation, full search: for each displacement
// up to `range` pixels away, how unlike a block of the frame is the reference's block there. First
// all blocks of 4 x 4 pixels, one a CTA; then those of 8 x 4, 4 x 8 and 8 x 8 as sums of four, and
// of 16 x 8, 8 x 16 and 16 x 16, a CTA a macroblock (16 x 16), two displacements a word.
// sads: SHAPES rows of `padded` displacements for each macroblock, in the order of the enumeration.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_30 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S sad.cu -o sad.ptx
#include "../simt.cuh"

// The first row of each shape, width x height; blocks of a shape from left to right, then down.
enum row { AT_4X4 = 0, AT_8X4 = 16, AT_4X8 = 24, AT_8X8 = 32, AT_16X8 = 36, AT_8X16 = 38,
           AT_16X16 = 40, ROWS = 41 };

static __device__ inline int magnitude(int x)
{
    return x < 0 ? -x : x;
}

// Each thread looks at per_thread displacements, neighbours in the order of the rows of the search
// window.
extern "C" __global__ void sad_blocks(unsigned short *sads, const unsigned short *frame,
                                      cudaTextureObject_t reference, int range, int padded,
                                      int per_thread)
{
    __shared__ unsigned short block[16];
    int width = 4 * gridDim.x, left = 4 * blockIdx.x, top = 4 * blockIdx.y;
    int side = 2 * range + 1, t = threadIdx.x;
    if (t < 16)
        block[t] = frame[(top + t / 4) * width + left + t % 4];
    __syncthreads();
    int macroblock = blockIdx.y / 4 * (gridDim.x / 4) + blockIdx.x / 4;
    int row = AT_4X4 + blockIdx.y % 4 * 4 + blockIdx.x % 4;
    unsigned short *out = sads + (macroblock * ROWS + row) * padded;
    int end = (t + 1) * per_thread < side * side ? (t + 1) * per_thread : side * side;
    for (int d = t * per_thread; d < end; d++) {
        int x = left - range + d % side, y = top - range + d / side, sum = 0;
#pragma unroll
        for (int i = 0; i < 16; i++)
            sum += magnitude(block[i] -
                             tex2D<unsigned short>(reference, float(x + i % 4), float(y + i / 4)));
        out[d] = sum;
    }
}

// Two sums in a word: 256 pixels of 8 bits don't carry from the lower into the upper one.
static __device__ inline unsigned *words(unsigned short *sads, int row, int padded)
{
    return (unsigned *)(sads + (blockIdx.x * ROWS + row) * padded);
}

// Threads (32, 4): a warp a quarter of the macroblock.
extern "C" __global__ void sad_up_to_8(unsigned short *sads, int padded)
{
    int right = threadIdx.y % 2, below = threadIdx.y / 2, words_each = padded / 2;
    const unsigned *small = words(sads, AT_4X4 + 8 * below + 2 * right, padded);
    unsigned *wide = words(sads, AT_8X4 + 4 * below + right, padded);
    unsigned *high = words(sads, AT_4X8 + 4 * below + 2 * right, padded);
    unsigned *both = words(sads, AT_8X8 + 2 * below + right, padded);
    for (int i = threadIdx.x; i < words_each; i += 32) {
        unsigned a = small[i], b = small[words_each + i];
        unsigned c = small[4 * words_each + i], d = small[5 * words_each + i];
        wide[i] = a + b;
        wide[2 * words_each + i] = c + d;
        high[i] = a + c;
        high[words_each + i] = b + d;
        both[i] = a + b + c + d;
    }
}

extern "C" __global__ void sad_up_to_16(unsigned short *sads, int padded)
{
    int words_each = padded / 2;
    const unsigned *quarter = words(sads, AT_8X8, padded);
    unsigned *wide = words(sads, AT_16X8, padded), *high = words(sads, AT_8X16, padded);
    unsigned *both = words(sads, AT_16X16, padded);
    for (int i = threadIdx.x; i < words_each; i += 32) {
        unsigned a = quarter[i], b = quarter[words_each + i];
        unsigned c = quarter[2 * words_each + i], d = quarter[3 * words_each + i];
        wide[i] = a + b;
        wide[words_each + i] = c + d;
        high[i] = a + c;
        high[words_each + i] = b + d;
        both[i] = a + b + c + d;
    }
}
