// gsim.cu -- gate-level logic simulation: the gates of one level in a launch, 32 test patterns a word,
// one thread a gate and word. Grid: x over the level's gates, y over the words.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S gsim.cu -o gsim.ptx
#include "../simt.cuh"

// A gate's kind: how its inputs are joined, and whether the result is inverted.
#define JOIN_AND 0
#define JOIN_OR  1
#define JOIN_XOR 2
#define JOIN     3
#define INVERT   4

// value: a row of all gates for each word; the level's gates are from .. from + count - 1.
extern "C" __global__ void gsim_level(unsigned *value, const int *kind, const int *first,
                                      const int *in, int from, int count, int gates)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned *row = value + blockIdx.y * gates;
    int g = from + i, how = kind[g], join = how & JOIN;
    int k = first[g], end = first[g + 1];
    unsigned v = row[in[k]];
    for (k++; k < end; k++) {
        unsigned u = row[in[k]];
        v = join == JOIN_AND ? v & u : join == JOIN_OR ? v | u : v ^ u;
    }
    row[g] = how & INVERT ? ~v : v;
}

// The clock edge: register i, gate i of level 0, takes the value of the gate that feeds it. Through next[], since
// registers feed each other.
extern "C" __global__ void gsim_sample(unsigned *next, const unsigned *value, const int *feed, int count,
                                       int gates)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < count)
        next[blockIdx.y * count + i] = value[blockIdx.y * gates + feed[i]];
}

extern "C" __global__ void gsim_clock(unsigned *value, const unsigned *next, int count, int gates)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < count)
        value[blockIdx.y * gates + i] = next[blockIdx.y * count + i];
}
