#include "sim/func/image.h"

#define MAX_BYTES (1ull << 40)

int texel_channel_bytes(enum texel_format f)
{
    static const uint8_t bytes[TEXEL_FORMATS] = {
        [TEXEL_U8] = 1,  [TEXEL_U16] = 2, [TEXEL_U32] = 4, [TEXEL_S8] = 1,
        [TEXEL_S16] = 2, [TEXEL_S32] = 4, [TEXEL_F16] = 2, [TEXEL_F32] = 4,
    };
    return bytes[f];
}

bool image_set_format(struct image *im, enum texel_format f, int channels)
{
    if ((unsigned)f >= TEXEL_FORMATS || (channels != 1 && channels != 2 && channels != 4))
        return false;
    im->format = (uint8_t)f;
    im->channels = (uint8_t)channels;
    im->texel_log2 = (uint8_t)__builtin_ctz((unsigned)(texel_channel_bytes(f) * channels));
    return true;
}

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

bool image_lay_out(struct image *im)
{
    const int texels_log2 = IMAGE_TILE_LOG2 - im->texel_log2;
    const bool tiled = im->dims > 1;
    im->kind = IMAGE_ARRAY;
    im->tile_x_log2 = tiled ? (uint8_t)((texels_log2 + 1) / 2) : 0;
    im->tile_y_log2 = tiled ? (uint8_t)(texels_log2 / 2) : 0;
    const uint64_t row = (uint64_t)im->size[0] << im->texel_log2;
    const uint64_t tile_row = IMAGE_TILE >> im->tile_y_log2; /* bytes of one row of a tile */
    im->row = tiled ? round_up(row, tile_row) << im->tile_y_log2 : round_up(row, IMAGE_TILE);
    im->slice = im->row * ((im->size[1] + (1ull << im->tile_y_log2) - 1) >> im->tile_y_log2);
    const uint64_t slices = (uint64_t)im->size[2] * (im->layers ? im->layers : 1);
    if (im->slice > MAX_BYTES / slices)
        return false;
    im->bytes = im->slice * slices;
    return true;
}

void image_over_memory(struct image *im, addr_t base, uint64_t pitch)
{
    im->kind = im->dims == 1 ? IMAGE_LINEAR : IMAGE_PITCH;
    im->base = base;
    im->row = pitch;
    im->slice = pitch * im->size[1];
    im->bytes = pitch * (im->size[1] - 1) + ((uint64_t)im->size[0] << im->texel_log2);
    im->tile_x_log2 = im->tile_y_log2 = 0;
}

uint64_t image_run(const struct image *im, uint64_t at, uint32_t y, uint32_t z, uint64_t *run)
{
    const uint64_t texel = image_texel_bytes(im), inside = at % texel;
    const uint64_t unit = texel << im->tile_x_log2; /* untiled rows: the rest of the row */
    const uint64_t end = im->tile_x_log2 ? at / unit * unit + unit : (uint64_t)im->size[0] * texel;
    *run = end - at;
    return image_offset(im, (uint32_t)(at / texel), y, z) + inside;
}
