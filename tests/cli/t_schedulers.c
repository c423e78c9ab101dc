/* Lists of schedulers, and the arithmetic of the table that compares them. */
#include <string.h>

#include "cli/scheduler_list.h"
#include "cli/scheduler_table.h"
#include "tests/suite.h"

static struct gpu_cfg gpu(void)
{
    struct gpu_cfg cfg;
    gpu_cfg_default(&cfg);
    return cfg;
}

static void every_warp_scheduler_meets_every_cta_scheduler(void)
{
    static const char *const name[] = {"gto/static", "gto/n=3", "gto/optimum",
                                       "lrr/static", "lrr/n=3", "lrr/optimum"};
    const struct gpu_cfg cfg = gpu();
    struct combinations c;
    struct err e;
    CU_ASSERT_TRUE_FATAL(
        combinations_make(&c, "gto,lrr", "static,n=3,optimum", "lrr/static", &cfg, &e));
    CU_ASSERT_EQUAL_FATAL(c.count, 6);
    for (int i = 0; i < c.count; i++) {
        CU_ASSERT_STRING_EQUAL(c.one[i].name, name[i]);
        CU_ASSERT_STRING_EQUAL(c.one[i].cfg.sm.warp_scheduler, i < 3 ? "gto" : "lrr");
        CU_ASSERT_STRING_EQUAL(c.one[i].cfg.cta.cta_scheduler, "static");
        CU_ASSERT_EQUAL(c.one[i].cta->n, i % 3 == 1 ? 3 : 0);
        CU_ASSERT_EQUAL(c.one[i].cta->optimum, i % 3 == 2);
    }
    CU_ASSERT_EQUAL(c.baseline, 3);
    CU_ASSERT_STRING_EQUAL(c.one[0].hash, c.one[2].hash); /* runs of one serve the other */
    CU_ASSERT_STRING_NOT_EQUAL(c.one[0].hash, c.one[3].hash);
    combinations_free(&c);
}

static void one_list_names_its_entries_alone(void)
{
    struct gpu_cfg cfg = gpu();
    struct combinations c;
    struct err e;
    strcpy(cfg.sm.warp_scheduler, "lrr");
    CU_ASSERT_TRUE_FATAL(combinations_make(&c, NULL, "n=1,static", NULL, &cfg, &e));
    CU_ASSERT_EQUAL_FATAL(c.count, 2);
    CU_ASSERT_STRING_EQUAL(c.one[0].name, "n=1");
    CU_ASSERT_STRING_EQUAL(combination_warp(&c.one[0]), "lrr");
    CU_ASSERT_STRING_EQUAL(combination_cta(&c.one[1]), "static");
    CU_ASSERT_EQUAL(c.baseline, 0);
    combinations_free(&c);
}

static void parameters_hold_for_their_entry_alone(void)
{
    const struct gpu_cfg cfg = gpu();
    struct combinations c;
    struct err e;
    CU_ASSERT_TRUE_FATAL(combinations_make(&c, "gto:sp_units=1:l1d.mshrs=8,gto",
                                           "static:max_ctas=2", NULL, &cfg, &e));
    CU_ASSERT_EQUAL_FATAL(c.count, 2);
    CU_ASSERT_EQUAL(c.one[0].cfg.sm.sp_units, 1);
    CU_ASSERT_EQUAL(c.one[0].cfg.mem.l1d.mshrs, 8);
    CU_ASSERT_EQUAL(c.one[0].cfg.sm.max_ctas, 2);
    CU_ASSERT_EQUAL(c.one[1].cfg.sm.sp_units, cfg.sm.sp_units);
    CU_ASSERT_EQUAL(c.one[1].cfg.mem.l1d.mshrs, cfg.mem.l1d.mshrs);
    CU_ASSERT_STRING_EQUAL(c.one[0].name, "gto:sp_units=1:l1d.mshrs=8/static:max_ctas=2");
    combinations_free(&c);
}

static void what_is_wrong_is_named(void)
{
    static const struct {
        const char *warp, *cta, *baseline, *says;
    } cases[] = {
        {"gto,lr", NULL, NULL, "did you mean lrr"},
        {"gto,,lrr", NULL, NULL, "--warp-schedulers: an entry is empty"},
        {"gto,lrr,", NULL, NULL, "--warp-schedulers: an entry is empty"},
        {"gto,lrr,gto", NULL, NULL, "--warp-schedulers: \"gto\" is there twice"},
        {"optimum", NULL, NULL, "no such warp scheduler"},
        {"n=1", NULL, NULL, "no such warp scheduler"},
        {NULL, "statik", NULL, "did you mean static"},
        {NULL, "optmum", NULL, "--cta-schedulers: \"optmum\": no such CTA scheduler"},
        {NULL, "optmum", NULL, "did you mean optimum"},
        {NULL, "LCS", NULL, "did you mean lcs"},
        {NULL, "statik:max_ctas=2", NULL, "\"statik\": no such CTA scheduler"},
        {"elf++:inst_prefetch=0", NULL, NULL,
         "warp_scheduler = \"elf++\" contradicts inst_prefetch = 0"},
        {"gto+car:reexecution=none", NULL, NULL,
         "warp_scheduler = \"gto+car\" contradicts reexecution = \"none\""},
        {NULL, "gto", NULL, "no such CTA scheduler"},
        {NULL, "n=0", NULL, "\"n=0\": n is a whole number from 1 on"},
        {NULL, "n=two", NULL, "\"n=two\""},
        {NULL, "n=1,n=1", NULL, "--cta-schedulers: \"n=1\" is there twice"},
        {"gto:sp_unit=1", NULL, NULL, "did you mean sp_units"},
        {"gto:sp_units", NULL, NULL, "--warp-schedulers gto:sp_units"},
        {"gto:sp_units=99", NULL, NULL, "1..8"},
        {"gto,lrr", NULL, "lro",
         "--baseline \"lro\" is none of what is compared; did you mean lrr"},
        {"gto", "static", "gto", "--baseline \"gto\""},
    };
    const struct gpu_cfg cfg = gpu();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct combinations c;
        struct err e = {0};
        CU_ASSERT_FALSE(
            combinations_make(&c, cases[i].warp, cases[i].cta, cases[i].baseline, &cfg, &e));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, cases[i].says));
        if (!strstr(e.msg, cases[i].says))
            printf("\n\"%s\" does not say \"%s\"\n", e.msg, cases[i].says);
        combinations_free(&c);
    }
}

/* sqrt(2 * 8) = 4, (2 + 8) / 2 = 5; the cube root of 1 * 2 * 4 is 2. */
static void means_are_those_of_the_textbook(void)
{
    const struct scheduler_means two = scheduler_means((const double[]){2, 8}, 2);
    const struct scheduler_means three = scheduler_means((const double[]){1, 2, 4}, 3);
    const struct scheduler_means one = scheduler_means((const double[]){1.5}, 1);
    CU_ASSERT_DOUBLE_EQUAL(two.geometric, 4, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(two.arithmetic, 5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(three.geometric, 2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(three.arithmetic, 7.0 / 3, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(one.geometric, 1.5, 1e-12);
}

static struct stored_run ipc(uint64_t insts, uint64_t cycles)
{
    return (struct stored_run){
        .n = 1, .n_max = 1, .stats = {.thread_insts = insts, .cycles = cycles}};
}

/* IPC 10 and 20 on one target, 40 and 10 on the other: over the second, 0.5 and 4; geometric mean
 * sqrt(2), arithmetic 2.25. */
static void each_target_is_normalised_by_its_own_baseline(void)
{
    struct combination by[2] = {{.name = (char *)"a"}, {.name = (char *)"b"}};
    const struct combinations c = {.one = by, .count = 2, .baseline = 1};
    struct stored_run run[4] = {ipc(100, 10), ipc(100, 5), ipc(400, 10), ipc(400, 40)};
    const char *const name[] = {"x", "y"};
    const struct scheduler_runs r = {.by = &c, .name = name, .targets = 2, .one = run};
    CU_ASSERT_DOUBLE_EQUAL(scheduler_normalised(&r, 0, 0), 0.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(scheduler_normalised(&r, 1, 0), 4, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(scheduler_normalised(&r, 1, 1), 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(scheduler_mean_of(&r, 0).geometric, 1.4142135623730951, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(scheduler_mean_of(&r, 0).arithmetic, 2.25, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(scheduler_mean_of(&r, 1).geometric, 1, 1e-12);
}

SUITE("schedulers", T(every_warp_scheduler_meets_every_cta_scheduler),
      T(one_list_names_its_entries_alone), T(parameters_hold_for_their_entry_alone),
      T(what_is_wrong_is_named), T(means_are_those_of_the_textbook),
      T(each_target_is_normalised_by_its_own_baseline))
