/* The reference machine: partition = (addr >> 8) mod 6; inside it a = (addr >> 8) / 6 << 8 | low 8
 * bits; of a: [27:16] row, [15:12] bank, [11:6] column, [5:0] byte. */
#include "tests/mem/mem_fix.h"
#include "tests/suite.h"

static struct mem_req mapped(const struct mem_cfg *cfg, addr_t a)
{
    struct addrmap m;
    addrmap_init(&m, cfg);
    struct mem_req r = {.addr = a};
    addrmap_set(&m, &r);
    CU_ASSERT_EQUAL(r.partition, addrmap_partition(&m, a));
    return r;
}

static void the_reference_mapping_by_hand(void)
{
    const struct mem_cfg cfg = fix_cfg();
    /* 0x80000000 >> 8 = 8388608 = 6 * 1398101 + 2; a = 1398101 << 8 = 0x15555500 */
    struct mem_req r = mapped(&cfg, 0x80000000u);
    CU_ASSERT_EQUAL(r.partition, 2);
    CU_ASSERT_EQUAL(r.chan_addr, 0x15555500u);
    CU_ASSERT_EQUAL(r.row, 0x555);
    CU_ASSERT_EQUAL(r.bank, 0x5);
    CU_ASSERT_EQUAL(r.channel, 0);
    r = mapped(&cfg, 0x80000000u + 255);
    CU_ASSERT_EQUAL(r.partition, 2);
    CU_ASSERT_EQUAL(r.chan_addr, 0x155555ffu);
    r = mapped(&cfg, 0x80000000u + 256);
    CU_ASSERT_EQUAL(r.partition, 3);
    CU_ASSERT_EQUAL(r.chan_addr, 0x15555500u);
    r = mapped(&cfg, 0x80000000u + 6 * 256); /* back in the same partition, 256 bytes on */
    CU_ASSERT_EQUAL(r.partition, 2);
    CU_ASSERT_EQUAL(r.chan_addr, 0x15555600u);
}

static void no_two_addresses_share_a_place(void)
{
    struct mem_cfg cfg = fix_cfg();
    enum { PARTS = 3, ROWS = 4, BYTES = PARTS * ROWS << 16 };
    cfg.partition.count = PARTS;
    cfg.dram.row_bits = 2;
    static uint8_t seen[PARTS][ROWS][16][4096 / 64];
    for (addr_t a = 0; a < BYTES; a += 64) {
        const struct mem_req r = mapped(&cfg, a);
        uint8_t *s = &seen[r.partition][r.row][r.bank][r.chan_addr % 4096 / 64];
        CU_ASSERT_EQUAL_FATAL(*s, 0);
        *s = 1;
    }
}

/* 0x80000000 >> 8 = 8388608 = 512 * 16384: partition 0, a = 16384 << 8 = 0x400000 */
static void the_most_partitions_by_hand(void)
{
    struct mem_cfg cfg = fix_cfg();
    cfg.partition.count = PARTITIONS_MAX;
    CU_ASSERT_EQUAL(PARTITIONS_MAX, 512);
    CU_ASSERT_EQUAL(mapped(&cfg, 0x80000000u).partition, 0);
    CU_ASSERT_EQUAL(mapped(&cfg, 0x80000000u).chan_addr, 0x400000u);
    const struct mem_req last = mapped(&cfg, 0x80000000u + 511 * 256);
    CU_ASSERT_EQUAL(last.partition, 511);
    CU_ASSERT_EQUAL(last.chan_addr, 0x400000u);
    const struct mem_req again = mapped(&cfg, 0x80000000u + 512 * 256);
    CU_ASSERT_EQUAL(again.partition, 0);
    CU_ASSERT_EQUAL(again.chan_addr, 0x400100u);
}

/* Of 6 partitions a model has 2: an address lies in one of these, which has a third of the address
 * inside, in the row and the bank that it has in the GPU. */
static void a_scale_model_has_the_banks_of_its_gpu(void)
{
    const struct mem_cfg full = fix_cfg();
    struct mem_cfg model = full;
    model.partition.count = 2;
    model.model.partitions = 6;
    for (addr_t a = 0x80000000u; a < 0x80000000u + 6000 * 4096; a += 4096 - 256) {
        const struct mem_req there = mapped(&full, a), here = mapped(&model, a);
        CU_ASSERT_EQUAL(here.partition, there.partition % 2);
        CU_ASSERT_EQUAL(here.chan_addr, (a >> 9 << 8) + (a & 255));
        CU_ASSERT_EQUAL(here.channel, there.partition / 2);
        CU_ASSERT(here.row == there.row && here.bank == there.bank);
    }
    CU_ASSERT_EQUAL(mapped(&model, 0x80000000u).row, 0x555); /* as by hand above */
    model.model.unlimited = true; /* one channel, whichever it is there */
    CU_ASSERT_EQUAL(mapped(&model, 0x80000000u).channel, 0);
    model.model.partitions = 0;
    CU_ASSERT_EQUAL(mapped(&model, 0x80000000u).row, 0); /* 8388608 / 2 << 8 = 0x40000000 */
}

/* Of 6 partitions 4: each has addresses of three, those of its own parity. */
static void channels_of_partitions_that_divide_none(void)
{
    struct addrmap m;
    struct mem_cfg model = fix_cfg();
    model.partition.count = 4;
    model.model.partitions = 6;
    addrmap_init(&m, &model);
    CU_ASSERT_EQUAL(addrmap_channels(&m), 3);
    bool seen[4][3] = {{false}};
    for (addr_t a = 0; a < 12 * 256; a += 256) {
        const struct mem_req r = mapped(&model, a);
        CU_ASSERT_EQUAL(r.channel, a / 256 % 6 / 2);
        CU_ASSERT_FALSE(seen[r.partition][r.channel]);
        seen[r.partition][r.channel] = true;
    }
}

SUITE("mem/addrmap", T(channels_of_partitions_that_divide_none),
      T(a_scale_model_has_the_banks_of_its_gpu), T(the_reference_mapping_by_hand),
      T(the_most_partitions_by_hand), T(no_two_addresses_share_a_place))
