#include "sim/func/texture.h"

#include <math.h>
#include <string.h>

#include "sim/func/fpbits.h"

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

/* In texels. A float times a size below 2^29 is exact in double. */
static double scaled(float x, uint32_t size, bool normalized, enum tex_address mode)
{
    const double far = 1099511627776.0; /* 2^40: outside of every image */
    double v = isnan(x) ? 0 : (double)x;
    if (normalized && (mode == TEX_WRAP || mode == TEX_MIRROR)) {
        const double whole = floor(v), fraction = v - whole; /* infinity: NaN */
        const bool odd = mode == TEX_MIRROR && whole - 2 * floor(whole / 2) != 0;
        v = isnan(fraction) ? 0 : odd ? 1 - fraction : fraction;
    }
    if (normalized)
        v *= size;
    return v < -far ? -far : v > far ? far : v;
}

static struct axis point_axis(int64_t i, uint32_t size, enum tex_address mode)
{
    return (struct axis){.n = 1, .at = {addressed(i, size, mode)}, .weight = {1}};
}

static struct axis linear_axis(double x, uint32_t size, enum tex_address mode)
{
    const double low = floor(x - 0.5), fraction = x - 0.5 - low;
    const double alpha = floor(fraction * 256 + 0.5) / 256;
    const int64_t i = (int64_t)low;
    return (struct axis){.n = 2,
                         .at = {addressed(i, size, mode), addressed(i + 1, size, mode)},
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
    const bool cube = c->geom == GEOM_CUBE || c->geom == GEOM_ACUBE;
    uint32_t layers = im->layers, layer = c->geom == GEOM_CUBE ? 0 : c->layer;
    if (cube) {
        layers /= 6;
        p.normalized = true;
    }
    if (layers && layer >= layers) /* a layer is clamped; it is a signed number to the program */
        layer = (int32_t)layer < 0 ? 0 : layers - 1;
    p.slice = layers ? layer : 0;
    if (cube)
        p.slice = 6 * p.slice + cube_face(p.c.f);
    return p;
}

static struct axis axis_of(const struct image *im, const struct tex_sampler *s,
                           const struct place *p, int dim, bool linear)
{
    const enum tex_address mode = mode_of(im, s, dim);
    if (dim >= p->dims) /* the image may have fewer dimensions than three, the fetch fewer yet */
        return point_axis(0, 1, TEX_CLAMP);
    if (p->c.integer)
        return point_axis(p->c.i[dim], im->size[dim], mode);
    const double x = scaled(p->c.f[dim], im->size[dim], p->normalized, mode);
    return linear ? linear_axis(x, im->size[dim], mode)
                  : point_axis((int64_t)floor(x), im->size[dim], mode);
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

void texture_taps(const struct image *im, const struct tex_sampler *s, const struct tex_coord *c,
                  struct tex_taps *out)
{
    const struct place p = place_of(im, s, c);
    const struct axis x = axis_of(im, s, &p, 0, s->linear), y = axis_of(im, s, &p, 1, s->linear);
    const struct axis z = axis_of(im, s, &p, 2, s->linear);
    out->n = 0;
    for (int k = 0; k < z.n; k++)
        for (int j = 0; j < y.n; j++)
            for (int i = 0; i < x.n; i++) {
                const double weight = x.weight[i] * y.weight[j] * z.weight[k];
                const int64_t slice = p.dims == 3 ? z.at[k] : (int64_t)p.slice;
                if (weight > 0)
                    add_tap(im, out, (int64_t[]){x.at[i], y.at[j], slice}, weight);
            }
}

void texture_gather_taps(const struct image *im, const struct tex_sampler *s,
                         const struct tex_coord *c, struct tex_taps *out)
{
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const struct place p = place_of(im, s, c);
    const struct axis x = axis_of(im, s, &p, 0, true), y = axis_of(im, s, &p, 1, true);
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
                   : "linear memory is read by tex.1d with integer coordinates";
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

/* One channel as a 32-bit register: a float's bits, or an integer. */
static uint32_t channel(const struct image *im, bool as_float, const uint8_t *texel, int i)
{
    const int bytes = texel_channel_bytes((enum texel_format)im->format);
    uint32_t v = 0;
    memcpy(&v, texel + i * bytes, (size_t)bytes);
    switch ((enum texel_format)im->format) {
    case TEXEL_U8:
        return as_float ? bits_f32(normalised((int32_t)v, 255)) : v;
    case TEXEL_U16:
        return as_float ? bits_f32(normalised((int32_t)v, 65535)) : v;
    case TEXEL_S8:
        return as_float ? bits_f32(normalised((int8_t)v, 127)) : (uint32_t)(int8_t)v;
    case TEXEL_S16:
        return as_float ? bits_f32(normalised((int16_t)v, 32767)) : (uint32_t)(int16_t)v;
    case TEXEL_F16:
        return bits_f32(f32_from_f16(v));
    default:
        return v;
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
    if (i >= im->channels)
        return i < 3 ? 0 : as_float ? bits_f32(1) : 1;
    return taps->inside[tap] ? channel(im, as_float, host + taps->offset[tap], i)
                             : border_channel(s, as_float, i);
}

void texture_filter(const struct image *im, const struct tex_sampler *s, const uint8_t *host,
                    const struct tex_taps *taps, uint32_t out[4])
{
    for (int i = 0; i < 4; i++) {
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
        out[t] = tap_channel(im, s, host, taps, t, channel_index);
}
