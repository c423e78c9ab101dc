/* data/workloads/texture.h -- texture objects of host code: texels are read as they are, by their
 * own indices (no filter, no normalised coordinates); past the edge lies the edge's texel. The
 * context frees them. */
#ifndef MDP_DATA_WORKLOADS_TEXTURE_H
#define MDP_DATA_WORKLOADS_TEXTURE_H

#include "data/workloads/host.h"
#include "sim/frontend/cuda_texture.h"

struct texture_texels {
    CUarray_format format; /* of a channel */
    unsigned channels;     /* 1, 2 or 4 */
    size_t width, height;  /* in texels; height 0: one dimension */
};

/* Copies the texels, row after row, into an array: neighbours in both dimensions share lines. */
bool texture_of_array(CUtexObject *texture, const void *texels, const struct texture_texels *t,
                      struct err *e);
/* One dimension, over memory that is there and begins at a multiple of CU_TEXTURE_ALIGNMENT; width
 * up to CU_TEXTURE_MAX_LINEAR. */
bool texture_of_memory(CUtexObject *texture, CUdeviceptr ptr, const struct texture_texels *t,
                       struct err *e);
/* The same, over memory of its own, with a copy of the texels. */
bool texture_of_copy(CUtexObject *texture, const void *texels, const struct texture_texels *t,
                     struct err *e);

#endif
