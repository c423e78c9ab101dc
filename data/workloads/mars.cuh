// mars.cuh -- what the MapReduce workloads share (He and others, "Mars: a MapReduce framework on
// graphics processors", PACT 2008): prefix sums, a bitonic sort of pairs by hash and key, and the
// groups of equal keys. The includer defines MARS(name), the kernels' names with its own in front,
// and MARS_GROUPS if it wants groups. Before, its map ran twice: once to learn how much each thread
// emits, whose prefix sums say where that goes, once to write keys and hashes.
#ifndef MARS_CUH
#define MARS_CUH
#include "simt.cuh"

#define PAIRS 128     // that a CTA sorts or sums in shared memory, two a thread
#define NONE  (~0u)   // index of a pair that only fills up to a power of two

struct __attribute__((aligned(8))) pair {
    unsigned hash, index; // of the key: words key_at[index] .. key_at[index + 1] - 1 of keys
};

#define FNV_START 2166136261u // FNV-1a
#define FNV_TIMES 16777619u

static __device__ inline unsigned global_id()
{
    return blockDim.x * blockIdx.x + threadIdx.x;
}

// Sums before each element, within PAIRS elements; sums[CTA]: their sum.
extern "C" __global__ void MARS(scan)(unsigned *data, unsigned *sums, int n)
{
    __shared__ unsigned s[PAIRS];
    int t = threadIdx.x, first = blockIdx.x * PAIRS;
    s[t] = first + t < n ? data[first + t] : 0;
    s[t + PAIRS / 2] = first + t + PAIRS / 2 < n ? data[first + t + PAIRS / 2] : 0;
    int apart = 1;
    for (int active = PAIRS / 2; active > 0; active /= 2, apart *= 2) {
        __syncthreads();
        if (t < active)
            s[(2 * t + 2) * apart - 1] += s[(2 * t + 1) * apart - 1];
    }
    if (t == 0) {
        sums[blockIdx.x] = s[PAIRS - 1];
        s[PAIRS - 1] = 0;
    }
    for (int active = 1; active < PAIRS; active *= 2) {
        apart /= 2;
        __syncthreads();
        if (t < active) {
            int left = (2 * t + 1) * apart - 1, right = (2 * t + 2) * apart - 1;
            unsigned was = s[left];
            s[left] = s[right];
            s[right] += was;
        }
    }
    __syncthreads();
    if (first + t < n)
        data[first + t] = s[t];
    if (first + t + PAIRS / 2 < n)
        data[first + t + PAIRS / 2] = s[t + PAIRS / 2];
}

extern "C" __global__ void MARS(scan_add)(unsigned *data, const unsigned *before, int n)
{
    unsigned i = global_id();
    if (i < n)
        data[i] += before[i / PAIRS];
}

// Negative, zero, positive; the hash goes first, the keys decide between equal hashes.
static __device__ inline int compare(pair a, pair b, const unsigned *keys, const unsigned *key_at)
{
    if (a.hash != b.hash)
        return a.hash < b.hash ? -1 : 1;
    if (a.index == NONE || b.index == NONE)
        return (a.index == NONE) - (b.index == NONE);
    unsigned p = key_at[a.index], p_end = key_at[a.index + 1];
    unsigned q = key_at[b.index], q_end = key_at[b.index + 1];
    for (; p < p_end && q < q_end; p++, q++)
        if (keys[p] != keys[q])
            return keys[p] < keys[q] ? -1 : 1;
    return (p < p_end) - (q < q_end);
}

static __device__ inline void order(pair &a, pair &b, bool upward, const unsigned *keys,
                                    const unsigned *key_at)
{
    int c = compare(a, b, keys, key_at);
    if (upward ? c > 0 : c < 0) {
        pair was = a;
        a = b;
        b = was;
    }
}

// Bitonic sort in shared memory, PAIRS a CTA: all of it, runs of 2 to PAIRS, or (run > PAIRS) the
// last steps of merging runs of that length.
extern "C" __global__ void MARS(sort_near)(pair *pairs, const unsigned *keys,
                                           const unsigned *key_at, unsigned run)
{
    __shared__ pair s[PAIRS];
    unsigned t = threadIdx.x, first = blockIdx.x * PAIRS;
    s[t] = pairs[first + t];
    s[t + PAIRS / 2] = pairs[first + t + PAIRS / 2];
    for (unsigned merged = run > PAIRS ? run : 2; merged <= run; merged *= 2)
        for (unsigned apart = merged > PAIRS ? PAIRS / 2 : merged / 2; apart > 0; apart /= 2) {
            unsigned at = 2 * t - (t & (apart - 1));
            __syncthreads();
            order(s[at], s[at + apart], ((first + at) & merged) == 0, keys, key_at);
        }
    __syncthreads();
    pairs[first + t] = s[t];
    pairs[first + t + PAIRS / 2] = s[t + PAIRS / 2];
}

// One step of merging runs, partners `apart` pairs from each other.
extern "C" __global__ void MARS(sort_far)(pair *pairs, const unsigned *keys, const unsigned *key_at,
                                          unsigned run, unsigned apart, unsigned padded)
{
    unsigned t = global_id(), at = 2 * t - (t & (apart - 1));
    if (at >= padded)
        return;
    pair a = pairs[at], b = pairs[at + apart];
    order(a, b, (at & run) == 0, keys, key_at);
    pairs[at] = a;
    pairs[at + apart] = b;
}

#ifdef MARS_GROUPS
// 1 where a group of equal keys begins.
extern "C" __global__ void MARS(heads)(unsigned *head, const pair *pairs, const unsigned *keys,
                                       const unsigned *key_at, int n)
{
    unsigned i = global_id();
    if (i < n)
        head[i] = i == 0 || compare(pairs[i - 1], pairs[i], keys, key_at) != 0;
}

// group[i]: the groups that begin before pair i; group[n]: all.
extern "C" __global__ void MARS(group)(unsigned *first, const unsigned *group, int n)
{
    unsigned i = global_id();
    if (i < n && group[i + 1] != group[i])
        first[group[i]] = i;
    if (i == n)
        first[group[n]] = n;
}
#endif
#endif
