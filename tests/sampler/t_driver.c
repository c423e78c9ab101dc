/* What goes from one sampled launch to the next, whoever launches them. */
#include "sampler/driver.h"

#include <math.h>

#include "tests/sampler/launch_rig.h"

/* Each CTA waits until all have come: 60 on 15 cores. */
static const char meet[] =
    HEADER KERNEL("setp.ne.u32 %p1, %r1, 0; @%p1 bra M; atom.global.add.u32 %r2, [%rd1], 1;\n"
                  "W: ld.volatile.global.u32 %r3, [%rd1]; setp.lt.u32 %p2, %r3, 60; @%p2 bra W;\n"
                  "M: bar.sync 0;");

struct heard {
    int sentences;
    char last[256];
    int further; /* pilots in the end */
};

static void hear(void *user, const char *sentence)
{
    struct heard *h = user;
    h->sentences++;
    snprintf(h->last, sizeof h->last, "%s", sentence);
}

/* program: warp instructions, as far as they are known. */
static void begin(struct sampling_driver *d, const struct rig *x, double program, struct heard *h)
{
    *h = (struct heard){0};
    *d = (struct sampling_driver){
        .cfg = &x->cfg, .opts = x->o, .cta = -1, .program_insts = program, .say = hear, .user = h};
    sampling_driver_begin(d);
}

static struct sampled_launch asked(const struct sampling_driver *d, struct rig *x)
{
    sampling_driver_ask(d, &x->r.l, &x->facts);
    return (struct sampled_launch){.l = &x->r.l, .facts = &x->facts};
}

static void sampled(struct sampling_driver *d, struct rig *x, struct sampled_launch *l)
{
    x->cost = (struct sample_cost){0};
    CU_ASSERT_TRUE_FATAL(sampling_driver_sample(d, l, &x->d, &x->cost, &x->e));
}

/* Of a program whose length is known it is what representative.h samples; the GPU is measured
 * once; a kernel that has run is found in the caches. */
static void what_the_first_launch_tells_later_ones_need_not_ask(void)
{
    struct rig x, y;
    struct heard h;
    struct sampling_driver d;
    rig_open(&x, NULL, 450);
    rig_open(&y, NULL, 450);
    const struct launch_cluster alone = {.launches = 1,
                                         .ctas = 450,
                                         .warp_insts = y.facts.warp_insts,
                                         .thread_insts = y.facts.thread_insts};
    struct representative r = {.cfg = &y.cfg, .opts = &y.o, .facts = &y.facts, .of = &alone};
    CU_ASSERT_TRUE_FATAL(representative_sample(&r, &y.r.l, &y.d, &y.cost, &y.e));
    begin(&d, &x, (double)x.facts.warp_insts, &h);
    struct sampled_launch l = asked(&d, &x);
    CU_ASSERT_FALSE(x.facts.code_ran);
    sampled(&d, &x, &l);
    CU_ASSERT_EQUAL(memcmp(x.d.pilot_cycles, y.d.pilot_cycles, sizeof x.d.pilot_cycles), 0);
    CU_ASSERT_EQUAL(x.d.cta_cycles, y.d.cta_cycles);
    CU_ASSERT_EQUAL(x.d.dram_lines_per_cycle, y.d.dram_lines_per_cycle);
    CU_ASSERT(x.cost.memory_warp_insts > 0);
    sampling_driver_ran(&d, &x.r.l);
    l = asked(&d, &x);
    CU_ASSERT_TRUE(x.facts.code_ran);
    sampled(&d, &x, &l);
    CU_ASSERT_EQUAL(x.cost.memory_warp_insts, 0);
    CU_ASSERT_EQUAL(x.d.dram_lines_per_cycle, y.d.dram_lines_per_cycle);
    sampling_driver_reset(&d, x.r.l.device);
    asked(&d, &x);
    CU_ASSERT_FALSE(x.facts.code_ran);
    CU_ASSERT_EQUAL(h.sentences, 0);
    sampling_driver_end(&d);
    ptxrun_close(&x.r);
    ptxrun_close(&y.r);
}

static void what_a_kernel_does_is_said_once(void)
{
    struct rig x;
    struct heard h;
    struct sampling_driver d;
    rig_with(&x, meet, NULL, 60);
    x.o.effort = EFFORT_THOROUGH;
    begin(&d, &x, INFINITY, &h);
    struct sampled_launch l = asked(&d, &x);
    sampled(&d, &x, &l);
    CU_ASSERT_TRUE(l.waits);
    CU_ASSERT_EQUAL(h.sentences, 2); /* the first: that it has CTAs that wait for others */
    CU_ASSERT_PTR_NOT_NULL(strstr(h.last, "k never ends with fewer than 4 CTAs at once"));
    sampled(&d, &x, &l);
    sampling_driver_say_least(&d, "k", 3);
    CU_ASSERT_EQUAL(h.sentences, 2);
    sampling_driver_say_least(&d, "k", 5);
    CU_ASSERT_PTR_NOT_NULL(strstr(h.last, "fewer than 5"));
    sampling_driver_say_least(&d, "j", 2);
    CU_ASSERT_EQUAL(h.sentences, 4);
    sampling_driver_end(&d);
    begin(&d, &x, INFINITY, &h); /* a cooperative launch, of which more is known; then another */
    l.told = true;
    sampled(&d, &x, &l);
    l.told = false;
    sampled(&d, &x, &l);
    CU_ASSERT_EQUAL(h.sentences, 1);
    sampling_driver_end(&d);
    ptxrun_close(&x.r);
}

static double insts_of(void *user, const struct unfinished_launch *x)
{
    (void)user;
    return x->sample->total_warp_insts;
}

static void took(void *user, struct unfinished_launch *x, bool ok, const struct sample_cost *cost)
{
    struct heard *h = user;
    (void)x;
    CU_ASSERT_TRUE(ok);
    h->further += cost->pilot_warp_insts > 0;
}

static int pilots_of(const struct sample *s)
{
    double insts;
    return pilots(s, &insts);
}

/* A part of a launch's pilots, where others may need them more; the rest when all have run. */
static void pilots_that_wait_are_run_in_the_end(void)
{
    struct rig x;
    struct heard h;
    struct sampling_driver d;
    rig_open(&x, NULL, 4500);
    x.o.pilots.budget = x.o.pilots.budget_short = 0.2;
    x.o.pilots.worth = 1e-6;
    x.o.pilots.worth_now = 10; /* nothing is worth that */
    begin(&d, &x, INFINITY, &h);
    struct sampled_launch l = asked(&d, &x);
    l.may_go_on = true;
    sampled(&d, &x, &l);
    const int at_once = pilots_of(&x.d);
    const double gain = sampling_driver_gain(&d, &x.d);
    CU_ASSERT(gain > 0);
    struct launch before = x.r.l;
    before.mem = devmem_clone(x.r.mem);
    unfinished_keep(&d.unfinished, &before, NULL,
                    &(struct unfinished_launch){.facts = x.facts, .sample = &x.d, .gain = gain});
    d.rest.insts = d.rest.cycles = 1e12;
    sampling_driver_finish(&d, x.d.total_warp_insts,
                           &(struct sampling_end){insts_of, took, NULL, &h});
    CU_ASSERT(h.further > 0);
    CU_ASSERT_EQUAL(pilots_of(&x.d), at_once + h.further);
    CU_ASSERT_EQUAL(d.unfinished.count, 0);
    sampling_driver_end(&d);
    l.may_go_on = false; /* nobody else will use what it leaves */
    begin(&d, &x, INFINITY, &h);
    d.opts.pilots.budget = d.opts.pilots.budget_short = 1;
    sampled(&d, &x, &l);
    CU_ASSERT(pilots_of(&x.d) > at_once);
    sampling_driver_end(&d);
    ptxrun_close(&x.r);
}

SUITE("sampling driver", T(what_the_first_launch_tells_later_ones_need_not_ask),
      T(what_a_kernel_does_is_said_once), T(pilots_that_wait_are_run_in_the_end))
