#include "sim/frontend/target.h"

#include "base/suggest.h"
#include "sim/frontend/launch_file.h"
#include "sim/frontend/recorded.h"
#include "sim/frontend/session.h"
#include "sim/frontend/workload.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One of a workload at a size, a launch file, or a trace. */
struct target {
    char *name;
    const struct workload *workload; /* borrowed; NULL: a file */
    struct workload_input input;     /* but verify */
    char *ptx_name;                  /* owned: "bfs.ptx" */
    struct launch_file *file;        /* owned */
    struct trace_file *trace;        /* owned */
};

static bool take_input(const struct workload *w, const struct target_input *in,
                       struct workload_input *out, struct err *e)
{
    out->seed = in && in->seeded ? in->seed : WORKLOAD_SEED;
    if (!in)
        return true;
    if (in->order && !w->orders)
        return err_set(e, "%s: nothing in its input is numbered; it takes no --order", w->name);
    if (in->order && !workload_order_find(in->order, &out->order))
        return err_set(e, "no order '%s'; there are natural, shuffled, renumbered", in->order);
    if (in->warps && !w->any_warps)
        return err_set(e, "%s: its CTAs have a fixed shape; it takes no --warps-per-cta", w->name);
    if (in->block_size && !w->any_warps)
        return err_set(e, "%s: its CTAs have a fixed shape; it takes no --block-sizes", w->name);
    if (in->block_size % WARP_SIZE)
        return err_set(e, "%s: its CTAs are whole warps; %d threads are no multiple of %d", w->name,
                       in->block_size, WARP_SIZE);
    out->warps = in->block_size ? (unsigned)(in->block_size / WARP_SIZE) : in->warps;
    return true;
}

static struct target *open_workload(const char *name, const char *size, const struct workload *w,
                                    const struct target_input *in, struct err *e)
{
    struct workload_input input = {.size = size ? workload_size_find(w, size, e) : w->size};
    if (!input.size || !take_input(w, in, &input, e))
        return NULL;
    struct target *t = xcalloc(1, sizeof *t);
    t->name = xstrdup(name);
    t->workload = w;
    t->input = input;
    t->ptx_name = xasprintf("%s.ptx", w->name);
    return t;
}

static struct target *no_such(const char *name, struct err *e)
{
    struct suggest s;
    suggest_init(&s, name);
    for (int i = 0; workloads[i]; i++)
        suggest_offer(&s, workloads[i]->name);
    char hint[256], all[512] = "";
    suggest_text(&s, hint, sizeof hint);
    for (int i = 0; workloads[i]; i++) {
        strncat(all, " ", sizeof all - strlen(all) - 1);
        strncat(all, workloads[i]->name, sizeof all - strlen(all) - 1);
    }
    err_set(e, "'%s' is no launch file, no trace and no bundled workload%s (workloads:%s)", name,
            hint, all);
    return NULL;
}

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && !strcmp(s + n - m, end);
}

static struct target *open_trace(const char *name, struct err *e)
{
    struct trace_file *f = trace_file_open(name, e);
    if (!f)
        return NULL;
    struct target *t = xcalloc(1, sizeof *t);
    t->name = xstrdup(name);
    t->trace = f;
    return t;
}

static struct target *open_file(const char *name, const struct target_input *in, struct err *e)
{
    struct stat st;
    if (stat(name, &st) != 0)
        return no_such(name, e);
    if (in && (in->seeded || in->order || in->warps)) {
        err_set(e, "%s: a file says itself what runs; it takes no %s", name,
                in->seeded  ? "--seed"
                : in->order ? "--order"
                            : "--warps-per-cta");
        return NULL;
    }
    if (ends_with(name, ".ptx")) {
        err_set(
            e,
            "%s: is PTX; name a launch file that says how to launch it (docs/reference/files.md)",
            name);
        return NULL;
    }
    if (S_ISREG(st.st_mode) && trace_file_is(name)) {
        if (!in || !in->block_size)
            return open_trace(name, e);
        err_set(e, "%s: a trace was recorded with the blocks that it has; no --block-sizes", name);
        return NULL;
    }
    bool folder = S_ISDIR(st.st_mode);
    char *path =
        folder ? xasprintf("%s%slaunch.cfg", name, ends_with(name, "/") ? "" : "/") : xstrdup(name);
    struct launch_file *f = NULL;
    if (!folder && !S_ISREG(st.st_mode))
        err_set(e, "%s: not a regular file", name);
    else
        f = launch_file_open(path, in ? in->block_size : 0, e);
    free(path);
    if (!f)
        return NULL;
    struct target *t = xcalloc(1, sizeof *t);
    t->name = xstrdup(name);
    t->file = f;
    return t;
}

struct target *target_open(const char *name, const struct target_input *in, struct err *e)
{
    const char *colon = strchr(name, ':');
    char *head = colon ? strndup(name, (size_t)(colon - name)) : xstrdup(name);
    const struct workload *w = workload_find(head);
    free(head);
    return w ? open_workload(name, colon ? colon + 1 : NULL, w, in, e) : open_file(name, in, e);
}

void target_free(struct target *t)
{
    if (!t)
        return;
    launch_file_free(t->file);
    trace_file_free(t->trace);
    free(t->ptx_name);
    free(t->name);
    free(t);
}

const char *target_name(const struct target *t)
{
    return t->name;
}

bool target_has_values(const struct target *t, const char *what, struct err *e)
{
    return !t->trace || err_set(e,
                                "%s is a trace: it holds addresses but no values, and %s needs "
                                "these; name what was recorded instead",
                                t->name, what);
}

bool target_input_of(const struct target *t, struct target_input *out)
{
    if (!t->workload)
        return false;
    *out = (struct target_input){.seeded = true,
                                 .seed = t->input.seed,
                                 .order = workload_order_name(t->input.order),
                                 .warps = t->input.warps};
    return true;
}

bool target_run(const struct target *t, const struct executor *x, bool verify, struct err *e)
{
    if (t->trace)
        return recorded_run(t->trace, x, e);
    if (t->file)
        return launch_file_run(t->file, x, verify, e);
    struct workload_input in = t->input;
    in.verify = verify;
    struct session *s = session_begin(x, t->ptx_name);
    bool ok = t->workload->run(t->workload, &in, e);
    return session_end(s, e) &&
           ok; /* a fault's own text is better than what host code makes of it */
}

bool target_kernels(const struct target *t,
                    bool (*fn)(void *user, const struct kernel *k, struct err *e), void *user,
                    struct err *e)
{
    if (t->trace)
        return recorded_kernels(t->trace, fn, user, e);
    if (t->file)
        return launch_file_kernels(t->file, fn, user, e);
    struct context *c = context_new(NULL);
    const char *ptx = t->workload->ptx;
    struct module *m = context_load(c, t->ptx_name, ptx, strlen(ptx), e);
    bool ok = m;
    for (int i = 0; ok && i < module_nentries(m); i++) {
        const struct kernel *k = kernel_get(m, module_entry_name(m, i), e);
        ok = k && fn(user, k, e);
    }
    context_free(c);
    return ok;
}
