#include <stdlib.h>

#include "cli/program.h"

static void take_inst(const struct program_inst *in, struct inst_line *line, struct inst_counts *c)
{
    line->ptx = in->ptx;
    line->text = xstrdup(in->text ? in->text : "");
    line->source = in->source ? xstrdup(in->source) : NULL;
    *c = in->counts;
}

static struct hot_kernel take(const struct verdict *v)
{
    const struct program_kernel *k = v->k;
    const struct program_code *code = &k->code;
    const int *b = k->k.block;
    struct hot_kernel h = {.name = xasprintf("%s [%dx%dx%d]", v->name, b[0], b[1], b[2]),
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
    h.kernel = xcalloc((size_t)r->found->kernels + 1, sizeof *h.kernel);
    for (int i = 0; i < r->found->kernels; i++)
        if (r->v[i].k->code.insts)
            h.kernel[h.kernels++] = take(&r->v[i]);
    return h;
}
