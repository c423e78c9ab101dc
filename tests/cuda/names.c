/* Launches kernels whose names differ beyond what a table has room for. Needs no CUDA tool. */
#include "tests/cuda/fatbin.h"

#define ADDS(name)                                                                       \
    ".visible .entry " name "(.param .u64 at)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n" \
    "ld.param.u64 %rd1, [at];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"       \
    "add.u64 %rd1, %rd1, %rd2;\nld.global.u32 %r2, [%rd1];\nadd.u32 %r2, %r2, 1;\n"      \
    "st.global.u32 [%rd1], %r2;\nret;\n}\n"
#define SUM_128 "_Z23sum_of_many_long_blocksILi128ELi1000000000EEvPi"
#define SUM_256 "_Z23sum_of_many_long_blocksILi256ELi1000000000EEvPi"

static const char ptx[] =
    ".version 7.8\n.target sm_50\n.address_size 64\n" ADDS(SUM_128) ADDS(SUM_256) ADDS("plain");
static char *const kernel[] = {(char *)SUM_128, (char *)SUM_256, (char *)SUM_128, (char *)"plain"};
static const unsigned threads[] = {128, 128, 64, 128};

int main(void)
{
    static const char stub[4] = "";
    void *words, *args[] = {&words}, **module = register_ptx(ptx, sizeof ptx - 1, 8, 50);
    int bad = cudaMalloc(&words, 512);
    for (int i = 0; i < 4; i++) {
        register_kernel(module, &stub[i], kernel[i]);
        bad = bad ||
              cudaLaunchKernel(&stub[i], (dim3){30, 1, 1}, (dim3){threads[i], 1, 1}, args, 0, NULL);
    }
    return bad;
}
