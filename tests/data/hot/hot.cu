// line 1
// line 2
// line 3
// line 4
// line 5
// line 6
// line 7
// line 8
// line 9
__global__ void hot(int *p) { // line 10
    int a = p[threadIdx.x];
    int b = p[32 * threadIdx.x];
    int c = tile[32 * threadIdx.x]; __syncthreads();
    p[threadIdx.x] = a + b + c; }
// line 15
// line 16
