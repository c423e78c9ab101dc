/* Which launches count as the same. */
#include "program/repeat.h"

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
    *f = (struct fix){.m = devmem_new(), .r = repeats_new()};
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

/* So many of `launches` that are executed, all of one cluster, are looked at. */
static int looks(struct repeat *r, int launches, int cluster, bool one_degree)
{
    int n = 0;
    for (int i = 0; i < launches; i++) {
        r->seen++;
        if (repeat_wants_look(r, one_degree)) {
            repeat_looked_at(r, cluster, 1000);
            n++;
        } else {
            CU_ASSERT_EQUAL(repeat_executed(r, 1000, one_degree), cluster);
        }
    }
    return n;
}

static void ever_fewer_of_those_alike_are_looked_at(void)
{
    struct repeat r = {.seen = 0};
    CU_ASSERT_EQUAL(looks(&r, 4, 0, false), 4);
    CU_ASSERT_EQUAL(looks(&r, 1, 0, false), 0); /* the fifth */
    const int more = looks(&r, 10000, 0, false);
    CU_ASSERT_TRUE(more > 20 && more < 40);
    const uint64_t seen = r.seen;
    int wait = 1; /* no more than half as many pass without */
    while (r.seen++, !repeat_wants_look(&r, false))
        wait++;
    CU_ASSERT_TRUE(wait <= (int)(seen / 2) + 1);
}

static void what_is_unlike_is_looked_at_until_it_is_not(void)
{
    struct repeat r = {.seen = 0};
    looks(&r, 100, 0, false);
    while (!repeat_wants_look(&r, false))
        r.seen++;
    CU_ASSERT_EQUAL(looks(&r, 4, 1, false), 4); /* another cluster, with the same instructions */
    CU_ASSERT_EQUAL(looks(&r, 1, 1, false), 0);
    CU_ASSERT_EQUAL(repeat_executed(&r, 1000, false), 1); /* as the last that was looked at */
    struct repeat by_turns = {.seen = 0};
    for (int i = 0; i < 50; i++)
        CU_ASSERT_EQUAL(looks(&by_turns, 1, i % 3, false), 1);
}

/* Within a fifth they are the same. */
static void instructions_tell_what_nobody_looked_at(void)
{
    struct repeat r = {.seen = 100};
    for (int i = 0; i < 6; i++)
        repeat_looked_at(&r, i % 2, i % 2 ? 2000 : 1000);
    CU_ASSERT_FALSE(repeat_wants_look(&r, false)); /* they come as expected */
    CU_ASSERT_EQUAL(repeat_executed(&r, 801, false), 0);
    CU_ASSERT_EQUAL(repeat_executed(&r, 1249, false), 0);
    CU_ASSERT_EQUAL(repeat_executed(&r, 1601, false), 1);
    CU_ASSERT_EQUAL(repeat_executed(&r, 2499, false), 1);
    CU_ASSERT_FALSE(repeat_wants_look(&r, false));
}

/* Each tenth executes ten times as much. The first of them is missed; the second is not. */
static void what_was_missed_is_sought(void)
{
    struct repeat r = {.seen = 0};
    int looked = 0, rare = 0;
    for (int i = 1; i <= 1000; i++) {
        const uint64_t insts = i % 10 ? 1000 : 10000;
        r.seen++;
        if (repeat_wants_look(&r, false)) {
            repeat_looked_at(&r, i % 10 ? 0 : 1, insts);
            rare += i % 10 == 0;
            looked++;
        } else {
            const int is = repeat_executed(&r, insts, false);
            CU_ASSERT_EQUAL(is, i % 10 ? 0 : i > 20 ? 1 : -1);
        }
        CU_ASSERT_EQUAL(rare > 0, i >= 20);
    }
    CU_ASSERT_TRUE(looked < 60);
}

/* ... until as many have come again. */
static void what_does_not_come_again_is_sought_no_longer(void)
{
    struct repeat r = {.seen = 99};
    for (int i = 0; i < 4; i++)
        repeat_looked_at(&r, 0, 1000);
    r.seen++;
    CU_ASSERT_FALSE(repeat_wants_look(&r, false));
    repeat_executed(&r, 5000, false);
    CU_ASSERT_EQUAL(looks(&r, 100, 0, false), 100);
    CU_ASSERT_TRUE(looks(&r, 100, 0, false) < 6);
}

/* Clusters beyond those that are kept take the place of the oldest. */
static void the_oldest_kind_goes(void)
{
    struct repeat r = {.seen = 100};
    for (int i = 0; i <= REPEAT_KINDS; i++)
        repeat_looked_at(&r, i, 1000u << i);
    CU_ASSERT_EQUAL(r.kinds, REPEAT_KINDS);
    CU_ASSERT_EQUAL(repeat_executed(&r, 2000, false), 1);
    CU_ASSERT_EQUAL(r.sought, 0);
    CU_ASSERT_EQUAL(repeat_executed(&r, 1000, true), REPEAT_KINDS); /* not known: as the last */
    CU_ASSERT_EQUAL(r.sought, 0);
    CU_ASSERT_EQUAL(repeat_executed(&r, 1000, false), -1);
    CU_ASSERT_EQUAL(r.sought, 1000);
}

static void of_one_degree_one_look_is_enough(void)
{
    struct repeat r = {.seen = 0};
    CU_ASSERT_EQUAL(looks(&r, 1000, 0, true), 1);
    r.missed = true; /* its memory was not kept: the next one is to be measured */
    CU_ASSERT_TRUE(repeat_wants_look(&r, true));
}

SUITE("repeated launches", T(pointers_do_not_tell_launches_apart_and_scalars_do),
      T(what_the_kernel_does_not_read_tells_nothing_apart), T(many_sets_keep_their_counts),
      T(ever_fewer_of_those_alike_are_looked_at), T(what_is_unlike_is_looked_at_until_it_is_not),
      T(instructions_tell_what_nobody_looked_at), T(what_was_missed_is_sought),
      T(what_does_not_come_again_is_sought_no_longer), T(the_oldest_kind_goes),
      T(of_one_degree_one_look_is_enough))
