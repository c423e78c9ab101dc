#include "sim/func/texture.h"

#include <math.h>
#include <string.h>

#include "sim/func/fpbits.h"
#include "sim/func/tex_axis.h"

/* ---- Coordinates ---- */
struct axis { /* what a fetch reads along one dimension */
    int n;
    int64_t at[2]; /* -1: outside, the border's colour */
    double weight[2];
};

static enum tex_address mode_of(const struct image *im, const struct tex_sampler *s, int dim)
{
    const enum tex_address a = (enum tex_address)s->address[dim];
    if (im->kind == IMAGE_LINEAR)
        return TEX_BORDER;
    return s->normalized || a == TEX_BORDER ? a : TEX_CLAMP;
}

static int64_t wrapped(int64_t i, int64_t period)
{
    const int64_t r = i % period;
    return r < 0 ? r + period : r;
}

static int64_t addressed(int64_t i, int64_t size, enum tex_address mode)
{
    if (i >= 0 && i < size)
        return i;
    switch (mode) {
    case TEX_WRAP:
        return wrapped(i, size);
    case TEX_MIRROR:
        i = wrapped(i, 2 * size);
        return i < size ? i : 2 * size - 1 - i;
    case TEX_CLAMP:
        return i < 0 ? 0 : size - 1;
    default:
        return -1;
    }
}

/* Of a coordinate below 2^62. */
static int64_t floor_of(double x)
{
    const int64_t i = (int64_t)x;
    return i - (x < (double)i);
}

/* floor() without a call; from 2^52 on every number is whole. */
static double whole_of(double x)
{
    return fabs(x) < 4503599627370496.0 ? (double)floor_of(x) : x;
}

/* In texels. A float times a size below 2^29 is exact in double. */
static double scaled(float x, uint32_t size, bool normalized, enum tex_address mode)
{
    const double far = 1099511627776.0; /* 2^40: outside of every image */
    double v = isnan(x) ? 0 : (double)x;
    if (normalized && (mode == TEX_WRAP || mode == TEX_MIRROR)) {
        const double whole = whole_of(v), fraction = v - whole; /* infinity: NaN */
        const bool odd = mode == TEX_MIRROR && whole - 2 * whole_of(whole / 2) != 0;
        v = isnan(fraction) ? 0 : odd ? 1 - fraction : fraction;
    }
    if (normalized)
        v *= size;
    return v < -far ? -far : v > far ? far : v;
}

static struct axis linear_axis(double x, uint32_t size, enum tex_address mode)
{
    const int64_t low = floor_of(x - 0.5);
    const double fraction = x - 0.5 - (double)low;
    const double alpha = (double)(int64_t)(fraction * 256 + 0.5) / 256;
    return (struct axis){.n = 2,
                         .at = {addressed(low, size, mode), addressed(low + 1, size, mode)},
                         .weight = {1 - alpha, alpha}};
}

/* The face of a cube map and the coordinates on it (Programming Guide, Cubemap Textures). */
static uint32_t cube_face(float v[3])
{
    const float x = v[0], y = v[1], z = v[2], ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    uint32_t face;
    float m, s, t;
    if (ax >= ay && ax >= az) {
        face = x < 0 ? 1 : 0;
        m = ax, s = x < 0 ? z : -z, t = -y;
    } else if (ay >= az) {
        face = y < 0 ? 3 : 2;
        m = ay, s = x, t = y < 0 ? -z : z;
    } else {
        face = z < 0 ? 5 : 4;
        m = az, s = z < 0 ? -x : x, t = -y;
    }
    v[0] = (s / m + 1) / 2;
    v[1] = (t / m + 1) / 2;
    return face;
}

struct place { /* coordinates of an ordinary image */
    struct tex_coord c;
    int dims;
    bool normalized;
    uint32_t slice;
};

static struct place place_of(const struct image *im, const struct tex_sampler *s,
                             const struct tex_coord *c)
{
    static const uint8_t dims[GEOM_COUNT] = {
        [GEOM_1D] = 1,  [GEOM_2D] = 2,   [GEOM_3D] = 3,   [GEOM_A1D] = 1,
        [GEOM_A2D] = 2, [GEOM_CUBE] = 2, [GEOM_ACUBE] = 2};
    struct place p = {.c = *c, .dims = dims[c->geom], .normalized = s->normalized};
    if (!im->layers)
        return p;
    const bool cube = c->geom == GEOM_CUBE || c->geom == GEOM_ACUBE;
    uint32_t layers = im->layers, layer = c->geom == GEOM_CUBE ? 0 : c->layer;
    if (cube) {
        layers /= 6;
        p.normalized = true;
    }
    if (layer >= layers) /* a layer is clamped; it is a signed number to the program */
        layer = (int32_t)layer < 0 ? 0 : layers - 1;
    p.slice = layer;
    if (cube)
        p.slice = 6 * p.slice + cube_face(p.c.f);
    return p;
}

/* A dimension that the fetch does not have is not filtered. */
static struct axis axis_of(const struct image *im, const struct tex_sampler *s,
                           const struct place *p, int dim)
{
    const enum tex_address mode = mode_of(im, s, dim);
    if (dim >= p->dims)
        return (struct axis){.n = 1, .weight = {1}};
    return linear_axis(scaled(p->c.f[dim], im->size[dim], p->normalized, mode), im->size[dim],
                       mode);
}

static void add_tap(const struct image *im, struct tex_taps *out, const int64_t at[3],
                    double weight)
{
    const int i = out->n++;
    out->weight[i] = weight;
    out->inside[i] = at[0] >= 0 && at[1] >= 0 && at[2] >= 0;
    out->offset[i] =
        out->inside[i] ? image_offset(im, (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]) : 0;
}

static int64_t point_at(const struct image *im, const struct tex_sampler *s, const struct place *p,
                        int dim)
{
    const enum tex_address mode = mode_of(im, s, dim);
    if (dim >= p->dims)
        return 0;
    if (p->c.integer)
        return addressed(p->c.i[dim], im->size[dim], mode);
    const double x = scaled(p->c.f[dim], im->size[dim], p->normalized, mode);
    return addressed(floor_of(x), im->size[dim], mode);
}

static struct tex_axis_query along(const struct image *im, const struct tex_sampler *s,
                                   const struct tex_points *p, int dim)
{
    return (struct tex_axis_query){.size = im->size[dim],
                                   .normalized = s->normalized,
                                   .wide = p->wide,
                                   .mode = mode_of(im, s, dim)};
}

/* Texels of integer coordinates, a lane after the other. */
static void whole_texels(const struct image *im, const struct tex_sampler *s,
                         const struct tex_points *p, int dim, int32_t at[WARP_SIZE])
{
    const uint32_t *x = dim ? p->y : p->x;
    const enum tex_address mode = mode_of(im, s, dim);
    for (int i = 0; i < WARP_SIZE; i++)
        at[i] = (int32_t)addressed((int32_t)x[i], im->size[dim], mode);
}

lanes_t texture_points(const struct image *im, const struct tex_sampler *s,
                       const struct tex_points *p, uint64_t offset[WARP_SIZE])
{
    int32_t at[2][WARP_SIZE] = {{0}};
    for (int dim = 0; dim < (p->y ? 2 : 1); dim++) {
        const struct tex_axis_query q = along(im, s, p, dim);
        if (p->integer)
            whole_texels(im, s, p, dim, at[dim]);
        else
            tex_axis_point(&q, dim ? p->y : p->x, at[dim]);
    }
    lanes_t inside = 0;
    for (lanes_t m = p->active; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        if ((at[0][lane] | at[1][lane]) < 0)
            continue;
        inside |= 1u << lane;
        offset[lane] = image_offset(im, (uint32_t)at[0][lane], (uint32_t)at[1][lane], 0);
    }
    return inside;
}

static void point_tap(const struct image *im, const struct tex_sampler *s, const struct place *p,
                      struct tex_taps *out)
{
    const int64_t z = p->dims == 3 ? point_at(im, s, p, 2) : (int64_t)p->slice;
    add_tap(im, out, (int64_t[]){point_at(im, s, p, 0), point_at(im, s, p, 1), z}, 1);
}

static void linear_taps(const struct image *im, const struct tex_sampler *s, const struct place *p,
                        struct tex_taps *out)
{
    const struct axis x = axis_of(im, s, p, 0), y = axis_of(im, s, p, 1), z = axis_of(im, s, p, 2);
    for (int k = 0; k < z.n; k++)
        for (int j = 0; j < y.n; j++)
            for (int i = 0; i < x.n; i++) {
                const double weight = x.weight[i] * y.weight[j] * z.weight[k];
                const int64_t slice = p->dims == 3 ? z.at[k] : (int64_t)p->slice;
                if (weight > 0)
                    add_tap(im, out, (int64_t[]){x.at[i], y.at[j], slice}, weight);
            }
}

/* In the order of linear_taps(), without those of weight zero. */
static int put_quad(const struct image *im, const struct tex_axis *x, const struct tex_axis *y,
                    int lane, struct tex_quads *q)
{
    int n = 0;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            const double weight = x->weight[i][lane] * y->weight[j][lane];
            const int32_t tx = x->at[i][lane], ty = y->at[j][lane];
            if (!(weight > 0))
                continue;
            const bool inside = tx >= 0 && ty >= 0;
            q->lanes[n] |= 1u << lane;
            q->inside[n] |= (lanes_t)inside << lane;
            q->offset[n][lane] = inside ? image_offset(im, (uint32_t)tx, (uint32_t)ty, 0) : 0;
            q->weight[n++][lane] = weight;
        }
    return n;
}

void texture_quads(const struct image *im, const struct tex_sampler *s, const struct tex_points *p,
                   struct tex_quads *q)
{
    struct tex_axis x, y;
    const struct tex_axis_query along_x = along(im, s, p, 0), along_y = along(im, s, p, 1);
    tex_axis_linear(&along_x, p->x, &x);
    if (p->y)
        tex_axis_linear(&along_y, p->y, &y);
    for (int i = 0; !p->y && i < WARP_SIZE; i++) {
        y.at[0][i] = y.at[1][i] = 0;
        y.weight[0][i] = 1;
        y.weight[1][i] = 0;
    }
    for (int k = 0; k < 4; k++)
        q->lanes[k] = q->inside[k] = 0;
    q->taps = 0;
    for (lanes_t m = p->active; m; m &= m - 1) {
        const int n = put_quad(im, &x, &y, __builtin_ctz(m), q);
        q->taps = n > q->taps ? n : q->taps;
    }
}

void texture_taps(const struct image *im, const struct tex_sampler *s, const struct tex_coord *c,
                  struct tex_taps *out)
{
    const struct place p = place_of(im, s, c);
    out->n = 0;
    if (s->linear && !c->integer)
        linear_taps(im, s, &p, out);
    else
        point_tap(im, s, &p, out);
}

void texture_gather_taps(const struct image *im, const struct tex_sampler *s,
                         const struct tex_coord *c, struct tex_taps *out)
{
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const struct place p = place_of(im, s, c);
    const struct axis x = axis_of(im, s, &p, 0), y = axis_of(im, s, &p, 1);
    out->n = 0;
    for (int i = 0; i < 4; i++)
        add_tap(im, out, (int64_t[]){x.at[order[i][0]], y.at[order[i][1]], p.slice}, 1);
}

const char *texture_mismatch(const struct image *im, const struct tex_sampler *s,
                             const struct tex_coord *c)
{
    if (s->linear && !texture_is_float(im, s))
        return "integers are not filtered";
    if (im->kind == IMAGE_LINEAR)
        return c->geom == GEOM_1D && c->integer
                   ? NULL
                   : "linear memory is read by tex.1d with integer coordinates alone (tex1Dfetch)";
    const bool layered = c->geom == GEOM_A1D || c->geom == GEOM_A2D;
    const bool cube = c->geom == GEOM_CUBE || c->geom == GEOM_ACUBE;
    if (cube)
        return im->cube ? NULL : "this is no cube map";
    if (layered != (im->layers != 0))
        return layered ? "this image has no layers" : "this image has layers";
    if ((c->geom == GEOM_3D) != (im->dims == 3))
        return im->dims == 3 ? "this image has three dimensions"
                             : "this image has no third dimension";
    return NULL;
}

/* ---- Values ---- */
static float normalised(int32_t v, int32_t most)
{
    const float f = (float)v / (float)most;
    return f < -1 ? -1 : f;
}

static uint32_t load16(const uint8_t *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static uint32_t load32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* One channel as a 32-bit register: a float's bits, or an integer. */
static uint32_t channel(const struct image *im, bool as_float, const uint8_t *texel, int i)
{
    switch ((enum texel_format)im->format) {
    case TEXEL_U8:
        return as_float ? bits_f32(normalised(texel[i], 255)) : texel[i];
    case TEXEL_S8:
        return as_float ? bits_f32(normalised((int8_t)texel[i], 127)) : (uint32_t)(int8_t)texel[i];
    case TEXEL_U16:
        return as_float ? bits_f32(normalised((int32_t)load16(texel + 2 * i), 65535))
                        : load16(texel + 2 * i);
    case TEXEL_S16:
        return as_float ? bits_f32(normalised((int16_t)load16(texel + 2 * i), 32767))
                        : (uint32_t)(int16_t)load16(texel + 2 * i);
    case TEXEL_F16:
        return bits_f32(f32_from_f16(load16(texel + 2 * i)));
    default:
        return load32(texel + 4 * i);
    }
}

/* The border's colour is given in floating point; integers take its integral part. */
static uint32_t border_channel(const struct tex_sampler *s, bool as_float, int i)
{
    const float v = s->border[i];
    if (as_float)
        return bits_f32(v);
    if (!(v > -2147483648.0f && v < 4294967296.0f))
        return 0;
    return v < 0 ? (uint32_t)(int32_t)v : (uint32_t)v;
}

static uint32_t tap_channel(const struct image *im, const struct tex_sampler *s,
                            const uint8_t *host, const struct tex_taps *taps, int tap, int i)
{
    const bool as_float = texture_is_float(im, s);
    if (taps->inside[tap])
        return channel(im, as_float, host + taps->offset[tap], i);
    return im->kind == IMAGE_LINEAR ? 0 : border_channel(s, as_float, i);
}

/* What a channel reads that the format does not have. */
static uint32_t missing_channel(const struct image *im, const struct tex_sampler *s, int i)
{
    return i < 3 ? 0 : texture_is_float(im, s) ? bits_f32(1) : 1;
}

void texture_filter(const struct image *im, const struct tex_sampler *s, const uint8_t *host,
                    const struct tex_taps *taps, uint32_t out[4])
{
    for (int i = im->channels; i < 4; i++)
        out[i] = missing_channel(im, s, i);
    for (int i = 0; i < im->channels; i++) {
        if (taps->n == 1) {
            out[i] = tap_channel(im, s, host, taps, 0, i);
            continue;
        }
        double sum = 0;
        for (int t = 0; t < taps->n; t++)
            sum += taps->weight[t] * (double)f32_of(tap_channel(im, s, host, taps, t, i));
        out[i] = bits_f32((float)sum);
    }
}

void texture_gather(const struct image *im, const struct tex_sampler *s, const uint8_t *host,
                    const struct tex_taps *taps, int channel_index, uint32_t out[4])
{
    for (int t = 0; t < taps->n; t++)
        out[t] = channel_index < im->channels ? tap_channel(im, s, host, taps, t, channel_index)
                                              : missing_channel(im, s, channel_index);
}

void texture_read_indices(const struct image *im, const struct tex_sampler *s, const uint8_t *host,
                          const struct tex_indices *x, int i, uint32_t *out)
{
    const bool as_float = texture_is_float(im, s),
               word = texel_channel_bytes((enum texel_format)im->format) == 4;
    for (lanes_t m = x->active; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const uint8_t *texel = host + ((uint64_t)x->row[lane] << im->texel_log2);
        if (i >= im->channels)
            out[lane] = missing_channel(im, s, i);
        else if (x->row[lane] >= im->size[0])
            out[lane] = 0;
        else
            out[lane] = word ? load32(texel + 4 * i) : channel(im, as_float, texel, i);
    }
}

void texture_read_points(const struct image *im, const struct tex_sampler *s, const uint8_t *host,
                         const struct tex_texels *x, int i, uint32_t *out)
{
    const bool as_float = texture_is_float(im, s),
               word = texel_channel_bytes((enum texel_format)im->format) == 4;
    const uint32_t missing = missing_channel(im, s, i), border = border_channel(s, as_float, i);
    for (lanes_t m = x->active; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const uint8_t *texel = host + x->offset[lane];
        if (i >= im->channels)
            out[lane] = missing;
        else if (!(x->inside >> lane & 1))
            out[lane] = border;
        else
            out[lane] = word ? load32(texel + 4 * i) : channel(im, as_float, texel, i);
    }
}

void texture_filter_quads(const struct image *im, const struct tex_sampler *s, const uint8_t *host,
                          const struct tex_quads *q, int i, uint32_t *out)
{
    const bool there = i < im->channels,
               word = texel_channel_bytes((enum texel_format)im->format) == 4;
    const uint32_t other = there ? border_channel(s, true, i) : missing_channel(im, s, i);
    const lanes_t several = there ? q->lanes[1] : 0;
    for (lanes_t m = q->lanes[0]; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        double sum = 0;
        uint32_t v = other;
        for (int k = 0; there && k < q->taps && q->lanes[k] >> lane & 1; k++) {
            const uint8_t *texel = host + q->offset[k][lane];
            v = !(q->inside[k] >> lane & 1) ? other
                : word                      ? load32(texel + 4 * i)
                                            : channel(im, true, texel, i);
            sum += q->weight[k][lane] * (double)f32_of(v);
        }
        out[lane] = several >> lane & 1 ? bits_f32((float)sum) : v;
    }
}
