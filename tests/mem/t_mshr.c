#include "sim/mem/mshr.h"

#include "base/rng.h"
#include "tests/suite.h"

static void requests_of_a_line_come_out_in_order(void)
{
    struct mshr *m = mshr_new(2, 3);
    struct mem_req r[3] = {0};
    const int e = mshr_add(m, 0x100, &r[0], 7);
    CU_ASSERT_EQUAL(mshr_find(m, 0x100), e);
    CU_ASSERT_EQUAL(mshr_find(m, 0x180), -1);
    CU_ASSERT_EQUAL(mshr_way(m, e), 7);
    mshr_merge(m, e, &r[1]);
    CU_ASSERT_TRUE(mshr_can_merge(m, e));
    mshr_merge(m, e, &r[2]);
    CU_ASSERT_FALSE(mshr_can_merge(m, e)); /* three, the first one included */
    CU_ASSERT_FALSE(mshr_ready(m));
    CU_ASSERT_PTR_NULL(mshr_next(m));
    mshr_fill(m, e);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_TRUE(mshr_ready(m));
        CU_ASSERT_EQUAL(mshr_find(m, 0x100), e); /* lives until the last one is taken */
        CU_ASSERT_PTR_EQUAL(mshr_next(m), &r[i]);
    }
    CU_ASSERT_EQUAL(mshr_find(m, 0x100), -1);
    CU_ASSERT_TRUE(mshr_empty(m));
    mshr_free(m);
}

static void lines_come_out_in_the_order_of_their_fills(void)
{
    struct mshr *m = mshr_new(2, 2);
    struct mem_req a = {0}, b = {0}, late = {0};
    const int ea = mshr_add(m, 0x100, &a, 0), eb = mshr_add(m, 0x200, &b, 1);
    CU_ASSERT_TRUE(mshr_full(m));
    mshr_fill(m, eb);
    mshr_fill(m, ea);
    mshr_merge(m, eb, &late); /* filled, and still open */
    CU_ASSERT_TRUE(mshr_filled(m, eb));
    CU_ASSERT_PTR_EQUAL(mshr_next(m), &b);
    CU_ASSERT_PTR_EQUAL(mshr_next(m), &late);
    CU_ASSERT_FALSE(mshr_full(m));
    CU_ASSERT_PTR_EQUAL(mshr_next(m), &a);
    mshr_free(m);
}

static void the_kinds_that_wait_are_known(void)
{
    struct mshr *m = mshr_new(1, 2);
    struct mem_req a = {.kind = REQ_GLOBAL_READ}, b = {.kind = REQ_ATOMIC};
    const int e = mshr_add(m, 0, &a, 0);
    CU_ASSERT_FALSE(mshr_has_kind(m, e, REQ_ATOMIC));
    mshr_merge(m, e, &b);
    CU_ASSERT_TRUE(mshr_has_kind(m, e, REQ_ATOMIC));
    CU_ASSERT_TRUE(mshr_has_kind(m, e, REQ_GLOBAL_READ));
    mshr_free(m);
}

/* Against a plain array, with lines that collide in the hash table. */
static void random_use_finds_what_an_array_finds(void)
{
    enum { ENTRIES = 9, LINES = 40 };
    struct mshr *m = mshr_new(ENTRIES, 1);
    static struct mem_req req[LINES];
    int entry[LINES], live = 0;
    struct rng rng = rng_seed(1);
    for (int i = 0; i < LINES; i++)
        entry[i] = -1;
    for (int step = 0; step < 20000; step++) {
        const int i = (int)rng_below(&rng, LINES);
        const addr_t line = (addr_t)i * 128;
        CU_ASSERT_EQUAL_FATAL(mshr_find(m, line), entry[i]);
        CU_ASSERT_EQUAL_FATAL(mshr_full(m), live == ENTRIES);
        if (entry[i] < 0 && live < ENTRIES) {
            entry[i] = mshr_add(m, line, &req[i], 0);
            live++;
        } else if (entry[i] >= 0) {
            mshr_fill(m, entry[i]);
            CU_ASSERT_PTR_EQUAL_FATAL(mshr_next(m), &req[i]);
            entry[i] = -1;
            live--;
        }
    }
    mshr_free(m);
}

SUITE("mem/mshr", T(requests_of_a_line_come_out_in_order),
      T(lines_come_out_in_the_order_of_their_fills), T(the_kinds_that_wait_are_known),
      T(random_use_finds_what_an_array_finds))
