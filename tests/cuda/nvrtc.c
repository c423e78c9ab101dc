/* A program that compiles a kernel while it runs and loads the machine code; with NVRTC in its
 * place, which says how NVRTC is asked: the PTX is PTX, the machine code is none that could be
 * simulated. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry set(.param .u64 o) { .reg .b64 %d; .reg .b32 %r;\n"
                          "ld.param.u64 %d, [o]; mov.u32 %r, 42; st.global.u32 [%d], %r; ret; }\n";

int nvrtcGetPTXSize(void *program, size_t *bytes)
{
    *bytes = sizeof ptx;
    return program ? 0 : 4; /* NVRTC_ERROR_INVALID_PROGRAM */
}
int nvrtcGetPTX(void *program, char *code)
{
    memcpy(code, ptx, sizeof ptx);
    return program ? 0 : 4;
}
int nvrtcGetCUBINSize(void *program, size_t *bytes)
{
    (void)program;
    *bytes = 8;
    return 0;
}
int nvrtcGetCUBIN(void *program, char *code)
{
    (void)program;
    memcpy(code, "\177ELF\2\1\1", 8);
    return 0;
}

#else

#include "tests/cuda/ok.h"

int nvrtcGetCUBINSize(void *program, size_t *bytes), nvrtcGetCUBIN(void *program, char *code);
int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(unsigned long long *, size_t),
    cuMemcpyDtoH_v2(void *, unsigned long long, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);

int main(void)
{
    void *context, *module, *f;
    unsigned long long d;
    size_t bytes;
    int h = 0, program;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    EXPECT(nvrtcGetCUBINSize(NULL, &bytes) == 4);
    OK(nvrtcGetCUBINSize(&program, &bytes));
    char *code = malloc(bytes);
    OK(nvrtcGetCUBIN(&program, code));
    OK(cuModuleLoadData(&module, code));
    free(code);
    OK(cuModuleGetFunction(&f, module, "set"));
    OK(cuMemAlloc_v2(&d, 4));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&d}, NULL));
    OK(cuMemcpyDtoH_v2(&h, d, 4));
    EXPECT(h == 42);
    printf("passed\n");
    return 0;
}

#endif
