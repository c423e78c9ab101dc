/* sim/ptx/parse.c -- the grammar's actions on declarations and statements. */
#include "sim/ptx/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void parse_error(struct parse *p, struct loc at, const char *fmt, ...)
{
    if (p->failed)
        return;
    p->failed = true;
    char msg[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    module_err(p->m, at, p->e, "%s", msg);
}

bool operand_positive(struct parse *p, const struct operand *o, uint64_t *value)
{
    if (o->kind != OPERAND_INT || (!o->is_unsigned && o->i < 0)) {
        parse_error(p, o->loc, "a constant that is not negative is needed here");
        return false;
    }
    *value = (uint64_t)o->i;
    return true;
}

void declare_begin(struct parse *p, enum storage st, bool is_extern)
{
    p->quals = (struct quals){0};
    p->proto = (struct var){.storage = (uint8_t)st, .is_extern = is_extern};
}

void declare_align(struct parse *p, const struct operand *o)
{
    uint64_t a;
    if (!operand_positive(p, o, &a))
        return;
    if (!a || (a & (a - 1)) || a > MAX_ALIGN)
        parse_error(p, o->loc, "an alignment is a power of two up to %d", MAX_ALIGN);
    else if (!p->quals.ptr) /* .ptr .align N speaks of what the pointer points to */
        p->quals.align = a;
}

struct var *declare_var(struct parse *p, struct name *n, struct loc at)
{
    struct var *v = arena_alloc(&p->m->arena, sizeof *v);
    *v = p->proto;
    v->name = n;
    v->loc = at;
    v->type = p->quals.opaque ? VT_B64 : p->quals.type;
    v->vec = p->quals.vec ? p->quals.vec : 1;
    v->align = p->quals.align;
    v->is_managed = p->quals.is_managed;
    v->opaque = p->quals.opaque;
    v->elems = 1;
    v->index = -1;
    if (strchr(n->text, '.'))
        parse_error(p, at, "%s is no name for a variable", n->text);
    else if (v->type == VT_NONE)
        parse_error(p, at, "the declaration of %s names no type", n->text);
    else if (v->type == VT_PRED && (v->storage != ST_REG || v->vec > 1))
        parse_error(p, at, "predicates are single registers");
    else if (v->type == VT_F32X2 || (v->type >= VT_E4M3X2 && v->type <= VT_E2M1X4))
        parse_error(p, at, "%s: .%s is a type of instructions only", n->text,
                    type_name((enum vtype)v->type));
    else if (v->vec > 1 && type_bytes((enum vtype)v->type) * v->vec > 16)
        parse_error(p, at, "%s: a vector has at most 128 bits", n->text);
    return v;
}

void declare_range(struct parse *p, struct var *v, const struct operand *o)
{
    uint64_t n;
    if (v->storage != ST_REG) {
        parse_error(p, o->loc, "only registers are declared as a range");
    } else if (operand_positive(p, o, &n)) {
        v->has_range = true;
        v->range = n;
        if (n > MAX_REGISTERS)
            parse_error(p, o->loc, "a range of %llu registers; the limit is %u",
                        (unsigned long long)n, MAX_REGISTERS);
    }
}

void declare_dim(struct parse *p, struct var *v, const struct operand *o, struct loc at)
{
    uint64_t n = 0;
    if (v->storage == ST_REG)
        return parse_error(p, at, "registers have no array type");
    if (v->ndim == MAX_DIMS)
        return parse_error(p, at, "more than %d dimensions", MAX_DIMS);
    if (!o) {
        if (v->ndim)
            return parse_error(p, at, "only the first dimension may be left open");
        v->unsized = true;
    } else if (!operand_positive(p, o, &n)) {
        return;
    } else if (n && v->elems > MAX_VAR_BYTES / n) {
        return parse_error(p, at, "array of more than %llu bytes",
                           (unsigned long long)MAX_VAR_BYTES);
    } else {
        v->elems *= n;
    }
    v->dim[v->ndim++] = n;
}

void vars_add(struct vars *list, struct var *v)
{
    if (list->last)
        list->last->next = v;
    else
        list->first = v;
    list->last = v;
    list->n++;
}

void func_begin(struct parse *p, bool is_entry)
{
    p->func = (struct func_decl){.is_entry = is_entry, .slot = -1};
    p->last = NULL;
    p->nesting = 0;
    p->guarded = false;
}

void func_limit(struct parse *p, int *xyz, int n)
{
    for (int i = 0; i < n; i++)
        xyz[i] = i < p->nints ? p->ints[i] : 1;
}

void func_end(struct parse *p, bool is_extern)
{
    if (p->failed)
        return;
    if (is_extern && p->func.has_body)
        parse_error(p, p->func.loc, "%s is .extern but has a body", p->func.name->text);
    else if (!module_add_func(p->m, &p->func, p->e))
        p->failed = true;
}

struct stmt *stmt_add(struct parse *p, enum stmt_kind kind, struct loc at)
{
    struct stmt *s = arena_alloc(&p->m->arena, sizeof *s);
    s->kind = (uint8_t)kind;
    s->loc = at;
    if (p->last)
        p->last->next = s;
    else
        p->func.body = s;
    p->last = s;
    return s;
}

bool scope_open(struct parse *p, struct loc at)
{
    if (p->nesting == MAX_NESTING) {
        parse_error(p, at, "more than %d nested scopes", MAX_NESTING);
        return false;
    }
    p->scope[p->nesting++] = stmt_add(p, STMT_OPEN, at);
    return true;
}

void scope_close(struct parse *p, struct loc at)
{
    stmt_add(p, STMT_CLOSE, at);
    p->nesting--;
}

void stmt_label(struct parse *p, enum stmt_kind kind, struct name *n, struct loc at)
{
    struct stmt *s = stmt_add(p, kind, at), *scope = p->scope[p->nesting - 1];
    s->name = n;
    s->next_label = scope->labels;
    scope->labels = s;
}

void inst_guard(struct parse *p, struct name *guard, bool neg, struct loc at)
{
    struct stmt *s = stmt_add(p, STMT_INST, at);
    s->guard = guard;
    s->guard_neg = neg;
    s->guard_loc = at;
    p->guarded = true;
}

void inst_begin(struct parse *p, struct name *mnemonic, bool is_call, struct loc at)
{
    struct stmt *s = p->guarded ? p->last : stmt_add(p, STMT_INST, at);
    p->guarded = false;
    s->name = mnemonic;
    s->loc = at;
    s->is_call = is_call;
}
