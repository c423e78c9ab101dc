/* A program that launches no kernel of its own: its work is a call of cuBLAS. With an argument it
 * fails after that. */
#include "tests/cuda/ok.h"

int cudaMalloc(void **, size_t), cudaMemcpy(void *, const void *, size_t, int);
int cublasCreate_v2(void **), cublasDestroy_v2(void *);
int cublasSscal_v2(void *, int, const float *, float *, int);

int main(int argc, char **argv)
{
    const float two = 2, one = 1;
    float result;
    void *handle, *d;
    (void)argv;
    OK(cudaMalloc(&d, sizeof result));
    OK(cudaMemcpy(d, &one, sizeof one, 1));
    OK(cublasCreate_v2(&handle));
    OK(cublasSscal_v2(handle, 1, &two, d, 1));
    OK(cudaMemcpy(&result, d, sizeof result, 2));
    OK(cublasDestroy_v2(handle));
    EXPECT(result == 2);
    puts("passed");
    return argc > 1 ? 3 : 0;
}
