/* Mipmaps: where levels lie, which of them a fetch reads. Values are worked out by hand: the
 * Programming Guide's formulas for each level, and the level of detail of sim/func/mipmap.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/func/mipmap.h"
#include "tests/suite.h"

/* Level i of 8 x 4 floats holds 100 i + x + 10 y; 8x4, 4x2, 2x1, 1x1. */
struct pyramid {
    struct image im;
    uint8_t *host;
};

static struct pyramid pyramid(const uint32_t size[3], int dims, int levels)
{
    struct pyramid p = {.im = {.dims = (uint8_t)dims, .size = {size[0], size[1], size[2]}}};
    CU_ASSERT_TRUE_FATAL(image_set_format(&p.im, TEXEL_F32, 1));
    p.im.levels = (uint8_t)levels;
    CU_ASSERT_TRUE_FATAL(mipmap_lay_out(&p.im));
    p.host = calloc(1, p.im.bytes);
    for (int i = 0; i < levels; i++) {
        struct image level;
        const uint64_t at = mipmap_level(&p.im, i, &level);
        for (uint32_t z = 0; z < level.size[2]; z++)
            for (uint32_t y = 0; y < level.size[1]; y++)
                for (uint32_t x = 0; x < level.size[0]; x++) {
                    const float v = (float)(100u * (unsigned)i + x + 10 * y + 1000 * z);
                    memcpy(p.host + at + image_offset(&level, x, y, z), &v, sizeof v);
                }
    }
    return p;
}

static const uint32_t flat_size[3] = {8, 4, 1};

static float value(const struct pyramid *p, const struct tex_sampler *s, const struct tex_taps *t)
{
    uint32_t v[4];
    float f;
    texture_filter(&p->im, s, p->host, t, v);
    memcpy(&f, v, sizeof f);
    return f;
}

static float at_level(const struct pyramid *p, const struct tex_sampler *s, float x, float y,
                      float lod)
{
    const struct tex_coord c = {.geom = GEOM_2D, .f = {x, y}};
    struct tex_taps t;
    mipmap_taps(&p->im, s, &c, lod, &t);
    return value(p, s, &t);
}

static struct tex_sampler sampler(bool linear, bool mip_linear)
{
    return (struct tex_sampler){.linear = linear,
                                .mip_linear = mip_linear,
                                .normalized = true,
                                .address = {TEX_CLAMP, TEX_CLAMP, TEX_CLAMP},
                                .highest = 99};
}

static void levels_halve_down_to_one_texel(void)
{
    struct pyramid p = pyramid(flat_size, 2, 4);
    struct image l;
    CU_ASSERT_EQUAL(mipmap_most_levels(&p.im), 4);
    CU_ASSERT_EQUAL(mipmap_level(&p.im, 0, &l), 0);
    CU_ASSERT_EQUAL(mipmap_level(&p.im, 1, &l), 512); /* 8 x 4 floats are one tile of 128 bytes */
    CU_ASSERT_TRUE(l.size[0] == 4 && l.size[1] == 2);
    mipmap_level(&p.im, 2, &l);
    CU_ASSERT_TRUE(l.size[0] == 2 && l.size[1] == 1);
    CU_ASSERT_EQUAL(mipmap_level(&p.im, 3, &l) + l.bytes, p.im.bytes);
    CU_ASSERT_TRUE(l.size[0] == 1 && l.size[1] == 1 && l.levels == 0);
    free(p.host);
    const struct image odd = {.dims = 3, .size = {5, 131072, 3}};
    CU_ASSERT_EQUAL(mipmap_most_levels(&odd), 18);
    const struct image one = {.dims = 1, .size = {1, 1, 1}};
    CU_ASSERT_EQUAL(mipmap_most_levels(&one), 1);
}

/* (0.3, 0.6): level 0 texel (2, 2), level 1 (1, 1), level 2 (0, 0). */
static void the_nearest_level_is_read(void)
{
    struct pyramid p = pyramid(flat_size, 2, 4);
    const struct tex_sampler s = sampler(false, false);
    static const struct {
        float lod, value;
    } cases[] = {{0, 22},   {0.49f, 22}, {0.5f, 111},       {1, 111}, {1.4f, 111},
                 {2, 200},  {3, 300},    {7, 300},          {-5, 22}, {INFINITY, 300},
                 {NAN, 22}, {2.5f, 300}, {-INFINITY, 22.0f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_EQUAL(at_level(&p, &s, 0.3f, 0.6f, cases[i].lod), cases[i].value);
    free(p.host);
}

/* At (0.25, 0.5) the filter is between texels 1 and 2, and rows 1 and 2, of level 0: 1.5 + 15; of
 * level 1 between 0 and 1, rows 0 and 1: 100 + 0.5 + 5; of level 2 at texel 0: 200. */
static void two_levels_are_weighted_by_the_fraction(void)
{
    struct pyramid p = pyramid(flat_size, 2, 4);
    const struct tex_sampler s = sampler(true, true);
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.25f, 0.5f, 0), 16.5f);
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.25f, 0.5f, 1), 105.5f);
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.25f, 0.5f, 0.5f), (16.5f + 105.5f) / 2);
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.25f, 0.5f, 1.25f), 0.75f * 105.5f + 0.25f * 200);
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.25f, 0.5f, 3), 300);
    /* 8 bits of fraction: 1/512 is half a step, which goes up; less is none. */
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.25f, 0.5f, 1.0f / 512), 16.5f + 89.0f / 256);
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.25f, 0.5f, 1.0f / 513), 16.5f);
    const struct tex_sampler points = sampler(false, true); /* a texel of each */
    CU_ASSERT_EQUAL(at_level(&p, &points, 0.3f, 0.6f, 0.5f), (22 + 111) / 2.0f);
    free(p.host);
}

static void bias_is_added_before_the_clamp(void)
{
    struct pyramid p = pyramid(flat_size, 2, 4);
    struct tex_sampler s = sampler(false, false);
    s.bias = 1;
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.3f, 0.6f, 0), 111);
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.3f, 0.6f, -1), 22);
    s.highest = 1;
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.3f, 0.6f, 3), 111);
    s.bias = -1;
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.3f, 0.6f, 3), 111); /* 3 - 1, clamped to 1 */
    s.lowest = 0.75f;
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.3f, 0.6f, 0), 111); /* 0.75 is nearest to 1 */
    s.mip_linear = true;
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.3f, 0.6f, 0), 0.25f * 22 + 0.75f * 111);
    s.lowest = s.highest = 0; /* as a descriptor of zeros has it: level 0 alone */
    CU_ASSERT_EQUAL(at_level(&p, &s, 0.3f, 0.6f, 3), 22);
    free(p.host);
}

static float detail(const struct image *im, enum tex_geom geom, const float v[3],
                    const float d[2][3])
{
    const struct tex_coord c = {.geom = geom, .f = {v[0], v[1], v[2]}};
    return mipmap_of_gradients(im, &c, d);
}

/* Texels that the larger gradient spans: its length in texels of level 0. */
static void gradients_give_the_level(void)
{
    struct image im = {.dims = 2, .size = {8, 4, 1}, .levels = 4};
    const float at[3] = {0.5f, 0.5f, 0.5f};
    CU_ASSERT_EQUAL(detail(&im, GEOM_2D, at, (float[2][3]){{0.25f, 0}, {0, 0.25f}}), 1); /* 2, 1 */
    CU_ASSERT_EQUAL(detail(&im, GEOM_2D, at, (float[2][3]){{0.125f, 0}, {0, 1}}), 2);    /* 1, 4 */
    /* 3 texels along x and 4 along y: 5 */
    CU_ASSERT_DOUBLE_EQUAL(detail(&im, GEOM_2D, at, (float[2][3]){{0.375f, 1}}), log2(5), 1e-6);
    CU_ASSERT_EQUAL(detail(&im, GEOM_2D, at, (float[2][3]){{0.0625f, 0}}), -1); /* magnified */
    CU_ASSERT_TRUE(isinf(detail(&im, GEOM_2D, at, (float[2][3]){{0}})));
    /* A third number is none of this image's. */
    CU_ASSERT_EQUAL(detail(&im, GEOM_2D, at, (float[2][3]){{0.25f, 0, 9}}), 1);
    im = (struct image){.dims = 3, .size = {8, 8, 8}, .levels = 4};
    CU_ASSERT_EQUAL(detail(&im, GEOM_3D, at, (float[2][3]){{0, 0, 0.5f}}), 2);
    im = (struct image){.dims = 1, .size = {16, 1, 1}, .levels = 5};
    CU_ASSERT_EQUAL(detail(&im, GEOM_1D, at, (float[2][3]){{-0.25f}, {0.125f}}), 2);
}

/* +x at its middle, (2, 0, 0): a step of 0.5 in y moves t by 0.5 / 2 / 2 = 1/8 of 16 texels: 2. One
 * along the direction moves nothing. On -z at (1, 0, -2), s = (-1/2 + 1) / 2: a step of (0, 0, -2)
 * gives dm = 2: ds = (0 x 2 - 1 x 2) / (2 x 4) = 1/4 of 16 texels: 4. */
static void gradients_of_a_cube_are_those_on_the_face(void)
{
    const struct image im = {
        .dims = 2, .size = {16, 16, 1}, .layers = 6, .cube = true, .levels = 5};
    const float x[3] = {2, 0, 0}, z[3] = {1, 0, -2};
    CU_ASSERT_EQUAL(detail(&im, GEOM_CUBE, x, (float[2][3]){{0, 0.5f, 0}}), 1);
    CU_ASSERT_EQUAL(detail(&im, GEOM_CUBE, x, (float[2][3]){{0, 0, -0.5f}, {0, 0.25f, 0}}), 1);
    CU_ASSERT_TRUE(isinf(detail(&im, GEOM_CUBE, x, (float[2][3]){{1, 0, 0}})));
    CU_ASSERT_EQUAL(detail(&im, GEOM_ACUBE, z, (float[2][3]){{0, 0, -2}}), 2);
}

/* Eight texels of each of two levels: at the middle of 4 x 4 x 4, 1.5 + 15 + 1500; of 2 x 2 x 2,
 * 100 + 0.5 + 5 + 500. */
static void a_volume_reads_sixteen_texels(void)
{
    struct pyramid p = pyramid((const uint32_t[]){4, 4, 4}, 3, 3);
    const struct tex_sampler s = sampler(true, true);
    const struct tex_coord c = {.geom = GEOM_3D, .f = {0.5f, 0.5f, 0.5f}};
    struct tex_taps t;
    mipmap_taps(&p.im, &s, &c, 0.5f, &t);
    CU_ASSERT_EQUAL(t.n, 16);
    CU_ASSERT_EQUAL(value(&p, &s, &t), (1516.5f + 605.5f) / 2);
    free(p.host);
}

SUITE("mipmap", T(levels_halve_down_to_one_texel), T(the_nearest_level_is_read),
      T(two_levels_are_weighted_by_the_fraction), T(bias_is_added_before_the_clamp),
      T(gradients_give_the_level), T(gradients_of_a_cube_are_those_on_the_face),
      T(a_volume_reads_sixteen_texels))
