/* sim/func/surf_access.c -- suld.b and sust.b: bytes of a surface, by byte in x and by element in
 * the other dimensions. */
#include <string.h>

#include "sim/func/exec.h"
#include "sim/func/tex_access.h"

enum { SRC_HANDLE, SRC_X, SRC_Y, SRC_Z, SRC_DATA }; /* sim/ptx/inst.h */

struct place {
    int64_t at[3]; /* byte in x, row, slice or layer */
    int64_t end[3];
};

static int dims_of(enum tex_geom g)
{
    return g == GEOM_1D || g == GEOM_A1D ? 1 : g == GEOM_3D ? 3 : 2;
}

static bool layered(const struct inst *in)
{
    return in->mode == GEOM_A1D || in->mode == GEOM_A2D;
}

/* As textures do, a fetch of fewer dimensions reads the first row. */
static bool fits(const struct inst *in, const struct image *im)
{
    return layered(in) == (im->layers != 0) && (in->mode == GEOM_3D) == (im->dims == 3);
}

static struct place place_of(struct warp *w, const struct inst *in, int lane,
                             const struct image *im)
{
    struct place p = {.end = {(int64_t)im->size[0] << im->texel_log2, im->size[1],
                              im->layers ? im->layers : im->size[2]}};
    for (int i = 0; i < 3; i++)
        if (in->src[SRC_X + i].off != OPND_NONE)
            p.at[i] = (int32_t)row32(w, &in->src[SRC_X + i])[lane];
    for (int i = dims_of((enum tex_geom)in->mode); i < 2; i++)
        p.at[i] = 0;
    return p;
}

/* .clamp moves the access to the nearest place where it fits. False: nothing is accessed. */
static bool clamp(const struct inst *in, struct place *p, int bytes)
{
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        const int64_t last = p->end[i] - (i ? 1 : bytes);
        if (p->at[i] >= 0 && p->at[i] <= last)
            continue;
        inside = false;
        p->at[i] = p->at[i] < 0 ? 0 : last;
    }
    return inside || (in->aop == SURF_CLAMP && p->end[0] >= bytes);
}

static bool fault_at(struct warp *w, const struct inst *in, int lane, enum fault_kind kind,
                     const char *why)
{
    warp_fault(w, in, kind, lane, 0, type_bytes((enum vtype)in->type) * in->vec, why);
    return false;
}

static void move_element(struct warp *w, const struct opnd *o, int lane, uint8_t *mem, int bytes,
                         bool load)
{
    uint64_t v = 0;
    if (o->off == OPND_NONE)
        return;
    if (load) {
        if (mem)
            memcpy(&v, mem, (size_t)bytes);
        if (o->width == 8)
            row64(w, o)[lane] = v;
        else
            row32(w, o)[lane] = (uint32_t)v;
        return;
    }
    v = o->width == 8 ? row64(w, o)[lane] : row32(w, o)[lane];
    memcpy(mem, &v, (size_t)bytes);
}

/* mem NULL: outside with .zero; loads are 0, stores are dropped. */
static void move_lane(struct warp *w, const struct inst *in, int lane, uint8_t *mem)
{
    const int bytes = type_bytes((enum vtype)in->type);
    const bool load = in->op == OP_SULD;
    if (!load && !mem)
        return;
    for (int i = 0; i < in->vec; i++)
        move_element(w, load ? &in->dst[i] : &in->src[SRC_DATA + i], lane,
                     mem ? mem + i * bytes : NULL, bytes, load);
}

static bool access_lane(struct warp *w, const struct inst *in, int lane, struct tex_ref *r,
                        lanes_t *touched)
{
    const int bytes = type_bytes((enum vtype)in->type) * in->vec;
    if (!tex_resolve(w, in, lane, &in->src[SRC_HANDLE], TEX_KIND_SURFACE, r))
        return false;
    const struct image *im = &r->what->im;
    if (!fits(in, im))
        return fault_at(w, in, lane, FAULT_TEXTURE, "the surface has other dimensions");
    struct place p = place_of(w, in, lane, im);
    const bool there = clamp(in, &p, bytes);
    if (!there && in->aop == SURF_TRAP)
        return fault_at(w, in, lane, FAULT_TEXTURE, "outside of the surface");
    if (!there) {
        move_lane(w, in, lane, NULL);
        return true;
    }
    if (p.at[0] % bytes)
        return fault_at(w, in, lane, FAULT_MISALIGNED,
                        "the byte coordinate is not a multiple of the access's size");
    uint64_t run;
    const uint64_t off =
        image_run(im, (uint64_t)p.at[0], (uint32_t)p.at[1], (uint32_t)p.at[2], &run);
    move_lane(w, in, lane, r->host + off);
    w->out->addr[lane] = r->at + off;
    *touched |= 1u << lane;
    return true;
}

/* Lanes that touch nothing repeat another's address, so that they cost nothing. */
static void report(struct warp *w, const struct inst *in, lanes_t active, lanes_t touched)
{
    struct step *out = w->out;
    const addr_t some = touched ? out->addr[__builtin_ctz(touched)] : 0;
    for (lanes_t m = active & ~touched; m; m &= m - 1)
        out->addr[__builtin_ctz(m)] = some;
    out->space = SP_GLOBAL;
    out->bytes = touched ? (uint8_t)(type_bytes((enum vtype)in->type) * in->vec) : 0;
    out->is_load = in->op == OP_SULD && touched;
    out->is_store = in->op == OP_SUST && touched;
}

static void exec_surface(struct warp *w, const struct inst *in, lanes_t active)
{
    struct tex_ref r = {0};
    lanes_t touched = 0;
    for (lanes_t m = active; m; m &= m - 1)
        if (!access_lane(w, in, __builtin_ctz(m), &r, &touched))
            return;
    report(w, in, active, touched);
}

exec_fn exec_lookup_surf(const struct inst *in)
{
    return in->op == OP_SULD || in->op == OP_SUST ? exec_surface : NULL;
}
