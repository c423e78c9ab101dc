#include "fitter/fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fitter/fit/least_squares.h"
#include "fitter/fit/required_inputs.h"
#include "fitter/fit/residuals.h"
#include "fitter/fit/segments.h"

#define JUMP_ROUNDS      20
#define JUMP_CANDIDATES  24 /* places in a window that are tried */
#define INFLUENCE_PLACES 20
#define JUMP_GAIN        1e-10 /* of what there is to explain: a smaller gain is rounding */

struct stage_work {
    const struct model_ops *model;
    const struct model_stage *stage;
    const struct fit_opts *o;
    struct model_step *step;  /* owned */
    const struct series **of; /* owned: whose step it is */
    double *y;                /* owned: log of the observed growth, by step */
    double least_gain;        /* that moves a jump */
    double cutoff;            /* of a robust fit: see struct ls_fit */
    int steps;
    char *coeff; /* owned: of the point under way */
    struct ls_coeff free[LS_COEFFS_MAX];
    int place[LS_COEFFS_MAX];  /* of free[] in the model's table */
    double *at[LS_COEFFS_MAX]; /* and in coeff */
    int nfree;
    bool kept[LS_COEFFS_MAX]; /* by place in the table: not determined, so it keeps its value */
};

static void add_step(struct stage_work *w, const void *coeff, const struct series *s,
                     const struct model_step *t)
{
    const double growth = w->stage->observed(t);
    if (!(growth > 0) || !isfinite(growth) || !required_measured(w->stage, coeff, t))
        return;
    const size_t room = (size_t)w->steps + 1;
    w->step = xrealloc(w->step, room * sizeof *w->step);
    w->of = xrealloc(w->of, room * sizeof *w->of);
    w->y = xrealloc(w->y, room * sizeof *w->y);
    w->step[w->steps] = *t;
    w->of[w->steps] = s;
    w->y[w->steps++] = log(growth);
}

static void gather(struct stage_work *w, const void *coeff, const struct series_set *set,
                   bool (*sees)(void *user, const struct series *s), void *user)
{
    struct model_step t;
    for (int i = 0; i < set->count; i++)
        for (int n = w->stage->whole ? 1 : 2; n <= set->one[i].n_max; n++)
            if ((!sees || sees(user, &set->one[i])) && series_step(&set->one[i], n, &t))
                add_step(w, coeff, &set->one[i], &t);
}

static void release(struct stage_work *w)
{
    free(w->step);
    free(w->of);
    free(w->y);
}

/* coeff: of free[]. */
static void take(struct stage_work *w, const double *coeff)
{
    for (int c = 0; c < w->nfree; c++)
        *w->at[c] = coeff[c];
}

static double predicted(void *user, const double *coeff, int i)
{
    struct stage_work *w = user;
    take(w, coeff);
    return log(w->stage->predicted(w->coeff, &w->step[i]));
}

bool fit_holds(const struct fit_opts *o, const char *name)
{
    for (int i = 0; i < o->holds; i++)
        if (strcmp(o->hold[i], name) == 0)
            return true;
    return false;
}

static bool moves_steps(struct stage_work *w, double *at, double v)
{
    const double was = *at;
    bool moves = false;
    for (int i = 0; !moves && i < w->steps; i++) {
        *at = v;
        const double before = w->stage->predicted(w->coeff, &w->step[i]);
        for (int sign = -1; sign <= 1; sign += 2) {
            *at = v + sign * 1e-3 * (1 + fabs(v));
            moves |= w->stage->predicted(w->coeff, &w->step[i]) != before;
        }
    }
    *at = was;
    return moves;
}

/* Does any step's prediction move with coefficient c, here or elsewhere in its range? Which segment
 * a step is in depends on no such coefficient. */
static bool has_influence(struct stage_work *w, int c)
{
    const struct param *r = coefficient_row(w->model, c);
    double *at = coefficient_at(w->model, w->coeff, c);
    bool moves = moves_steps(w, at, *at);
    for (int i = 0; !moves && !w->stage->segment && i < INFLUENCE_PLACES; i++)
        moves = moves_steps(w, at, r->lo + (r->hi - r->lo) * (i + 0.5) / INFLUENCE_PLACES);
    return moves;
}

/* The coefficients that least squares may vary; *idle: one without influence, which may not. */
static void choose_free(struct stage_work *w, const char **idle)
{
    w->nfree = 0;
    *idle = NULL;
    for (const char *const *name = w->stage->coeff; *name; name++) {
        int c = coefficient_find(w->model, *name);
        const struct param *r = coefficient_row(w->model, c);
        if (fit_holds(w->o, *name))
            continue;
        if (w->kept[c] || !has_influence(w, c)) {
            *idle = *name;
            continue;
        }
        double v = *coefficient_at(w->model, w->coeff, c);
        w->place[w->nfree] = c;
        w->at[w->nfree] = coefficient_at(w->model, w->coeff, c);
        w->free[w->nfree++] =
            (struct ls_coeff){.name = *name, .lo = r->lo, .hi = r->hi, .start = v};
    }
}

static struct ls_problem problem(struct stage_work *w, const char **idle)
{
    choose_free(w, idle);
    return (struct ls_problem){.coeff = w->free,
                               .ncoeff = w->nfree,
                               .nrows = w->steps,
                               .y = w->y,
                               .value = predicted,
                               .user = w,
                               .robust = w->o->robust,
                               .method = w->o->method};
}

static bool descend(struct stage_work *w, struct ls_fit *fit, const char **idle)
{
    const struct ls_problem p = problem(w, idle);
    const bool ok = ls_fit(&p, fit, NULL);
    if (ok)
        take(w, fit->value);
    return ok;
}

/* The last one. What isn't determined keeps its value, if that is asked for. */
static bool descend_to_end(struct stage_work *w, const void *start, struct ls_fit *fit,
                           const char **idle, struct err *e)
{
    struct err why;
    for (;;) {
        struct ls_problem p = problem(w, idle);
        p.thorough = w->o->robust || !w->o->idle_stay;
        if (ls_fit(&p, fit, &why))
            break;
        if (!w->o->idle_stay || fit->loose < 0)
            return err_set(e, "%s", why.msg);
        const int c = w->place[fit->loose];
        const size_t off = (size_t)((char *)w->at[fit->loose] - w->coeff);
        w->kept[c] = true;
        memcpy(w->at[fit->loose], (const char *)start + off, sizeof(double));
    }
    take(w, fit->value);
    return true;
}

/* The same minimum where each step depends on one coefficient at most. */
static double descend_segments(struct stage_work *w)
{
    const char *idle;
    const struct ls_problem p = problem(w, &idle);
    int *of = xcalloc((size_t)w->steps + 1, sizeof *of), place[LS_COEFFS_MAX] = {0};
    double coeff[LS_COEFFS_MAX];
    for (int k = 0; w->stage->coeff[k]; k++) {
        place[k] = w->nfree - 1;
        while (place[k] >= 0 && strcmp(w->free[place[k]].name, w->stage->coeff[k]) != 0)
            place[k]--;
    }
    for (int i = 0; i < w->steps; i++) {
        const int k = w->stage->segment(w->coeff, &w->step[i]);
        of[i] = k < 0 ? -1 : place[k];
    }
    for (int c = 0; c < w->nfree; c++)
        coeff[c] = w->free[c].start;
    const double sum = segments_fit(&p, of, coeff);
    take(w, coeff);
    free(of);
    return sum;
}

/* A robust fit's outliers must not steer the jumps either: how far off they are is nothing. */
static double deviation(const struct stage_work *w, double r)
{
    return w->o->robust ? fmin(fabs(r), w->cutoff) : r * r;
}

/* Of the fit at the jumps as they stand: what the search makes small. */
static double cost(struct stage_work *w)
{
    struct ls_fit fit;
    const char *idle;
    if (w->stage->segment && !w->o->robust) /* whose weights only ls_fit knows */
        return descend_segments(w);
    if (!descend(w, &fit, &idle))
        return INFINITY;
    double sum = 0;
    for (int i = 0; i < w->steps; i++)
        sum += deviation(w, log(w->stage->predicted(w->coeff, &w->step[i])) - w->y[i]);
    return sum;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Midpoints of the values that the steps have at a jump, within the coefficient's range. *out:
 * owned by the caller, ascending. */
static int midpoints(const struct stage_work *w, const struct model_jump *j, double **out)
{
    double *v = xcalloc((size_t)w->steps + 1, sizeof *v);
    int n = 0, mids = 0;
    const struct param *r = coefficient_row(w->model, coefficient_find(w->model, j->coeff));
    for (int i = 0; i < w->steps; i++) {
        double q = j->quantity(&w->step[i]);
        if (isfinite(q))
            v[n++] = q;
    }
    qsort(v, (size_t)n, sizeof *v, ascending);
    for (int i = 0; i + 1 < n; i++) {
        double mid = v[i] + (v[i + 1] - v[i]) / 2;
        if (v[i] < v[i + 1] && mid >= r->lo && mid <= r->hi)
            v[mids++] = mid;
    }
    *out = v;
    return mids;
}

/* Moves one jump to where the fit is best; of equals it stays, or takes the first that was tried. A
 * window over the midpoints is looked at in a few places, then narrowed around the best of them. */
static bool move_jump(struct stage_work *w, const struct model_jump *j, double *best)
{
    double *mid;
    int from = 0, to = midpoints(w, j, &mid), stride;
    size_t size = w->model->coeff_size;
    char *kept = xmalloc(size), *start = xmalloc(size);
    bool moved = false;
    memcpy(kept, w->coeff, size);
    memcpy(start, w->coeff, size);
    do {
        int centre = -1;
        stride = (to - from + JUMP_CANDIDATES - 1) / JUMP_CANDIDATES;
        for (int i = from + stride / 2; i < to; i += stride) {
            memcpy(w->coeff, start, size);
            *coefficient_at(w->model, w->coeff, coefficient_find(w->model, j->coeff)) = mid[i];
            double c = cost(w);
            if (c < *best - w->least_gain) {
                *best = c;
                memcpy(kept, w->coeff, size);
                centre = i;
            }
        }
        moved |= centre >= 0;
        from = centre - stride + 1 > from ? centre - stride + 1 : from;
        to = centre < 0 ? from : centre + stride < to ? centre + stride : to;
    } while (stride > 1 && from < to);
    memcpy(w->coeff, kept, size);
    free(kept);
    free(start);
    free(mid);
    return moved;
}

/* What is made small in a round: outliers are those of the fit that it begins with. */
static double begin_round(struct stage_work *w)
{
    struct ls_fit fit;
    const char *idle;
    w->cutoff = w->o->robust && descend(w, &fit, &idle) ? fit.cutoff : INFINITY;
    w->least_gain = 0;
    for (int i = 0; i < w->steps; i++)
        w->least_gain += JUMP_GAIN * deviation(w, w->y[i]);
    return cost(w);
}

static bool place_jumps(struct stage_work *w, struct err *e)
{
    int movable = 0;
    for (const struct model_jump *j = w->stage->jump; j->coeff; j++)
        movable += !fit_holds(w->o, j->coeff);
    if (movable == 0)
        return true;
    for (int round = 0; round < JUMP_ROUNDS; round++) {
        bool moved = false;
        double best = begin_round(w);
        for (const struct model_jump *j = w->stage->jump; j->coeff; j++)
            if (!fit_holds(w->o, j->coeff))
                moved |= move_jump(w, j, &best);
        if (!moved)
            return true;
    }
    return err_set(e, "the segments still move after %d rounds", JUMP_ROUNDS);
}

/* "a, b": the stage's coefficients that are not held; "": they all are. The caller frees. */
static char *wanted(const struct stage_work *w)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    for (const char *const *name = w->stage->coeff; *name; name++)
        if (!fit_holds(w->o, *name))
            fprintf(out, "%s%s", ftell(out) > 0 ? ", " : "", *name);
    for (const struct model_jump *j = w->stage->jump; j->coeff; j++)
        if (!fit_holds(w->o, j->coeff))
            fprintf(out, "%s%s", ftell(out) > 0 ? ", " : "", j->coeff);
    fclose(out);
    return text;
}

static bool no_steps(const struct stage_work *w, const struct series_set *set, const char *names,
                     struct err *e)
{
    char *missing = required_missing(w->stage, w->coeff, set);
    if (set->count > 0 && *missing)
        err_set(e, "%s can't be fitted: no series has the column%s %s", names,
                strchr(missing, ',') ? "s" : "", missing);
    else
        err_set(e, "%s can't be fitted: the series have no step from one n to the next", names);
    free(missing);
    return false;
}

/* What the model can say nothing of, it can't be fitted to. */
static bool is_predicted(const struct stage_work *w, struct err *e)
{
    int i = 0;
    while (i < w->steps && isfinite(log(w->stage->predicted(w->coeff, &w->step[i]))))
        i++;
    if (i == w->steps)
        return true;
    const struct series *s = w->of[i];
    struct series one = *s;
    char *missing = required_missing(w->stage, w->coeff, &(struct series_set){&one, 1});
    err_set(e, "%s%s%s, n = %d: the sample gives the model no number%s%s", s->application,
            *s->sample.kernel ? " " : "", s->sample.kernel, w->step[i].n,
            *missing ? "; it has no " : "", missing);
    free(missing);
    return false;
}

static bool fit_stage(struct stage_work *w, const struct series_set *set, struct coefficients *c,
                      struct stage_fit *out, struct err *e)
{
    struct ls_fit fit;
    const char *idle;
    char *names = wanted(w);
    *out = (struct stage_fit){.stage = w->stage, .rms = NAN, .r2 = NAN};
    const bool held = *names == 0;
    const bool ok = held || (w->steps > 0 ? is_predicted(w, e) : no_steps(w, set, names, e));
    free(names);
    if (!ok || (held && w->steps == 0))
        return ok;
    if (!place_jumps(w, e) || !descend_to_end(w, c->value, &fit, &idle, e))
        return false;
    if (idle && !w->o->idle_stay)
        return err_set(e, "none of %d steps depends on %s; hold it, or fit to more", w->steps,
                       idle);
    memcpy(c->value, w->coeff, w->model->coeff_size);
    for (int i = 0; i < w->nfree; i++) {
        if (isfinite(fit.error[i]))
            *coefficient_at(w->model, c->error, w->place[i]) = fit.error[i];
        for (int k = 0; k < w->nfree; k++)
            *coefficients_covariance(c, w->place[i], w->place[k]) = fit.covariance[i][k];
    }
    *out = (struct stage_fit){.stage = w->stage,
                              .steps = w->steps,
                              .left_out = fit.left_out,
                              .rms = fit.rms,
                              .r2 = fit.r2,
                              .idle = idle};
    return true;
}

static bool known_names(const struct model_ops *m, const struct fit_opts *o, struct err *e)
{
    for (int i = 0; i < o->holds; i++)
        if (coefficient_find(m, o->hold[i]) < 0)
            return err_set(e, "model %s has no coefficient \"%s\"", m->name, o->hold[i]);
    return true;
}

bool fit_run(const struct coefficients *start, const struct series_set *set,
             const struct fit_opts *o, struct model_fit *out, struct err *e)
{
    const struct model_ops *m = start->model;
    *out = (struct model_fit){0};
    coefficients_init(&out->coeff, m);
    memcpy(out->coeff.value, start->value, m->coeff_size);
    bool ok = known_names(m, o, e);
    for (const struct model_stage *s = m->stages; ok && s->name; s++) {
        struct stage_work w = {.model = m, .stage = s, .o = o, .coeff = xmalloc(m->coeff_size)};
        memcpy(w.coeff, out->coeff.value, m->coeff_size);
        gather(&w, w.coeff, set, o->sees, o->user);
        ok = fit_stage(&w, set, &out->coeff, &out->stage[out->stages++], e) ||
             err_prefix(e, "model %s, stage %s", m->name, s->name);
        release(&w);
        free(w.coeff);
    }
    ok = ok && (residuals_fit(&out->coeff, set, o, &out->residuals, e) ||
                err_prefix(e, "model %s", m->name));
    if (!ok)
        fit_release(out);
    return ok;
}

void fit_release(struct model_fit *f)
{
    coefficients_release(&f->coeff);
    *f = (struct model_fit){0};
}

double fit_rms(const struct model_stage *stage, const void *coeff, const struct series_set *set,
               bool (*sees)(void *user, const struct series *s), void *user, int *steps)
{
    struct stage_work w = {.stage = stage};
    double sum = 0;
    gather(&w, coeff, set, sees, user);
    for (int i = 0; i < w.steps; i++)
        sum += pow(log(stage->predicted(coeff, &w.step[i])) - w.y[i], 2);
    *steps = w.steps;
    release(&w);
    return *steps ? sqrt(sum / *steps) : NAN;
}
