// hw.cu -- points of a heart's wall followed through the frames of a video: a launch a frame, a CTA a
// point, all phases in one kernel. Around the point's last place, the normalised cross-correlation
// with its template is computed wherever the template lies inside the window (Lewis, Vision Interface
// 1995: sums of the window under the template from cumulative sums); the greatest near the place
// where the point was expected is its new one; then the template takes on a little of what is there.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S hw.cu -o hw.ptx
#include "../simt.cuh"

#define MOST 128 // a window's or template's side at most

struct point {
    int x, y, dx, dy; // where it is, how far it moved in the last frame
};

struct shape {
    int wide, high;             // of a frame
    int window, pattern, places; // sides: places = window - pattern + 1
    int reach;                  // how far from its expected place a point may be
    float keep;                 // share of its template that it keeps
};

// A point's arrays in global memory, one after the other.
struct work {
    float *window, *pattern;            // pixels
    float *product;                     // [places][places]: sum of window times template
    float *sum, *squares;               // [places][places]: of the window's pixels under it
    float *score;                       // [places][places]
    float *down, *under, *across;       // cumulative sums, and sums of `pattern` rows
};

static __device__ inline int clamped(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

struct job {
    float *patterns, *scores, *scratch;
    shape s;
};

// The shape again: each phase computes its addresses anew from it. Kept from phase to phase, those of
// all of them fill too many registers.
static __device__ inline shape shape_of(const job &j)
{
    shape s = j.s;
    KEEP_INT(s.window);
    KEEP_INT(s.pattern);
    KEEP_INT(s.places);
    return s;
}

static __device__ inline work work_of(const job &j, shape s)
{
    int cta = blockIdx.x, side = s.window, places = s.places * s.places;
    KEEP_INT(cta);
    float *own = j.scratch + cta * ((2 * side + 1) * side + 3 * places + s.places * (2 * side + 1));
    work w;
    w.window = own;
    w.product = w.window + side * side;
    w.sum = w.product + places;
    w.squares = w.sum + places;
    w.down = w.squares + places;
    w.under = w.down + (side + 1) * side;
    w.across = w.under + s.places * side;
    w.pattern = j.patterns + cta * s.pattern * s.pattern;
    w.score = j.scores + cta * places;
    return w;
}

// Pixels around the point become its template, or its window; past the frame's edge lies the edge's
// pixel.
static __device__ inline void cut(const float *frame, point p, bool pattern, const job &j)
{
    shape s = shape_of(j);
    work w = work_of(j, s);
    int side = pattern ? s.pattern : s.window;
    float *to = pattern ? w.pattern : w.window;
    for (int i = threadIdx.x; i < side * side; i += blockDim.x)
        to[i] = frame[clamped(p.y - side / 2 + i / side, s.high) * s.wide +
                      clamped(p.x - side / 2 + i % side, s.wide)];
}

// The template against every place of the window.
static __device__ inline void correlate(const job &j)
{
    shape s = shape_of(j);
    work w = work_of(j, s);
    for (int i = threadIdx.x; i < s.places * s.places; i += blockDim.x) {
        const float *at = w.window + i / s.places * s.window + i % s.places;
        float sum = 0.0f;
        for (int r = 0; r < s.pattern; r++)
            for (int c = 0; c < s.pattern; c++)
                sum += at[r * s.window + c] * w.pattern[r * s.pattern + c];
        w.product[i] = sum;
    }
}

// Sums of the window's pixels, or of their squares, under the template at every place: cumulative
// sums down the columns, their differences, cumulative sums along the rows, their differences.
static __device__ inline void local_sums(bool squared, const job &j)
{
    shape s = shape_of(j);
    work w = work_of(j, s);
    float *to = squared ? w.squares : w.sum;
    int side = s.window, t = threadIdx.x;
    for (int c = t; c < side; c += blockDim.x) {
        float sum = 0.0f;
        w.down[c] = 0.0f;
        for (int r = 0; r < side; r++) {
            float v = w.window[r * side + c];
            sum += squared ? v * v : v;
            w.down[(r + 1) * side + c] = sum;
        }
    }
    __syncthreads();
    for (int i = t; i < s.places * side; i += blockDim.x)
        w.under[i] = w.down[i + s.pattern * side] - w.down[i];
    __syncthreads();
    for (int r = t; r < s.places; r += blockDim.x) {
        float sum = 0.0f;
        w.across[r * (side + 1)] = 0.0f;
        for (int c = 0; c < side; c++) {
            sum += w.under[r * side + c];
            w.across[r * (side + 1) + c + 1] = sum;
        }
    }
    __syncthreads();
    for (int i = t; i < s.places * s.places; i += blockDim.x) {
        const float *at = w.across + i / s.places * (side + 1) + i % s.places;
        to[i] = at[s.pattern] - at[0];
    }
    __syncthreads();
}

// The template's sum and sum of squares, column by column, then all columns.
static __device__ inline void pattern_sums(float *sum, float *squares, const job &j)
{
    shape s = shape_of(j);
    work w = work_of(j, s);
    __shared__ float of_column[2][MOST];
    for (int c = threadIdx.x; c < s.pattern; c += blockDim.x) {
        float a = 0.0f, b = 0.0f;
        for (int r = 0; r < s.pattern; r++) {
            float v = w.pattern[r * s.pattern + c];
            a += v;
            b += v * v;
        }
        of_column[0][c] = a;
        of_column[1][c] = b;
    }
    __syncthreads();
    *sum = *squares = 0.0f;
    for (int c = 0; c < s.pattern; c++) {
        *sum += of_column[0][c];
        *squares += of_column[1][c];
    }
}

// The normalised cross-correlation at every place.
static __device__ inline void normalise(const job &j)
{
    float sum, squares;
    pattern_sums(&sum, &squares, j);
    shape s = shape_of(j);
    work w = work_of(j, s);
    float n = (float)(s.pattern * s.pattern);
    float mean = sum / n, spread = squares - sum * mean;
    for (int i = threadIdx.x; i < s.places * s.places; i += blockDim.x) {
        float local = w.sum[i], product = (w.squares[i] - local * local / n) * spread;
        w.score[i] = product > 0.0f ? (w.product[i] - local * mean) / sqrtf(product) : 0.0f;
    }
    __syncthreads();
}

// The place of the greatest score within reach of the expected one; the first, if several are.
static __device__ inline int best_place(point p, const job &j)
{
    shape s = shape_of(j);
    work w = work_of(j, s);
    __shared__ float best[MOST];
    __shared__ int where[MOST];
    int middle = s.places / 2, from = clamped(middle + p.dx - s.reach, s.places);
    int to = clamped(middle + p.dx + s.reach, s.places);
    int first = clamped(middle + p.dy - s.reach, s.places);
    int last = clamped(middle + p.dy + s.reach, s.places);
    for (int r = first + threadIdx.x; r <= last; r += blockDim.x) {
        float most = w.score[r * s.places + from];
        int at = r * s.places + from;
        for (int c = from + 1; c <= to; c++)
            if (w.score[r * s.places + c] > most) {
                most = w.score[r * s.places + c];
                at = r * s.places + c;
            }
        best[r] = most;
        where[r] = at;
    }
    __syncthreads();
    int row = first;
    for (int r = first + 1; r <= last; r++)
        if (best[r] > best[row])
            row = r;
    return where[row];
}

// What the template becomes: a part of it is of the place where the point is now.
static __device__ inline void adapt(int row, int column, const job &j)
{
    shape s = shape_of(j);
    work w = work_of(j, s);
    for (int i = threadIdx.x; i < s.pattern * s.pattern; i += blockDim.x) {
        float there = w.window[(row + i / s.pattern) * s.window + column + i % s.pattern];
        w.pattern[i] = s.keep * w.pattern[i] + (1.0f - s.keep) * there;
    }
}

extern "C" __global__ void hw_track(point *points, const float *frame, job j, int number)
{
    point p = points[blockIdx.x];
    cut(frame, p, number == 0, j); // the first frame has the templates
    if (number == 0)
        return;
    __syncthreads();
    correlate(j);
    local_sums(false, j);
    local_sums(true, j);
    normalise(j);
    int place = best_place(p, j), row = place / j.s.places, column = place % j.s.places;
    adapt(row, column, j);
    if (threadIdx.x == 0) {
        point moved;
        moved.dx = column - j.s.places / 2;
        moved.dy = row - j.s.places / 2;
        moved.x = p.x + moved.dx;
        moved.y = p.y + moved.dy;
        points[blockIdx.x] = moved;
    }
}
