/* Texture and surface references (the older API), samplers of the independent mode, queries: PTX by
 * hand, since nvcc 13 emits none of it. */
#include "tests/frontend/texfix.h"

#define HEAD   ".version 4.0\n.target sm_30\n.address_size 64\n"
#define PARAMS "(.param .u64 out, .param .f32 x, .param .f32 y)"
#define REGS                                                                    \
    "{\n.reg .b64 %rd<6>; .reg .f32 %f<10>; .reg .b32 %r<20>;\n"                \
    "ld.param.u64 %rd1, [out]; ld.param.f32 %f5, [x]; ld.param.f32 %f6, [y];\n" \
    "cvt.rzi.s32.f32 %r5, %f5; cvt.rzi.s32.f32 %r6, %f6;\n"
#define STORE "st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};\nret;\n}\n"

static const char text[] = HEAD
    ".global .texref img;\n.tex .u64 row;\n.global .surfref plane;\n"
    ".global .samplerref edge = { addr_mode_0 = clamp_to_border, addr_mode_1 = clamp_to_edge,\n"
    "  filter_mode = linear, force_unnormalized_coords = 1 };\n"
    ".global .samplerref plain;\n"
    ".entry by_name" PARAMS REGS "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [img, {%f5,%f6}];\n" STORE
    ".entry by_address" PARAMS REGS "mov.u64 %rd2, img;\n"
    "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd2, {%f5,%f6}];\n" STORE
    /* four coordinates, as nvcc 2 wrote them */
    ".entry old_style" PARAMS REGS
    "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [row, {%r5,%r5,%r5,%r5}];\n" STORE
    ".entry independent" PARAMS REGS
    "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [img, edge, {%f5,%f6}];\n" STORE
    ".entry normalised" PARAMS REGS
    "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [img, plain, {%f5,%f6}];\n" STORE
    ".entry level_one" PARAMS REGS
    "tex.level.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [img, {%r5,%r6}], 1;\n" STORE
    ".entry questions" PARAMS REGS
    "txq.width.b32 %r1, [img]; txq.height.b32 %r2, [img]; txq.depth.b32 %r3, [img];\n"
    "txq.channel_data_type.b32 %r4, [img]; st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};\n"
    "txq.channel_order.b32 %r1, [img]; txq.normalized_coords.b32 %r2, [img];\n"
    "txq.level.width.b32 %r3, [img], 0; txq.array_size.b32 %r4, [img];\n"
    "st.global.v4.u32 [%rd1+16], {%r1, %r2, %r3, %r4};\n"
    "txq.filter_mode.b32 %r1, [edge]; txq.addr_mode_0.b32 %r2, [edge];\n"
    "txq.force_unnormalized_coords.b32 %r3, [plain]; suq.width.b32 %r4, [plane];\n"
    "st.global.v4.u32 [%rd1+32], {%r1, %r2, %r3, %r4};\nret;\n}\n"
    ".entry paint" PARAMS REGS "sust.b.2d.v2.b32.trap [plane, {%r5, %r6}], {%r5, %r6};\nret;\n}\n";

static float run(struct texfix *f, const char *kernel, float x, float y)
{
    float got[4];
    void *params[] = {&f->out, &x, &y};
    OK(texfix_launch(f, kernel, (const int[]){1, 1}, params));
    OK(cuMemcpyDtoH(got, f->out, sizeof got));
    return got[0];
}

/* 4 x 4 floats, x + 10 y. */
static CUarray square(void)
{
    float v[16];
    for (int i = 0; i < 16; i++)
        v[i] = (float)(i % 4 + 10 * (i / 4));
    return texfix_array(&(CUDA_ARRAY3D_DESCRIPTOR){4, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0}, v);
}

static void a_reference_follows_its_settings(void)
{
    struct texfix f = texfix_open(text);
    CUtexref t, again;
    CUarray got;
    OK(cuModuleGetTexRef(&t, f.module, "img"));
    OK(cuModuleGetTexRef(&again, f.module, "img"));
    CU_ASSERT_PTR_EQUAL(t, again);
    OK(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_POINT)); /* before there is an image */
    OK(cuTexRefSetArray(t, square(), CU_TRSA_OVERRIDE_FORMAT));
    CU_ASSERT_EQUAL(run(&f, "by_name", 1.75f, 2.25f), 21);
    CU_ASSERT_EQUAL(run(&f, "by_address", 1.75f, 2.25f), 21);
    OK(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_LINEAR));
    CU_ASSERT_EQUAL(run(&f, "by_name", 1.75f, 2.25f), 1.25f + 17.5f);
    OK(cuTexRefSetFlags(t, CU_TRSF_NORMALIZED_COORDINATES));
    OK(cuTexRefSetAddressMode(t, 0, CU_TR_ADDRESS_MODE_WRAP));
    CU_ASSERT_EQUAL(run(&f, "by_name", 1.0f, 0.0f), 1.5f); /* texels 3 and 0 of row 0 */
    OK(cuTexRefSetAddressMode(t, 1, CU_TR_ADDRESS_MODE_BORDER));
    OK(cuTexRefSetBorderColor(t, (float[]){-6, 0, 0, 0}));
    CU_ASSERT_EQUAL(run(&f, "by_name", 0.375f, 0.0f), -2.5f);   /* (1 - 6) / 2 */
    OK(cuTexRefSetArray(t, square(), CU_TRSA_OVERRIDE_FORMAT)); /* another image, same settings */
    CU_ASSERT_EQUAL(run(&f, "by_address", 0.375f, 0.0f), -2.5f);
    OK(cuTexRefGetArray(&got, t));
    OK(cuArrayDestroy(got));
    texfix_close(&f);
}

static void a_reference_over_memory(void)
{
    struct texfix f = texfix_open(text);
    CUtexref t;
    CUdeviceptr p;
    CUarray a;
    CUarray_format format;
    int channels;
    size_t offset = 1;
    float v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    OK(cuMemcpyHtoD(f.in, v, sizeof v));
    OK(cuModuleGetTexRef(&t, f.module, "row"));
    GIVES(cuTexRefGetAddress(&p, t), CUDA_ERROR_INVALID_VALUE); /* nothing is bound */
    OK(cuTexRefSetAddress(&offset, t, f.in + 4, 16));
    CU_ASSERT_EQUAL(offset, 0);
    CU_ASSERT_EQUAL(run(&f, "old_style", 2, 0), 4); /* of 2 3 4 5 */
    CU_ASSERT_EQUAL(run(&f, "old_style", 4, 0), 0);
    OK(cuTexRefGetAddress(&p, t));
    CU_ASSERT_EQUAL(p, f.in + 4);
    GIVES(cuTexRefGetArray(&a, t), CUDA_ERROR_INVALID_VALUE);
    OK(cuTexRefSetAddress(NULL, t, f.in, 32));
    OK(cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 2)); /* the same bytes as pairs */
    CU_ASSERT_EQUAL(run(&f, "old_style", 2, 0), 5);
    OK(cuTexRefGetFormat(&format, &channels, t));
    CU_ASSERT_EQUAL(format, CU_AD_FORMAT_FLOAT);
    CU_ASSERT_EQUAL(channels, 2);
    GIVES(cuTexRefSetAddress(NULL, t, f.in + 2, 16), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuTexRefSetAddress(NULL, t, f.in, 1 << 20), CUDA_ERROR_INVALID_VALUE);
    OK(cuModuleGetTexRef(&t, f.module, "img"));
    const CUDA_ARRAY_DESCRIPTOR d = {2, 2, CU_AD_FORMAT_FLOAT, 1};
    OK(cuTexRefSetAddress2D(t, &d, f.in, 16));
    CU_ASSERT_EQUAL(run(&f, "by_name", 1, 1), 6);
    texfix_close(&f);
}

static void settings_are_checked_and_told(void)
{
    struct texfix f = texfix_open(text);
    CUtexref t;
    CUsurfref s;
    CUaddress_mode mode;
    CUfilter_mode filter;
    unsigned flags;
    GIVES(cuModuleGetTexRef(&t, f.module, "plane"), CUDA_ERROR_NOT_FOUND); /* a surface */
    GIVES(cuModuleGetTexRef(&t, f.module, "nothing"), CUDA_ERROR_NOT_FOUND);
    GIVES(cuModuleGetTexRef(&t, NULL, "img"), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuModuleGetTexRef(NULL, f.module, "img"), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuModuleGetSurfRef(&s, f.module, "img"), CUDA_ERROR_NOT_FOUND);
    OK(cuModuleGetTexRef(&t, f.module, "img"));
    GIVES(cuTexRefSetAddressMode(t, 3, CU_TR_ADDRESS_MODE_WRAP), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuTexRefSetFilterMode(t, (CUfilter_mode)2), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuTexRefSetFlags(t, CU_TRSF_SRGB), CUDA_ERROR_NOT_SUPPORTED);
    GIVES(cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 3), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuTexRefSetArray(t, NULL, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuTexRefSetMipmappedArray(t, NULL, 1), CUDA_ERROR_NOT_SUPPORTED);
    GIVES(cuTexRefSetFlags(NULL, 0), CUDA_ERROR_INVALID_HANDLE);
    OK(cuTexRefSetMaxAnisotropy(t, 4));
    OK(cuTexRefGetAddressMode(&mode, t, 2));
    CU_ASSERT_EQUAL(mode, CU_TR_ADDRESS_MODE_CLAMP);
    OK(cuTexRefGetFilterMode(&filter, t));
    CU_ASSERT_EQUAL(filter, CU_TR_FILTER_MODE_POINT);
    OK(cuTexRefSetFlags(t, CU_TRSF_READ_AS_INTEGER));
    OK(cuTexRefGetFlags(&flags, t));
    CU_ASSERT_EQUAL(flags, CU_TRSF_READ_AS_INTEGER);
    texfix_close(&f);
}

static void faults_name_the_reference(void)
{
    float zero = 0;
    struct texfix f = texfix_open(text);
    void *params[] = {&f.out, &zero, &zero};
    texfix_faults(&f, "by_address", params, "texture reference 'img' is not bound");
    f = texfix_open(text);
    texfix_faults(&f, "paint", params, "surface reference 'plane' is not bound");
    f = texfix_open(text);
    CUtexref t;
    OK(cuModuleGetTexRef(&t, f.module, "img"));
    OK(cuTexRefSetArray(t, square(), CU_TRSA_OVERRIDE_FORMAT));
    texfix_faults(&f, "level_one", params, "a level other than 0: there are no mipmaps");
}

/* The sampler says how, the texture what. */
static void independent_samplers_go_with_any_texture(void)
{
    struct texfix f = texfix_open(text);
    CUtexref t;
    OK(cuModuleGetTexRef(&t, f.module, "img"));
    OK(cuTexRefSetArray(t, square(), CU_TRSA_OVERRIDE_FORMAT));
    CU_ASSERT_EQUAL(run(&f, "by_name", 1.75f, 2.25f), 21);
    CU_ASSERT_EQUAL(run(&f, "independent", 1.75f, 2.25f), 1.25f + 17.5f);
    CU_ASSERT_EQUAL(run(&f, "independent", 4.0f, 0.0f), 1.5f); /* 3 and the border's 0 */
    CU_ASSERT_EQUAL(run(&f, "normalised", 0.75f, 0.5f), 23);   /* no field: normalised, point */
    texfix_close(&f);
}

static void queries_tell_what_is_bound(void)
{
    struct texfix f = texfix_open(text);
    CUtexref t;
    CUsurfref s;
    uint32_t got[12];
    float zero = 0;
    void *params[] = {&f.out, &zero, &zero};
    const CUDA_ARRAY3D_DESCRIPTOR d = {6, 5, 4, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0};
    CUarray a, b;
    OK(cuArray3DCreate(&a, &d));
    OK(cuArrayCreate(&b, &(CUDA_ARRAY_DESCRIPTOR){9, 3, CU_AD_FORMAT_UNSIGNED_INT32, 2}));
    OK(cuModuleGetTexRef(&t, f.module, "img"));
    OK(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuTexRefSetFlags(t, CU_TRSF_NORMALIZED_COORDINATES));
    OK(cuModuleGetSurfRef(&s, f.module, "plane"));
    OK(cuSurfRefSetArray(s, b, 0));
    OK(texfix_launch(&f, "questions", (const int[]){1, 1}, params));
    OK(cuMemcpyDtoH(got, f.out, sizeof got));
    /* UNORM_INT8, RGBA; edge: linear, clamp_to_border */
    const uint32_t want[12] = {6, 5, 4, 0x10d2, 0x10b5, 1, 6, 0, 1, 3, 0, 9};
    CU_ASSERT_EQUAL(memcmp(got, want, sizeof got), 0);
    texfix_close(&f);
}

static void a_surface_reference_is_written(void)
{
    struct texfix f = texfix_open(text);
    CUsurfref s;
    CUarray a;
    uint32_t got[9 * 3 * 2];
    float x = 16, y = 2;
    void *params[] = {&f.out, &x, &y};
    OK(cuArrayCreate(&a, &(CUDA_ARRAY_DESCRIPTOR){9, 3, CU_AD_FORMAT_UNSIGNED_INT32, 2}));
    OK(cuModuleGetSurfRef(&s, f.module, "plane"));
    OK(cuSurfRefSetArray(s, a, 0));
    GIVES(cuSurfRefSetArray(s, NULL, 0), CUDA_ERROR_INVALID_HANDLE);
    OK(texfix_launch(&f, "paint", (const int[]){1, 1}, params));
    OK(cuMemcpyAtoH(got, a, 0, sizeof got));
    for (int i = 0; i < 54; i++) /* byte 16 of row 2: texel 2 */
        CU_ASSERT_EQUAL(got[i], i == 40 ? 16 : i == 41 ? 2 : 0);
    x = 12; /* 8 bytes at byte 12 */
    texfix_fails(&f, "paint", params, CUDA_ERROR_MISALIGNED_ADDRESS,
                 "the byte coordinate is not a multiple of the access's size");
}

SUITE("texture references", T(a_reference_follows_its_settings), T(a_reference_over_memory),
      T(settings_are_checked_and_told), T(faults_name_the_reference),
      T(independent_samplers_go_with_any_texture), T(queries_tell_what_is_bound),
      T(a_surface_reference_is_written))
