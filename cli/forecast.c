#include "cli/forecast.h"

#include <stdlib.h>

#include "base/datadir.h"
#include "base/progress.h"

static bool on_progress(void *user, double fraction)
{
    progress_at(user, fraction, NULL);
    return true;
}

struct refining {
    const struct coefficients *coeff;
    int windows;
};

/* The largest degree, which another one has to beat, then those that promise most. */
static int refine_at(void *user, const struct sample *d, int n[SAMPLE_WINDOWS])
{
    const struct refining *r = user;
    struct prediction p;
    r->coeff->model->predict(r->coeff->value, d, &p);
    bool taken[MODEL_N_MAX + 1] = {false};
    int found = 0;
    for (int next = p.n_max; found < r->windows && next; found++) {
        n[found] = next;
        taken[next] = true;
        next = 0;
        for (int i = 1; i <= p.n_max; i++)
            if (!taken[i] && (!next || p.ipc[i] > p.ipc[next]))
                next = i;
    }
    return found;
}

static void predict(struct forecast *f)
{
    int kernels = f->set.nkernels;
    f->kernel = xcalloc((size_t)kernels, sizeof *f->kernel);
    for (int i = 0; i < kernels; i++) {
        const struct sample *s = &f->set.kernel[i];
        f->model->predict(f->coeff.value, s, &f->kernel[i]);
        f->total_ctas += (uint64_t)s->total_ctas;
        f->total_warp_insts += s->total_warp_insts;
    }
    model_combine(f->set.kernel, f->kernel, kernels, &f->all);
}

bool forecast_model(struct options *o, struct coefficients *out, struct err *e)
{
    const struct model_ops *m = model_find(o->model);
    o->bad_usage = !m;
    if (!m)
        return err_set(e, "no model named \"%s\"; `mdpredict list models` shows them", o->model);
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
                              .refine_at = o->refine ? refine_at : NULL,
                              .refine_user = &(struct refining){&out->coeff, o->refine},
                              .progress = on_progress,
                              .user = p};
    bool ok = sampler_run(t, cfg, &so, &out->set, e);
    progress_free(p);
    if (ok)
        predict(out);
    return ok;
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
