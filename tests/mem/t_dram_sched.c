#include "sim/mem/dram_sched.h"

#include "tests/suite.h"

#include <string.h>

#define ALL_FREE (~0ull)

static struct dram_sched sched;
static struct mem_req r[8];
static uint32_t open_row[DRAM_BANKS_MAX];

static void setup(void)
{
    memset(&sched, 0, sizeof sched);
    memset(r, 0, sizeof r);
    memset(open_row, 0, sizeof open_row);
}

static void arrive(int i, uint16_t bank, uint32_t row)
{
    r[i].bank = bank;
    r[i].row = row;
    r[i].ready = (cycle_t)i;
    dram_sched_add(&sched, &r[i]);
}

static int pick(const char *policy, uint64_t free, int first)
{
    const struct mem_req *p = dram_sched_find(policy)->pick(&sched, free, first, open_row);
    return p ? (int)(p - r) : -1;
}

static void names_are_exact(void)
{
    CU_ASSERT_PTR_EQUAL(dram_sched_find("frfcfs"), &dram_sched_frfcfs);
    CU_ASSERT_PTR_EQUAL(dram_sched_find("fcfs"), &dram_sched_fcfs);
    CU_ASSERT_PTR_NULL(dram_sched_find("fr"));
    int n = 0;
    for (const struct dram_sched_ops *o; (o = dram_sched_at(n)); n++)
        CU_ASSERT_PTR_NOT_NULL(strstr(DRAM_SCHED_NAMES, o->name));
    CU_ASSERT_EQUAL(n, 2);
}

static void frfcfs_prefers_the_open_row(void)
{
    setup();
    open_row[1] = 7;
    arrive(0, 1, 5);
    arrive(1, 1, 7);
    arrive(2, 1, 7);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), 1);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), 2);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), 0);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), -1);
    CU_ASSERT_EQUAL(sched.pending, 0);
}

static void frfcfs_keeps_to_a_row_while_requests_of_it_wait(void)
{
    setup();
    open_row[0] = 9; /* nobody wants it: the oldest request's row is taken */
    arrive(0, 0, 1);
    arrive(1, 0, 2);
    arrive(2, 0, 1);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), 0);
    arrive(3, 0, 1); /* arrived later, same row */
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), 2);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), 3);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), 1);
}

/* Requests of the open row that keep coming: so many pass one of another row, not all. */
static void frfcfs_lets_no_row_wait_for_ever(void)
{
    setup();
    sched.most_passes = 3;
    open_row[0] = 7;
    arrive(0, 0, 5);
    for (int i = 1; i < 6; i++)
        arrive(i, 0, 7);
    for (int i = 1; i <= 3; i++)
        CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), i);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), 0);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), 4); /* the oldest now */
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), 5);
    setup(); /* no bound */
    open_row[0] = 7;
    arrive(0, 0, 5);
    for (int i = 1; i < 8; i++)
        arrive(i, 0, 7);
    for (int i = 1; i < 8; i++)
        CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), i);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 0), 0);
}

static void frfcfs_looks_at_free_banks_round_robin(void)
{
    setup();
    arrive(0, 3, 0);
    arrive(1, 1, 0);
    arrive(2, 5, 0);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE & ~(1ull << 3), 2), 2); /* bank 3 is busy */
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 4), 1);                /* wraps round */
    CU_ASSERT_EQUAL(pick("frfcfs", 1ull << 1, 4), -1);
    CU_ASSERT_EQUAL(pick("frfcfs", ALL_FREE, 4), 0);
}

static void fcfs_keeps_the_order_of_arrival(void)
{
    setup();
    open_row[1] = 7;
    arrive(0, 1, 5);
    arrive(1, 1, 7);
    arrive(2, 0, 1);
    CU_ASSERT_EQUAL(pick("fcfs", ALL_FREE, 0), 0);
    CU_ASSERT_EQUAL(pick("fcfs", ~2ull, 0), -1); /* the oldest waits for bank 1, and all wait */
    CU_ASSERT_EQUAL(pick("fcfs", ALL_FREE, 0), 1);
    CU_ASSERT_EQUAL(pick("fcfs", ALL_FREE, 0), 2);
    CU_ASSERT_EQUAL(pick("fcfs", ALL_FREE, 0), -1);
}

SUITE("mem/dram_sched", T(names_are_exact), T(frfcfs_prefers_the_open_row),
      T(frfcfs_keeps_to_a_row_while_requests_of_it_wait), T(frfcfs_lets_no_row_wait_for_ever),
      T(frfcfs_looks_at_free_banks_round_robin), T(fcfs_keeps_the_order_of_arrival))
