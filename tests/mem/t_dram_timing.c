/* Every parameter holds its command back exactly as long as it says: too early at t - 1, allowed at
 * t. In each pair the parameter alone is long, all others are as short as they can be. */
#include "sim/mem/dram_timing.h"

#include "tests/mem/mem_fix.h"
#include "tests/suite.h"

#define LONG 40
#define NOW  1000

/* tWL and tRCD cannot both be 1 (tRCD > tWL); with these the derived shortest delays are:
 * RTW = CL + 1 + 2 - WL = 3, WTR = WL + 1 + CDLR = 3, WTP = WL + 1 + WR = 3, RCDWR = 0. */
static struct dram_cfg shortest(void)
{
    struct dram_cfg d = fix_cfg().dram;
    d.burst = 4; /* one cycle at four beats a cycle */
    d.tCCD = d.tRRD = d.tRAS = d.tRP = d.tRC = d.tCL = d.tWL = d.tCDLR = d.tWR = 1;
    d.tRCD = 2;
    d.tCCDL = d.tRTPL = 0;
    return d;
}

static const struct pair {
    const char *set; /* the long parameter */
    enum dram_cmd first, then;
    int bank, then_bank, delay;
} pairs[] = {
    {"dram.tCCD=40", DRAM_RD, DRAM_RD, 0, 15, LONG},
    {"dram.tCCD=40", DRAM_RD, DRAM_WR, 0, 15, LONG},
    {"dram.tCCD=40", DRAM_WR, DRAM_RD, 0, 15, LONG},
    {"dram.tCCD=40", DRAM_WR, DRAM_WR, 0, 15, LONG},
    {"dram.tCCDL=40", DRAM_RD, DRAM_RD, 0, 3, LONG},
    {"dram.tCCDL=40", DRAM_WR, DRAM_WR, 0, 3, LONG},
    {"dram.tCCDL=40", DRAM_RD, DRAM_RD, 0, 4, 1}, /* another group: tCCD alone */
    {"dram.tRRD=40", DRAM_ACT, DRAM_ACT, 0, 9, LONG},
    {"dram.tRCD=40", DRAM_ACT, DRAM_RD, 2, 2, LONG},
    {"dram.tRCD=40", DRAM_ACT, DRAM_WR, 2, 2, LONG - 2}, /* RCD - (WL + 1) */
    {"dram.tRAS=40", DRAM_ACT, DRAM_PRE, 2, 2, LONG},
    {"dram.tRP=40", DRAM_PRE, DRAM_ACT, 2, 2, LONG},
    {"dram.tRC=40", DRAM_ACT, DRAM_ACT, 2, 2, LONG},
    {"dram.tRTPL=40", DRAM_RD, DRAM_PRE, 0, 0, LONG},
    {"dram.tRTPL=40", DRAM_RD, DRAM_PRE, 0, 1, LONG}, /* the whole group */
    {"dram.burst=64", DRAM_RD, DRAM_PRE, 0, 0, 16},   /* 64 beats at 4 a cycle */
    {"dram.tCL=40", DRAM_RD, DRAM_WR, 0, 5, LONG + 1 + 2 - 1},
    {"dram.tCDLR=40", DRAM_WR, DRAM_RD, 0, 5, 1 + 1 + LONG},
    {"dram.tWR=40", DRAM_WR, DRAM_PRE, 0, 0, 1 + 1 + LONG},
};

static void each_parameter_holds_back_exactly_as_long_as_it_says(void)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct pair *p = &pairs[i];
        struct mem_cfg cfg = fix_cfg();
        cfg.dram = shortest();
        struct err e;
        CU_ASSERT_TRUE_FATAL(params_set(mem_cfg_groups, &cfg, p->set, &e));
        CU_ASSERT_TRUE_FATAL(mem_cfg_check(&cfg, &e));
        struct dram_timing t;
        dram_timing_init(&t, &cfg.dram);
        dram_issue(&t, p->first, p->bank, NOW);
        const cycle_t at = dram_earliest(&t, p->then, p->then_bank);
        CU_ASSERT_TRUE(at > NOW + (cycle_t)p->delay - 1); /* too early at t - 1 */
        CU_ASSERT_TRUE(at <= NOW + (cycle_t)p->delay);    /* allowed at t */
    }
}

/* tWL appears in three derived delays; checked with WL = 10 and RCD = 60. */
static void write_latency_moves_the_turn_of_the_bus(void)
{
    struct dram_cfg d = shortest();
    d.tWL = 10;
    d.tRCD = 60;
    d.tCL = 30;
    struct dram_timing t;
    dram_timing_init(&t, &d);
    dram_issue(&t, DRAM_WR, 0, NOW);
    CU_ASSERT_EQUAL(dram_earliest(&t, DRAM_RD, 9), NOW + 10 + 1 + 1);
    CU_ASSERT_EQUAL(dram_earliest(&t, DRAM_PRE, 0), NOW + 10 + 1 + 1);
    dram_timing_init(&t, &d);
    dram_issue(&t, DRAM_RD, 0, NOW);
    CU_ASSERT_EQUAL(dram_earliest(&t, DRAM_WR, 9), NOW + 30 + 1 + 2 - 10);
    dram_timing_init(&t, &d);
    dram_issue(&t, DRAM_ACT, 0, NOW);
    CU_ASSERT_EQUAL(dram_earliest(&t, DRAM_WR, 0), NOW + 60 - 11);
}

/* The derived figures of the reference machine. */
static void the_reference_derives_what_its_table_says(void)
{
    const struct mem_cfg cfg = fix_cfg();
    struct dram_timing t;
    dram_timing_init(&t, &cfg.dram);
    CU_ASSERT_EQUAL(t.rtw, 12);
    CU_ASSERT_EQUAL(t.wtr, 11);
    CU_ASSERT_EQUAL(t.wtp, 18);
    CU_ASSERT_EQUAL(t.rcdwr, 7);
    CU_ASSERT_EQUAL(t.burst, 2);
}

static void the_longest_of_several_delays_counts(void)
{
    const struct mem_cfg cfg = fix_cfg(); /* RAS 28, WTP 18, RCDWR 7 */
    struct dram_timing t;
    dram_timing_init(&t, &cfg.dram);
    dram_issue(&t, DRAM_ACT, 0, 0);
    dram_issue(&t, DRAM_WR, 0, 7);
    CU_ASSERT_EQUAL(dram_earliest(&t, DRAM_PRE, 0), 28);
    dram_issue(&t, DRAM_WR, 0, 20);
    CU_ASSERT_EQUAL(dram_earliest(&t, DRAM_PRE, 0), 38);
    dram_issue(&t, DRAM_PRE, 0, 38);
    CU_ASSERT_EQUAL(dram_earliest(&t, DRAM_ACT, 0), 50); /* RP 12, behind RC 40 */
}

SUITE("mem/dram_timing", T(each_parameter_holds_back_exactly_as_long_as_it_says),
      T(write_latency_moves_the_turn_of_the_bus), T(the_reference_derives_what_its_table_says),
      T(the_longest_of_several_delays_counts))
