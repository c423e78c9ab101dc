// transpose.cu -- a matrix transposed through tiles of 32 x 32 in shared memory, so that reads and
// writes are both along rows. A column of padding keeps a tile's column in 32 banks.
// PTX: nvcc -ptx -arch=compute_75 transpose.cu -o transpose.ptx

#define TILE 32
#define HIGH 8 // threads of a column

extern "C" __global__ void transpose_tiles(int *to, const int *from, int rows, int columns)
{
    __shared__ int tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += HIGH)
        if (x < columns && y + i < rows)
            tile[threadIdx.y + i][threadIdx.x] = from[(size_t)(y + i) * columns + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += HIGH)
        if (x < rows && y + i < columns)
            to[(size_t)(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
}
