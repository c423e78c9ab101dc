/* sim/ptx/kernel.c -- kernel_get(): one entry and what it may call; module_check(): every function
 * by itself. */
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/decode.h"
#include "sim/ptx/liveness.h"

static void fill_function(struct decoder *d, int slot)
{
    const struct func_decl *f = d->decl[slot];
    struct function *out = &d->k->func[slot];
    out->name = f->name->text;
    out->addr = FUNC_ADDR_BASE + 16 * (addr_t)f->index;
    if (f->is_entry)
        return;
    for (const struct var *v = f->rets.first; v && out->nrets < 4; v = v->next) {
        out->ret_off[out->nrets] = (uint32_t)v->off;
        out->ret_bytes[out->nrets++] = (uint32_t)var_bytes(v);
    }
    for (const struct var *v = f->params.first; v && out->nargs < 64; v = v->next) {
        out->arg_off[out->nargs] = (uint32_t)v->off;
        out->arg_bytes[out->nargs++] = (uint32_t)var_bytes(v);
    }
}

static void fill_entry(struct decoder *d, const struct func_decl *f)
{
    struct kernel *k = d->k;
    k->name = f->name->text;
    k->module = d->m;
    k->param = arena_alloc(d->arena, (size_t)(f->params.n + 1) * sizeof *k->param);
    for (const struct var *v = f->params.first; v; v = v->next)
        k->param[k->nparam++] =
            (struct kernel_param){v->name->text, (uint32_t)v->off, (uint32_t)var_bytes(v),
                                  (uint32_t)var_align(v), (enum vtype)v->type};
    k->param_bytes = (uint32_t)d->params;
    k->param_read = arena_alloc(d->arena, d->params + 1);
    memcpy(k->maxntid, f->maxntid, sizeof k->maxntid);
    memcpy(k->reqntid, f->reqntid, sizeof k->reqntid);
    memcpy(k->cluster, f->cluster, sizeof k->cluster);
    k->max_cluster = f->max_cluster;
    k->explicit_cluster = f->explicit_cluster;
    k->blocks_are_clusters = f->blocks_are_clusters;
    k->minnctapersm = f->minnctapersm;
    k->maxnreg = f->maxnreg;
}

static bool decode_all(struct decoder *d, struct func_decl *entry)
{
    struct kernel *k = d->k;
    if (!reach(d, entry))
        return false;
    k->nfunc = d->nfunc;
    k->func = arena_alloc(d->arena, (size_t)d->nfunc * sizeof *k->func);
    for (int i = 0; i < d->nfunc; i++)
        fill_function(d, i);
    fill_entry(d, entry);
    for (int i = 0; i < d->nfunc; i++)
        if (!decode_function(d, i))
            return false;
    return true;
}

/* Calls name functions by struct function; their first instruction is known only now. */
static void finish(struct decoder *d)
{
    struct kernel *k = d->k;
    k->inst = d->inst;
    k->ninst = d->ninst;
    d->inst = NULL;
    for (uint32_t i = 0; i < k->ninst; i++)
        if (k->inst[i].op == OP_CALL && k->inst[i].call->callee)
            k->inst[i].target = k->inst[i].call->callee->first;
    flow_build(d);
    struct liveness *l = liveness_build(d);
    rows_assign(d, l);
    liveness_free(l);
    k->frame_bytes = (uint32_t)((d->frame + 15) & ~UINT64_C(15));
    k->local_bytes = (uint32_t)((d->local + 15) & ~UINT64_C(15));
    k->frame_is_local = d->frame_taken;
    k->recursive = d->recursive && !d->frame_taken;
    if (k->recursive && d->sreg_used[SREG_LOCAL_BASE] && k->local_bytes) {
        k->local_step = k->local_bytes;
        k->local_bytes += (CALL_STACK_BYTES / k->local_step + 1) * k->local_step;
    }
    k->stack_off = k->local_bytes;
    k->local_bytes += d->uses_stack ? STACK_BYTES : 0;
    if (d->frame_taken)
        k->local_bytes += k->frame_bytes;
    k->shared_bytes = (uint32_t)((d->shared + 15) & ~UINT64_C(15));
    k->cbank = d->cbank;
    k->cbank_bytes = d->cbank_bytes;
    d->cbank = NULL;
}

static void decoder_fini(struct decoder *d)
{
    while (d->depth > 0)
        scope_leave(d);
    for (uint32_t i = 0; i < d->ntfix; i++)
        free(d->tfix[i].label);
    free(d->decl);
    free(d->inst);
    free(d->vreg);
    free(d->fixup);
    free(d->tfix);
    free(d->cbank);
    free(d->chash);
}

void kernel_cache_free(struct kernel_cache *c)
{
    if (c->k) {
        free(c->k->inst);
        free(c->k->cbank);
    }
    arena_free(&c->arena);
    free(c);
}

struct kernel *kernel_get(struct module *m, const char *entry, struct err *e)
{
    for (struct kernel_cache *c = m->kernels; c; c = c->next)
        if (!strcmp(c->k->name, entry))
            return c->k;
    const struct name *n = name_find(m, entry, strlen(entry));
    struct func_decl *f = n ? module_func(m, n) : NULL;
    if (!f || !f->is_entry || !f->has_body) {
        err_set(e, "%s: there is no kernel %s", m->name, entry);
        return NULL;
    }
    struct kernel_cache *c = xcalloc(1, sizeof *c);
    c->k = arena_alloc(&c->arena, sizeof *c->k);
    static _Atomic uint64_t made;
    c->k->id = ++made;
    struct decoder d = {.m = m, .k = c->k, .arena = &c->arena, .e = e};
    const bool ok = decode_all(&d, f);
    if (ok)
        finish(&d);
    decoder_fini(&d);
    if (!ok) {
        kernel_cache_free(c);
        return NULL;
    }
    c->next = m->kernels;
    m->kernels = c;
    return c->k;
}

/* ---- modules ---- */

/* Limits of an entry's directives and parameters. */
static bool check_entry(const struct module *m, const struct func_decl *f, uint64_t params,
                        struct err *e)
{
    const uint64_t most = m->version >= 81 && m->target >= 70 ? 32764 : 4352;
    if (params > most)
        return module_err(m, f->loc, e, "%s has %llu bytes of parameters, at most %llu",
                          f->name->text, (unsigned long long)params, (unsigned long long)most);
    if (f->maxntid[0] && f->reqntid[0])
        return module_err(m, f->loc, e, "%s has .maxntid and .reqntid", f->name->text);
    return true;
}

/* What decoding a function needs of those that it calls: that they are there. */
static bool check_function(struct module *m, struct func_decl *f, struct err *e)
{
    struct kernel *k = xcalloc(1, sizeof *k);
    struct arena arena = {0};
    struct decoder d = {.m = m, .k = k, .arena = &arena, .e = e, .nfunc = 1};
    d.decl = xcalloc(1, sizeof *d.decl);
    d.decl[0] = f;
    k->func = arena_alloc(&arena, sizeof *k->func);
    k->nfunc = 1;
    bool ok = reach_alone(&d, f);
    if (ok && f->is_entry)
        fill_entry(&d, f);
    ok = ok && (!f->is_entry || check_entry(m, f, d.params, e)) && decode_function(&d, 0);
    decoder_fini(&d);
    arena_free(&arena);
    free(k);
    return ok;
}

static bool check_instructions(struct module *m, const struct func_decl *f, struct err *e)
{
    for (const struct stmt *st = f->body; st; st = st->next)
        if (st->kind == STMT_INST && !needs_check(m, st, e))
            return false;
    return true;
}

bool module_check(struct module *m, struct err *e)
{
    if (!target_check(m, e))
        return false;
    for (struct func_decl *f = m->funcs; f; f = f->next)
        if (f->has_body && !(check_function(m, f, e) && check_instructions(m, f, e)))
            return false;
    return true;
}
