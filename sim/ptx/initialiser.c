/* sim/ptx/initialiser.c -- the bytes of module variables: values now, addresses of other symbols at
 * module_place(). */
#include <string.h>

#include "sim/ptx/half.h"
#include "sim/ptx/module_int.h"

#define MAX_INIT_BYTES (UINT64_C(1) << 28)

struct fill { /* one variable being filled; a first pass without bytes counts elements */
    struct module *m;
    const struct var *v;
    struct module_var *mv;
    struct err *e;
    uint8_t *bytes;
    uint64_t total, used; /* elements */
};

static bool put_address(struct fill *f, const struct operand *o, uint64_t off, int size)
{
    const struct sym *s = o->name->sym;
    if (!s || (s->kind != SYM_VAR && s->kind != SYM_FUNC))
        return module_err(f->m, o->loc, f->e, "%s is not declared", o->name->text);
    if (s->kind == SYM_VAR && s->var->index < 0)
        return module_err(f->m, o->loc, f->e, "%s has no address that is known before a launch",
                          o->name->text);
    if (!o->mask && size < f->m->address_size / 8)
        return module_err(f->m, o->loc, f->e, "an address does not fit in .%s",
                          type_name((enum vtype)f->v->type));
    if (s->kind == SYM_FUNC)
        s->func->address_taken = true;
    struct reloc *r = arena_alloc(&f->m->arena, sizeof *r);
    *r = (struct reloc){f->m->relocs, f->v->index, off, (uint8_t)size, o};
    f->m->relocs = r;
    return true;
}

static bool put_value(struct fill *f, const struct operand *o, uint64_t off, int size)
{
    const enum vtype t = (enum vtype)f->v->type;
    uint64_t bits = (uint64_t)o->i;
    if (o->kind == OPERAND_F32 || o->kind == OPERAND_F64) {
        if (!number_bits(o, t, &bits))
            return module_err(f->m, o->loc, f->e, "a floating-point value for a .%s variable",
                              type_name(t));
    } else if (type_is_float(t)) {
        struct operand real = *o;
        real.kind = OPERAND_F64;
        real.d = o->is_unsigned ? (double)(uint64_t)o->i : (double)o->i;
        number_bits(&real, t, &bits);
    }
    memcpy(f->bytes + off, &bits, (size_t)size);
    return true;
}

static bool put(struct fill *f, const struct operand *o, uint64_t elem)
{
    if (!f->bytes)
        return true;
    if (elem >= f->total)
        return module_err(f->m, o->loc, f->e, "%s has %llu elements; this value is one too many",
                          f->v->name->text, (unsigned long long)f->total);
    const int size = type_bytes((enum vtype)f->v->type);
    const uint64_t off = elem * (uint64_t)size;
    if (o->kind == OPERAND_NAME && !o->neg)
        return put_address(f, o, off, size);
    if (o->kind > OPERAND_F64 || size > 8)
        return module_err(f->m, o->loc, f->e, "this is no value for %s", f->v->name->text);
    return put_value(f, o, off, size);
}

/* Elements that one value takes at this depth of braces. */
static uint64_t stride(const struct var *v, int depth)
{
    uint64_t n = v->vec;
    for (int i = depth + 1; i < v->ndim; i++)
        n *= v->dim[i];
    return depth < v->ndim ? n : 1;
}

static bool fill(struct fill *f, const struct operand *list, int depth, uint64_t elem)
{
    if (depth > MAX_DIMS)
        return module_err(f->m, list->loc, f->e, "too many braces");
    for (const struct operand *o = list->sub; o; o = o->next) {
        const bool nested = o->kind == OPERAND_LIST;
        if (!(nested ? fill(f, o, depth + 1, elem) : put(f, o, elem)))
            return false;
        elem += nested ? stride(f->v, depth) : 1;
        if (elem > f->used)
            f->used = elem;
    }
    return true;
}

static bool fill_all(struct fill *f)
{
    if (f->v->init->kind == OPERAND_LIST)
        return fill(f, f->v->init, 0, 0);
    f->used = 1;
    return put(f, f->v->init, 0);
}

static bool initialise(struct module *m, struct var *v, struct module_var *mv, struct err *e)
{
    struct fill f = {.m = m, .v = v, .mv = mv, .e = e};
    if (v->unsized) {
        if (!fill_all(&f))
            return false;
        const uint64_t row = stride(v, 0);
        v->dim[0] = row ? (f.used + row - 1) / row : 0;
        v->elems *= v->dim[0];
        v->unsized = false;
        mv->bytes = var_bytes(v);
    }
    if (mv->bytes > MAX_INIT_BYTES)
        return module_err(m, v->loc, e, "%s: more than %llu initialised bytes", v->name->text,
                          (unsigned long long)MAX_INIT_BYTES);
    f.total = v->elems * v->vec;
    f.bytes = mv->init = arena_alloc(&m->arena, mv->bytes);
    return fill_all(&f);
}

bool module_finish(struct module *m, struct err *e)
{
    m->mvar = arena_alloc(&m->arena, (size_t)(m->vars.n + 1) * sizeof *m->mvar);
    for (struct var *v = m->vars.first; v; v = v->next) {
        if (v->storage != ST_GLOBAL && v->storage != ST_CONST)
            continue;
        if (var_bytes(v) > MAX_VAR_BYTES)
            return module_err(m, v->loc, e, "%s: more than %llu bytes", v->name->text,
                              (unsigned long long)MAX_VAR_BYTES);
        v->index = m->nmvar++;
        m->mvar[v->index] =
            (struct module_var){.name = v->name->text,
                                .space = v->storage == ST_CONST ? SP_CONST : SP_GLOBAL,
                                .bytes = var_bytes(v),
                                .align = var_align(v),
                                .is_extern = v->is_extern,
                                .is_managed = v->is_managed,
                                .opaque = (enum opaque)v->opaque,
                                .fields = v->opaque && v->init ? v->init->sub : NULL};
    }
    for (struct var *v = m->vars.first; v; v = v->next)
        if (v->index >= 0 && v->init && !v->opaque && !initialise(m, v, &m->mvar[v->index], e))
            return false;
    return true;
}

bool module_var_field(const struct module_var *v, const char *field, const char **word,
                      int64_t *number)
{
    for (const struct operand *o = v->fields; o; o = o->next) {
        if (o->kind != OPERAND_NAME || !o->sub || strcmp(o->name->text, field))
            continue;
        *word = o->sub->kind == OPERAND_NAME ? o->sub->name->text : "";
        *number = o->sub->kind == OPERAND_INT ? o->sub->i : 0;
        return true;
    }
    return false;
}

bool module_place(struct module *m, struct err *e)
{
    for (const struct reloc *r = m->relocs; r; r = r->next) {
        const struct sym *s = r->value->name->sym;
        uint64_t a = s->kind == SYM_FUNC ? FUNC_ADDR_BASE + 16 * (uint64_t)s->func->index
                                         : m->mvar[s->var->index].addr;
        if (s->kind == SYM_VAR && !a && m->mvar[s->var->index].bytes)
            return module_err(m, r->value->loc, e, "%s has no address", s->name->text);
        a += (uint64_t)r->value->i;
        if (r->value->mask)
            a = (a & r->value->mask) >> __builtin_ctzll(r->value->mask);
        memcpy(m->mvar[r->var].init + r->off, &a, r->bytes);
    }
    return true;
}
