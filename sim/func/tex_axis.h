/* sim/func/tex_axis.h -- along one dimension, for a whole warp: which texel a coordinate lies in,
 * or which two it lies between, and their weights (texture.h). Vector code in two compilations that
 * give the same bits (lanes.h). */
#ifndef MDP_SIM_FUNC_TEX_AXIS_H
#define MDP_SIM_FUNC_TEX_AXIS_H

#include "sim/func/texture.h"

struct tex_axis_query {
    uint32_t size;         /* texels, below 2^29 */
    bool normalized, wide; /* wide: this host runs the AVX2 version */
    enum tex_address mode; /* wrap and mirror: normalized only */
};
struct tex_axis {
    int32_t at[2][WARP_SIZE]; /* -1: outside, the border's colour */
    double weight[2][WARP_SIZE];
};
void tex_axis_linear(const struct tex_axis_query *q, const uint32_t x[WARP_SIZE],
                     struct tex_axis *out);
void tex_axis_point(const struct tex_axis_query *q, const uint32_t x[WARP_SIZE],
                    int32_t at[WARP_SIZE]);

#endif
