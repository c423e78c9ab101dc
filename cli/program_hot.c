#include <stdlib.h>

#include "cli/program.h"

static void take_inst(const struct program_inst *in, struct inst_line *line, struct inst_counts *c)
{
    line->ptx = in->ptx;
    line->text = xstrdup(in->text ? in->text : "");
    line->source = in->source ? xstrdup(in->source) : NULL;
    *c = in->counts;
}

static bool has_several_devices(const struct program_result *r)
{
    for (int i = 0; i < r->found->kernels; i++)
        if (r->v[i].k->k.device > 0)
            return true;
    return false;
}

/* As the page names it, too (report/data.js). */
static char *name_of(const struct verdict *v, bool several)
{
    const struct record_kernel *k = &v->k->k;
    char *device = several ? xasprintf(", device %d", k->device) : xstrdup("");
    char *name =
        xasprintf("%s [%dx%dx%d]%s", v->name, k->block[0], k->block[1], k->block[2], device);
    free(device);
    return name;
}

static struct hot_kernel take(const struct verdict *v, bool several)
{
    const struct program_kernel *k = v->k;
    const struct program_code *code = &k->code;
    struct hot_kernel h = {.name = name_of(v, several),
                           .module = xstrdup(code->module),
                           .lines = code->insts,
                           .line = xcalloc((size_t)code->insts + 1, sizeof *h.line),
                           .counts = xcalloc((size_t)code->insts + 1, sizeof *h.counts)};
    for (int i = 0; i < code->insts; i++)
        take_inst(&code->inst[i], &h.line[i], &h.counts[i]);
    for (int n = 1; n <= k->k.n_max; n++) {
        stats_add(&h.stats, &k->at[n].stats);
        h.launches += (uint64_t)k->at[n].launches;
    }
    h.not_counted = k->launches - h.launches;
    return h;
}

struct hot_spots program_hot(const struct program_result *r)
{
    struct hot_spots h = {0};
    const bool several = has_several_devices(r);
    h.kernel = xcalloc((size_t)r->found->kernels + 1, sizeof *h.kernel);
    for (int i = 0; i < r->found->kernels; i++)
        if (r->v[i].k->code.insts)
            h.kernel[h.kernels++] = take(&r->v[i], several);
    return h;
}
