/* sim/ptx/reach.c -- which functions a kernel may call and which variables it names; every .shared,
 * .local and .param variable gets its place here, so that decoding knows all offsets. */
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/decode.h"

/* The device runtime's calls have a name in CUDA's headers, and others in the PTX of nvcc's library
 * libcudadevrt, which is linked into programs. */
int builtin_find(const char *name)
{
    static const struct {
        const char *name;
        enum builtin is;
    } names[] = {
        {"vprintf", BUILTIN_VPRINTF},
        {"__assertfail", BUILTIN_ASSERTFAIL},
        {"malloc", BUILTIN_MALLOC},
        {"free", BUILTIN_FREE},
        {"__cuda_syscall_cnpv2GetParameterBufferV2", BUILTIN_PARAMETER_BUFFER},
        {"__cudaCDP2GetParameterBufferV2", BUILTIN_PARAMETER_BUFFER},
        {"__cuda_syscall_cnpv2LaunchDeviceV2", BUILTIN_LAUNCH},
        {"__cudaCDP2LaunchDeviceV2", BUILTIN_LAUNCH_TOLD},
        {"__cuda_syscall_cnpv2GetLastError", BUILTIN_LAST_ERROR},
        {"__cuda_syscall_cnpv2SetLastError", BUILTIN_SET_ERROR},
        {"__cuda_syscall_cnpv2StreamCreate", BUILTIN_NEW_HANDLE},
        {"__cuda_syscall_cnpv2EventCreate", BUILTIN_NEW_HANDLE},
        {"__cuda_syscall_cnpv2GetDevice", BUILTIN_DEVICE},
        {"__cuda_syscall_cnpv2StreamDestroy", BUILTIN_NO_WORK},
        {"__cuda_syscall_cnpv2StreamWaitEvent", BUILTIN_NO_WORK},
        {"__cuda_syscall_cnpv2EventRecord", BUILTIN_NO_WORK},
        {"__cuda_syscall_cnpv2EventDestroy", BUILTIN_NO_WORK},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, name))
            return (int)names[i].is;
    return BUILTIN_NONE;
}

static bool place(struct decoder *d, struct var *v, uint64_t *top, uint64_t limit)
{
    const uint64_t a = var_align(v), bytes = var_bytes(v);
    v->off = (*top + a - 1) & ~(a - 1);
    if (v->off > limit || bytes > limit - v->off)
        return module_err(d->m, v->loc, d->e, "%s: the limit of its state space is %llu bytes",
                          v->name->text, (unsigned long long)limit);
    *top = v->off + bytes;
    return true;
}

static bool place_frame(struct decoder *d, struct var *v)
{
    v->space = SP_FRAME;
    return place(d, v, &d->frame, MAX_THREAD_BYTES);
}

static bool place_var(struct decoder *d, struct var *v)
{
    switch ((enum storage)v->storage) {
    case ST_SHARED:
        v->space = SP_SHARED;
        if (v->is_extern || v->unsized) { /* dynamic: placed when all the others are */
            v->used = true;
            return true;
        }
        return place(d, v, &d->shared, MAX_SHARED_BYTES);
    case ST_LOCAL:
        v->space = SP_LOCAL;
        return place(d, v, &d->local, MAX_THREAD_BYTES);
    case ST_PARAM:
        return place_frame(d, v);
    case ST_REG:
        return true;
    default:
        return module_err(d->m, v->loc, d->e, "%s: this state space is for module scope",
                          v->name->text);
    }
}

static bool place_formals(struct decoder *d, struct func_decl *f)
{
    for (struct var *v = f->rets.first; v; v = v->next)
        if (!place_frame(d, v))
            return false;
    for (struct var *v = f->params.first; v; v = v->next) {
        if (!f->is_entry) {
            if (!place_frame(d, v))
                return false;
            continue;
        }
        if (v->storage != ST_PARAM)
            return module_err(d->m, v->loc, d->e, "the parameters of a kernel are .param");
        v->space = SP_PARAM;
        if (!place(d, v, &d->params, MAX_PARAM_BYTES))
            return false;
    }
    return true;
}

/* The name that a call calls; NULL: none. */
static const struct operand *callee_of(const struct stmt *st)
{
    const struct operand *o = st->ops;
    if (o && o->kind == OPERAND_LIST)
        o = o->next;
    return o && o->kind == OPERAND_NAME ? o : NULL;
}

static void mark_name(const struct operand *o)
{
    const struct sym *s = o->kind == OPERAND_NAME ? o->name->sym : NULL;
    if (s && s->kind == SYM_VAR)
        s->var->used = true;
    if (s && s->kind == SYM_FUNC)
        s->func->address_taken = true;
}

/* Operands nest at most twice: [name, {name, ...}]. */
static void mark_names(const struct operand *list)
{
    for (const struct operand *o = list; o; o = o->next) {
        mark_name(o);
        for (const struct operand *i = o->sub; i; i = i->next) {
            mark_name(i);
            for (const struct operand *j = i->sub; j; j = j->next)
                mark_name(j);
        }
    }
}

static bool visit(struct decoder *d, struct func_decl *f, int depth);

static bool visit_call(struct decoder *d, const struct stmt *st, int depth)
{
    const struct operand *callee = callee_of(st);
    const struct sym *s = callee ? callee->name->sym : NULL;
    if (!callee)
        return true; /* decode_call() says what is wrong */
    if (!s || s->kind != SYM_FUNC) {
        d->calls_indirectly = true;
        d->recursive |= depth > 0;
        return true;
    }
    if (!s->func->has_body || s->func->is_entry)
        return true;
    if (s->func->visiting)
        d->recursive = true;
    if (depth == MAX_CALL_DEPTH)
        return module_err(d->m, st->loc, d->e, "calls are nested deeper than %d", MAX_CALL_DEPTH);
    return s->func->slot >= 0 || visit(d, s->func, depth + 1);
}

static bool visit(struct decoder *d, struct func_decl *f, int depth)
{
    GROW(d->decl, d->nfunc, d->cap_func);
    f->slot = d->nfunc;
    d->decl[d->nfunc++] = f;
    f->visiting = true;
    if (!place_formals(d, f))
        return false;
    for (const struct stmt *st = f->body; st; st = st->next) {
        if (st->kind == STMT_VAR && !place_var(d, st->var))
            return false;
        if (st->kind != STMT_INST)
            continue;
        d->uses_stack |= stmt_is_alloca(st);
        mark_names(st->is_call ? NULL : st->ops);
        if (st->is_call && !visit_call(d, st, depth))
            return false;
    }
    f->visiting = false;
    return true;
}

/* Functions whose address some body or initialiser takes: what an indirect call may reach. */
static void scan_module(struct module *m)
{
    for (const struct func_decl *f = m->funcs; f && !m->scanned; f = f->next)
        for (const struct stmt *st = f->body; st; st = st->next)
            if (st->kind == STMT_INST && !st->is_call)
                mark_names(st->ops);
    m->scanned = true;
}

static bool visit_targets(struct decoder *d)
{
    for (struct func_decl *f = d->m->funcs; f; f = f->next)
        if (f->address_taken && f->has_body && !f->is_entry && f->slot < 0 && !visit(d, f, 1))
            return false;
    return true;
}

static bool place_module_vars(struct decoder *d)
{
    for (struct var *v = d->m->vars.first; v; v = v->next) {
        if (v->used && (v->storage == ST_SHARED || v->storage == ST_LOCAL) && !place_var(d, v))
            return false;
    }
    return true;
}

/* Dynamic shared memory starts behind all static variables. */
static void place_dynamic(struct decoder *d)
{
    const uint64_t base = (d->shared + 15) & ~UINT64_C(15);
    for (struct var *v = d->m->vars.first; v; v = v->next)
        if (v->storage == ST_SHARED && (v->is_extern || v->unsized))
            v->off = base;
    for (int i = 0; i < d->nfunc; i++)
        for (const struct stmt *st = d->decl[i]->body; st; st = st->next)
            if (st->kind == STMT_VAR && st->var->storage == ST_SHARED &&
                (st->var->is_extern || st->var->unsized))
                st->var->off = base;
}

bool reach_alone(struct decoder *d, struct func_decl *f)
{
    for (struct func_decl *g = d->m->funcs; g; g = g->next)
        g->slot = 0;
    if (!place_formals(d, f))
        return false;
    for (struct var *v = d->m->vars.first; v; v = v->next)
        v->used = false;
    for (const struct stmt *st = f->body; st; st = st->next) {
        if (st->kind == STMT_VAR && !place_var(d, st->var))
            return false;
        d->uses_stack |= stmt_is_alloca(st);
        if (st->kind == STMT_INST && !st->is_call)
            mark_names(st->ops);
    }
    return place_module_vars(d);
}

bool reach(struct decoder *d, struct func_decl *entry)
{
    scan_module(d->m);
    for (struct func_decl *f = d->m->funcs; f; f = f->next) {
        f->slot = -1;
        f->visiting = false;
    }
    for (struct var *v = d->m->vars.first; v; v = v->next)
        v->used = false;
    if (!visit(d, entry, 0) || (d->calls_indirectly && !visit_targets(d)) || !place_module_vars(d))
        return false;
    place_dynamic(d);
    return true;
}
