// lkc.cu -- leukocytes in video: lkc_gicov measures how well circles of several radii around each
// pixel fit the image's gradient, lkc_dilate spreads each maximum over a disk, so that the host finds
// the pixels that are one; lkc_imgvf computes a vector flow field around each cell of a later frame,
// which pulls the cell's outline towards its new place. Images lie column after column.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_30 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S lkc.cu -o lkc.ptx
#include "../simt.cuh"

#define CIRCLES 7   // at most
#define POINTS  150 // of a circle, at most
#define DISK    625 // 25 x 25
#define WINDOW  (41 * 81)
#define THREADS 320 // more than two rows of a window

__constant__ float lkc_sin[POINTS], lkc_cos[POINTS];
__constant__ float lkc_share[POINTS];                              // 1 / (i + 1)
__constant__ int lkc_dx[CIRCLES * POINTS], lkc_dy[CIRCLES * POINTS]; // the circles' points
__constant__ int lkc_disk[DISK];                                   // 1: in the disk

// Gradient inverse coefficient of variation: squared mean over variance of the gradient in the
// circle's own direction, of the circle that fits best. A CTA has a column; none of the border.
// Mean and variance are Welford's.
extern "C" __global__ void lkc_gicov(float *gicov, cudaTextureObject_t gradient_x,
                                     cudaTextureObject_t gradient_y, int rows, int border,
                                     int circles, int points)
{
    int x = blockIdx.x + border, y = threadIdx.x + border;
    float best = 0.0f;
    for (int c = 0; c < circles; c++) {
        float mean = 0.0f, squares = 0.0f;
        for (int i = 0; i < points; i++) {
            int k = c * points + i, at = (x + lkc_dx[k]) * rows + y + lkc_dy[k];
            float along = tex1Dfetch<float>(gradient_x, at) * lkc_cos[i] +
                          tex1Dfetch<float>(gradient_y, at) * lkc_sin[i];
            float off = along - mean;
            mean += off * lkc_share[i];
            squares += off * (along - mean);
        }
        float fit = mean * mean / (squares / (points - 1));
        best = fit > best ? fit : best;
    }
    gicov[x * rows + y] = best;
}

// The greatest value of the disk around each pixel; side: of the square that the disk fills.
extern "C" __global__ void lkc_dilate(float *dilated, cudaTextureObject_t image, int columns,
                                      int rows, int side)
{
    int at = blockDim.x * blockIdx.x + threadIdx.x;
    if (at >= columns * rows)
        return;
    int left = at / rows - side / 2, top = at % rows - side / 2;
    float most = 0.0f;
    for (int i = 0; i < side; i++) {
        int x = left + i;
        if (x < 0 || x >= columns)
            continue;
        for (int j = 0; j < side; j++) {
            int y = top + j;
            if (y < 0 || y >= rows || !lkc_disk[i * side + j])
                continue;
            float v = tex1Dfetch<float>(image, x * rows + y);
            most = v > most ? v : most;
        }
    }
    dilated[at] = most;
}

// d times Heaviside's step of z, smoothed to 1/2 + z / (2 (epsilon + |z|)).
static __device__ inline float upward(float d, float z, float epsilon)
{
    return 0.5f * d * (1.0f + __fdividef(z, epsilon + fabsf(z)));
}

// The sum of all threads' v.
static __device__ inline float sum_of_cta(float v)
{
    __shared__ float s[THREADS];
    int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    if (t < THREADS - 256)
        s[t] += s[t + 256];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    return s[0];
}

struct flow {
    int columns, rows; // of a window; it lies row after row
    float vx, vy;      // the direction of motion
    float epsilon;     // width of the smoothed step
    float share;       // of the neighbours' pull: mu / lambda
    float hold;        // of the edges: 1 / lambda
    int most;          // iterations at most
    float enough;      // mean change that ends them
};

// d towards a neighbour that is dx, dy away.
static __device__ inline float pull(float d, int dx, int dy, const flow *f)
{
    return upward(d, d * (dx * f->vx + dy * f->vy), f->epsilon);
}

// What pixel p of the field becomes. Pixels beyond an edge are those of the edge.
static __device__ inline float flowed(const float *now, int p, float edge, const flow *f)
{
    int row = p / f->columns, column = p - row * f->columns;
    int left = column > 0 ? -1 : 0, right = column < f->columns - 1 ? 1 : 0;
    const float *here = now + p, *up = row > 0 ? here - f->columns : here;
    const float *down = row < f->rows - 1 ? here + f->columns : here;
    float v = *here, sum = pull(up[left] - v, -1, -1, f);
    sum += pull(*up - v, 0, -1, f);
    sum += pull(up[right] - v, 1, -1, f);
    sum += pull(here[left] - v, -1, 0, f);
    sum += pull(here[right] - v, 1, 0, f);
    sum += pull(down[left] - v, -1, 1, f);
    sum += pull(*down - v, 0, 1, f);
    sum += pull(down[right] - v, 1, 1, f);
    return v + f->share * sum - f->hold * edge * (v - edge);
}

// field, edges[cell][row][column]; iterations[cell]: how many there were. A CTA has a cell.
extern "C" __global__ void lkc_imgvf(float *field, const float *edges, int *iterations, flow f)
{
    __shared__ float now[WINDOW];
    int t = threadIdx.x, n = f.columns * f.rows, done = 0;
    field += blockIdx.x * n;
    edges += blockIdx.x * n;
    for (int p = t; p < n; p += THREADS)
        now[p] = edges[p];
    __syncthreads();
    while (done < f.most) {
        // A pixel needs those of its own part of THREADS pixels and of the parts beside it: each
        // part is written once the next is computed.
        float change = 0.0f, last = 0.0f, next = 0.0f;
        int p = t;
        for (; p - t < n; p += THREADS) {
            last = next;
            if (p < n) {
                next = flowed(now, p, edges[p], &f);
                change += fabsf(next - now[p]);
            }
            __syncthreads();
            if (p >= THREADS)
                now[p - THREADS] = last;
        }
        float total = sum_of_cta(change);
        if (p - THREADS < n)
            now[p - THREADS] = next;
        __syncthreads();
        done++;
        if (total <= f.enough * n)
            break;
    }
    for (int p = t; p < n; p += THREADS)
        field[p] = now[p];
    if (t == 0)
        iterations[blockIdx.x] = done;
}
