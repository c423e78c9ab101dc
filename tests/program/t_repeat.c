/* Which launches count as the same. */
#include "base/rng.h"
#include "program/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

struct fix {
    struct devmem *m;
    struct kernel k;
    struct launch l;
    struct {
        uint64_t pointer;
        int32_t n;
        float a;
    } params;
    struct repeats *r;
};

static void begin(struct fix *f)
{
    *f = (struct fix){.m = devmem_new(), .r = repeats_new(NULL)};
    f->params.pointer = devmem_alloc(f->m, 100, "x");
    f->params.n = 7;
    f->k = (struct kernel){.name = "k", .param_bytes = sizeof f->params};
    f->l = (struct launch){.kernel = &f->k,
                           .grid = {4, 1, 1},
                           .block = {32, 1, 1},
                           .params = (uint8_t *)&f->params,
                           .mem = f->m};
}

static void end(struct fix *f)
{
    repeats_free(f->r);
    devmem_free(f->m);
}

/* A launch seen once: is it so again? */
static bool again(struct fix *f, int kernel)
{
    return repeats_find(f->r, &f->l, kernel)->seen > 0;
}

static void pointers_do_not_tell_launches_apart_and_scalars_do(void)
{
    struct fix f;
    begin(&f);
    CU_ASSERT_FALSE(again(&f, 0));
    repeats_find(f.r, &f.l, 0)->seen++;
    CU_ASSERT(again(&f, 0));
    f.params.pointer = devmem_alloc(f.m, 100, "y") + 8;
    CU_ASSERT(again(&f, 0));
    f.params.pointer = 12; /* no allocation: a number */
    CU_ASSERT_FALSE(again(&f, 0));
    f.params.pointer = devmem_alloc(f.m, 100, "z");
    f.params.n = 8;
    CU_ASSERT_FALSE(again(&f, 0));
    f.params.n = 7;
    f.params.a = 0.5f;
    CU_ASSERT_FALSE(again(&f, 0));
    f.params.a = 0;
    CU_ASSERT_FALSE(again(&f, 1));
    f.l.grid[2] = 2;
    CU_ASSERT_FALSE(again(&f, 0));
    f.l.grid[2] = 1;
    CU_ASSERT(again(&f, 0));
    end(&f);
}

/* As between the members of a struct: `a` is never read. */
static void what_the_kernel_does_not_read_tells_nothing_apart(void)
{
    static uint8_t read[sizeof((struct fix *)0)->params];
    struct fix f;
    begin(&f);
    memset(read, 1, sizeof read - sizeof f.params.a);
    f.k.param_read = read;
    repeats_find(f.r, &f.l, 0)->seen++;
    f.params.a = 3;
    CU_ASSERT(again(&f, 0));
    f.params.n = 8;
    CU_ASSERT_FALSE(again(&f, 0));
    end(&f);
}

static void many_sets_keep_their_counts(void)
{
    struct fix f;
    begin(&f);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 3000; i++) {
            f.params.n = i;
            struct repeat *r = repeats_find(f.r, &f.l, 0);
            CU_ASSERT_EQUAL(r->seen, (uint64_t)round);
            CU_ASSERT_EQUAL(r->cycles, round ? (uint64_t)i : 0); /* whose it is */
            r->cycles = (uint64_t)i;
            r->seen++;
        }
    end(&f);
}

/* How a launch of that cluster uses memory: as no other does. */
static struct memory_use use_of(int cluster)
{
    struct memory_use u = {.all = 1};
    for (int k = 0; k < MEMORY_USE_SIZES; k++)
        u.missed[k] = cluster >> k & 1;
    return u;
}

/* Of one CTA. */
static const struct launch_size *of(uint64_t insts)
{
    static struct launch_size size;
    size = launch_size_of(&sampling_or_default(NULL)->similarity, 1, insts);
    return &size;
}

struct looks {
    int close, glances, none;
};

/* One more launch, as a program's: the cluster that it is counted to. */
static int launched(struct repeat *r, int cluster, uint64_t insts, bool one_degree, struct looks *n)
{
    const struct memory_use few = use_of(cluster);
    int is;
    r->seen++;
    switch (repeat_wants(r, one_degree)) {
    case REPEAT_LOOK:
        n->close++;
        repeat_looked_at(r, cluster, of(insts), &few);
        return cluster;
    case REPEAT_GLANCE:
        n->glances++;
        is = repeat_glanced_at(r, of(insts), &few);
        CU_ASSERT_TRUE(is == cluster || is == -1);
        if (is >= 0)
            return is;
        n->close++; /* it is executed again */
        repeat_looked_at(r, cluster, of(insts), &few);
        return cluster;
    case REPEAT_UNSEEN:
        n->none++;
        break;
    }
    return repeat_executed(r, of(insts), one_degree);
}

/* Launches of one cluster. */
static struct looks looks(struct repeat *r, int launches, int cluster, bool one_degree)
{
    struct looks n = {0};
    for (int i = 0; i < launches; i++)
        launched(r, cluster, 1000, one_degree, &n);
    return n;
}

static void ever_fewer_of_those_alike_are_looked_at(void)
{
    struct repeat r = {.seen = 0};
    struct looks n = looks(&r, 4, 0, false);
    CU_ASSERT_TRUE(n.close == 1 && n.glances == 3);
    CU_ASSERT_TRUE(looks(&r, 4, 0, false).none > 1);
    n = looks(&r, 10000, 0, false);
    CU_ASSERT_TRUE(n.close == 0 && n.glances > 25 && n.glances < 50);
    const uint64_t seen = r.seen;
    int wait = 1; /* no more than two fifths as many pass without */
    while (r.seen++, repeat_wants(&r, false) == REPEAT_UNSEEN)
        wait++;
    CU_ASSERT_TRUE(wait <= (int)(0.4 * (double)seen) + 1);
    free(r.look);
}

/* A glance finds it. */
static void what_is_unlike_is_looked_at_closely(void)
{
    struct repeat r = {.seen = 0};
    looks(&r, 100, 0, false);
    while (repeat_wants(&r, false) == REPEAT_UNSEEN)
        r.seen++;
    struct looks n = looks(&r, 4, 1, false); /* another cluster, with the same instructions */
    CU_ASSERT_TRUE(n.close == 1 && n.glances == 4);
    n = looks(&r, 1, 1, false);
    CU_ASSERT_EQUAL(n.none, 1);
    CU_ASSERT_EQUAL(repeat_executed(&r, of(1000), false), 1);
    free(r.look);
}

/* Where it can't be, the next ones are: until it is found, or some were in vain. */
static void what_was_not_looked_at_closely_is_looked_for(void)
{
    struct repeat r = {.seen = 0};
    const struct memory_use as_usual = use_of(0), unlike = use_of(9);
    for (int found = 0; found < 2; found++) {
        int n = 0;
        looks(&r, 100, 0, false);
        CU_ASSERT_EQUAL(repeat_glanced_at(&r, of(1000), &unlike), -1);
        repeat_missed(&r);
        for (; repeat_wants(&r, false) == REPEAT_LOOK && n < 100; n++)
            repeat_looked_at(&r, found && n == 1, of(1000), found && n == 1 ? &unlike : &as_usual);
        CU_ASSERT_EQUAL(n, found ? 2 : 4);
    }
    free(r.look);
}

/* So many launches of which each `period`-th, or by chance one in so many, is of cluster 1, with
 * the same instructions: *n, and how many were counted to it. */
static int share(int launches, int period, bool by_chance, struct looks *n)
{
    struct repeat r = {.seen = 0};
    struct rng rng = rng_seed(7);
    int ones = 0;
    *n = (struct looks){0};
    for (int i = 0; i < launches; i++) {
        const bool one =
            by_chance ? rng_below(&rng, (uint64_t)period) == 0 : i % period == period - 1;
        ones += launched(&r, one, 1000, false, n);
    }
    free(r.look);
    return ones;
}

/* Instructions do not tell them apart, and looks are few nonetheless. */
static void kinds_that_nothing_tells_apart_are_shared_out(void)
{
    struct looks n;
    const int turns = share(100, 2, false, &n);
    CU_ASSERT_TRUE(turns > 30 && turns < 70);
    CU_ASSERT_TRUE(n.close == 2 && n.glances < 40);
    for (int period = 2; period <= 8; period *= 2)
        for (int by_chance = 0; by_chance < 2; by_chance++) {
            const double is = share(10000, period, by_chance, &n) / 1e4;
            CU_ASSERT_TRUE(is > 0.3 / period && is < 2.2 / period);
            CU_ASSERT_TRUE(n.close == 2 && n.glances < 100);
        }
}

/* However many kinds there are: not all are looked at. */
static void doubt_has_an_end(void)
{
    struct repeat r = {.seen = 0};
    struct looks n = {0};
    for (int i = 0; i < 3000; i++) {
        CU_ASSERT_TRUE(launched(&r, i % (2 * REPEAT_LOOKS), 1000, false, &n) >= 0);
        CU_ASSERT_TRUE(i >= 32 || n.none == 0);
    }
    CU_ASSERT_TRUE(n.none > 2800);
    free(r.look);
}

/* Those of one size, a factor of 1.19 wide, are the same. */
static void sizes_tell_what_nobody_looked_at(void)
{
    struct repeat r = {.seen = 100};
    for (int i = 0; i < 6; i++) {
        const struct memory_use few = use_of(i % 2);
        repeat_looked_at(&r, i % 2, of(i % 2 ? 2000 : 1000), &few);
    }
    CU_ASSERT_EQUAL(repeat_wants(&r, false), REPEAT_UNSEEN); /* they come as expected */
    CU_ASSERT_EQUAL(repeat_executed(&r, of(940), false), 0);
    CU_ASSERT_EQUAL(repeat_executed(&r, of(1116), false), 0);
    CU_ASSERT_EQUAL(repeat_executed(&r, of(1880), false), 1);
    CU_ASSERT_EQUAL(repeat_executed(&r, of(2232), false), 1);
    CU_ASSERT_EQUAL(repeat_wants(&r, false), REPEAT_UNSEEN);
    free(r.look);
}

/* Each tenth executes ten times as much. The first of them is missed; the second is not. */
static void what_was_missed_is_sought(void)
{
    struct repeat r = {.seen = 0};
    struct looks n = {0};
    for (int i = 1; i <= 1000; i++) {
        const int is = launched(&r, i % 10 == 0, i % 10 ? 1000 : 10000, false, &n);
        CU_ASSERT_EQUAL(is, i % 10 ? 0 : i >= 20 ? 1 : -1);
    }
    CU_ASSERT_TRUE(n.close + n.glances < 70);
    free(r.look);
}

/* ... until as many have come again. */
static void what_does_not_come_again_is_sought_no_longer(void)
{
    struct repeat r = {.seen = 99};
    looks(&r, 4, 0, false);
    r.seen++;
    CU_ASSERT_EQUAL(repeat_executed(&r, of(5000), false), -1);
    CU_ASSERT_EQUAL(looks(&r, 104, 0, false).glances, 104);
    const struct looks n = looks(&r, 100, 0, false);
    CU_ASSERT_TRUE(n.close == 0 && n.glances < 8);
    free(r.look);
}

/* Clusters beyond those that are kept take the place of the oldest, which has no later look. */
static void the_oldest_kind_goes(void)
{
    struct repeat r = {.seen = 100};
    for (int i = 0; i <= REPEAT_LOOKS; i++) {
        const struct memory_use few = use_of(i);
        repeat_looked_at(&r, i, of(1000u << i), &few);
    }
    CU_ASSERT_EQUAL(r.looks, REPEAT_LOOKS);
    CU_ASSERT_EQUAL(repeat_executed(&r, of(2000), false), 1);
    for (int i = 0; i < REPEAT_LOOKS; i++) {
        const struct memory_use few = use_of(2);
        CU_ASSERT_EQUAL(repeat_glanced_at(&r, of(4000), &few), 2);
    }
    CU_ASSERT_EQUAL(r.looks, REPEAT_LOOKS);
    CU_ASSERT_EQUAL(repeat_executed(&r, of(4000), false), 2);
    CU_ASSERT_EQUAL(repeat_executed(&r, of(1000u << REPEAT_LOOKS), false), REPEAT_LOOKS);
    CU_ASSERT_FALSE(r.seeks);
    CU_ASSERT_EQUAL(repeat_executed(&r, of(1000), true), 2); /* not known: as the last */
    CU_ASSERT_FALSE(r.seeks);
    CU_ASSERT_EQUAL(repeat_executed(&r, of(1000), false), -1);
    CU_ASSERT_TRUE(r.seeks && launch_size_same(&r.sought, of(1000)));
    free(r.look);
}

static void of_one_degree_one_look_is_enough(void)
{
    struct repeat r = {.seen = 0};
    const struct looks n = looks(&r, 1000, 0, true);
    CU_ASSERT_TRUE(n.close == 1 && n.glances == 0);
    r.missed = true; /* its memory was not kept: the next one is to be measured */
    CU_ASSERT_EQUAL(repeat_wants(&r, true), REPEAT_LOOK);
    free(r.look);
}

/* Sizes that grow are told apart, whatever clusters they are of; two kinds of the
 * same are not. */
static void kinds_of_the_same_size_are_mixed(void)
{
    struct repeat r = {.seen = 0};
    const struct memory_use one = use_of(1), other = use_of(2);
    for (int i = 0; i < 20; i++)
        repeat_looked_at(&r, i / 4, of(1000 + 50 * (uint64_t)i), &one);
    CU_ASSERT_FALSE(r.mixed);
    repeat_looked_at(&r, 5, of(9000), &other);
    CU_ASSERT_FALSE(r.mixed);
    repeat_looked_at(&r, 5, of(9100), &one);
    CU_ASSERT_TRUE(r.mixed);
    repeat_looked_at(&r, 0, of(1000), &one); /* and remain so */
    CU_ASSERT_TRUE(r.mixed);
    free(r.look);
}

SUITE("repeated launches", T(kinds_of_the_same_size_are_mixed),
      T(pointers_do_not_tell_launches_apart_and_scalars_do),
      T(what_the_kernel_does_not_read_tells_nothing_apart), T(many_sets_keep_their_counts),
      T(ever_fewer_of_those_alike_are_looked_at), T(what_is_unlike_is_looked_at_closely),
      T(what_was_not_looked_at_closely_is_looked_for),
      T(kinds_that_nothing_tells_apart_are_shared_out), T(doubt_has_an_end),
      T(sizes_tell_what_nobody_looked_at), T(what_was_missed_is_sought),
      T(what_does_not_come_again_is_sought_no_longer), T(the_oldest_kind_goes),
      T(of_one_degree_one_look_is_enough))
