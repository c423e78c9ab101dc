#include "fitter/eval/predictor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/effort.h"
#include "model/estimate.h"
#include "sampler/pilot/pilot_rest.h"
#include "sampler/whole_runs.h"

/* ---- without a model ---- */

static void choose_default(const struct app_case *c, const struct knowledge *k, struct choice *out)
{
    (void)k;
    out->n = c->m.n_max;
}

static void choose_search(const struct app_case *c, const struct knowledge *k, struct choice *out)
{
    (void)k;
    out->n = measured_optimum(&c->once);
    out->seconds = case_search_seconds(c);
    out->warp_insts = c->search_warp_insts;
}

/* No answer that anybody could get: chance is known of every degree. */
static void choose_optimum(const struct app_case *c, const struct knowledge *k, struct choice *out)
{
    (void)k;
    out->n = measured_optimum(&c->m);
    out->seconds = NAN;
}

const struct predictor predictor_default = {.name = "default",
                                            .help = "as many CTAs as fit",
                                            .predict = choose_default},
                       predictor_search = {.name = "search",
                                           .help = "the best of all degrees, each simulated once",
                                           .predict = choose_search},
                       predictor_optimum = {.name = "optimum",
                                            .help = "the best of all degrees, each simulated",
                                            .predict = choose_optimum};

/* ---- pilots ---- */

struct pilot_at { /* with n CTAs at once */
    double cycles, insts, seconds;
};

static void forget_pilots(struct sample *s)
{
    memset(s->pilot_cycles, 0, sizeof s->pilot_cycles);
    memset(s->pilot_insts, 0, sizeof s->pilot_insts);
    memset(s->pilot_seconds, 0, sizeof s->pilot_seconds);
}

static struct pilot_at recorded(const struct sample *s, int n)
{
    return (struct pilot_at){s->pilot_cycles[n - 1], s->pilot_insts[n - 1],
                             s->pilot_seconds[n - 1]};
}

static double between(double a, double b, double part)
{
    return a + part * (b - a);
}

/* As it was recorded or, between two degrees that were, interpolated. False: there is none. */
static bool pilot_of(const struct sample *s, int n, struct pilot_at *out)
{
    int low = n, high = n;
    while (low > 0 && recorded(s, low).cycles <= 0)
        low--;
    while (high <= SAMPLE_DEGREES && recorded(s, high).cycles <= 0)
        high++;
    if (low < 1)
        return false;
    if (high > SAMPLE_DEGREES)
        high = low;
    const double part = high > low ? log((double)n / low) / log((double)high / low) : 0;
    const struct pilot_at a = recorded(s, low), b = recorded(s, high);
    *out = (struct pilot_at){exp(between(log(a.cycles), log(b.cycles), part)),
                             between(a.insts, b.insts, part), between(a.seconds, b.seconds, part)};
    return true;
}

static void pay(struct choice *out, const struct pilot_at *p)
{
    out->warp_insts += p->insts;
    out->seconds += p->seconds;
}

/* One more; false: none is worth it or recorded, or it is stopped, and says nothing. */
static bool reveal_one(const struct sample *recorded_one, struct pilot_plan *plan, struct sample *s,
                       struct choice *out)
{
    struct pilot_at p;
    const int n = pilot_plan_next(plan);
    if (!n)
        return false;
    if (!pilot_of(recorded_one, n, &p)) {
        out->unpiloted = true;
        return false;
    }
    const double most = pilot_plan_allows(plan);
    if (p.insts > most) {
        pay(out, &(struct pilot_at){0, most, p.seconds * most / p.insts});
        plan->spent += most;
        return false;
    }
    s->pilot_cycles[n - 1] = p.cycles;
    s->pilot_insts[n - 1] = p.insts;
    s->pilot_seconds[n - 1] = p.seconds;
    pay(out, &p);
    pilot_plan_tell(plan, n, pilots_ipc(s, n), p.insts);
    return true;
}

/* The pilots that are worth it, one after the other; the profile's sample has all of them. rest:
 * gets what they leave of their budget; NULL: nobody wants it. */
static void reveal(const struct knowledge *k, const struct sample *recorded_one, double insts,
                   struct sample *s, struct pilot_rest *rest, struct choice *out)
{
    struct pilot_plan plan;
    estimate_plan(&k->model, &k->pilots, s, insts, &plan);
    while (reveal_one(recorded_one, &plan, s, out))
        plan.budget = estimate_budget(&k->pilots, s, insts);
    if (rest)
        pilot_rest_leave(rest, s, plan.budget, plan.spent);
}

/* What is left goes to those where it is worth most, as in sampler/unfinished.h. */
static void spend_rest(const struct knowledge *k, const struct app_case *c, struct sample *s,
                       struct pilot_rest *rest, struct choice *out)
{
    for (bool any = true; any;) {
        int best = -1;
        double most = 0;
        for (int i = 0; i < c->samples; i++) {
            const bool open = !sample_whole(&s[i]) && pilot_rest_has(rest, &s[i]);
            const double gain = open ? estimate_pilot_gain(&k->model, &k->pilots, &s[i]) : 0;
            const double worth =
                gain > 0 ? pilot_rest_worth(&s[i], gain, s[i].total_warp_insts) : 0;
            best = worth > most ? i : best;
            most = fmax(most, worth);
        }
        if (best < 0)
            return;
        struct pilot_plan plan;
        estimate_plan(&k->model, &k->pilots, &s[best], c->full_warp_insts, &plan);
        const double before = plan.spent;
        plan.budget = INFINITY;
        any = reveal_one(&c->sample[best], &plan, &s[best], out);
        pilot_rest_leave(rest, &s[best], 0, plan.spent - before);
    }
}

static void pay_every_pilot(const struct app_case *c, struct choice *out)
{
    for (int i = 0; i < c->samples; i++) {
        bool any = false;
        for (int n = 1; n <= SAMPLE_DEGREES; n++) {
            const struct pilot_at p = recorded(&c->sample[i], n);
            any |= p.cycles > 0;
            pay(out, &p);
        }
        out->unpiloted |= !any;
    }
}

/* ---- by a model ---- */

static struct sample *copy_samples(const struct app_case *c)
{
    struct sample *s = xcalloc((size_t)c->samples + 1, sizeof *s);
    memcpy(s, c->sample, (size_t)c->samples * sizeof *s);
    return s;
}

/* What every sample takes: all of the program executed, and windows. */
static void begin(const struct app_case *c, struct choice *out)
{
    out->seconds = case_has_price(c) ? c->price.functional_seconds + c->price.window_seconds : NAN;
    out->warp_insts = c->sample_warp_insts;
    out->predicts = true;
}

static void take(const struct app_case *c, struct choice *out)
{
    out->n = out->predicted.chosen_n;
    if (c->m.n_max && out->n > c->m.n_max)
        out->n = c->m.n_max;
}

struct recorded { /* whole simulations, as the profile has them */
    const struct app_case *c;
    struct choice *out;
};

static bool run_recorded(void *user, int n, struct whole_run *run, struct err *e)
{
    struct recorded *of = user;
    if (n > of->c->once.n_max)
        return err_set(e, "n = %d is not in the profile", n);
    of->out->seconds += of->c->price.simulation_seconds;
    of->out->warp_insts += of->c->full_warp_insts;
    *run = (struct whole_run){.ipc = of->c->once.ipc[n],
                              .warp_insts = (uint64_t)of->c->full_warp_insts};
    return true;
}

static void run_some(const struct app_case *c, const struct knowledge *k, struct posterior *known,
                     struct choice *out)
{
    struct err ignored;
    struct sample_cost cost = {.warp_insts = (uint64_t)out->warp_insts};
    struct recorded of = {c, out};
    whole_runs(&(struct whole_runs){.pilots = &k->pilots,
                                    .insts = c->full_warp_insts,
                                    .known = known,
                                    .all = &out->predicted,
                                    .run = run_recorded,
                                    .user = &of,
                                    .cost = &cost},
               &ignored);
}

static void predict(const struct app_case *c, const struct knowledge *k, enum effort effort,
                    struct choice *out)
{
    struct prediction *kernel = xcalloc((size_t)c->samples + 1, sizeof *kernel);
    struct sample *s = copy_samples(c);
    begin(c, out);
    const struct knowledge at = {k->model, pilots_at(&k->pilots, effort)};
    struct pilot_rest rest = {0};
    const bool shares = effort == EFFORT_QUICK;
    for (int i = 0; i < c->samples; i++) {
        forget_pilots(&s[i]);
        if (effort != EFFORT_WINDOW)
            reveal(&at, &c->sample[i], c->full_warp_insts, &s[i], shares ? &rest : NULL, out);
    }
    pilot_rest_know(&rest, &k->pilots, c->full_warp_insts);
    if (shares)
        spend_rest(&at, c, s, &rest, out);
    struct posterior *known =
        estimate(&k->model, &k->pilots, s, c->samples, kernel, &out->predicted);
    if (effort == EFFORT_THOROUGH)
        run_some(c, k, known, out);
    take(c, out);
    posterior_free(known);
    free(s);
    free(kernel);
}

void predict_window(const struct app_case *c, const struct knowledge *k, struct choice *out)
{
    predict(c, k, EFFORT_WINDOW, out);
}

void predict_quick(const struct app_case *c, const struct knowledge *k, struct choice *out)
{
    predict(c, k, EFFORT_QUICK, out);
}

void predict_thorough(const struct app_case *c, const struct knowledge *k, struct choice *out)
{
    predict(c, k, EFFORT_THOROUGH, out);
}

void predict_by_pilots(const struct app_case *c, const struct knowledge *k, struct choice *out)
{
    struct prediction *kernel = xcalloc((size_t)c->samples + 1, sizeof *kernel);
    begin(c, out);
    pay_every_pilot(c, out);
    model_predict(&k->model, c->sample, c->samples, kernel, &out->predicted);
    for (int n = 1; n <= out->predicted.n_max; n++)
        out->predicted.deviation[n] = model_error(&out->predicted, n);
    take(c, out);
    free(kernel);
}
