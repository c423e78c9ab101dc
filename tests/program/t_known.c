/* Which launches need not be executed, and that memory is then as if they had been. The kernel of
 * these tests adds one number to another, in C, and tells memory what it uses. */
#include "program/known.h"

#include <string.h>

#include "tests/suite.h"

#define INSTS \
    1000 /* that a launch says it executed: copies of 64,000 bytes are worth their while */

struct fix {
    struct devmem *m;
    struct kernel k;
    struct launch l;
    struct {
        addr_t to, from;
        uint64_t in_place; /* to[0] += from[0], else to[0] = 2 * from[0] */
    } params;
    struct known *known;
    int executed;
};

static void begin(struct fix *f)
{
    *f = (struct fix){.m = devmem_new(), .known = known_new()};
    f->k = (struct kernel){.name = "k", .param_bytes = sizeof f->params};
    f->l = (struct launch){.kernel = &f->k,
                           .grid = {4, 1, 1},
                           .block = {32, 1, 1},
                           .params = (uint8_t *)&f->params,
                           .mem = f->m};
}

static void end(struct fix *f)
{
    known_free(f->known);
    devmem_free(f->m);
}

static int *at(struct fix *f, addr_t a)
{
    return (int *)devmem_find(f->m, a, sizeof(int))->host;
}

static void execute(struct fix *f)
{
    const struct alloc *to = devmem_find(f->m, f->params.to, sizeof(int)),
                       *from = devmem_find(f->m, f->params.from, sizeof(int));
    devmem_use(f->m, from, ALLOC_READ);
    devmem_use(f->m, to, ALLOC_WRITTEN | (f->params.in_place ? ALLOC_READ : 0));
    const int x = *at(f, f->params.from);
    *at(f, f->params.to) = f->params.in_place ? *at(f, f->params.to) + x : 2 * x;
    f->executed++;
}

/* As detail.c does it. False: it had to be executed. */
static bool launch(struct fix *f, addr_t to, addr_t from, bool in_place)
{
    f->params.to = to;
    f->params.from = from;
    f->params.in_place = in_place;
    const struct known_launch c = {.counts.warp_insts = INSTS, .cluster = 3},
                              *before = known_apply(f->known, &f->l);
    if (before) {
        CU_ASSERT_EQUAL(before->counts.warp_insts, INSTS);
        CU_ASSERT_EQUAL(before->cluster, 3);
        return true;
    }
    known_begin(f->known, &f->l);
    execute(f);
    known_learn(f->known, &f->l, &c);
    return false;
}

static void put(struct fix *f, addr_t a, int value)
{
    CU_ASSERT_TRUE(devmem_write(f->m, a, &value, sizeof value));
}

/* Two buffers, one of which is read and one written; then everything that may happen between two
 * launches, and whether the second one is known and what it leaves. */
static void results_that_lie_in_place_are_left_there(void)
{
    static const struct {
        const char *what;
        bool known;
        int result;
    } cases[] = {{"nothing", true, 6},
                 {"read by the host", true, 6},
                 {"the same written", true, 6},
                 {"other input", false, 10},
                 {"filled output", false, 6},
                 {"new epoch", false, 6},
                 {"written in a share", true, 6},
                 {"another launch wrote the input", false, 14},
                 {"another launch read it", true, 6},
                 {"freed and allocated", false, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fix f;
        begin(&f);
        addr_t a = devmem_alloc(f.m, 64, "a"), b = devmem_alloc(f.m, 64, "b"), x = 0;
        int got;
        put(&f, a, 3);
        CU_ASSERT_FALSE(launch(&f, b, a, false));
        const char *what = cases[i].what;
        if (!strcmp(what, "read by the host"))
            CU_ASSERT_TRUE(devmem_read(f.m, b, &got, sizeof got));
        if (!strcmp(what, "the same written"))
            put(&f, a, 3);
        if (!strcmp(what, "other input"))
            put(&f, a, 5);
        if (!strcmp(what, "filled output"))
            devmem_fill(f.m, b, 0, 64);
        if (!strcmp(what, "new epoch"))
            devmem_new_epoch(f.m);
        if (!strcmp(what, "written in a share")) {
            struct devmem *s = devmem_share(f.m);
            devmem_fill(s, a, 9, 64);
            devmem_free(s);
        }
        if (!strncmp(what, "another", 7)) {
            x = devmem_alloc(f.m, 64, "x");
            put(&f, x, 7);
            const bool writes = strstr(what, "wrote");
            /* a = 2 * 7 and so b = 28; or x = 2 * 3 */
            CU_ASSERT_FALSE(launch(&f, writes ? a : x, writes ? x : a, false));
        }
        if (!strcmp(what, "freed and allocated")) {
            devmem_release(f.m, b);
            CU_ASSERT_EQUAL(devmem_alloc(f.m, 64, "b"), b);
        }
        CU_ASSERT_EQUAL(launch(&f, b, a, false), cases[i].known);
        const bool wrote = !strcmp(what, "another launch wrote the input");
        CU_ASSERT_EQUAL(*at(&f, b), wrote ? 28 : cases[i].result);
        end(&f);
    }
}

/* b = 2 * a; b += c; what a benchmark's loop does. b is 0, then 10 at the start of an iteration;
 * copies are kept from the second launch on. So the third iteration knows the second one's first
 * launch only if 10 as left by the second iteration is the 10 that the first one left. */
static void a_sequence_that_comes_again_is_known(void)
{
    struct fix f;
    begin(&f);
    const addr_t a = devmem_alloc(f.m, 64, "a"), b = devmem_alloc(f.m, 64, "b"),
                 c = devmem_alloc(f.m, 64, "c");
    put(&f, a, 3);
    put(&f, c, 4);
    for (int i = 0; i < 20; i++) {
        launch(&f, b, a, false);
        CU_ASSERT_EQUAL(*at(&f, b), 6);
        launch(&f, b, c, true);
        CU_ASSERT_EQUAL(*at(&f, b), 10);
    }
    CU_ASSERT_EQUAL(f.executed, 4);
    put(&f, c, 5);
    CU_ASSERT_TRUE(launch(&f, b, a, false));
    CU_ASSERT_FALSE(launch(&f, b, c, true));
    CU_ASSERT_EQUAL(*at(&f, b), 11);
    put(&f, c, 4);                            /* as it was: found by its bytes, */
    CU_ASSERT_FALSE(launch(&f, b, a, false)); /* while nobody has come from 11 before */
    CU_ASSERT_TRUE(launch(&f, b, c, true));
    CU_ASSERT_EQUAL(*at(&f, b), 10);
    end(&f);
}

/* The host puts the input back every time, which the kernel changes in place: 1 + 4. */
static void input_that_is_copied_anew_is_found_again(void)
{
    struct fix f;
    begin(&f);
    const addr_t b = devmem_alloc(f.m, 64, "b"), c = devmem_alloc(f.m, 64, "c");
    put(&f, c, 4);
    for (int i = 0; i < 20; i++) {
        put(&f, b, 1);
        CU_ASSERT_EQUAL(launch(&f, b, c, true), i >= 2);
        CU_ASSERT_EQUAL(*at(&f, b), 5);
    }
    put(&f, b, 2);
    CU_ASSERT_FALSE(launch(&f, b, c, true));
    CU_ASSERT_EQUAL(*at(&f, b), 6);
    put(&f, b, 1);
    CU_ASSERT_TRUE(launch(&f, b, c, true));
    CU_ASSERT_EQUAL(*at(&f, b), 5);
    end(&f);
}

/* Numbers that are never the same again: all are executed, and right. */
static void what_always_changes_is_executed(void)
{
    struct fix f;
    begin(&f);
    const addr_t b = devmem_alloc(f.m, 64, "b"), c = devmem_alloc(f.m, 64, "c");
    put(&f, c, 4);
    for (int i = 1; i <= 100; i++) {
        CU_ASSERT_FALSE(launch(&f, b, c, true));
        CU_ASSERT_EQUAL(*at(&f, b), 4 * i);
    }
    end(&f);
}

/* 64,001 bytes of copies are more than a launch of 1,000 warp instructions is worth. */
static void large_memory_is_not_copied_for_small_launches(void)
{
    for (uint64_t bytes = 64000 / 3; bytes < 70000; bytes += 64001 - 64000 / 3) {
        struct fix f;
        begin(&f);
        const addr_t b = devmem_alloc(f.m, bytes, "b"), c = devmem_alloc(f.m, 4, "c");
        put(&f, c, 4);
        for (int i = 0; i < 5; i++) {
            put(&f, b, 1);
            launch(&f, b, c, true);
            CU_ASSERT_EQUAL(*at(&f, b), 5);
        }
        CU_ASSERT_EQUAL(f.executed, bytes < 64000 ? 2 : 5);
        end(&f);
    }
}

static void what_has_other_effects_is_executed(void)
{
    struct fix f;
    begin(&f);
    int host[4] = {1};
    const addr_t b = devmem_alloc(f.m, 64, "b"), pinned = 0x7f0000000000;
    CU_ASSERT_TRUE(devmem_map(f.m, pinned, sizeof host, host, "pinned"));
    for (int i = 0; i < 5; i++) {
        CU_ASSERT_FALSE(launch(&f, b, pinned, false));
        CU_ASSERT_FALSE(launch(&f, pinned, b, false));
    }
    CU_ASSERT_EQUAL(host[0], 1024); /* twice twice, five times */
    const addr_t c = devmem_alloc(f.m, 64, "c");
    for (int i = 0; i < 5; i++) {
        devmem_note_effect(f.m); /* it prints */
        CU_ASSERT_FALSE(launch(&f, b, c, false));
    }
    end(&f);
}

/* Copies are kept of a launch that has come before, however many others have come in between. */
static void no_launch_makes_another_ones_habits_forgotten(void)
{
    enum { MANY = 200 };
    struct fix f;
    begin(&f);
    addr_t b[MANY];
    const addr_t c = devmem_alloc(f.m, 64, "c");
    put(&f, c, 4);
    for (int i = 0; i < MANY; i++)
        b[i] = devmem_alloc(f.m, 256 * (1 + (uint64_t)i * 7 % 13), "b");
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < MANY; i++) {
            put(&f, b[i], 1);
            CU_ASSERT_EQUAL(launch(&f, b[i], c, true), round == 2);
            CU_ASSERT_EQUAL(*at(&f, b[i]), 5);
        }
    end(&f);
}

SUITE("known launches", T(results_that_lie_in_place_are_left_there),
      T(a_sequence_that_comes_again_is_known), T(input_that_is_copied_anew_is_found_again),
      T(what_always_changes_is_executed), T(large_memory_is_not_copied_for_small_launches),
      T(what_has_other_effects_is_executed), T(no_launch_makes_another_ones_habits_forgotten))
