// rs.cu -- radix sort of 32-bit keys with values, 4 bits a pass (Satish, Harris and Garland, IPDPS
// 2009). A pass: rs_blocks sorts 1024 pairs a CTA by the digit in shared memory; rs_offsets counts,
// for every 512 sorted pairs, how many have each digit and where these begin; rs_scan and
// rs_scan_add turn the counts into places; rs_reorder moves each pair to its place.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S rs.cu -o rs.ptx
#include "../simt.cuh"

#define CTA    256
#define WARPS  (CTA / 32)
#define DIGITS 16
#define EACH   4 // keys that a thread sorts, and counts that it scans
#define SORTED (EACH * CTA)
#define MOVED  (2 * CTA) // pairs that rs_offsets and rs_reorder take

struct __attribute__((aligned(8))) two {
    unsigned v[2];
};
struct __attribute__((aligned(16))) four {
    unsigned v[EACH];
};

// Of the CTA's bits, EACH a thread, in the threads' order: how many zeros come before this thread's,
// and in *all how many there are. Calls are apart by a barrier.
static __device__ inline unsigned zeros_before(const bool zero[EACH], unsigned *all)
{
    __shared__ unsigned of_warp[WARPS];
    unsigned lane = threadIdx.x % 32, before = 0, own = 0, total = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        unsigned zeros = __ballot_sync(~0u, zero[i]);
        before += __popc(zeros & ((1u << lane) - 1));
        own += __popc(zeros);
    }
    if (lane == 0)
        of_warp[threadIdx.x / 32] = own;
    __syncthreads();
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
        before += w < threadIdx.x / 32 ? of_warp[w] : 0;
        total += of_warp[w];
    }
    *all = total;
    return before;
}

extern "C" __global__ void rs_blocks(four *keys_out, four *values_out, const four *keys,
                                     const four *values, int shift)
{
    __shared__ four key_at[CTA], value_at[CTA];
    int at = blockIdx.x * CTA + threadIdx.x;
    four key = keys[at], value = values[at];
    for (int bit = shift; bit < shift + 4; bit++) {
        bool zero[EACH];
#pragma unroll
        for (int i = 0; i < EACH; i++)
            zero[i] = !(key.v[i] >> bit & 1);
        unsigned all, zeros = zeros_before(zero, &all), ones = all + EACH * threadIdx.x - zeros;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            unsigned to = zero[i] ? zeros++ : ones++;
            key_at[to / EACH].v[to % EACH] = key.v[i];
            value_at[to / EACH].v[to % EACH] = value.v[i];
        }
        __syncthreads();
        key = key_at[threadIdx.x];
        value = value_at[threadIdx.x];
        __syncthreads();
    }
    keys_out[at] = key;
    values_out[at] = value;
}

// counts[digit][CTA]; first[CTA][digit]: the first of the CTA's pairs with that digit, if any.
extern "C" __global__ void rs_offsets(unsigned *counts, unsigned *first, const two *keys, int shift)
{
    __shared__ unsigned digit[MOVED], begin[DIGITS], end[DIGITS];
    int t = threadIdx.x;
    two key = keys[blockIdx.x * CTA + t];
    digit[2 * t] = key.v[0] >> shift & (DIGITS - 1);
    digit[2 * t + 1] = key.v[1] >> shift & (DIGITS - 1);
    if (t < DIGITS)
        begin[t] = end[t] = 0;
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; half++) {
        int i = half * CTA + t;
        if (i == 0 || digit[i - 1] != digit[i])
            begin[digit[i]] = i;
        if (i == MOVED - 1 || digit[i + 1] != digit[i])
            end[digit[i]] = i + 1;
    }
    __syncthreads();
    if (t < DIGITS) {
        first[blockIdx.x * DIGITS + t] = begin[t];
        counts[t * gridDim.x + blockIdx.x] = end[t] - begin[t];
    }
}

// The sum of the threads' v before this one; all: of the whole CTA.
static __device__ inline unsigned sum_before(unsigned v, unsigned *all)
{
    __shared__ unsigned s[2][CTA];
    int t = threadIdx.x, from = 0;
    s[0][t] = v;
    __syncthreads();
    for (int reach = 1; reach < CTA; reach *= 2) {
        s[1 - from][t] = s[from][t] + (t >= reach ? s[from][t - reach] : 0);
        from = 1 - from;
        __syncthreads();
    }
    *all = s[from][CTA - 1];
    return s[from][t] - v;
}

// Replaces each of n numbers (a multiple of 4) by the sum of those before it within its CTA's 1024;
// total[CTA]: their sum.
extern "C" __global__ void rs_scan(four *numbers, unsigned *total, int n)
{
    int at = blockIdx.x * CTA + threadIdx.x;
    bool used = at < n / EACH;
    four v = {{0, 0, 0, 0}};
    if (used)
        v = numbers[at];
    unsigned all, before = sum_before(v.v[0] + v.v[1] + v.v[2] + v.v[3], &all);
    if (threadIdx.x == 0)
        total[blockIdx.x] = all;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        unsigned own = v.v[i];
        v.v[i] = before;
        before += own;
    }
    if (used)
        numbers[at] = v;
}

extern "C" __global__ void rs_scan_add(four *numbers, const unsigned *total, int n)
{
    int at = blockIdx.x * CTA + threadIdx.x;
    if (at >= n / EACH)
        return;
    four v = numbers[at];
#pragma unroll
    for (int i = 0; i < EACH; i++)
        v.v[i] += total[blockIdx.x];
    numbers[at] = v;
}

// place[digit][CTA]: where the CTA's pairs with that digit go; first as rs_offsets left it.
extern "C" __global__ void rs_reorder(unsigned *keys_out, unsigned *values_out, const two *keys,
                                      const two *values, const unsigned *place,
                                      const unsigned *first, int shift)
{
    __shared__ two key_at[CTA], value_at[CTA];
    __shared__ int offset[DIGITS];
    int t = threadIdx.x;
    key_at[t] = keys[blockIdx.x * CTA + t];
    value_at[t] = values[blockIdx.x * CTA + t];
    if (t < DIGITS)
        offset[t] = place[t * gridDim.x + blockIdx.x] - first[blockIdx.x * DIGITS + t];
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; half++) {
        int i = half * CTA + t;
        unsigned key = key_at[i / 2].v[i % 2];
        int to = offset[key >> shift & (DIGITS - 1)] + i;
        keys_out[to] = key;
        values_out[to] = value_at[i / 2].v[i % 2];
    }
}
