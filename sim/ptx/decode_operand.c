/* sim/ptx/decode_operand.c -- one operand of the text to one struct opnd, checked against the type
 * that the instruction wants (PTX ISA 9.4: operand type and size rules). */
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/decode.h"
#include "sim/ptx/half.h"

static int bits_of(enum vtype t)
{
    return t == VT_PRED ? 1 : 8 * type_bytes(t);
}

static int width_of(enum vtype t)
{
    return t == VT_PRED ? 0 : type_bytes(t) > 4 ? 8 : 4;
}

static bool is_bits(enum vtype t)
{
    return t >= VT_B8 && t <= VT_B128;
}

/* ---- constants ---- */

static uint32_t cbank_take(struct decoder *d, uint32_t bytes)
{
    if (d->cbank_bytes + bytes > d->cap_cbank) {
        const uint32_t cap = d->cap_cbank ? 2 * d->cap_cbank : 16384;
        uint8_t *p = xaligned(64, cap);
        memset(p, 0, cap);
        if (d->cbank_bytes)
            memcpy(p, d->cbank, d->cbank_bytes);
        free(d->cbank);
        d->cbank = p;
        d->cap_cbank = cap;
    }
    const uint32_t off = d->cbank_bytes;
    d->cbank_bytes += bytes;
    return off;
}

static struct const_slot *const_probe(struct const_slot *table, uint32_t cap, uint64_t value,
                                      int width)
{
    uint64_t h = (value + (uint64_t)width) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = (uint32_t)(h >> 32);; i++) {
        struct const_slot *s = &table[i & (cap - 1)];
        if (!s->used || (s->value == value && s->width == width))
            return s;
    }
}

static void const_grow(struct decoder *d)
{
    const uint32_t cap = d->cap_chash ? 2 * d->cap_chash : 256;
    struct const_slot *table = xcalloc(cap, sizeof *table);
    for (uint32_t i = 0; i < d->cap_chash; i++)
        if (d->chash[i].used)
            *const_probe(table, cap, d->chash[i].value, d->chash[i].width) = d->chash[i];
    free(d->chash);
    d->chash = table;
    d->cap_chash = cap;
}

static uint32_t const_fill(struct decoder *d, uint64_t value, int width)
{
    if (!width) { /* predicate masks: sixteen to a cache line */
        if (!d->cmask_left) {
            d->cmask_off = cbank_take(d, 64);
            d->cmask_left = 16;
        }
        const uint32_t off = d->cmask_off + 4 * (16 - d->cmask_left--);
        *(lanes_t *)(d->cbank + off) = value ? LANES_ALL : 0;
        return off;
    }
    const uint32_t off = cbank_take(d, (uint32_t)width * WARP_SIZE);
    for (int lane = 0; lane < WARP_SIZE; lane++)
        memcpy(d->cbank + off + lane * width, &value, (size_t)width);
    return off;
}

struct opnd const_row(struct decoder *d, uint64_t value, int width)
{
    if (width == 4)
        value = (uint32_t)value;
    if (!width)
        value = !!value;
    if (2 * d->nchash >= d->cap_chash)
        const_grow(d);
    struct const_slot *s = const_probe(d->chash, d->cap_chash, value, width);
    if (!s->used) {
        *s = (struct const_slot){value, const_fill(d, value, width), (uint8_t)width, true};
        d->nchash++;
    }
    return (struct opnd){.off = s->off,
                         .bank = BANK_CONST,
                         .width = (uint8_t)width,
                         .bits = width ? (uint8_t)(8 * width) : 1};
}

/* ---- registers ---- */

struct opnd vreg_opnd(const struct decoder *d, uint32_t vreg)
{
    const enum vtype t = (enum vtype)d->vreg[vreg].type;
    return (struct opnd){.off = vreg,
                         .reg = d->vreg[vreg].reg,
                         .num = d->vreg[vreg].num,
                         .bank = BANK_VREG,
                         .width = (uint8_t)width_of(t),
                         .bits = (uint8_t)bits_of(t)};
}

/* Two types of a register and an instruction agree when either is untyped bits, or both are
 * integers, or they are the same floating-point type. A register of two halves is as good as one
 * of 32 bits where no floating-point number is wanted. */
static bool same_class(enum vtype reg, enum vtype t)
{
    if (is_bits(reg) || is_bits(t) || reg == t)
        return true;
    return !type_is_float(t) && (!type_is_float(reg) || reg == VT_F16X2);
}

static bool check_register(struct decoder *d, const struct operand *o, enum vtype reg, enum vtype t,
                           enum fit fit)
{
    const bool pred = reg == VT_PRED;
    bool ok = pred == (t == VT_PRED);
    if (ok && !pred) {
        const int have = bits_of(reg), want = bits_of(t);
        ok = (fit == FIT_EXACT ? have == want : have >= want) && same_class(reg, t);
    }
    if (!ok)
        return decode_err(d, o->loc, "%s is .%s; .%s is needed here", o->name->text, type_name(reg),
                          type_name(t));
    return true;
}

static bool reject(struct decoder *d, const struct operand *o, const char *wanted)
{
    return decode_err(d, o->loc, "%s is needed here", wanted);
}

static bool undeclared(struct decoder *d, const struct operand *o)
{
    return decode_err(d, o->loc, "%s is not declared", o->name->text);
}

static bool is_sink(const struct operand *o)
{
    return o->kind == OPERAND_NAME && !strcmp(o->name->text, "_") && !o->name->sym;
}

bool opnd_dst(struct decoder *d, const struct operand *o, enum vtype t, enum fit fit,
              struct opnd *out)
{
    if (is_sink(o)) {
        *out = (struct opnd){.off = OPND_NONE, .width = (uint8_t)width_of(t)};
        return true;
    }
    if (o->kind != OPERAND_NAME || o->neg || o->i)
        return reject(d, o, "a register");
    const struct ref r = scope_find(d, o->name);
    if (r.kind == REF_NONE)
        return undeclared(d, o);
    if (r.kind != REF_REG || r.count != 1)
        return reject(d, o, "a register that can be written");
    *out = vreg_opnd(d, r.vreg);
    return check_register(d, o, (enum vtype)d->vreg[r.vreg].type, t, fit);
}

/* ---- sources ---- */

static bool immediate(struct decoder *d, const struct operand *o, enum vtype t, struct opnd *out)
{
    uint64_t bits = (uint64_t)o->i;
    if (o->kind == OPERAND_INT) {
        if (type_is_float(t) && t != VT_F16X2 && t != VT_BF16X2)
            return reject(d, o, "a floating-point value");
    } else if (!number_bits(o, t, &bits)) {
        return reject(d, o, "an integer");
    }
    if (t != VT_PRED && type_bytes(t) < 8)
        bits &= (UINT64_C(1) << bits_of(t)) - 1;
    *out = const_row(d, bits, width_of(t));
    if (t != VT_PRED)
        out->bits = (uint8_t)bits_of(t);
    return true;
}

/* Registers that change while a warp runs are read by an instruction of their own. */
static struct opnd read_changing(struct decoder *d, int sreg)
{
    const bool wide = sreg == SREG_CLOCK64 || sreg == SREG_GLOBALTIMER;
    struct inst in;
    inst_init(d, &in);
    in.op = OP_MOVSREG;
    in.mode = (uint8_t)sreg;
    in.text = wide ? "mov.u64" : "mov.u32";
    in.type = in.stype = wide ? VT_U64 : VT_U32;
    in.dst[0] = vreg_opnd(d, vreg_new(d, wide ? VT_U64 : VT_U32));
    in.nd = 1;
    const struct opnd copy = in.dst[0];
    inst_push(d, &in);
    return copy;
}

static bool special(struct decoder *d, const struct operand *o, int sreg, enum vtype t,
                    struct opnd *out)
{
    if (t == VT_PRED || type_is_float(t))
        return check_register(d, o, VT_U32, t, FIT_EXACT);
    if (sreg >= SREG_ROWS)
        *out = read_changing(d, sreg);
    else
        *out = (struct opnd){.off = (uint32_t)sreg, .bank = BANK_SREG, .width = 4, .bits = 32};
    if (sreg < SREG_ROWS)
        d->sreg_used[sreg] = true;
    if (bits_of(t) > out->bits)
        return check_register(d, o, VT_U32, t, FIT_EXACT);
    return true;
}

bool opnd_src(struct decoder *d, const struct operand *o, enum vtype t, enum fit fit,
              struct opnd *out)
{
    if (o->kind <= OPERAND_F64)
        return immediate(d, o, t, out);
    if (o->kind != OPERAND_NAME)
        return reject(d, o, "a register or a constant");
    const struct ref r = scope_find(d, o->name);
    switch (r.kind) {
    case REF_NONE:
        return undeclared(d, o);
    case REF_SYM:
        return opnd_symbol(d, o, t, out);
    case REF_CONST:
        *out = const_row(d, r.value, width_of(t));
        return true;
    default:
        break;
    }
    if (o->i || o->generic || (o->neg && t != VT_PRED))
        return reject(d, o, "a plain register");
    if (r.kind == REF_SREG)
        return special(d, o, r.sreg, t, out);
    if (r.count != 1)
        return reject(d, o, r.wide ? "a register of another size" : "one member of the vector");
    *out = vreg_opnd(d, r.vreg);
    out->neg = o->neg;
    return check_register(d, o, (enum vtype)d->vreg[r.vreg].type, t, fit);
}

bool opnd_vector(struct decoder *d, const struct operand *o, enum vtype t, int n, struct opnd *out)
{
    const struct ref r =
        o->kind == OPERAND_NAME ? scope_find(d, o->name) : (struct ref){.kind = REF_NONE};
    if (r.kind != REF_REG || (int)r.count != n || r.wide || o->neg || o->i)
        return reject(d, o, "a vector of registers");
    for (uint32_t i = 0; i < r.count; i++)
        out[i] = vreg_opnd(d, r.vreg + i);
    return check_register(d, o, (enum vtype)d->vreg[r.vreg].type, t, FIT_WIDER);
}

/* ---- 128 bits ---- */

static bool wide_register(struct decoder *d, const struct operand *o, struct opnd out[2])
{
    const struct ref r =
        o->kind == OPERAND_NAME ? scope_find(d, o->name) : (struct ref){.kind = REF_NONE};
    if (o->kind == OPERAND_NAME && r.kind == REF_NONE)
        return undeclared(d, o);
    if (r.kind != REF_REG || !r.wide || o->neg || o->i)
        return reject(d, o, "a register of 128 bits");
    out[0] = vreg_opnd(d, r.vreg);
    out[1] = vreg_opnd(d, r.vreg + 1);
    return true;
}

bool opnd_wide_dst(struct decoder *d, const struct operand *o, struct opnd out[2])
{
    if (!is_sink(o))
        return wide_register(d, o, out);
    out[0] = out[1] = (struct opnd){.off = OPND_NONE, .width = 8};
    return true;
}

bool opnd_wide_src(struct decoder *d, const struct operand *o, struct opnd out[2])
{
    if (o->kind != OPERAND_INT)
        return wide_register(d, o, out);
    out[0] = const_row(d, (uint64_t)o->i, 8);
    out[1] = const_row(d, !o->is_unsigned && o->i < 0 ? UINT64_MAX : 0, 8);
    return true;
}

/* ---- addresses ---- */

uint64_t symbol_value(const struct decoder *d, const struct sym *s)
{
    if (s->kind == SYM_FUNC)
        return FUNC_ADDR_BASE + 16 * (uint64_t)s->func->index;
    const struct var *v = s->var;
    return v->index >= 0 ? d->m->mvar[v->index].addr : v->off;
}

uint64_t frame_base(const struct decoder *d)
{
    return ((d->local + 15) & ~UINT64_C(15)) + (d->uses_stack ? STACK_BYTES : 0);
}

static void params_are_read(struct decoder *d)
{
    memset(d->k->param_read, 1, d->k->param_bytes);
}

/* A load from the kernel's parameters at a constant address reads some bytes of them, and what else
 * may be done there any of them. */
static void reads_param(struct decoder *d, const struct inst *in, uint64_t at)
{
    const uint64_t bytes = (uint64_t)type_bytes((enum vtype)in->type) * in->vec;
    if (in->op == OP_LD && at <= d->k->param_bytes && bytes <= d->k->param_bytes - at)
        memset(d->k->param_read + at, 1, bytes);
    else
        params_are_read(d);
}

/* The address of a .param variable of a function is one of local memory (PTX ISA, mov). */
static uint64_t symbol_address_value(struct decoder *d, const struct sym *s)
{
    if (s->kind == SYM_VAR && s->var->index < 0 && s->var->space == SP_PARAM)
        params_are_read(d);
    if (s->kind != SYM_VAR || s->var->index >= 0 || s->var->space != SP_FRAME)
        return symbol_value(d, s);
    d->frame_taken = true;
    return frame_base(d) + symbol_value(d, s);
}

static bool moves_with_calls(const struct decoder *d, const struct sym *s)
{
    return d->recursive && s->kind == SYM_VAR && s->var->index < 0 && s->var->space == SP_LOCAL;
}

static struct opnd local_base(struct decoder *d)
{
    d->sreg_used[SREG_LOCAL_BASE] = true;
    return (struct opnd){.off = SREG_LOCAL_BASE, .bank = BANK_SREG, .width = 4, .bits = 32};
}

/* base + offset, by an instruction of its own. */
static struct opnd local_address(struct decoder *d, uint64_t offset, int width)
{
    struct inst in;
    inst_init(d, &in);
    in.text = width == 8 ? "mad.wide.u32" : "add.u32";
    in.op = width == 8 ? OP_MAD : OP_ADD;
    in.flags = width == 8 ? INST_WIDE : 0;
    in.type = width == 8 ? VT_U64 : VT_U32;
    in.stype = VT_U32;
    in.dst[in.nd++] = vreg_opnd(d, vreg_new(d, width == 8 ? VT_U64 : VT_U32));
    in.src[in.ns++] = local_base(d);
    if (width == 8)
        in.src[in.ns++] = const_row(d, 1, 4);
    in.src[in.ns++] = const_row(d, offset, width);
    const struct opnd sum = in.dst[0];
    inst_push(d, &in);
    return sum;
}

bool opnd_symbol(struct decoder *d, const struct operand *o, enum vtype t, struct opnd *out)
{
    const struct ref r = scope_find(d, o->name);
    if (r.kind != REF_SYM || (r.sym->kind != SYM_VAR && r.sym->kind != SYM_FUNC) || o->neg)
        return reject(d, o, "a register, a constant or a variable");
    if (type_is_float(t) || type_bytes(t) < 4)
        return decode_err(d, o->loc, "the address of %s does not fit in .%s", o->name->text,
                          type_name(t));
    const uint64_t value = symbol_address_value(d, r.sym) + (uint64_t)o->i;
    *out = moves_with_calls(d, r.sym) ? local_address(d, value, width_of(t))
                                      : const_row(d, value, width_of(t));
    return true;
}

static enum space space_of(const struct var *v)
{
    if (v->index >= 0)
        return v->storage == ST_CONST ? SP_CONST : SP_GLOBAL;
    return (enum space)v->space;
}

static bool symbol_address(struct decoder *d, const struct operand *o, const struct sym *s,
                           struct inst *in, struct opnd *out)
{
    static const char *const names[SP_COUNT] = {"generic", "global", "shared", "local",
                                                "const",   "param",  "param",  "tex"};
    if (s->kind != SYM_VAR)
        return reject(d, o, "the address of a variable");
    const enum space sp = space_of(s->var);
    if (in->space == SP_GENERIC || (in->space == SP_PARAM && sp == SP_FRAME))
        in->space = (uint8_t)sp;
    if (in->space != sp)
        return decode_err(d, o->loc, "%s is in .%s, not in .%s", o->name->text, names[sp],
                          names[in->space]);
    in->imm = o->i;
    if (sp == SP_PARAM)
        reads_param(d, in, symbol_value(d, s) + (uint64_t)o->i);
    if (moves_with_calls(d, s)) {
        *out = local_base(d);
        in->imm += (int64_t)symbol_value(d, s);
        return true;
    }
    *out = const_row(d, symbol_value(d, s), sp == SP_GLOBAL || sp == SP_CONST ? 8 : 4);
    return true;
}

bool opnd_addr(struct decoder *d, const struct operand *o, struct inst *in, struct opnd *out)
{
    if (o->kind != OPERAND_ADDR || !o->sub || o->sub->next)
        return reject(d, o, "an address in brackets");
    const struct operand *base = o->sub;
    if (base->kind == OPERAND_INT) {
        if (in->space != SP_LOCAL)
            return reject(d, base, "a register or a variable");
        *out = const_row(d, (uint64_t)base->i, 8);
        return true;
    }
    if (base->kind != OPERAND_NAME || base->neg)
        return reject(d, base, "a register or a variable");
    const struct ref r = scope_find(d, base->name);
    if (r.kind == REF_NONE)
        return undeclared(d, base);
    if (r.kind == REF_SYM)
        return symbol_address(d, base, r.sym, in, out);
    if (r.kind != REF_REG || r.count != 1)
        return reject(d, base, "a register or a variable");
    *out = vreg_opnd(d, r.vreg);
    if (out->bits < 32 || type_is_float((enum vtype)d->vreg[r.vreg].type))
        return decode_err(d, base->loc, "%s is .%s; an address has 32 or 64 bits", base->name->text,
                          type_name((enum vtype)d->vreg[r.vreg].type));
    if (in->space == SP_PARAM && !d->f->is_entry)
        in->space = SP_LOCAL;
    if (in->space == SP_PARAM)
        params_are_read(d);
    in->imm = base->i;
    return true;
}
