/* list_workloads.c -- workloads and their kernels. What a launch takes (threads, shared memory)
 * only the host code knows, so each is executed at its first size, until its last kernel begins. */
#include <stdlib.h>
#include <string.h>

#include "cli/keys.h"
#include "cli/list.h"
#include "sim/frontend/target.h"
#include "sim/frontend/workload.h"
#include "sim/func/run.h"
#include "sim/gpu/gpu.h"

struct kernel_entry {
    char *name; /* owned */
    int registers;
    bool launched; /* else the rest is unknown */
    int threads, n_max;
    unsigned shared;
    enum occ_limit limit;
};

struct kernel_set {
    const struct gpu_cfg *cfg;
    struct kernel_entry *kernel; /* owned */
    int count;
};

static bool add_kernel(void *user, const struct kernel *k, struct err *e)
{
    (void)e;
    struct kernel_set *s = user;
    s->kernel = xrealloc(s->kernel, (size_t)(s->count + 1) * sizeof *s->kernel);
    s->kernel[s->count++] = (struct kernel_entry){.name = xstrdup(k->name), .registers = k->regs};
    return true;
}

static bool all_launched(const struct kernel_set *s)
{
    for (int i = 0; i < s->count; i++)
        if (!s->kernel[i].launched)
            return false;
    return true;
}

/* Keeps the first launch of each kernel. False when all have been launched: no more is to be seen.
 */
static bool on_launch(void *self, struct launch *l, struct err *e)
{
    struct kernel_set *s = self;
    if (!launch_init(l, e))
        return false;
    for (int i = 0; i < s->count; i++) {
        struct kernel_entry *k = &s->kernel[i];
        if (k->launched || strcmp(k->name, l->kernel->name) != 0)
            continue;
        k->launched = true;
        k->registers = gpu_regs(s->cfg, l);
        k->threads = launch_threads(l);
        k->shared = launch_shared(l);
        k->n_max = gpu_occupancy(s->cfg, l, &k->limit);
    }
    return !all_launched(s) && func_run(l, &(struct func_opts){0}, NULL, e);
}

static bool look(const struct workload *w, struct kernel_set *s, struct err *e)
{
    struct executor x = {.launch = on_launch, .self = s};
    struct target *t = target_open(w->name, NULL, e);
    const bool ok = t && target_kernels(t, add_kernel, s, e) &&
                    (target_run(t, &x, false, e) || all_launched(s));
    target_free(t);
    return ok;
}

static void release(struct kernel_set *s)
{
    for (int i = 0; i < s->count; i++)
        free(s->kernel[i].name);
    free(s->kernel);
}

static char *sizes_text(const struct workload *w, char *buf, size_t room)
{
    *buf = 0;
    for (const struct workload_size *s = w->size; s->name; s++) {
        size_t used = strlen(buf);
        snprintf(buf + used, room - used, "%s%s", used ? ", " : "", s->name);
    }
    return buf;
}

static void write_options(struct output *out, const char *name, const void *workload)
{
    const struct workload *w = workload;
    const char *options = w->orders      ? w->any_warps ? "order, warps-per-cta" : "order"
                          : w->any_warps ? "warps-per-cta"
                                         : "";
    output_str(out, name, options, NULL);
}

static void write_limit(struct output *out, const char *name, const void *kernel)
{
    const struct kernel_entry *k = kernel;
    output_str(out, name, k->launched ? occ_limit_name(k->limit) : "", NULL);
}

const struct output_row workload_rows[] = {
    {"command", "suite", "", "`list workloads`: the papers that ran it",
     OUTPUT_FIELD(struct workload, suite)},
    {"command", "class", "", "... what they call it", OUTPUT_FIELD(struct workload, paper_class)},
    {"command", "options", "", "... that it takes", .write = write_options},
    {.name = NULL}};
const struct output_row size_rows[] = {
    {"command", "size", "", "... its name", OUTPUT_FIELD(struct workload_size, name)},
    {.name = "help", OUTPUT_FIELD(struct workload_size, help)},
    {.name = NULL}};
const struct output_row kernel_entry_rows[] = {
    {.name = "kernel", OUTPUT_FIELD(struct kernel_entry, name)},
    {"command", "threads", "threads", "... of a CTA", OUTPUT_FIELD(struct kernel_entry, threads)},
    {.name = "registers", OUTPUT_FIELD(struct kernel_entry, registers)},
    {.name = "shared_bytes", OUTPUT_FIELD(struct kernel_entry, shared)},
    {.name = "n_max", OUTPUT_FIELD(struct kernel_entry, n_max)},
    {.name = "limit", .write = write_limit},
    {.name = NULL}};
enum { SIZES, KERNELS };
const struct output_row workload_array_rows[] = {
    [SIZES] = {"command", "sizes", "", "... an object a size", .type = OUTPUT_COMPUTED},
    [KERNELS] = {.name = "kernels"},
    {.name = NULL}};

static void workload_fields(struct list *l, const struct workload *w)
{
    char sizes[256];
    list_fields(l, w->name, sizes_text(w, sizes, sizeof sizes), w->title);
    output_rows(l->out, workload_rows, w);
}

static void output_json(struct list *l, const struct workload *w, const struct kernel_set *s)
{
    size_t sizes = 0;
    while (w->size[sizes].name)
        sizes++;
    output_object(l->out, NULL);
    workload_fields(l, w);
    output_objects(l->out, workload_array_rows[SIZES].name, size_rows, w->size, sizeof *w->size,
                   sizes);
    output_objects(l->out, workload_array_rows[KERNELS].name, kernel_entry_rows, s->kernel,
                   sizeof *s->kernel, (size_t)s->count);
    output_up(l->out);
}

static void output_csv(struct list *l, const struct workload *w, const struct kernel_set *s)
{
    for (int i = 0; i < s->count; i++) {
        output_object(l->out, NULL);
        workload_fields(l, w);
        output_rows(l->out, kernel_entry_rows, &s->kernel[i]);
        output_up(l->out);
    }
}

/* A row a kernel; what belongs to the workload stands in its first row. */
static void add_rows(struct table *t, const struct workload *w, const struct kernel_set *s)
{
    char sizes[256];
    for (int i = 0; i < s->count; i++) {
        const struct kernel_entry *k = &s->kernel[i];
        table_cell(t, "  %s", i ? "" : w->name);
        table_cell(t, "%s", i ? "" : w->suite);
        table_cell(t, "%s", i ? "" : w->paper_class);
        table_cell(t, "%s", i ? "" : sizes_text(w, sizes, sizeof sizes));
        table_cell(t, "%s", k->name);
        table_cell(t, k->launched ? "%d" : "-", k->threads);
        table_cell(t, "%d", k->registers);
        table_cell(t, k->launched ? "%u" : "-", k->shared);
        table_cell(t, k->launched ? "%d" : "-", k->n_max);
        table_cell(t, "%s", k->launched ? occ_limit_name(k->limit) : "");
    }
}

static struct table *new_table(void)
{
    static const char *const head[] = {"  workload",  "suite",     "class",     "sizes",
                                       "kernel",      "threads",   "registers", "shared bytes",
                                       "CTAs a core", "limited by"};
    struct table *t = table_new("lllllrrrrl");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    return t;
}

bool list_workloads_in_full(struct list *l, struct err *e)
{
    struct gpu_cfg cfg;
    bool ok = options_gpu(l->options, &cfg, e);
    struct table *t = new_table();
    for (int i = 0; ok && workloads[i]; i++) {
        if (!list_shows(l, workloads[i]))
            continue;
        struct kernel_set s = {.cfg = &cfg};
        ok = look(workloads[i], &s, e) || err_prefix(e, "%s", workloads[i]->name);
        if (ok && l->out->format == FORMAT_JSON)
            output_json(l, workloads[i], &s);
        else if (ok && l->out->format == FORMAT_CSV)
            output_csv(l, workloads[i], &s);
        else if (ok)
            add_rows(t, workloads[i], &s);
        release(&s);
    }
    if (ok && l->out->format == FORMAT_TEXT)
        table_print(t, l->out->text);
    table_free(t);
    return ok;
}
