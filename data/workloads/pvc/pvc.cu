// pvc.cu -- page view count by MapReduce (He and others, PACT 2008): a log of lines "URL address
// cookie". The first pass drops repeated lines (the key is the whole line), the second counts the
// lines left of each URL. A pass: map twice, once to learn the keys' lengths, whose prefix sum says
// where they go, once to write keys and hashes; sort by hash and key; find the groups; reduce each.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S pvc.cu -o pvc.ptx
#include "../simt.cuh"

#define PAIRS 128     // that a CTA sorts or sums in shared memory, two a thread
#define NONE  (~0u)   // index of a pair that only fills up to a power of two

struct __attribute__((aligned(8))) pair {
    unsigned hash, index; // of the key: words key_at[index] .. key_at[index + 1] - 1 of keys
};

static __device__ inline unsigned global_id()
{
    return blockDim.x * blockIdx.x + threadIdx.x;
}

// The key is a line's first `fields` fields with the blanks between them, in whole words.
extern "C" __global__ void pvc_map_count(unsigned *length, const char *log, const unsigned *line_at,
                                         const unsigned *line, int lines, int fields)
{
    unsigned i = global_id();
    if (i >= lines)
        return;
    const char *from = log + line_at[line[i]], *c = from;
    for (;; c++)
        if (*c == '\n' || (*c == ' ' && --fields == 0))
            break;
    length[i] = (c - from + 3) / 4;
}

// Copies the keys, the last word filled up with zeros. The hash is FNV-1a.
extern "C" __global__ void pvc_map(pair *pairs, unsigned *keys, const unsigned *key_at,
                                   const char *log, const unsigned *line_at, const unsigned *line,
                                   int lines, int padded, int fields)
{
    unsigned i = global_id();
    pair p = {NONE, NONE};
    if (i < lines) {
        const char *from = log + line_at[line[i]];
        unsigned hash = 2166136261u;
        bool ended = false;
        for (unsigned at = key_at[i], end = key_at[i + 1]; at < end; at++) {
            unsigned word = 0;
            for (int byte = 0; byte < 4; byte++) {
                unsigned c = (unsigned char)*from++;
                ended = ended || c == '\n' || (c == ' ' && --fields == 0);
                if (ended)
                    break;
                word |= c << 8 * byte;
                hash = (hash ^ c) * 16777619u;
            }
            keys[at] = word;
        }
        p.hash = hash;
        p.index = i;
    }
    if (i < padded)
        pairs[i] = p;
}

// Sums before each element, within PAIRS elements; sums[CTA]: their sum.
extern "C" __global__ void pvc_scan(unsigned *data, unsigned *sums, int n)
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

extern "C" __global__ void pvc_scan_add(unsigned *data, const unsigned *before, int n)
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
extern "C" __global__ void pvc_sort_near(pair *pairs, const unsigned *keys, const unsigned *key_at,
                                         unsigned run)
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
extern "C" __global__ void pvc_sort_far(pair *pairs, const unsigned *keys, const unsigned *key_at,
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

// 1 where a group of equal keys begins.
extern "C" __global__ void pvc_heads(unsigned *head, const pair *pairs, const unsigned *keys,
                                     const unsigned *key_at, int n)
{
    unsigned i = global_id();
    if (i < n)
        head[i] = i == 0 || compare(pairs[i - 1], pairs[i], keys, key_at) != 0;
}

// group[i]: the groups that begin before pair i; group[n]: all.
extern "C" __global__ void pvc_group(unsigned *first, const unsigned *group, int n)
{
    unsigned i = global_id();
    if (i < n && group[i + 1] != group[i])
        first[group[i]] = i;
    if (i == n)
        first[group[n]] = n;
}

// One thread a group: the line of its first pair, and its pairs counted one by one (each has the
// value 1).
extern "C" __global__ void pvc_reduce(unsigned *line_out, unsigned *count, const unsigned *first,
                                      const pair *pairs, const unsigned *line, int groups)
{
    unsigned g = global_id();
    if (g >= groups)
        return;
    unsigned sum = 0, end = first[g + 1];
    for (unsigned i = first[g]; i < end; i++)
        if (pairs[i].index != NONE)
            sum++;
    line_out[g] = line[pairs[first[g]].index];
    count[g] = sum;
}
