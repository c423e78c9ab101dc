// jpeg.cu -- what a JPEG decoder does behind its Huffman decoding (ITU-T T.81): coefficients times
// their quantization steps, inverse cosine transform of 8 x 8 blocks, and colours, from a plane of
// brightness and two planes of half the width and height.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S jpeg.cu -o jpeg.ptx
#include "../simt.cuh"

#define SIDE   8  // of a block
#define BLOCKS 8  // of a CTA
#define PITCH  72 // of a block in shared memory: 8 rows of 9 words, for the banks

__constant__ float jpeg_step[2][SIDE * SIDE]; // quantization of brightness, and of colour

static __device__ inline unsigned to_byte(float x)
{
    x = x < 0.0f ? 0.0f : x;
    x = x > 255.0f ? 255.0f : x;
    return (unsigned)(x + 0.5f);
}

// In place: 8 coefficients to 8 samples. Even and odd frequencies apart: a sample and its mirror
// image have the same sum of even ones, and the opposite of odd ones.
static __device__ inline void inverse(float v[SIDE])
{
    const float c1 = 0.49039264f, c2 = 0.46193977f, c3 = 0.41573481f, c4 = 0.35355339f;
    const float c5 = 0.27778512f, c6 = 0.19134172f, c7 = 0.097545161f; // cos(k pi / 16) / 2
    float sum = c4 * (v[0] + v[4]), difference = c4 * (v[0] - v[4]);
    float outer = c2 * v[2] + c6 * v[6], inner = c6 * v[2] - c2 * v[6];
    float e0 = sum + outer, e1 = difference + inner, e2 = difference - inner, e3 = sum - outer;
    float o0 = c1 * v[1] + c3 * v[3] + c5 * v[5] + c7 * v[7];
    float o1 = c3 * v[1] - c7 * v[3] - c1 * v[5] - c5 * v[7];
    float o2 = c5 * v[1] - c1 * v[3] + c7 * v[5] + c3 * v[7];
    float o3 = c7 * v[1] - c5 * v[3] + c3 * v[5] - c1 * v[7];
    v[0] = e0 + o0, v[1] = e1 + o1, v[2] = e2 + o2, v[3] = e3 + o3;
    v[4] = e3 - o3, v[5] = e2 - o2, v[6] = e1 - o1, v[7] = e0 - o0;
}

// Eight threads a block: each a column, then a row. plane: [high][wide] bytes, coefficient:
// [blocks][8][8]
extern "C" __global__ void jpeg_idct(uint2 *plane, const short *coefficient, int wide, int blocks,
                                     int colour)
{
    __shared__ float value[BLOCKS * PITCH];
    int line = threadIdx.x % SIDE, own = threadIdx.x / SIDE;
    int block = blockIdx.x * BLOCKS + own;
    float v[SIDE], *at = value + own * PITCH;
    if (block < blocks) {
        const short *in = coefficient + block * (SIDE * SIDE) + line;
        const float *step = jpeg_step[colour] + line;
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            v[i] = step[i * SIDE] * in[i * SIDE];
        inverse(v);
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            at[i * (SIDE + 1) + line] = v[i];
    }
    __syncthreads();
    if (block < blocks) {
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            v[i] = at[line * (SIDE + 1) + i];
        inverse(v);
        unsigned four[2] = {0, 0};
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            four[i / 4] |= to_byte(v[i] + 128.0f) << 8 * (i % 4);
        int across = wide / SIDE, row = block / across * SIDE + line;
        plane[row * across + block % across] = make_uint2(four[0], four[1]);
    }
}

// A thread: four pixels of a row. pixel: red, green, blue from the lowest byte up, [high][wide]
extern "C" __global__ void jpeg_colours(uint4 *pixel, const unsigned *brightness,
                                        const unsigned short *blue, const unsigned short *red,
                                        int wide, int high)
{
    int four = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (four >= wide / 4 || y >= high)
        return;
    int at = y * (wide / 4) + four, at_colour = y / 2 * (wide / 4) + four;
    unsigned bright = brightness[at], b = blue[at_colour], r = red[at_colour], out[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float light = bright >> 8 * i & 255;
        float cb = (float)(b >> 8 * (i / 2) & 255) - 128.0f;
        float cr = (float)(r >> 8 * (i / 2) & 255) - 128.0f;
        out[i] = to_byte(light + 1.402f * cr) |
                 to_byte(light - 0.344136f * cb - 0.714136f * cr) << 8 |
                 to_byte(light + 1.772f * cb) << 16;
    }
    pixel[at] = make_uint4(out[0], out[1], out[2], out[3]);
}
