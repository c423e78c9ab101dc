#include "sim/func/tex_access.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/func/exec.h"
#include "sim/func/fpbits.h"
#include "sim/func/mipmap.h"

enum { SRC_HANDLE, SRC_X, SRC_LAYER = 4, SRC_SAMPLER, SRC_LEVEL }; /* sim/ptx/inst.h */
#define SRC_GRADIENTS SRC_LEVEL

/* ---- Handles ---- */
static const char *const kind_name[] = {"texture", "surface", "sampler"};

static bool bad_handle(struct warp *w, const struct inst *in, int lane, uint64_t value,
                       enum tex_kind kind)
{
    const struct alloc *al = devmem_find(w->cta->launch->mem, value, 8);
    char text[200];
    if (al && al->base < HEAP_BASE)
        snprintf(text, sizeof text, "%s reference '%.60s' is not bound", kind_name[kind], al->name);
    else
        snprintf(text, sizeof text, "0x%" PRIx64 " is no handle of a %s", value, kind_name[kind]);
    warp_fault(w, in, FAULT_TEXTURE, lane, value, 0, text);
    return false;
}

/* In independent mode the sampler may be a texture's own. */
static const struct texture *find(const struct launch *l, uint64_t value, enum tex_kind kind)
{
    uint64_t handle = value;
    if (value < TEX_HANDLE_BASE && !devmem_read(l->mem, value, &handle, sizeof handle))
        return NULL;
    const struct texture *t = textures_find(l->textures, kind, handle);
    return t || kind != TEX_KIND_SAMPLER ? t : textures_find(l->textures, TEX_KIND_TEXTURE, handle);
}

bool tex_resolve(struct warp *w, const struct inst *in, int lane, const struct opnd *o,
                 enum tex_kind kind, struct tex_ref *r)
{
    const uint64_t value = row64(w, o)[lane];
    if (r->what && r->handle == value)
        return true;
    *r = (struct tex_ref){.handle = value, .what = find(w->cta->launch, value, kind)};
    if (!r->what)
        return bad_handle(w, in, lane, value, kind);
    if (kind == TEX_KIND_SAMPLER)
        return true;
    const struct image *im = &r->what->im;
    const struct alloc *al = devmem_find(w->cta->launch->mem, im->base, im->bytes);
    if (!al) {
        char text[120];
        snprintf(text, sizeof text, "the memory of the %s at 0x%" PRIx64 " has been freed",
                 kind_name[kind], im->base);
        warp_fault(w, in, FAULT_TEXTURE, lane, im->base, 0, text);
        return false;
    }
    devmem_use_all(w->cta->launch->mem, al, in->op == OP_SUST ? ALLOC_WRITTEN : ALLOC_READ);
    r->host =
        al->host + (im->base - al->base); /* behind devmem_use_all(): a first store may move it */
    r->at = im->base + al->moved;
    return true;
}

/* ---- Fetches ---- */
struct fetch { /* what the lanes of an instruction have in common, as long as their handles agree */
    struct tex_ref texture, sampler;
    struct tex_sampler s; /* of integer coordinates and of gathers: not filtered */
};

/* A new texture or sampler is looked at once. */
static bool find_both(struct warp *w, const struct inst *in, int lane, struct fetch *f)
{
    const struct texture *t = f->texture.what, *own = f->sampler.what;
    const bool apart = in->src[SRC_SAMPLER].off != OPND_NONE;
    if (!tex_resolve(w, in, lane, &in->src[SRC_HANDLE], TEX_KIND_TEXTURE, &f->texture) ||
        (apart && !tex_resolve(w, in, lane, &in->src[SRC_SAMPLER], TEX_KIND_SAMPLER, &f->sampler)))
        return false;
    if (t == f->texture.what && own == f->sampler.what)
        return true;
    const struct tex_coord c = {.geom = (enum tex_geom)in->mode, .integer = in->stype == VT_S32};
    f->s = apart ? f->sampler.what->s : f->texture.what->s;
    if (c.integer || in->op == OP_TLD4)
        f->s.linear = false;
    const char *why = texture_mismatch(&f->texture.what->im, &f->s, &c);
    if (why)
        warp_fault(w, in, FAULT_TEXTURE, lane, f->texture.handle, 0, why);
    return !why;
}

static struct tex_coord coordinates(struct warp *w, const struct inst *in, int lane)
{
    struct tex_coord c = {.geom = (enum tex_geom)in->mode, .integer = in->stype == VT_S32};
    for (int i = 0; i < 3; i++)
        if (in->src[SRC_X + i].off != OPND_NONE)
            c.i[i] = (int32_t)row32(w, &in->src[SRC_X + i])[lane];
    if (in->src[SRC_LAYER].off != OPND_NONE)
        c.layer = row32(w, &in->src[SRC_LAYER])[lane];
    return c;
}

/* A float level is clamped to those that there are, as the hardware does. */
static bool level_is_there(struct warp *w, const struct inst *in, int lane, const struct image *im)
{
    const struct opnd *o = &in->src[SRC_LEVEL];
    const uint32_t levels = im->levels ? im->levels : 1;
    if (o->off == OPND_NONE || in->stype == VT_F32 || row32(w, o)[lane] < levels)
        return true;
    warp_fault(w, in, FAULT_TEXTURE, lane, 0, 0,
               levels > 1 ? "there is no such level"
                          : "a level other than 0: there are no mipmaps");
    return false;
}

/* The level of detail that the instruction names, or follows from its gradients. */
static float level_of_detail(struct warp *w, const struct inst *in, int lane,
                             const struct image *im, const struct tex_coord *c)
{
    float d[2][3] = {{0}};
    if (!(in->flags & INST_GRADIENTS)) {
        const uint32_t bits = row32(w, &in->src[SRC_LEVEL])[lane];
        return in->stype == VT_F32 ? f32_of(bits) : (float)bits;
    }
    for (int i = 0; i < 6; i++)
        if (in->src[SRC_GRADIENTS + i].off != OPND_NONE)
            d[i / 3][i % 3] = f32_of(row32(w, &in->src[SRC_GRADIENTS + i])[lane]);
    return mipmap_of_gradients(im, c, d);
}

static void report(struct step *out, const struct tex_ref *r, int lane, const struct tex_taps *taps)
{
    for (; out->taps < taps->n; out->taps++)
        out->tap_lanes[out->taps] = 0;
    for (int t = 0; t < taps->n; t++) {
        if (!taps->inside[t])
            continue;
        out->tap_lanes[t] |= 1u << lane;
        out->tap[t][lane] = r->at + taps->offset[t];
    }
    out->bytes = (uint8_t)image_texel_bytes(&r->what->im);
}

static void write_lane(struct warp *w, const struct inst *in, int lane, const uint32_t v[4])
{
    for (int i = 0; i < in->nd; i++)
        if (in->dst[i].off != OPND_NONE)
            row32(w, &in->dst[i])[lane] = v[i];
}

static bool fetch_lane(struct warp *w, const struct inst *in, int lane, struct fetch *f)
{
    struct tex_taps taps;
    uint32_t v[4];
    if (!find_both(w, in, lane, f) || !level_is_there(w, in, lane, &f->texture.what->im))
        return false;
    const struct image *im = &f->texture.what->im;
    const bool level = im->levels && in->src[SRC_LEVEL].off != OPND_NONE;
    const struct tex_coord c = coordinates(w, in, lane);
    if (in->op == OP_TLD4) {
        texture_gather_taps(im, &f->s, &c, &taps);
        texture_gather(im, &f->s, f->texture.host, &taps, in->aop, v);
    } else {
        if (level)
            mipmap_taps(im, &f->s, &c, level_of_detail(w, in, lane, im, &c), &taps);
        else
            texture_taps(im, &f->s, &c, &taps);
        texture_filter(im, &f->s, f->texture.host, &taps, v);
    }
    report(w->out, &f->texture, lane, &taps);
    write_lane(w, in, lane, v);
    return true;
}

static bool same_handle(struct warp *w, const struct opnd *o, lanes_t active)
{
    const uint64_t *row = row64(w, o), first = row[__builtin_ctz(active)];
    uint64_t other = 0;
    for (lanes_t m = o->bank == BANK_CONST ? 0 : active; m; m &= m - 1)
        other |= row[__builtin_ctz(m)] ^ first;
    return !other;
}

/* tex1Dfetch: all lanes read one piece of linear memory. False: they do not, nothing is done. */
static bool fetch_indices(struct warp *w, const struct inst *in, lanes_t active, struct fetch *f)
{
    const struct image *im = &f->texture.what->im;
    struct step *out = w->out;
    if (im->kind != IMAGE_LINEAR || in->src[SRC_SAMPLER].off != OPND_NONE ||
        in->src[SRC_LEVEL].off != OPND_NONE || !same_handle(w, &in->src[SRC_HANDLE], active))
        return false;
    struct tex_indices x = {.active = active};
    uint32_t row[WARP_SIZE]; /* a result may go where the index comes from */
    memcpy(row, row32(w, &in->src[SRC_X]), sizeof row);
    x.row = row;
    out->taps = 1;
    out->tap_lanes[0] = 0;
    out->bytes = (uint8_t)image_texel_bytes(im);
    for (lanes_t m = active; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        out->tap_lanes[0] |= (lanes_t)(row[lane] < im->size[0]) << lane;
        out->tap[0][lane] = f->texture.at + ((uint64_t)row[lane] << im->texel_log2);
    }
    for (int i = 0; i < in->nd; i++)
        if (in->dst[i].off != OPND_NONE)
            texture_read_indices(im, &f->s, f->texture.host, &x, i, row32(w, &in->dst[i]));
    return true;
}

/* Up to four texels of each lane, filtered. */
static void fetch_quads(struct warp *w, const struct inst *in, const struct tex_points *p,
                        struct fetch *f)
{
    const struct image *im = &f->texture.what->im;
    struct step *out = w->out;
    struct tex_quads q;
    texture_quads(im, &f->s, p, &q);
    out->taps = q.taps;
    for (int k = 0; k < q.taps; k++) {
        out->tap_lanes[k] = q.inside[k];
        for (lanes_t m = q.inside[k]; m; m &= m - 1)
            out->tap[k][__builtin_ctz(m)] = f->texture.at + q.offset[k][__builtin_ctz(m)];
    }
    for (int i = 0; i < in->nd; i++)
        if (in->dst[i].off != OPND_NONE)
            texture_filter_quads(im, &f->s, f->texture.host, &q, i, row32(w, &in->dst[i]));
}

static void fetch_texels(struct warp *w, const struct inst *in, const struct tex_points *p,
                         struct fetch *f)
{
    const struct image *im = &f->texture.what->im;
    struct step *out = w->out;
    uint64_t offset[WARP_SIZE] = {0};
    const struct tex_texels x = {
        .active = p->active, .inside = texture_points(im, &f->s, p, offset), .offset = offset};
    out->taps = 1;
    out->tap_lanes[0] = x.inside;
    for (lanes_t m = x.inside; m; m &= m - 1)
        out->tap[0][__builtin_ctz(m)] = f->texture.at + offset[__builtin_ctz(m)];
    for (int i = 0; i < in->nd; i++)
        if (in->dst[i].off != OPND_NONE)
            texture_read_points(im, &f->s, f->texture.host, &x, i, row32(w, &in->dst[i]));
}

/* All lanes read one image of one or two dimensions. False: they do not, nothing is done. */
static bool fetch_points(struct warp *w, const struct inst *in, lanes_t active, struct fetch *f)
{
    if (in->op != OP_TEX || (in->mode != GEOM_1D && in->mode != GEOM_2D) ||
        in->src[SRC_SAMPLER].off != OPND_NONE || in->src[SRC_LEVEL].off != OPND_NONE ||
        !same_handle(w, &in->src[SRC_HANDLE], active))
        return false;
    uint32_t row[2][WARP_SIZE]; /* a result may go where a coordinate comes from */
    const bool flat = in->mode == GEOM_2D;
    memcpy(row[0], row32(w, &in->src[SRC_X]), sizeof row[0]);
    if (flat)
        memcpy(row[1], row32(w, &in->src[SRC_X + 1]), sizeof row[1]);
    const struct tex_points p = {.active = active,
                                 .integer = in->stype == VT_S32,
                                 .wide = w->cta->kernel->wide,
                                 .x = row[0],
                                 .y = flat ? row[1] : NULL};
    w->out->bytes = (uint8_t)image_texel_bytes(&f->texture.what->im);
    (f->s.linear ? fetch_quads : fetch_texels)(w, in, &p, f);
    return true;
}

static void exec_fetch(struct warp *w, const struct inst *in, lanes_t active)
{
    struct fetch f = {0};
    w->out->taps = 0;
    w->out->space = SP_TEX;
    w->out->is_load = true;
    if (!find_both(w, in, __builtin_ctz(active), &f) || fetch_indices(w, in, active, &f) ||
        fetch_points(w, in, active, &f))
        return;
    for (lanes_t m = active; m; m &= m - 1)
        if (!fetch_lane(w, in, __builtin_ctz(m), &f))
            return;
}

/* ---- Queries ---- */

/* PTX ISA, opaque types: values are OpenCL's. */
static uint32_t data_type(const struct image *im, const struct tex_sampler *s)
{
    static const uint16_t plain[TEXEL_FORMATS] = {
        [TEXEL_U8] = 0x10da,  [TEXEL_U16] = 0x10db, [TEXEL_U32] = 0x10dc, [TEXEL_S8] = 0x10d7,
        [TEXEL_S16] = 0x10d8, [TEXEL_S32] = 0x10d9, [TEXEL_F16] = 0x10dd, [TEXEL_F32] = 0x10de};
    static const uint16_t scaled[TEXEL_FORMATS] = {
        [TEXEL_U8] = 0x10d2, [TEXEL_U16] = 0x10d3, [TEXEL_S8] = 0x10d0, [TEXEL_S16] = 0x10d1};
    return s && texture_is_float(im, s) && scaled[im->format] ? scaled[im->format]
                                                              : plain[im->format];
}

static uint32_t order(const struct image *im)
{
    return im->channels == 1 ? 0x10b0 : im->channels == 2 ? 0x10b2 : 0x10b5; /* R, RG, RGBA */
}

static uint32_t answer(const struct inst *in, const struct texture *t, bool surface)
{
    const struct image *im = &t->im;
    switch ((enum tex_query)in->mode) {
    case QUERY_WIDTH:
        return im->size[0];
    case QUERY_HEIGHT:
        return im->dims > 1 ? im->size[1] : 0;
    case QUERY_DEPTH:
        return im->dims > 2 ? im->size[2] : 0;
    case QUERY_DATA_TYPE:
        return data_type(im, surface ? NULL : &t->s);
    case QUERY_ORDER:
        return order(im);
    case QUERY_NORMALIZED:
        return t->s.normalized;
    case QUERY_UNNORMALIZED:
        return !t->s.normalized;
    case QUERY_ARRAY_SIZE:
        return im->layers;
    case QUERY_LEVELS:
        return im->levels ? im->levels : 1;
    case QUERY_SAMPLES:
        return 1;
    case QUERY_FILTER:
        return t->s.linear;
    case QUERY_ADDRESS_0:
    case QUERY_ADDRESS_1:
    case QUERY_ADDRESS_2:
        return t->s.address[in->mode - QUERY_ADDRESS_0];
    default: /* QUERY_LAYOUT: 1 tiled (the driver's layout), 0 rows */
        return im->tile_x_log2 != 0;
    }
}

static void exec_query(struct warp *w, const struct inst *in, lanes_t active)
{
    const bool surface = in->text[0] == 's';
    struct tex_ref r = {0};
    if (in->dst[0].off == OPND_NONE)
        return;
    for (lanes_t m = active; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const enum tex_kind kind = surface ? TEX_KIND_SURFACE
                                   : in->mode >= QUERY_UNNORMALIZED && in->mode <= QUERY_ADDRESS_2
                                       ? TEX_KIND_SAMPLER
                                       : TEX_KIND_TEXTURE;
        if (!tex_resolve(w, in, lane, &in->src[SRC_HANDLE], kind, &r))
            return;
        struct texture t = *r.what;
        const uint32_t level = in->ns > 1 ? row32(w, &in->src[1])[lane] : 0;
        if (level > 0 && level < t.im.levels)
            mipmap_level(&r.what->im, (int)level, &t.im);
        row32(w, &in->dst[0])[lane] = answer(in, &t, surface);
    }
}

exec_fn exec_lookup_tex(const struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_TEX:
    case OP_TLD4:
        return exec_fetch;
    case OP_TXQ:
        return exec_query;
    default:
        return NULL;
    }
}
