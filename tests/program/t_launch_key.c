/* Which launches are the same, with and without their pointers. */
#include "program/launch_key.h"

#include "tests/suite.h"

struct fix {
    struct devmem *m;
    struct kernel k;
    struct launch l;
    struct {
        uint64_t pointer;
        int32_t n, unread;
    } params;
};

static uint8_t reads[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static void begin(struct fix *f)
{
    *f = (struct fix){.m = devmem_new()};
    f->params.pointer = devmem_alloc(f->m, 100, "x");
    f->k = (struct kernel){.name = "k", .param_bytes = sizeof f->params, .param_read = reads};
    f->l = (struct launch){.kernel = &f->k,
                           .grid = {4, 1, 1},
                           .block = {32, 1, 1},
                           .params = (uint8_t *)&f->params,
                           .mem = f->m};
}

static bool same(const struct launch *a, const struct launch *b, enum launch_pointers p)
{
    struct launch_key x = launch_key_of(a, 1, p), y = launch_key_of(b, 1, p);
    const bool is = launch_key_same(&x, &y);
    CU_ASSERT_TRUE(x.hash != 0 && (!is || x.hash == y.hash));
    launch_key_fini(&x);
    launch_key_fini(&y);
    return is;
}

static void shape_and_arguments_tell_launches_apart(void)
{
    struct fix a, b;
    begin(&a);
    b = a;
    b.l.params = (uint8_t *)&b.params;
    CU_ASSERT_TRUE(same(&a.l, &b.l, POINTERS_COUNT));
    b.params.unread = 7;
    CU_ASSERT_TRUE(same(&a.l, &b.l, POINTERS_COUNT));
    b.params.n = 7;
    CU_ASSERT_FALSE(same(&a.l, &b.l, POINTERS_COUNT));
    CU_ASSERT_FALSE(same(&a.l, &b.l, POINTERS_DO_NOT));
    b.params.n = a.params.n;
    struct launch other[] = {b.l, b.l, b.l, b.l};
    other[0].grid[1] = 2;
    other[1].block[1] = 2;
    other[2].dyn_shared = 4;
    other[3].grid[0] = 2, other[3].grid[1] = 2; /* as many CTAs */
    for (int i = 0; i < 4; i++)
        CU_ASSERT_FALSE(same(&a.l, &other[i], POINTERS_DO_NOT));
    struct launch_key one = launch_key_of(&a.l, 1, POINTERS_COUNT),
                      two = launch_key_of(&a.l, 2, POINTERS_COUNT);
    CU_ASSERT_FALSE(launch_key_same(&one, &two));
    launch_key_fini(&one);
    launch_key_fini(&two);
    devmem_free(a.m);
}

static void pointers_count_where_memory_does(void)
{
    struct fix a, b;
    begin(&a);
    b = a;
    b.l.params = (uint8_t *)&b.params;
    b.params.pointer = devmem_alloc(a.m, 100, "y") + 8;
    CU_ASSERT_FALSE(same(&a.l, &b.l, POINTERS_COUNT));
    CU_ASSERT_TRUE(same(&a.l, &b.l, POINTERS_DO_NOT));
    b.params.pointer = 12; /* no allocation: a number */
    CU_ASSERT_FALSE(same(&a.l, &b.l, POINTERS_DO_NOT));
    devmem_free(a.m);
}

SUITE("launch keys", T(shape_and_arguments_tell_launches_apart),
      T(pointers_count_where_memory_does))
