#include "sim/func/mipmap.h"

#include <math.h>

#define LEVEL_ALIGN 512 /* bytes */

int mipmap_most_levels(const struct image *im)
{
    const uint32_t all = im->size[0] | im->size[1] | im->size[2];
    return 32 - __builtin_clz(all | 1);
}

static uint32_t halved(uint32_t size, int times)
{
    return size >> times ? size >> times : 1;
}

uint64_t mipmap_level(const struct image *im, int level, struct image *out)
{
    uint64_t at = 0;
    for (int i = 0;; i++) {
        *out = *im;
        out->levels = 0;
        for (int dim = 0; dim < im->dims; dim++)
            out->size[dim] = halved(im->size[dim], i);
        image_lay_out(out);
        if (i == level)
            break;
        at += (out->bytes + LEVEL_ALIGN - 1) / LEVEL_ALIGN * LEVEL_ALIGN;
    }
    out->base = im->base + at;
    return at;
}

bool mipmap_lay_out(struct image *im)
{
    struct image last;
    if (!image_lay_out(im))
        return false;
    const uint64_t at = mipmap_level(im, im->levels - 1, &last);
    im->bytes = at + last.bytes; /* at most twice the first's: no overflow */
    return true;
}

/* Derivatives on the face that the direction meets: of s = (sc / |m| + 1) / 2, likewise t. */
static void on_face(const float v[3], const float d[3], float out[2])
{
    const float ax = fabsf(v[0]), ay = fabsf(v[1]), az = fabsf(v[2]);
    const int major = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
    const int across[3][2] = {{2, 1}, {0, 2}, {0, 1}};
    const float m = fabsf(v[major]), dm = v[major] < 0 ? -d[major] : d[major];
    for (int i = 0; i < 2; i++) {
        const int k = across[major][i]; /* its sign does not matter to the length */
        out[i] = (d[k] * m - v[k] * dm) / (2 * m * m);
    }
}

float mipmap_of_gradients(const struct image *im, const struct tex_coord *c, const float d[2][3])
{
    const bool cube = c->geom == GEOM_CUBE || c->geom == GEOM_ACUBE;
    double most = 0;
    for (int i = 0; i < 2; i++) {
        float face[2];
        double sum = 0;
        if (cube)
            on_face(c->f, d[i], face);
        for (int dim = 0; dim < im->dims; dim++) {
            const double texels = (double)(cube ? face[dim] : d[i][dim]) * im->size[dim];
            sum += texels * texels;
        }
        most = sum > most ? sum : most;
    }
    return (float)(log2(most) / 2); /* of 0: below every level */
}

static double limited(double v, double low, double high)
{
    return v > high ? high : v >= low ? v : low; /* NaN: low */
}

/* Adds a level's texels, their weights times `weight`. */
static void add_level(const struct image *im, const struct tex_sampler *s,
                      const struct tex_coord *c, int level, double weight, struct tex_taps *out)
{
    struct image small;
    struct tex_taps t;
    const uint64_t at = mipmap_level(im, level, &small);
    texture_taps(&small, s, c, &t);
    for (int i = 0; i < t.n; i++, out->n++) {
        out->inside[out->n] = t.inside[i];
        out->offset[out->n] = at + t.offset[i];
        out->weight[out->n] = weight * t.weight[i];
    }
}

void mipmap_taps(const struct image *im, const struct tex_sampler *s, const struct tex_coord *c,
                 float lod, struct tex_taps *out)
{
    const double wanted =
        limited((double)lod + (double)s->bias, (double)s->lowest, (double)s->highest);
    const double at = limited(wanted, 0, im->levels > 1 ? im->levels - 1 : 0);
    const int fixed = (int)(at * 256 + 0.5), level = fixed / 256;
    out->n = 0;
    if (!s->mip_linear) {
        add_level(im, s, c, (fixed + 128) / 256, 1, out);
        return;
    }
    const double beyond = (fixed % 256) / 256.0;
    add_level(im, s, c, level, 1 - beyond, out);
    if (beyond > 0)
        add_level(im, s, c, level + 1, beyond, out);
}
