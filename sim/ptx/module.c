/* sim/ptx/module.c -- a module's symbols, from the text to the last address. */
#include "sim/ptx/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "sim/ptx/parse.h"
#include "sim/ptx/ptx.tab.h"
#define YYSTYPE PTX_STYPE
#define YYLTYPE PTX_LTYPE
#include "sim/ptx/ptx.lex.h"

#define MAX_TEXT_BYTES (256u << 20)

static struct sym *module_sym(struct module *m, struct name *n, enum sym_kind kind)
{
    struct sym *s = arena_alloc(&m->arena, sizeof *s);
    s->name = n;
    s->kind = (uint8_t)kind;
    n->sym = s;
    return s;
}

/* ---- functions ---- */

struct func_decl *module_func(struct module *m, const struct name *name)
{
    (void)m;
    return name->sym && name->sym->kind == SYM_FUNC ? name->sym->func : NULL;
}

bool module_add_func(struct module *m, const struct func_decl *f, struct err *e)
{
    struct func_decl *old = module_func(m, f->name);
    if (!old) {
        if (f->name->sym)
            return module_err(m, f->loc, e, "%s is declared twice", f->name->text);
        old = arena_alloc(&m->arena, sizeof *old);
        *old = *f;
        old->index = m->nfuncs++;
        if (m->last_func)
            m->last_func->next = old;
        else
            m->funcs = old;
        m->last_func = old;
        module_sym(m, f->name, SYM_FUNC)->func = old;
        return true;
    }
    if (old->is_entry != f->is_entry || old->params.n != f->params.n || old->rets.n != f->rets.n)
        return module_err(m, f->loc, e, "%s was declared otherwise in line %d", f->name->text,
                          old->loc.line);
    if (old->has_body && f->has_body)
        return module_err(m, f->loc, e, "%s has a body already, in line %d", f->name->text,
                          old->loc.line);
    if (f->has_body) {
        struct func_decl *next = old->next;
        const int index = old->index;
        *old = *f;
        old->next = next;
        old->index = index;
    }
    return true;
}

bool module_add_alias(struct module *m, struct name *alias, struct name *of, struct loc at,
                      struct err *e)
{
    struct func_decl *f = module_func(m, of), *old = module_func(m, alias);
    if (!f)
        return module_err(m, at, e, "%s is no function", of->text);
    if (old && old->has_body)
        return module_err(m, at, e, "%s has a body already", alias->text);
    if (!alias->sym)
        module_sym(m, alias, SYM_FUNC);
    alias->sym->kind = SYM_FUNC;
    alias->sym->func = f;
    return true;
}

/* ---- variables ---- */

uint64_t var_align(const struct var *v)
{
    const uint64_t natural = (uint64_t)type_bytes((enum vtype)v->type) * v->vec;
    return v->align ? v->align : natural;
}

uint64_t var_bytes(const struct var *v)
{
    return v->unsized ? 0 : (uint64_t)type_bytes((enum vtype)v->type) * v->vec * v->elems;
}

bool module_add_var(struct module *m, struct var *v, struct err *e)
{
    if (v->storage == ST_REG || v->storage == ST_PARAM)
        return module_err(m, v->loc, e, "%s: this state space has no place outside of functions",
                          v->name->text);
    if (v->init && v->storage != ST_GLOBAL && v->storage != ST_CONST)
        return module_err(m, v->loc, e, "%s: only .global and .const variables are initialised",
                          v->name->text);
    const struct sym *old = v->name->sym;
    if (old && (old->kind != SYM_VAR || (!old->var->is_extern && !v->is_extern)))
        return module_err(m, v->loc, e, "%s is declared twice", v->name->text);
    if (old && v->is_extern)
        return true;
    if (old) { /* the definition of what was extern so far */
        struct var *x = old->var, *next = x->next;
        *x = *v;
        x->next = next;
        return true;
    }
    vars_add(&m->vars, v);
    module_sym(m, v->name, SYM_VAR)->var = v;
    return true;
}

int module_nvars(const struct module *m)
{
    return m->nmvar;
}

struct module_var *module_var_at(struct module *m, int i)
{
    return i >= 0 && i < m->nmvar ? &m->mvar[i] : NULL;
}

struct module_var *module_var_find(struct module *m, const char *name)
{
    const struct name *n = name_find(m, name, strlen(name));
    const struct sym *s = n ? n->sym : NULL;
    return s && s->kind == SYM_VAR && s->var->index >= 0 ? &m->mvar[s->var->index] : NULL;
}

/* ---- the text ---- */

static bool parse_text(struct module *m, struct err *e)
{
    struct parse *p = arena_alloc(&m->arena, sizeof *p);
    p->m = m;
    p->e = e;
    p->line = p->col = 1;
    void *scanner;
    BUG_ON(ptx_lex_init_extra(p, &scanner), "no memory for the lexer");
    ptx__scan_bytes(m->text, (int)m->len, scanner);
    const int rc = ptx_parse(scanner, p);
    ptx_lex_destroy(scanner);
    if (rc && !p->failed)
        parse_error(p, (struct loc){p->line, p->col}, "the text is nested too deeply");
    return !p->failed;
}

struct module *module_parse(const char *name, const char *text, size_t len, struct err *e)
{
    while (len && !text[len - 1]) /* a fat binary's text ends in NUL */
        len--;
    if (len > MAX_TEXT_BYTES) {
        err_set(e, "%s: more than %u bytes of PTX", name, MAX_TEXT_BYTES);
        return NULL;
    }
    struct module *m = xcalloc(1, sizeof *m);
    m->address_size = 32; /* what PTX without .address_size means */
    m->name = arena_strndup(&m->arena, name, strlen(name));
    m->text = arena_strndup(&m->arena, text, len);
    m->len = len;
    if (parse_text(m, e) && module_finish(m, e))
        return m;
    module_free(m);
    return NULL;
}

struct module *module_load(const char *path, struct err *e)
{
    size_t len;
    char *text = file_read(path, MAX_TEXT_BYTES, &len, e);
    struct module *m = text ? module_parse(path, text, len, e) : NULL;
    free(text);
    return m;
}

void module_keep(struct module *m)
{
    m->kept++;
}

void module_free(struct module *m)
{
    if (!m || m->kept-- > 0)
        return;
    while (m->kernels) {
        struct kernel_cache *next = m->kernels->next;
        kernel_cache_free(m->kernels);
        m->kernels = next;
    }
    arena_free(&m->arena);
    free(m);
}

void module_set_target(struct module *m, const struct name *word, struct loc at)
{
    if (!m->ntargets)
        m->target_at = at;
    if (m->ntargets < MAX_TARGETS)
        m->targets[m->ntargets++] = word;
    const int n = strncmp(word->text, "sm_", 3) ? 0 : atoi(word->text + 3);
    m->target = n > m->target ? n : m->target;
}

int module_target(const struct module *m)
{
    return m->target;
}

int module_address_size(const struct module *m)
{
    return m->address_size;
}

const char *module_name(const struct module *m)
{
    return m->name;
}

const char *module_ptx(const struct module *m, size_t *len)
{
    *len = m->len;
    return m->text;
}

int module_nentries(const struct module *m)
{
    int n = 0;
    for (const struct func_decl *f = m->funcs; f; f = f->next)
        n += f->is_entry && f->has_body;
    return n;
}

const char *module_entry_at(const struct module *m, addr_t a)
{
    for (const struct func_decl *f = m->funcs; f; f = f->next)
        if (f->is_entry && f->has_body && FUNC_ADDR_BASE + 16 * (addr_t)f->index == a)
            return f->name->text;
    return NULL;
}

const char *module_entry_name(const struct module *m, int i)
{
    for (const struct func_decl *f = m->funcs; f; f = f->next)
        if (f->is_entry && f->has_body && !i--)
            return f->name->text;
    return NULL;
}
