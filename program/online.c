#include "program/online.h"

#include <stdlib.h>
#include <string.h>

#include "base/datadir.h"
#include "base/nowhere.h"
#include "sampler/window/cta_window.h"

/* What the launch is, taken to consist of CTAs like the sampled one. */
static void fill_launch(struct sample *d, const struct launch *l, const struct cta_view *v,
                        const struct run_stats *one)
{
    const double ctas = (double)v->ctas;
    d->launches = 1;
    d->warps_per_cta = launch_warps(l);
    d->grid_ctas = d->total_ctas = ctas;
    d->n_max = v->fits;
    d->cores = v->cores;
    d->total_warp_insts = d->launch_warp_insts = ctas * (double)one->warp_insts;
    d->total_thread_insts = d->launch_thread_insts = ctas * (double)one->thread_insts;
}

static int choose(void *user, const struct cta_view *v, const struct run_stats *one)
{
    struct online *o = user;
    struct run_stats st = *one;
    struct launch copy = *o->launch; /* whose faults are nobody's */
    struct sample d = {0};
    struct err e;
    struct prediction kernel, all;
    const uint64_t last = launch_ctas(o->launch) - 1;
    struct cta_window w = {.cfg = o->cfg,
                           .by = o->by,
                           .cta = last,
                           .most_insts = st.warp_insts,
                           .launch_insts = v->ctas * st.warp_insts,
                           .max_cycles = o->max_cycles};
    copy.why = NULL;
    copy.printf_file = o->nowhere;
    st.dram_reads = st.replies_from_dram;
    if (!o->rates.known && !memory_rates_measure(o->cfg, sampling_or_default(o->by), &o->rates, &e))
        return v->fits;
    fill_launch(&d, o->launch, v, one);
    memory_rates_fill(&o->rates, &d);
    if (!cta_window_of(&w, &copy, &st, &d, &e))
        return v->fits; /* a CTA that waits for others */
    model_predict(&o->with, &d, 1, &kernel, &all);
    return kernel.chosen_n;
}

bool online_coefficients(struct coefficients *c, const struct gpu_cfg *cfg, struct err *e)
{
    *c = (struct coefficients){0};
    if (strcmp(cfg->cta.cta_scheduler, "online") != 0)
        return true;
    const struct model_ops *m = model_find(cfg->cta.online.model);
    char *path = datadir_find("coefficients", m->name, e);
    const bool ok = path && coefficients_load(c, m, path, e);
    free(path);
    return ok;
}

void online_init(struct online *o, const struct gpu_cfg *cfg, const struct model_coeffs *with,
                 const struct sampling *by, uint64_t max_cycles)
{
    *o = (struct online){.cfg = cfg, .with = *with, .by = by, .max_cycles = max_cycles};
    if (with->model)
        o->nowhere = nowhere_open();
}

void online_fini(struct online *o)
{
    if (o->nowhere)
        fclose(o->nowhere);
}

const struct cta_predictor *online_predictor(struct online *o, struct launch *l)
{
    if (!o->with.model)
        return NULL;
    o->launch = l;
    o->predictor = (struct cta_predictor){o, choose};
    return &o->predictor;
}
