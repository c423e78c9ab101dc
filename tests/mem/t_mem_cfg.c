#include "tests/mem/mem_fix.h"
#include "tests/suite.h"

#include <string.h>

static void the_defaults_are_the_reference_machine(void)
{
    const struct mem_cfg c = fix_cfg();
    struct err e;
    CU_ASSERT_TRUE(mem_cfg_check(&c, &e));
    CU_ASSERT_EQUAL(c.l1d.size, 16384);
    CU_ASSERT_EQUAL(c.l1i.size, 2048);
    CU_ASSERT_EQUAL(c.l1c.line, 64);
    CU_ASSERT_EQUAL(c.l2.ways, 16);
    CU_ASSERT_FALSE(c.l2.enabled);
    CU_ASSERT_EQUAL(c.partition.count, 6);
    CU_ASSERT_EQUAL(c.dram.tRAS, 28);
}

/* Each assignment contradicts another parameter; the message names both or the parameter. */
static void contradictions_are_refused(void)
{
    static const struct {
        const char *set, *says;
    } bad[] = {
        {"l1d.line=96", "l1d.line"},
        {"l1d.size=16000", "l1d.size"},
        {"l1d.ways=3", "l1d.size"},
        {"l2.size=100000", "l2.size"},
        {"l1d.miss_queue=1", "l1d.miss_queue"},
        {"partition.interleave=300", "partition.interleave"},
        {"partition.interleave=64", "partition.interleave"},
        {"dram.scheduler=\"fifo\"", "dram.scheduler"},
        {"dram.banks=12", "dram.banks"},
        {"dram.bank_groups=3", "dram.bank_groups"},
        {"dram.data_rate=3", "dram.data_rate"},
        {"dram.tRCD=4", "dram.tRCD"},
        {"dram.row_bit=14", "overlap"},
        {"dram.row_bits=20", "below bit 32"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mem_cfg c = fix_cfg();
        struct err e = {""};
        CU_ASSERT_TRUE(params_set(mem_cfg_groups, &c, bad[i].set, &e));
        CU_ASSERT_FALSE(mem_cfg_check(&c, &e));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, bad[i].says));
    }
}

SUITE("mem/mem_cfg", T(the_defaults_are_the_reference_machine), T(contradictions_are_refused))
