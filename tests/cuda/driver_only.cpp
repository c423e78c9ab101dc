// A program of the driver API alone: nvcc leaves an empty .nv_fatbin in it.
#include <cstdio>
#include <cuda.h>

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry seven(.param .u64 out)\n{\n"
                          ".reg .u64 %a;\n"
                          "ld.param.u64 %a, [out];\n"
                          "st.global.u32 [%a], 7;\n"
                          "ret;\n}\n";

int main()
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction seven;
    CUdeviceptr out;
    int value = 0;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    if (cuModuleLoadData(&module, ptx) || cuModuleGetFunction(&seven, module, "seven"))
        return 1;
    cuMemAlloc(&out, sizeof value);
    void *args[] = {&out};
    cuLaunchKernel(seven, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr);
    cuMemcpyDtoH(&value, out, sizeof value);
    puts(value == 7 ? "passed" : "failed");
    return value != 7;
}
