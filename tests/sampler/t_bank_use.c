/* How long channels and banks of DRAM take, by hand: a line of 128 bytes takes four DRAM cycles of
 * the bus, a row opens 12 after its activate, the next one of its bank is opened 40 after that, and
 * another bank's 6 after it; 16 requests wait in a channel's queue. */
#include "sampler/profile/bank_use.h"

#include "tests/suite.h"

#define REQUESTS 512 /* of a CTA that are looked at */

static struct gpu_cfg cfg;

static void open_use(struct bank_use *u, int ctas)
{
    gpu_cfg_default(&cfg);
    cfg.mem.l1d.line = 128;
    cfg.clock.core = 500;
    cfg.clock.dram = 1000;
    CU_ASSERT_EQUAL(cfg.mem.dram.queue, 16);
    CU_ASSERT_EQUAL(cfg.mem.dram.tRC, 40);
    CU_ASSERT_EQUAL(cfg.mem.dram.tRRD, 6);
    CU_ASSERT_EQUAL(cfg.mem.dram.tRCD, 12);
    CU_ASSERT_EQUAL(cfg.mem.partition.count, 6);
    bank_use_init(u, &cfg, ctas, REQUESTS);
}

static void ask(struct bank_use *u, int cta, int channel, int bank, int row)
{
    struct mem_req r = {0};
    r.partition = (uint16_t)channel;
    r.bank = (uint16_t)bank;
    r.row = (uint32_t)row;
    bank_use_add(u, cta, &r);
}

/* DRAM cycles of all of them. */
static void takes(struct bank_use *u, int requests, double cycles)
{
    CU_ASSERT_DOUBLE_EQUAL(bank_use_cycles(u), cycles / 2 / requests, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(bank_use_cycles(u), cycles / 2 / requests, 1e-12); /* asking changes
                                                                                 nothing */
    bank_use_fini(u);
}

static void lines_of_a_row_take_the_bus(void)
{
    struct bank_use u;
    open_use(&u, 1);
    for (int i = 0; i < 24; i++)
        ask(&u, 0, 0, 0, 7);
    takes(&u, 24, 12 + 24 * 4);
}

static void channels_share_them(void)
{
    struct bank_use u;
    open_use(&u, 1);
    for (int i = 0; i < 24; i++)
        ask(&u, 0, i % 6, 0, 7);
    takes(&u, 24, 12 + 4 * 4);
}

static void rows_of_a_bank_wait_for_it(void)
{
    struct bank_use u;
    open_use(&u, 1);
    for (int i = 0; i < 24; i++)
        ask(&u, 0, 0, 3, i);
    takes(&u, 24, 23 * 40 + 12 + 4);
}

static void rows_of_banks_wait_for_the_last_activate(void)
{
    struct bank_use u;
    open_use(&u, 1);
    for (int i = 0; i < 24; i++)
        ask(&u, 0, 2, i % 16, i);
    takes(&u, 24, 23 * 6 + 12 + 4);
}

/* ... by a request before it in the queue: passed on to that before another row is opened. */
static void a_row_is_opened_once_for_the_queue(void)
{
    struct bank_use u;
    open_use(&u, 1);
    ask(&u, 0, 0, 0, 1);
    ask(&u, 0, 0, 0, 2);
    ask(&u, 0, 0, 0, 1);
    takes(&u, 3, 40 + 12 + 2 * 4);
}

/* Sixteen others of a row have left in between. */
static void and_once_more_behind_it(void)
{
    struct bank_use u;
    open_use(&u, 1);
    ask(&u, 0, 0, 0, 1);
    for (int i = 0; i < 16; i++)
        ask(&u, 0, 0, 1, 1);
    ask(&u, 0, 0, 0, 2);
    ask(&u, 0, 0, 0, 1); /* at 40 the second row of this bank, at 80 the first again */
    takes(&u, 19, 80 + 12 + 4);
}

static void ctas_take_turns(void)
{
    struct bank_use u;
    open_use(&u, 2);
    for (int cta = 0; cta < 2; cta++)
        for (int i = 0; i < 20; i++) /* of one after the other, 20 in a row would share rows */
            ask(&u, cta, 0, 0, 100 * i + cta);
    takes(&u, 40, 39 * 40 + 12 + 4);
}

static void no_more_than_the_first_requests_count(void)
{
    struct bank_use u;
    open_use(&u, 1);
    for (int i = 0; i < REQUESTS + 100; i++)
        ask(&u, 0, 0, 0, i < REQUESTS ? 1 : i);
    takes(&u, REQUESTS, 12 + REQUESTS * 4.0);
}

static void nothing_takes_nothing(void)
{
    struct bank_use u;
    open_use(&u, 3);
    takes(&u, 1, 0);
}

SUITE("DRAM banks", T(lines_of_a_row_take_the_bus), T(channels_share_them),
      T(rows_of_a_bank_wait_for_it), T(rows_of_banks_wait_for_the_last_activate),
      T(a_row_is_opened_once_for_the_queue), T(and_once_more_behind_it), T(ctas_take_turns),
      T(no_more_than_the_first_requests_count), T(nothing_takes_nothing))
