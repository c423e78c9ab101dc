/* What each CTA scheduler decides, from counters made up by hand. */
#include "sim/cta/cta_scheduler.h"
#include "sim/gpu/machine.h"
#include "tests/suite.h"

#include <stdlib.h>

struct rig { /* one core */
    struct gpu_cfg cfg;
    struct cta_view v;
    const struct cta_scheduler_ops *ops;
    void *state;
    cycle_t tick;
};

static struct rig *rig_new(const char *policy, int n, int fits, const char *setting)
{
    struct rig *r = xcalloc(1, sizeof *r);
    struct err e;
    gpu_cfg_default(&r->cfg);
    CU_ASSERT_TRUE_FATAL(!setting || params_set(gpu_cfg_groups(), &r->cfg, setting, &e));
    r->ops = cta_scheduler_find(policy);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r->ops);
    r->state = xcalloc(1, r->ops->bytes + 1);
    r->v = (struct cta_view){.cfg = &r->cfg.cta,
                             .cores = 1,
                             .n = n,
                             .fits = fits,
                             .ctas = 100,
                             .start = 5000,
                             .now = 5000};
    r->tick = r->ops->launch ? r->ops->launch(r->state, &r->v) : CYCLE_NEVER;
    return r;
}

static void rig_free(struct rig *r)
{
    free(r->state);
    free(r);
}

static int limit(const struct rig *r)
{
    return r->ops->limit(r->state, &r->v);
}

/* ---- dyncta ---- */
/* A period in which the core waited for data and was idle for so long. The limit behind it. */
static int period(struct rig *r, uint64_t mem, uint64_t idle)
{
    r->v.now = r->tick;
    r->v.c_mem += mem;
    r->v.c_idle += idle;
    r->tick = r->ops->tick(r->state, &r->v);
    return limit(r);
}

static void dyncta_follows_algorithm_1(void)
{
    static const struct {
        uint64_t mem, idle;
        int n;
    } rows[] = {
        {128, 15, 4},  /* neither: as at first, half of 8 */
        {383, 15, 4},  /* just below t_mem_h */
        {384, 15, 3},  /* t_mem_h */
        {2000, 15, 2}, /* more of it: one a period all the same */
        {2000, 0, 1},  /* */
        {2000, 0, 1},  /* never below 1 */
        {2000, 16, 2}, /* t_idle comes first */
        {127, 0, 3},   /* just below t_mem_l */
        {128, 0, 3},   /* t_mem_l */
        {0, 2048, 4},  /* */
        {0, 0, 5},     /* */
        {0, 0, 6},     /* */
        {0, 0, 7},     /* */
        {0, 0, 8},     /* */
        {0, 0, 8},     /* never above those that fit */
        {384, 0, 7},   /* */
    };
    struct rig *r = rig_new("dyncta", 8, 8, NULL);
    CU_ASSERT_EQUAL(limit(r), 4);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CU_ASSERT_EQUAL(r->tick, 5000 + 2048 * (i + 1));
        CU_ASSERT_EQUAL(period(r, rows[i].mem, rows[i].idle), rows[i].n);
    }
    rig_free(r);
}

static void dyncta_starts_with_half_one_or_all(void)
{
    static const struct {
        const char *set;
        int fits, n;
    } rows[] = {{"dyncta.start=half", 8, 4},
                {"dyncta.start=half", 5, 2},
                {"dyncta.start=half", 1, 1},
                {"dyncta.start=one", 8, 1},
                {"dyncta.start=max", 8, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig *r = rig_new("dyncta", rows[i].fits, rows[i].fits, rows[i].set);
        CU_ASSERT_EQUAL(limit(r), rows[i].n);
        rig_free(r);
    }
}

/* LIB has 8 CTAs that fit, 3 for each core: it starts with 4, so that all 3 run (Kayiran, V-A). */
static void dyncta_counts_ctas_that_fit_not_those_that_come(void)
{
    struct rig *r = rig_new("dyncta", 3, 8, NULL);
    CU_ASSERT_EQUAL(limit(r), 3);
    CU_ASSERT_EQUAL(period(r, 384, 0), 3); /* 3 of 8 */
    CU_ASSERT_EQUAL(period(r, 384, 0), 2);
    rig_free(r);
}

/* 5000 cycles are 2047 to a counter of 11 bits. */
static void dynctas_counters_saturate(void)
{
    struct rig *r = rig_new("dyncta", 8, 8, "dyncta.t_idle=2048");
    CU_ASSERT_EQUAL(period(r, 200, 5000), 4);
    r->cfg.cta.dyncta.t_idle = 2047;
    CU_ASSERT_EQUAL(period(r, 200, 5000), 5);
    rig_free(r);
    r = rig_new("dyncta", 8, 8, "dyncta.t_mem_h=2048");
    CU_ASSERT_EQUAL(period(r, 5000, 0), 4);
    rig_free(r);
}

static void dynctas_parameters_move_its_thresholds(void)
{
    static const struct {
        const char *set;
        uint64_t mem, idle;
        int n;
    } rows[] = {{"dyncta.t_idle=8", 200, 8, 5},    {"dyncta.t_idle=8", 200, 7, 4},
                {"dyncta.t_mem_l=64", 64, 0, 4},   {"dyncta.t_mem_l=64", 63, 0, 5},
                {"dyncta.t_mem_h=192", 192, 0, 3}, {"dyncta.t_mem_h=192", 191, 0, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig *r = rig_new("dyncta", 8, 8, rows[i].set);
        CU_ASSERT_EQUAL(period(r, rows[i].mem, rows[i].idle), rows[i].n);
        rig_free(r);
    }
    struct rig *r = rig_new("dyncta", 8, 8, "dyncta.period=4096");
    CU_ASSERT_EQUAL(r->tick, 5000 + 4096);
    rig_free(r);
    for (int waits = 0; waits < 2; waits++) { /* 200 of memory alone: between the thresholds */
        r = rig_new("dyncta", 8, 8, waits ? NULL : "dyncta.stall_is_waiting=false");
        r->v.stalled = 184;
        CU_ASSERT_EQUAL(period(r, 200, 0), waits ? 3 : 4);
        CU_ASSERT_EQUAL(period(r, 200, 0), waits ? 3 : 4); /* none more */
        rig_free(r);
    }
    const struct cta_scheduler_ops *d = cta_scheduler_find("dyncta");
    r = rig_new("dyncta", 8, 8, "dyncta.pausing=false");
    CU_ASSERT_FALSE(d->pausing(&r->cfg.cta).on);
    rig_free(r);
    r = rig_new("dyncta", 8, 8, "dyncta.patience=300");
    CU_ASSERT_TRUE(d->pausing(&r->cfg.cta).on);
    CU_ASSERT_EQUAL(d->pausing(&r->cfg.cta).patience, 300);
    rig_free(r);
}

static void contradictions_are_refused(void)
{
    static const struct {
        const char *set, *says;
    } rows[] = {{"dyncta.start=quarter", "dyncta.start = \"quarter\": half, one or max"},
                {"dyncta.t_mem_h=100", "dyncta.t_mem_l = 128: above dyncta.t_mem_h = 100"},
                {"online.model=yen2015", "did you mean"},
                {"online.model=pilots", "it needs pilot simulations"},
                {"cta_scheduler=dynta", "dyncta"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err e = {""};
        struct rig *r = rig_new("static", 8, 8, rows[i].set);
        CU_ASSERT_FALSE(gpu_cfg_check(&r->cfg, &e));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, rows[i].says));
        rig_free(r);
    }
}

/* ---- lcs ---- */
static void lcs_takes_what_the_first_cta_left(void)
{
    static const struct {
        uint64_t all, first;
        int n;
    } rows[] = {{1000, 1000, 1}, {1001, 1000, 2}, {2000, 1000, 2},
                {2300, 1000, 3}, {8000, 1000, 8}, {9000, 1000, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig *r = rig_new("lcs", 8, 8, NULL);
        const struct sm_cta_end first = {5000, rows[i].first, rows[i].all};
        const struct sm_cta_end second = {5001, 1000, 5000};
        CU_ASSERT_EQUAL(limit(r), 8);
        CU_ASSERT_EQUAL(r->ops->cta_ended(r->state, &r->v, &first), CYCLE_NEVER);
        CU_ASSERT_EQUAL(limit(r), rows[i].n);
        r->ops->cta_ended(r->state, &r->v, &second); /* one decision a launch */
        CU_ASSERT_EQUAL(limit(r), rows[i].n);
        rig_free(r);
    }
}

/* ---- online ---- */
static int five(void *user, const struct cta_view *v, const struct run_stats *one)
{
    CU_ASSERT_EQUAL(v->core, 0);
    CU_ASSERT_EQUAL(one->cycles, 700); /* from the CTA's dispatch to its end */
    ++*(int *)user;
    return 5;
}

/* Two cores; the policy of each, and what they share. */
static void online_samples_on_core_0_and_then_holds_what_the_model_says(void)
{
    for (int cost = 0; cost <= 300; cost += 300) {
        int asked = 0;
        struct err e;
        const struct cta_predictor p = {&asked, five};
        struct rig *r = rig_new("static", 8, 8, cost ? "online.cost=300" : NULL);
        struct gpu *g = gpu_new(&r->cfg, &e);
        const struct cta_scheduler_ops *o = cta_scheduler_find("online");
        struct cta_view core[2] = {r->v, r->v};
        const struct sm_cta_end end = {.start = 5001};
        void *shared = xcalloc(1, o->shared_bytes);
        for (int i = 0; i < 2; i++) {
            core[i].core = i;
            core[i].sm = g->sm[i];
            core[i].shared = shared;
            core[i].predictor = &p;
            CU_ASSERT_EQUAL(o->launch(NULL, &core[i]), CYCLE_NEVER);
        }
        CU_ASSERT_EQUAL(o->limit(NULL, &core[0]), 1);
        CU_ASSERT_EQUAL(o->limit(NULL, &core[1]), 8);
        core[1].now = 5500; /* the others' CTAs say nothing */
        CU_ASSERT_EQUAL(o->cta_ended(NULL, &core[1], &end), CYCLE_NEVER);
        CU_ASSERT_EQUAL(asked, 0);
        core[0].now = 5701;
        CU_ASSERT_EQUAL(o->cta_ended(NULL, &core[0], &end), cost ? 6001 : CYCLE_NEVER);
        CU_ASSERT_EQUAL(asked, 1);
        CU_ASSERT_EQUAL(o->limit(NULL, &core[0]), cost ? 1 : 5);
        CU_ASSERT_EQUAL(o->limit(NULL, &core[1]), cost ? 8 : 5);
        core[0].now = 5900; /* one decision a launch; it is still on its way */
        CU_ASSERT_EQUAL(o->cta_ended(NULL, &core[0], &end), cost ? 6001 : CYCLE_NEVER);
        core[0].now = 6001;
        CU_ASSERT_TRUE(!cost || o->tick(NULL, &core[0]) == CYCLE_NEVER);
        CU_ASSERT_EQUAL(o->limit(NULL, &core[0]), 5);
        CU_ASSERT_EQUAL(o->limit(NULL, &core[1]), 5);
        CU_ASSERT_EQUAL(asked, 1);
        free(shared);
        gpu_free(g);
        rig_free(r);
    }
}

static void static_is_as_many_as_may_be(void)
{
    struct rig *r = rig_new("static", 3, 8, NULL);
    CU_ASSERT_EQUAL(limit(r), 3);
    CU_ASSERT_EQUAL(r->tick, CYCLE_NEVER);
    rig_free(r);
}

SUITE("CTA schedulers", T(dyncta_follows_algorithm_1), T(dyncta_starts_with_half_one_or_all),
      T(dyncta_counts_ctas_that_fit_not_those_that_come), T(dynctas_counters_saturate),
      T(dynctas_parameters_move_its_thresholds), T(contradictions_are_refused),
      T(lcs_takes_what_the_first_cta_left),
      T(online_samples_on_core_0_and_then_holds_what_the_model_says),
      T(static_is_as_many_as_may_be))
