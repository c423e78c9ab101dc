/* A launch that stands for others: sampled, or where its CTAs wait simulated; what is said of it.
 */
#include "sampler/representative.h"
#include "tests/sampler/launch_rig.h"

/* Each CTA waits until all have come: 60 on 15 cores. */
static const char meet[] =
    HEADER KERNEL("setp.ne.u32 %p1, %r1, 0; @%p1 bra M; atom.global.add.u32 %r2, [%rd1], 1;\n"
                  "W: ld.volatile.global.u32 %r3, [%rd1]; setp.lt.u32 %p2, %r3, 60; @%p2 bra W;\n"
                  "M: bar.sync 0;");
/* CTA 1 waits for the last one; all others, for nobody. */
static const char ahead[] = HEADER KERNEL(
    "mov.u32 %r2, %ctaid.x; setp.eq.u32 %p2, %r2, 89; @%p2 bra LAST;\n"
    "setp.ne.u32 %p1, %r2, 1; @%p1 bra END;\n"
    "W: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p2, %r3, 0; @%p2 bra W; bra.uni END;\n"
    "LAST: mov.u32 %r5, 1; st.volatile.global.u32 [%rd1], %r5;\nEND:");

/* Of three launches like it. */
static struct representative of_three(struct rig *x, struct launch_cluster *of)
{
    const uint64_t ctas = launch_ctas(&x->r.l);
    *of = (struct launch_cluster){.part = 1,
                                  .launches = 3,
                                  .ctas = 3 * ctas,
                                  .warp_insts = 3 * x->facts.warp_insts,
                                  .thread_insts = 3 * x->facts.thread_insts};
    return (struct representative){.cfg = &x->cfg, .opts = &x->o, .facts = &x->facts, .of = of};
}

static bool taken_of(struct rig *x, struct representative *r)
{
    const bool ok = representative_sample(r, &x->r.l, &x->d, &x->cost, &x->e);
    CU_ASSERT_PTR_NULL(x->r.l.why);
    return ok;
}

static void says(const struct rig *x, const struct representative *r, const char *what)
{
    char *text = representative_text(&x->r.l, &x->facts, &x->d, r->waits);
    CU_ASSERT_EQUAL(text != NULL, what != NULL);
    CU_ASSERT_TRUE(!text || !what || strstr(text, what));
    free(text);
}

static void a_sample_stands_for_all_launches_of_its_cluster(void)
{
    struct rig x;
    struct launch_cluster of;
    rig_open(&x, NULL, 450);
    struct representative r = of_three(&x, &of);
    CU_ASSERT_TRUE_FATAL(taken_of(&x, &r));
    CU_ASSERT_FALSE(r.waits || sample_searched(&x.d));
    CU_ASSERT_STRING_EQUAL(x.d.kernel, "k");
    CU_ASSERT_EQUAL(x.d.part, 1);
    CU_ASSERT_EQUAL(x.d.launches, 3);
    CU_ASSERT_EQUAL(x.d.grid_ctas, 450);
    CU_ASSERT_EQUAL(x.d.total_ctas, 1350);
    CU_ASSERT_EQUAL(x.d.total_warp_insts, 3 * 450 * 2 * INSTS);
    CU_ASSERT_EQUAL(x.d.launch_warp_insts, 450 * 2 * INSTS);
    says(&x, &r, NULL);
    CU_ASSERT_EQUAL(representative_least(&x.cfg, &x.r.l, &x.d), 0);
    ptxrun_close(&x.r);
}

static void of_a_short_launch_it_is_said_that_it_is_simulated(void)
{
    struct rig x;
    struct launch_cluster of;
    rig_open(&x, NULL, 45);
    struct representative r = of_three(&x, &of);
    CU_ASSERT_TRUE_FATAL(taken_of(&x, &r));
    CU_ASSERT_TRUE(!r.waits && sample_searched(&x.d));
    says(&x, &r, "a launch of k takes no longer at every degree");
    ptxrun_close(&x.r);
    rig_open(&x, NULL, 1); /* one degree: there is nothing to choose */
    x.facts.cta = 0;
    r = of_three(&x, &of);
    CU_ASSERT_TRUE_FATAL(taken_of(&x, &r));
    CU_ASSERT_TRUE(sample_searched(&x.d));
    says(&x, &r, NULL);
    ptxrun_close(&x.r);
}

/* Whether they wait is found out once: not where it is known. */
static void ctas_that_wait_are_simulated(void)
{
    struct rig x, y;
    struct launch_cluster of;
    rig_with(&x, meet, NULL, 60);
    rig_with(&y, meet, NULL, 60);
    x.o.effort = y.o.effort = EFFORT_THOROUGH;
    struct representative r = of_three(&x, &of);
    CU_ASSERT_TRUE_FATAL(taken_of(&x, &r));
    CU_ASSERT_TRUE(r.waits && sample_whole(&x.d));
    CU_ASSERT_EQUAL(x.d.launches, 3);
    says(&x, &r, "k has CTAs that wait for others");
    CU_ASSERT_EQUAL(representative_least(&x.cfg, &x.r.l, &x.d), 4);
    char *least = representative_least_text("k", 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(least, "k never ends with fewer than 4 CTAs at once"));
    free(least);
    struct representative known = of_three(&y, &of);
    known.waits = true;
    CU_ASSERT_TRUE_FATAL(taken_of(&y, &known));
    CU_ASSERT_TRUE(y.cost.functional_warp_insts < x.cost.functional_warp_insts);
    CU_ASSERT_EQUAL(memcmp(x.d.pilot_cycles, y.d.pilot_cycles, sizeof x.d.pilot_cycles), 0);
    ptxrun_close(&x.r);
    ptxrun_close(&y.r);
}

/* It takes no number, so that only its window shows it. A profile holds windows, or an error. */
static void a_window_that_waits_is_given_up(void)
{
    struct rig x;
    struct launch_cluster of;
    rig_with(&x, ahead, NULL, 90);
    CU_ASSERT_FALSE(sample_waits(&x.o, &x.facts, &x.r.l, &x.cost));
    struct representative r = of_three(&x, &of);
    x.rates.known = true; /* a search is not cheaper */
    CU_ASSERT_TRUE_FATAL(taken_of(&x, &r));
    CU_ASSERT_TRUE(r.waits && sample_searched(&x.d));
    CU_ASSERT_EQUAL(x.d.launches, 3);
    x.o.every_pilot = true;
    r.waits = false;
    CU_ASSERT_FALSE(taken_of(&x, &r));
    CU_ASSERT_FALSE(r.waits);
    CU_ASSERT_PTR_NOT_NULL(strstr(x.e.msg, "it waits for other CTAs"));
    ptxrun_close(&x.r);
}

/* A million cycles, and 32000 for each warp instruction of the mean CTA and one more: here two.
 * Less if no more is asked for. */
static void what_a_cta_alone_may_take_follows_from_its_instructions(void)
{
    static const char loop[] = HEADER KERNEL("mov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1;\n"
                                             "setp.lt.u32 %p1, %r2, 60000; @%p1 bra L;");
    static const struct {
        uint64_t most;
        const char *says;
    } of[] = {{0, "still running after 1064000 cycles"}, {500000, "still running after 500000 "}};
    for (int i = 0; i < 2; i++) {
        struct rig x;
        struct launch_cluster one = {.launches = 1};
        rig_with(&x, loop, NULL, 8);
        x.facts.most_insts = x.facts.warp_insts / 8;
        x.facts.warp_insts = 8;
        x.o.effort = EFFORT_WINDOW;
        x.o.max_cycles = of[i].most;
        struct representative r = {.cfg = &x.cfg, .opts = &x.o, .facts = &x.facts, .of = &one};
        CU_ASSERT_FALSE(taken_of(&x, &r));
        CU_ASSERT_PTR_NOT_NULL(strstr(x.e.msg, of[i].says));
        ptxrun_close(&x.r);
    }
}

SUITE("representative launch", T(a_sample_stands_for_all_launches_of_its_cluster),
      T(of_a_short_launch_it_is_said_that_it_is_simulated), T(ctas_that_wait_are_simulated),
      T(a_window_that_waits_is_given_up),
      T(what_a_cta_alone_may_take_follows_from_its_instructions))
