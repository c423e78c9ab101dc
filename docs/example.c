/* Scales a vector on a simulated GPU, and asks how many CTAs should run at once on a core:
 *   cc example.c $(pkg-config --cflags --libs mdpredict) -o example && ./example */
#include <mdpredict.h>
#include <stdio.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry scale(.param .u64 x, .param .f32 by)\n{\n"
    "  .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [x]; ld.param.f32 %f1, [by];\n"
    "  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "  mad.lo.s32 %r4, %r1, %r2, %r3; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "  ld.global.f32 %f2, [%rd3]; mul.f32 %f3, %f2, %f1; st.global.f32 [%rd3], %f3; ret;\n}\n";

int main(void)
{
    float x[16384] = {[7] = 7}, by = 0.5f;
    double ipc = 0;
    struct mdpredict_gpu *gpu = mdpredict_gpu_load("yen2014");
    struct mdpredict_device *device = mdpredict_device_new(gpu);
    struct mdpredict_module *module = mdpredict_module_load(device, "scale", ptx);
    const uint64_t at = mdpredict_alloc(device, sizeof x);
    const void *argument[] = {&at, &by};
    const struct mdpredict_launch launch = {module, "scale",  {64, 1, 1}, {256, 1, 1},
                                            0,      argument, 2};
    struct mdpredict_result *chosen = NULL, *run = NULL;
    if (module && mdpredict_write(device, at, x, sizeof x) == 0 &&
        (chosen = mdpredict_sample(&launch, "window")) &&
        (run = mdpredict_simulate(&launch, mdpredict_result_n(chosen))) &&
        mdpredict_result_value(run, mdpredict_result_n(run), "ipc", &ipc) == 0 &&
        mdpredict_read(device, x, at, sizeof x) == 0)
        printf("n = %d of %d: IPC %.2f, x[7] = %g\n", mdpredict_result_n(run),
               mdpredict_occupancy(&launch), ipc, x[7]);
    else
        fprintf(stderr, "example: %s\n", mdpredict_error());
    mdpredict_result_free(chosen);
    mdpredict_result_free(run);
    mdpredict_device_free(device);
    mdpredict_gpu_free(gpu);
    return run ? 0 : 1;
}
