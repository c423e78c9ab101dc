/* What events of a program read, by hand. */
#include "program/device_time.h"

#include "tests/suite.h"

#define US 1000000 /* picoseconds */

static void launches_take_core_cycles_and_copies_their_bytes(void)
{
    struct gpu_cfg cfg;
    gpu_cfg_default(&cfg);
    cfg.clock.core = 700;
    cfg.clock.dram = 1000;
    cfg.mem.dram.bus_bytes = 4;
    cfg.mem.dram.chips = 2;
    cfg.mem.dram.data_rate = 4;
    cfg.mem.partition.count = 6; /* 4 * 2 * 4 * 6 * 1000 = 192,000 bytes a microsecond */
    struct device_time t = {.cfg = &cfg};
    device_time_pass(&t, 7 * 700);
    CU_ASSERT_EQUAL(t.now, 7 * US);
    device_time_copy(&t, 8000, COPY_OVER_LINK); /* 8 GB/s */
    CU_ASSERT_EQUAL(t.now, 8 * US);
    device_time_copy(&t, 96000, COPY_ON_DEVICE);
    CU_ASSERT_EQUAL(t.now, 9 * US);
    device_time_copy(&t, 192000, FILL_ON_DEVICE);
    CU_ASSERT_EQUAL(t.now, 10 * US);
    device_time_copy(&t, 0, COPY_OVER_LINK);
    device_time_pass(&t, 0);
    CU_ASSERT_EQUAL(t.now, 10 * US);
}

SUITE("device time", T(launches_take_core_cycles_and_copies_their_bytes))
