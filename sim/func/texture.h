/* sim/func/texture.h -- what a texture fetch reads and returns.
 *
 * Fetching follows the CUDA C++ Programming Guide, appendix "Texture Fetching": a coordinate is
 * scaled by the size where coordinates are normalised; point sampling takes floor(x); linear
 * filtering takes floor(x - 0.5) and its neighbour, weighted by the fraction in 9-bit fixed point
 * with 8 fractional bits. Where the guide is silent:
 *   - the fraction is rounded to nearest, halves up;
 *   - weights times texels are summed in double precision and rounded once;
 *   - a texel of weight zero is not read (an infinity beside the sample does not spread);
 *   - a NaN coordinate is 0; so is an infinite one that wraps or mirrors;
 *   - channels that the format lacks read 0, the fourth 1.
 * Mipmaps: mipmap.h. Not modelled: anisotropy, sRGB, seamless cube maps, multisampling. */
#ifndef MDP_SIM_FUNC_TEXTURE_H
#define MDP_SIM_FUNC_TEXTURE_H

#include "sim/func/image.h"
#include "sim/ptx/inst.h"

enum tex_address { TEX_WRAP, TEX_CLAMP, TEX_MIRROR, TEX_BORDER, TEX_ADDRESSES };

struct tex_sampler {
    uint8_t address[3]; /* enum tex_address; wrap and mirror need normalised coordinates: else
                           clamp */
    bool linear;        /* filter, else point */
    bool normalized;    /* coordinates in [0, 1) */
    bool integer;       /* 8- and 16-bit integers are read as they are, not as [0, 1] or [-1, 1] */
    float border[4];
    bool mip_linear;             /* between two levels, else the nearest */
    float bias, lowest, highest; /* of the level of detail */
};

struct texture { /* a surface has no sampler, a sampler no image */
    struct image im;
    struct tex_sampler s;
};

/* Whether the channels come as floating point. */
static inline bool texture_is_float(const struct image *im, const struct tex_sampler *s)
{
    return texel_is_float((enum texel_format)im->format) ||
           (!s->integer && im->format != TEXEL_U32 && im->format != TEXEL_S32);
}

struct tex_coord {
    enum tex_geom geom;
    bool integer; /* i: texels, point sampling; else f */
    union {
        float f[3];
        int32_t i[3];
    };
    uint32_t layer;
};

#define TEX_MAX_TAPS 16 /* eight of each of two levels */
struct tex_taps {       /* the texels that a fetch reads */
    int n;
    bool inside[TEX_MAX_TAPS]; /* false: the border's colour */
    uint64_t offset[TEX_MAX_TAPS];
    double weight[TEX_MAX_TAPS];
};

/* NULL, or why this image cannot be read so. */
const char *texture_mismatch(const struct image *im, const struct tex_sampler *s,
                             const struct tex_coord *c);
void texture_taps(const struct image *im, const struct tex_sampler *s, const struct tex_coord *c,
                  struct tex_taps *out);
/* The four channels as 32-bit registers; host: where the image's base lies. */
void texture_filter(const struct image *im, const struct tex_sampler *s, const uint8_t *host,
                    const struct tex_taps *taps, uint32_t out[4]);
/* The common case on its own: channel i of texels of linear memory, by number, for a whole warp;
 * outside it is 0. */
struct tex_indices {
    const uint32_t *row; /* [32] */
    lanes_t active;
};
void texture_read_indices(const struct image *im, const struct tex_sampler *s, const uint8_t *host,
                          const struct tex_indices *x, int i, uint32_t *out);
/* Another one: images of one or two dimensions without layers, point sampling. Where the texel of
 * each lane lies, and in which lanes there is one; then a channel of it. */
struct tex_points {
    lanes_t active;
    bool integer, wide;    /* wide: this host runs the AVX2 versions (kernel.wide) */
    const uint32_t *x, *y; /* [32], bits of the coordinates; y NULL: one dimension */
};
lanes_t texture_points(const struct image *im, const struct tex_sampler *s,
                       const struct tex_points *p, uint64_t offset[WARP_SIZE]);
struct tex_texels {
    lanes_t active, inside;
    const uint64_t *offset; /* [32] */
};
void texture_read_points(const struct image *im, const struct tex_sampler *s, const uint8_t *host,
                         const struct tex_texels *x, int i, uint32_t *out);
/* And the same images with linear filtering: up to four texels of each lane, as texture_taps() has
 * them, then a channel of what they come to. */
struct tex_quads {
    int taps;                    /* the most that a lane has */
    lanes_t lanes[4], inside[4]; /* those that have a k-th texel; inside the image */
    uint64_t offset[4][WARP_SIZE];
    double weight[4][WARP_SIZE];
};
void texture_quads(const struct image *im, const struct tex_sampler *s, const struct tex_points *p,
                   struct tex_quads *q);
void texture_filter_quads(const struct image *im, const struct tex_sampler *s, const uint8_t *host,
                          const struct tex_quads *q, int i, uint32_t *out);
/* tld4: the four texels around c, at (x, y+1), (x+1, y+1), (x+1, y), (x, y), and one channel. */
void texture_gather_taps(const struct image *im, const struct tex_sampler *s,
                         const struct tex_coord *c, struct tex_taps *out);
void texture_gather(const struct image *im, const struct tex_sampler *s, const uint8_t *host,
                    const struct tex_taps *taps, int channel, uint32_t out[4]);

#endif
