#include "program/unfinished.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

#define ROOM (256u << 20) /* bytes of memory that are kept */

bool unfinished_has_room(const struct unfinished *u, const struct launch *before,
                         const struct usage *used)
{
    return devmem_kept_bytes(before->mem, used) <= ROOM - u->bytes;
}

void unfinished_keep(struct unfinished *u, struct kernel_state *k, const struct launch *before,
                     const struct usage *used, const struct launch_facts *facts,
                     const struct record_sample *s, double gain)
{
    u->bytes += devmem_kept_bytes(before->mem, used);
    devmem_keep_only(before->mem, used);
    u->v = xrealloc(u->v, (size_t)(u->count + 1) * sizeof *u->v);
    struct unfinished_launch *x = &u->v[u->count++];
    *x = (struct unfinished_launch){
        .kernel = k, .l = *before, .facts = *facts, .sample = *s, .gain = gain};
    x->l.params = xmalloc(before->kernel->param_bytes + 1);
    memcpy(x->l.params, before->params, before->kernel->param_bytes);
    x->l.textures = x->textures = textures_copy(before->textures);
    x->l.clusters = NULL;
    x->l.others_user = NULL;
    module_keep(x->l.kernel->module);
}

/* Cycles that another pilot is expected to gain, for a warp instruction of it. */
static double worth_of(const struct unfinished_launch *x)
{
    const struct sample *s = &x->sample.sample;
    return x->gain * pilot_cycles_each(s) *
           clusters_insts(&x->kernel->clusters, x->sample.cluster) / pilot_insts_each(s);
}

static bool is_open(const struct unfinished_launch *x, const struct pilot_rest *rest)
{
    return x->gain > 0 && pilot_rest_has(rest, &x->sample.sample);
}

static int open_now(const struct unfinished *u, const struct pilot_rest *rest)
{
    int n = 0;
    for (int i = 0; i < u->count; i++)
        n += is_open(&u->v[i], rest);
    return n;
}

static struct unfinished_launch *most_worth(const struct unfinished *u,
                                            const struct pilot_rest *rest)
{
    struct unfinished_launch *most = NULL;
    for (int i = 0; i < u->count; i++)
        if (is_open(&u->v[i], rest) && (!most || worth_of(&u->v[i]) > worth_of(most)))
            most = &u->v[i];
    return most;
}

static void go_on(struct unfinished_launch *x, const struct program_plan *p, struct recorder *to,
                  struct memory_rates *rates, struct pilot_rest *rest)
{
    struct err ignored;
    const struct measured_launch m = {.l = &x->l, .facts = &x->facts, .rates = rates, .rest = rest};
    const bool ok = measure_more(p, &m, &x->sample, &ignored);
    const struct record_tried tried = {.kernel = x->kernel->k.kernel, .cost = x->sample.cost};
    x->gain = 0;
    if (!ok) {
        recorder_put(to, RECORD_TRIED, &tried, sizeof tried);
    } else if (x->sample.cost.pilot_warp_insts) { /* else --budget is spent, or a search cheaper */
        recorder_put(to, RECORD_SAMPLE, &x->sample, sizeof x->sample);
        x->gain = measure_pilot_gain(p, &x->sample);
    }
}

void unfinished_finish(struct unfinished *u, const struct program_plan *p, struct recorder *to,
                       struct memory_rates *rates, struct pilot_rest *rest, struct progress *line)
{
    int done = 0;
    for (struct unfinished_launch *x; (x = most_worth(u, rest));) {
        progress_at(line, (double)done / (done + open_now(u, rest)), NULL);
        go_on(x, p, to, rates, rest);
        done++;
    }
    for (int i = 0; i < u->count; i++) {
        struct launch *l = &u->v[i].l;
        module_free(l->kernel->module);
        textures_free(u->v[i].textures);
        devmem_free(l->mem);
        free(l->params);
    }
    free(u->v);
    *u = (struct unfinished){0};
}
