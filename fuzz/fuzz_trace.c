/* Traces: any file is either refused, with its name and an offset, or its launches run on a small
 * GPU until they end or what is wrong is found on the way. What is packed has a checksum, which no
 * mutation would get past: the first byte says whether the rest is a file, a table, or the bytes of
 * a CTA. */
#include "sim/frontend/recorded.h"
#include "sim/gpu/gpu.h"
#include "tests/sm/craft.h"

#define THREADS 80

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.tex .u64 t;\n.const .align 4 .b8 c[64];\n"
    ".entry k()\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<3>;\n"
    ".shared .align 8 .b8 sh[512]; .local .align 8 .b8 lo[64];\n"
    "L: ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; st.global.u64 [%rd1], %rd2;\n"
    "ld.u8 %r1, [%rd1]; st.u16 [%rd1], %r1; atom.global.add.u32 %r1, [%rd1], 1;\n"
    "atom.add.u64 %rd2, [%rd1], 1; atom.shared.add.u32 %r1, [sh], 1; ld.shared.u64 %rd2, [sh];\n"
    "st.local.u32 [lo], %r1; ld.local.v2.u64 {%rd1, %rd2}, [lo]; ld.const.u32 %r1, [c];\n"
    "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f5, %f6}]; ld.volatile.global.u32 %r1, [%rd1];\n"
    "membar.gl; bar.sync 0; bar.arrive 1, 64; bar.red.popc.u32 %r1, 0, %p1; @%p1 bra L;\n"
    "prefetch.global.L1 [%rd1]; ret;\n}\n";

static bool on_launch(void *self, struct launch *l, struct err *e)
{
    struct run_stats st = {0};
    const struct gpu_opts o = {
        .n = 8, .only_core = -1, .max_cycles = 10000, .trace_working_set = true};
    return gpu_launch(self, l, &o, &st, e);
}

static void use(const uint8_t *data, size_t size)
{
    struct err e = {""};
    struct gpu_cfg cfg;
    gpu_cfg_default(&cfg);
    cfg.top.cores = 1;
    struct trace_file *f = trace_file_from("fuzz", data, size, &e);
    BUG_ON(!f && strncmp(e.msg, "fuzz:", 5) != 0, "no name in: %s", e.msg);
    BUG_ON(!f && !strstr(e.msg, "offset") && !strstr(e.msg, "byte"), "no place in: %s", e.msg);
    if (!f)
        return;
    struct gpu *g = gpu_new(&cfg, &e);
    BUG_ON(!g, "%s", e.msg);
    const struct executor x = {.launch = on_launch, .self = g};
    recorded_run(f, &x, &e);
    gpu_free(g);
    trace_file_free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace_bytes rest = {0}, file = {0};
    if (!size)
        return 0;
    craft_bytes(&rest, data + 1, size - 1);
    if (data[0] == 'F')
        craft_bytes(&file, rest.at, rest.n);
    else if (data[0] == 'T')
        craft_file(&file, &rest, &rest);
    else
        craft_launch(&file, ptx, THREADS, &rest);
    use(file.at, file.n);
    free(rest.at);
    free(file.at);
    return 0;
}
