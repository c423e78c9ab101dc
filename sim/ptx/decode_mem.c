/* sim/ptx/decode_mem.c -- loads, stores, atomics, prefetches, cp.async. */
#include <string.h>

#include "sim/ptx/decode.h"

/* The registers of a vector operand that is no list. */
static bool vector(struct decoder *d, struct inst *in, const struct operand *o, bool write)
{
    struct opnd *out = write ? in->dst + in->nd : in->src + in->ns;
    *(write ? &in->nd : &in->ns) += in->vec;
    return opnd_vector(d, o, (enum vtype)in->type, in->vec, out);
}

/* A store of 32 bytes leaves those alone that stand for a sink. */
static bool skipped(const struct inst *in, const struct operand *o, struct opnd *out)
{
    const bool wide = type_bytes((enum vtype)in->type) * in->vec == 32;
    if (!wide || o->kind != OPERAND_NAME || strcmp(o->name->text, "_"))
        return false;
    *out = (struct opnd){.off = OPND_NONE};
    return true;
}

static bool member(struct decoder *d, struct inst *in, const struct operand *o, bool write)
{
    const enum vtype t = (enum vtype)in->type;
    if (write)
        return opnd_dst(d, o, t, FIT_WIDER, &in->dst[in->nd++]);
    struct opnd *out = &in->src[in->ns++];
    return skipped(in, o, out) || opnd_src(d, o, t, FIT_WIDER, out);
}

/* The members of {a, b}, or the one operand itself. */
static bool data(struct decoder *d, struct inst *in, const struct operand *o, bool write)
{
    const bool list = o->kind == OPERAND_LIST;
    const struct operand *x = list ? o->sub : o;
    int n = 0;
    if (!list && in->vec > 1 && o->kind == OPERAND_NAME)
        return vector(d, in, o, write);
    for (const struct operand *i = x; i; i = list ? i->next : NULL)
        n++;
    if (n != in->vec)
        return decode_err(d, o->loc, "%s moves %d value%s, not %d", in->text, in->vec,
                          in->vec == 1 ? "" : "s", n);
    for (; n; n--, x = x->next)
        if (!member(d, in, x, write))
            return false;
    return true;
}

/* A register of 128 bits, as two of 64. */
static bool wide_data(struct decoder *d, struct inst *in, const struct operand *o, bool write)
{
    struct opnd *out = write ? in->dst + in->nd : in->src + in->ns;
    *(write ? &in->nd : &in->ns) += 2;
    return write ? opnd_wide_dst(d, o, out) : opnd_wide_src(d, o, out);
}

static bool address(struct decoder *d, struct inst *in, const struct operand *o)
{
    return opnd_addr(d, o, in, &in->src[in->ns++]);
}

/* The last operand of an access with .L2::cache_hint: checked, and without effect here. */
static bool policy(struct decoder *d, const struct operand *o)
{
    struct opnd ignored;
    return !o || opnd_src(d, o, VT_B64, FIT_EXACT, &ignored);
}

/* createpolicy.fractional d {, fraction}; .range d, [a], bytes, bytes; .cvt d, a. What a policy is
 * in bits no one says; here each is the same. */
static bool create_policy(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const bool range = !strcmp(s->row->base, "createpolicy.range");
    const bool cvt = !strcmp(s->row->base, "createpolicy.cvt");
    struct opnd ignored;
    struct inst there = {.space = SP_GLOBAL};
    if (!operand_count(d, range ? 4 : cvt ? 2 : 1, range ? 4 : 2))
        return false;
    const struct operand *o = d->st->ops, *a = o->next;
    if (!opnd_dst(d, o, VT_B64, FIT_EXACT, &in->dst[in->nd++]))
        return false;
    in->src[in->ns++] = const_row(d, UINT64_C(0x1000000000000000), 8);
    if (cvt && !opnd_src(d, a, VT_B64, FIT_EXACT, &in->src[0]))
        return false;
    if (range &&
        (!opnd_addr(d, a, &there, &ignored) || !opnd_src(d, a->next, VT_U32, FIT_EXACT, &ignored) ||
         !opnd_src(d, a->next->next, VT_U32, FIT_EXACT, &ignored)))
        return false;
    if (!range && !cvt && a && !opnd_src(d, a, VT_F32, FIT_EXACT, &ignored))
        return false;
    in->op = OP_MOV;
    inst_push(d, in);
    return true;
}

static bool check_space(struct decoder *d, const struct inst *in)
{
    if (in->op == OP_ST && in->space == SP_CONST)
        return decode_err(d, d->st->loc, "%s: constant memory is not written", in->text);
    if (in->op == OP_ST && in->space == SP_PARAM)
        return decode_err(d, d->st->loc, "%s: the parameters of a kernel are not written",
                          in->text);
    if ((in->flags & INST_NC) && in->space != SP_GLOBAL)
        return decode_err(d, d->st->loc, "%s: .nc goes with .global", in->text);
    return true;
}

/* 32 bytes of global memory are moved as eight of 4 or four of 8. */
static bool check_size(struct decoder *d, const struct inst *in)
{
    const int bytes = type_bytes((enum vtype)in->type) * in->vec;
    if (bytes > 32 || (bytes > 16 && in->type == VT_B128))
        return decode_err(d, d->st->loc, "%s moves more than 32 bytes", in->text);
    if (in->vec == 8 && bytes != 32)
        return decode_err(d, d->st->loc, "%s: .v8 goes with types of 32 bits", in->text);
    if (bytes == 32 && in->space != SP_GLOBAL && in->space != SP_GENERIC)
        return decode_err(d, d->st->loc, "%s: 32 bytes at once are for .global", in->text);
    return true;
}

static bool load_store(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const int n = s->has_policy ? 3 : 2;
    if (!operand_count(d, n, n))
        return false;
    const struct operand *a = d->st->ops, *b = a->next;
    const bool store = in->op == OP_ST;
    if (!s->has_cache)
        in->cache = store ? CACHE_WB : CACHE_CA;
    const bool wide = in->type == VT_B128 && in->vec == 1;
    if (!check_size(d, in))
        return false;
    if (wide) {
        in->type = in->stype = VT_B64;
        in->vec = 2;
    }
    in->flags |= store ? INST_STORE : INST_LOAD;
    bool (*const moved)(struct decoder *, struct inst *, const struct operand *, bool) =
        wide ? wide_data : data;
    const bool ok = store ? address(d, in, a) && moved(d, in, b, false)
                          : moved(d, in, a, true) && address(d, in, b);
    if (!ok || !policy(d, b->next) || !check_space(d, in))
        return false;
    inst_push(d, in);
    return true;
}

/* Types of each atomic operation (PTX ISA 9.7.13.8). */
static uint64_t atomic_types(enum atom_op op, bool is_red)
{
    const uint64_t words = TY(U32) | TY(S32) | TY(U64) | TY(S64);
    const uint64_t halves = TY(F16) | TY(F16X2) | TY(BF16) | TY(BF16X2);
    switch (op) {
    case ATOM_ADD:
        return (words & ~TY(S64)) | halves | TY(F32) | TY(F64);
    case ATOM_MIN:
    case ATOM_MAX:
        return words;
    case ATOM_AND:
    case ATOM_OR:
    case ATOM_XOR:
        return TY(B32) | TY(B64);
    case ATOM_EXCH:
        return is_red ? 0 : TY(B32) | TY(B64) | TY(B128);
    case ATOM_CAS:
        return is_red ? 0 : TY(B16) | TY(B32) | TY(B64) | TY(B128);
    case ATOM_INC:
    case ATOM_DEC:
        return TY(U32);
    default:
        return 0;
    }
}

/* Sums of two or four, each of them atomic by itself. */
static bool atomic_vector_ok(const struct inst *in)
{
    return in->aop == ATOM_ADD && type_is_float((enum vtype)in->type) && in->type != VT_F64;
}

static bool atomic_operand(struct decoder *d, struct inst *in, const struct operand *o, bool write)
{
    const enum vtype t = (enum vtype)in->type;
    if (t == VT_B128)
        return wide_data(d, in, o, write);
    if (in->vec > 1)
        return data(d, in, o, write);
    return write ? opnd_dst(d, o, t, FIT_EXACT, &in->dst[in->nd++])
                 : opnd_src(d, o, t, FIT_EXACT, &in->src[in->ns++]);
}

static bool atomic(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const bool red = in->op == OP_RED;
    const int n = (red ? 2 : 3) + (in->aop == ATOM_CAS) + s->has_policy;
    const enum vtype t = (enum vtype)in->type;
    if (!(atomic_types((enum atom_op)in->aop, red) >> t & 1) ||
        (in->vec > 1 && !atomic_vector_ok(in)))
        return decode_err(d, d->st->loc, "there is no %s", in->text);
    if (!operand_count(d, n, n))
        return false;
    const struct operand *o = d->st->ops;
    if (!red) {
        if (!atomic_operand(d, in, o, true))
            return false;
        o = o->next;
    }
    if (!address(d, in, o))
        return false;
    if (in->space != SP_GENERIC && in->space != SP_GLOBAL && in->space != SP_SHARED)
        return decode_err(d, d->st->loc, "%s: atomics work on .global and .shared", in->text);
    for (int i = in->aop == ATOM_CAS ? 2 : 1; i; i--) {
        o = o->next;
        if (!atomic_operand(d, in, o, false))
            return false;
    }
    if (!policy(d, o->next))
        return false;
    in->flags |= INST_ATOMIC;
    inst_push(d, in);
    return true;
}

/* prefetch [a]; discard [a], 128; applypriority [a], 128. */
static bool prefetch(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const bool sized = in->op == OP_DISCARD || in->op == OP_APPLYPRIORITY;
    if (in->op == OP_PREFETCH && !(s->mods & (M(LEVEL) | M(HINT))))
        return decode_err(d, d->st->loc, "%s needs a level, .L1 or .L2", in->text);
    if (!operand_count(d, sized ? 2 : 1, sized ? 2 : 1) || !address(d, in, d->st->ops))
        return false;
    const struct operand *size = d->st->ops->next;
    if (size && (size->kind != OPERAND_INT || size->i != 128))
        return decode_err(d, size->loc, "the size is 128");
    inst_push(d, in);
    return true;
}

static bool async_size(struct decoder *d, const struct operand *o, struct inst *in)
{
    if (o->kind != OPERAND_INT || (o->i != 4 && o->i != 8 && o->i != 16))
        return decode_err(d, o->loc, "cp.async copies 4, 8 or 16 bytes");
    if (in->cache == CACHE_CG && o->i != 16)
        return decode_err(d, o->loc, "cp.async.cg copies 16 bytes");
    in->type = in->stype = VT_B32;
    in->vec = (uint8_t)(o->i / 4);
    return true;
}

/* src-size, or the predicate ignore-src. */
static bool async_limit(struct decoder *d, const struct operand *o, struct inst *in)
{
    const struct ref r =
        o->kind == OPERAND_NAME ? scope_find(d, o->name) : (struct ref){.kind = REF_NONE};
    const bool pred = r.kind == REF_REG && d->vreg[r.vreg].type == VT_PRED;
    return opnd_src(d, o, pred ? VT_PRED : VT_U32, FIT_EXACT, &in->src[in->ns++]);
}

static bool cp_async(struct decoder *d, const struct spelling *s, struct inst *in)
{
    if (!operand_count(d, 3 + s->has_policy, 4 + s->has_policy))
        return false;
    const struct operand *to = d->st->ops, *from = to->next, *size = from->next;
    const struct operand *limit = size->next;
    struct inst source = {.space = SP_GLOBAL};
    if (in->space != SP_SHARED)
        return decode_err(d, d->st->loc, "%s copies from .global to .shared", in->text);
    if (!address(d, in, to) || !opnd_addr(d, from, &source, &in->src[in->ns++]))
        return false;
    in->src[in->ns++] = const_row(d, (uint64_t)source.imm, 8);
    if (!async_size(d, size, in))
        return false;
    if (limit && s->has_policy && !limit->next) { /* the only one left is the cache policy */
        if (!policy(d, limit))
            return false;
    } else if (limit && !async_limit(d, limit, in)) {
        return false;
    }
    in->flags |= INST_LOAD;
    inst_push(d, in);
    return true;
}

/* An address in a space of its own, and its displacement. */
static bool address_in(struct decoder *d, struct inst *in, const struct operand *o, enum space s)
{
    struct inst there = {.space = (uint8_t)s};
    if (!opnd_addr(d, o, &there, &in->src[in->ns++]))
        return false;
    in->src[in->ns++] = const_row(d, (uint64_t)there.imm, 8);
    return true;
}

/* cp.async.bulk.shared::cluster.global [to], [from], bytes, [mbarrier]; also from .shared::cta; to
 * .global: no mbarrier. The spelling's space is where it comes from. */
static bool bulk(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const bool to_global = !strcmp(s->row->base, "cp.async.bulk.global");
    const bool to_cluster = !strcmp(s->row->base, "cp.async.bulk.shared::cluster");
    const bool from_shared = in->space == SP_SHARED;
    const int n = (to_global ? 3 : 4) + s->has_policy;
    if (from_shared ? !to_global && !to_cluster : to_global || in->space != SP_GLOBAL) {
        in->op = OP_UNSUPPORTED;
        inst_push(d, in);
        return true;
    }
    if (!operand_count(d, n, n))
        return false;
    const struct operand *to = d->st->ops, *from = to->next, *bytes = from->next;
    in->mode = to_global ? BULK_TO_GLOBAL : from_shared ? BULK_TO_CLUSTER : BULK_TO_SHARED;
    in->space = to_global ? SP_GLOBAL : SP_SHARED;
    if (!address(d, in, to) || !address_in(d, in, from, from_shared ? SP_SHARED : SP_GLOBAL) ||
        !opnd_src(d, bytes, VT_U32, FIT_EXACT, &in->src[in->ns++]))
        return false;
    const struct operand *o = bytes->next;
    if (!to_global) {
        if (!address_in(d, in, o, SP_SHARED))
            return false;
        o = o->next;
    }
    if (!policy(d, o))
        return false;
    in->flags |= INST_LOAD;
    inst_push(d, in);
    return true;
}

/* cp.async.wait_group N; wait_all is wait_group 0. */
static bool async_wait(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const bool all = !strcmp(s->row->base, "cp.async.wait_all");
    if (!operand_count(d, !all, !all))
        return false;
    const struct operand *o = d->st->ops;
    if (o && o->kind != OPERAND_INT)
        return decode_err(d, o->loc, "an integer constant is needed here");
    in->src[in->ns++] = const_row(d, o ? (uint64_t)o->i : 0, 4);
    inst_push(d, in);
    return true;
}

bool decode_mem(struct decoder *d, const struct spelling *s, struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_ATOM:
    case OP_RED:
        return atomic(d, s, in);
    case OP_CP_ASYNC:
        return cp_async(d, s, in);
    case OP_CP_ASYNC_WAIT:
        return async_wait(d, s, in);
    case OP_CP_BULK:
        return bulk(d, s, in);
    case OP_CREATEPOLICY:
        return create_policy(d, s, in);
    case OP_LD:
    case OP_LDU:
    case OP_ST:
        return load_store(d, s, in);
    default:
        return prefetch(d, s, in);
    }
}
