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

SUITE("repeated launches", T(pointers_do_not_tell_launches_apart_and_scalars_do),
      T(what_the_kernel_does_not_read_tells_nothing_apart), T(many_sets_keep_their_counts))
