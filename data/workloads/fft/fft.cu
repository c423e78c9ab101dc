// fft.cu -- many complex Fourier transforms of 512 points, one a CTA of 64 threads: three passes of
// radix 8 in Stockham's order (Govindaraju and others, SC 2008). Each thread keeps 8 points in
// registers; between passes they change hands through shared memory, real parts first, then
// imaginary parts, so that one array serves both.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S fft.cu -o fft.ptx
#include "../simt.cuh"

#define POINTS  512
#define RADIX   8
#define THREADS (POINTS / RADIX)
#define HALF    0.70710678f
#define TURN    6.2831853f

struct complex {
    float re, im;
};

static __device__ inline complex times(complex a, complex b)
{
    complex c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return c;
}
static __device__ inline void butterfly(complex &a, complex &b)
{
    complex was = a;
    a.re += b.re, a.im += b.im;
    b.re = was.re - b.re, b.im = was.im - b.im;
}
static __device__ inline void quarter_turn(complex &a) // times -i
{
    float re = a.re;
    a.re = a.im, a.im = -re;
}
static __device__ inline void transform4(complex &a, complex &b, complex &c, complex &d)
{
    butterfly(a, c);
    butterfly(b, d);
    quarter_turn(d);
    butterfly(a, b);
    butterfly(c, d);
}
// Leaves coefficient k in v[k with its three bits reversed].
static __device__ inline void transform8(complex v[RADIX])
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        butterfly(v[i], v[i + 4]);
    complex v5 = v[5], v7 = v[7];
    v[5].re = HALF * (v5.re + v5.im), v[5].im = HALF * (v5.im - v5.re);
    quarter_turn(v[6]);
    v[7].re = HALF * (v7.im - v7.re), v[7].im = -HALF * (v7.re + v7.im);
    transform4(v[0], v[1], v[2], v[3]);
    transform4(v[4], v[5], v[6], v[7]);
}
static __device__ inline int reversed(int k)
{
    return (k & 1) << 2 | (k & 2) | k >> 2;
}
// v[r] times w^r
static __device__ inline void twist(complex v[RADIX], float angle)
{
    complex w1 = {__cosf(angle), __sinf(angle)}, w = w1;
#pragma unroll
    for (int r = 1; r < RADIX; r++) {
        v[r] = times(v[r], w);
        w = times(w, w1);
    }
}
// One word of padding in 8 keeps a warp's accesses in different banks.
static __device__ inline int padded(int i)
{
    return i + i / RADIX;
}
// Element r goes to place to + r * apart of the array, and comes from place threadIdx.x + r * THREADS.
static __device__ inline void exchange(complex v[RADIX], float *array, int to, int apart)
{
    float *from = array + padded(threadIdx.x);
    float moved[RADIX];
#pragma unroll
    for (int r = 0; r < RADIX; r++)
        array[padded(to + r * apart)] = v[reversed(r)].re;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < RADIX; r++)
        moved[r] = from[padded(r * THREADS)];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < RADIX; r++)
        array[padded(to + r * apart)] = v[reversed(r)].im;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < RADIX; r++) {
        v[r].re = moved[r];
        v[r].im = from[padded(r * THREADS)];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 8) fft_512(float2 *out, const float2 *in)
{
    __shared__ float array[POINTS + POINTS / RADIX];
    int j = threadIdx.x, first = blockIdx.x * POINTS;
    complex v[RADIX];
#pragma unroll
    for (int r = 0; r < RADIX; r++) {
        float2 x = in[first + j + r * THREADS];
        v[r].re = x.x, v[r].im = x.y;
    }
    transform8(v);
    exchange(v, array, j * RADIX, 1);
    twist(v, -TURN / (RADIX * RADIX) * (j % RADIX));
    transform8(v);
    __syncthreads();
    exchange(v, array, j / RADIX * (RADIX * RADIX) + j % RADIX, RADIX);
    twist(v, -TURN / POINTS * j);
    transform8(v);
#pragma unroll
    for (int r = 0; r < RADIX; r++)
        out[first + j + r * THREADS] = make_float2(v[reversed(r)].re, v[reversed(r)].im);
}
