#include "cli/forecast.h"

#include <stdlib.h>

#include "base/datadir.h"
#include "base/progress.h"
#include "base/suggest.h"

static bool on_progress(void *user, double fraction)
{
    progress_at(user, fraction, NULL);
    return true;
}

static void predict(struct forecast *f)
{
    int kernels = f->set.nkernels;
    f->kernel = xcalloc((size_t)kernels, sizeof *f->kernel);
    const struct model_coeffs c = coefficients_model(&f->coeff);
    for (int i = 0; i < kernels; i++) {
        const struct sample *s = &f->set.kernel[i];
        f->total_ctas += (uint64_t)s->total_ctas;
        f->total_warp_insts += s->total_warp_insts;
    }
    model_predict(&c, f->set.kernel, kernels, f->kernel, &f->all);
}

static void fill_price(struct forecast *f)
{
    f->cost = (struct sample_cost){.warp_insts = f->set.warp_insts,
                                   .functional_warp_insts = f->set.functional_warp_insts,
                                   .host_seconds = f->set.host_seconds,
                                   .functional_seconds = f->set.functional_seconds,
                                   .replayed_warp_insts = f->set.replayed_warp_insts,
                                   .replay_seconds = f->set.replay_seconds,
                                   .full_warp_insts = f->total_warp_insts};
    sample_cost_price(&f->cost, f->all.n_max, &f->price);
}

const struct model_ops *forecast_find_model(struct options *o, const char *name, struct err *e)
{
    const struct model_ops *m = model_find(name);
    struct suggest s;
    char near[128];
    o->bad_usage = !m;
    if (m)
        return m;
    suggest_init(&s, name);
    for (int i = 0; model_at(i); i++)
        suggest_offer(&s, model_at(i)->name);
    err_set(e, "no model named \"%s\"%s; `mdpredict list models` shows them", name,
            suggest_text(&s, near, sizeof near));
    return NULL;
}

bool forecast_model(struct options *o, struct coefficients *out, struct err *e)
{
    const struct model_ops *m = forecast_find_model(o, o->model, e);
    if (!m)
        return false;
    char *path =
        o->coefficients ? xstrdup(o->coefficients) : datadir_find("coefficients", m->name, e);
    bool ok = path && coefficients_load(out, m, path, e);
    free(path);
    return ok;
}

bool forecast_run(struct options *o, const struct target *t, const struct gpu_cfg *cfg,
                  struct forecast *out, struct err *e)
{
    *out = (struct forecast){0};
    if (!forecast_model(o, &out->coeff, e))
        return false;
    out->model = out->coeff.model;
    struct progress *p = progress_new("sample");
    struct sampler_opts so = {.cta = o->cta,
                              .max_cycles = o->max_cycles,
                              .window = o->window,
                              .effort = o->effort,
                              .budget = o->budget,
                              .jobs = o->jobs,
                              .progress = on_progress,
                              .user = p};
    bool ok = sampler_run(t, cfg, &so, &out->set, e);
    progress_free(p);
    if (!ok)
        return false;
    predict(out);
    fill_price(out);
    return true;
}

struct model_kernels forecast_kernels(const struct forecast *f, int k)
{
    return (struct model_kernels){.sample = f->set.kernel + (k < 0 ? 0 : k),
                                  .prediction = f->kernel + (k < 0 ? 0 : k),
                                  .kernels = k < 0 ? f->set.nkernels : 1};
}

void forecast_release(struct forecast *f)
{
    sample_set_release(&f->set);
    coefficients_release(&f->coeff);
    free(f->kernel);
    *f = (struct forecast){0};
}
