// aes.cu -- AES-128 encryption of independent blocks (FIPS 197) by tables: a round's substitution,
// row shift and column mix are four look-ups a column (Daemen and Rijmen). One thread a column, four
// threads a block of 16 bytes; the tables and the state are in shared memory.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S aes.cu -o aes.ptx
#include "../simt.cuh"

#define ROUNDS 10

__constant__ unsigned aes_key[4 * (ROUNDS + 1)]; // the expanded key; words are little-endian

extern __shared__ unsigned aes_state[]; // [2][blockDim.x]

// tables: [4][256]. Byte 0 of a word is row 0 of a column.
extern "C" __global__ void aes_encrypt(unsigned *out, const unsigned *in, const unsigned *tables,
                                       int words)
{
    __shared__ unsigned t[4][256];
    int tid = threadIdx.x, i = blockDim.x * blockIdx.x + tid;
    for (int k = tid; k < 256; k += blockDim.x) {
        t[0][k] = tables[k];
        t[1][k] = tables[256 + k];
        t[2][k] = tables[512 + k];
        t[3][k] = tables[768 + k];
    }
    int column = tid & 3, next = blockDim.x;
    int c0 = tid, c1 = (tid & ~3) + ((column + 1) & 3), c2 = c0 ^ 2, c3 = c1 ^ 2;
    if (i < words)
        aes_state[tid] = in[i] ^ aes_key[column];
    __syncthreads();
#pragma unroll 1
    for (int round = 1; round < ROUNDS; round++) {
        aes_state[c0 + next] = t[0][aes_state[c0] & 255] ^ t[1][aes_state[c1] >> 8 & 255] ^
                                t[2][aes_state[c2] >> 16 & 255] ^ t[3][aes_state[c3] >> 24] ^
                                aes_key[4 * round + column];
        __syncthreads();
        c0 += next, c1 += next, c2 += next, c3 += next;
        next = -next;
    }
    // The last round mixes no columns: the substituted byte alone is byte 1 of t[0], byte 2 of t[1].
    unsigned last = (t[0][aes_state[c0] & 255] >> 8 & 255) |
                    (t[0][aes_state[c1] >> 8 & 255] & 0xff00) |
                    (t[1][aes_state[c2] >> 16 & 255] & 0xff0000) |
                    (t[1][aes_state[c3] >> 24] & 0xff0000) << 8;
    if (i < words)
        out[i] = last ^ aes_key[4 * ROUNDS + column];
}
