/* Where texels lie. */
#include "sim/func/image.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

static struct image array(enum texel_format f, int channels, const uint32_t *size, int dims)
{
    struct image im = {.dims = (uint8_t)dims, .size = {size[0], size[1], size[2]}};
    CU_ASSERT_TRUE_FATAL(image_set_format(&im, f, channels));
    CU_ASSERT_TRUE_FATAL(image_lay_out(&im));
    return im;
}

static void a_texel_has_one_two_or_four_channels(void)
{
    struct image im = {0};
    CU_ASSERT_TRUE(image_set_format(&im, TEXEL_U8, 1));
    CU_ASSERT_EQUAL(image_texel_bytes(&im), 1);
    CU_ASSERT_TRUE(image_set_format(&im, TEXEL_F32, 4));
    CU_ASSERT_EQUAL(image_texel_bytes(&im), 16);
    CU_ASSERT_TRUE(image_set_format(&im, TEXEL_S16, 2));
    CU_ASSERT_EQUAL(image_texel_bytes(&im), 4);
    CU_ASSERT_FALSE(image_set_format(&im, TEXEL_U8, 3));
    CU_ASSERT_FALSE(image_set_format(&im, TEXEL_U8, 0));
    CU_ASSERT_FALSE(image_set_format(&im, TEXEL_FORMATS, 1));
}

/* 20 x 10 texels of 4 bytes: tiles of 8 x 4, of which 3 x 3 cover it, but the third column is cut
 * behind 20 rounded up to a tile's row: 3 tiles of 128 bytes are 384 a row of tiles. */
static void tiles_of_eight_by_four_hold_four_byte_texels(void)
{
    const struct image im = array(TEXEL_F32, 1, (uint32_t[]){20, 10, 1}, 2);
    CU_ASSERT_EQUAL(image_offset(&im, 0, 0, 0), 0);
    CU_ASSERT_EQUAL(image_offset(&im, 7, 0, 0), 28);
    CU_ASSERT_EQUAL(image_offset(&im, 8, 0, 0), 128);
    CU_ASSERT_EQUAL(image_offset(&im, 0, 1, 0), 32);
    CU_ASSERT_EQUAL(image_offset(&im, 7, 3, 0), 124);
    CU_ASSERT_EQUAL(image_offset(&im, 0, 4, 0), 384);
    CU_ASSERT_EQUAL(image_offset(&im, 9, 5, 0), 384 + 128 + 32 + 4);
    CU_ASSERT_EQUAL(im.bytes, 3 * 384);
    uint64_t run;
    CU_ASSERT_EQUAL(image_run(&im, 4 * 6 + 1, 1, 0, &run), 32 + 25);
    CU_ASSERT_EQUAL(run, 7); /* to the end of the tile's row of 32 bytes */
}

/* The header's table: bytes of a texel, texels of a tile. */
static void tiles_are_a_line_and_as_square_as_can_be(void)
{
    static const struct {
        enum texel_format f;
        int channels, w, h;
    } rows[] = {{TEXEL_U8, 1, 16, 8},
                {TEXEL_F16, 1, 8, 8},
                {TEXEL_U8, 4, 8, 4},
                {TEXEL_F32, 2, 4, 4},
                {TEXEL_U32, 4, 4, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct image im = array(rows[i].f, rows[i].channels, (uint32_t[]){64, 64, 1}, 2);
        const uint32_t w = (uint32_t)rows[i].w, h = (uint32_t)rows[i].h;
        CU_ASSERT_EQUAL(image_offset(&im, w - 1, h - 1, 0), 128 - image_texel_bytes(&im));
        CU_ASSERT_EQUAL(image_offset(&im, w, 0, 0), 128);
        CU_ASSERT_TRUE(image_offset(&im, 0, h, 0) > 128);
    }
}

/* No two texels share a byte, and none lies outside. */
static void every_texel_has_bytes_of_its_own(void)
{
    static const uint32_t sizes[][3] = {{1, 1, 1}, {7, 1, 1}, {5, 9, 1}, {33, 17, 1}, {6, 5, 4}};
    for (int f = 0; f < TEXEL_FORMATS; f++)
        for (int channels = 1; channels <= 4; channels *= 2)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                const uint32_t *n = sizes[i];
                const struct image im = array((enum texel_format)f, channels, n,
                                              n[2] > 1   ? 3
                                              : n[1] > 1 ? 2
                                                         : 1);
                const uint32_t bytes = image_texel_bytes(&im);
                char *seen = calloc(1, im.bytes);
                int bad = 0;
                for (uint32_t k = 0; k < n[0] * n[1] * n[2]; k++) {
                    const uint64_t at =
                        image_offset(&im, k % n[0], k / n[0] % n[1], k / n[0] / n[1]);
                    for (uint32_t b = 0; b < bytes; b++)
                        bad += at + b >= im.bytes || seen[at + b]++;
                }
                CU_ASSERT_EQUAL(bad, 0);
                free(seen);
            }
}

static void layers_and_slices_follow_each_other(void)
{
    struct image im = {.dims = 1, .size = {10, 1, 1}, .layers = 3};
    image_set_format(&im, TEXEL_F32, 1);
    CU_ASSERT_TRUE(image_lay_out(&im));
    CU_ASSERT_EQUAL(im.slice, 128); /* rows of one dimension start on a line */
    CU_ASSERT_EQUAL(image_offset(&im, 9, 0, 2), 2 * 128 + 36);
    CU_ASSERT_EQUAL(im.bytes, 3 * 128);
    im = array(TEXEL_F32, 1, (uint32_t[]){8, 4, 2}, 3);
    CU_ASSERT_EQUAL(image_offset(&im, 0, 0, 1), 128);
}

static void memory_is_rows(void)
{
    struct image im = {.dims = 2, .size = {10, 3, 1}};
    image_set_format(&im, TEXEL_S16, 1);
    image_over_memory(&im, 0x80000000, 512);
    CU_ASSERT_EQUAL(image_offset(&im, 3, 2, 0), 2 * 512 + 6);
    CU_ASSERT_EQUAL(im.bytes, 2 * 512 + 20); /* the last row ends with its last texel */
    CU_ASSERT_EQUAL(im.kind, IMAGE_PITCH);
    uint64_t run;
    CU_ASSERT_EQUAL(image_run(&im, 6, 1, 0, &run), 512 + 6);
    CU_ASSERT_EQUAL(run, 14);
}

static void an_array_beyond_any_memory_is_refused(void)
{
    struct image im = {.dims = 3, .size = {16384, 16384, 16384}};
    image_set_format(&im, TEXEL_F32, 4);
    CU_ASSERT_FALSE(image_lay_out(&im)); /* 2^46 bytes */
}

SUITE("image", T(a_texel_has_one_two_or_four_channels),
      T(tiles_of_eight_by_four_hold_four_byte_texels), T(tiles_are_a_line_and_as_square_as_can_be),
      T(every_texel_has_bytes_of_its_own), T(layers_and_slices_follow_each_other),
      T(memory_is_rows), T(an_array_beyond_any_memory_is_refused))
