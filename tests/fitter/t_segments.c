#include "fitter/fit/fit.h"
#include "fitter/fit/segments.h"
#include "model/yen2014.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static const double y[] = {1, 2, 6, 10, 14, 100};
static const int of[] = {0, 0, 0, 1, 1, -1};

static double level(void *user, const double *coeff, int i)
{
    (void)user;
    return of[i] < 0 ? 90 : coeff[of[i]];
}

/* Levels: 3 is the mean of 1, 2, 6, and leaves 4 + 1 + 9; 12 that of 10 and 14, and leaves 4 + 4;
 * what depends on nothing leaves 10 * 10. */
static void levels_are_means(void)
{
    const struct ls_coeff c[] = {{"a", -INFINITY, INFINITY, 0}, {"b", 0, 1000, 500}};
    double coeff[] = {0, 500};
    struct ls_problem p = {.coeff = c, .ncoeff = 2, .nrows = 6, .y = y, .value = level};
    CU_ASSERT_DOUBLE_EQUAL(segments_fit(&p, of, coeff), 14 + 8 + 100, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(coeff[0], 3, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(coeff[1], 12, 1e-9);
}

/* At most 11: that leaves 1 + 9 instead of 4 + 4. */
static void a_level_stays_within_its_bounds(void)
{
    const struct ls_coeff c[] = {{"a", -INFINITY, INFINITY, 0}, {"b", 0, 11, 1}};
    double coeff[] = {0, 1};
    struct ls_problem p = {.coeff = c, .ncoeff = 2, .nrows = 6, .y = y, .value = level};
    CU_ASSERT_DOUBLE_EQUAL(segments_fit(&p, of, coeff), 14 + 10 + 100, 1e-9);
    CU_ASSERT_EQUAL(coeff[1], 11);
}

static double root(void *user, const double *coeff, int i)
{
    (void)user, (void)i;
    return sqrt(coeff[0]);
}

static void what_cannot_be_fitted_is_infinite(void)
{
    const struct ls_coeff c[] = {{"a", -10, 10, 0}, {"b", 0, 11, 1}};
    double coeff[] = {-1, 1};
    struct ls_problem p = {.coeff = c, .ncoeff = 2, .nrows = 2, .y = y, .value = level};
    CU_ASSERT_EQUAL(segments_fit(&p, of, coeff), INFINITY); /* rows are no more than coefficients */
    p = (struct ls_problem){.coeff = c, .ncoeff = 1, .nrows = 3, .y = y, .value = root};
    CU_ASSERT_EQUAL(segments_fit(&p, of, coeff), INFINITY); /* the root of -1 */
}

/* log(min(1 + c x, 3)): curved, and capped where x is large. */
static double capped(void *user, const double *coeff, int i)
{
    (void)user;
    return log(fmin(1 + coeff[i % 2] * 0.1 * i, 3));
}

static void the_minimum_is_that_of_ls_fit(void)
{
    const struct ls_coeff c[] = {{"a", 0, 10, 1}, {"b", 0, 10, 1}};
    double observed[40], coeff[] = {1, 1};
    int which[40];
    for (int i = 0; i < 40; i++) {
        observed[i] = log(fmin(1 + (i % 2 ? 0.4 : 1.7) * 0.1 * i, 3)) + 0.05 * sin(7.0 * i);
        which[i] = i % 2;
    }
    struct ls_problem p = {.coeff = c, .ncoeff = 2, .nrows = 40, .y = observed, .value = capped};
    struct ls_fit fit;
    CU_ASSERT_TRUE_FATAL(ls_fit(&p, &fit, NULL));
    CU_ASSERT_DOUBLE_EQUAL(segments_fit(&p, which, coeff), 40 * fit.rms * fit.rms, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(coeff[0], fit.value[0], 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(coeff[1], fit.value[1], 1e-6);
}

/* The names of a model's segments are true: of all coefficients that a stage depends on smoothly, a
 * step's prediction moves with that one alone. */
static void expect_one_mover(const struct model_stage *stage, const struct coefficients *c,
                             const struct model_step *t)
{
    const int own = stage->segment(c->value, t);
    const double before = stage->predicted(c->value, t);
    for (int k = 0; stage->coeff[k]; k++) {
        double *at =
            coefficient_at(c->model, c->value, coefficient_find(c->model, stage->coeff[k]));
        const double was = *at;
        *at = was * 1.01;
        if (k != own)
            CU_ASSERT_EQUAL(stage->predicted(c->value, t), before);
        *at = was;
    }
}

static void a_step_moves_with_its_segment_alone(void)
{
    struct series_set set;
    int seen = 0;
    CU_ASSERT_TRUE_FATAL(series_load("data/papers/yen2014-series.csv", &set, NULL));
    for (int m = 0; model_at(m); m++) {
        struct coefficients c;
        coefficients_init(&c, model_at(m));
        for (const struct model_stage *s = c.model->stages; s && s->name; s++)
            for (int i = 0; s->segment && i < set.count; i++)
                for (int n = 2; n <= set.one[i].n_max; n++) {
                    struct model_step t;
                    CU_ASSERT_TRUE_FATAL(series_step(&set.one[i], n, &t));
                    expect_one_mover(s, &c, &t);
                    seen++;
                }
        coefficients_release(&c);
    }
    CU_ASSERT_EQUAL(seen, 3 * 21); /* three stages of yen2014 */
    series_release(&set);
}

static long calls;
static double counted(const void *coeff, const struct model_step *t)
{
    calls++;
    return model_yen2014.stages[1].predicted(coeff, t);
}

/* How often the search for the places of the jumps asks the model for a step. */
static long calls_of_a_fit(bool apart, struct model_fit *out)
{
    struct model_stage stages[2] = {model_yen2014.stages[1], {.name = NULL}};
    stages[0].predicted = counted;
    if (!apart)
        stages[0].segment = NULL;
    struct model_ops m = model_yen2014;
    m.stages = stages;
    struct coefficients start;
    struct series_set set;
    CU_ASSERT_TRUE_FATAL(series_load("data/papers/yen2014-series.csv", &set, NULL));
    coefficients_init(&start, &m);
    calls = 0;
    CU_ASSERT_TRUE_FATAL(fit_run(&start, &set, &(struct fit_opts){.idle_stay = true}, out, NULL));
    coefficients_release(&start);
    series_release(&set);
    return calls;
}

static void jumps_are_placed_as_by_ls_fit_with_less_work(void)
{
    struct model_fit slow, fast;
    const long all = calls_of_a_fit(false, &slow), few = calls_of_a_fit(true, &fast);
    CU_ASSERT_TRUE(few < all / 3);
    CU_ASSERT_DOUBLE_EQUAL(fast.stage[0].rms, slow.stage[0].rms, 1e-9);
    CU_ASSERT_TRUE(fast.stage[0].rms < 0.11);
    fit_release(&slow);
    fit_release(&fast);
}

SUITE("segments", T(levels_are_means), T(a_level_stays_within_its_bounds),
      T(what_cannot_be_fitted_is_infinite), T(the_minimum_is_that_of_ls_fit),
      T(a_step_moves_with_its_segment_alone), T(jumps_are_placed_as_by_ls_fit_with_less_work))
