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
    CU_ASSERT_EQUAL(p.error_correlation, c.error_correlation);
    CU_ASSERT_EQUAL(p.correlation_length, c.correlation_length);
}

SUITE("pilots as a model", T(a_pilots_ipc_is_the_launchs),
      T(the_next_smaller_degree_stands_for_one_without))
