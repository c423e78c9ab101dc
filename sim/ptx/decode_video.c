/* sim/ptx/decode_video.c -- video instructions: which bytes and halves their selectors name. */
#include <string.h>

#include "sim/ptx/decode.h"
#include "sim/ptx/video.h"

static bool mnemonic(const char *base, struct video *v)
{
    static const char *const names[] = {
        [VIDEO_ADD] = "vadd",   [VIDEO_SUB] = "vsub", [VIDEO_ABSDIFF] = "vabsdiff",
        [VIDEO_AVRG] = "vavrg", [VIDEO_MIN] = "vmin", [VIDEO_MAX] = "vmax",
        [VIDEO_SET] = "vset",   [VIDEO_SHL] = "vshl", [VIDEO_SHR] = "vshr",
        [VIDEO_MAD] = "vmad",
    };
    size_t len = strlen(base);
    v->parts = base[len - 1] == '2' ? 2 : base[len - 1] == '4' ? 4 : 1;
    len -= v->parts > 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == len && !memcmp(names[i], base, len))
            v->op = (uint8_t)i;
    return v->parts > 1;
}

/* Without selectors: all of the register, or its elements in order. */
static void whole(struct video *v)
{
    const uint8_t bits = (uint8_t)(32 / v->parts);
    for (uint8_t i = 0; i < v->parts; i++) {
        v->a[i] = v->d[i] = (struct video_part){0, (uint8_t)(bits * i), bits};
        v->b[i] = (struct video_part){1, (uint8_t)(bits * i), bits};
    }
    v->mask = (uint8_t)((1u << v->parts) - 1);
}

/* .b0 to .b3, .h0, .h1. */
static bool scalar_selector(const char *sel, struct video_part *p)
{
    const bool half = sel[0] == 'h';
    if ((!half && sel[0] != 'b') || sel[1] < '0' || sel[1] > (half ? '1' : '3') || sel[2])
        return false;
    p->bits = half ? 16 : 8;
    p->shift = (uint8_t)(p->bits * (sel[1] - '0'));
    return true;
}

/* .h10, .b3210: the highest element first; those of b follow those of a. */
static bool elements_selector(const struct video *v, const char *sel, struct video_part *p)
{
    const int n = v->parts;
    if (sel[0] != (n == 2 ? 'h' : 'b') || (int)strlen(sel) != n + 1)
        return false;
    for (int i = 0; i < n; i++) {
        const int e = sel[n - i] - '0';
        if (e < 0 || e >= 2 * n)
            return false;
        p[i] = (struct video_part){e >= n, (uint8_t)(32 / n * (e % n)), (uint8_t)(32 / n)};
    }
    return true;
}

/* .h1, .b310: the results that are used, the highest first. */
static bool mask_selector(struct video *v, const char *sel)
{
    const int n = v->parts;
    int above = n;
    if (sel[0] != (n == 2 ? 'h' : 'b') || !sel[1])
        return false;
    v->mask = 0;
    for (const char *c = sel + 1; *c; c++) {
        const int e = *c - '0';
        if (e < 0 || e >= above)
            return false;
        above = e;
        v->mask |= (uint8_t)(1u << e);
    }
    return true;
}

/* The register without its selector; *sel: the selector, or NULL. */
static struct operand bare(struct decoder *d, const struct operand *o, const char **sel)
{
    struct operand r = *o;
    const char *dot = o->kind == OPERAND_NAME ? strrchr(o->name->text, '.') : NULL;
    *sel = NULL;
    r.minus = false;
    if (dot && (dot[1] == 'b' || dot[1] == 'h') && dot[2]) {
        *sel = dot + 1;
        r.name = name_intern(d->m, o->name->text, (size_t)(dot - o->name->text));
    }
    return r;
}

static bool selector_ok(struct video *v, int place, const char *sel)
{
    if (!place && v->parts > 1)
        return mask_selector(v, sel);
    struct video_part *p = place == 0 ? v->d : place == 1 ? v->a : v->b;
    return v->parts > 1 ? elements_selector(v, sel, p) : scalar_selector(sel, p);
}

/* Operand `place`: 0 d, 1 a, 2 b, 3 c. */
static bool put(struct decoder *d, const struct operand *o, int place, struct video *v,
                struct inst *in)
{
    const char *sel;
    const struct operand r = bare(d, o, &sel);
    const bool allowed = place < 3 && (place > 0 || v->op != VIDEO_MAD);
    if (sel && (!allowed || !selector_ok(v, place, sel)))
        return decode_err(d, o->loc, ".%s selects nothing here", sel);
    if (!place)
        return opnd_dst(d, &r, VT_U32, FIT_EXACT, &in->dst[in->nd++]);
    v->minus_product ^= o->minus && place < 3;
    v->minus_c |= o->minus && place == 3;
    return opnd_src(d, &r, VT_U32, FIT_EXACT, &in->src[in->ns++]);
}

static bool types(struct decoder *d, const struct spelling *s, struct video *v, struct inst *in)
{
    const bool set = v->op == VIDEO_SET;
    const uint8_t t[] = {s->type, s->stype, s->type3};
    if (s->ntypes != (set ? 2 : 3))
        return decode_err(d, d->st->loc, "%s names %d type%s; it needs %d", in->text, s->ntypes,
                          s->ntypes == 1 ? "" : "s", set ? 2 : 3);
    v->signed_d = !set && t[0] == VT_S32;
    v->signed_a = t[set ? 0 : 1] == VT_S32;
    v->signed_b = t[set ? 1 : 2] == VT_S32;
    in->type = in->stype = v->signed_d ? VT_S32 : VT_U32;
    return true;
}

static const char *wrong(const struct video *v, const struct spelling *s, const struct inst *in)
{
    const bool selects = v->d[0].bits < 32 / v->parts;
    const bool joins = in->aop != ATOM_NONE;
    if (joins && in->aop != ATOM_ADD && (v->parts > 1 || in->aop > ATOM_MAX))
        return "there is no such second operation";
    if (joins && v->parts > 1 && in->flags & INST_SAT)
        return ".sat does not go with .add";
    if (joins && selects)
        return "a selected destination does not go with a second operation";
    if ((joins || selects) && in->ns < 3)
        return "a third source is needed";
    if (s->lo_cmp || in->cmp > CMP_GE)
        return "there is no such comparison";
    if ((v->op == VIDEO_SHL || v->op == VIDEO_SHR) && v->signed_b)
        return "the third type is .u32";
    if (v->minus_product && v->minus_c)
        return "either the product is negated or what is added";
    return NULL;
}

bool decode_video(struct decoder *d, const struct spelling *s, struct inst *in)
{
    struct video *v = arena_alloc(d->arena, sizeof *v);
    const bool all = mnemonic(s->row->base, v) || v->op == VIDEO_MAD;
    whole(v);
    v->plus_one = s->mods & M(PO);
    v->scale = s->scale;
    if (!types(d, s, v, in) || !operand_count(d, all ? 4 : 3, 4))
        return false;
    int place = 0;
    bool minus = false;
    for (const struct operand *o = d->st->ops; o; o = o->next, place++) {
        minus |= o->minus;
        if (!put(d, o, place, v, in))
            return false;
    }
    const char *what = wrong(v, s, in);
    if (minus && v->plus_one)
        what = ".po does not go with a negated operand";
    if (what)
        return decode_err(d, d->st->loc, "%s: %s", in->text, what);
    v->merges = in->aop == ATOM_NONE && (v->parts > 1 || v->d[0].bits < 32);
    in->video = v;
    inst_push(d, in);
    return true;
}
