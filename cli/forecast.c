#include "cli/forecast.h"

#include <stdlib.h>
#include <string.h>

#include "base/datadir.h"
#include "base/nowhere.h"
#include "base/progress.h"
#include "base/suggest.h"
#include "cli/runner.h"
#include "model/estimate.h"
#include "sampler/whole_runs.h"

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
        f->total_thread_insts += s->total_thread_insts;
    }
    f->known = estimate(&c, &f->pilots, f->set.kernel, kernels, f->kernel, &f->all);
}

bool forecast_pilots(struct pilot_coeff *out, struct err *e)
{
    struct coefficients c;
    char *path = datadir_find("coefficients", model_pilots.name, e);
    const bool ok = path && coefficients_load(&c, &model_pilots, path, e);
    if (ok) {
        memcpy(out, c.value, sizeof *out);
        coefficients_release(&c);
    }
    free(path);
    return ok;
}

void forecast_say_cost(const struct options *o, const struct pilot_coeff *c)
{
    if (o->effort == EFFORT_THOROUGH && !(o->budget > 0) && o->command->id == COMMAND_sample)
        fprintf(stderr,
                "mdpredict: a thorough answer may cost %g times one simulation at the default "
                "degree: up to %g for pilots, the rest for up to %g whole simulations; beside "
                "that, kernels whose CTAs wait for each other are simulated at every degree\n",
                c->budget_runs, c->budget_thorough, c->runs);
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

struct whole { /* the target, simulated whole */
    struct run_plan plan;
    double thread_insts;
};

static bool run_whole(void *user, int n, struct whole_run *run, struct err *e)
{
    const struct whole *w = user;
    struct progress *p = progress_new("simulate");
    struct run_plan with = w->plan;
    struct run_result r;
    with.n = n;
    with.progress = on_progress;
    with.user = p;
    const bool ok = runner_run(&with, &r, e);
    progress_free(p);
    if (!ok)
        return err_prefix(e, "n = %d", n);
    const double ipc = w->thread_insts / (double)r.total.cycles; /* as search_ipc() has it */
    *run = (struct whole_run){ipc, r.total.warp_insts, r.host_seconds};
    run_result_release(&r);
    return true;
}

static bool confirm(struct forecast *f, const struct options *o, const struct target *t,
                    const struct gpu_cfg *cfg, struct err *e)
{
    struct whole of = {.plan = {.target = t,
                                .cfg = cfg,
                                .max_cycles = o->max_cycles,
                                .total_ctas = f->total_ctas,
                                .kernel_output = nowhere_open()},
                       .thread_insts = f->total_thread_insts};
    const bool ok = whole_runs(&(struct whole_runs){.pilots = &f->pilots,
                                                    .budget = o->budget,
                                                    .insts = f->set.cost.full_warp_insts,
                                                    .known = f->known,
                                                    .all = &f->all,
                                                    .run = run_whole,
                                                    .user = &of,
                                                    .cost = &f->set.cost},
                               e);
    fclose(of.plan.kernel_output);
    return ok;
}

bool forecast_run(struct options *o, const struct target *t, const struct gpu_cfg *cfg,
                  struct forecast *out, struct err *e)
{
    *out = (struct forecast){0};
    if (!forecast_model(o, &out->coeff, e) || !forecast_pilots(&out->pilots, e) ||
        !sampling_load(&out->rules, e))
        return false;
    forecast_say_cost(o, &out->pilots);
    const struct model_coeffs with = coefficients_model(&out->coeff);
    out->model = out->coeff.model;
    struct progress *p = progress_new("sample");
    struct sampler_opts so = {.cta = o->cta,
                              .sample = {.effort = o->effort,
                                         .by = &out->rules,
                                         .model = &with,
                                         .pilots = out->pilots,
                                         .budget = o->budget,
                                         .jobs = o->jobs,
                                         .max_cycles = o->max_cycles,
                                         .window = o->window},
                              .progress = on_progress,
                              .user = p};
    bool ok = sampler_run(t, cfg, &so, &out->set, e);
    progress_free(p);
    for (int i = 0; i < out->set.notes; i++)
        fprintf(stderr, "mdpredict: %s\n", out->set.note[i]);
    if (!ok)
        return false;
    predict(out);
    if (o->effort == EFFORT_THOROUGH && !confirm(out, o, t, cfg, e))
        return false;
    sample_cost_price(&out->set.cost, out->all.n_max, &out->price);
    out->price.budget = o->budget;
    out->price.searched = samples_whole(out->set.kernel, out->set.nkernels);
    if (out->price.searched) /* it was the search, or part of it */
        out->price.search = samples_search_seconds(out->set.kernel, out->set.nkernels);
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
    posterior_free(f->known);
    coefficients_release(&f->coeff);
    free(f->kernel);
    *f = (struct forecast){0};
}
