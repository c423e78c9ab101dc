/* What a fetch returns: cases worked out by hand from the Programming Guide's formulas, and a twin
 * in integers that shares nothing with the implementation. */
#include "sim/func/lanes.h"
#include "sim/func/texture.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

static struct image image(enum texel_format f, int channels, const uint32_t *n, int dims)
{
    struct image im = {.dims = (uint8_t)dims, .size = {n[0], n[1], n[2]}};
    CU_ASSERT_TRUE_FATAL(image_set_format(&im, f, channels));
    CU_ASSERT_TRUE_FATAL(image_lay_out(&im));
    return im;
}

static float as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* ---- One row of four ---- */
static const float row[4] = {1, 3, 2, 5};
static const uint32_t row_size[3] = {4, 1, 1};

static void read_row(const struct tex_sampler *s, float x, uint32_t v[4])
{
    const struct image im = image(TEXEL_F32, 1, row_size, 1);
    const struct tex_coord c = {.geom = GEOM_1D, .f = {x}};
    struct tex_taps t;
    CU_ASSERT_PTR_NULL(texture_mismatch(&im, s, &c));
    texture_taps(&im, s, &c, &t);
    texture_filter(&im, s, (const uint8_t *)row, &t, v);
}

static float at(const struct tex_sampler *s, float x)
{
    uint32_t v[4];
    read_row(s, x, v);
    return as_float(v[0]);
}

static void linear_filtering_weighs_two_texels(void)
{
    const struct tex_sampler s = {.linear = true, .address = {TEX_CLAMP}};
    CU_ASSERT_EQUAL(at(&s, 0.5f), 1); /* centres */
    CU_ASSERT_EQUAL(at(&s, 1.5f), 3);
    CU_ASSERT_EQUAL(at(&s, 3.5f), 5);
    CU_ASSERT_EQUAL(at(&s, 1.0f), 2);                        /* xB = 0.5: (1 + 3) / 2 */
    CU_ASSERT_EQUAL(at(&s, 1.25f), 2.5);                     /* 1/4 x 1 + 3/4 x 3 */
    CU_ASSERT_EQUAL(at(&s, 3.0f), 3.5);                      /* (2 + 5) / 2 */
    CU_ASSERT_EQUAL(at(&s, 0.0f), 1);                        /* clamped on the left, */
    CU_ASSERT_EQUAL(at(&s, -7.0f), 1);                       /* and further left, */
    CU_ASSERT_EQUAL(at(&s, 4.0f), 5);                        /* and on the right */
    CU_ASSERT_EQUAL(at(&s, 1.501f), 3);                      /* 0.001 is below half of 1/256 */
    CU_ASSERT_EQUAL(at(&s, 1.5f + 1 / 512.0f), 2.99609375f); /* half of it counts: 3 - 1/256 */
    CU_ASSERT_EQUAL(at(&s, 2.5f - 1 / 1024.0f), 2);          /* 255.75/256 rounds to 1.0 */
}

static void point_sampling_takes_the_texel_below(void)
{
    const struct tex_sampler s = {.address = {TEX_CLAMP}};
    CU_ASSERT_EQUAL(at(&s, -0.01f), 1);
    CU_ASSERT_EQUAL(at(&s, 0.999f), 1);
    CU_ASSERT_EQUAL(at(&s, 1.0f), 3);
    CU_ASSERT_EQUAL(at(&s, 3.999f), 5);
    CU_ASSERT_EQUAL(at(&s, 4.0f), 5);
    CU_ASSERT_EQUAL(at(&s, NAN), 1);
    CU_ASSERT_EQUAL(at(&s, INFINITY), 5);
    CU_ASSERT_EQUAL(at(&s, -3e38f), 1);
}

static void normalised_coordinates_wrap_and_mirror(void)
{
    const struct tex_sampler wrap = {.normalized = true, .address = {TEX_WRAP}};
    const struct tex_sampler mirror = {.normalized = true, .address = {TEX_MIRROR}};
    CU_ASSERT_EQUAL(at(&wrap, 0.25f), 3);
    CU_ASSERT_EQUAL(at(&wrap, 1.0f), 1);
    CU_ASSERT_EQUAL(at(&wrap, -0.25f), 5); /* 0.75 x 4 = 3 */
    CU_ASSERT_EQUAL(at(&wrap, 7.5f), 2);
    CU_ASSERT_EQUAL(at(&wrap, 1e30f), 1); /* a whole number */
    CU_ASSERT_EQUAL(at(&wrap, INFINITY), 1);
    CU_ASSERT_EQUAL(at(&mirror, 1.0f), 5);  /* 1 - 0 = 1: the last */
    CU_ASSERT_EQUAL(at(&mirror, 1.25f), 5); /* 1 - 0.25 = 0.75, x 4 = 3 */
    CU_ASSERT_EQUAL(at(&mirror, 1.3f), 2);
    CU_ASSERT_EQUAL(at(&mirror, -0.1f), 1); /* floor is -1, odd: 1 - 0.9 */
    CU_ASSERT_EQUAL(at(&mirror, 2.25f), 3);
    const struct tex_sampler lw = {.linear = true, .normalized = true, .address = {TEX_WRAP}};
    const struct tex_sampler lm = {.linear = true, .normalized = true, .address = {TEX_MIRROR}};
    CU_ASSERT_EQUAL(at(&lw, 0.0f), 3); /* between the last and the first: (5 + 1) / 2 */
    CU_ASSERT_EQUAL(at(&lm, 0.0f), 1);
    CU_ASSERT_EQUAL(at(&lm, 1.0f), 5);
}

static void unnormalised_coordinates_clamp_instead(void)
{
    const struct tex_sampler wrap = {.address = {TEX_WRAP}}, mirror = {.address = {TEX_MIRROR}};
    CU_ASSERT_EQUAL(at(&wrap, 4.5f), 5);
    CU_ASSERT_EQUAL(at(&mirror, -1.0f), 1);
}

static void outside_of_the_border_is_its_colour(void)
{
    const struct tex_sampler s = {.linear = true, .address = {TEX_BORDER}, .border = {9, 8, 7, 6}};
    uint32_t v[4];
    CU_ASSERT_EQUAL(at(&s, 0.0f), 5);  /* (9 + 1) / 2 */
    CU_ASSERT_EQUAL(at(&s, 4.25f), 8); /* 1/4 x 5 + 3/4 x 9 */
    CU_ASSERT_EQUAL(at(&s, 100), 9);
    read_row(&s, 100, v);
    CU_ASSERT_EQUAL(v[1], 0); /* a channel that the format lacks */
    CU_ASSERT_EQUAL(as_float(v[3]), 1);
}

static void a_texel_of_weight_zero_is_not_read(void)
{
    const struct image im = image(TEXEL_F32, 1, row_size, 1);
    const struct tex_sampler s = {.linear = true, .address = {TEX_CLAMP}};
    struct tex_taps t;
    texture_taps(&im, &s, &(struct tex_coord){.geom = GEOM_1D, .f = {1.5f}}, &t);
    CU_ASSERT_EQUAL(t.n, 1);
    CU_ASSERT_EQUAL(t.offset[0], 4);
}

/* ---- Formats ---- */
struct bytes {
    uint8_t b[16];
};

static void format_case(enum texel_format f, bool integer, struct bytes texel, uint32_t want)
{
    const struct image im = image(f, 1, (uint32_t[]){1, 1, 1}, 1);
    const struct tex_sampler s = {.integer = integer, .address = {TEX_CLAMP}};
    struct tex_taps t;
    uint32_t v[4];
    texture_taps(&im, &s, &(struct tex_coord){.geom = GEOM_1D, .f = {0.5f}}, &t);
    texture_filter(&im, &s, texel.b, &t, v);
    CU_ASSERT_EQUAL(v[0], want);
    CU_ASSERT_EQUAL(v[1], 0);
    CU_ASSERT_EQUAL(v[3], texture_is_float(&im, &s) ? 0x3f800000 : 1);
}

static void channels_become_registers(void)
{
    const struct bytes ff = {{255, 255, 255, 255}}, low = {{0, 0x80, 0, 0x80}}, one = {{1}};
    format_case(TEXEL_U8, true, ff, 255);
    format_case(TEXEL_U8, false, ff, 0x3f800000);
    format_case(TEXEL_U8, false, one, 0x3b808081); /* 1/255 */
    format_case(TEXEL_U16, true, ff, 65535);
    format_case(TEXEL_U16, false, one, 0x37800080); /* 1/65535 */
    format_case(TEXEL_S8, true, ff, UINT32_MAX);
    format_case(TEXEL_S8, false, ff, 0xbc010204);                     /* -1/127 */
    format_case(TEXEL_S8, false, (struct bytes){{0x80}}, 0xbf800000); /* -128/127 is cut to -1 */
    format_case(TEXEL_S16, true, low, 0xffff8000);
    format_case(TEXEL_S16, false, low, 0xbf800000);
    format_case(TEXEL_U32, false, ff, UINT32_MAX); /* never scaled */
    format_case(TEXEL_S32, true, low, 0x80008000);
    format_case(TEXEL_F16, true, (struct bytes){{0x00, 0xc0}}, 0xc0000000); /* -2 */
    format_case(TEXEL_F32, true, (struct bytes){{0, 0, 0xc0, 0x3f}}, 0x3fc00000);
}

static void four_channels_keep_their_order(void)
{
    const struct image im = image(TEXEL_U8, 4, (uint32_t[]){2, 1, 1}, 1);
    const struct tex_sampler s = {
        .integer = true, .address = {TEX_BORDER}, .border = {1.5f, -2.5f, 3e9f, NAN}};
    const uint8_t texels[] = {1, 2, 3, 4, 50, 60, 70, 80};
    struct tex_taps t;
    uint32_t v[4];
    texture_taps(&im, &s, &(struct tex_coord){.geom = GEOM_1D, .f = {1}}, &t);
    texture_filter(&im, &s, texels, &t, v);
    CU_ASSERT_EQUAL(memcmp(v, (uint32_t[]){50, 60, 70, 80}, sizeof v), 0);
    texture_taps(&im, &s, &(struct tex_coord){.geom = GEOM_1D, .f = {2}}, &t);
    texture_filter(&im, &s, texels, &t, v); /* the border's colour as integers */
    CU_ASSERT_EQUAL(memcmp(v, (uint32_t[]){1, (uint32_t)-2, 3000000000u, 0}, sizeof v), 0);
}

/* ---- The twin: coordinates are whole numbers of 1/1024, so that everything is an integer ---- */
#define UNIT 1024

static int64_t modulo(int64_t a, int64_t m)
{
    return (a % m + m) % m;
}

struct twin_axis {
    int64_t texel[2];  /* -1: border */
    int64_t weight[2]; /* in 1/256 */
};

/* A texel's number, outside of 0 .. n-1 by at most one where the coordinate has been folded. */
static int64_t twin_texel(int64_t i, int64_t n, int mode)
{
    if (i >= 0 && i < n)
        return i;
    if (mode == TEX_BORDER)
        return -1;
    if (mode == TEX_WRAP)
        return modulo(i, n);
    return i < 0 ? 0 : n - 1; /* mirrored at the edge, the neighbour is the edge itself */
}

static struct twin_axis twin(int64_t k, int64_t n, int mode, bool normalized, bool linear)
{
    int64_t u = k;
    if (!normalized && (mode == TEX_WRAP || mode == TEX_MIRROR))
        mode = TEX_CLAMP;
    if (normalized) {
        const int64_t whole = (k - modulo(k, UNIT)) / UNIT, part = modulo(k, UNIT);
        u = mode == TEX_WRAP     ? part
            : mode == TEX_MIRROR ? modulo(whole, 2) ? UNIT - part : part
                                 : k;
        u *= n;
    }
    struct twin_axis a = {.weight = {256, 0}};
    const int64_t v = linear ? u - UNIT / 2 : u;
    const int64_t i = (v - modulo(v, UNIT)) / UNIT;
    if (linear) {
        a.weight[1] = (modulo(v, UNIT) * 512 + UNIT) / (2 * UNIT); /* rounded, halves up */
        a.weight[0] = 256 - a.weight[1];
    }
    a.texel[0] = twin_texel(i, n, mode);
    a.texel[1] = twin_texel(i + 1, n, mode);
    return a;
}

/* Texel (x, y, z) of the test image holds this byte. */
static uint8_t content(int64_t x, int64_t y, int64_t z)
{
    return (uint8_t)(x * 37 + y * 101 + z * 59 + 11);
}

static double twin_value(const struct twin_axis a[3], int dims, uint8_t border)
{
    int64_t sum = 0;
    for (int t = 0; t < 1 << dims; t++) {
        int64_t w = 1, p[3] = {0, 0, 0};
        bool outside = false;
        for (int d = 0; d < dims; d++) {
            w *= a[d].weight[t >> d & 1];
            p[d] = a[d].texel[t >> d & 1];
            outside |= p[d] < 0;
        }
        sum += w * (outside ? border : content(p[0], p[1], p[2]));
    }
    return ldexp((double)sum, -8 * dims);
}

static void twin_round(struct rng *r, const struct image *im, const uint8_t *bytes)
{
    struct tex_sampler s = {
        .integer = true, .linear = rng_below(r, 2), .normalized = rng_below(r, 2)};
    struct tex_coord c = {.geom = im->dims == 3 ? GEOM_3D : im->dims == 2 ? GEOM_2D : GEOM_1D};
    struct twin_axis a[3];
    s.border[0] = 200;
    for (int d = 0; d < 3; d++) {
        s.address[d] = (uint8_t)rng_below(r, TEX_ADDRESSES);
        const int64_t span = UNIT * (s.normalized ? 4 : 2 * (int64_t)im->size[d]);
        const int64_t k = (int64_t)rng_below(r, (uint32_t)(2 * span)) - span;
        c.f[d] = (float)k / UNIT;
        a[d] = twin(k, im->size[d], s.address[d], s.normalized, s.linear);
    }
    struct tex_taps t;
    uint32_t v[4];
    texture_taps(im, &s, &c, &t);
    texture_filter(im, &s, bytes, &t, v);
    CU_ASSERT_EQUAL(as_float(v[0]), (float)twin_value(a, im->dims, 200));
}

static void the_twin_agrees_everywhere(void)
{
    static const uint32_t sizes[][3] = {{7, 1, 1}, {16, 1, 1}, {5, 6, 1}, {32, 16, 1}, {3, 4, 5}};
    struct rng r = rng_seed(5);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t *n = sizes[i];
        const struct image im = image(TEXEL_F32, 1, n, n[2] > 1 ? 3 : n[1] > 1 ? 2 : 1);
        uint8_t *bytes = calloc(1, im.bytes);
        for (uint32_t k = 0; k < n[0] * n[1] * n[2]; k++) {
            const uint32_t x = k % n[0], y = k / n[0] % n[1], z = k / n[0] / n[1];
            const float f = content(x, y, z);
            memcpy(bytes + image_offset(&im, x, y, z), &f, sizeof f);
        }
        for (int k = 0; k < 4000; k++)
            twin_round(&r, &im, bytes);
        free(bytes);
    }
}

/* ---- Layers, cubes, gathers ---- */
static struct image layered(int dims, uint32_t layers, bool cube)
{
    struct image im = {.dims = (uint8_t)dims, .size = {4, dims == 2 ? 4 : 1, 1}, .layers = layers};
    im.cube = cube;
    image_set_format(&im, TEXEL_U32, 1);
    CU_ASSERT_TRUE(image_lay_out(&im));
    return im;
}

/* x + 10 y + 100 layer of the one texel that point sampling reads. */
static uint32_t which(const struct image *im, const struct tex_coord *c)
{
    const struct tex_sampler s = {.address = {TEX_CLAMP, TEX_CLAMP}};
    struct tex_taps t;
    CU_ASSERT_PTR_NULL(texture_mismatch(im, &s, c));
    texture_taps(im, &s, c, &t);
    for (uint32_t l = 0; l < im->layers; l++)
        for (uint32_t y = 0; y < im->size[1]; y++)
            for (uint32_t x = 0; x < im->size[0]; x++)
                if (t.n == 1 && image_offset(im, x, y, l) == t.offset[0])
                    return x + 10 * y + 100 * l;
    return UINT32_MAX;
}

static void a_layer_is_clamped_and_never_filtered(void)
{
    const struct image a1 = layered(1, 3, false), a2 = layered(2, 3, false);
    CU_ASSERT_EQUAL(which(&a1, &(struct tex_coord){.geom = GEOM_A1D, .f = {2}, .layer = 1}), 102);
    CU_ASSERT_EQUAL(which(&a2, &(struct tex_coord){.geom = GEOM_A2D, .f = {2, 3}, .layer = 2}),
                    232);
    CU_ASSERT_EQUAL(which(&a2, &(struct tex_coord){.geom = GEOM_A2D, .layer = 7}), 200);
    CU_ASSERT_EQUAL(which(&a2, &(struct tex_coord){.geom = GEOM_A2D, .layer = (uint32_t)-1}), 0);
}

/* The table of the Programming Guide: face, then (s/m + 1)/2 and (t/m + 1)/2 of 4 texels. With
 * m = 4: s = 1 is 0.625, texel 2; s = 3 is 0.875, texel 3; -1 is 0.375, texel 1; -3, texel 0. */
static void cubes_have_six_faces(void)
{
    const struct image cube = layered(2, 6, true), two = layered(2, 12, true);
    static const struct {
        float v[3];
        uint32_t texel;
    } rows[] = {
        {{4, 1, 3}, 0 + 10 + 0},    /* +x: s = -z, t = -y */
        {{-4, 1, 3}, 100 + 10 + 3}, /* -x: s = z, t = -y */
        {{1, 4, 3}, 200 + 30 + 2},  /* +y: s = x, t = z */
        {{1, -4, 3}, 300 + 0 + 2},  /* -y: s = x, t = -z */
        {{1, 3, 4}, 400 + 0 + 2},   /* +z: s = x, t = -y */
        {{1, 3, -4}, 500 + 0 + 1},  /* -z: s = -x, t = -y */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tex_coord c = {.geom = GEOM_CUBE};
        memcpy(c.f, rows[i].v, sizeof c.f);
        CU_ASSERT_EQUAL(which(&cube, &c), rows[i].texel);
        c.geom = GEOM_ACUBE;
        c.layer = 1;
        CU_ASSERT_EQUAL(which(&two, &c), rows[i].texel + 600);
    }
}

static void a_gather_returns_four_corners(void)
{
    const struct image im = image(TEXEL_U8, 4, (uint32_t[]){4, 4, 1}, 2);
    const struct tex_sampler s = {.integer = true, .address = {TEX_CLAMP, TEX_CLAMP}};
    uint8_t bytes[256] = {0};
    struct tex_taps t;
    uint32_t v[4];
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 4; x++)
            bytes[image_offset(&im, x, y, 0) + 2] = (uint8_t)(x + 10 * y);
    /* (2.2, 1.7) - 0.5 = (1.7, 1.2): texels 1, 2 and rows 1, 2 */
    texture_gather_taps(&im, &s, &(struct tex_coord){.geom = GEOM_2D, .f = {2.2f, 1.7f}}, &t);
    texture_gather(&im, &s, bytes, &t, 2, v);
    CU_ASSERT_EQUAL(memcmp(v, (uint32_t[]){21, 22, 12, 11}, sizeof v), 0);
    texture_gather_taps(&im, &s, &(struct tex_coord){.geom = GEOM_2D, .f = {0, 4}}, &t);
    texture_gather(&im, &s, bytes, &t, 2, v); /* clamped in both directions */
    CU_ASSERT_EQUAL(memcmp(v, (uint32_t[]){30, 30, 30, 30}, sizeof v), 0);
}

static void what_cannot_be_read_says_why(void)
{
    const struct image flat = image(TEXEL_F32, 1, (uint32_t[]){4, 4, 1}, 2);
    const struct image deep = image(TEXEL_F32, 1, (uint32_t[]){4, 4, 4}, 3);
    const struct image many = layered(2, 6, false), whole = image(TEXEL_U32, 1, row_size, 1);
    struct image line = {.dims = 1, .size = {4, 1, 1}};
    image_set_format(&line, TEXEL_F32, 1);
    image_over_memory(&line, 0x80000000, 16);
    const struct tex_sampler s = {0}, filter = {.linear = true};
#define SAYS(im, s, text, ...) \
    CU_ASSERT_STRING_EQUAL(texture_mismatch(&im, &s, &(struct tex_coord){__VA_ARGS__}), text)
    SAYS(flat, s, "this image has no third dimension", .geom = GEOM_3D);
    SAYS(deep, s, "this image has three dimensions", .geom = GEOM_2D);
    SAYS(flat, s, "this image has no layers", .geom = GEOM_A2D);
    SAYS(many, s, "this image has layers", .geom = GEOM_2D);
    SAYS(many, s, "this is no cube map", .geom = GEOM_CUBE);
    SAYS(whole, filter, "integers are not filtered", .geom = GEOM_1D);
    SAYS(line, s, "linear memory is read by tex.1d with integer coordinates alone (tex1Dfetch)",
         .geom = GEOM_1D);
    CU_ASSERT_PTR_NULL(texture_mismatch(
        &flat, &s, &(struct tex_coord){.geom = GEOM_1D})); /* the first row: 1-D from height 1 */
    CU_ASSERT_PTR_NULL(
        texture_mismatch(&line, &s, &(struct tex_coord){.geom = GEOM_1D, .integer = true}));
}

static void integer_coordinates_outside_of_linear_memory_read_zero(void)
{
    struct image im = {.dims = 1, .size = {4, 1, 1}};
    image_set_format(&im, TEXEL_F32, 1);
    image_over_memory(&im, 0x80000000, 16);
    const struct tex_sampler s = {.address = {TEX_CLAMP}};
    static const int32_t xs[] = {0, 3, 4, -1, INT32_MAX, INT32_MIN};
    static const float want[] = {1, 5, 0, 0, 0, 0};
    for (int i = 0; i < 6; i++) {
        struct tex_taps t;
        uint32_t v[4];
        texture_taps(&im, &s, &(struct tex_coord){.geom = GEOM_1D, .integer = true, .i = {xs[i]}},
                     &t);
        texture_filter(&im, &s, (const uint8_t *)row, &t, v);
        CU_ASSERT_EQUAL(as_float(v[0]), want[i]);
        CU_ASSERT_EQUAL(t.inside[0], i < 2);
    }
}

/* Coordinates of every kind: inside, at the edges, far away, infinite, NaN. */
static float some_coordinate(struct rng *r, bool normalized, uint32_t size)
{
    static const float odd[] = {0.0f, -0.0f, 1, -1, 1e30f, -1e30f, INFINITY, -INFINITY, NAN, 0.5f};
    const float x = (float)rng_real(r, -1.5, 2.5) * (normalized ? 1 : (float)size);
    return rng_below(r, 8) ? x : odd[rng_below(r, 10)];
}

/* A whole warp at once is each lane on its own, to the bit. */
static void a_warp_is_filtered_as_its_lanes_are(void)
{
    static const enum texel_format formats[] = {TEXEL_U8, TEXEL_S8, TEXEL_U16, TEXEL_F16,
                                                TEXEL_F32};
    struct rng r = rng_seed(3);
    uint8_t bytes[4096];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)rng_u64(&r);
    for (int n = 0; n < 2000; n++) {
        const int dims = 1 + n % 2, channels = 1 << rng_below(&r, 3);
        const struct image im =
            image(formats[rng_below(&r, 5)], channels,
                  (uint32_t[]){1 + (uint32_t)rng_below(&r, 9),
                               dims == 2 ? 1 + (uint32_t)rng_below(&r, 9) : 1, 1},
                  dims);
        struct tex_sampler s = {.linear = true, .normalized = rng_below(&r, 2)};
        s.address[0] = (uint8_t)rng_below(&r, TEX_ADDRESSES);
        s.address[1] = (uint8_t)rng_below(&r, TEX_ADDRESSES);
        s.border[0] = 0.25f;
        uint32_t x[WARP_SIZE], y[WARP_SIZE], out[4][WARP_SIZE];
        struct tex_coord c[WARP_SIZE];
        for (int i = 0; i < WARP_SIZE; i++) {
            c[i] = (struct tex_coord){.geom = dims == 2 ? GEOM_2D : GEOM_1D};
            c[i].f[0] = some_coordinate(&r, s.normalized, im.size[0]);
            c[i].f[1] = dims == 2 ? some_coordinate(&r, s.normalized, im.size[1]) : 0;
            memcpy(&x[i], &c[i].f[0], sizeof x[i]);
            memcpy(&y[i], &c[i].f[1], sizeof y[i]);
        }
        const struct tex_points p = {.active = (lanes_t)rng_u64(&r) | 1,
                                     .wide = n % 4 < 2 && lanes_wide(),
                                     .x = x,
                                     .y = dims == 2 ? y : NULL};
        struct tex_sampler points = s;
        points.linear = false;
        uint64_t offset[WARP_SIZE];
        const lanes_t inside = texture_points(&im, &points, &p, offset);
        struct tex_quads q;
        texture_quads(&im, &s, &p, &q);
        for (int k = 0; k < 4; k++)
            texture_filter_quads(&im, &s, bytes, &q, k, out[k]);
        for (int i = 0; i < WARP_SIZE; i++) {
            struct tex_taps t;
            uint32_t v[4];
            if (!(p.active >> i & 1))
                continue;
            texture_taps(&im, &s, &c[i], &t);
            texture_filter(&im, &s, bytes, &t, v);
            for (int k = 0; k < 4; k++)
                CU_ASSERT_EQUAL(out[k][i], v[k]);
            for (int k = 0; k < q.taps; k++) {
                CU_ASSERT_EQUAL(q.lanes[k] >> i & 1, k < t.n);
                CU_ASSERT_EQUAL(q.inside[k] >> i & 1, k < t.n && t.inside[k]);
                CU_ASSERT_TRUE(k >= t.n || q.offset[k][i] == t.offset[k]);
            }
            texture_taps(&im, &points, &c[i], &t);
            CU_ASSERT_EQUAL(inside >> i & 1, t.inside[0]);
            CU_ASSERT_TRUE(!t.inside[0] || offset[i] == t.offset[0]);
        }
    }
}

/* It goes its own way: handles of the one say nothing of those that the other gives out later. */
static void a_copied_table_has_the_same_handles(void)
{
    struct textures *t = textures_new();
    const struct texture red = {.im.base = 4096}, blue = {.im.base = 8192};
    const uint64_t a = textures_add(t, TEX_KIND_TEXTURE, &red),
                   b = textures_add(t, TEX_KIND_SURFACE, &blue),
                   gone = textures_add(t, TEX_KIND_TEXTURE, &blue);
    CU_ASSERT_TRUE(textures_remove(t, TEX_KIND_TEXTURE, gone));
    struct textures *c = textures_copy(t);
    CU_ASSERT_EQUAL(textures_changes(c), textures_changes(t));
    CU_ASSERT_TRUE(textures_set(t, a, &blue));
    CU_ASSERT_TRUE(textures_remove(t, TEX_KIND_SURFACE, b));
    const uint64_t more = textures_add(t, TEX_KIND_SURFACE, &red);
    textures_free(t);
    CU_ASSERT_EQUAL(textures_find(c, TEX_KIND_TEXTURE, a)->im.base, 4096);
    CU_ASSERT_EQUAL(textures_find(c, TEX_KIND_SURFACE, b)->im.base, 8192);
    CU_ASSERT_PTR_NULL(textures_find(c, TEX_KIND_TEXTURE, gone));
    CU_ASSERT_PTR_NULL(textures_find(c, TEX_KIND_SURFACE, more));
    CU_ASSERT_EQUAL(textures_add(c, TEX_KIND_SAMPLER, &red), more);
    textures_free(c);
    CU_ASSERT_PTR_NULL(textures_copy(NULL));
}

SUITE("texture", T(linear_filtering_weighs_two_texels), T(point_sampling_takes_the_texel_below),
      T(normalised_coordinates_wrap_and_mirror), T(unnormalised_coordinates_clamp_instead),
      T(outside_of_the_border_is_its_colour), T(a_texel_of_weight_zero_is_not_read),
      T(channels_become_registers), T(four_channels_keep_their_order),
      T(the_twin_agrees_everywhere), T(a_warp_is_filtered_as_its_lanes_are),
      T(a_layer_is_clamped_and_never_filtered), T(cubes_have_six_faces),
      T(a_gather_returns_four_corners), T(what_cannot_be_read_says_why),
      T(a_copied_table_has_the_same_handles),
      T(integer_coordinates_outside_of_linear_memory_read_zero))
