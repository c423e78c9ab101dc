/* video.c -- video instructions, one lane at a time (PTX ISA 9.7.17 and 9.7.18, "semantics"). */
#include "sim/ptx/video.h"

#include "sim/func/lanes.h"

typedef __int128 wide_int;

static uint32_t low_bits(int bits)
{
    return UINT32_MAX >> (32 - bits);
}

static int64_t element(const uint32_t src[2], struct video_part p, bool is_signed)
{
    const uint32_t bits = src[p.src] >> p.shift & low_bits(p.bits);
    const uint32_t sign = 1u << (p.bits - 1);
    return is_signed ? (int64_t)(int32_t)((bits ^ sign) - sign) : (int64_t)bits;
}

static bool compare(int64_t a, int64_t b, enum cmp cmp)
{
    switch (cmp) {
    case CMP_EQ:
        return a == b;
    case CMP_NE:
        return a != b;
    case CMP_LT:
        return a < b;
    case CMP_LE:
        return a <= b;
    case CMP_GT:
        return a > b;
    default:
        return a >= b;
    }
}

static int shift_count(const struct inst *in, int64_t by)
{
    return (int)(in->flags & INST_WRAP ? by & 31 : by > 32 ? 32 : by);
}

static int64_t compute(const struct inst *in, int64_t a, int64_t b)
{
    switch ((enum video_op)in->video->op) {
    case VIDEO_ADD:
        return a + b;
    case VIDEO_SUB:
        return a - b;
    case VIDEO_ABSDIFF:
        return a < b ? b - a : a - b;
    case VIDEO_AVRG:
        return (a + b + (a + b >= 0)) >> 1;
    case VIDEO_MIN:
        return a < b ? a : b;
    case VIDEO_MAX:
        return a > b ? a : b;
    case VIDEO_SET:
        return compare(a, b, in->cmp);
    case VIDEO_SHL:
        return (int64_t)((uint64_t)a << shift_count(in, b));
    default:
        return a >> shift_count(in, b);
    }
}

static int64_t clamp(wide_int v, int bits, bool is_signed)
{
    const int64_t hi = is_signed ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
    const int64_t lo = is_signed ? -hi - 1 : 0;
    return v > hi ? hi : v < lo ? lo : (int64_t)v;
}

static uint32_t join(const struct inst *in, uint32_t x, uint32_t c)
{
    const bool less = in->video->signed_d ? (int32_t)x < (int32_t)c : x < c;
    switch ((enum atom_op)in->aop) {
    case ATOM_MIN:
        return less ? x : c;
    case ATOM_MAX:
        return less ? c : x;
    default:
        return x;
    }
}

static uint32_t video_lane(const struct inst *in, const uint32_t src[2], uint32_t c)
{
    const struct video *v = in->video;
    uint32_t merged = v->merges ? c : 0, sum = c;
    for (int i = 0; i < v->parts; i++) {
        const struct video_part *d = &v->d[i];
        if (!(v->mask >> i & 1))
            continue;
        int64_t t =
            compute(in, element(src, v->a[i], v->signed_a), element(src, v->b[i], v->signed_b));
        if (in->flags & INST_SAT)
            t = clamp(t, d->bits, v->signed_d);
        const uint32_t mask = low_bits(d->bits) << d->shift;
        merged = (merged & ~mask) | ((uint32_t)t << d->shift & mask);
        sum += (uint32_t)t;
    }
    return in->aop == ATOM_ADD ? sum : join(in, merged, c);
}

/* Negation is by complement and one, so that what is negated has 32 bits: PTX ISA, vmad. */
static uint32_t mad_lane(const struct inst *in, const uint32_t src[2], uint32_t c)
{
    const struct video *v = in->video;
    const bool is_signed = v->signed_a || v->signed_b || v->minus_product || v->minus_c;
    wide_int t =
        (wide_int)element(src, v->a[0], v->signed_a) * (wide_int)element(src, v->b[0], v->signed_b);
    t = v->minus_product ? ~t : t;
    c = v->minus_c ? ~c : c;
    t += is_signed ? (wide_int)(int32_t)c : (wide_int)c;
    t += v->plus_one || v->minus_product || v->minus_c;
    t >>= v->scale;
    return (uint32_t)(in->flags & INST_SAT ? clamp(t, 32, is_signed) : (int64_t)t);
}

static void video(EXEC_ARGS)
{
    ROWS_2(uint32_t, uint32_t, uint32_t);
    const uint32_t *rc = in->ns > 2 ? row_of(w, &in->src[2]) : NULL;
    ACTIVE_LOOP
    {
        const uint32_t src[2] = {ra[i], rb[i]}, c = rc ? rc[i] : 0;
        d[i] = in->video->op == VIDEO_MAD ? mad_lane(in, src, c) : video_lane(in, src, c);
    }
}

exec_fn exec_lookup_video(const struct inst *in)
{
    if (in->op != OP_VIDEO)
        return NULL;
    return in->dst[0].off == OPND_NONE ? exec_nothing : video;
}
