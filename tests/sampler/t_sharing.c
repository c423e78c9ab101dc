#include "sampler/window/sharing.h"
#include "tests/func/ptxrun.h"

static void a_core_gets_every_cores_th_cta(void)
{
    uint64_t cta;
    static const struct {
        uint64_t cta, cores, grid;
        bool found;
        uint64_t is;
    } row[] = {{2, 15, 100, true, 17}, {90, 15, 100, true, 75}, {80, 15, 100, true, 95},
               {3, 15, 15, false, 0},  {3, 15, 18, false, 0},   {3, 15, 19, true, 18},
               {0, 1, 1, false, 0},    {0, 1, 3, true, 1},      {2, 1, 3, true, 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const bool found = sharing_neighbour(row[i].cta, row[i].cores, row[i].grid, &cta);
        CU_ASSERT_EQUAL(found, row[i].found);
        if (found)
            CU_ASSERT_EQUAL(cta, row[i].is);
    }
}

/* CTA c loads four lines, from line c on: CTAs c and c + 1 have three of them in common, c and
 * c + 2 two, c and c + 4 none. Each of its 32 threads reads 16 bytes. */
#define FOUR_LINES                                                            \
    "mov.u32 %r2, %ctaid.x; shl.b32 %r2, %r2, 7; shl.b32 %r3, %r1, 4;"        \
    "add.u32 %r2, %r2, %r3; cvt.u64.u32 %rd5, %r2; add.s64 %rd5, %rd2, %rd5;" \
    "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd5]; st.global.u32 [%rd3], %r4;"

static struct sharing measured(uint64_t cta, int grid, int cores, uint64_t limit)
{
    struct ptxrun r;
    struct gpu_cfg cfg;
    struct line_set own = {0};
    gpu_cfg_default(&cfg);
    cfg.top.cores = cores;
    ptxrun_open(&r, HEADER KERNEL(FOUR_LINES), 32, 8192);
    r.l.grid[0] = grid;
    for (uint64_t i = 0; i < 4; i++)
        sharing_add(&own, r.in / 128 + cta + i);
    struct sharing s = {.cfg = &cfg, .cta = cta, .own = &own, .max_warp_insts = limit};
    CU_ASSERT_EQUAL(r.in % 128, 0);
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
    sharing_measure(&s, &r.l);
    line_set_fini(&own);
    ptxrun_close(&r);
    return s;
}

/* Of 5 CTAs on 2 cores: the core of CTA 0 gets 2 next: lines 0-3, 2-5; that of CTA 4 got 2 before.
 * With one core it is CTA 1. */
static void lines_in_common_with_the_next_of_the_core(void)
{
    const struct sharing s = measured(0, 5, 2, 1000);
    CU_ASSERT_EQUAL(s.core, 2 / 4.0);
    CU_ASSERT_EQUAL(s.warp_insts, 5 + 8 + 1); /* of CTA 2 */
    CU_ASSERT_EQUAL(measured(4, 5, 2, 1000).core, 2 / 4.0);
    CU_ASSERT_EQUAL(measured(0, 5, 1, 1000).core, 3 / 4.0);
    CU_ASSERT_EQUAL(measured(0, 5, 4, 1000).core, 0); /* CTA 4 */
}

static void a_lone_cta_shares_with_nobody(void)
{
    const struct sharing s = measured(0, 4, 4, 1000);
    CU_ASSERT_EQUAL(s.core, 0);
    CU_ASSERT_EQUAL(s.warp_insts, 0);
}

/* 5 of the head, 6 up to the address: after 12 the load has been made, after 11 it has not. */
static void a_neighbour_is_followed_up_to_the_limit(void)
{
    CU_ASSERT_EQUAL(measured(0, 2, 1, 12).core, 3 / 4.0);
    CU_ASSERT_EQUAL(measured(0, 2, 1, 11).core, 0);
}

SUITE("sharing", T(a_core_gets_every_cores_th_cta), T(lines_in_common_with_the_next_of_the_core),
      T(a_lone_cta_shares_with_nobody), T(a_neighbour_is_followed_up_to_the_limit))
