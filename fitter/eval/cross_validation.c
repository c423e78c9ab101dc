#include "fitter/eval/cross_validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/datadir.h"
#include "base/pool.h"
#include "base/pool_progress.h"
#include "fitter/fit/fit.h"

/* Their coefficients stand in a paper. */
static const char *const published[] = {"yen2014"};

static void choose_default(const struct app_case *c, struct choice *out)
{
    out->n = c->m.n_max;
}

static void choose_optimum(const struct app_case *c, struct choice *out)
{
    out->n = measured_optimum(&c->m);
}

static void choose_search(const struct app_case *c, struct choice *out)
{
    out->n = measured_optimum(&c->once);
}

static const struct predictor first = {.name = "default",
                                       .help = "as many CTAs as fit",
                                       .choose = choose_default},
                              searching = {.name = "search",
                                           .help = "the best of all degrees, each simulated once",
                                           .choose = choose_search},
                              last = {.name = "optimum",
                                      .help = "the best of all degrees, each simulated",
                                      .choose = choose_optimum};

static struct predictor *enter(struct cross_validation *c, const struct predictor *one)
{
    c->predictor = xrealloc(c->predictor, (size_t)(c->predictors + 1) * sizeof *c->predictor);
    c->predictor[c->predictors] = *one;
    return &c->predictor[c->predictors++];
}

static bool is_published(const struct model_ops *m)
{
    bool found = false;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        found |= strcmp(published[i], m->name) == 0;
    return found;
}

static void enter_model(struct cross_validation *c, const struct model_ops *m)
{
    struct predictor one = {.model = m, .help = m->help};
    const bool fits = m->stages && m->stages->name, stated = is_published(m);
    snprintf(one.name, sizeof one.name, "%s", m->name);
    if (stated || !fits)
        enter(c, &one);
    one.fitted = fits;
    if (stated)
        snprintf(one.name, sizeof one.name, "%s fitted", m->name);
    if (fits)
        enter(c, &one);
    one.refined = m->refines;
    snprintf(one.name, sizeof one.name, "%s refined", m->name);
    if (one.refined)
        enter(c, &one);
}

static void enter_all(struct cross_validation *c, const struct cv_opts *o)
{
    const struct model_ops *m;
    enter(c, &first);
    for (int i = 0; (m = model_at(i)); i++) {
        bool wanted = o->models == 0;
        for (int k = 0; k < o->models; k++)
            wanted |= strcmp(o->model[k], m->name) == 0;
        if (wanted)
            enter_model(c, m);
    }
    bool perturbed = false;
    for (int i = 0; i < c->cases.count; i++)
        perturbed |= c->cases.one[i].runs > 1;
    if (perturbed) /* else it is the optimum */
        enter(c, &searching);
    enter(c, &last);
}

/* A predictor's work for one application on one GPU, in all of its settings there: one fit. */
struct turn {
    struct cross_validation *validation;
    const struct series_set *series;
    const struct coefficients *start; /* what the model's file says */
    const struct app_case *of;        /* the first of its cases */
    int predictor;
    bool refused; /* the fit was: why */
    char why[512];
    struct pool_part *part;
};

static struct choice *choice_at(const struct cross_validation *c, int the_case, int predictor)
{
    return &c->choice[the_case * c->predictors + predictor];
}

const struct choice *cv_choice(const struct cross_validation *c, int the_case, int predictor)
{
    return choice_at(c, the_case, predictor);
}

static bool is_seen(void *user, const struct series *s)
{
    const struct turn *t = user;
    char name[128];
    return strcmp(s->gpu, t->of->gpu) == 0 &&
           strcmp(series_workload(s, name), t->of->workload) != 0;
}

static void predict(const struct coefficients *coeff, const struct app_case *c, struct choice *out)
{
    struct prediction *kernel = xcalloc((size_t)c->samples, sizeof *kernel);
    const struct model_coeffs with = coefficients_model(coeff);
    model_predict(&with, c->sample, c->samples, kernel, &out->predicted);
    out->predicts = true;
    out->n = out->predicted.chosen_n;
    if (c->m.n_max && out->n > c->m.n_max)
        out->n = c->m.n_max;
    free(kernel);
}

static void choose(struct turn *t, const struct coefficients *coeff)
{
    struct cross_validation *c = t->validation;
    const struct predictor *who = &c->predictor[t->predictor];
    for (int i = 0; i < c->cases.count; i++) {
        const struct app_case *a = &c->cases.one[i];
        struct choice *out = choice_at(c, i, t->predictor);
        if (strcmp(a->gpu, t->of->gpu) || strcmp(a->workload, t->of->workload))
            continue;
        if (who->model)
            predict(coeff, a, out);
        if (a->m.n_max == 0)
            continue;
        if (!who->model)
            who->choose(a, out);
        const struct prediction *predicted = out->predicts ? &out->predicted : NULL;
        double once = out->ipc; /* of no single n choose() has said what was simulated */
        if (out->n) {
            out->ipc = a->m.ipc[out->n];
            once = a->once.ipc[out->n];
        }
        metrics_evaluate(&a->m, out->n, out->ipc, predicted, &out->mean);
        metrics_evaluate(&a->once, out->n, once, predicted, &out->once);
    }
}

static bool take_turn(void *user, int i, struct err *e)
{
    struct turn *t = (struct turn *)user + i;
    struct model_fit f;
    struct err why = {""};
    (void)e;
    struct fit_opts o = {.idle_stay = true, .sees = is_seen, .user = t};
    if (!t->validation->predictor[t->predictor].fitted) {
        choose(t, t->start);
    } else if (fit_run(t->start, t->series, &o, &f, &why)) {
        choose(t, &f.coeff);
        fit_release(&f);
    } else {
        t->refused = true;
        snprintf(t->why, sizeof t->why, "without %s on %s: %.300s", t->of->workload, t->of->gpu,
                 why.msg);
        choose(t, t->start);
    }
    pool_part_end(t->part, true);
    return true;
}

/* The first case of its application on its GPU. */
static bool begins(const struct case_set *s, int i)
{
    const struct app_case *c = &s->one[i];
    bool seen = c->m.n_max == 0;
    for (int k = 0; k < i; k++)
        seen |= s->one[k].m.n_max > 0 && strcmp(s->one[k].gpu, c->gpu) == 0 &&
                strcmp(s->one[k].workload, c->workload) == 0;
    return !seen;
}

static int share_turns(struct cross_validation *c, const struct series_set *series,
                       const struct coefficients *start, struct turn **out)
{
    struct turn *t = xcalloc((size_t)c->cases.count * (size_t)c->predictors + 1, sizeof *t);
    int turns = 0;
    for (int k = 0; k < c->predictors; k++)
        for (int i = 0; i < c->cases.count; i++)
            if (begins(&c->cases, i))
                t[turns++] = (struct turn){.validation = c,
                                           .series = series,
                                           .start = start[k].model ? &start[k] : NULL,
                                           .of = &c->cases.one[i],
                                           .predictor = k};
    *out = t;
    return turns;
}

static void note_fits(struct cross_validation *c, const struct turn *t, int turns)
{
    for (int i = 0; i < turns; i++) {
        struct predictor *who = &c->predictor[t[i].predictor];
        who->fits += who->fitted;
        if (t[i].refused && who->refused++ == 0)
            memcpy(who->why, t[i].why, sizeof who->why);
    }
}

static bool read_coefficients(const struct cross_validation *c, struct coefficients *start,
                              struct err *e)
{
    bool ok = true;
    for (int k = 0; ok && k < c->predictors; k++) {
        const struct model_ops *m = c->predictor[k].model;
        char *path = m ? datadir_find("coefficients", m->name, e) : NULL;
        ok = !m || (path && coefficients_load(&start[k], m, path, e));
        free(path);
    }
    return ok;
}

static bool hold(struct cross_validation *c, const struct series_set *series, int jobs,
                 struct err *e)
{
    struct coefficients *start = xcalloc((size_t)c->predictors, sizeof *start);
    bool ok = read_coefficients(c, start, e);
    if (ok) {
        struct turn *t;
        int turns = share_turns(c, series, start, &t);
        struct pool_progress *progress = pool_progress_new("fits", turns);
        for (int i = 0; i < turns; i++) {
            const struct predictor *who = &c->predictor[t[i].predictor];
            t[i].part = pool_part(progress, i);
            pool_part_set(t[i].part, who->fitted ? 1 : 1e-3, t[i].of->workload);
        }
        ok = pool_run(jobs, turns, take_turn, t, e);
        pool_progress_free(progress);
        note_fits(c, t, turns);
        free(t);
    }
    for (int k = 0; k < c->predictors; k++)
        coefficients_release(&start[k]);
    free(start);
    return ok;
}

static bool any_run(const struct case_set *s)
{
    bool any = false;
    for (int i = 0; i < s->count; i++)
        any |= s->one[i].m.n_max > 0;
    return any;
}

int cv_untried(const struct cross_validation *c, int predictor)
{
    int n = 0;
    for (int i = 0; i < c->cases.count; i++)
        n += cv_choice(c, i, predictor)->untried;
    return n;
}

bool cv_run(struct profile *p, const struct cv_opts *o, struct cross_validation *out, struct err *e)
{
    struct series_set series;
    *out = (struct cross_validation){0};
    if (!series_profile(p, &series, e))
        return false;
    bool ok = cases_load(p, &out->cases, e);
    if (ok && !any_run(&out->cases))
        ok = err_set(e, "the profile has no run to judge a choice by, only samples");
    if (ok) {
        out->main_size = cases_main_size(&out->cases);
        enter_all(out, o);
        out->choice =
            xcalloc((size_t)out->cases.count * (size_t)out->predictors + 1, sizeof *out->choice);
        ok = hold(out, &series, o->jobs, e);
    }
    series_release(&series);
    if (!ok)
        cv_release(out);
    return ok;
}

void cv_release(struct cross_validation *c)
{
    cases_release(&c->cases);
    free(c->predictor);
    free(c->choice);
    *c = (struct cross_validation){0};
}
