#include "sampler/footprint.h"
#include "tests/suite.h"

static struct inst load = {.op = OP_LD};

/* One load: lane i reads 4 bytes at base + i * stride. */
static struct step stepped(addr_t base, int stride, lanes_t active)
{
    struct step s = {.inst = &load, .active = active, .space = SP_GLOBAL, .bytes = 4};
    s.is_load = true;
    for (int i = 0; i < WARP_SIZE; i++)
        s.addr[i] = base + (addr_t)(i * stride);
    return s;
}

static void expect(struct footprint *f, uint64_t distinct, uint64_t reused)
{
    uint64_t d, r;
    footprint_count(f, &d, &r);
    CU_ASSERT_EQUAL(d, distinct);
    CU_ASSERT_EQUAL(r, reused);
    footprint_fini(f);
}

static void lanes_of_one_line_are_one_request(void)
{
    struct footprint f = {.line_bytes = 128};
    struct step s = stepped(0x1000, 4, LANES_ALL);
    footprint_step(&f, &s);
    expect(&f, 1, 0);
}

static void second_request_makes_a_line_reused(void)
{
    struct footprint f = {.line_bytes = 128};
    struct step a = stepped(0x1000, 128, LANES_ALL), b = stepped(0x1000, 128, 0x3);
    footprint_step(&f, &a);
    footprint_step(&f, &b);
    footprint_step(&f, &b);
    expect(&f, 32, 2);
}

static void only_loads_through_l1d_count(void)
{
    struct footprint f = {.line_bytes = 128};
    struct inst cg = load, vol = load;
    cg.cache = CACHE_CG;
    vol.flags = INST_VOLATILE;
    struct step s[5];
    for (int i = 0; i < 5; i++)
        s[i] = stepped(0x1000, 4, LANES_ALL);
    s[0].is_load = false;
    s[1].is_atomic = true;
    s[2].space = SP_SHARED;
    s[3].inst = &cg;
    s[4].inst = &vol;
    for (int i = 0; i < 5; i++)
        footprint_step(&f, &s[i]);
    expect(&f, 0, 0);
}

static void inactive_lanes_touch_nothing(void)
{
    struct footprint f = {.line_bytes = 128};
    struct step s = stepped(0x1000, 128, 0);
    footprint_step(&f, &s);
    expect(&f, 0, 0);
}

SUITE("footprint", T(lanes_of_one_line_are_one_request), T(second_request_makes_a_line_reused),
      T(only_loads_through_l1d_count), T(inactive_lanes_touch_nothing))
