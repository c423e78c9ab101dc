/* Which degrees are worth a pilot simulation, and which is chosen. */
#include "model/pilot_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/datadir.h"
#include "base/rng.h"
#include "tests/suite.h"

#define PLENTY 1e9 /* warp instructions */

static const struct error_curve model = {0.3, 0.3, 1};
/* Predicted; the best is 5. */
static const double hill[] = {0, 10, 14, 17, 19, 20, 19.5, 18, 16};

static struct pilot_coeff usual(void)
{
    struct pilot_coeff c;
    params_default(pilot_coeff_groups, &c);
    return c;
}

/* Pilots that are hardly off, of which all are worth it. */
static struct pilot_coeff exact(void)
{
    struct pilot_coeff c = usual();
    c.error = c.noise = 1e-4;
    c.worth = c.margin = 0;
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
    pilot_plan_fini(&p);
    CU_ASSERT_PTR_NULL(p.posterior);
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
    pilot_plan_fini(&p);
}

/* Of 8 that fit a core gets 3 CTAs: from there on they are the same, and known together. */
static void degrees_that_are_the_same_are_known_together(void)
{
    const struct pilot_coeff c = usual();
    struct pilot_plan p = plan_of(&c, 8, 3, hill);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 3);
    pilot_plan_tell(&p, 3, 12, 1);
    for (int n = 1; n <= 8; n++)
        CU_ASSERT_EQUAL(p.known[n], n >= 3);
    for (int n; (n = pilot_plan_next(&p));) {
        CU_ASSERT_TRUE_FATAL(n >= 1 && n < 3 && !p.known[n]);
        pilot_plan_tell(&p, n, 11, 1);
    }
    pilot_plan_fini(&p);
    p = plan_of(&c, 4, 9, hill); /* more CTAs than fit */
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 4);
    pilot_plan_fini(&p);
}

static void one_degree_is_simulated_once(void)
{
    const struct pilot_coeff c = exact();
    struct pilot_plan p = plan_of(&c, 1, 1, hill);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 1);
    pilot_plan_tell(&p, 1, 12, 1);
    CU_ASSERT_EQUAL(pilot_plan_next(&p), 0);
    CU_ASSERT_EQUAL(pilot_choose(p.posterior, p.known, 0), 1);
    pilot_plan_fini(&p);
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
    pilot_plan_fini(&p);
    c.worth = 0;
    p = plan_of(&c, 8, 8, hill);
    int pilots = 0;
    for (int n; (n = pilot_plan_next(&p)); pilots++)
        pilot_plan_tell(&p, n, hill[n], 1);
    CU_ASSERT_EQUAL(pilots, 8); /* an improvement is always expected, however small */
    pilot_plan_fini(&p);
}

/* A kernel of 1000 instructions may spend 800, in a short program 1600: but for the first pilot,
 * none begins when they are. */
static void it_ends_when_the_budget_is_spent(void)
{
    struct pilot_coeff c = exact();
    c.budget = 0.8;
    c.budget_short = 1.6;
    c.short_insts = 5000;
    static const struct {
        double program, each;
        int pilots;
    } row[] = {{5001, 400, 2}, {5001, 399, 3}, {5000, 400, 4}, {5001, 1e6, 1}, {5000, 0, 8}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct pilot_plan p;
        int pilots = 0;
        pilot_plan_init(&p, &c, 8, 8, hill, &model, 1000, row[i].program);
        for (int n; (n = pilot_plan_next(&p)); pilots++)
            pilot_plan_tell(&p, n, hill[n], row[i].each);
        CU_ASSERT_EQUAL(pilots, row[i].pilots);
        pilot_plan_fini(&p);
    }
}

/* Curves drawn at random, and predictions that are off by as much as `model` says and more. */
struct drawn {
    int n_max, most;
    double is[POSTERIOR_N_MAX + 1], predicted[POSTERIOR_N_MAX + 1];
};

static struct drawn draw(struct rng *r)
{
    struct drawn d = {.n_max = 1 + (int)rng_below(r, 32)};
    d.most = 1 + (int)rng_below(r, (uint64_t)d.n_max);
    const double peak = rng_real(r, 0.5, 40), spread = rng_real(r, 0.2, 3);
    const double all = rng_normal(r) * 0.3, own = rng_unit(r) * 0.6;
    for (int n = 1; n <= d.n_max; n++) {
        const double at = log(fmin(n, d.most) / peak) / spread;
        d.is[n] = 100 * exp(-at * at / 2);
        d.predicted[n] = d.is[n] * exp(all + own * rng_normal(r));
    }
    return d;
}

static double best_of(const struct drawn *d)
{
    double best = 0;
    for (int n = 1; n <= d->n_max; n++)
        best = fmax(best, d->is[n]);
    return best;
}

/* Searches, with no degree twice; returns the chosen one. */
static int search(const struct pilot_coeff *c, const struct drawn *d, int *pilots)
{
    bool asked[POSTERIOR_N_MAX + 1] = {false};
    struct pilot_plan p = plan_of(c, d->n_max, d->most, d->predicted);
    *pilots = 0;
    for (int n; (n = pilot_plan_next(&p)); ++*pilots) {
        CU_ASSERT_TRUE_FATAL(n >= 1 && n <= d->most && !asked[n]);
        asked[n] = true;
        pilot_plan_tell(&p, n, d->is[n], 1);
    }
    CU_ASSERT_TRUE(asked[d->most]);
    const int chosen = pilot_choose(p.posterior, p.known, c->margin);
    CU_ASSERT_TRUE(p.known[chosen]);
    pilot_plan_fini(&p);
    return chosen;
}

/* Exact pilots, all of them: no degree is better than the chosen one by more than they are off. */
static void exact_pilots_of_all_find_the_best(void)
{
    struct rng r = rng_seed(1);
    const struct pilot_coeff c = exact();
    for (int i = 0; i < 300; i++) {
        const struct drawn d = draw(&r);
        int pilots;
        const int n = search(&c, &d, &pilots);
        CU_ASSERT_TRUE(d.is[n] > best_of(&d) * (1 - 2e-3));
    }
}

/* Whatever is predicted: only a degree that was simulated is chosen instead of the default, and
 * only where it gains, within what pilots are taken to be off by: it loses to the default at most
 * that. With the coefficients' margin and what is worth it few pilots do. */
static void exact_pilots_never_choose_what_loses(void)
{
    struct rng r = rng_seed(2);
    struct pilot_coeff c = usual();
    c.error = c.noise = 1e-3;
    double kept = 0;
    int sum = 0, all = 0;
    for (int i = 0; i < 300; i++) {
        const struct drawn d = draw(&r);
        int pilots;
        const int n = search(&c, &d, &pilots);
        CU_ASSERT_TRUE(d.is[n] > d.is[d.n_max] * (1 - 5e-3));
        kept += d.is[n] / best_of(&d) / 300;
        sum += pilots;
        all += d.most;
    }
    CU_ASSERT_TRUE(kept > 0.98);
    CU_ASSERT_TRUE(sum < 0.6 * all);
}

/* As the coefficients are in use: every search ends, whatever pilots say. */
static void every_search_ends(void)
{
    struct rng r = rng_seed(3);
    const struct pilot_coeff c = usual();
    for (int i = 0; i < 300; i++) {
        struct drawn d = draw(&r);
        int pilots;
        for (int n = 1; n <= d.n_max; n++)
            d.is[n] = exp(10 * rng_normal(&r));
        search(&c, &d, &pilots);
        CU_ASSERT_TRUE(pilots <= d.most);
    }
}

/* 20 at 2, 19.95 at 3, 19.9 at 4: by 0.25 and 0.5 % more than the default. */
static void the_largest_is_chosen_unless_another_gains_the_margin(void)
{
    static const double ipc[] = {0, 10, 20, 19.95, 19.9};
    static const bool all[] = {false, true, true, true, true};
    static const bool some[] = {false, true, false, true, true};
    static const bool none[5] = {false};
    struct posterior *p = posterior_new(4, ipc, &model, &model);
    CU_ASSERT_EQUAL(pilot_choose(p, all, 0), 2);
    CU_ASSERT_EQUAL(pilot_choose(p, all, 0.004), 2);
    CU_ASSERT_EQUAL(pilot_choose(p, all, 0.0051), 4);
    CU_ASSERT_EQUAL(pilot_choose(p, some, 0), 3); /* 2 was not simulated */
    CU_ASSERT_EQUAL(pilot_choose(p, some, 0.004), 4);
    CU_ASSERT_EQUAL(pilot_choose(p, none, 0), 4);
    posterior_free(p);
    static const double rising[] = {0, 10, 20, 30, 40};
    p = posterior_new(4, rising, &model, &model);
    CU_ASSERT_EQUAL(pilot_choose(p, all, 0), 4);
    posterior_free(p);
}

/* What is unknown, out of range or no libconfig is an error; the bundled file is none. */
static void coefficients_are_read_and_checked(void)
{
    struct pilot_coeff c;
    struct err e = {""};
    char *data = datadir(&e), path[1024], name[] = "/tmp/pilots.XXXXXX";
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    snprintf(path, sizeof path, "%s/coefficients/pilots.cfg", data);
    CU_ASSERT_TRUE(pilot_coeff_load(&c, path, &e));
    CU_ASSERT_TRUE(c.error > 0 && c.budget > 0 && c.budget_short > 0);
    free(data);
    static const char *const bad[] = {"error = 2.0;\n", "no_such_row = 1.0;\n", "error = 0.1\n;;"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(path, sizeof path, "%s", name);
        const int fd = mkstemp(path);
        CU_ASSERT_TRUE_FATAL(fd >= 0);
        CU_ASSERT_EQUAL(write(fd, bad[i], strlen(bad[i])), (ssize_t)strlen(bad[i]));
        close(fd);
        CU_ASSERT_FALSE(pilot_coeff_load(&c, path, &e));
        CU_ASSERT_NOT_EQUAL(*e.msg, 0);
        unlink(path);
    }
    CU_ASSERT_FALSE(pilot_coeff_load(&c, "/no/such/file", &e));
}

SUITE("pilot plan", T(the_default_comes_first_and_then_the_best),
      T(what_can_no_longer_win_is_not_simulated), T(degrees_that_are_the_same_are_known_together),
      T(one_degree_is_simulated_once), T(it_ends_when_no_more_is_worth_it),
      T(it_ends_when_the_budget_is_spent), T(exact_pilots_of_all_find_the_best),
      T(exact_pilots_never_choose_what_loses), T(every_search_ends),
      T(the_largest_is_chosen_unless_another_gains_the_margin),
      T(coefficients_are_read_and_checked))
