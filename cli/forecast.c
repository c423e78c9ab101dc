#include "cli/forecast.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/datadir.h"
#include "base/progress.h"
#include "cli/runner.h"

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

/* Simulates the target with n CTAs at once, and decides by that too. */
static bool simulate(struct forecast *f, const struct run_plan *plan, struct err *e)
{
    struct progress *p = progress_new("refine");
    struct run_plan with = *plan;
    struct run_result r;
    with.progress = on_progress;
    with.user = p;
    const bool ok = runner_run(&with, &r, e);
    progress_free(p);
    if (!ok)
        return err_prefix(e, "n = %d", plan->n);
    const double ipc = stats_rate(&r.total, RATE_ipc);
    f->simulated[f->simulations++] =
        (struct simulated_degree){.n = plan->n, .ipc = ipc, .predicted = f->all.ipc[plan->n]};
    model_simulated(&f->all, plan->n, ipc);
    f->set.warp_insts += r.total.warp_insts;
    f->set.host_seconds += r.host_seconds;
    run_result_release(&r);
    return true;
}

/* It is not simulated whole, but tried. */
static bool too_long(const struct forecast *f, const struct options *o)
{
    return f->total_warp_insts > (double)o->refine_insts;
}

int forecast_tried_at(const struct forecast *f, int n)
{
    const int most = (int)f->set.kernel[f->set.tried_kernel].n_max;
    return n < most ? n : most;
}

/* Simulates short pieces of it, and decides by them too. Where other kernels alone have more CTAs a
 * degree is known by a smaller one's. */
static bool try_some(struct forecast *f, const struct options *o, const struct target *t,
                     const struct gpu_cfg *cfg, struct err *e)
{
    const struct sampler_opts so = {.max_cycles = o->max_cycles};
    const struct sample *s = &f->set.kernel[f->set.tried_kernel];
    const struct model_kernels k = forecast_kernels(f, -1);
    for (int n; (n = model_simulate_next(&f->all));) {
        const bool known = s->trial_insts[forecast_tried_at(f, n) - 1] > 0;
        const double before = f->all.ipc[n];
        if (!known && f->trials == o->refine)
            break;
        if (!known && !sampler_try(t, cfg, &so, n, &f->set, e))
            return false;
        model_tried(&f->all, n, model_trial_speed(&k, n));
        if (!known)
            f->tried[f->trials++] =
                (struct tried_degree){.n = n, .ipc = f->all.ipc[n], .predicted = before};
    }
    return true;
}

static bool refine(struct forecast *f, const struct options *o, const struct target *t,
                   const struct gpu_cfg *cfg, struct err *e)
{
    if (!o->refine)
        return true;
    if (too_long(f, o))
        return try_some(f, o, t, cfg, e);
    struct run_plan plan = {.target = t,
                            .cfg = cfg,
                            .max_cycles = o->max_cycles,
                            .total_ctas = f->total_ctas,
                            .kernel_output = fopen("/dev/null", "w")};
    bool ok = plan.kernel_output || err_set(e, "cannot open /dev/null");
    while (ok && f->simulations < o->refine && (plan.n = model_simulate_next(&f->all)))
        ok = simulate(f, &plan, e);
    if (plan.kernel_output)
        fclose(plan.kernel_output);
    return ok;
}

static bool can_refine(struct options *o, const struct model_ops *m, struct err *e)
{
    o->bad_usage = o->refine && !m->refines;
    return !o->bad_usage ||
           err_set(e, "--refine: the model %s does not say what one degree tells of another",
                   m->name);
}

bool forecast_run(struct options *o, const struct target *t, const struct gpu_cfg *cfg,
                  struct forecast *out, struct err *e)
{
    *out = (struct forecast){0};
    if (!forecast_model(o, &out->coeff, e) || !can_refine(o, out->coeff.model, e))
        return false;
    out->model = out->coeff.model;
    struct progress *p = progress_new("sample");
    struct sampler_opts so = {.cta = o->cta,
                              .max_cycles = o->max_cycles,
                              .window = o->window,
                              .jobs = o->jobs,
                              .progress = on_progress,
                              .user = p};
    bool ok = sampler_run(t, cfg, &so, &out->set, e);
    progress_free(p);
    if (!ok)
        return false;
    predict(out);
    return refine(out, o, t, cfg, e);
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
