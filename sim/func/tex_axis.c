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
LANE void axis_lanes(const struct tex_axis_query *q, const uint32_t *x, struct tex_axis *out,
                     const bool normalized, const enum tex_address mode)
{
    const double size = q->size, last = size - 1;
    const double below = mode == TEX_WRAP ? last : mode == TEX_BORDER ? -1 : 0;
    const double above = mode == TEX_WRAP ? 0 : mode == TEX_BORDER ? -1 : last;
    LANE_LOOP
    {
        const double v = in_texels(f32_of(x[i]), size, normalized, mode) - 0.5;
        const double low = __builtin_floor(v), high = low + 1;
        const double alpha = __builtin_floor((v - low) * 256 + 0.5) / 256;
        const double a = low < 0 ? below : low, b = high < 0 ? below : high;
        out->at[0][i] = (int32_t)(low > last ? above : a);
        out->at[1][i] = (int32_t)(high > last ? above : b);
        out->weight[0][i] = 1 - alpha;
        out->weight[1][i] = alpha;
    }
}

/* A loop for each kind, so that each is vector code. */
LANE void axis_any(const struct tex_axis_query *q, const uint32_t *x, struct tex_axis *out)
{
    if (!q->normalized && q->mode == TEX_BORDER)
        axis_lanes(q, x, out, false, TEX_BORDER);
    else if (!q->normalized)
        axis_lanes(q, x, out, false, TEX_CLAMP);
    else if (q->mode == TEX_WRAP)
        axis_lanes(q, x, out, true, TEX_WRAP);
    else if (q->mode == TEX_MIRROR)
        axis_lanes(q, x, out, true, TEX_MIRROR);
    else if (q->mode == TEX_BORDER)
        axis_lanes(q, x, out, true, TEX_BORDER);
    else
        axis_lanes(q, x, out, true, TEX_CLAMP);
}

static void axis_base(const struct tex_axis_query *q, const uint32_t *x, struct tex_axis *out)
{
    axis_any(q, x, out);
}

WIDE_TARGET static void axis_wide(const struct tex_axis_query *q, const uint32_t *x,
                                  struct tex_axis *out)
{
    axis_any(q, x, out);
}

void tex_axis_linear(const struct tex_axis_query *q, const uint32_t x[WARP_SIZE],
                     struct tex_axis *out)
{
    (q->wide ? axis_wide : axis_base)(q, x, out);
}
