// matmul_int8.cu -- product of matrices of 8-bit integers by dp4a, four products an instruction:
// C = A B^T in 32 bits. Both are stored by rows of K bytes. CTAs of 8 x 8 threads compute tiles of
// 32 x 32, 4 x 4 elements a thread, 32 bytes of K at a time through shared memory.
// PTX: nvcc -ptx -arch=compute_75 matmul_int8.cu -o matmul_int8.ptx

#define SIDE  8  // threads of a row and of a column
#define EACH  4  // rows and columns of a thread
#define TILE  (SIDE * EACH)
#define WORDS 8 // of a row at a time

// from: the tile's first row. Word w of a row goes to to[w].
static __device__ void load(int (*to)[TILE + 1], const int *from, int row_words)
{
    int t = threadIdx.y * SIDE + threadIdx.x;
    for (int i = t; i < TILE * WORDS; i += SIDE * SIDE)
        to[i % WORDS][i / WORDS] = from[(size_t)(i / WORDS) * row_words + i % WORDS];
}

// n: columns of C; row_words: K / 4. All are multiples of the tiles.
extern "C" __global__ void matmul_int8_tiled(int *c, const int *a, const int *b, int n,
                                             int row_words)
{
    __shared__ int tile_a[WORDS][TILE + 1], tile_b[WORDS][TILE + 1];
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE, sum[EACH][EACH] = {};
    for (int word = 0; word < row_words; word += WORDS) {
        load(tile_a, a + (size_t)row * row_words + word, row_words);
        load(tile_b, b + (size_t)column * row_words + word, row_words);
        __syncthreads();
#pragma unroll 1
        for (int w = 0; w < WORDS; w++)
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    sum[i][j] = __dp4a(tile_a[w][threadIdx.y + i * SIDE],
                                       tile_b[w][threadIdx.x + j * SIDE], sum[i][j]);
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++)
            c[(size_t)(row + threadIdx.y + i * SIDE) * n + column + threadIdx.x + j * SIDE] =
                sum[i][j];
}
