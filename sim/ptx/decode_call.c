/* sim/ptx/decode_call.c -- calls. Arguments travel in .param variables of the caller, copied to the
 * callee's formals. Registers as arguments or formals (PTX 1.x and hand-written code) become a
 * store before the call or ret, and a load after it, through a place in the frame of their own. */
#include <stdio.h>
#include <string.h>

#include "sim/ptx/decode.h"

#define MAX_ARGS ((int)(sizeof((struct call_site *)0)->arg_off / sizeof(uint32_t)))
#define MAX_RETS ((int)(sizeof((struct call_site *)0)->ret_off / sizeof(uint32_t)))

static enum vtype bits_type(int bytes)
{
    return bytes == 8 ? VT_B64 : bytes == 4 ? VT_B32 : bytes == 2 ? VT_B16 : VT_B8;
}

/* ld.param or st.param between a register (or constant) and byte off of the frame. */
static bool frame_access(struct decoder *d, enum opcode op, const struct operand *o, enum vtype t,
                         uint64_t off)
{
    struct inst in;
    if (!inst_init(d, &in))
        return false;
    in.op = (uint16_t)op;
    in.type = in.stype = (uint8_t)t;
    in.space = SP_FRAME;
    in.flags = op == OP_LD ? INST_LOAD : INST_STORE;
    in.cache = op == OP_LD ? CACHE_CA : CACHE_WB;
    in.text = op == OP_LD ? "ld.param" : "st.param";
    in.src[in.ns++] = const_row(d, off, 4);
    const bool ok = op == OP_LD ? opnd_dst(d, o, t, FIT_WIDER, &in.dst[in.nd++])
                                : opnd_src(d, o, t, FIT_WIDER, &in.src[in.ns++]);
    if (ok)
        inst_push(d, &in);
    return ok;
}

static bool formal_access(struct decoder *d, enum opcode op, const struct var *v)
{
    if (v->storage != ST_REG)
        return true;
    const struct operand o = {.kind = OPERAND_NAME, .name = v->name, .loc = v->loc};
    return frame_access(d, op, &o, bits_type((int)var_bytes(v)), v->off);
}

static bool declare_formals(struct decoder *d, struct vars *list, int max)
{
    if (list->n > max && !d->f->is_entry)
        return decode_err(d, list->first->loc, "more than %d formals", max);
    for (struct var *v = list->first; v; v = v->next) {
        if (v->storage != ST_REG && v->storage != ST_PARAM)
            return decode_err(d, v->loc, "%s: formals are .param or .reg", v->name->text);
        if (v->storage == ST_REG && (v->type == VT_PRED || v->type == VT_B128 || v->vec > 1))
            return decode_err(d, v->loc, "%s: no such formal in a register", v->name->text);
        if (strcmp(v->name->text, "_") && !scope_declare(d, v))
            return false;
    }
    return true;
}

bool decode_formals(struct decoder *d)
{
    struct func_decl *f = d->f;
    if (!declare_formals(d, &f->rets, MAX_RETS) || !declare_formals(d, &f->params, MAX_ARGS))
        return false;
    for (const struct var *v = f->params.first; v; v = v->next)
        if (!formal_access(d, OP_LD, v))
            return false;
    return true;
}

bool decode_results(struct decoder *d)
{
    for (const struct var *v = d->f->rets.first; v; v = v->next)
        if (!formal_access(d, OP_ST, v))
            return false;
    return true;
}

/* The call as written: (rets), callee, (args), prototype or targets. */
struct call_text {
    const struct operand *rets, *callee, *args;
};

static bool split(struct decoder *d, struct call_text *c)
{
    const struct operand *o = d->st->ops;
    *c = (struct call_text){0};
    if (o && o->kind == OPERAND_LIST) {
        c->rets = o->sub;
        o = o->next;
    }
    if (!o || o->kind != OPERAND_NAME)
        return decode_err(d, d->st->loc, "%s names no function", d->st->name->text);
    c->callee = o;
    o = o->next;
    if (o && o->kind == OPERAND_LIST) {
        c->args = o->sub;
        o = o->next;
    }
    if (o && (o->kind != OPERAND_NAME || o->next))
        return decode_err(d, o->loc, "nothing is expected here");
    return true;
}

/* Where an argument or result lies in the caller's frame. A register or constant gets a place. */
struct place {
    uint32_t off, bytes;
    bool copied;
};

static bool place_of(struct decoder *d, const struct operand *o, uint64_t formal_bytes,
                     struct place *p)
{
    const struct ref r =
        o->kind == OPERAND_NAME ? scope_find(d, o->name) : (struct ref){.kind = REF_NONE};
    if (o->kind == OPERAND_NAME && r.kind == REF_NONE)
        return decode_err(d, o->loc, "%s is not declared", o->name->text);
    if (r.kind == REF_SYM && r.sym->kind == SYM_VAR && r.sym->var->space == SP_FRAME) {
        *p = (struct place){(uint32_t)r.sym->var->off, (uint32_t)var_bytes(r.sym->var), false};
        return true;
    }
    uint64_t bytes = formal_bytes;
    if (r.kind == REF_REG)
        bytes = (uint64_t)type_bytes((enum vtype)d->vreg[r.vreg].type);
    if (!bytes || bytes > 8 || (r.kind == REF_REG && r.count > 1))
        return decode_err(d, o->loc, "this is no argument");
    d->frame = (d->frame + 7) & ~UINT64_C(7);
    *p = (struct place){(uint32_t)d->frame, (uint32_t)bytes, true};
    d->frame += 8;
    return true;
}

static bool sizes_agree(struct decoder *d, const struct operand *o, const struct place *p,
                        const struct var *formal)
{
    if (!formal || var_bytes(formal) == p->bytes)
        return true;
    return decode_err(d, o->loc, "%u bytes are passed where the function has %llu", p->bytes,
                      (unsigned long long)var_bytes(formal));
}

static bool pass_args(struct decoder *d, const struct call_text *c, const struct func_decl *f,
                      struct call_site *site)
{
    const struct var *formal = f ? f->params.first : NULL;
    for (const struct operand *o = c->args; o; o = o->next) {
        struct place p;
        if (site->nargs == MAX_ARGS)
            return decode_err(d, o->loc, "more than %d arguments", MAX_ARGS);
        if (!place_of(d, o, formal ? var_bytes(formal) : 0, &p) || !sizes_agree(d, o, &p, formal))
            return false;
        if (p.copied && !frame_access(d, OP_ST, o, bits_type((int)p.bytes), p.off))
            return false;
        site->arg_off[site->nargs] = p.off;
        site->arg_bytes[site->nargs++] = p.bytes;
        formal = formal ? formal->next : NULL;
    }
    if (f && site->nargs != f->params.n)
        return decode_err(d, c->callee->loc, "%s takes %d argument%s, not %d", f->name->text,
                          f->params.n, f->params.n == 1 ? "" : "s", site->nargs);
    return true;
}

static bool place_rets(struct decoder *d, const struct call_text *c, const struct func_decl *f,
                       struct call_site *site, struct place *place)
{
    const struct var *formal = f ? f->rets.first : NULL;
    for (const struct operand *o = c->rets; o; o = o->next) {
        struct place *p = &place[site->nrets];
        if (site->nrets == MAX_RETS)
            return decode_err(d, o->loc, "more than %d results", MAX_RETS);
        if (!place_of(d, o, formal ? var_bytes(formal) : 0, p) || !sizes_agree(d, o, p, formal))
            return false;
        site->ret_off[site->nrets] = p->off;
        site->ret_bytes[site->nrets++] = p->bytes;
        formal = formal ? formal->next : NULL;
    }
    if (f && site->nrets != f->rets.n)
        return decode_err(d, c->callee->loc, "%s gives %d result%s, not %d", f->name->text,
                          f->rets.n, f->rets.n == 1 ? "" : "s", site->nrets);
    return true;
}

static bool fetch_rets(struct decoder *d, const struct call_text *c, const struct place *place)
{
    int i = 0;
    for (const struct operand *o = c->rets; o; o = o->next, i++)
        if (place[i].copied &&
            !frame_access(d, OP_LD, o, bits_type((int)place[i].bytes), place[i].off))
            return false;
    return true;
}

static bool call_undefined(struct decoder *d, const struct operand *callee, struct inst *in)
{
    char text[300];
    const int n = snprintf(text, sizeof text, "call %s", callee->name->text);
    in->text = arena_strndup(d->arena, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
    in->op = OP_UNSUPPORTED;
    in->flags = 0;
    inst_push(d, in);
    return true;
}

/* The function called, NULL for a call through a register or of a built-in. */
static bool find_callee(struct decoder *d, const struct operand *o, struct inst *in,
                        struct call_site *site, struct func_decl **f)
{
    const struct ref r = scope_find(d, o->name);
    *f = NULL;
    if (r.kind == REF_NONE)
        return decode_err(d, o->loc, "%s is not declared", o->name->text);
    if (r.kind != REF_SYM || r.sym->kind != SYM_FUNC)
        return opnd_src(d, o, d->m->address_size == 64 ? VT_U64 : VT_U32, FIT_EXACT,
                        &in->src[in->ns++]);
    *f = r.sym->func;
    if ((*f)->is_entry)
        return decode_err(d, o->loc, "%s is a kernel", o->name->text);
    if ((*f)->has_body)
        site->callee = &d->k->func[(*f)->slot];
    else
        site->builtin = builtin_find(o->name->text);
    return true;
}

bool decode_call(struct decoder *d, const struct spelling *s, struct inst *in)
{
    struct call_text c;
    struct func_decl *f;
    struct place rets[MAX_RETS];
    struct call_site *site = arena_alloc(d->arena, sizeof *site);
    (void)s;
    if (!split(d, &c) || !find_callee(d, c.callee, in, site, &f))
        return false;
    if (f && !site->callee && !site->builtin)
        return call_undefined(d, c.callee, in);
    if (!pass_args(d, &c, f, site) || !place_rets(d, &c, f, site, rets))
        return false;
    if (d->frame > MAX_THREAD_BYTES)
        return decode_err(d, d->st->loc, "calls need more than %llu bytes",
                          (unsigned long long)MAX_THREAD_BYTES);
    in->flags |= INST_BRANCH | INST_ALWAYS;
    in->call = site;
    inst_push(d, in);
    return fetch_rets(d, &c, rets);
}
