#include "cli/target_names.h"

#include <stdlib.h>

#include "sim/frontend/workload.h"

static void add(struct target_names *t, char *name)
{
    t->name = xrealloc(t->name, (size_t)(t->n + 1) * sizeof *t->name);
    t->name[t->n++] = name;
}

static bool add_sized(const struct options *o, const struct workload *w, struct target_names *out,
                      struct err *e)
{
    if (o->size && !workload_size_find(w, o->size, e))
        return false;
    add(out, o->size ? xasprintf("%s:%s", w->name, o->size) : xstrdup(w->name));
    return true;
}

static bool add_suite(const struct options *o, struct target_names *out, struct err *e)
{
    if (!workload_suite_check(o->suite, e))
        return false;
    for (int i = 0; workloads[i]; i++)
        if (workload_in_suite(workloads[i], o->suite) && !add_sized(o, workloads[i], out, e))
            return false;
    return true;
}

static bool add_argument(const struct options *o, const char *arg, struct target_names *out,
                         struct err *e)
{
    const struct workload *w = workload_find(arg);
    if (w)
        return add_sized(o, w, out, e);
    if (o->size)
        return err_set(e, "--size is for bundled workloads that name none, not for \"%s\"", arg);
    add(out, xstrdup(arg));
    return true;
}

bool target_names(const struct options *o, struct target_names *out, struct err *e)
{
    *out = (struct target_names){0};
    if (o->suite && o->nargs > 0)
        return err_set(e, "name TARGETs or a --suite");
    if (o->suite)
        return add_suite(o, out, e);
    for (int i = 0; i < o->nargs; i++)
        if (!add_argument(o, o->arg[i], out, e))
            return false;
    return out->n > 0 || err_set(e, "compare wants TARGET..., --suite NAME or --all");
}

void target_names_free(struct target_names *t)
{
    for (int i = 0; i < t->n; i++)
        free(t->name[i]);
    free(t->name);
    *t = (struct target_names){0};
}
