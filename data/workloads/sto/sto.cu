// sto.cu -- hashing for a storage system by MD5 (RFC 1321), one digest a thread. sto_direct: of the
// data's segments; the CTA brings 64 bytes of each into shared memory, then all threads digest
// theirs. sto_sliding: of short windows that begin 4 bytes apart, in which the host looks for the
// ends of pieces.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S sto.cu -o sto.ptx
#include "../simt.cuh"

#define WORDS  16 // that are digested at once
#define WINDOW 5  // words

__constant__ unsigned sto_sine[64]; // RFC 1321, section 3.4: 2^32 |sin(i + 1)|

extern __shared__ unsigned word[];

static __device__ inline unsigned turn(unsigned x, int by)
{
    return x << by | x >> (32 - by);
}

// Word i of those to be digested lies at m[i * pitch].
static __device__ inline void digest(unsigned state[4], const unsigned *m, int pitch)
{
    unsigned a = state[0], b = state[1], c = state[2], d = state[3];
#pragma unroll
    for (int i = 0; i < 64; i++) {
        unsigned mixed;
        int from, by;
        if (i < 16) {
            mixed = (b & c) | (~b & d);
            from = i;
            by = 7 + i % 4 * 5;
        } else if (i < 32) {
            mixed = (d & b) | (~d & c);
            from = (5 * i + 1) % 16;
            by = i % 4 == 0 ? 5 : i % 4 == 1 ? 9 : i % 4 == 2 ? 14 : 20;
        } else if (i < 48) {
            mixed = b ^ c ^ d;
            from = (3 * i + 5) % 16;
            by = i % 4 == 0 ? 4 : i % 4 == 1 ? 11 : i % 4 == 2 ? 16 : 23;
        } else {
            mixed = c ^ (b | ~d);
            from = 7 * i % 16;
            by = i % 4 == 0 ? 6 : i % 4 == 1 ? 10 : i % 4 == 2 ? 15 : 21;
        }
        unsigned next = b + turn(a + mixed + m[from * pitch] + sto_sine[i], by);
        a = d;
        d = c;
        c = b;
        b = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

static __device__ inline void begin(unsigned state[4])
{
    state[0] = 0x67452301;
    state[1] = 0xefcdab89;
    state[2] = 0x98badcfe;
    state[3] = 0x10325476;
}

// words: a segment's, a multiple of 16. Shared memory: [16][blockDim.x + 1]
extern "C" __global__ void sto_direct(uint4 *digests, const unsigned *data, int segments, int words)
{
    int wide = blockDim.x, pitch = wide + 1, first = blockIdx.x * wide, own = first + threadIdx.x;
    unsigned state[4];
    begin(state);
    for (int done = 0; done < words; done += WORDS) {
        for (int i = threadIdx.x; i < wide * WORDS; i += wide) {
            int segment = i / WORDS, k = i % WORDS;
            if (first + segment < segments)
                word[k * pitch + segment] = data[(first + segment) * words + done + k];
        }
        __syncthreads();
        digest(state, word + threadIdx.x, pitch);
        __syncthreads();
    }
    unsigned *mine = word + threadIdx.x; // the end: a bit, zeros, the number of bits
    for (int k = 0; k < WORDS; k++)
        mine[k * pitch] = k == 0 ? 0x80 : k == WORDS - 2 ? 32 * words : 0;
    digest(state, mine, pitch);
    if (own < segments)
        digests[own] = make_uint4(state[0], state[1], state[2], state[3]);
}

// data: windows + WINDOW - 1 words. Shared memory: [blockDim.x + WINDOW - 1]
extern "C" __global__ void sto_sliding(unsigned *hash, const unsigned *data, int windows)
{
    int wide = blockDim.x, first = blockIdx.x * wide, own = first + threadIdx.x;
    for (int i = threadIdx.x; i < wide + WINDOW - 1; i += wide)
        if (first + i < windows + WINDOW - 1)
            word[i] = data[first + i];
    __syncthreads();
    unsigned state[4], m[WORDS];
    begin(state);
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        m[k] = k < WINDOW ? word[threadIdx.x + k] : 0;
    m[WINDOW] = 0x80;
    m[WORDS - 2] = 32 * WINDOW;
    digest(state, m, 1);
    if (own < windows)
        hash[own] = state[0];
}
