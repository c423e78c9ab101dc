// sd1.cu -- speckle reducing anisotropic diffusion, version 1: a kernel for every step, a thread a
// pixel. sd1_extract undoes the logarithm that the image was compressed with, sd1_compress does it
// again; an iteration sums the image and its squares (sd1_prepare, sd1_reduce until one number is
// left), then computes the diffusion coefficients and the new image.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S sd1.cu -o sd1.ptx
#include "../simt.cuh"

#define CTA 512

static __device__ inline int global_id()
{
    return blockDim.x * blockIdx.x + threadIdx.x;
}

extern "C" __global__ void sd1_extract(float *image, int pixels)
{
    int i = global_id();
    if (i < pixels)
        image[i] = __expf(image[i] / 255.0f);
}

extern "C" __global__ void sd1_compress(float *image, int pixels)
{
    int i = global_id();
    if (i < pixels)
        image[i] = __logf(image[i]) * 255.0f;
}

extern "C" __global__ void sd1_prepare(float *sum, float *squares, const float *image, int pixels)
{
    int i = global_id();
    if (i >= pixels)
        return;
    float v = image[i];
    sum[i] = v;
    squares[i] = v * v;
}

// Each CTA adds up its CTA numbers of both arrays, in a tree.
extern "C" __global__ void sd1_reduce(float *sum_of_cta, float *squares_of_cta, const float *sum,
                                      const float *squares, int n)
{
    __shared__ float a[CTA], b[CTA];
    int t = threadIdx.x, i = global_id();
    a[t] = i < n ? sum[i] : 0.0f;
    b[t] = i < n ? squares[i] : 0.0f;
    __syncthreads();
    for (int half = CTA / 2; half > 0; half /= 2) {
        if (t < half) {
            a[t] += a[t + half];
            b[t] += b[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        sum_of_cta[blockIdx.x] = a[0];
        squares_of_cta[blockIdx.x] = b[0];
    }
}

// Neighbours' rows and columns, which end at the image's edges.
struct around {
    const int *north, *south, *west, *east;
};
// Differences to the neighbours and the coefficient of every pixel.
struct slopes {
    float *n, *s, *w, *e, *c;
};

extern "C" __global__ void sd1_coefficients(slopes to, const float *image, around at, int wide,
                                            int pixels, float q0)
{
    int i = global_id();
    if (i >= pixels)
        return;
    int row = i / wide, column = i % wide;
    float j = image[i];
    float n = image[at.north[row] * wide + column] - j, s = image[at.south[row] * wide + column] - j;
    float w = image[row * wide + at.west[column]] - j, e = image[row * wide + at.east[column]] - j;
    float g2 = (n * n + s * s + w * w + e * e) / (j * j), l = (n + s + w + e) / j;
    float root = 1.0f + 0.25f * l, q = (0.5f * g2 - 0.0625f * (l * l)) / (root * root);
    float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
    c = c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
    to.n[i] = n;
    to.s[i] = s;
    to.w[i] = w;
    to.e[i] = e;
    to.c[i] = c;
}

extern "C" __global__ void sd1_flow(float *image, slopes from, around at, int wide, int pixels,
                                    float rate)
{
    int i = global_id();
    if (i >= pixels)
        return;
    int row = i / wide, column = i % wide;
    float c = from.c[i], south = from.c[at.south[row] * wide + column];
    float east = from.c[row * wide + at.east[column]];
    image[i] += rate * (c * from.n[i] + south * from.s[i] + c * from.w[i] + east * from.e[i]);
}
