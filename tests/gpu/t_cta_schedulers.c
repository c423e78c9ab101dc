/* What holds of every CTA scheduler in the list, whatever it decides. */
#include "tests/gpu/whole.h"

static struct gpu_cfg gpu_with(const char *gpu, const char *policy, const char *const *settings)
{
    struct gpu_cfg cfg = whole_gpu(gpu, settings);
    struct err e = {""};
    snprintf(cfg.cta.cta_scheduler, sizeof cfg.cta.cta_scheduler, "%s", policy);
    CU_ASSERT_TRUE_FATAL(gpu_cfg_check(&cfg, &e));
    return cfg;
}

/* Decisions come early in programs that are short. */
static const char *const hasty[] = {"dyncta.period=64", "dyncta.t_idle=2", "dyncta.t_mem_l=16",
                                    "dyncta.t_mem_h=32", NULL};
static const char *const hasty_awake[] = {"dyncta.period=64",   "dyncta.t_idle=2",
                                          "dyncta.t_mem_l=16",  "dyncta.t_mem_h=32",
                                          "tick_every_cycle=1", NULL};

#define EVERY_POLICY(p) \
    for (int p##_i = 0; cta_scheduler_at(p##_i) && (p = cta_scheduler_at(p##_i)->name); p##_i++)

/* whole_run() verifies what the workload computed; matmul has barriers, nqu loops that
 * lanes leave one after the other. With sanitizers each policy has each workload at one n, each
 * workload each n at some policy. */
static void results_are_right_at_every_n(void)
{
    static const char *const workloads[] = {"vecadd", "matmul", "nqu"};
    static const int degrees[] = {1, 2, 3, 8};
    const char *p;
    for (int w = 0; w < 3; w += SANITIZED ? 2 : 1) {
        const uint64_t want = whole_run(workloads[w], NULL, NULL).hash;
        EVERY_POLICY(p)
        for (int i = 0; i < 4; i++) {
            if ((SANITIZED || w == 1) && (p_i + w) % 4 != i) /* matmul takes longest */
                continue;
            const struct gpu_cfg cfg = gpu_with("yen2014", p, hasty);
            const struct gpu_opts o = {.n = degrees[i]};
            const struct whole r = whole_run(workloads[w], &cfg, &o);
            CU_ASSERT_EQUAL(r.hash, want);
            CU_ASSERT_TRUE(stats_rate(&r.stats, RATE_mean_n_resident) <= degrees[i]);
            CU_ASSERT_TRUE(stats_rate(&r.stats, RATE_mean_n) <= degrees[i]);
        }
    }
}

/* 320 CTAs of two warps on five cores that hold 32 of them. */
static void up_to_64_warps_a_core(void)
{
    static const char *const wide[] = {"cores=5", "max_ctas=32", "max_threads=2048",
                                       "dyncta.period=64", NULL};
    const char *p;
    EVERY_POLICY(p)
    {
        const struct gpu_cfg cfg = gpu_with("yen2014", p, wide);
        const struct whole r = whole_run("vecadd", &cfg, &(struct gpu_opts){.n = 32});
        CU_ASSERT_EQUAL(r.hash, whole_run("vecadd", NULL, NULL).hash);
        if (strcmp(p, "static") == 0)
            CU_ASSERT_DOUBLE_EQUAL(stats_rate(&r.stats, RATE_mean_n), 32, 0);
    }
}

static void the_same_bits_twice_and_without_sleeping(void)
{
    const char *p;
    EVERY_POLICY(p)
    {
        const struct gpu_cfg cfg = gpu_with("kayiran2013", p, hasty),
                             awake = gpu_with("kayiran2013", p, hasty_awake);
        const struct whole a = whole_run("vecadd", &cfg, NULL), b = whole_run("vecadd", &cfg, NULL);
        const struct whole c = whole_run("vecadd", &awake, NULL);
        CU_ASSERT_TRUE(whole_same(&a.stats, &b.stats));
        CU_ASSERT_TRUE(whole_same(&a.stats, &c.stats));
    }
}

static void cores_in_reverse_order_give_the_same_bits(void)
{
    const struct gpu_opts reverse = {.reverse_ticks = true};
    const char *p;
    EVERY_POLICY(p)
    {
        const struct gpu_cfg cfg = gpu_with("yen2014", p, hasty);
        const struct whole a = whole_run("scan", &cfg, NULL), b = whole_run("scan", &cfg, &reverse);
        CU_ASSERT_TRUE(whole_same(&a.stats, &b.stats));
    }
}

/* ---- launches of few CTAs, and one behind another ---- */
struct few {
    struct gpu *gpu;
    uint64_t ctas; /* of each launch that is run */
    int launches;
    uint64_t first_limits[2]; /* the sum of the cores' limits in the first cycle */
    bool first_row;
};

static void first_limits(void *user, const struct gpu_interval *i)
{
    struct few *f = user;
    if (f->first_row && f->launches < 2)
        f->first_limits[f->launches] = i->stats->assigning_limit_sum;
    f->first_row = false;
}

/* The launch twice, its first CTAs only. */
static bool run_few(void *user, struct launch *l, struct err *e)
{
    struct few *f = user;
    for (f->launches = 0; f->launches < 2; f->launches++) {
        struct run_stats st = {0};
        const struct gpu_opts o = {.n = 8,
                                   .num_ctas = f->ctas,
                                   .only_core = -1,
                                   .max_cycles = 1000000,
                                   .every = 1,
                                   .interval = first_limits,
                                   .interval_user = f};
        f->first_row = true;
        if (!gpu_launch(f->gpu, l, &o, &st, e))
            return false;
        CU_ASSERT_EQUAL(st.ctas, f->ctas);
        CU_ASSERT_EQUAL(st.resident_cta_cycles, st.cta_cycles_sum);
    }
    return true;
}

/* warps: of a CTA of bfs; 0: vecadd, of two. */
static struct few few_ctas(const char *policy, uint64_t ctas, unsigned warps)
{
    const struct gpu_cfg cfg = gpu_with("yen2014", policy, hasty);
    struct err e = {""};
    struct few f = {.gpu = gpu_new(&cfg, &e), .ctas = ctas};
    const struct target_input in = {.warps = warps};
    struct target *t = target_open(warps ? "bfs" : "vecadd", warps ? &in : NULL, &e);
    const struct executor x = {.launch = run_few, .self = &f};
    CU_ASSERT_TRUE(target_run(t, &x, false, &e));
    CU_ASSERT_TRUE(gpu_drain(f.gpu, 100000));
    target_free(t);
    gpu_free(f.gpu);
    return f;
}

/* 15 cores: one CTA, fewer than cores, one each, more. */
static void any_number_of_ctas_ends(void)
{
    static const uint64_t ctas[] = {1, 7, 15, 16, 121};
    const char *p;
    EVERY_POLICY(p)
    for (int i = 0; i < 5; i++)
        few_ctas(p, ctas[i], 0);
}

static void a_launch_of_one_warp_ends(void)
{
    const char *p;
    EVERY_POLICY(p)
    few_ctas(p, 1, 1);
}

static void every_launch_begins_anew(void)
{
    const char *p;
    EVERY_POLICY(p)
    {
        const struct few f = few_ctas(p, 300, 0);
        CU_ASSERT_TRUE(f.first_limits[0] > 0);
        CU_ASSERT_EQUAL(f.first_limits[0], f.first_limits[1]);
    }
}

/* A launch of one wave has no CTA left when the one on core 0 ends: nobody asks the model, and but
 * for what core 0 did not take the launch is the same. */
static int never(void *user, const struct cta_view *v, const struct run_stats *one)
{
    (void)user, (void)v, (void)one;
    CU_ASSERT_TRUE(false);
    return 1;
}

static void online_gains_nothing_in_one_wave(void)
{
    const struct cta_predictor p = {NULL, never};
    const struct gpu_opts o = {.predictor = &p}, plain = {0};
    const char *const many[] = {"cores=60", NULL}; /* 320 CTAs: 6 a core of 8 */
    const struct gpu_cfg online = gpu_with("yen2014", "online", many),
                         all = gpu_with("yen2014", "static", many);
    const struct whole a = whole_run("vecadd", &online, &o), b = whole_run("vecadd", &all, &plain);
    CU_ASSERT_DOUBLE_EQUAL(ratio(a.stats.cycles, b.stats.cycles), 1, 0.1);
}

/* ---- pausing ---- */
/* One CTA less each period, whatever the core does: all but one are soon paused, with barriers. */
#define ALL_BUT_ONE                                                                   \
    "dyncta.period=64", "dyncta.start=max", "dyncta.t_idle=2048", "dyncta.t_mem_l=0", \
        "dyncta.t_mem_h=0"

static void paused_ctas_come_to_their_end(void)
{
    static const char *const settings[][8] = {{ALL_BUT_ONE, NULL},
                                              {ALL_BUT_ONE, "dyncta.patience=50", NULL},
                                              {ALL_BUT_ONE, "warp_scheduler=lrr", NULL}};
    for (int i = 0; i < (SANITIZED ? 1 : 3); i++) {
        const struct gpu_cfg cfg = gpu_with("yen2014", "dyncta", settings[i]);
        const struct whole r = whole_run("matmul", &cfg, NULL);
        CU_ASSERT_EQUAL(r.hash, whole_run("matmul", NULL, NULL).hash);
        CU_ASSERT_TRUE(stats_rate(&r.stats, RATE_mean_n_running) <
                       stats_rate(&r.stats, RATE_mean_n_resident));
    }
}

static void without_pausing_all_resident_ctas_run(void)
{
    static const char *const settings[] = {ALL_BUT_ONE, "dyncta.pausing=false", NULL};
    const struct gpu_cfg cfg = gpu_with("yen2014", "dyncta", settings);
    const struct run_stats s = whole_run("vecadd", &cfg, NULL).stats;
    CU_ASSERT_EQUAL(s.assigning_running_sum, s.assigning_resident_sum);
    CU_ASSERT_TRUE(s.assigning_resident_sum > s.assigning_limit_sum); /* they leave as they end */
    CU_ASSERT_EQUAL(s.sched_policy, 0);
}

SUITE("CTA schedulers on a GPU", T(results_are_right_at_every_n), T(up_to_64_warps_a_core),
      T(the_same_bits_twice_and_without_sleeping), T(cores_in_reverse_order_give_the_same_bits),
      T(any_number_of_ctas_ends), T(a_launch_of_one_warp_ends), T(every_launch_begins_anew),
      T(online_gains_nothing_in_one_wave), T(paused_ctas_come_to_their_end),
      T(without_pausing_all_resident_ctas_run))
