#include "fitter/eval/cross_validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/datadir.h"
#include "base/pool.h"
#include "base/pool_progress.h"
#include "fitter/fit/fit.h"
#include "model/effort.h"

/* Their coefficients stand in a paper. */
static const char *const published[] = {"yen2014"};

static const char *const gpus_name[] = {
    [CV_SAME_GPU] = "same", [CV_OTHER_GPUS] = "other", [CV_ALL_GPUS] = "all"};

const char *cv_gpus_name(enum cv_gpus g)
{
    return gpus_name[g];
}

bool cv_gpus_find(const char *name, enum cv_gpus *out)
{
    for (int i = 0; i < CV_GPUS; i++)
        if (strcmp(gpus_name[i], name) == 0) {
            *out = (enum cv_gpus)i;
            return true;
        }
    return false;
}

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

/* Of pilots how far off they are. */
static bool can_fit(const struct model_ops *m)
{
    return m == &model_pilots || (m->stages && m->stages->name);
}

static void enter_efforts(struct cross_validation *c, const struct model_ops *m)
{
    static void (*const predict[EFFORT_COUNT])(const struct app_case *, const struct knowledge *,
                                               struct choice *) = {[EFFORT_WINDOW] = predict_window,
                                                                   [EFFORT_QUICK] = predict_quick,
                                                                   [EFFORT_THOROUGH] =
                                                                       predict_thorough};
    for (int i = 0; i < EFFORT_COUNT; i++) {
        struct predictor one = {.model = m, .fitted = can_fit(m), .predict = predict[i]};
        one.help = effort_help((enum effort)i);
        snprintf(one.name, sizeof one.name, "%s", effort_name((enum effort)i));
        enter(c, &one);
    }
}

static void enter_model(struct cross_validation *c, const struct model_ops *m)
{
    struct predictor one = {.model = m, .help = m->help, .predict = predict_window};
    const bool fits = can_fit(m), stated = is_published(m);
    snprintf(one.name, sizeof one.name, "%s", m->name);
    if (m == &model_pilots)
        one.predict = predict_by_pilots;
    if (stated || !fits)
        enter(c, &one);
    one.fitted = fits;
    if (stated)
        snprintf(one.name, sizeof one.name, "%s fitted", m->name);
    if (fits)
        enter(c, &one);
}

static void enter_all(struct cross_validation *c, const struct cv_opts *o)
{
    const struct model_ops *m;
    enter(c, &predictor_default);
    for (int i = 0; (m = model_at(i)); i++) {
        bool wanted = o->models == 0;
        for (int k = 0; k < o->models; k++)
            wanted |= strcmp(o->model[k], m->name) == 0;
        if (wanted && strcmp(m->name, MODEL_DEFAULT) == 0)
            enter_efforts(c, m);
        else if (wanted)
            enter_model(c, m);
    }
    enter(c, &predictor_search);
    enter(c, &predictor_optimum);
}

/* The work of predictors that ask the same model, for one application on one GPU, in all of its
 * settings there: one fit. */
struct turn {
    struct cross_validation *validation;
    const struct series_set *series;
    const struct coefficients *start, *pilots; /* what the files of the model and of pilots say */
    const struct app_case *of;                 /* the first of its cases */
    int first, last;                           /* predictors */
    bool refused;                              /* the fit was: why */
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

static bool is_gpu_seen(enum cv_gpus gpus, bool same)
{
    return gpus == CV_ALL_GPUS || same == (gpus == CV_SAME_GPU);
}

static bool is_seen(void *user, const struct series *s)
{
    const struct turn *t = user;
    char name[128];
    return is_gpu_seen(t->validation->gpus, strcmp(s->gpu, t->of->gpu) == 0) &&
           strcmp(series_workload(s, name), t->of->workload) != 0;
}

static void evaluate(const struct app_case *a, struct choice *out)
{
    const struct prediction *predicted = out->predicts ? &out->predicted : NULL;
    out->ipc = a->m.ipc[out->n];
    metrics_evaluate(&a->m, out->n, out->ipc, predicted, &out->mean);
    metrics_evaluate(&a->once, out->n, a->once.ipc[out->n], predicted, &out->once);
    out->mean.insts = out->once.insts = a->full_warp_insts;
    if (case_has_price(a)) {
        out->mean.price = out->once.price = out->seconds / a->price.simulation_seconds;
        out->mean.search_price = out->once.search_price = out->seconds / case_search_seconds(a);
    }
}

/* Of a case that was not run only what a model predicts is of interest. */
static void choose(struct turn *t, const struct knowledge *k)
{
    struct cross_validation *c = t->validation;
    for (int i = 0; i < c->cases.count; i++) {
        const struct app_case *a = &c->cases.one[i];
        if (strcmp(a->gpu, t->of->gpu) || strcmp(a->workload, t->of->workload))
            continue;
        for (int p = t->first; p <= t->last; p++) {
            struct choice *out = choice_at(c, i, p);
            if (a->m.n_max == 0 && !c->predictor[p].model)
                continue;
            c->predictor[p].predict(a, k, out);
            if (a->m.n_max > 0)
                evaluate(a, out);
        }
    }
}

/* Fitted to all other applications, or, where that is refused, as it stands. */
static bool fit(struct turn *t, const struct coefficients *start, struct model_fit *out,
                struct err *why)
{
    const struct fit_opts o = {.idle_stay = true, .sees = is_seen, .user = t};
    return fit_run(start, t->series, &o, out, why);
}

static void take_pilots(struct turn *t, struct pilot_coeff *out)
{
    struct model_fit f;
    struct err why;
    const bool ok = fit(t, t->pilots, &f, &why);
    memcpy(out, ok ? f.coeff.value : t->pilots->value, sizeof *out);
    if (ok)
        fit_release(&f);
}

static bool take_turn(void *user, int i, struct err *e)
{
    struct turn *t = (struct turn *)user + i;
    struct knowledge k = {.model = {.model = NULL}};
    struct model_fit f;
    struct err why = {""};
    (void)e;
    bool fits = t->start && t->validation->predictor[t->first].fitted;
    if (t->start)
        take_pilots(t, &k.pilots);
    if (fits && !fit(t, t->start, &f, &why)) {
        fits = false;
        t->refused = true;
        snprintf(t->why, sizeof t->why, "without %s on %s: %.300s", t->of->workload, t->of->gpu,
                 why.msg);
    }
    if (t->start)
        k.model = coefficients_model(fits ? &f.coeff : t->start);
    choose(t, &k);
    if (fits)
        fit_release(&f);
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

/* The last of the predictors from k on that can share its fit. */
static int same_fit(const struct cross_validation *c, int k)
{
    int last = k;
    while (last + 1 < c->predictors && c->predictor[last + 1].model == c->predictor[k].model &&
           c->predictor[last + 1].fitted == c->predictor[k].fitted)
        last++;
    return last;
}

static int share_turns(struct cross_validation *c, const struct series_set *series,
                       const struct coefficients *start, const struct coefficients *pilots,
                       struct turn **out)
{
    struct turn *t = xcalloc((size_t)c->cases.count * (size_t)c->predictors + 1, sizeof *t);
    int turns = 0;
    for (int k = 0; k < c->predictors; k = same_fit(c, k) + 1)
        for (int i = 0; i < c->cases.count; i++)
            if (begins(&c->cases, i))
                t[turns++] = (struct turn){.validation = c,
                                           .series = series,
                                           .start = start[k].model ? &start[k] : NULL,
                                           .pilots = pilots,
                                           .of = &c->cases.one[i],
                                           .first = k,
                                           .last = same_fit(c, k)};
    *out = t;
    return turns;
}

static void note_fits(struct cross_validation *c, const struct turn *t, int turns)
{
    for (int i = 0; i < turns; i++)
        for (int k = t[i].first; k <= t[i].last; k++) {
            struct predictor *who = &c->predictor[k];
            who->fits += who->fitted;
            if (t[i].refused && who->refused++ == 0)
                memcpy(who->why, t[i].why, sizeof who->why);
        }
}

static bool read_one(struct coefficients *out, const struct model_ops *m, struct err *e)
{
    char *path = datadir_find("coefficients", m->name, e);
    const bool ok = path && coefficients_load(out, m, path, e);
    free(path);
    return ok;
}

static bool read_coefficients(const struct cross_validation *c, struct coefficients *start,
                              struct coefficients *pilots, struct err *e)
{
    bool ok = read_one(pilots, &model_pilots, e);
    for (int k = 0; ok && k < c->predictors; k++)
        ok = !c->predictor[k].model || read_one(&start[k], c->predictor[k].model, e);
    return ok;
}

static bool take_turns(struct cross_validation *c, const struct series_set *series, int jobs,
                       struct err *e)
{
    struct coefficients *start = xcalloc((size_t)c->predictors, sizeof *start), pilots = {0};
    bool ok = read_coefficients(c, start, &pilots, e);
    if (ok) {
        struct turn *t;
        int turns = share_turns(c, series, start, &pilots, &t);
        struct pool_progress *progress = pool_progress_new("fits", turns);
        for (int i = 0; i < turns; i++) {
            const struct predictor *who = &c->predictor[t[i].first];
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
    coefficients_release(&pilots);
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

int cv_unpiloted(const struct cross_validation *c, int predictor)
{
    int n = 0;
    for (int i = 0; i < c->cases.count; i++)
        n += cv_choice(c, i, predictor)->unpiloted;
    return n;
}

bool cv_run(struct profile *p, const struct cv_opts *o, struct cross_validation *out, struct err *e)
{
    struct series_set series;
    *out = (struct cross_validation){.gpus = o->gpus};
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
        ok = take_turns(out, &series, o->jobs, e);
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
