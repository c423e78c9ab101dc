/* sim/ptx/decode.c -- a function, statement by statement. */
#include "sim/ptx/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool decode_err(struct decoder *d, struct loc at, const char *fmt, ...)
{
    char msg[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return module_err(d->m, at, d->e, "%s", msg);
}

bool operand_count(struct decoder *d, int min, int max)
{
    int n = 0;
    for (const struct operand *o = d->st->ops; o; o = o->next)
        n++;
    if (n >= min && n <= max)
        return true;
    if (min == max)
        return decode_err(d, d->st->loc, "%s takes %d operand%s, not %d", d->st->name->text, min,
                          min == 1 ? "" : "s", n);
    return decode_err(d, d->st->loc, "%s takes %d to %d operands, not %d", d->st->name->text, min,
                      max, n);
}

/* ---- instructions ---- */

bool inst_init(struct decoder *d, struct inst *in)
{
    const struct stmt *st = d->st;
    *in = (struct inst){.vec = 1,
                        .target = RECONV_EXIT,
                        .reconv = RECONV_EXIT,
                        .line = st->loc.line,
                        .col = st->loc.col,
                        .func = &d->k->func[d->f->slot],
                        .text = st->name ? st->name->text : "ret"};
    for (int i = 0; i < INST_MAX_DST; i++)
        in->dst[i].off = OPND_NONE;
    for (int i = 0; i < INST_MAX_SRC; i++)
        in->src[i].off = OPND_NONE;
    in->guard.off = OPND_NONE;
    if (!st->guard)
        return true;
    const struct operand o = {.kind = OPERAND_NAME, .name = st->guard, .loc = st->guard_loc};
    if (!opnd_dst(d, &o, VT_PRED, FIT_EXACT, &in->guard))
        return false;
    in->guard.neg = st->guard_neg;
    return true;
}

void inst_push(struct decoder *d, struct inst *in)
{
    GROW(d->inst, d->ninst, d->cap_inst);
    in->pc = d->ninst;
    isa_timing(in);
    d->inst[d->ninst++] = *in;
}

bool decode_is_old(const struct decoder *d)
{
    return d->m->version && d->m->version < 14;
}

static const struct spelling *spelling_of(struct decoder *d)
{
    struct name *n = d->st->name;
    if (n->spelling)
        return n->spelling;
    struct spelling *s = arena_alloc(&d->m->arena, sizeof *s);
    struct err why;
    int at;
    if (isa_spell(n->text, s, &at, &why)) {
        n->spelling = s;
        return s;
    }
    decode_err(d, (struct loc){d->st->loc.line, d->st->loc.col + at}, "%s", why.msg);
    return NULL;
}

static enum vtype widened(enum vtype t)
{
    static const uint8_t wide[VT_COUNT] = {
        [VT_U16] = VT_U32, [VT_S16] = VT_S32, [VT_U32] = VT_U64, [VT_S32] = VT_S64};
    return (enum vtype)wide[t];
}

static bool lacks(struct decoder *d, const struct inst *in, const char *what)
{
    return decode_err(d, d->st->loc, "%s needs %s", in->text, what);
}

/* What may be left unsaid. PTX before 1.4 has no rounding on div, rcp and sqrt of f32: they are
 * approximate. */
static bool default_rounding(struct decoder *d, struct inst *in)
{
    const bool said = in->rnd || in->flags & (INST_APPROX | INST_FULL);
    const bool old = decode_is_old(d);
    if (!type_is_float((enum vtype)in->type) || said)
        return true;
    switch ((enum opcode)in->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        in->rnd = RND_RN;
        return true;
    case OP_MAD:
    case OP_FMA: /* mad.f32 of sm_1x has none */
        if (!old && (in->type != VT_F32 || d->m->target >= 20))
            return lacks(d, in, "a rounding mode");
        in->rnd = RND_RN;
        return true;
    case OP_DIV:
    case OP_RCP:
    case OP_SQRT:
        if (!old)
            return lacks(d, in,
                         in->type == VT_F64 ? "a rounding mode"
                                            : "a rounding mode, .approx or .full");
        if (in->type == VT_F64)
            in->rnd = RND_RN;
        else
            in->flags |= INST_APPROX | INST_FTZ;
        return true;
    case OP_RSQRT:
    case OP_SIN:
    case OP_COS:
    case OP_LG2:
    case OP_EX2:
        if (!old)
            return lacks(d, in, ".approx");
        in->flags |= INST_APPROX;
        return true;
    default:
        return true;
    }
}

/* inst.type, .stype and .mode as inst.h says how each opcode holds its types. */
static bool decode_types(struct decoder *d, const struct spelling *s, struct inst *in)
{
    in->type = s->type;
    in->stype = s->ntypes > 1 ? s->stype : s->type;
    const int need = !s->row || !s->row->types ? 0 : s->row->stypes ? 2 : 1;
    if (s->ntypes < need)
        return decode_err(d, d->st->loc, "%s names %d type%s; it needs %d", in->text, s->ntypes,
                          s->ntypes == 1 ? "" : "s", need);
    if (in->op == OP_SETP)
        in->type = VT_PRED;
    if (in->op != OP_MUL && in->op != OP_MAD)
        return true;
    if (!type_is_float((enum vtype)in->type) && !(s->mods & (M(HILO) | M(WIDE))))
        return decode_err(d, d->st->loc, "%s needs .lo, .hi or .wide", in->text);
    if (!(in->flags & INST_WIDE))
        return true;
    in->type = (uint8_t)widened((enum vtype)in->stype);
    return in->type ? true : decode_err(d, d->st->loc, "%s: no type is wider", in->text);
}

static void copy_spelling(const struct spelling *s, struct inst *in)
{
    in->op = s->op;
    in->flags = s->flags;
    in->space = s->space;
    in->vec = s->vec ? s->vec : 1;
    in->cmp = s->cmp;
    in->bop = s->bop;
    in->rnd = s->rnd;
    in->aop = s->aop;
    in->cache = s->cache;
    in->mode = s->mode;
}

static bool decode_operands(struct decoder *d, const struct spelling *s, struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_UNSUPPORTED:
        inst_push(d, in);
        return true;
    case OP_MOV:
        return decode_mov(d, s, in);
    case OP_CVT:
        return decode_cvt(d, s, in);
    case OP_CVT_NARROW:
        return decode_cvt_narrow(d, s, in);
    case OP_CVTA:
    case OP_ISSPACEP:
        return decode_cvta(d, s, in);
    case OP_LD:
    case OP_LDU:
    case OP_ST:
    case OP_ATOM:
    case OP_RED:
    case OP_PREFETCH:
    case OP_PREFETCHU:
    case OP_DISCARD:
    case OP_APPLYPRIORITY:
    case OP_CREATEPOLICY:
    case OP_CP_ASYNC:
    case OP_CP_ASYNC_WAIT:
    case OP_CP_BULK:
        return decode_mem(d, s, in);
    case OP_TEX:
    case OP_TLD4:
    case OP_TXQ:
    case OP_SULD:
    case OP_SUST:
        return decode_tex(d, s, in);
    case OP_BRA:
    case OP_BRX:
    case OP_BAR_RED:
        return decode_ctrl(d, s, in);
    case OP_ALLOCA:
        return decode_alloca(d, s, in);
    case OP_STACK:
        return decode_stack(d, s, in);
    case OP_VIDEO:
        return decode_video(d, s, in);
    case OP_CALL:
        return decode_call(d, s, in);
    case OP_WMMA_LOAD:
    case OP_WMMA_STORE:
    case OP_MATRIX_OUT:
    case OP_LDMATRIX:
    case OP_STMATRIX:
    case OP_MOVMATRIX:
        return decode_matrix(d, s, in);
    default:
        return decode_shape(d, s, in);
    }
}

static bool decode_inst(struct decoder *d)
{
    const struct spelling *s = spelling_of(d);
    struct inst in;
    if (!s || !inst_init(d, &in))
        return false;
    copy_spelling(s, &in);
    if (!decode_types(d, s, &in) || !default_rounding(d, &in))
        return false;
    if (in.op == OP_RET) {
        if (!decode_results(d))
            return false;
        stack_leave(d);
    }
    if ((in.flags & INST_CC_OUT) || in.op == OP_ADDC || in.op == OP_SUBC || in.op == OP_MADC)
        d->cc_used = true;
    if (in.op == OP_ADDC || in.op == OP_SUBC || in.op == OP_MADC)
        in.flags |= INST_CC_IN;
    if (strncmp(in.text, "bar.", 4) == 0) /* short for barrier.*.aligned */
        in.flags |= INST_ALIGNED;
    return decode_operands(d, s, &in);
}

/* ---- functions ---- */

static bool decode_stmt(struct decoder *d, const struct stmt *st)
{
    d->st = st;
    switch ((enum stmt_kind)st->kind) {
    case STMT_OPEN:
        scope_enter(d);
        return scope_labels(d, st);
    case STMT_CLOSE:
        if (st->next) /* the body's own scope stays open for what decode_function() adds */
            scope_leave(d);
        return true;
    case STMT_VAR:
        return scope_declare(d, st->var);
    case STMT_LABEL:
        st->name->sym->pc = d->ninst;
        return true;
    case STMT_INST:
        return decode_inst(d);
    default:
        return true;
    }
}

static bool falls_through(const struct inst *in)
{
    const bool leaves =
        in->op == OP_BRA || in->op == OP_BRX || in->op == OP_RET || in->op == OP_EXIT;
    return !leaves || in->guard.off != OPND_NONE;
}

static bool ends_open(const struct decoder *d, uint32_t first)
{
    if (d->ninst == first || falls_through(&d->inst[d->ninst - 1]))
        return true;
    for (uint32_t i = 0; i < d->nfixup; i++)
        if (d->fixup[i].label->pc == d->ninst)
            return true;
    for (uint32_t i = 0; i < d->ntfix; i++)
        for (int j = 0; j < d->tfix[i].table->n; j++)
            if (d->tfix[i].label[j]->pc == d->ninst)
                return true;
    return false;
}

static bool append_ret(struct decoder *d)
{
    struct inst in;
    d->edge = (struct stmt){.kind = STMT_INST, .loc = d->st->loc};
    d->st = &d->edge;
    if (!decode_results(d))
        return false;
    stack_leave(d);
    inst_init(d, &in);
    in.op = OP_RET;
    in.flags = INST_BRANCH | INST_ALWAYS;
    inst_push(d, &in);
    return true;
}

static void resolve_labels(struct decoder *d)
{
    for (uint32_t i = 0; i < d->nfixup; i++)
        d->inst[d->fixup[i].pc].target = d->fixup[i].label->pc;
    for (uint32_t i = 0; i < d->ntfix; i++) {
        struct branch_table *t = d->tfix[i].table;
        uint32_t *target = arena_alloc(d->arena, (size_t)t->n * sizeof *target);
        for (int j = 0; j < t->n; j++)
            target[j] = d->tfix[i].label[j]->pc;
        t->target = target;
        free(d->tfix[i].label);
    }
    d->nfixup = d->ntfix = 0;
}

bool decode_function(struct decoder *d, int slot)
{
    struct func_decl *f = d->f = d->decl[slot];
    struct function *out = &d->k->func[slot];
    out->first = d->ninst;
    scope_enter(d);
    d->edge = (struct stmt){.kind = STMT_INST, .loc = f->loc};
    d->st = &d->edge;
    if (!decode_formals(d))
        return false;
    stack_enter(d);
    for (const struct stmt *st = f->body; st; st = st->next)
        if (!decode_stmt(d, st))
            return false;
    if (ends_open(d, out->first) && !append_ret(d))
        return false;
    resolve_labels(d);
    out->n = d->ninst - out->first;
    scope_leave(d);
    scope_leave(d);
    return true;
}
