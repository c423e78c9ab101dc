// histo.cu -- saturating histogram of an image with very many bins, few of which are much used
// (Parboil's problem): the bins are cut into swaths of SWATH. histo_prescan samples the image, from
// which the host tells what swaths are worth shared memory; histo_intermediates turns pixels into
// swath and bin; in histo_main each CTA counts one of these swaths in shared memory, the rest goes
// to global memory; histo_final adds up, saturates at 255, and clears for the next image.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S histo.cu -o histo.ptx
#include "../simt.cuh"

#define SWATH       12288 // bins of 16 bits that 24 KB hold
#define SAMPLE      16    // one pixel in so many
#define LINES       16    // of the image, a CTA of histo_intermediates
#define PRESCAN_CTA 512

// sums: of the sample's swaths, and of their squares
extern "C" __global__ void histo_prescan(unsigned *sums, const unsigned *image, int pixels)
{
    __shared__ unsigned swaths[PRESCAN_CTA], squares[PRESCAN_CTA];
    int t = threadIdx.x, stride = blockDim.x * gridDim.x;
    unsigned sum = 0, square = 0;
    for (int i = blockDim.x * blockIdx.x + t; i < pixels / SAMPLE; i += stride) {
        unsigned swath = image[i * SAMPLE] / SWATH;
        sum += swath;
        square += swath * swath;
    }
    swaths[t] = sum;
    squares[t] = square;
    for (int half = PRESCAN_CTA / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            swaths[t] += swaths[t + half];
            squares[t] += squares[t + half];
        }
    }
    if (t == 0) {
        atomicAdd(&sums[0], swaths[0]);
        atomicAdd(&sums[1], squares[0]);
    }
}

// Two pixels a thread and line: the upper half of a word is the swath, the lower one the bin in it.
extern "C" __global__ void histo_intermediates(unsigned *mapped, const unsigned *image, int width,
                                               int height)
{
    int top = blockIdx.x * LINES, left = threadIdx.x, right = threadIdx.x + blockDim.x;
    for (int y = top; y < top + LINES && y < height; y++) {
        unsigned bin = image[y * width + left];
        mapped[y * width + left] = bin / SWATH << 16 | bin % SWATH;
        if (right < width) {
            bin = image[y * width + right];
            mapped[y * width + right] = bin / SWATH << 16 | bin % SWATH;
        }
    }
}

// CTA (x, y) counts its part of the pixels, below 2^16, for the swath first + y. part: a row of
// SWATH / 2 words a CTA; rest: all bins, of which those of other swaths are counted here.
extern "C" __global__ void histo_main(unsigned *part, unsigned *rest, const unsigned *mapped,
                                      int pixels, unsigned first)
{
    __shared__ unsigned counts[SWATH / 2];
#pragma unroll 1
    for (int w = threadIdx.x; w < SWATH / 2; w += blockDim.x)
        counts[w] = 0;
    __syncthreads();
    int share = (pixels + gridDim.x - 1) / gridDim.x, from = blockIdx.x * share;
    int end = from + share < pixels ? from + share : pixels;
    int row = (blockIdx.y * gridDim.x + blockIdx.x) * (SWATH / 2);
    KEEP_INT(row);
#pragma unroll 1
    for (int i = from + threadIdx.x; i < end; i += blockDim.x) {
        unsigned pixel = mapped[i], bin = pixel & 0xffff, y = (pixel >> 16) - first;
        if (y == blockIdx.y)
            atomicAdd(&counts[bin / 2], 1u << 16 * (bin % 2));
        else if (blockIdx.y == 0 && y >= gridDim.y)
            atomicAdd(&rest[(pixel >> 16) * SWATH + bin], 1u);
    }
    __syncthreads();
#pragma unroll 1
    for (int w = threadIdx.x; w < SWATH / 2; w += blockDim.x)
        part[row + w] = counts[w];
}

static __device__ inline unsigned saturated(unsigned count)
{
    return count < 255 ? count : 255;
}

// Four bins a thread at a time; `parts` CTAs counted each of the swaths first .. first + swaths - 1.
extern "C" __global__ void histo_final(unsigned *histogram, uint4 *rest, const uint2 *part,
                                       int parts, unsigned first, unsigned swaths, int words)
{
    int stride = blockDim.x * gridDim.x;
    for (int k = blockDim.x * blockIdx.x + threadIdx.x; k < words; k += stride) {
        uint4 sum = rest[k];
        unsigned swath = k / (SWATH / 4) - first;
        rest[k] = make_uint4(0, 0, 0, 0);
        if (swath < swaths) {
            const uint2 *from = part + swath * parts * (SWATH / 4) + k % (SWATH / 4);
#pragma unroll 1
            for (int p = 0; p < parts; p++) {
                uint2 pairs = from[p * (SWATH / 4)];
                sum.x += pairs.x & 0xffff;
                sum.y += pairs.x >> 16;
                sum.z += pairs.y & 0xffff;
                sum.w += pairs.y >> 16;
            }
        }
        histogram[k] = saturated(sum.x) | saturated(sum.y) << 8 | saturated(sum.z) << 16 |
                       saturated(sum.w) << 24;
    }
}
