// embedding.cu -- an embedding layer: forwards, each token's row of the table is copied; backwards,
// the rows of the tokens that occur are corrected by the sums of their gradients. For this the
// tokens' positions have been sorted, so that a warp adds up all of a token's in their order:
// atomics would add them in any order.
// PTX: nvcc -ptx -arch=compute_75 embedding.cu -o embedding.ptx

#define WARP 32

static __device__ int global_warp()
{
    return (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
}

// The group of four numbers of a row that is the thread's.
static __device__ int own_quad()
{
    return blockIdx.y * WARP + threadIdx.x % WARP;
}

// A warp a token and 128 numbers of its row; a row has `quads` x 4.
extern "C" __global__ void embedding_gather(float4 *out, const float4 *table, const int *token,
                                            int tokens, int quads)
{
    int i = global_warp(), x = own_quad();
    if (i < tokens && x < quads)
        out[(size_t)i * quads + x] = table[(size_t)token[i] * quads + x];
}

// A warp a word that occurs and 128 numbers of its row: word[i], at positions place[start[i]] ..
// place[start[i + 1] - 1] of the text.
extern "C" __global__ void embedding_scatter(float4 *table, const float4 *gradient, const int *word,
                                             const int *start, const int *place, int words,
                                             int quads, float rate)
{
    int i = global_warp(), x = own_quad();
    if (i >= words || x >= quads)
        return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f), *at = table + (size_t)word[i] * quads + x;
    for (int p = start[i], last = start[i + 1]; p < last; p++) {
        float4 g = gradient[(size_t)place[p] * quads + x];
        sum.x += g.x;
        sum.y += g.y;
        sum.z += g.z;
        sum.w += g.w;
    }
    float4 old = *at;
    *at = make_float4(old.x - rate * sum.x, old.y - rate * sum.y, old.z - rate * sum.z,
                      old.w - rate * sum.w);
}
