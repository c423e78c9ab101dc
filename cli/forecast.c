#include "cli/forecast.h"

#include <stdlib.h>

#include "base/datadir.h"
#include "base/progress.h"

static const struct model_ops *find_model(const char *name, struct err *e)
{
    const struct model_ops *m = model_find(name);
    if (!m)
        err_set(e, "no model named \"%s\"; `mdpredict list models` shows them", name);
    return m;
}

/* The model's coefficients: the table's defaults, then data/coefficients/NAME.cfg. */
static void *load_coefficients(const struct model_ops *m, struct err *e)
{
    char *path = datadir_find("coefficients", m->name, e);
    if (!path)
        return NULL;
    void *coeff = xcalloc(1, m->coeff_size);
    params_default(m->groups, coeff);
    if (!params_load(m->groups, coeff, path, e)) {
        free(coeff);
        coeff = NULL;
    }
    free(path);
    return coeff;
}

static bool on_progress(void *user, double fraction)
{
    progress_at(user, fraction, NULL);
    return true;
}

static void predict(struct forecast *f, const void *coeff)
{
    int kernels = f->set.nkernels;
    f->kernel = xcalloc((size_t)kernels, sizeof *f->kernel);
    for (int i = 0; i < kernels; i++) {
        const struct sample *s = &f->set.kernel[i];
        f->model->predict(coeff, s, &f->kernel[i]);
        f->total_ctas += (uint64_t)s->total_ctas;
        f->total_warp_insts += s->total_warp_insts;
    }
    model_combine(f->set.kernel, f->kernel, kernels, &f->all);
}

const struct model_ops *forecast_model(struct options *o, void **coeff, struct err *e)
{
    const struct model_ops *m = find_model(o->model, e);
    o->bad_usage = !m;
    *coeff = m ? load_coefficients(m, e) : NULL;
    return *coeff ? m : NULL;
}

bool forecast_run(struct options *o, const struct target *t, const struct gpu_cfg *cfg,
                  struct forecast *out, struct err *e)
{
    void *coeff;
    *out = (struct forecast){.model = forecast_model(o, &coeff, e)};
    if (!out->model)
        return false;
    struct progress *p = progress_new("sample");
    struct sampler_opts so = {
        .cta = o->cta, .max_cycles = o->max_cycles, .progress = on_progress, .user = p};
    bool ok = sampler_run(t, cfg, &so, &out->set, e);
    progress_free(p);
    if (ok)
        predict(out, coeff);
    free(coeff);
    return ok;
}

void forecast_release(struct forecast *f)
{
    sample_set_release(&f->set);
    free(f->kernel);
    *f = (struct forecast){0};
}
