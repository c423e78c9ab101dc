// srad_v2.cu -- speckle reducing anisotropic diffusion, two kernels an iteration: the differences to
// the four neighbours and the coefficient of diffusion, then the flow. Tiles of the image and of the
// coefficients pass through shared memory, with the neighbouring tiles' edges around them. Beyond
// the image's edge stands the edge. slope: differences to the neighbours north, south, west and east,
// an image each.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S srad_v2.cu -o srad_v2.ptx
#include "../simt.cuh"

#define TILE 16

// Coefficient of a pixel of value j whose differences to its neighbours are n, s, w and e.
static __device__ inline float coefficient(float j, float n, float s, float w, float e, float q0)
{
    float g2 = (n * n + s * s + w * w + e * e) / (j * j);
    float l = (n + s + w + e) / j;
    float root = 1.0f + 0.25f * l;
    float q = (0.5f * g2 - 0.0625f * (l * l)) / (root * root); // squared coefficient of variation
    float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
    return c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
}

extern "C" __global__ void srad_v2_coefficients(float *c, float *slope, const float *image,
                                                int side, float q0)
{
    __shared__ float t[TILE + 2][TILE + 2];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    int i = y * side + x;
    t[ty][tx] = image[i];
    if (ty == 1)
        t[0][tx] = image[y > 0 ? i - side : i];
    if (ty == TILE)
        t[TILE + 1][tx] = image[y < side - 1 ? i + side : i];
    if (tx == 1)
        t[ty][0] = image[x > 0 ? i - 1 : i];
    if (tx == TILE)
        t[ty][TILE + 1] = image[x < side - 1 ? i + 1 : i];
    __syncthreads();
    float j = t[ty][tx];
    float n = t[ty - 1][tx] - j, s = t[ty + 1][tx] - j;
    float w = t[ty][tx - 1] - j, e = t[ty][tx + 1] - j;
    slope[i] = n;
    slope[i + side * side] = s;
    slope[i + 2 * side * side] = w;
    slope[i + 3 * side * side] = e;
    c[i] = coefficient(j, n, s, w, e, q0);
}

// rate: a quarter of the time step
extern "C" __global__ void srad_v2_flow(float *image, const float *c, const float *slope, int side,
                                        float rate)
{
    __shared__ float t[TILE + 1][TILE + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty, i = y * side + x;
    t[ty][tx] = c[i];
    if (ty == TILE - 1)
        t[TILE][tx] = c[y < side - 1 ? i + side : i];
    if (tx == TILE - 1)
        t[ty][TILE] = c[x < side - 1 ? i + 1 : i];
    __syncthreads();
    float here = t[ty][tx], south = t[ty + 1][tx], east = t[ty][tx + 1];
    float n = slope[i], s = slope[i + side * side];
    float w = slope[i + 2 * side * side], e = slope[i + 3 * side * side];
    image[i] += rate * (here * n + south * s + here * w + east * e);
}
