/* Statistics by interval, by core and by stage of a read: each adds up to the whole. */
#include "tests/gpu/whole.h"

static uint64_t stages(const struct run_stats *s)
{
    return s->read_l1_sum + s->read_request_sum + s->read_partition_sum + s->read_dram_queue_sum +
           s->read_dram_sum + s->read_return_sum + s->read_reply_sum;
}

static void stages_of_reads_add_up_to_their_latency(void)
{
    static const char *const gpus[] = {"yen2014", "park2015", "kayiran2013"};
    static const char *const workloads[] = {"vecadd", "matmul"};
    for (int g = 0; g < 3; g++)
        for (int i = 0; i < (SANITIZED ? 1 : 2); i++) {
            const struct gpu_cfg cfg = whole_gpu(gpus[g], NULL);
            const struct run_stats s = whole_run(workloads[i], &cfg, NULL).stats;
            CU_ASSERT_EQUAL(stages(&s), s.mf_latency_sum);
            const uint64_t all[] = {s.read_l1_sum,         s.read_request_sum, s.read_partition_sum,
                                    s.read_dram_queue_sum, s.read_dram_sum,    s.read_return_sum,
                                    s.read_reply_sum};
            for (int k = 0; k < 7; k++) /* a stamp that went back would make one of them huge */
                CU_ASSERT_TRUE(all[k] <= s.mf_latency_sum);
            CU_ASSERT_TRUE(s.read_dram_sum > 0);
            double mean = 0;
            for (int r = RATE_read_l1; r <= RATE_read_reply; r++)
                mean += stats_rate(&s, (enum run_rate)r);
            CU_ASSERT_DOUBLE_EQUAL(mean, stats_rate(&s, RATE_mf_latency), 1e-6);
        }
}

/* One CTA alone: every fixed latency is in its stage. */
static void fixed_latencies_are_where_they_belong(void)
{
    const char *const one[] = {"cores=1", NULL}, *const far[] = {"cores=1", "dram.latency=600",
                                                                 NULL};
    const char *const rop[] = {"cores=1", "partition.rop_latency=1120", NULL};
    const struct gpu_opts o = {.n = 1};
    struct gpu_cfg cfg = whole_gpu("yen2014", one);
    const struct run_stats a = whole_run("vecadd", &cfg, &o).stats;
    cfg = whole_gpu("yen2014", far);
    const struct run_stats b = whole_run("vecadd", &cfg, &o).stats;
    cfg = whole_gpu("yen2014", rop);
    const struct run_stats c = whole_run("vecadd", &cfg, &o).stats;
    const double base = stats_rate(&a, RATE_read_partition);
    CU_ASSERT_DOUBLE_EQUAL(stats_rate(&b, RATE_read_partition), base + 500, 3);
    CU_ASSERT_DOUBLE_EQUAL(stats_rate(&c, RATE_read_partition), base + 1000, 3);
    CU_ASSERT_DOUBLE_EQUAL(stats_rate(&b, RATE_read_dram), stats_rate(&a, RATE_read_dram), 3);
    CU_ASSERT_DOUBLE_EQUAL(stats_rate(&b, RATE_read_reply), stats_rate(&a, RATE_read_reply), 3);
}

struct rows {
    uint64_t every, n;
    cycle_t last;
    int most_resident, resident;
    struct run_stats sum;
};

static void row(void *user, const struct gpu_interval *i)
{
    struct rows *r = user;
    const uint64_t cycles = i->stats->cycles;
    CU_ASSERT_TRUE(cycles == r->every || (cycles < r->every && cycles > 0));
    if (i->end == cycles) /* a new launch */
        r->last = 0;
    CU_ASSERT_EQUAL(i->end, r->last + cycles);
    r->last = i->end;
    r->n++;
    r->resident = i->resident;
    r->most_resident = i->resident > r->most_resident ? i->resident : r->most_resident;
    stats_add(&r->sum, i->stats);
}

static void intervals_add_up_and_change_nothing(void)
{
    static const char *const gpus[] = {"yen2014", "kayiran2013"};
    static const uint64_t every[] = {1, 97, 1000, 1000000};
    for (int g = 0; g < 2; g++) {
        const struct gpu_cfg cfg = whole_gpu(gpus[g], NULL);
        const struct gpu_opts traced = {.trace_working_set = true};
        const struct whole plain = whole_run("vecadd", &cfg, &traced);
        for (int k = 0; k < 4; k++) {
            struct rows r = {.every = every[k]};
            const struct gpu_opts o = {
                .every = every[k], .interval = row, .interval_user = &r, .trace_working_set = true};
            const struct whole w = whole_run("vecadd", &cfg, &o);
            CU_ASSERT_EQUAL(w.hash, plain.hash);
            CU_ASSERT_TRUE(whole_same(&w.stats, &plain.stats));
            CU_ASSERT_TRUE(whole_same(&r.sum, &plain.stats));
            CU_ASSERT_EQUAL(r.n, (plain.stats.cycles + every[k] - 1) / every[k]);
            CU_ASSERT_EQUAL(r.resident, 0);
            CU_ASSERT_TRUE(k == 3 || r.most_resident == 8 * cfg.top.cores);
        }
    }
}

/* Several launches: rows restart with each, and a row is never empty. */
static void every_launch_has_its_rows(void)
{
    const struct gpu_cfg cfg = whole_gpu("park2015", NULL);
    struct rows r = {.every = 5000};
    const struct gpu_opts o = {.every = 5000, .interval = row, .interval_user = &r};
    const struct whole w = whole_run("nbf", &cfg, &o);
    CU_ASSERT_TRUE(whole_same(&r.sum, &w.stats));
    CU_ASSERT_TRUE(r.n >= (uint64_t)w.launches);
}

static void cores_add_up(void)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct run_stats core[15] = {{0}}, sum = {0};
    const struct gpu_opts o = {.per_core = core};
    const struct run_stats all = whole_run("matmul", &cfg, &o).stats;
    for (int i = 0; i < 15; i++) {
        CU_ASSERT_EQUAL(core[i].cycles, all.cycles);
        CU_ASSERT_EQUAL(core[i].core_cycles, all.cycles);
        CU_ASSERT_EQUAL(core[i].dram_reads, 0);
        CU_ASSERT_TRUE(core[i].warp_insts > 0);
        CU_ASSERT_EQUAL(core[i].active_cycles + core[i].stalled_cycles + core[i].c_mem_cycles +
                            core[i].c_idle_cycles,
                        core[i].core_cycles);
        CU_ASSERT_EQUAL(core[i].resident_cta_cycles, core[i].cta_cycles_sum);
        CU_ASSERT_TRUE(core[i].assigning_cycles < core[i].core_cycles);
        stats_add(&sum, &core[i]);
    }
    CU_ASSERT_EQUAL(sum.warp_insts, all.warp_insts);
    CU_ASSERT_EQUAL(sum.thread_insts, all.thread_insts);
    CU_ASSERT_EQUAL(sum.ctas, all.ctas);
    CU_ASSERT_EQUAL(sum.l1d_misses, all.l1d_misses);
    CU_ASSERT_EQUAL(sum.sched_cycles, all.sched_cycles);
    CU_ASSERT_EQUAL(sum.mf_latency_max, all.mf_latency_max);
    CU_ASSERT_EQUAL(stages(&sum), all.mf_latency_sum);
    CU_ASSERT_EQUAL(sum.replies_from_dram, all.dram_reads); /* no L2 shares a read */
}

static void ignore(void *user, const struct gpu_interval *i)
{
    (void)user, (void)i;
}

/* 15 cores of 2 schedulers pass the limit by 1 to 30; with intervals it ends at the same cycle.
 */
static void a_limit_of_instructions_ends_a_launch(void)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct run_stats s[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        struct err e = {""};
        struct whole w = {.opts = {.n = 8, .only_core = -1, .max_warp_insts = 5000}};
        struct target *t = target_open("vecadd", NULL, &e);
        if (i) {
            w.opts.every = 100;
            w.opts.interval = ignore;
        }
        w.gpu = gpu_new(&cfg, &e);
        const struct executor x = {.launch = whole_launch, .self = &w};
        CU_ASSERT_TRUE(target_run(t, &x, false, &e));
        gpu_free(w.gpu);
        target_free(t);
        s[i] = w.stats;
        CU_ASSERT(s[i].warp_insts > 5000 && s[i].warp_insts <= 5030);
        CU_ASSERT(s[i].ctas > 0 && s[i].ctas < 320);
    }
    CU_ASSERT_TRUE(whole_same(&s[0], &s[1]));
}

SUITE("observation", T(stages_of_reads_add_up_to_their_latency),
      T(fixed_latencies_are_where_they_belong), T(intervals_add_up_and_change_nothing),
      T(every_launch_has_its_rows), T(cores_add_up), T(a_limit_of_instructions_ends_a_launch))
