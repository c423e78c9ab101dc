/* Whole simulations of degrees that may be the best: which, how many, what they cost. */
#include "sampler/whole_runs.h"

#include "base/cpu_time.h"
#include "tests/sampler/launch_rig.h"

#define PROGRAM 45000 /* warp instructions */

struct runs { /* of a kernel whose predicted best is n = 3 */
    struct pilot_coeff pilots;
    struct sample s;
    struct prediction part, all;
    struct posterior *known;
    struct sample_cost cost;
    int count, n[MODEL_N_MAX];
    int fails; /* which of them; 0: none */
};

static bool at(void *user, int n, struct whole_run *out, struct err *e)
{
    struct runs *x = user;
    x->n[x->count++] = n;
    *out = (struct whole_run){.ipc = 10, .warp_insts = PROGRAM, .seconds = 0.5};
    return x->count != x->fails || err_set(e, "number %d fails", x->fails);
}

static bool go(struct runs *x, double budget, struct err *e)
{
    params_default(model_pilots.groups, &x->pilots);
    x->s = (struct sample){.n_max = 8,
                           .cores = 15,
                           .launches = 1,
                           .grid_ctas = 450,
                           .total_ctas = 450,
                           .warp_insts = 100,
                           .launch_warp_insts = PROGRAM,
                           .launch_thread_insts = 1440000,
                           .total_warp_insts = PROGRAM,
                           .total_thread_insts = 1440000};
    for (int n = 3; n <= 8; n += 5) { /* pilots of 3 and 8: as is predicted, 15 and 10 */
        x->s.pilot_cycles[n - 1] = n == 3 ? 96000 : 144000;
        x->s.pilot_insts[n - 1] = 10000;
    }
    x->known = estimate(&hilly, &x->pilots, &x->s, 1, &x->part, &x->all);
    CU_ASSERT_EQUAL(x->all.chosen_n, 3);
    const bool ok = whole_runs(&(struct whole_runs){.pilots = &x->pilots,
                                                    .budget = budget,
                                                    .insts = PROGRAM,
                                                    .known = x->known,
                                                    .all = &x->all,
                                                    .run = at,
                                                    .user = x,
                                                    .cost = &x->cost},
                               e);
    posterior_free(x->known);
    return ok;
}

static void differ(const struct runs *x)
{
    for (int i = 0; i < x->count; i++) {
        CU_ASSERT_TRUE(x->all.simulated[x->n[i]]);
        for (int k = 0; k < i; k++)
            CU_ASSERT_NOT_EQUAL(x->n[i], x->n[k]);
    }
}

/* The chosen one first. What was predicted above it and is not is found out; three are allowed. */
static void the_chosen_degree_and_two_others_are_simulated(void)
{
    struct runs x = {0};
    struct err e = {""};
    CU_ASSERT_TRUE(go(&x, 0, &e));
    CU_ASSERT_EQUAL(x.pilots.runs, 3);
    CU_ASSERT_EQUAL_FATAL(x.count, 3);
    CU_ASSERT_EQUAL(x.n[0], 3);
    differ(&x);
    CU_ASSERT_DOUBLE_EQUAL(x.all.ipc[3], 10, 0.2);
    CU_ASSERT_EQUAL(x.cost.warp_insts, 3 * PROGRAM);
    CU_ASSERT_EQUAL(x.cost.run_warp_insts, 3 * PROGRAM);
    CU_ASSERT_EQUAL(x.cost.run_seconds, 1.5);
}

/* All that is simulated may be four times the program: after pilots of once that three are left,
 * after pilots of one instruction more two. */
static void what_pilots_took_counts(void)
{
    struct err e = {""};
    struct runs x = {.cost = {.warp_insts = PROGRAM, .pilot_warp_insts = PROGRAM}};
    struct runs y = {.cost = {.warp_insts = PROGRAM + 1, .pilot_warp_insts = PROGRAM + 1}};
    CU_ASSERT_TRUE(go(&x, 0, &e) && go(&y, 0, &e));
    CU_ASSERT_EQUAL(x.pilots.budget_runs, 4);
    CU_ASSERT_EQUAL(x.count, 3);
    CU_ASSERT_EQUAL(y.count, 2);
    CU_ASSERT_EQUAL(y.cost.run_warp_insts, 2 * PROGRAM);
    differ(&y);
}

/* A kernel whose CTAs wait is simulated at every degree: what that took leaves as many. */
static void what_is_simulated_at_every_degree_does_not_count(void)
{
    struct err e = {""};
    struct runs x = {.cost = {.warp_insts = 5 * PROGRAM,
                              .pilot_warp_insts = 5 * PROGRAM,
                              .search_warp_insts = 4 * PROGRAM}};
    CU_ASSERT_TRUE(go(&x, 0, &e));
    CU_ASSERT_EQUAL(x.count, 3);
    CU_ASSERT_EQUAL(x.cost.warp_insts, 8 * PROGRAM);
    CU_ASSERT_EQUAL(x.cost.search_warp_insts, 4 * PROGRAM);
}

static void one_that_fails_costs_and_is_the_last(void)
{
    struct runs x = {.fails = 1};
    struct err e = {""};
    CU_ASSERT_FALSE(go(&x, 0, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "number 1 fails");
    CU_ASSERT_EQUAL(x.count, 1);
    CU_ASSERT_FALSE(x.all.simulated[3]);
    CU_ASSERT_EQUAL(x.cost.run_warp_insts, PROGRAM);
    CU_ASSERT_EQUAL(x.cost.run_seconds, 0.5);
}

static void none_begins_when_the_budget_is_spent(void)
{
    struct runs x = {0};
    struct err e = {""};
    CU_ASSERT_TRUE(go(&x, 1e-9, &e));
    CU_ASSERT_EQUAL(x.count, 0);
    CU_ASSERT_EQUAL(x.cost.run_seconds, 0);
}

/* Pilots took a thousandth of a second an instruction: one of 45,000 is expected to take 45 s. */
static void none_begins_that_is_expected_to_overrun(void)
{
    const struct sample_cost before = {.warp_insts = 20000, .pilot_seconds = 20};
    struct err e = {""};
    struct runs x = {.cost = before}, y = {.cost = before};
    const double now = process_cpu_seconds();
    CU_ASSERT_TRUE(go(&x, now + 40, &e));
    CU_ASSERT_EQUAL(x.count, 0);
    CU_ASSERT_TRUE(go(&y, now + 10000, &e));
    CU_ASSERT_EQUAL(y.count, 3);
}

SUITE("whole runs", T(the_chosen_degree_and_two_others_are_simulated), T(what_pilots_took_counts),
      T(what_is_simulated_at_every_degree_does_not_count), T(one_that_fails_costs_and_is_the_last),
      T(none_begins_when_the_budget_is_spent), T(none_begins_that_is_expected_to_overrun))
