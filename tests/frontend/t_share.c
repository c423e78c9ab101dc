/* Kernels on memory that is shared, copy on write: results are those of the kernel on the original,
 * which is as it was before. */
#include "tests/frontend/texfix.h"
#include "tests/gpu/whole.h"

#define START_HASH 0xcbf29ce484222325ull

/* On a share first, then on the original: both must leave the same bytes. self: struct gpu *; NULL:
 * the first time, too, without timing. */
static bool on_a_share_first(void *self, struct launch *l, struct err *e)
{
    const uint64_t before = whole_hash(l->mem, START_HASH);
    struct launch copy = *l;
    copy.mem = devmem_share(l->mem);
    struct run_stats st = {0};
    const struct gpu_opts o = {.n = 8, .only_core = -1, .max_cycles = 100000000};
    bool ok = self ? gpu_launch(self, &copy, &o, &st, e) : run_functionally(NULL, &copy, e);
    const uint64_t shared = whole_hash(copy.mem, START_HASH);
    CU_ASSERT_EQUAL(whole_hash(l->mem, START_HASH), before);
    devmem_free(copy.mem);
    CU_ASSERT_EQUAL(whole_hash(l->mem, START_HASH), before);
    ok = ok && run_functionally(NULL, l, e);
    CU_ASSERT_EQUAL(whole_hash(l->mem, START_HASH), shared);
    CU_ASSERT_NOT_EQUAL(shared, before); /* it does something */
    return ok;
}

static void run_target(const char *name, struct gpu *g)
{
    struct err e = {""};
    const struct executor x = {.launch = on_a_share_first, .self = g};
    struct target *t = target_open(name, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    const bool ok = target_run(t, &x, true, &e);
    if (!ok)
        printf("\n  %s: %s\n", name, e.msg);
    CU_ASSERT_TRUE(ok);
    target_free(t);
}

/* Atomics, gathers, shared memory, textures. */
static void programs_do_the_same_on_a_share(void)
{
    static const char *const names[] = {"histogram", "nbf", "matmul", "tests/data/textures"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        run_target(names[i], NULL);
}

/* The cores of a GPU, whose CTAs take turns. */
static void a_gpu_does_the_same_on_a_share(void)
{
    static const char *const names[] = {"histogram", "nbf"};
    const struct gpu_cfg cfg = whole_gpu("kayiran2013", NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct err e = {""};
        struct gpu *g = gpu_new(&cfg, &e);
        run_target(names[i], g);
        gpu_free(g);
    }
}

#define HEAD                                                                 \
    ".version 4.0\n.target sm_30\n.address_size 64\n"                        \
    ".entry k(.param .u64 p, .param .u64 s)\n{\n"                            \
    ".reg .b64 %rd<8>; .reg .b32 %r<12>; .reg .pred %p<4>;\n"                \
    "ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [s]; mov.u32 %r1, %tid.x;\n" \
    "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd1, %rd3; shl.b32 %r2, %r1, 2;\n"
#define TAIL "ret;\n}\n"

/* A kernel of 64 threads, two warps, over `in` of 1024 words, zero, and a row of 64 texels that
 * hold 100, 101, ...; out: the first 64 words. */
static void run_kernel(const char *text, uint32_t out[64])
{
    static const struct executor shares = {.launch = on_a_share_first};
    struct texfix f = {.s = session_begin(&shares, "test.ptx")};
    CUcontext ctx;
    uint32_t row[64], zero[1024] = {0};
    for (uint32_t i = 0; i < 64; i++)
        row[i] = 100 + i;
    OK(cuInit(0));
    OK(cuCtxCreate(&ctx, 0, 0));
    OK(cuModuleLoadData(&f.module, text));
    OK(cuMemAlloc(&f.in, 4096));
    OK(cuMemcpyHtoD(f.in, zero, 4096));
    CUsurfObject s = texfix_surface(
        texfix_array(&(CUDA_ARRAY3D_DESCRIPTOR){64, 0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1,
                                                CUDA_ARRAY3D_SURFACE_LDST},
                     row));
    OK(texfix_launch(&f, "k", (const int[]){1, 64}, (void *[]){&f.in, &s}));
    OK(cuMemcpyDtoH(out, f.in, 256));
    texfix_close(&f);
}

/* A surface that is read, written and read again: 100 + tid + 1. */
static void surfaces_are_copied_when_they_are_written(void)
{
    uint32_t out[64];
    run_kernel(HEAD "suld.b.1d.b32.trap {%r3}, [%rd2, {%r2}]; add.u32 %r3, %r3, 1;\n"
                    "sust.b.1d.b32.trap [%rd2, {%r2}], {%r3};\n"
                    "suld.b.1d.b32.trap {%r4}, [%rd2, {%r2}]; st.global.u32 [%rd3], %r4;\n" TAIL,
               out);
    for (uint32_t i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(out[i], 101 + i);
}

/* The second warp waits; it has read the word before the first stores to it, and reads it again. */
static void a_warp_sees_what_another_has_stored_since(void)
{
    uint32_t out[64];
    run_kernel(HEAD
               "ld.global.u32 %r3, [%rd1+1024]; bar.sync 0;\n"
               "setp.eq.u32 %p1, %r1, 0; mov.u32 %r4, 77; @%p1 st.global.u32 [%rd1+1024], %r4;\n"
               "bar.sync 0; ld.global.u32 %r5, [%rd1+1024]; sub.u32 %r5, %r5, %r3;\n"
               "st.global.u32 [%rd3], %r5;\n" TAIL,
               out);
    for (uint32_t i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(out[i], 77);
}

/* The first store is an atomic, whose result is what was there; by generic addresses, and of a
 * warp of which half of the lanes store to shared memory. */
static void atomics_and_generic_stores_copy(void)
{
    uint32_t out[64];
    run_kernel(HEAD "atom.global.add.u32 %r3, [%rd1+2048], 1; bar.sync 0;\n"
                    "ld.global.u32 %r4, [%rd1+2048]; st.global.u32 [%rd3], %r4;\n" TAIL,
               out);
    for (uint32_t i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(out[i], 64);
    run_kernel(HEAD ".shared .align 4 .b8 here[256];\n"
                    "mov.u32 %r3, here; add.u32 %r3, %r3, %r2; cvt.u64.u32 %rd4, %r3;\n"
                    "cvta.shared.u64 %rd4, %rd4; and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0;\n"
                    "selp.b64 %rd5, %rd3, %rd4, %p1; add.u32 %r5, %r1, 7; st.u32 [%rd5], %r5;\n"
                    "ld.u32 %r6, [%rd5]; @!%p1 st.global.u32 [%rd3], %r6;\n" TAIL,
               out);
    for (uint32_t i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(out[i], 7 + i);
}

SUITE("kernels on shared memory", T(programs_do_the_same_on_a_share),
      T(a_gpu_does_the_same_on_a_share), T(surfaces_are_copied_when_they_are_written),
      T(a_warp_sees_what_another_has_stored_since), T(atomics_and_generic_stores_copy))
