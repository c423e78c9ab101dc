#include "sim/frontend/recorded.h"

#include "sim/frontend/context.h"

#include <stdlib.h>
#include <string.h>

/* Each kernel has a module of its own, so that one that was loaded twice is two again. */
static struct kernel *load(const struct trace_file *f, int i, struct context *c, struct err *e)
{
    const struct trace_text *t = &f->text[f->kernel[i].text];
    char *name = strndup(t->name, t->name_len);
    struct module *m = context_load(c, name, t->ptx, t->ptx_len, e);
    struct kernel *k = m ? kernel_get(m, f->kernel[i].name, e) : NULL;
    free(name);
    if (!k)
        err_prefix(e, "%s", f->path);
    return k;
}

static bool run_launch(const struct trace_launch *l, struct kernel *k, struct context *c,
                       struct err *e)
{
    struct launch_shape s = {.dyn_shared = l->dyn_shared, .regs = l->regs, .recorded = l};
    memcpy(s.grid, l->grid, sizeof s.grid);
    memcpy(s.block, l->block, sizeof s.block);
    if (k->param_bytes != l->param_bytes)
        return err_set(e, "%s: launch %d has %u bytes of parameters, its kernel %s takes %u",
                       l->file->path, l->number, l->param_bytes, k->name, k->param_bytes);
    uint8_t *params = xcalloc(1, (size_t)k->param_bytes + 1); /* nothing reads them */
    const bool ok = context_launch(c, k, &s, params, e);
    free(params);
    return ok;
}

bool recorded_run(const struct trace_file *f, const struct executor *x, struct err *e)
{
    struct context *c = context_new(x);
    struct kernel **k = xcalloc((size_t)f->kernels + 1, sizeof(struct kernel *));
    bool ok = true;
    for (int i = 0; ok && i < f->launches; i++) {
        struct kernel **of = &k[f->launch[i].kernel];
        if (!*of)
            *of = load(f, f->launch[i].kernel, c, e);
        ok = *of && run_launch(&f->launch[i], *of, c, e);
    }
    free(k);
    context_free(c);
    return ok;
}

bool recorded_kernels(const struct trace_file *f,
                      bool (*fn)(void *user, const struct kernel *k, struct err *e), void *user,
                      struct err *e)
{
    struct context *c = context_new(NULL);
    bool ok = true;
    for (int i = 0; ok && i < f->kernels; i++) {
        const struct kernel *k = load(f, i, c, e);
        ok = k && fn(user, k, e);
    }
    context_free(c);
    return ok;
}
