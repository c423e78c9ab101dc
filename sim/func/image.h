/* sim/func/image.h -- texels in device memory: CUDA arrays, and linear or pitched memory behind a
 * texture. One description serves functional execution, host copies and the addresses that the
 * timing model sees.
 *
 * Linear memory: rows of texels, `row` bytes apart. Arrays of two or three dimensions are tiled, so
 * that neighbours in x and in y share a cache line: a tile is IMAGE_TILE bytes, as square as its
 * number of texels allows (wider where it must choose), texels row by row in it, tiles row by row
 * in a slice, slices (or layers) one behind the other. 4-byte texels: tiles of 8 x 4. Arrays of one
 * dimension are rows.
 *
 *   texel   1 byte   2      4      8      16           NVIDIA's layout is not public; blocks of
 *   tile    16 x 8   8 x 8  8 x 4  4 x 4   4 x 2       lines with such a locality are its idea.
 */
#ifndef MDP_SIM_FUNC_IMAGE_H
#define MDP_SIM_FUNC_IMAGE_H

#include "base/types.h"

#define IMAGE_TILE_LOG2 7
#define IMAGE_TILE      (1u << IMAGE_TILE_LOG2)

enum texel_format { /* of one channel */
                    TEXEL_U8,
                    TEXEL_U16,
                    TEXEL_U32,
                    TEXEL_S8,
                    TEXEL_S16,
                    TEXEL_S32,
                    TEXEL_F16,
                    TEXEL_F32,
                    TEXEL_FORMATS
};
int texel_channel_bytes(enum texel_format f);
static inline bool texel_is_float(enum texel_format f)
{
    return f >= TEXEL_F16;
}

enum image_kind {
    IMAGE_LINEAR, /* one row, read by integer coordinates alone */
    IMAGE_PITCH,  /* two dimensions in ordinary memory */
    IMAGE_ARRAY
};

struct image {
    addr_t base;
    uint64_t bytes;   /* from base to the end of the last texel (arrays: of the allocation) */
    uint32_t size[3]; /* texels; 1 where there is no such dimension */
    uint32_t layers;  /* 0: not layered; a cube map has 6 layers a cube */
    uint8_t dims;     /* 1..3, without the layers */
    uint8_t kind;     /* enum image_kind */
    uint8_t format;   /* enum texel_format */
    uint8_t channels; /* 1, 2, 4 */
    uint8_t texel_log2;
    uint8_t tile_x_log2, tile_y_log2; /* texels of a tile; tile_x_log2 == 0: not tiled */
    bool cube;
    uint8_t levels;      /* of a mipmapped array, of which this is the first (mipmap.h); 0: none */
    uint64_t row, slice; /* bytes from one row (of tiles) to the next, one slice or layer */
};

/* False: no such texel (channels are 1, 2 or 4). */
bool image_set_format(struct image *im, enum texel_format f, int channels);
/* Lays out an array; size, dims, layers, format are set. False: more than 2^40 bytes. */
bool image_lay_out(struct image *im);
/* Ordinary memory at base: pitch bytes a row; size, dims, format are set. */
void image_over_memory(struct image *im, addr_t base, uint64_t pitch);

static inline uint32_t image_texel_bytes(const struct image *im)
{
    return 1u << im->texel_log2;
}
/* Bytes from base to texel (x, y) of slice or layer z; inside the image. */
static inline uint64_t image_offset(const struct image *im, uint32_t x, uint32_t y, uint32_t z)
{
    const uint64_t slice = im->slice * z;
    if (!im->tile_x_log2)
        return slice + im->row * y + ((uint64_t)x << im->texel_log2);
    const uint32_t in_x = x & ((1u << im->tile_x_log2) - 1),
                   in_y = y & ((1u << im->tile_y_log2) - 1);
    return slice + im->row * (y >> im->tile_y_log2) +
           ((uint64_t)(x >> im->tile_x_log2) << IMAGE_TILE_LOG2) +
           (((in_y << im->tile_x_log2) + in_x) << im->texel_log2);
}
/* From byte `at` of row y of slice z: its offset, and in *run how many bytes follow each other. */
uint64_t image_run(const struct image *im, uint64_t at, uint32_t y, uint32_t z, uint64_t *run);

#endif
