/* Texture and surface objects, through kernels that nvcc compiled: tests/data/ptx/textures.cu. */
#include "tests/frontend/texfix.h"

struct f4 {
    float x, y, z, w;
};

/* One thread a coordinate; the results. */
static void fetch(struct texfix *f, const char *kernel, CUtexObject t, const struct f4 *at, int n,
                  struct f4 *got)
{
    void *params[] = {&t, &f->in, &f->out};
    OK(cuMemcpyHtoD(f->in, at, (size_t)n * sizeof *at));
    OK(texfix_launch(f, kernel, (const int[]){1, n}, params));
    OK(cuMemcpyDtoH(got, f->out, (size_t)n * sizeof *got));
}

static float fetch_x(struct texfix *f, const char *kernel, CUtexObject t, struct f4 at)
{
    struct f4 got;
    fetch(f, kernel, t, &at, 1, &got);
    return got.x;
}

/* Texel (x, y, z) of a float array holds x + 10 y + 100 z. */
static CUarray counting(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    float v[512];
    const size_t w = d->Width, h = d->Height ? d->Height : 1, n = w * h * (d->Depth ? d->Depth : 1);
    CU_ASSERT_TRUE_FATAL(n <= 512);
    for (size_t i = 0; i < n; i++)
        v[i] = (float)(i % w + 10 * (i / w % h) + 100 * (i / w / h));
    return texfix_array(d, v);
}

static CUDA_ARRAY3D_DESCRIPTOR floats(size_t w, size_t h, size_t d, unsigned flags)
{
    return (CUDA_ARRAY3D_DESCRIPTOR){w, h, d, CU_AD_FORMAT_FLOAT, 1, flags};
}

static const CUDA_TEXTURE_DESC linear = {
    .filterMode = CU_TR_FILTER_MODE_LINEAR,
    .addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP}};

/* Filtering a linear function returns it, except at the edges: x - 0.5 + 10 (y - 0.5) ... */
static void filtering_interpolates_in_every_dimension(void)
{
    struct texfix f = texfix_compiled();
    CUDA_ARRAY3D_DESCRIPTOR d = floats(7, 0, 0, 0);
    CU_ASSERT_EQUAL(
        fetch_x(&f, "sample_1d", texfix_object(counting(&d), &linear), (struct f4){2.75f, 0, 0, 0}),
        2.25f);
    d = floats(7, 5, 0, 0);
    const CUtexObject flat = texfix_object(counting(&d), &linear);
    CU_ASSERT_EQUAL(fetch_x(&f, "sample_2d", flat, (struct f4){2.75f, 3.25f, 0, 0}), 2.25f + 27.5f);
    CU_ASSERT_EQUAL(fetch_x(&f, "sample_2d", flat, (struct f4){100, -100, 0, 0}), 6);
    CU_ASSERT_EQUAL(fetch_x(&f, "sample_lod", flat, (struct f4){2.75f, 3.25f, 0, 0}), 29.75f);
    CU_ASSERT_EQUAL(fetch_x(&f, "gather_r", flat, (struct f4){2.75f, 3.25f, 0, 0}), 2 + 30);
    d = floats(4, 3, 5, 0);
    CU_ASSERT_EQUAL(fetch_x(&f, "sample_3d", texfix_object(counting(&d), &linear),
                            (struct f4){1.5f, 1, 3.75f, 0}),
                    1 + 5 + 325);
    texfix_close(&f);
}

static void layers_and_cubes_are_reached(void)
{
    struct texfix f = texfix_compiled();
    CUDA_ARRAY3D_DESCRIPTOR d = floats(7, 0, 3, CUDA_ARRAY3D_LAYERED);
    CU_ASSERT_EQUAL(fetch_x(&f, "sample_a1d", texfix_object(counting(&d), &linear),
                            (struct f4){2.75f, 0, 0, 2}),
                    202.25f);
    d = floats(7, 5, 3, CUDA_ARRAY3D_LAYERED);
    CU_ASSERT_EQUAL(fetch_x(&f, "sample_a2d", texfix_object(counting(&d), &linear),
                            (struct f4){2.75f, 3.25f, 0, 1}),
                    129.75f);
    CUDA_TEXTURE_DESC t = linear;
    t.flags = CU_TRSF_NORMALIZED_COORDINATES;
    d = floats(4, 4, 6, CUDA_ARRAY3D_CUBEMAP);
    /* +z: x/z = 0.5: s = 0.75, 3 texels; -y/z = 0.25: 0.625, 2.5 texels */
    CU_ASSERT_EQUAL(
        fetch_x(&f, "sample_cube", texfix_object(counting(&d), &t), (struct f4){1, -0.5f, 2, 0}),
        400 + 2.5f + 20);
    d = floats(4, 4, 12, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED);
    CU_ASSERT_EQUAL(
        fetch_x(&f, "sample_acube", texfix_object(counting(&d), &t), (struct f4){1, -0.5f, 2, 1}),
        1000 + 2.5f + 20);
    texfix_close(&f);
}

static void linear_memory_is_read_by_index(void)
{
    struct texfix f = texfix_compiled();
    float v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    CUdeviceptr p;
    CUtexObject t;
    const struct f4 at[] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}, {-1, 0, 0, 0}};
    struct f4 got[4];
    OK(cuMemAlloc(&p, sizeof v));
    OK(cuMemcpyHtoD(p, v, sizeof v));
    const CUDA_RESOURCE_DESC r = {
        .resType = CU_RESOURCE_TYPE_LINEAR,
        .res.linear = {
            .devPtr = p, .format = CU_AD_FORMAT_FLOAT, .numChannels = 4, .sizeInBytes = 32}};
    CUDA_TEXTURE_DESC d = linear; /* filter, address mode and border do not matter */
    d.borderColor[0] = 9;
    OK(cuTexObjectCreate(&t, &r, &d, NULL));
    fetch(&f, "linear_memory", t, at, 4, got);
    CU_ASSERT_EQUAL(got[0].x, 1);
    CU_ASSERT_EQUAL(got[0].w, 4);
    CU_ASSERT_EQUAL(got[1].z, 7);
    CU_ASSERT_EQUAL(got[2].x, 0); /* outside: zero */
    CU_ASSERT_EQUAL(got[3].x + got[3].w, 0);
    v[5] = 66; /* the texture sees what is written later */
    OK(cuMemcpyHtoD(p, v, sizeof v));
    fetch(&f, "linear_memory", t, at, 2, got);
    CU_ASSERT_EQUAL(got[1].y, 66);
    texfix_close(&f);
}

/* Allocations follow one another 256 bytes apart: one of two starts on no multiple of 512. Inside
 * of one only multiples of 512 are aligned. */
static void any_allocation_may_be_a_texture(void)
{
    struct texfix f = texfix_open(NULL);
    CUtexObject t;
    CUdeviceptr p[2];
    for (int i = 0; i < 2; i++) {
        OK(cuMemAlloc(&p[i], 256));
        CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_LINEAR,
                                .res.linear = {.devPtr = p[i],
                                               .format = CU_AD_FORMAT_FLOAT,
                                               .numChannels = 1,
                                               .sizeInBytes = 128}};
        OK(cuTexObjectCreate(&t, &r, &linear, NULL));
        r.res.linear.devPtr += 128;
        GIVES(cuTexObjectCreate(&t, &r, &linear, NULL), CUDA_ERROR_INVALID_VALUE);
    }
    CU_ASSERT_EQUAL((p[0] ^ p[1]) % 512, 256);
    texfix_close(&f);
}

static void integers_are_read_as_they_are_or_scaled(void)
{
    struct texfix f = texfix_compiled();
    const uint8_t v[8] = {1, 2, 3, 4, 255, 128, 51, 0};
    CUtexObject raw, scaled;
    int32_t got[8];
    OK(cuMemcpyHtoD(f.in, v, sizeof v));
    const CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_LINEAR,
                                  .res.linear = {.devPtr = f.in,
                                                 .format = CU_AD_FORMAT_UNSIGNED_INT8,
                                                 .numChannels = 4,
                                                 .sizeInBytes = 8}};
    OK(cuTexObjectCreate(&raw, &r, &(CUDA_TEXTURE_DESC){.flags = CU_TRSF_READ_AS_INTEGER}, NULL));
    void *params[] = {&raw, &(int){2}, &f.out};
    OK(texfix_launch(&f, "bytes_of_linear_memory", (const int[]){1, 32}, params));
    OK(cuMemcpyDtoH(got, f.out, sizeof got));
    for (int i = 0; i < 8; i++)
        CU_ASSERT_EQUAL(got[i], v[i]);
    const CUDA_ARRAY3D_DESCRIPTOR d = {2, 1, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0};
    scaled = texfix_object(texfix_array(&d, v), &(CUDA_TEXTURE_DESC){0});
    struct f4 c;
    fetch(&f, "sample_2d", scaled, &(struct f4){1, 0, 0, 0}, 1, &c);
    CU_ASSERT_EQUAL(c.x, 1);
    CU_ASSERT_EQUAL(c.z, 0.2f); /* 51/255 */
    texfix_close(&f);
}

static void pitched_memory_is_an_image(void)
{
    struct texfix f = texfix_compiled();
    int16_t v[2][64] = {{1, 2, 3, 4}, {-5, 6, -7, 8}};
    int32_t got[8];
    CUtexObject t;
    OK(cuMemcpyHtoD(f.in, v, sizeof v));
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_PITCH2D,
                            .res.pitch2D = {.devPtr = f.in,
                                            .format = CU_AD_FORMAT_SIGNED_INT16,
                                            .numChannels = 2,
                                            .width = 2,
                                            .height = 2,
                                            .pitchInBytes = 128}};
    OK(cuTexObjectCreate(&t, &r, &(CUDA_TEXTURE_DESC){.flags = CU_TRSF_READ_AS_INTEGER}, NULL));
    void *params[] = {&t, &f.out};
    OK(texfix_launch(&f, "shorts_of_an_image", (const int[]){2, 2}, params));
    OK(cuMemcpyDtoH(got, f.out, sizeof got));
    for (int i = 0; i < 8; i++)
        CU_ASSERT_EQUAL(got[i], v[i / 4][i % 4]);
    r.res.pitch2D.pitchInBytes = 6; /* not a multiple of a texel */
    GIVES(cuTexObjectCreate(&t, &r, &linear, NULL), CUDA_ERROR_INVALID_VALUE);
    r.res.pitch2D.pitchInBytes = 128;
    r.res.pitch2D.height = 100; /* beyond the allocation */
    GIVES(cuTexObjectCreate(&t, &r, &linear, NULL), CUDA_ERROR_INVALID_VALUE);
    texfix_close(&f);
}

static void what_is_no_texture_is_refused(void)
{
    struct texfix f = texfix_compiled();
    const CUDA_ARRAY3D_DESCRIPTOR d = {4, 4, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
    CUarray a;
    CUtexObject t;
    CUsurfObject s;
    OK(cuArray3DCreate(&a, &d));
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
    CUDA_TEXTURE_DESC x = linear;
    x.flags = CU_TRSF_READ_AS_INTEGER; /* integers are not filtered */
    GIVES(cuTexObjectCreate(&t, &r, &x, NULL), CUDA_ERROR_INVALID_VALUE);
    x.flags = CU_TRSF_SRGB;
    GIVES(cuTexObjectCreate(&t, &r, &x, NULL), CUDA_ERROR_NOT_SUPPORTED);
    x.flags = 0x1000;
    GIVES(cuTexObjectCreate(&t, &r, &x, NULL), CUDA_ERROR_INVALID_VALUE);
    x.flags = 0;
    GIVES(cuTexObjectCreate(&t, &r, &x, (const void *)&r), CUDA_ERROR_NOT_SUPPORTED);
    GIVES(cuTexObjectCreate(&t, NULL, &x, NULL), CUDA_ERROR_INVALID_VALUE);
    x.addressMode[1] = (CUaddress_mode)4;
    GIVES(cuTexObjectCreate(&t, &r, &x, NULL), CUDA_ERROR_INVALID_VALUE);
    r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    GIVES(cuTexObjectCreate(&t, &r, &linear, NULL),
          CUDA_ERROR_INVALID_HANDLE); /* an array is none */
    GIVES(cuSurfObjectCreate(&s, &r), CUDA_ERROR_INVALID_VALUE);
    r = (CUDA_RESOURCE_DESC){
        .resType = CU_RESOURCE_TYPE_LINEAR,
        .res.linear = {
            .devPtr = 64, .format = CU_AD_FORMAT_FLOAT, .numChannels = 1, .sizeInBytes = 4}};
    GIVES(cuTexObjectCreate(&t, &r, &linear, NULL), CUDA_ERROR_INVALID_VALUE);
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    r.res.array.hArray = NULL;
    GIVES(cuTexObjectCreate(&t, &r, &linear, NULL), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuTexObjectDestroy(12345), CUDA_ERROR_INVALID_VALUE);
    texfix_close(&f);
}

static void objects_tell_what_they_were_made_of(void)
{
    struct texfix f = texfix_open(NULL);
    const CUDA_ARRAY3D_DESCRIPTOR d = floats(4, 4, 0, 0);
    CUarray a = counting(&d);
    const CUtexObject t = texfix_object(a, &linear);
    const CUsurfObject s = texfix_surface(a);
    CUDA_RESOURCE_DESC r;
    CUDA_TEXTURE_DESC x;
    OK(cuTexObjectGetResourceDesc(&r, t));
    CU_ASSERT_EQUAL(r.resType, CU_RESOURCE_TYPE_ARRAY);
    CU_ASSERT_PTR_EQUAL(r.res.array.hArray, a);
    OK(cuTexObjectGetTextureDesc(&x, t));
    CU_ASSERT_EQUAL(memcmp(&x, &linear, sizeof x), 0);
    OK(cuSurfObjectGetResourceDesc(&r, s));
    CU_ASSERT_PTR_EQUAL(r.res.array.hArray, a);
    GIVES(cuTexObjectGetTextureDesc(NULL, t), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuSurfObjectGetResourceDesc(&r, t), CUDA_ERROR_INVALID_VALUE); /* of the other kind */
    GIVES(cuTexObjectGetResourceDesc(&r, 5), CUDA_ERROR_INVALID_VALUE);
    OK(cuTexObjectDestroy(t));
    GIVES(cuTexObjectGetTextureDesc(&x, t), CUDA_ERROR_INVALID_VALUE);
    texfix_close(&f);
}

/* ---- Handles that mean nothing ---- */
static void bad_handle(CUtexObject t, const char *text)
{
    struct texfix f = texfix_compiled();
    void *params[] = {&t, &f.in, &f.out};
    texfix_faults(&f, "sample_2d", params, text);
}

static void handles_are_checked(void)
{
    bad_handle(0, "kernel sample_2d, test.ptx:");
    bad_handle(0, "tex.2d.v4.f32.f32: CTA (0,0,0) thread (0,0,0): 0x0 is no handle of a texture");
    bad_handle(0x80000000, "0x80000000 is no handle of a texture");
    bad_handle(0x1000000000000, "0x1000000000000 is no handle of a texture");
    bad_handle(UINT64_MAX, "0xffffffffffffffff is no handle of a texture");
}

static void what_was_destroyed_is_gone(void)
{
    for (int what = 0; what < 3; what++) {
        struct texfix f = texfix_compiled();
        const CUDA_ARRAY3D_DESCRIPTOR d = floats(4, 4, 0, 0);
        CUarray a = counting(&d);
        CUtexObject t = texfix_object(a, &linear);
        void *params[] = {&t, &f.in, &f.out};
        if (what == 0) {
            OK(cuTexObjectDestroy(t));
        } else if (what == 1) {
            OK(cuArrayDestroy(a));
        }
        static const char *const texts[] = {
            "is no handle of a texture", "the memory of the texture at 0x80002000 has been freed",
            "this image has no third dimension"};
        texfix_faults(&f, what == 2 ? "sample_3d" : "sample_2d", params, texts[what]);
    }
}

/* ---- Surfaces ---- */
static void surfaces_are_read_and_written(void)
{
    struct texfix f = texfix_compiled();
    const CUDA_ARRAY3D_DESCRIPTOR d = floats(7, 5, 0, CUDA_ARRAY3D_SURFACE_LDST);
    CUarray a = counting(&d), b;
    OK(cuArray3DCreate(&b, &d));
    CUsurfObject src = texfix_surface(a), dst = texfix_surface(b);
    void *params[] = {&src, &dst};
    OK(texfix_launch(&f, "double_surface", (const int[]){6, 9},
                     params)); /* a row, two columns more */
    float got[35];
    OK(cuMemcpyAtoH(got, b, 0, sizeof got));
    for (int i = 0; i < 35; i++)
        CU_ASSERT_EQUAL(got[i], (float)(2 * (i % 7 + 10 * (i / 7))));
    OK(cuSurfObjectDestroy(src));
    GIVES(cuSurfObjectDestroy(src), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuTexObjectDestroy(dst), CUDA_ERROR_INVALID_VALUE); /* of the other kind */
    texfix_close(&f);
}

/* Every array holds its texel's number, in the last byte or word that the load returns. */
static void clamped_surfaces_return_the_nearest_texel(void)
{
    static const struct {
        int32_t at[4];
        uint32_t want[4];
    } rows[] = {
        {{0, 0, 0}, {1, 1, 1, 1}},
        {{-8, -1, -5}, {1, 1, 1, 1}},
        {{1000, 1000, 1000}, {4, 12, 24, 24}}, /* the last texel of all */
    };
    uint8_t one[4];
    uint16_t two[12];
    uint32_t three[24][2], four[24][4];
    for (uint32_t i = 0; i < 24; i++) {
        one[i % 4] = (uint8_t)(i % 4 + 1);
        two[i % 12] = (uint16_t)(i % 12 + 1);
        three[i][1] = four[i][3] = i + 1;
    }
    struct texfix f = texfix_compiled();
    CUsurfObject s[4] = {
        texfix_surface(texfix_array(
            &(CUDA_ARRAY3D_DESCRIPTOR){4, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0}, one)),
        texfix_surface(texfix_array(
            &(CUDA_ARRAY3D_DESCRIPTOR){4, 3, 0, CU_AD_FORMAT_UNSIGNED_INT16, 1, 0}, two)),
        texfix_surface(texfix_array(
            &(CUDA_ARRAY3D_DESCRIPTOR){4, 3, 2, CU_AD_FORMAT_UNSIGNED_INT32, 2, 0}, three)),
        texfix_surface(texfix_array(&(CUDA_ARRAY3D_DESCRIPTOR){4, 3, 2, CU_AD_FORMAT_UNSIGNED_INT32,
                                                               4, CUDA_ARRAY3D_LAYERED},
                                    four))};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t got[4];
        void *params[] = {&s[0], &s[1], &s[2], &s[3], (void *)rows[i].at, &f.out};
        OK(texfix_launch(&f, "clamp_surface", (const int[]){1, 1}, params));
        OK(cuMemcpyDtoH(got, f.out, sizeof got));
        CU_ASSERT_EQUAL(memcmp(got, rows[i].want, sizeof got), 0);
    }
    texfix_close(&f);
}

static void a_store_past_the_end_traps(void)
{
    for (int x = -1; x <= 4; x += 5) {
        struct texfix f = texfix_compiled();
        const CUDA_ARRAY3D_DESCRIPTOR d = floats(4, 0, 0, 0);
        CUsurfObject s = texfix_surface(counting(&d));
        void *params[] = {&s, &x};
        texfix_faults(&f, "store_past_the_end", params, "outside of the surface");
    }
}

SUITE("textures", T(filtering_interpolates_in_every_dimension), T(layers_and_cubes_are_reached),
      T(linear_memory_is_read_by_index), T(any_allocation_may_be_a_texture),
      T(integers_are_read_as_they_are_or_scaled), T(pitched_memory_is_an_image),
      T(what_is_no_texture_is_refused), T(objects_tell_what_they_were_made_of),
      T(handles_are_checked), T(what_was_destroyed_is_gone), T(surfaces_are_read_and_written),
      T(clamped_surfaces_return_the_nearest_texel), T(a_store_past_the_end_traps))
