/* What is seen of a launch while it is executed. */
#include "sampler/profile/launch_facts.h"

#include "sim/gpu/gpu_cfg.h"
#include "tests/func/ptxrun.h"

#define CTAS 4

/* CTA c goes round c times, and loads one line: 10 + 4 c warp instructions. */
static const char rounds[] =
    HEADER KERNEL("mov.u32 %r2, %ctaid.x;\n"
                  "again: setp.eq.u32 %p1, %r2, 0; @%p1 bra done; sub.u32 %r2, %r2, 1; bra again;\n"
                  "done: ld.global.u32 %r5, [%rd2];");

static void open_launch(struct ptxrun *r, struct gpu_cfg *cfg, const char *text, int ctas)
{
    gpu_cfg_default(cfg);
    ptxrun_open(r, text, 32, 4096);
    r->l.grid[0] = ctas;
}

static void execute(struct ptxrun *r, const struct func_opts *o)
{
    CU_ASSERT_TRUE(launch_init(&r->l, &r->err) && func_run(&r->l, o, &r->counts, &r->err));
}

/* Of so many CTAs, where so many are counted at most. */
static struct memory_use look_at(struct launch_watch *k, int ctas, int most)
{
    struct ptxrun r;
    struct gpu_cfg cfg;
    struct func_opts o = {0};
    struct watch_params by = sampling_or_default(NULL)->watch;
    by.counted = most;
    open_launch(&r, &cfg, rounds, ctas);
    launch_watch_begin(k, &cfg, &r.l, &by, &o);
    execute(&r, &o);
    CU_ASSERT_EQUAL(r.counts.ctas, (uint64_t)ctas);
    ptxrun_close(&r);
    return memory_watch_mean(k->memory);
}

static void instructions_are_counted_by_cta(void)
{
    struct launch_watch k;
    const struct memory_use use = look_at(&k, CTAS, CTAS);
    CU_ASSERT_PTR_NOT_NULL_FATAL(k.cta_insts);
    for (uint64_t c = 0; c < CTAS; c++)
        CU_ASSERT_EQUAL(k.cta_insts[c], 10 + 4 * c);
    CU_ASSERT_TRUE(use.all > 0 && use.stores == 0);
    CU_ASSERT_DOUBLE_EQUAL(partition_watch_correlation(k.partitions), 1,
                           1e-12); /* all load the same line */
    launch_watch_end(&k);
    CU_ASSERT_PTR_NULL(k.cta_insts);
    CU_ASSERT_PTR_NULL(k.memory);
    CU_ASSERT_PTR_NULL(k.partitions);
}

/* ... how they use memory is seen all the same. */
static void one_cta_or_too_many_are_not_counted(void)
{
    static const struct {
        int ctas;
        uint64_t most;
    } row[] = {{1, CTAS}, {CTAS, CTAS - 1}, {CTAS, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct launch_watch k;
        const struct memory_use use = look_at(&k, row[i].ctas, row[i].most);
        CU_ASSERT_PTR_NULL(k.cta_insts);
        CU_ASSERT_TRUE(use.all > 0);
        launch_watch_end(&k);
    }
}

/* No more than what a glance needs. */
static void a_glance_counts_no_instructions(void)
{
    struct ptxrun r;
    struct gpu_cfg cfg;
    struct func_opts o = {0};
    struct launch_watch k;
    open_launch(&r, &cfg, rounds, CTAS);
    launch_watch_begin_few(&k, &cfg, &r.l, &sampling_or_default(NULL)->watch, &o);
    execute(&r, &o);
    CU_ASSERT_PTR_NULL(k.cta_insts);
    CU_ASSERT_PTR_NULL(k.partitions);
    CU_ASSERT_TRUE(memory_watch_few_mean(k.memory).all > 0);
    launch_watch_end(&k);
    ptxrun_close(&r);
}

/* CTAs that each store to a partition of their own do not camp; where nobody has looked they may.
 */
static void camping_is_among_the_facts(void)
{
    static const char apart[] =
        HEADER KERNEL("mov.u32 %r2, %ctaid.x; shl.b32 %r2, %r2, 8; cvt.u64.u32 %rd5, %r2;\n"
                      "add.s64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r2;");
    struct ptxrun r;
    struct gpu_cfg cfg;
    struct func_opts o = {0};
    struct launch_watch k;
    open_launch(&r, &cfg, apart, 6);
    launch_watch_begin(&k, &cfg, &r.l, &sampling_or_default(NULL)->watch, &o);
    execute(&r, &o);
    CU_ASSERT_FALSE(launch_facts_of(&r.counts, &k, &sampling_or_default(NULL)->similarity).camping);
    launch_watch_end(&k);
    CU_ASSERT_TRUE(launch_facts_of(&r.counts, &k, &sampling_or_default(NULL)->similarity).camping);
    ptxrun_close(&r);
}

/* Fifteen neighbours each ask one partition, another than the next fifteen: all ninety that may run
 * at once ask the six alike, but with one on a core two partitions have all there is. */
static void neighbours_may_camp_where_all_together_do_not(void)
{
    static const char by_round[] = HEADER KERNEL(
        "mov.u32 %r2, %ctaid.x; div.u32 %r2, %r2, 15; shl.b32 %r2, %r2, 8;\n"
        "cvt.u64.u32 %rd5, %r2; add.s64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r2;");
    const struct similarity_params *by = &sampling_or_default(NULL)->similarity;
    struct ptxrun r;
    struct gpu_cfg cfg;
    struct func_opts o = {0};
    struct launch_watch k;
    open_launch(&r, &cfg, by_round, 90);
    CU_ASSERT_EQUAL_FATAL(cfg.top.cores, 15);
    launch_watch_begin(&k, &cfg, &r.l, &sampling_or_default(NULL)->watch, &o);
    execute(&r, &o);
    CU_ASSERT_FALSE(partition_watch_camping(k.partitions, by));
    CU_ASSERT_TRUE(partition_watch_camping(k.neighbours, by));
    CU_ASSERT_TRUE(launch_facts_of(&r.counts, &k, by).camping);
    launch_watch_end(&k);
    CU_ASSERT_PTR_NULL(k.neighbours);
    ptxrun_close(&r);
    open_launch(&r, &cfg, by_round, 15); /* no more than run at once in any case */
    launch_watch_begin(&k, &cfg, &r.l, &sampling_or_default(NULL)->watch, &o);
    CU_ASSERT_PTR_NULL(k.neighbours);
    launch_watch_end(&k);
    ptxrun_close(&r);
}

SUITE("launch looks", T(camping_is_among_the_facts),
      T(neighbours_may_camp_where_all_together_do_not), T(instructions_are_counted_by_cta),
      T(one_cta_or_too_many_are_not_counted), T(a_glance_counts_no_instructions))
