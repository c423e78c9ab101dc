/* Texture references, as programs built before CUDA 12 have them: registered, bound to linear
 * memory and to an array. `texref texref.ptx` */
#include <stdio.h>
#include <stdlib.h>

#include "tests/cuda/fatbin.h"

struct desc {
    int x, y, z, w, kind;
};
struct textureReference {
    int normalized, filter, address[3];
    struct desc desc;
    int rest[32];
};
void __cudaRegisterTexture(void **h, const struct textureReference *host, const void *dev,
                           const char *name, int dim, int normalized, int ext);
int cudaBindTexture(size_t *offset, const struct textureReference *r, const void *p,
                    const struct desc *desc, size_t bytes);
int cudaMallocArray(void **array, const struct desc *desc, size_t w, size_t h, unsigned flags);
int cudaMemcpyToArray(void *array, size_t x, size_t y, const void *from, size_t bytes, int kind);
int cudaBindTextureToArray(const struct textureReference *r, void *array, const struct desc *desc);
int cudaUnbindTexture(const struct textureReference *r);

/* Points, clamped, one float a texel. */
static struct textureReference line = {0, 0, {1, 1, 1}, {32, 0, 0, 0, 2}, {0}};
static struct textureReference image = {0, 0, {1, 1, 1}, {32, 0, 0, 0, 2}, {0}};
static int fetch; /* the stub's address is all that counts */

static void *give_up(int line_number)
{
    printf("line %d\n", line_number);
    exit(1);
}
#define OK(call) ((call) ? give_up(__LINE__) : NULL)

int main(int argc, char **argv)
{
    FILE *f = fopen(argv[argc - 1], "r");
    char ptx[1 << 14];
    size_t n = f ? fread(ptx, 1, sizeof ptx, f) : 0, offset;
    void **h = register_ptx(ptx, n, 0, 52);
    register_kernel(h, &fetch, "fetch");
    __cudaRegisterTexture(h, &line, "lin", "::lin", 1, 0, 0);
    __cudaRegisterTexture(h, &image, "img", "::img", 2, 0, 0);
    float x[32], *d, *out;
    void *array, *args[] = {&out};
    dim3 one = {1, 1, 1}, block = {32, 1, 1};
    for (int i = 0; i < 32; i++)
        x[i] = (float)(2 * i);
    OK(cudaMalloc((void **)&d, sizeof x));
    OK(cudaMalloc((void **)&out, sizeof x));
    OK(cudaMemcpy(d, x, sizeof x, 1));
    OK(cudaBindTexture(&offset, &line, d, &line.desc, UINT32_MAX));
    OK(offset != 0);
    OK(cudaMallocArray(&array, &image.desc, 32, 1, 0));
    OK(cudaMemcpyToArray(array, 0, 0, x, sizeof x, 1));
    OK(cudaBindTextureToArray(&image, array, &image.desc));
    OK(cudaLaunchKernel(&fetch, one, block, args, 0, NULL));
    OK(cudaMemcpy(x, out, sizeof x, 2));
    for (int i = 0; i < 32; i++)
        OK(x[i] != (float)(4 * i)); /* of both textures, added */
    OK(cudaUnbindTexture(&line));
    puts("passed");
    return 0;
}
