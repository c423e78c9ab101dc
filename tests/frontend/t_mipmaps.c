/* Mipmapped arrays: their levels are arrays; textures of them by tex.level, tex.grad, txq. */
#include "tests/frontend/texfix.h"

/* Fetches at f[0], f[1], with the level f[2], or the gradients (f[2], f[3]) and (f[4], f[5]). */
static const char text[] =
    ".version 3.2\n.target sm_20\n.address_size 64\n"
    ".visible .entry level(.param .u64 t, .param .u64 at, .param .u64 out)\n"
    "{ .reg .b64 %rd<4>; .reg .f32 %f<9>;\n"
    "  ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [at]; ld.param.u64 %rd3, [out];\n"
    "  ld.global.v2.f32 {%f1, %f2}, [%rd2]; ld.global.f32 %f3, [%rd2+8];\n"
    "  tex.level.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}], %f3;\n"
    "  st.global.f32 [%rd3], %f5; ret; }\n"
    ".visible .entry grad(.param .u64 t, .param .u64 at, .param .u64 out)\n"
    "{ .reg .b64 %rd<4>; .reg .f32 %f<13>;\n"
    "  ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [at]; ld.param.u64 %rd3, [out];\n"
    "  ld.global.v2.f32 {%f1, %f2}, [%rd2]; ld.global.v2.f32 {%f3, %f4}, [%rd2+8];\n"
    "  ld.global.v2.f32 {%f9, %f10}, [%rd2+16];\n"
    "  tex.grad.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}], {%f3, %f4}, {%f9, %f10};\n"
    "  st.global.f32 [%rd3], %f5; ret; }\n"
    ".visible .entry base(.param .u64 t, .param .u64 at, .param .u64 out)\n"
    "{ .reg .b64 %rd<4>; .reg .f32 %f<9>;\n"
    "  ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [at]; ld.param.u64 %rd3, [out];\n"
    "  ld.global.v2.f32 {%f1, %f2}, [%rd2];\n"
    "  tex.base.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}];\n"
    "  tex.2d.v4.f32.f32 {%f6, %f7, %f8, _}, [%rd1, {%f1, %f2}];\n"
    "  add.f32 %f5, %f5, %f6; st.global.f32 [%rd3], %f5; ret; }\n"
    ".visible .entry whole(.param .u64 t, .param .u32 l, .param .u64 out)\n" /* integers */
    "{ .reg .b64 %rd<4>; .reg .b32 %r<3>; .reg .f32 %f<9>;\n"
    "  ld.param.u64 %rd1, [t]; ld.param.u64 %rd3, [out]; ld.param.u32 %r1, [l];\n"
    "  mov.u32 %r2, 1;\n"
    "  tex.level.2d.v4.f32.s32 {%f5, %f6, %f7, %f8}, [%rd1, {%r2, %r2}], %r1;\n"
    "  st.global.f32 [%rd3], %f5; ret; }\n"
    ".visible .entry sizes(.param .u64 t, .param .u64 out)\n"
    "{ .reg .b64 %rd<4>; .reg .b32 %r<5>;\n"
    "  ld.param.u64 %rd1, [t]; ld.param.u64 %rd3, [out];\n"
    "  txq.num_mipmap_levels.b32 %r1, [%rd1]; txq.width.b32 %r2, [%rd1]; mov.u32 %r4, 2;\n"
    "  txq.level.width.b32 %r3, [%rd1], %r4; txq.level.height.b32 %r4, [%rd1], %r4;\n"
    "  st.global.v4.u32 [%rd3], {%r1, %r2, %r3, %r4}; ret; }\n";

/* 8 x 4 floats, of which level i holds 100 i + x + 10 y. */
static CUmipmappedArray pyramid(unsigned levels)
{
    const CUDA_ARRAY3D_DESCRIPTOR d = {8, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    CUmipmappedArray m;
    OK(cuMipmappedArrayCreate(&m, &d, levels));
    for (unsigned i = 0; i < (levels < 4 ? levels : 4); i++) {
        CUarray a;
        CUDA_ARRAY3D_DESCRIPTOR found;
        float v[32];
        OK(cuMipmappedArrayGetLevel(&a, m, i));
        OK(cuArray3DGetDescriptor(&found, a));
        CU_ASSERT_EQUAL(found.Width, 8u >> i);
        CU_ASSERT_EQUAL(found.Height, 4u >> i ? 4u >> i : 1);
        for (unsigned k = 0; k < 32; k++)
            v[k] = (float)(100 * i + k % (8u >> i) + 10 * (k / (8u >> i)));
        const CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                                 .srcHost = v,
                                 .srcPitch = 4 * found.Width,
                                 .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                 .dstArray = a,
                                 .WidthInBytes = 4 * found.Width,
                                 .Height = found.Height};
        OK(cuMemcpy2D(&c));
    }
    return m;
}

static CUDA_TEXTURE_DESC trilinear(void)
{
    return (CUDA_TEXTURE_DESC){.addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP},
                               .filterMode = CU_TR_FILTER_MODE_LINEAR,
                               .mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR,
                               .flags = CU_TRSF_NORMALIZED_COORDINATES,
                               .maxMipmapLevelClamp = 9};
}

static CUtexObject texture(CUmipmappedArray m, const CUDA_TEXTURE_DESC *d)
{
    const CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
                                  .res.mipmap.hMipmappedArray = m};
    CUtexObject t = 0;
    OK(cuTexObjectCreate(&t, &r, d, NULL));
    return t;
}

static float fetch(struct texfix *f, const char *kernel, CUtexObject t, const float at[6])
{
    float got;
    void *params[] = {&t, &f->in, &f->out};
    OK(cuMemcpyHtoD(f->in, at, 24));
    OK(texfix_launch(f, kernel, (const int[]){1, 1}, params));
    OK(cuMemcpyDtoH(&got, f->out, sizeof got));
    return got;
}

/* The middle of the four texels at (1, 1): 16.5; of level 1: 105.5 (t_mipmap.c). */
static void levels_and_gradients_choose(void)
{
    struct texfix f = texfix_open(text);
    CUDA_TEXTURE_DESC d = trilinear();
    const CUtexObject t = texture(pyramid(4), &d);
    CU_ASSERT_EQUAL(fetch(&f, "level", t, (float[6]){0.25f, 0.5f, 0}), 16.5f);
    CU_ASSERT_EQUAL(fetch(&f, "level", t, (float[6]){0.25f, 0.5f, 1}), 105.5f);
    CU_ASSERT_EQUAL(fetch(&f, "level", t, (float[6]){0.25f, 0.5f, 0.5f}), 61);
    CU_ASSERT_EQUAL(fetch(&f, "level", t, (float[6]){0.25f, 0.5f, 40}), 300);
    /* 2 texels along x, or 2 along y */
    CU_ASSERT_EQUAL(fetch(&f, "grad", t, (float[6]){0.25f, 0.5f, 0.25f, 0, 0, 0.25f}), 105.5f);
    CU_ASSERT_EQUAL(fetch(&f, "grad", t, (float[6]){0.25f, 0.5f, 0, 0.1f, 0, 0.5f}), 105.5f);
    CU_ASSERT_EQUAL(fetch(&f, "grad", t, (float[6]){0.25f, 0.5f, 0, 0, 0, 0}), 16.5f);
    CU_ASSERT_EQUAL(fetch(&f, "base", t, (float[6]){0.25f, 0.5f}), 33);
    d.mipmapLevelBias = 1;
    d.maxMipmapLevelClamp = 1.5f;
    const CUtexObject biased = texture(pyramid(4), &d);
    CU_ASSERT_EQUAL(fetch(&f, "level", biased, (float[6]){0.25f, 0.5f, 0}), 105.5f);
    CU_ASSERT_EQUAL(fetch(&f, "level", biased, (float[6]){0.25f, 0.5f, 9}), (105.5f + 200) / 2);
    CU_ASSERT_EQUAL(fetch(&f, "base", biased, (float[6]){0.25f, 0.5f}), 33);
    /* A texture without mipmaps has one level, whatever is asked. */
    CUarray first;
    OK(cuMipmappedArrayGetLevel(&first, pyramid(4), 0));
    const CUtexObject plain = texfix_object(first, &d);
    CU_ASSERT_EQUAL(fetch(&f, "level", plain, (float[6]){0.25f, 0.5f, 3}), 16.5f);
    CU_ASSERT_EQUAL(fetch(&f, "grad", plain, (float[6]){0.25f, 0.5f, 1, 1, 1, 1}), 16.5f);
    texfix_close(&f);
}

static void a_texture_tells_its_levels(void)
{
    struct texfix f = texfix_open(text);
    const CUDA_TEXTURE_DESC d = trilinear();
    CUtexObject t = texture(pyramid(9), &d); /* there can be four */
    uint32_t got[4];
    void *params[] = {&t, &f.out};
    OK(texfix_launch(&f, "sizes", (const int[]){1, 1}, params));
    OK(cuMemcpyDtoH(got, f.out, sizeof got));
    CU_ASSERT_TRUE(got[0] == 4 && got[1] == 8 && got[2] == 2 && got[3] == 1);
    texfix_close(&f);
}

static void a_whole_level_is_read_or_is_missing(void)
{
    struct texfix f = texfix_open(text);
    CUDA_TEXTURE_DESC d = trilinear();
    CUtexObject t = texture(pyramid(2), &d);
    int level = 1;
    float got;
    void *params[] = {&t, &level, &f.out};
    OK(texfix_launch(&f, "whole", (const int[]){1, 1}, params));
    OK(cuMemcpyDtoH(&got, f.out, sizeof got));
    CU_ASSERT_EQUAL(got, 111);
    level = 2;
    texfix_faults(&f, "whole", params, "there is no such level");
}

static void what_is_wrong_is_refused(void)
{
    struct texfix f = texfix_open(NULL);
    CUDA_ARRAY3D_DESCRIPTOR d = {8, 4, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0};
    CUmipmappedArray m = pyramid(2), whole;
    CUarray a;
    CUtexObject t;
    CUDA_TEXTURE_DESC how = trilinear();
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
                            .res.mipmap.hMipmappedArray = m};
    GIVES(cuMipmappedArrayCreate(NULL, &d, 1), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMipmappedArrayCreate(&m, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMipmappedArrayGetLevel(&a, m, 2), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMipmappedArrayGetLevel(NULL, m, 1), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMipmappedArrayGetLevel(&a, (CUmipmappedArray)&d, 0), CUDA_ERROR_INVALID_HANDLE);
    OK(cuMipmappedArrayGetLevel(&a, m, 1));
    GIVES(cuArrayDestroy(a), CUDA_ERROR_INVALID_HANDLE); /* the whole owns it */
    how.flags = 0;
    GIVES(cuTexObjectCreate(&t, &r, &how, NULL), CUDA_ERROR_INVALID_VALUE); /* not normalised */
    how = trilinear();
    how.mipmapFilterMode = (CUfilter_mode)2;
    GIVES(cuTexObjectCreate(&t, &r, &how, NULL), CUDA_ERROR_INVALID_VALUE);
    OK(cuMipmappedArrayCreate(&whole, &d, 0)); /* at least one level */
    r.res.mipmap.hMipmappedArray = whole;
    how = trilinear();
    how.filterMode = CU_TR_FILTER_MODE_POINT;
    GIVES(cuTexObjectCreate(&t, &r, &how, NULL), CUDA_ERROR_INVALID_VALUE); /* integers */
    how.mipmapFilterMode = CU_TR_FILTER_MODE_POINT;
    OK(cuTexObjectCreate(&t, &r, &how, NULL));
    OK(cuMipmappedArrayDestroy(m));
    GIVES(cuMipmappedArrayDestroy(m), CUDA_ERROR_INVALID_HANDLE);
    CUDA_ARRAY_DESCRIPTOR gone;
    GIVES(cuArrayGetDescriptor(&gone, a), CUDA_ERROR_INVALID_HANDLE);
    texfix_close(&f);
}

static void all_memory_is_given_back(void)
{
    struct texfix f = texfix_open(NULL);
    CUcontext ctx;
    OK(cuCtxGetCurrent(&ctx));
    const uint64_t before = session_memory_used(ctx);
    CUmipmappedArray m = pyramid(4);
    /* 8 x 4, 4 x 2, 2 x 1, 1 x 1 floats in tiles of 128 bytes, each from a multiple of 512 on */
    CU_ASSERT_EQUAL(session_memory_used(ctx) - before, 3 * 512 + 128);
    OK(cuMipmappedArrayDestroy(m));
    CU_ASSERT_EQUAL(session_memory_used(ctx), before);
    texfix_close(&f);
}

SUITE("mipmaps", T(levels_and_gradients_choose), T(a_texture_tells_its_levels),
      T(a_whole_level_is_read_or_is_missing), T(what_is_wrong_is_refused),
      T(all_memory_is_given_back))
