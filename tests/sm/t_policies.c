/* The pure parts of the core: bank conflicts, occupancy, warp scheduler policies, sets of lines. */
#include "sim/gpu/gpu_cfg.h"
#include "sim/sm/line_set.h"
#include "sim/sm/occupancy.h"
#include "sim/sm/sched/scheduler_name.h"
#include "sim/sm/sched/warp_scheduler.h"
#include "sim/sm/shared_banks.h"
#include "tests/suite.h"

#include <string.h>

static void stride(addr_t *a, addr_t step)
{
    for (int i = 0; i < WARP_SIZE; i++)
        a[i] = step * (addr_t)i;
}

static void bank_conflicts_follow_the_stride(void)
{
    addr_t a[WARP_SIZE];
    const struct {
        addr_t step;
        int banks32, banks16x2;
    } row[] = {{0, 1, 2},   {4, 1, 2},    {8, 2, 4},     {12, 1, 2}, {16, 4, 8},
               {32, 8, 16}, {64, 16, 32}, {128, 32, 32}, {132, 1, 2}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        stride(a, row[i].step);
        CU_ASSERT_EQUAL(shared_cycles(a, LANES_ALL, 4, 32, 1), row[i].banks32);
        CU_ASSERT_EQUAL(shared_cycles(a, LANES_ALL, 4, 16, 2), row[i].banks16x2);
    }
}

static void same_word_is_broadcast_whatever_its_bytes(void)
{
    addr_t a[WARP_SIZE];
    for (int i = 0; i < WARP_SIZE; i++)
        a[i] = (addr_t)(i % 4);
    CU_ASSERT_EQUAL(shared_cycles(a, LANES_ALL, 1, 32, 1), 1);
    for (int i = 0; i < WARP_SIZE; i++) /* two words of one bank, each read by half of the lanes */
        a[i] = (addr_t)(i % 2) * 128;
    CU_ASSERT_EQUAL(shared_cycles(a, LANES_ALL, 4, 32, 1), 2);
    CU_ASSERT_EQUAL(shared_cycles(a, 0x55555555, 4, 32, 1), 1);
    CU_ASSERT_EQUAL(shared_cycles(a, 0, 4, 32, 1), 1);
}

static void wide_shared_data_takes_all_its_words(void)
{
    addr_t a[WARP_SIZE];
    stride(a, 8);
    CU_ASSERT_EQUAL(shared_cycles(a, LANES_ALL, 8, 32, 1), 2);
    stride(a, 16);
    CU_ASSERT_EQUAL(shared_cycles(a, LANES_ALL, 16, 32, 1), 4);
}

static struct sm_cfg gtx480(void)
{
    return (struct sm_cfg){.max_ctas = 8,
                           .max_threads = 1536,
                           .registers = 32768,
                           .register_granularity = 4,
                           .warp_granularity = 1,
                           .shared_bytes = 49152,
                           .shared_granularity = 1};
}

/* 256 threads of 16 registers are 8 warps of 512: 64 warps fit, 8 CTAs; 49152 / 1296 is 37. */
static void every_limit_alone(void)
{
    const struct sm_cfg c = gtx480();
    int fit[OCC_LIMITS];
    occupancy_fits(&c, 256, 16, 1296, fit);
    CU_ASSERT_EQUAL(fit[OCC_SLOTS], 8);
    CU_ASSERT_EQUAL(fit[OCC_THREADS], 6);
    CU_ASSERT_EQUAL(fit[OCC_REGISTERS], 8);
    CU_ASSERT_EQUAL(fit[OCC_SHARED], 37);
    occupancy_fits(&c, 256, 0, 0, fit);
    CU_ASSERT_EQUAL(fit[OCC_REGISTERS], INT32_MAX);
    CU_ASSERT_EQUAL(fit[OCC_SHARED], INT32_MAX);
}

static void occupancy_names_the_tightest_limit(void)
{
    const struct sm_cfg c = gtx480();
    enum occ_limit why;
    CU_ASSERT_EQUAL(occupancy(&c, 64, 12, 0, &why), 8);
    CU_ASSERT_EQUAL(why, OCC_SLOTS);
    CU_ASSERT_EQUAL(occupancy(&c, 256, 16, 1296, &why), 6);
    CU_ASSERT_EQUAL(why, OCC_THREADS);
    CU_ASSERT_EQUAL(occupancy(&c, 65, 61, 0, &why), 5); /* 96 threads x 64 registers */
    CU_ASSERT_EQUAL(why, OCC_REGISTERS);
    CU_ASSERT_EQUAL(occupancy(&c, 64, 12, 20000, &why), 2);
    CU_ASSERT_EQUAL(why, OCC_SHARED);
    CU_ASSERT_EQUAL(occupancy(&c, 64, 12, 50000, &why), 0);
    CU_ASSERT_EQUAL(occupancy(&c, 2048, 1, 0, &why), 0);
    CU_ASSERT_EQUAL(why, OCC_THREADS);
}

/* A core of compute capability 7.5, as NVIDIA's occupancy calculator has it: 65536 registers given
 * out by 256 a warp, 4 warps at a time; 64 KB of shared memory by 256 bytes; 1024 threads, 16 CTAs.
 */
static void occupancy_is_that_of_nvidias_calculator(void)
{
    const struct sm_cfg c = {.max_ctas = 16,
                             .max_threads = 1024,
                             .registers = 65536,
                             .register_granularity = 8,
                             .warp_granularity = 4,
                             .shared_bytes = 65536,
                             .shared_granularity = 256};
    static const struct {
        int threads, regs, shared, ctas;
    } rows[] = {
        {256, 32, 0, 4},                      /* 32 warps */
        {96, 40, 0, 10},    {224, 96, 0, 2},  /* 3072 a warp: 21 warps, 20 in fours, 7 a CTA */
        {224, 89, 0, 2},                      /* the same */
        {224, 88, 0, 2},                      /* 2816: 23, 20 */
        {224, 80, 0, 3},                      /* 2560: 25, 24 */
        {32, 255, 0, 8},                      /* 8192: 8 warps */
        {1024, 64, 0, 1},   {1024, 65, 0, 0}, /* 72 x 1024 */
        {64, 16, 5000, 12},                   /* 5120 each */
        {64, 16, 4097, 15},                   /* 4352 each */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(occupancy(&c, rows[i].threads, rows[i].regs, rows[i].shared, NULL),
                        rows[i].ctas);
    /* From 8.0 on each CTA takes 1 KB for the system, also one that uses none. */
    struct sm_cfg later = c;
    later.shared_reserved = 1024;
    CU_ASSERT_EQUAL(occupancy(&later, 64, 16, 5000, NULL), 10); /* 6144 each */
    CU_ASSERT_EQUAL(occupancy(&later, 32, 16, 0, NULL), 16);
    later.shared_bytes = 8192;
    CU_ASSERT_EQUAL(occupancy(&later, 32, 16, 0, NULL), 8);
}

static void gto_is_greedy_then_oldest(void)
{
    const uint64_t age[64] = {[0] = 40, [2] = 7, [4] = 90, [6] = 1};
    const struct sched_view v = {.age = age, .owned = 0x55};
    const struct warp_scheduler_ops *gto = &warp_scheduler_gto;
    _Alignas(16) char st[64] = {0};
    gto->init(st, &v);
    CU_ASSERT_EQUAL(gto->pick(st, &v, 0x55), 0); /* greedy at the first slot to begin with */
    CU_ASSERT_EQUAL(gto->pick(st, &v, 0x54), 6);
    CU_ASSERT_EQUAL(gto->pick(st, &v, 0x14), 2);
    gto->issued(st, &v, 4, NULL);
    CU_ASSERT_EQUAL(gto->pick(st, &v, 0x55), 4);
    CU_ASSERT_EQUAL(gto->pick(st, &v, 0x45), 6);
}

static void lrr_starts_behind_the_last(void)
{
    const uint64_t age[64] = {0};
    const struct sched_view v = {.age = age, .owned = ~0ull};
    const struct warp_scheduler_ops *lrr = &warp_scheduler_lrr;
    _Alignas(16) char st[64] = {0};
    CU_ASSERT_EQUAL(lrr->pick(st, &v, 0x8000000000000011), 0);
    lrr->issued(st, &v, 0, NULL);
    CU_ASSERT_EQUAL(lrr->pick(st, &v, 0x8000000000000011), 4);
    lrr->issued(st, &v, 4, NULL);
    CU_ASSERT_EQUAL(lrr->pick(st, &v, 0x8000000000000011), 63);
    lrr->issued(st, &v, 63, NULL);
    CU_ASSERT_EQUAL(lrr->pick(st, &v, 0x8000000000000011), 0);
    lrr->issued(st, &v, 5, NULL);
    CU_ASSERT_EQUAL(lrr->pick(st, &v, 0x11), 0);
}

static void policies_are_found_by_name(void)
{
    struct err e = {0};
    struct gpu_cfg c;
    gpu_cfg_default(&c);
    CU_ASSERT_PTR_EQUAL(warp_scheduler_find("gto"), &warp_scheduler_gto);
    CU_ASSERT_PTR_EQUAL(warp_scheduler_find("lrr"), &warp_scheduler_lrr);
    CU_ASSERT_PTR_NULL(warp_scheduler_find("GTO"));
    CU_ASSERT_TRUE(warp_scheduler_check(&c.sm, &e));
    strcpy(c.sm.warp_scheduler, "gtp");
    CU_ASSERT_FALSE(warp_scheduler_check(&c.sm, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "did you mean"));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "gto"));
    for (int i = 0; warp_scheduler_at(i); i++)
        CU_ASSERT_PTR_EQUAL(warp_scheduler_find(warp_scheduler_at(i)->name), warp_scheduler_at(i));
}

static void a_name_combines_a_scheduler_with_parts(void)
{
    static const struct {
        const char *name, *base;
        enum reexecution reexecution;
        int below;
    } row[] = {
        {"gto", "gto", REEXECUTION_NONE, 0},
        {"gto+car", "gto", REEXECUTION_CAR, 0},
        {"two-level+newcar", "two-level", REEXECUTION_NEWCAR, 0},
        {"lrr+prefetch+car", "lrr", REEXECUTION_CAR, 16},
        {"elf+newcar+prefetch", "elf", REEXECUTION_NEWCAR, 16},
        {"elf++", "elf", REEXECUTION_NEWCAR, 16},
    };
    static const char *const bad[] = {
        "elf+",      "+car",   "elf+car+newcar", "elf+car+car", "elf+prefetch+prefetch",
        "elf+nwcar", "elf+++", "gto++"};
    struct gpu_cfg c;
    struct err e = {""};
    gpu_cfg_default(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        strcpy(c.sm.warp_scheduler, row[i].name);
        CU_ASSERT_TRUE(warp_scheduler_check(&c.sm, &e));
        CU_ASSERT_STRING_EQUAL(sm_warp_scheduler(&c.sm)->name, row[i].base);
        CU_ASSERT_EQUAL(sm_reexecution(&c.sm), row[i].reexecution);
        CU_ASSERT_EQUAL(sm_prefetch_below(&c.sm), row[i].below);
    }
    c.sm.inst_prefetch = 8;
    CU_ASSERT_EQUAL(sm_prefetch_below(&c.sm), 8);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        strcpy(c.sm.warp_scheduler, bad[i]);
        CU_ASSERT_FALSE(warp_scheduler_check(&c.sm, &e));
    }
    CU_ASSERT_FALSE(scheduler_name_check("warp_scheduler", "elf+nwcar", &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "did you mean elf+newcar"));
    strcpy(c.sm.warp_scheduler, "gto+car");
    strcpy(c.sm.reexecution, "newcar");
    CU_ASSERT_FALSE(warp_scheduler_check(&c.sm, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "contradicts reexecution"));
    strcpy(c.sm.warp_scheduler, "gto");
    CU_ASSERT_TRUE(warp_scheduler_check(&c.sm, &e));
    CU_ASSERT_EQUAL(sm_reexecution(&c.sm), REEXECUTION_NEWCAR);
    strcpy(c.sm.reexecution, "nwcar");
    CU_ASSERT_FALSE(warp_scheduler_check(&c.sm, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "did you mean newcar"));
}

static void a_set_of_lines_counts_each_once(void)
{
    struct line_set s = {0};
    for (int round = 0; round < 2; round++)
        for (addr_t i = 0; i < 3000; i++)
            line_set_add(&s, i * 128);
    CU_ASSERT_EQUAL(s.n, 3000);
    CU_ASSERT_TRUE(line_set_has(&s, 2999 * 128) && !line_set_has(&s, 3000 * 128));
    line_set_clear(&s);
    CU_ASSERT_EQUAL(s.n, 0);
    CU_ASSERT_FALSE(line_set_has(&s, 0) || line_set_has(&(struct line_set){0}, 0));
    line_set_add(&s, 0);
    line_set_add(&s, 0);
    CU_ASSERT_EQUAL(s.n, 1);
    line_set_fini(&s);
}

SUITE("core policies", T(bank_conflicts_follow_the_stride),
      T(same_word_is_broadcast_whatever_its_bytes), T(wide_shared_data_takes_all_its_words),
      T(every_limit_alone), T(occupancy_names_the_tightest_limit),
      T(occupancy_is_that_of_nvidias_calculator), T(gto_is_greedy_then_oldest),
      T(lrr_starts_behind_the_last), T(policies_are_found_by_name),
      T(a_name_combines_a_scheduler_with_parts), T(a_set_of_lines_counts_each_once))
