/* sim/func/mipmap.h -- mipmapped arrays: an image in ever smaller sizes, and which of them a fetch
 * reads.
 *
 * Level i has max(1, size >> i) texels a dimension, and all layers. The levels lie one behind the
 * other in one allocation, that of level 0. A fetch has a level of detail: the one that it names
 * (tex.level), or log2 of how many texels of level 0 the larger of its two gradients spans
 * (tex.grad). The sampler's bias is added, its clamp limits the sum, and so do the levels that
 * there are. Then the nearest level is read, or the two around it, weighted by the fraction.
 * Without a level a kernel reads level 0.
 *
 * The Programming Guide is silent on all but the names; this is what graphics APIs have the same
 * hardware do (Vulkan 1.3, image operations: level of detail; cube map derivatives). The level of
 * detail is rounded to 1/256, halves up, as coordinates are; halfway between two levels the nearest
 * is the upper. Not modelled: anisotropy, so that the larger gradient decides. */
#ifndef MDP_SIM_FUNC_MIPMAP_H
#define MDP_SIM_FUNC_MIPMAP_H

#include "sim/func/texture.h"

#define MIPMAP_MAX_LEVELS 18 /* of 131,072 texels */

/* How many levels there can be, down to one texel. */
int mipmap_most_levels(const struct image *im);
/* Lays out im->levels levels; bytes: of all of them. False: more than 2^40. */
bool mipmap_lay_out(struct image *im);
/* Level `level` as an image of its own; returns where it begins, in bytes from im->base. */
uint64_t mipmap_level(const struct image *im, int level, struct image *out);

/* Level of detail that gradients ask for; d[0] and d[1]: of the coordinates along x and y of the
 * screen. */
float mipmap_of_gradients(const struct image *im, const struct tex_coord *c, const float d[2][3]);
/* The texels that a fetch reads at a level of detail; offsets are from im->base. */
void mipmap_taps(const struct image *im, const struct tex_sampler *s, const struct tex_coord *c,
                 float lod, struct tex_taps *out);

#endif
