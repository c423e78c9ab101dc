// bt.cu -- look-ups in a B+ tree, a CTA a query and a thread a key of a node: bt_range finds how many
// records have keys from one to another, and the first of them; bt_find the record of one key.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S bt.cu -o bt.ptx
#include "../simt.cuh"

// A node has keys[node][t] and below[node][t], t up to as many as a CTA has threads; keys ascend,
// and the largest int fills up. Of an inner node keys[t] is the least key under node below[t], of a
// leaf that of record below[t]. Every leaf has the same depth. What threads tell each other is
// volatile: clang keeps it in registers over a barrier otherwise.

// This thread has the last of the node's keys that are not above `key`.
static __device__ inline bool last_not_above(const int *keys, int key)
{
    int t = threadIdx.x;
    return keys[t] <= key && (t + 1 == blockDim.x || keys[t + 1] > key);
}

// record[query]: of the key, or -1.
extern "C" __global__ void bt_find(int *record, const int *keys, const int *below, const int *query,
                                   int depth)
{
    __shared__ volatile int node;
    int t = threadIdx.x, width = blockDim.x, key = query[blockIdx.x];
    if (t == 0) {
        node = 0;
        record[blockIdx.x] = -1;
    }
    __syncthreads();
    for (int level = 0; level < depth; level++) {
        int at = node * width;
        __syncthreads();
        if (last_not_above(keys + at, key))
            node = below[at + t];
        __syncthreads();
    }
    int at = node * width;
    if (keys[at + t] == key)
        record[blockIdx.x] = below[at + t];
}

// first[query]: the record of the least key from `from` on; length[query]: how many there are up to
// `to`.
extern "C" __global__ void bt_range(int *first, int *length, const int *keys, const int *below,
                                    const int *from, const int *to, int depth)
{
    __shared__ volatile int left, right, begin, end;
    int t = threadIdx.x, width = blockDim.x, low = from[blockIdx.x], high = to[blockIdx.x];
    if (t == 0)
        left = right = begin = end = 0;
    __syncthreads();
    for (int level = 0; level < depth; level++) {
        int at_left = left * width, at_right = right * width;
        __syncthreads();
        if (last_not_above(keys + at_left, low))
            left = below[at_left + t];
        if (last_not_above(keys + at_right, high))
            right = below[at_right + t];
        __syncthreads();
    }
    int at_left = left * width, at_right = right * width;
    if (last_not_above(keys + at_left, low))
        begin = keys[at_left + t] == low ? below[at_left + t] : below[at_left + t] + 1;
    if (last_not_above(keys + at_right, high))
        end = below[at_right + t] + 1;
    __syncthreads();
    if (t == 0) {
        first[blockIdx.x] = begin;
        length[blockIdx.x] = end - begin;
    }
}
