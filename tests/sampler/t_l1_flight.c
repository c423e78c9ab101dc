/* One set of two lines of 128 bytes, a miss every 10 cycles that takes 100. */
#include "sampler/window/l1_flight.h"

#include "tests/suite.h"

enum { A = 0, B = 128, C = 256 };

static struct l1_flight cache(int mshrs)
{
    struct l1_flight c;
    const struct cache_cfg cfg = {.size = 256, .line = 128, .ways = 2, .mshrs = mshrs};
    l1_flight_init(&c, &cfg, &(struct memory_share){.latency = 100, .each = 10});
    return c;
}

/* When the data of a load at `now` is there; *missed is what it adds. */
static double load(struct l1_flight *c, addr_t line, double now, double *missed)
{
    *missed = 0;
    return l1_flight_load(c, line, &now, missed);
}

static void a_line_comes_once(void)
{
    struct l1_flight c = cache(4);
    double missed;
    CU_ASSERT_EQUAL(load(&c, A, 5, &missed), 115);
    CU_ASSERT_EQUAL(missed, 1);
    CU_ASSERT_EQUAL(load(&c, A, 50, &missed), 115); /* on its way */
    CU_ASSERT_EQUAL(missed, 0);
    CU_ASSERT_EQUAL(load(&c, A, 200, &missed), 201);
    CU_ASSERT_EQUAL(missed, 0);
    l1_flight_fini(&c);
}

static void lines_come_one_after_another(void)
{
    struct l1_flight c = cache(4);
    double missed;
    CU_ASSERT_EQUAL(load(&c, A, 0, &missed), 110);
    CU_ASSERT_EQUAL(load(&c, B, 1, &missed), 120);
    l1_flight_fini(&c);
}

/* What is used longest ago leaves, and nothing that is on its way: then the load waits. */
static void a_load_waits_for_a_way(void)
{
    struct l1_flight c = cache(4);
    double missed, now = 2;
    load(&c, A, 0, &missed);
    load(&c, B, 1, &missed);
    missed = 0;
    CU_ASSERT_EQUAL(l1_flight_load(&c, C, &now, &missed), 220);
    CU_ASSERT_EQUAL(now, 110); /* A is there */
    CU_ASSERT_EQUAL(missed, 1);
    CU_ASSERT_EQUAL(load(&c, B, 300, &missed), 301);
    CU_ASSERT_EQUAL(load(&c, A, 301, &missed), 411); /* in place of C */
    CU_ASSERT_EQUAL(load(&c, B, 500, &missed), 501);
    l1_flight_fini(&c);
}

static void a_load_waits_for_an_mshr(void)
{
    struct l1_flight c = cache(1);
    double missed, now = 2;
    load(&c, A, 0, &missed);
    CU_ASSERT_EQUAL(l1_flight_load(&c, B, &now, &missed), 220);
    CU_ASSERT_EQUAL(now, 110);
    l1_flight_fini(&c);
}

static void a_store_takes_a_line_away(void)
{
    struct l1_flight c = cache(4);
    double missed;
    load(&c, A, 0, &missed);
    l1_flight_store(&c, A, 50, false); /* on its way: stays */
    CU_ASSERT_EQUAL(load(&c, A, 200, &missed), 201);
    l1_flight_store(&c, A, 210, true); /* of local memory */
    CU_ASSERT_EQUAL(load(&c, A, 220, &missed), 221);
    l1_flight_store(&c, A, 230, false);
    CU_ASSERT_EQUAL(load(&c, A, 240, &missed), 350);
    CU_ASSERT_EQUAL(missed, 1);
    l1_flight_fini(&c);
}

SUITE("l1_flight", T(a_line_comes_once), T(lines_come_one_after_another), T(a_load_waits_for_a_way),
      T(a_load_waits_for_an_mshr), T(a_store_takes_a_line_away))
