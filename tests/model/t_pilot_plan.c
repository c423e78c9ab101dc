/* Which degrees are worth a pilot simulation. */
#include "model/pilot_plan.h"

#include <math.h>

#include "base/rng.h"
#include "tests/suite.h"

#define PLENTY 1e9 /* warp instructions */

static const struct error_curve model = {0.3, 0.6, 1};
/* Predicted; the best is 5. */
static const double hill[] = {0, 10, 14, 17, 19, 20, 19.5, 18, 16};

static struct pilot_coeff usual(void)
{
    struct pilot_coeff c;
    params_default(model_pilots.groups, &c);
    return c;
}

/* Pilots that are hardly off, of which all are worth it. */
static struct pilot_coeff exact(void)
{
    struct pilot_coeff c = usual();
    c.error = 1e-4;
    c.worth = 0;
    return c;
}

static struct pilot_plan plan_of(const struct pilot_coeff *c, int n_max, int most,
                                 const double *ipc)
{
    struct pilot_plan p;
    pilot_plan_init(&p, c, n_max, most, ipc, &model, PLENTY, PLENTY);
    return p;
}

static void the_default_comes_first_and_then_the_best(void)
{
    const struct pilot_coeff c = usual();
    struct pilot_plan p = plan_of(&c, 8, 8, hill);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 8);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 8); /* asking changes nothing */
    pilot_plan_tell(&p, 8, 16, 1);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 5);
    pilot_plan_tell(&p, 5, 20, 1);
    const int third = pilot_plan_next(&p); /* 20 of 19.5 predicted beside it */
    CU_ASSERT_TRUE(third == 6 || third == 4);
}

/* Its pilot tells what it takes: no choice needs it. */
static void one_degree_has_a_pilot_if_it_is_cheap(void)
{
    const struct pilot_coeff c = usual();
    struct pilot_plan p = plan_of(&c, 8, 1, hill);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 0);
    p.single = true;
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 1);
    pilot_plan_tell(&p, 1, 16, 1);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 0);
}

/* 4 and 2 promise the same; a core gets 32 CTAs: of 2 at once 16 waves, of which 5 are expected to
 * be simulated, of 4 eight. What is promised for what it takes counts. */
static void of_equals_the_cheaper_comes_first(void)
{
    static const double ipc[] = {0, 5, 16, 5, 16, 5, 5, 5, 16};
    const struct pilot_coeff c = usual();
    const struct error_curve apart = {0.3, 0, 1};
    struct pilot_plan p;
    for (int known = 0; known < 2; known++) {
        pilot_plan_init(&p, &c, 8, 8, ipc, &apart, PLENTY, PLENTY);
        p.share = known ? 32 : 0;
        pilot_plan_tell(&p, 8, 16, 0.3 * PLENTY);
        double gain;
        const int next = pilot_plan_wants(&p, &gain);
        CU_ASSERT_TRUE(known ? next == 2 : next == 2 || next == 4);
        CU_ASSERT_EQUAL(pilot_plan_next(&p), next);
    }
    /* Two have taken 0.6 of a budget of 0.8; another whole one is too much, 5 of 16 waves are not.
     */
    pilot_plan_tell(&p, 6, 5, 0.3 * PLENTY);
    p.budget = 0.8 * PLENTY;
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 2);
    CU_ASSERT_DOUBLE_EQUAL(pilot_plan_allows(&p), fmax(0.8, c.budget_two) * PLENTY - 0.6 * PLENTY,
                           1);
    p.executed = 0.2 * PLENTY; /* that is part of it */
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 0);
    CU_ASSERT_DOUBLE_EQUAL(pilot_plan_allows(&p), fmax(0.8, c.budget_two) * PLENTY - 0.8 * PLENTY,
                           1);
    p.executed = 0;
    p.share = 0;
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 0);
}

/* What it wants is asked without the budget. */
static void a_spent_plan_still_says_what_it_wants(void)
{
    const struct pilot_coeff c = usual();
    struct pilot_plan p = plan_of(&c, 8, 8, hill);
    double gain;
    pilot_plan_tell(&p, 8, 16, PLENTY);
    pilot_plan_tell(&p, 5, 20, PLENTY);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 0);
    const int wants = pilot_plan_wants(&p, &gain);
    struct posterior *known = pilot_plan_known(&p);
    CU_ASSERT_EQUAL(gain, posterior_improvement(known, wants, 5));
    posterior_free(known);
    CU_ASSERT_TRUE(gain > c.worth);
    p.budget = 9 * PLENTY;
    CU_ASSERT_EQUAL(pilot_plan_next(&p), wants);
}

/* 7 is promised a little more than 1, but is off as the default is, which is known: 1 may gain
 * more. */
static void where_more_may_be_gained_comes_first(void)
{
    static const double ipc[] = {0, 16.2, 5, 5, 5, 5, 5, 16.3, 16};
    const struct pilot_coeff c = usual();
    struct pilot_plan p = plan_of(&c, 8, 8, ipc);
    pilot_plan_tell(&p, pilot_plan_next(&p), 16, 1);
    struct posterior *known = pilot_plan_known(&p);
    CU_ASSERT_TRUE(posterior_ipc(known, 7) > posterior_ipc(known, 1));
    posterior_free(known);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 1);
}

/* A default that is as good as the best takes its place: nothing is known of the others but that
 * they are behind by more than their errors. */
static void what_can_no_longer_win_is_not_simulated(void)
{
    static const double ipc[] = {0, 1, 1.2, 1.3, 100};
    const struct pilot_coeff c = usual();
    struct pilot_plan p = plan_of(&c, 4, 4, ipc);
    pilot_plan_tell(&p, pilot_plan_next(&p), 100, 1);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 0);
}

/* Of 8 that fit a core gets 3 CTAs: from there on degrees are the same, and the third stands for
 * all. */
static void of_degrees_that_are_the_same_one_is_asked_for(void)
{
    const struct pilot_coeff c = usual();
    struct pilot_plan p = plan_of(&c, 8, 3, hill);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 3);
    pilot_plan_tell(&p, 3, 12, 1);
    for (int n = 1; n <= 3; n++)
        CU_ASSERT_EQUAL(p.known[n], n == 3);
    struct posterior *known = pilot_plan_known(&p);
    CU_ASSERT_EQUAL(posterior_n_max(known), 3);
    posterior_free(known);
    for (int n; (n = pilot_plan_next(&p));) {
        CU_ASSERT_TRUE_FATAL(n >= 1 && n < 3 && !p.known[n]);
        pilot_plan_tell(&p, n, 11, 1);
    }
    p = plan_of(&c, 4, 9, hill); /* more CTAs than fit */
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 4);
}

static void of_one_degree_there_is_nothing_to_choose(void)
{
    const struct pilot_coeff c = exact();
    for (int n_max = 1; n_max <= 8; n_max += 7) { /* more may fit than the grid has */
        struct pilot_plan p = plan_of(&c, n_max, 1, hill);
        CU_ASSERT_EQUAL(pilot_plan_next(&p), 0);
    }
}

/* An expected improvement is at most some errors: 1 is above all. */
static void it_ends_when_no_more_is_worth_it(void)
{
    struct pilot_coeff c = usual();
    c.worth = 1;
    struct pilot_plan p = plan_of(&c, 8, 8, hill);
    pilot_plan_tell(&p, 8, 16, 1);
    pilot_plan_tell(&p, 5, 20, 1);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 0);
    c.worth = 0;
    p = plan_of(&c, 8, 8, hill);
    int pilots = 0;
    for (int n; (n = pilot_plan_next(&p)); pilots++)
        pilot_plan_tell(&p, n, hill[n], 1);
    CU_ASSERT_EQUAL(pilots, 8); /* an improvement is always expected, however small */
}

/* A kernel of 1000 instructions may spend 800 or 1600. None begins that would go beyond, but for
 * the first, and the second, without which there is no choice: of 800 that goes up to 900. */
static void it_ends_when_the_budget_is_spent(void)
{
    struct pilot_coeff c = exact();
    c.budget_two = 0.9;
    static const struct {
        double budget, each;
        int pilots;
    } row[] = {{800, 400, 2}, {800, 267, 2},  {800, 266, 3},   {800, 450, 2}, {800, 451, 1},
               {800, 799, 1}, {1600, 400, 4}, {1600, 1599, 2}, {800, 1e6, 1}, {1600, 0, 8}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct pilot_plan p;
        int pilots = 0;
        pilot_plan_init(&p, &c, 8, 8, hill, &model, 1000, row[i].budget);
        for (int n; (n = pilot_plan_next(&p)); pilots++)
            pilot_plan_tell(&p, n, hill[n], row[i].each);
        CU_ASSERT_EQUAL(pilots, row[i].pilots);
    }
}

/* No degree twice and none that is the same as another, the default always; whatever is predicted
 * and found. */
static void every_search_ends(void)
{
    struct rng r = rng_seed(3);
    const struct pilot_coeff c = usual();
    for (int i = 0; i < 300; i++) {
        const int n_max = 1 + (int)rng_below(&r, POSTERIOR_N_MAX);
        const int most = 1 + (int)rng_below(&r, (uint64_t)n_max);
        double ipc[POSTERIOR_N_MAX + 1] = {0};
        bool asked[POSTERIOR_N_MAX + 1] = {false};
        for (int n = 1; n <= n_max; n++)
            ipc[n] = exp(rng_normal(&r));
        struct pilot_plan p = plan_of(&c, n_max, most, ipc);
        for (int n; (n = pilot_plan_next(&p));) {
            CU_ASSERT_TRUE_FATAL(n >= 1 && n <= most && !asked[n]);
            asked[n] = true;
            pilot_plan_tell(&p, n, exp(3 * rng_normal(&r)), 1);
        }
        CU_ASSERT_EQUAL(asked[most], most > 1);
    }
}

/* What pilots say if the model's errors are as they usually are. */
static struct posterior *by_usual_errors(const struct pilot_plan *p)
{
    const struct error_curve pilots = {p->coeff->error, p->coeff->error_correlation,
                                       p->coeff->correlation_length};
    struct posterior *known = posterior_new(p->most, p->predicted, &p->model, &pilots);
    for (int n = p->most; n >= 1; n--)
        if (p->known[n])
            posterior_pilot(known, n, p->found[n], 0);
    return known;
}

/* A model that is three times too high, of which 0.3 is usual, and pilots that are off by 0.08. */
static void a_model_that_is_far_off_is_believed_less(void)
{
    const struct pilot_coeff c = usual();
    struct pilot_plan p = plan_of(&c, 8, 8, hill);
    for (int n = 4; n <= 8; n += 4)
        pilot_plan_tell(&p, n, hill[n] / 3, 1);
    struct posterior *known = pilot_plan_known(&p), *usually = by_usual_errors(&p);
    for (int n = 4; n <= 8; n += 4) {
        const double off = fabs(log(posterior_ipc(known, n) / (hill[n] / 3)));
        CU_ASSERT_TRUE(off < 0.02);
        CU_ASSERT_TRUE(off < fabs(log(posterior_ipc(usually, n) / (hill[n] / 3))) / 2);
    }
    CU_ASSERT_TRUE(posterior_covariance(known, 1, 1) > posterior_covariance(usually, 1, 1));
    posterior_free(usually);
    posterior_free(known);
}

/* Its second best is worth a seventh of its best, which a pilot finds to be true: nobody looks at
 * the others, unless the default takes five times as long as it should. Then it may be wrong of
 * them, too. */
static void where_the_model_is_far_off_others_may_win(void)
{
    static const double lone[] = {0, 1, 1.5, 2, 3, 20, 2, 2, 16};
    const struct pilot_coeff c = usual();
    for (int off = 0; off < 2; off++) {
        struct pilot_plan p = plan_of(&c, 8, 8, lone);
        double gain;
        pilot_plan_tell(&p, 8, off ? 3 : 16, 1);
        pilot_plan_tell(&p, 5, 20, 1);
        CU_ASSERT_EQUAL(pilot_plan_wants(&p, &gain) != 0, off);
        struct posterior *usually = by_usual_errors(&p);
        for (int n = 1; n < 8; n++)
            CU_ASSERT_TRUE(n == 5 || posterior_improvement(usually, n, 5) < c.worth);
        posterior_free(usually);
    }
}

/* ... but only as far as a coefficient says; and one that is as usual is as it was. */
static void errors_grow_up_to_a_limit(void)
{
    static const struct {
        double most, times; /* how far off the model is */
        bool grows;
    } row[] = {{2, 3, true}, {0.3, 3, false}, {0.2, 3, false}, {2, 1.2, false}, {2, 1, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct pilot_coeff c = usual();
        c.most_error = row[i].most;
        struct pilot_plan p = plan_of(&c, 8, 8, hill);
        pilot_plan_tell(&p, 8, hill[8] * row[i].times, 1);
        struct posterior *known = pilot_plan_known(&p), *usually = by_usual_errors(&p);
        for (int n = 1; n <= 8; n++) {
            const double v = posterior_covariance(known, n, n);
            CU_ASSERT_TRUE(v < c.most_error * c.most_error || !row[i].grows);
            CU_ASSERT_EQUAL(v > posterior_covariance(usually, n, n) + 1e-9, row[i].grows);
        }
        posterior_free(usually);
        posterior_free(known);
    }
}

SUITE("pilot plan", T(the_default_comes_first_and_then_the_best),
      T(one_degree_has_a_pilot_if_it_is_cheap), T(of_equals_the_cheaper_comes_first),
      T(a_spent_plan_still_says_what_it_wants), T(where_more_may_be_gained_comes_first),
      T(what_can_no_longer_win_is_not_simulated), T(of_degrees_that_are_the_same_one_is_asked_for),
      T(of_one_degree_there_is_nothing_to_choose), T(it_ends_when_no_more_is_worth_it),
      T(it_ends_when_the_budget_is_spent), T(every_search_ends),
      T(a_model_that_is_far_off_is_believed_less), T(where_the_model_is_far_off_others_may_win),
      T(errors_grow_up_to_a_limit))
