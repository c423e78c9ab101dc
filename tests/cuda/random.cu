// Random points by cuRAND, which a kernel counts: those in the quarter circle.
#include <cstdio>
#include <curand.h>

__global__ void inside(const float *x, const float *y, int n, unsigned *count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] * x[i] + y[i] * y[i] <= 1)
        atomicAdd(count, 1u);
}

int main()
{
    const int n = 1 << 14;
    float *x;
    unsigned *count, inner;
    curandGenerator_t g;
    int bad = cudaMalloc(&x, 2 * n * sizeof *x) || cudaMalloc(&count, sizeof *count);
    bad |= cudaMemset(count, 0, sizeof *count);
    bad |= curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    bad |= curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
    bad |= curandGenerateUniform(g, x, 2 * n);
    inside<<<n / 256, 256>>>(x, x + n, n, count);
    bad |= cudaMemcpy(&inner, count, sizeof inner, cudaMemcpyDeviceToHost);
    bad |= curandDestroyGenerator(g);
    const double pi = 4.0 * inner / n; // one standard deviation is 0.013
    bad |= pi < 3.09 || pi > 3.19;
    printf("%s\n", bad ? "failed" : "passed");
    return bad;
}
