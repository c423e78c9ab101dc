#include "sim/frontend/launch_file.h"

#include "base/file.h"
#include "base/suggest.h"
#include "sim/frontend/launch_impl.h"

#include <stdlib.h>
#include <string.h>

#define PTX_MAX ((size_t)256 << 20)

void launch_file_free(struct launch_file *f)
{
    if (!f)
        return;
    for (int i = 0; i < f->nbuffers; i++)
        free(f->buffer[i].src.data);
    for (int i = 0; i < f->nlaunches; i++) {
        free(f->launch[i].arg);
        free(f->launch[i].params);
    }
    for (int i = 0; i < f->nchecks; i++)
        free(f->check[i].src.data);
    free(f->buffer);
    free(f->texture);
    free(f->launch);
    free(f->check);
    free(f->ptx);
    free(f->module_path);
    free(f->path);
    cfg_close(f->cfg);
    free(f);
}

/* Takes cfg; NULL passes through. */
static struct launch_file *from_cfg(const char *path, struct cfg_file *cfg, int block_size,
                                    struct err *e)
{
    if (!cfg)
        return NULL;
    struct launch_file *f = xcalloc(1, sizeof *f);
    f->path = xstrdup(path);
    f->cfg = cfg;
    f->block_size = block_size;
    if (launch_parse(f, e))
        return f;
    launch_file_free(f);
    return NULL;
}

struct launch_file *launch_file_parse(const char *path, const char *text, struct err *e)
{
    return from_cfg(path, cfg_open_text(path, text, e), 0, e);
}

struct launch_file *launch_file_open(const char *path, int block_size, struct err *e)
{
    struct launch_file *f = from_cfg(path, cfg_open(path, e), block_size, e);
    if (f && !launch_file_load(f, e)) {
        launch_file_free(f);
        return NULL;
    }
    return f;
}

static bool is_float(enum vtype t)
{
    return t == VT_F16 || t == VT_BF16 || t == VT_F16X2 || t == VT_BF16X2 || t == VT_F32 ||
           t == VT_F64;
}

/* A buffer's address where addresses have 32 bits. */
static bool fit_short_address(const struct launch_entry *l, int i, const struct kernel_param *p,
                              struct err *e)
{
    const struct arg *a = &l->arg[i];
    if (a->value.u > UINT32_MAX)
        return cfg_err(a->at, e,
                       "argument %d of '%s' is a buffer at 0x%llx; its parameter %s has 32 bits",
                       i + 1, l->kernel, (unsigned long long)a->value.u, p->name);
    elem_store(ELEM_u32, a->value, l->params + p->off);
    return true;
}

/* Sizes must agree, and an integer is no floating-point number; .b32 and bytes take either. */
static bool fit_arg(const struct launch_entry *l, int i, const struct kernel *k, struct err *e)
{
    const struct arg *a = &l->arg[i];
    const struct kernel_param *p = &k->param[i];
    if (a->buffer >= 0 && p->bytes == 4 && module_address_size(k->module) == 32 &&
        !is_float(p->type))
        return fit_short_address(l, i, p, e);
    const char *what = a->buffer >= 0    ? "a buffer"
                       : a->texture >= 0 ? "a texture"
                                         : elem_name(a->type);
    size_t bytes = elem_bytes(a->type);
    if (bytes != p->bytes)
        return cfg_err(a->at, e, "argument %d of '%s' is %s, %zu bytes; its parameter %s has %u",
                       i + 1, l->kernel, what, bytes, p->name, p->bytes);
    bool untyped = p->type == VT_NONE || (p->type >= VT_B8 && p->type <= VT_B128);
    if (!untyped && (elem_kind(a->type) == ELEM_FLOAT) != is_float(p->type))
        return cfg_err(a->at, e, "argument %d of '%s' is %s, its parameter %s is .%s", i + 1,
                       l->kernel, what, p->name, type_name(p->type));
    elem_store(a->type, a->value, l->params + p->off);
    return true;
}

static bool no_such_kernel(const struct launch_entry *l, const struct module *m, struct err *e)
{
    struct suggest s;
    suggest_init(&s, l->kernel);
    for (int i = 0; i < module_nentries(m); i++)
        suggest_offer(&s, module_entry_name(m, i));
    char hint[256];
    return cfg_err(l->kernel_at, e, "%s has no kernel '%s'%s", module_name(m), l->kernel,
                   suggest_text(&s, hint, sizeof hint));
}

static bool has_entry(const struct module *m, const char *name)
{
    for (int i = 0; i < module_nentries(m); i++)
        if (!strcmp(module_entry_name(m, i), name))
            return true;
    return false;
}

static bool fit_launch(struct launch_entry *l, struct module *m, struct err *e)
{
    if (!has_entry(m, l->kernel))
        return no_such_kernel(l, m, e);
    const struct kernel *k = kernel_get(m, l->kernel, e);
    if (!k)
        return false;
    if (l->nargs != k->nparam)
        return cfg_err(l->at, e, "kernel '%s' takes %d arguments, %d are given", l->kernel,
                       k->nparam, l->nargs);
    l->params = xcalloc(1, k->param_bytes);
    for (int i = 0; i < l->nargs; i++)
        if (!fit_arg(l, i, k, e))
            return false;
    return true;
}

static bool load_module(struct launch_file *f, struct err *e)
{
    struct err why;
    const char *module;
    cfg_str(f->module_at, &module, e);
    f->module_path = file_beside(f->path, module);
    f->ptx = file_read(f->module_path, PTX_MAX, &f->ptx_len, &why);
    return f->ptx || cfg_err(f->module_at, e, "%s", why.msg);
}

bool launch_file_load(struct launch_file *f, struct err *e)
{
    if (!load_module(f, e))
        return false;
    for (int i = 0; i < f->nbuffers; i++)
        if (!source_load(&f->buffer[i].src, f->path, f->buffer[i].bytes, false, e))
            return false;
    for (int i = 0; i < f->nchecks; i++)
        if (!source_load(&f->check[i].src, f->path, f->buffer[f->check[i].buffer].bytes, true, e))
            return false;
    struct context *c = context_new(NULL);
    struct module *m = context_load(c, f->module_path, f->ptx, f->ptx_len, e);
    bool ok = m && texture_reference_check(f, m, e);
    for (int i = 0; ok && i < f->nlaunches; i++)
        ok = fit_launch(&f->launch[i], m, e);
    context_free(c);
    return ok;
}

static bool fill_buffers(const struct launch_file *f, struct devmem *mem, struct err *e)
{
    for (int i = 0; i < f->nbuffers; i++) {
        const struct buffer *b = &f->buffer[i];
        addr_t addr = devmem_alloc(mem, b->bytes, b->name);
        if (!addr)
            return cfg_err(b->at, e, "no room for buffer '%s' of %llu bytes", b->name,
                           (unsigned long long)b->bytes);
        BUG_ON(addr != b->addr, "buffer %s lies at %llx", b->name, (unsigned long long)addr);
        if (b->src.len)
            devmem_write(mem, addr, b->src.data, b->src.len);
    }
    return true;
}

/* What a launch can't have (.maxntid, shared memory, unsupported instructions) is found before
 * anything runs. */
static bool check_launches(const struct launch_file *f, struct context *c, struct module *m,
                           struct err *e)
{
    for (int i = 0; i < f->nlaunches; i++) {
        const struct launch_entry *l = &f->launch[i];
        struct launch fit = {.kernel = kernel_get(m, l->kernel, e),
                             .dyn_shared = l->shape.dyn_shared,
                             .params = l->params,
                             .mem = context_mem(c)};
        memcpy(fit.grid, l->shape.grid, sizeof fit.grid);
        memcpy(fit.block, l->shape.block, sizeof fit.block);
        struct err why;
        if (!fit.kernel)
            return false;
        if (!launch_init(&fit, &why))
            return cfg_err(l->at, e, "%s", why.msg);
    }
    return true;
}

/* Handles are known when the textures have been made. The packed arguments are everybody's: several
 * threads may run the same file. */
static uint8_t *with_handles(const struct launch_entry *l, const struct kernel *k,
                             const uint64_t *handle)
{
    uint8_t *params = xcalloc(1, k->param_bytes);
    memcpy(params, l->params, k->param_bytes);
    for (int i = 0; i < l->nargs; i++)
        if (l->arg[i].texture >= 0)
            memcpy(params + k->param[i].off, &handle[l->arg[i].texture], sizeof *handle);
    return params;
}

static bool run_launch(const struct launch_entry *l, struct context *c, struct module *m,
                       const uint64_t *handle, struct err *e)
{
    struct kernel *k = kernel_get(m, l->kernel, e);
    if (!k)
        return false;
    uint8_t *params = with_handles(l, k, handle);
    bool ok = true;
    for (int r = 0; ok && r < l->repeat; r++)
        ok = context_launch(c, k, &l->shape, params, e);
    free(params);
    return ok;
}

static bool run_launches(const struct launch_file *f, struct context *c, struct module *m,
                         struct err *e)
{
    uint64_t *handle = xcalloc((size_t)f->ntextures, sizeof *handle);
    bool ok = textures_make(f, c, m, handle, e);
    for (int i = 0; ok && i < f->nlaunches; i++)
        ok = run_launch(&f->launch[i], c, m, handle, e);
    free(handle);
    return ok;
}

static bool run_checks(const struct launch_file *f, struct devmem *mem, struct err *e)
{
    for (int i = 0; i < f->nchecks; i++) {
        const struct buffer *b = &f->buffer[f->check[i].buffer];
        const struct alloc *a = devmem_find(mem, b->addr, b->bytes);
        BUG_ON(!a, "buffer %s has gone", b->name);
        if (!check_buffer(&f->check[i], b, a->host, e))
            return false;
    }
    return true;
}

bool launch_file_run(const struct launch_file *f, const struct executor *x, bool verify,
                     struct err *e)
{
    struct context *c = context_new(x);
    struct module *m = context_load(c, f->module_path, f->ptx, f->ptx_len, e);
    bool ok = m && check_launches(f, c, m, e) && fill_buffers(f, context_mem(c), e) &&
              run_launches(f, c, m, e) && (!verify || run_checks(f, context_mem(c), e));
    context_free(c);
    return ok;
}

static bool launched_before(const struct launch_file *f, int i)
{
    for (int j = 0; j < i; j++)
        if (!strcmp(f->launch[j].kernel, f->launch[i].kernel))
            return true;
    return false;
}

bool launch_file_kernels(const struct launch_file *f,
                         bool (*fn)(void *user, const struct kernel *k, struct err *e), void *user,
                         struct err *e)
{
    struct context *c = context_new(NULL);
    struct module *m = context_load(c, f->module_path, f->ptx, f->ptx_len, e);
    bool ok = m;
    for (int i = 0; ok && i < f->nlaunches; i++) {
        if (launched_before(f, i))
            continue;
        const struct kernel *k = kernel_get(m, f->launch[i].kernel, e);
        ok = k && fn(user, k, e);
    }
    context_free(c);
    return ok;
}
