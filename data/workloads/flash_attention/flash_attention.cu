// flash_attention.cu -- causal attention without the matrix of scores in memory (Dao and others,
// NeurIPS 2022): a CTA has 32 queries of a head, 4 threads each; keys and values pass through shared
// memory, 16 at a time, and what has been summed is scaled whenever a larger score turns up.
// PTX: nvcc -ptx -arch=compute_75 flash_attention.cu -o flash_attention.ptx

#define HEAD  64 // numbers of a query, a key, a value
#define TILE  32 // queries of a CTA
#define KEYS  16 // and values, at a time
#define PARTS 4  // threads of a query
#define OWN   (HEAD / 4 / PARTS) // groups of four numbers that a thread has, PARTS groups apart
#define ALL   0xffffffffu

static __device__ float dot4(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static __device__ float4 add4(float4 sum, float p, float4 v)
{
    sum.x += p * v.x;
    sum.y += p * v.y;
    sum.z += p * v.z;
    sum.w += p * v.w;
    return sum;
}

// q, k, v, out: [heads][tokens][HEAD]; tokens: a multiple of TILE
extern "C" __global__ void flash_attention_tile(float4 *out, const float4 *q, const float4 *k,
                                                const float4 *v, int tokens, float scale)
{
    __shared__ float4 key[KEYS][HEAD / 4], value[KEYS][HEAD / 4];
    __shared__ float score[TILE][KEYS + 1];
    int query = threadIdx.x / PARTS, part = threadIdx.x % PARTS;
    int at = blockIdx.x * TILE + query, head = blockIdx.y * tokens * (HEAD / 4);
    float4 own[OWN], sum[OWN];
    float largest = __int_as_float(0xff800000), total = 0.0f; // minus infinity
    for (int i = 0; i < OWN; i++) {
        own[i] = q[head + at * (HEAD / 4) + i * PARTS + part];
        sum[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    for (int from = 0; from < (blockIdx.x + 1) * TILE; from += KEYS) {
        __syncthreads();
        for (int i = threadIdx.x; i < KEYS * HEAD / 4; i += TILE * PARTS) {
            key[i / (HEAD / 4)][i % (HEAD / 4)] = k[head + from * (HEAD / 4) + i];
            value[i / (HEAD / 4)][i % (HEAD / 4)] = v[head + from * (HEAD / 4) + i];
        }
        __syncthreads();
        float before = largest;
        for (int j = 0; j < KEYS; j++) {
            float s = 0.0f;
            for (int i = 0; i < OWN; i++)
                s += dot4(own[i], key[j][i * PARTS + part]);
            s += __shfl_xor_sync(ALL, s, 1);
            s += __shfl_xor_sync(ALL, s, 2);
            s = from + j <= at ? s * scale : __int_as_float(0xff800000);
            largest = fmaxf(largest, s);
            if (part == 0)
                score[query][j] = s;
        }
        __syncwarp(); // a query's threads are in one warp
        float shrink = __expf(before - largest);
        total *= shrink;
        for (int i = 0; i < OWN; i++)
            sum[i] = make_float4(sum[i].x * shrink, sum[i].y * shrink, sum[i].z * shrink,
                                 sum[i].w * shrink);
        for (int j = 0; j < KEYS; j++) {
            float p = __expf(score[query][j] - largest);
            total += p;
            for (int i = 0; i < OWN; i++)
                sum[i] = add4(sum[i], p, value[j][i * PARTS + part]);
        }
    }
    float share = 1.0f / total;
    for (int i = 0; i < OWN; i++)
        out[head + at * (HEAD / 4) + i * PARTS + part] =
            make_float4(sum[i].x * share, sum[i].y * share, sum[i].z * share, sum[i].w * share);
}
