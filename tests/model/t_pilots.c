/* Pilot simulations as a model of their own. */
#include "model/pilots.h"

#include "tests/suite.h"

static struct pilot_coeff usual(void)
{
    struct pilot_coeff c;
    params_default(model_pilots.groups, &c);
    return c;
}

/* Of 32000 thread instructions, at 1, 2 and 4 of 5. */
static struct sample some(void)
{
    return (struct sample){.n_max = 5,
                           .launch_thread_insts = 32000,
                           .total_thread_insts = 96000,
                           .pilot_cycles = {4000, 2000, 0, 1600}};
}

static void a_pilots_ipc_is_the_launchs(void)
{
    const struct sample s = some();
    CU_ASSERT_EQUAL(pilots_ipc(&s, 1), 8);
    CU_ASSERT_EQUAL(pilots_ipc(&s, 4), 20);
    CU_ASSERT_EQUAL(pilots_ipc(&s, 3), 0);
    CU_ASSERT_EQUAL(pilots_ipc(&s, SAMPLE_DEGREES), 0);
}

static void the_next_smaller_degree_stands_for_one_without(void)
{
    static const double want[] = {0, 8, 16, 16, 20, 20};
    const struct sample s = some();
    const struct pilot_coeff c = usual();
    struct prediction p;
    model_pilots.predict(&c, &s, &p);
    CU_ASSERT_EQUAL(p.n_max, 5);
    for (int n = 1; n <= 5; n++)
        CU_ASSERT_EQUAL(p.ipc[n], want[n]);
    CU_ASSERT_TRUE(p.ipc[p.chosen_n] == 20);
    CU_ASSERT_EQUAL(p.error, c.error);
    CU_ASSERT_EQUAL(p.alike, c.alike);
    CU_ASSERT_EQUAL(p.reach, c.reach);
}

/* 1.6 of what was sampled, until 0.8 of a million would be spent; 0.8 of it once the program has
 * executed a million. */
static void an_allowance_holds_however_long_a_program_gets(void)
{
    static const struct {
        double sampled, executed, most;
    } row[] = {
        {0, 0, 0},          {100e3, 200e3, 160e3}, {500e3, 500e3, 800e3}, {600e3, 999e3, 800e3},
        {100e3, 1e6, 80e3}, {1e6, 1e6, 800e3},     {2e6, 9e6, 1600e3}};
    struct pilot_coeff c = usual();
    c.budget = 0.8;
    c.budget_short = 1.6;
    c.short_insts = 1e6;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        CU_ASSERT_DOUBLE_EQUAL(pilots_allowance(&c, row[i].sampled, row[i].executed), row[i].most,
                               1e-6);
    c = pilots_at(&c, EFFORT_THOROUGH);
    CU_ASSERT_DOUBLE_EQUAL(pilots_allowance(&c, 1e6, 1e6), 1e6 * c.budget_thorough, 1e-6);
}

SUITE("pilots as a model", T(an_allowance_holds_however_long_a_program_gets),
      T(a_pilots_ipc_is_the_launchs), T(the_next_smaller_degree_stands_for_one_without))
