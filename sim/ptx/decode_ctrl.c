/* sim/ptx/decode_ctrl.c -- branches, and bar.red whose optional operand is in the middle. */
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/decode.h"

static const struct sym *find_symbol(struct decoder *d, const struct operand *o, enum sym_kind kind,
                                     const char *what)
{
    const struct ref r = o->kind == OPERAND_NAME && !o->neg && !o->i
                             ? scope_find(d, o->name)
                             : (struct ref){.kind = REF_NONE};
    if (r.kind == REF_SYM && r.sym->kind == kind)
        return r.sym;
    if (o->kind == OPERAND_NAME)
        decode_err(d, o->loc, "there is no %s %s here", what, o->name->text);
    else
        decode_err(d, o->loc, "a %s is needed here", what);
    return NULL;
}

static bool branch(struct decoder *d, struct inst *in)
{
    if (!operand_count(d, 1, 1))
        return false;
    const struct sym *label = find_symbol(d, d->st->ops, SYM_LABEL, "label");
    if (!label)
        return false;
    GROW(d->fixup, d->nfixup, d->cap_fixup);
    d->fixup[d->nfixup++] = (struct fixup){d->ninst, label};
    inst_push(d, in);
    return true;
}

static bool branch_indexed(struct decoder *d, struct inst *in)
{
    if (!operand_count(d, 2, 2) || !opnd_src(d, d->st->ops, VT_U32, FIT_EXACT, &in->src[in->ns++]))
        return false;
    const struct sym *list = find_symbol(d, d->st->ops->next, SYM_TARGETS, "list of targets");
    if (!list)
        return false;
    struct branch_table *t = arena_alloc(d->arena, sizeof *t);
    for (const struct operand *o = list->stmt->ops; o; o = o->next)
        t->n++;
    GROW(d->tfix, d->ntfix, d->cap_tfix);
    struct table_fixup *fix = &d->tfix[d->ntfix++];
    *fix = (struct table_fixup){t, xcalloc((size_t)t->n, sizeof *fix->label)};
    int i = 0;
    for (const struct operand *o = list->stmt->ops; o; o = o->next, i++) {
        fix->label[i] = find_symbol(d, o, SYM_LABEL, "label");
        if (!fix->label[i])
            return false;
    }
    in->table = t;
    inst_push(d, in);
    return true;
}

/* bar.red.op d, a{, b}, {!}c */
static bool barrier_reduce(struct decoder *d, const struct spelling *s, struct inst *in)
{
    if (((s->mods & M(POPC)) != 0) == ((s->mods & M(ATOM)) != 0) ||
        (in->type == VT_U32) != ((s->mods & M(POPC)) != 0) ||
        (in->type == VT_PRED && in->aop != ATOM_AND && in->aop != ATOM_OR))
        return decode_err(d, d->st->loc, "there is no %s", in->text);
    if (!operand_count(d, 3, 4))
        return false;
    const struct operand *o = d->st->ops;
    if (!opnd_dst(d, o, (enum vtype)in->type, FIT_EXACT, &in->dst[in->nd++]))
        return false;
    while ((o = o->next))
        if (!opnd_src(d, o, o->next ? VT_U32 : VT_PRED, FIT_EXACT, &in->src[in->ns++]))
            return false;
    inst_push(d, in);
    return true;
}

bool decode_ctrl(struct decoder *d, const struct spelling *s, struct inst *in)
{
    if (in->op == OP_BAR_RED) {
        in->mode = in->aop;
        in->flags |= INST_BARRIER | INST_ALWAYS;
        return barrier_reduce(d, s, in);
    }
    in->flags |= INST_BRANCH | INST_ALWAYS;
    return in->op == OP_BRA ? branch(d, in) : branch_indexed(d, in);
}
