#include "sim/func/tex_axis.h"

#include "sim/func/fpbits.h"
#include "sim/func/lanes.h"

/* Where a coordinate is, in texels; whole pictures are left out where they repeat. */
LANE double in_texels(float x, double size, const bool normalized, const enum tex_address mode)
{
    const double far = 1099511627776.0; /* 2^40: outside of every image */
    double v = x == x ? (double)x : 0;
    if (normalized && (mode == TEX_WRAP || mode == TEX_MIRROR)) {
        const double whole = __builtin_floor(v), fraction = v - whole; /* infinity: NaN */
        const bool odd = mode == TEX_MIRROR && whole - 2 * __builtin_floor(whole / 2) != 0;
        const double turned = odd ? 1 - fraction : fraction;
        v = fraction == fraction ? turned : 0;
    }
    if (normalized)
        v *= size;
    v = v < -far ? -far : v;
    return v > far ? far : v;
}

/* What wraps is at most one beyond the image, and what mirrors is then as if clamped. */
LANE double inside_of(double i, double last, const enum tex_address mode)
{
    const double below = mode == TEX_WRAP ? last : mode == TEX_BORDER ? -1 : 0;
    const double above = mode == TEX_WRAP ? 0 : mode == TEX_BORDER ? -1 : last;
    const double at = i < 0 ? below : i;
    return i > last ? above : at;
}

LANE void linear_lanes(const struct tex_axis_query *q, const uint32_t *x, struct tex_axis *out,
                       const bool normalized, const enum tex_address mode)
{
    const double size = q->size, last = size - 1;
    LANE_LOOP
    {
        const double v = in_texels(f32_of(x[i]), size, normalized, mode) - 0.5;
        const double low = __builtin_floor(v);
        const double alpha = __builtin_floor((v - low) * 256 + 0.5) / 256;
        out->at[0][i] = (int32_t)inside_of(low, last, mode);
        out->at[1][i] = (int32_t)inside_of(low + 1, last, mode);
        out->weight[0][i] = 1 - alpha;
        out->weight[1][i] = alpha;
    }
}

LANE void point_lanes(const struct tex_axis_query *q, const uint32_t *x, int32_t *at,
                      const bool normalized, const enum tex_address mode)
{
    const double size = q->size, last = size - 1;
    LANE_LOOP
    {
        const double v = in_texels(f32_of(x[i]), size, normalized, mode);
        at[i] = (int32_t)inside_of(__builtin_floor(v), last, mode);
    }
}

/* A loop for each kind, so that each is vector code; in both compilations. */
#define AXIS(name, out_t)                                                                  \
    LANE void name##_any(const struct tex_axis_query *q, const uint32_t *x, out_t *out)    \
    {                                                                                      \
        if (!q->normalized && q->mode == TEX_BORDER)                                       \
            name##_lanes(q, x, out, false, TEX_BORDER);                                    \
        else if (!q->normalized)                                                           \
            name##_lanes(q, x, out, false, TEX_CLAMP);                                     \
        else if (q->mode == TEX_WRAP)                                                      \
            name##_lanes(q, x, out, true, TEX_WRAP);                                       \
        else if (q->mode == TEX_MIRROR)                                                    \
            name##_lanes(q, x, out, true, TEX_MIRROR);                                     \
        else if (q->mode == TEX_BORDER)                                                    \
            name##_lanes(q, x, out, true, TEX_BORDER);                                     \
        else                                                                               \
            name##_lanes(q, x, out, true, TEX_CLAMP);                                      \
    }                                                                                      \
    static void name##_base(const struct tex_axis_query *q, const uint32_t *x, out_t *out) \
    {                                                                                      \
        name##_any(q, x, out);                                                             \
    }                                                                                      \
    WIDE_TARGET static void name##_wide(const struct tex_axis_query *q, const uint32_t *x, \
                                        out_t *out)                                        \
    {                                                                                      \
        name##_any(q, x, out);                                                             \
    }

AXIS(linear, struct tex_axis)
AXIS(point, int32_t)

void tex_axis_linear(const struct tex_axis_query *q, const uint32_t x[WARP_SIZE],
                     struct tex_axis *out)
{
    (q->wide ? linear_wide : linear_base)(q, x, out);
}

void tex_axis_point(const struct tex_axis_query *q, const uint32_t x[WARP_SIZE],
                    int32_t at[WARP_SIZE])
{
    (q->wide ? point_wide : point_base)(q, x, at);
}
