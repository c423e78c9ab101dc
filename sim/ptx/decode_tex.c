/* sim/ptx/decode_tex.c -- textures and surfaces: fetches, gathers, queries, loads and stores.
 * The handle is a register (a texture object, or the address of a reference), or the name of a
 * reference; both are rows, and what a handle means is found when the instruction executes. */
#include "sim/ptx/decode.h"

#include <string.h>

enum { SRC_HANDLE, SRC_X, SRC_LAYER = 4, SRC_SAMPLER, SRC_LEVEL, FETCH_SOURCES };
enum { SRC_GRADIENTS = SRC_LEVEL, GRADIENT_SOURCES = SRC_GRADIENTS + 6 };
enum { SURF_Z = 3, SURF_DATA };

static const struct {
    uint8_t coords;
    bool layered;
} geoms[GEOM_COUNT] = {[GEOM_1D] = {1, false},  [GEOM_2D] = {2, false}, [GEOM_3D] = {3, false},
                       [GEOM_A1D] = {1, true},  [GEOM_A2D] = {2, true}, [GEOM_CUBE] = {3, false},
                       [GEOM_ACUBE] = {3, true}};

static bool refuse(struct decoder *d, struct inst *in)
{
    in->op = OP_UNSUPPORTED;
    in->nd = in->ns = 0;
    inst_push(d, in);
    return true;
}

/* A register, or the name of a texture, surface or sampler reference. */
static bool handle(struct decoder *d, const struct operand *o, enum opaque a, enum opaque b,
                   struct opnd *out)
{
    const struct ref r =
        o->kind == OPERAND_NAME ? scope_find(d, o->name) : (struct ref){.kind = REF_NONE};
    if (r.kind != REF_SYM)
        return opnd_src(d, o, VT_U64, FIT_EXACT, out);
    const struct var *v = r.sym->kind == SYM_VAR ? r.sym->var : NULL;
    if (!v || v->index < 0 || (v->opaque != a && v->opaque != b))
        return decode_err(d, o->loc, "%s is no %s reference", o->name->text,
                          a == OPAQUE_SURFACE ? "surface" : "texture");
    return opnd_symbol(d, o, VT_U64, out);
}

/* {layer, x, y, z}: as many as the geometry has; up to four may be written (the rest is padding).
 */
static bool coordinates(struct decoder *d, struct inst *in, const struct operand *o, enum vtype t,
                        struct opnd *layer)
{
    const bool list = o && o->kind == OPERAND_LIST, layered = geoms[in->mode].layered;
    const int need = geoms[in->mode].coords + layered;
    const struct operand *x = list ? o->sub : o;
    int n = 0;
    for (const struct operand *i = x; i; i = list ? i->next : NULL)
        n++;
    if (n < need || n > 4)
        return decode_err(d, o ? o->loc : d->st->loc, "%s takes %d coordinate%s, not %d", in->text,
                          need, need == 1 ? "" : "s", n);
    if (layered) {
        if (!opnd_src(d, x, VT_U32, FIT_EXACT, layer))
            return false;
        x = x->next;
    }
    for (int i = 0; i < geoms[in->mode].coords; i++, x = x->next)
        if (!opnd_src(d, x, t, FIT_EXACT, &in->src[SRC_X + i]))
            return false;
    return true;
}

/* [handle, coordinates] or [handle, sampler, coordinates]. */
static bool location(struct decoder *d, struct inst *in, const struct operand *o)
{
    const struct operand *h = o->kind == OPERAND_ADDR ? o->sub : NULL;
    const struct operand *c = h ? h->next : NULL;
    if (!c || (c->next && c->next->next))
        return decode_err(d, o->loc, "%s reads [texture, coordinates]", in->text);
    if (!handle(d, h, OPAQUE_TEXTURE, OPAQUE_TEXTURE, &in->src[SRC_HANDLE]))
        return false;
    if (c->next) {
        if (!handle(d, c, OPAQUE_SAMPLER, OPAQUE_TEXTURE, &in->src[SRC_SAMPLER]))
            return false;
        c = c->next;
    }
    return coordinates(d, in, c, (enum vtype)in->stype, &in->src[SRC_LAYER]);
}

static bool results(struct decoder *d, struct inst *in, const struct operand *o)
{
    const struct operand *x = o->kind == OPERAND_LIST ? o->sub : NULL;
    int n = 0;
    for (const struct operand *i = x; i; i = i->next)
        n++;
    if (o->kind == OPERAND_NAME) {
        in->nd = 4;
        return opnd_vector(d, o, (enum vtype)in->type, 4, in->dst);
    }
    if (n != 4)
        return decode_err(d, o->loc, "%s returns 4 values, not %d", in->text, n);
    for (; x; x = x->next)
        if (!opnd_dst(d, x, (enum vtype)in->type, FIT_EXACT, &in->dst[in->nd++]))
            return false;
    return true;
}

/* A vector with a number for each coordinate, or up to four (the rest is padding). */
static bool gradient(struct decoder *d, struct inst *in, const struct operand *o, int to)
{
    const bool list = o->kind == OPERAND_LIST;
    const struct operand *x = list ? o->sub : o;
    int n = 0;
    for (const struct operand *i = x; i; i = list ? i->next : NULL)
        n++;
    if (n < geoms[in->mode].coords || n > 4)
        return decode_err(d, o->loc, "a gradient of %s has %d number%s, not %d", in->text,
                          geoms[in->mode].coords, geoms[in->mode].coords == 1 ? "" : "s", n);
    for (int i = 0; i < geoms[in->mode].coords; i++, x = x->next)
        if (!opnd_src(d, x, VT_F32, FIT_EXACT, &in->src[to + i]))
            return false;
    return true;
}

/* What comes behind the location: a level, two gradients, nothing. */
static bool detail(struct decoder *d, struct inst *in, const struct operand *o)
{
    if (!(in->flags & INST_GRADIENTS))
        return !o || opnd_src(d, o, (enum vtype)in->stype, FIT_EXACT, &in->src[SRC_LEVEL]);
    in->ns = GRADIENT_SOURCES;
    return gradient(d, in, o, SRC_GRADIENTS) && gradient(d, in, o->next, SRC_GRADIENTS + 3);
}

/* Not here: offsets, depth comparison, residency predicates, halves. */
static bool fetch(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const bool level = in->op == OP_TEX && !strcmp(s->row->base, "tex.level");
    const bool gradients = in->op == OP_TEX && !strcmp(s->row->base, "tex.grad");
    const bool gather = in->op == OP_TLD4;
    const int details = level ? 1 : gradients ? 2 : 0;
    if (!operand_count(d, 2, 6))
        return false;
    const struct operand *dst = d->st->ops, *at = dst->next;
    int n = 0;
    for (const struct operand *o = at->next; o; o = o->next)
        n++;
    if (dst->kind == OPERAND_PAIR || in->type == VT_F16 || in->type == VT_F16X2 || n > details)
        return refuse(d, in);
    if (n < details)
        return decode_err(d, d->st->loc, "%s needs %s", in->text,
                          level ? "a level" : "two gradients");
    if (in->vec != 4)
        return decode_err(d, d->st->loc, "there is no %s", in->text);
    if (gather && in->mode != GEOM_2D && in->mode != GEOM_A2D)
        return refuse(d, in);
    if (in->stype == VT_S32 && (in->mode == GEOM_CUBE || in->mode == GEOM_ACUBE))
        return decode_err(d, d->st->loc, "%s: the coordinates of a cube are .f32", in->text);
    in->ns = FETCH_SOURCES;
    in->space = SP_TEX;
    in->flags |= INST_LOAD | (gradients ? INST_GRADIENTS : 0);
    if (!results(d, in, dst) || !location(d, in, at) || !detail(d, in, at->next))
        return false;
    inst_push(d, in);
    return true;
}

/* txq.Q d, [a]; txq.level.Q d, [a], level; suq.Q d, [a] */
static bool query(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const bool surface = !strcmp(s->row->base, "suq"), level = !strcmp(s->row->base, "txq.level");
    const enum opaque what = surface ? OPAQUE_SURFACE : OPAQUE_TEXTURE;
    if (!operand_count(d, level ? 3 : 2, level ? 3 : 2))
        return false;
    const struct operand *dst = d->st->ops, *at = dst->next;
    if (at->kind != OPERAND_ADDR || !at->sub || at->sub->next)
        return decode_err(d, at->loc, "%s asks about [%s]", in->text,
                          surface ? "surface" : "texture");
    if (!opnd_dst(d, dst, VT_B32, FIT_EXACT, &in->dst[in->nd++]) ||
        !handle(d, at->sub, what, surface ? what : OPAQUE_SAMPLER, &in->src[in->ns++]))
        return false;
    if (level && !opnd_src(d, at->next, VT_B32, FIT_EXACT, &in->src[in->ns++]))
        return false;
    inst_push(d, in);
    return true;
}

static bool element(struct decoder *d, struct inst *in, const struct operand *o)
{
    const enum vtype t = (enum vtype)in->type;
    return in->op == OP_SULD ? opnd_dst(d, o, t, FIT_WIDER, &in->dst[in->nd++])
                             : opnd_src(d, o, t, FIT_WIDER, &in->src[in->ns++]);
}

static bool elements(struct decoder *d, struct inst *in, const struct operand *o)
{
    const bool list = o->kind == OPERAND_LIST;
    int n = 0;
    for (const struct operand *i = list ? o->sub : o; i; i = list ? i->next : NULL)
        n++;
    if (n != in->vec)
        return decode_err(d, o->loc, "%s moves %d value%s, not %d", in->text, in->vec,
                          in->vec == 1 ? "" : "s", n);
    for (const struct operand *i = list ? o->sub : o; i; i = list ? i->next : NULL)
        if (!element(d, in, i))
            return false;
    return true;
}

/* suld.b d, [surface, coordinates]; sust.b [surface, coordinates], d */
static bool surface(struct decoder *d, struct inst *in)
{
    const bool load = in->op == OP_SULD;
    if (!operand_count(d, 2, 2))
        return false;
    const struct operand *a = d->st->ops, *at = load ? a->next : a, *data = load ? a : a->next;
    const struct operand *h = at->kind == OPERAND_ADDR ? at->sub : NULL;
    if (!h || !h->next || h->next->next)
        return decode_err(d, at->loc, "%s takes [surface, coordinates]", in->text);
    if (in->mode == GEOM_CUBE || in->mode == GEOM_ACUBE)
        return decode_err(d, d->st->loc, "there is no %s", in->text);
    if (type_bytes((enum vtype)in->type) * in->vec > 16)
        return decode_err(d, d->st->loc, "%s moves more than 16 bytes", in->text);
    in->ns = SURF_DATA;
    in->space = SP_GLOBAL;
    in->flags |= load ? INST_LOAD : INST_STORE;
    if (!handle(d, h, OPAQUE_SURFACE, OPAQUE_SURFACE, &in->src[SRC_HANDLE]) ||
        !coordinates(d, in, h->next, VT_S32, &in->src[SURF_Z]) || !elements(d, in, data))
        return false;
    inst_push(d, in);
    return true;
}

bool decode_tex(struct decoder *d, const struct spelling *s, struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_TXQ:
        return query(d, s, in);
    case OP_SULD:
    case OP_SUST:
        return surface(d, in);
    default:
        return fetch(d, s, in);
    }
}
