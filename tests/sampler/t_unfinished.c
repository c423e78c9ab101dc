/* Two launches of a kernel that adds 1 to a word, each kept with memory as it was before. */
#include "sampler/unfinished.h"

#include "sim/func/memory.h"
#include "tests/func/ptxrun.h"

static const char adds[] =
    HEADER KERNEL("ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, 1; st.global.u32 [%rd1], %r2;");

struct rig {
    struct ptxrun r;
    struct unfinished u;
    struct pilot_rest rest;
    struct sample d[2];
    int order[8], times;
    uint32_t found[2]; /* in memory, when it went on */
};

/* Pilots of the default took 10 instructions a cycle each; `each` of them for another one. */
static struct sample sampled(double each, double insts)
{
    struct sample d = {.launch_warp_insts = 1000, .total_warp_insts = insts, .n_max = 2};
    d.grid_ctas = 64;
    d.cores = 1;
    d.pilot_cycles[1] = 1000;
    d.pilot_insts[1] = each;
    return d;
}

static void keep_and_run(struct rig *g, int i, double gain)
{
    struct launch before = g->r.l;
    before.mem = devmem_clone(g->r.mem);
    int *number = xmalloc(sizeof *number);
    *number = i;
    CU_ASSERT_TRUE(ptxrun_go(&g->r));
    const struct usage used = devmem_usage(g->r.mem);
    CU_ASSERT_TRUE(unfinished_has_room(&g->u, devmem_kept_bytes(before.mem, &used),
                                       &sampling_or_default(NULL)->pilot));
    unfinished_keep(&g->u, &before, &used,
                    &(struct unfinished_launch){.sample = &g->d[i], .gain = gain, .owner = number});
    devmem_usage_end(g->r.mem);
}

static double insts_of(void *user, const struct unfinished_launch *x)
{
    (void)user;
    return x->sample->total_warp_insts;
}

/* Another pilot takes 100 instructions; of the second launch one more is worth it. */
static double more(struct rig *g, struct unfinished_launch *x)
{
    const int i = *(int *)x->owner;
    devmem_read(x->l.mem, g->r.out, &g->found[i], 4);
    g->order[g->times++] = i;
    pilot_rest_leave(&g->rest, x->sample, 0, 100);
    return i == 1 && g->times < 2 ? x->gain : 0;
}

static struct rig finished(double left)
{
    struct rig g = {.rest = {.insts = left, .cycles = 1e9}};
    ptxrun_open(&g.r, adds, 1, 64);
    CU_ASSERT_TRUE(launch_init(&g.r.l, &g.r.err));
    g.d[0] = sampled(100, 1000);
    g.d[1] = sampled(100, 5000); /* five times the time of the first */
    keep_and_run(&g, 0, 0.1);
    keep_and_run(&g, 1, 0.1);
    CU_ASSERT_EQUAL(unfinished_open(&g.u, &g.rest), left < 100 ? 0 : 2);
    for (struct unfinished_launch *x; (x = unfinished_next(&g.u, &g.rest, insts_of, NULL));)
        x->gain = more(&g, x);
    CU_ASSERT_EQUAL(unfinished_open(&g.u, &g.rest), 0);
    unfinished_fini(&g.u);
    CU_ASSERT_EQUAL(g.u.count, 0);
    ptxrun_close(&g.r);
    return g;
}

static void what_is_left_goes_where_it_is_worth_most(void)
{
    const struct rig g = finished(1000);
    CU_ASSERT_EQUAL_FATAL(g.times, 3);
    CU_ASSERT(g.order[0] == 1 && g.order[1] == 1 && g.order[2] == 0);
    CU_ASSERT_EQUAL(g.rest.insts, 700);
}

static void memory_is_as_it_was_before_each(void)
{
    const struct rig g = finished(1000);
    CU_ASSERT_EQUAL(g.found[0], 0);
    CU_ASSERT_EQUAL(g.found[1], 1);
}

static void it_ends_when_no_more_is_left(void)
{
    CU_ASSERT_EQUAL(finished(150).times, 1);
    CU_ASSERT_EQUAL(finished(50).times, 0);
}

SUITE("unfinished", T(what_is_left_goes_where_it_is_worth_most), T(memory_is_as_it_was_before_each),
      T(it_ends_when_no_more_is_left))
