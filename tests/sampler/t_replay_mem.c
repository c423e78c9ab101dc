/* The memory of a replay by itself. All clocks are equal, so that a DRAM cycle and a flit take a
 * core cycle; one partition, so that an address is the one inside it: bits 12 to 15 the bank, from
 * 16 on the row. A line is 2 commands; fixed latency 100, tRCD 12, tRP 12, tCCD 2 (the bus is held
 * for 4 cycles), tCCDL 3 (the bank's group for 6), tRAS 28, tCL 12, tWL 4, tCDLR 5; a burst takes
 * 8 / 4 = 2 cycles. The network takes a flit for a read's request. */
#include "sampler/replay_mem.h"
#include "tests/gpu/whole.h"

#include <math.h>

#define ROW  65536
#define BANK 4096

#define L2_WIDE EVEN, "l2.enabled=true", "icnt.flit_bytes=256" /* a reply is a flit */
#define EVEN    "clock.icnt=1400", "clock.dram=1400", "partition.count=1"

static const char *const plain[] = {EVEN, NULL};
static const char *const with_l2[] = {EVEN, "l2.enabled=true", NULL};

struct mem_fix {
    struct gpu_cfg cfg;
    struct shared_mem m;
    int reads; /* of DRAM, by the last request */
};

static void open_mem(struct mem_fix *f, const char *const *settings)
{
    f->cfg = whole_gpu("yen2014", settings);
    shared_mem_init(&f->m, &f->cfg, NULL, 1);
}

/* When a request's data has passed the bus. To the reply it is tCL more for a read, tWL for a
 * write, and two cycles of L2 for a line that is filled. */
static double read_line(struct mem_fix *f, addr_t addr, double t)
{
    const double at = shared_mem_pass(&f->m, addr, t, false, 128);
    const double back = shared_mem_serve(&f->m, addr, at, false, 128, &f->reads);
    const double fill = f->cfg.mem.l2.enabled ? 2 * f->m.l2_cycle : 0;
    return f->reads ? back - 12 * f->m.cycle - fill : back;
}

static double write_line(struct mem_fix *f, addr_t addr, double t)
{
    const double at = shared_mem_pass(&f->m, addr, t, true, 128);
    const double back = shared_mem_serve(&f->m, addr, at, true, 128, &f->reads);
    return f->reads || !f->cfg.mem.l2.enabled ? back - 4 * f->m.cycle : back;
}

/* ---- DRAM ---- */

/* A bank that was never opened: 12; one whose row is open: 0; another row: 12 + 12. */
static void a_row_miss_takes_precharge_and_activate(void)
{
    struct mem_fix f;
    open_mem(&f, plain);
    CU_ASSERT_EQUAL(read_line(&f, 0, 1000), 1000 + 100 + 12 + 4);
    CU_ASSERT_EQUAL(f.reads, 1);
    CU_ASSERT_EQUAL(read_line(&f, 128, 2000), 2000 + 100 + 4);
    CU_ASSERT_EQUAL(read_line(&f, ROW, 3000), 3000 + 100 + 24 + 4);
    CU_ASSERT_EQUAL(read_line(&f, BANK, 4000), 4000 + 100 + 12 + 4);
    CU_ASSERT_EQUAL(read_line(&f, ROW + 128, 5000), 5000 + 100 + 4);
    shared_mem_fini(&f.m);
}

/* Opened at 1112, a row stays open for tRAS - tRCD = 16 from its first read on. */
static void a_row_stays_open_for_a_while(void)
{
    struct mem_fix f;
    open_mem(&f, plain);
    read_line(&f, 0, 1000);
    CU_ASSERT_EQUAL(read_line(&f, ROW, 1020), 1112 + 16 + 24 + 4);
    shared_mem_fini(&f.m);
}

/* There: tCL + 2 + 2 - tWL = 12; back: tWL + 2 + tCDLR = 11. What comes while those of its kind are
 * served pays nothing, and nothing that finds the bus idle. A write's data are 5 flits, which keep
 * the partition's port, and not the request itself, back. */
static void reads_and_writes_that_meet_turn_the_bus(void)
{
    static const char *const wide[] = {EVEN, "icnt.flit_bytes=256", NULL};
    struct mem_fix f;
    open_mem(&f, wide);
    read_line(&f, 0, 1000);
    CU_ASSERT_EQUAL(write_line(&f, 0, 2000), 2000 + 100 + 4); /* nothing to meet */
    CU_ASSERT_EQUAL(f.reads, 0);
    CU_ASSERT_EQUAL(read_line(&f, 0, 3000), 3000 + 100 + 4);
    CU_ASSERT_EQUAL(read_line(&f, 0, 6300), 6404);
    const uint32_t phase = f.m.channel[0].phase;
    /* it stands a cycle at the port, and its row was closed */
    CU_ASSERT_EQUAL(write_line(&f, 8 * BANK, 6300), 6413 + 12 + 4);
    /* the bus is free from 6410 to 6413, and then from 6429 on */
    CU_ASSERT_EQUAL(read_line(&f, 0, 6310), 6429 + 11 + 4 - 3);
    CU_ASSERT_EQUAL(write_line(&f, 8 * BANK, 6320), 6441 + 4);
    CU_ASSERT_EQUAL(f.m.channel[0].phase, phase + 2);
    shared_mem_fini(&f.m);
}

/* A line is written and read at once, again and again, as L2 does where stores miss: each pair in
 * the same bank turns the bus there and back, pairs in 4 banks together, as often as one alone. */
static void a_bank_takes_its_requests_in_order(void)
{
    static const char *const wide[] = {EVEN, "icnt.flit_bytes=256", NULL};
    for (int banks = 1; banks <= 4; banks += 3) {
        struct mem_fix f;
        open_mem(&f, wide);
        for (int i = 0; i < 10 * banks; i++) {
            const addr_t line = (addr_t)(i % banks * BANK + i / banks * 128);
            write_line(&f, line, 6300);
            read_line(&f, line, 6300);
        }
        CU_ASSERT_EQUAL(f.m.channel[0].phase, 1 + 19); /* of writes, of reads, ten times */
        shared_mem_fini(&f.m);
    }
}

/* A read has opened a row when a write to another row of the bank comes. Reads that come before
 * that closes the first row find it open, and go on with the reads: the bus turns once. One that
 * comes later is behind the write. */
static void reads_pass_a_write_that_wants_another_row(void)
{
    struct mem_fix f;
    open_mem(&f, plain);
    read_line(&f, 0, 1000);
    const uint32_t reads = f.m.channel[0].phase;
    write_line(&f, ROW, 1005);
    CU_ASSERT_EQUAL(f.m.channel[0].phase, reads + 1);
    CU_ASSERT_TRUE(read_line(&f, 128, 1010) < 1128);
    CU_ASSERT_EQUAL(f.m.channel[0].phase, reads + 1);
    CU_ASSERT_TRUE(read_line(&f, 128, 1040) > 1128 + 24 + 24);
    CU_ASSERT_EQUAL(f.m.channel[0].phase, reads + 2);
    shared_mem_fini(&f.m);
}

/* 100 pairs of a read and a write, their rows open, on the bus for 4 each. 192 apart the write of
 * each pair turns it. 20 apart and behind 1000 reads, which keep the bus until 10400, 32 writes are
 * in sight: until then reads go with the others, and from then on behind these writes. 32 reads
 * later writes stand behind reads, and so on: 32 + 68 reads, 64 writes, in four turns. */
static void reads_and_writes_of_a_backlog_turn_the_bus_seldom(void)
{
    static const char *const wide[] = {EVEN, "icnt.flit_bytes=256", NULL};
    struct mem_fix f;
    for (int deep = 0; deep < 2; deep++) {
        open_mem(&f, wide);
        read_line(&f, 0, 1000);
        read_line(&f, 8 * BANK, 2000);
        for (int k = 0; deep && k < 1000; k++)
            read_line(&f, k % 2 ? 8 * BANK : 0, 6300);
        const struct mem_channel *c = &f.m.channel[0];
        const uint32_t before = c->phase;
        for (int k = 0; k < 100; k++) {
            const double t = deep ? 7310 + 20 * k : 6300 + 192 * k;
            read_line(&f, 0, t);
            const double end = write_line(&f, 8 * BANK, t);
            CU_ASSERT_TRUE(deep || end == t + 100 + 4 + 12 + 4);
        }
        CU_ASSERT_EQUAL(c->phase - before, deep ? 4 : 199);
        shared_mem_fini(&f.m);
    }
}

/* FR-FCFS serves what waits for a row before it closes it: at 1020 bank 0 is at DRAM for another
 * row, which closes the first one at 1128; a read of the first row that is there at 1125 finds it
 * open, one at 1130 does not. */
static void a_row_is_closed_when_nothing_waits_for_it(void)
{
    for (int late = 0; late < 2; late++) {
        struct mem_fix f;
        open_mem(&f, plain);
        read_line(&f, 0, 1000);
        CU_ASSERT_EQUAL(read_line(&f, ROW, 1020), 1112 + 16 + 24 + 4);
        const double end = read_line(&f, 128, late ? 1030 : 1025);
        CU_ASSERT_TRUE(late ? end > 1128 + 24 + 24 : end < 1128 + 24);
        shared_mem_fini(&f.m);
    }
}

/* 12 rows of a bank are asked for at once, and then again: the last 4 that were closed are
 * remembered, but give nothing before they were open. */
static void a_row_gives_nothing_before_it_is_open(void)
{
    struct mem_fix f;
    double first[12];
    open_mem(&f, plain);
    for (int k = 0; k < 12; k++)
        first[k] = read_line(&f, (addr_t)k * ROW, 6300);
    for (int k = 7; k < 12; k++) {
        const double again = read_line(&f, (addr_t)k * ROW + 128, 6300);
        CU_ASSERT(again >= first[k] && again < first[k] + 12);
    }
    shared_mem_fini(&f.m);
}

/* With queues of 128 and more nothing is known of them. */
static void a_partition_with_long_queues_takes_any_number(void)
{
    static const char *const deep[] = {EVEN, "dram.queue=128", NULL};
    struct mem_fix f;
    open_mem(&f, deep);
    for (int k = 0; k < 200; k++)
        read_line(&f, (addr_t)k * ROW, 6300);
    CU_ASSERT_EQUAL(shared_mem_accepts(&f.m, 0, 6300), 6300);
    shared_mem_fini(&f.m);
}

/* Of 60 requests that wait for one bank 40 may: 8 and 8 in its queues, 16 that FR-FCFS sees, and 8
 * for half of the banks. One more has room when but 39 are left, less the 220 cycles on the way to
 * DRAM, which no queue limits. */
static void a_full_partition_takes_no_more(void)
{
    struct mem_fix f;
    open_mem(&f, plain);
    const double way = f.cfg.mem.partition.rop_latency + 100;
    double end[64];
    for (int k = 0; k < 60; k++)
        end[k] = read_line(&f, (addr_t)k * ROW, 6300);
    CU_ASSERT_EQUAL(shared_mem_accepts(&f.m, 0, 6200), 6200); /* they were not there yet */
    CU_ASSERT_EQUAL(shared_mem_accepts(&f.m, 0, end[59]), end[59]);
    const double room = shared_mem_accepts(&f.m, 0, 6360); /* all have passed the port */
    CU_ASSERT_DOUBLE_EQUAL(room, end[60 - 40] + 12 - way, 2);
    shared_mem_fini(&f.m);
}

/* All ask at 6300 and are at DRAM at 6400, where a slot of the calendar begins, their rows open.
 * One group of banks after 6 cycles each; two groups in turn after 4, the bus. A request may reach
 * into the next slot: in the long run 64 cycles hold 11 of the group, 16 of the bus. A reply is one
 * flit, lest the network be slower. */
static void many_lines_take_the_bus_or_the_bank_group(void)
{
    static const struct {
        addr_t other;
        int each;
    } row[] = {{128, 6}, {8 * BANK, 4}};
    static const char *const wide[] = {EVEN, "icnt.flit_bytes=256", NULL};
    for (size_t i = 0; i < 2; i++) {
        struct mem_fix f;
        open_mem(&f, wide);
        read_line(&f, 0, 1000);
        read_line(&f, row[i].other, 2000);
        for (int k = 0; k < 8; k++)
            CU_ASSERT_EQUAL(read_line(&f, k % 2 ? row[i].other : 0, 6300), 6404 + row[i].each * k);
        double last = 0;
        for (int k = 8; k < 2000; k++)
            last = fmax(last, read_line(&f, k % 2 ? row[i].other : 0, 6300));
        CU_ASSERT_TRUE(last >= 6400 + 2000 * row[i].each * 0.96);
        CU_ASSERT_TRUE(last <= 6400 + 2000 * row[i].each + 64);
        shared_mem_fini(&f.m);
    }
}

/* As FR-FCFS would have served it. */
static void an_earlier_request_that_comes_late_finds_the_gap(void)
{
    struct mem_fix f;
    open_mem(&f, plain);
    read_line(&f, 0, 1000);
    for (int k = 0; k < 100; k++)
        read_line(&f, 0, 20000);
    CU_ASSERT_EQUAL(read_line(&f, 0, 10000), 10104);
    CU_ASSERT_TRUE(read_line(&f, 0, 20000) > 20400);
    shared_mem_fini(&f.m);
}

/* Twice the time on the bus: 8; opening a row takes what it takes. */
static void stretch_lengthens_the_time_on_the_bus(void)
{
    struct mem_fix f;
    f.cfg = whole_gpu("yen2014", plain);
    shared_mem_init(&f.m, &f.cfg, NULL, 2);
    CU_ASSERT_EQUAL(read_line(&f, 0, 1000), 1000 + 100 + 12 + 8);
    CU_ASSERT_EQUAL(read_line(&f, 0, 2000), 2000 + 100 + 8);
    shared_mem_fini(&f.m);
}

/* DRAM at half the core's clock: commands take twice as long, the fixed latency is in core cycles.
 */
static void dram_cycles_are_longer_than_the_cores(void)
{
    static const char *const half[] = {EVEN, "clock.dram=700", NULL};
    struct mem_fix f;
    open_mem(&f, half);
    CU_ASSERT_EQUAL(read_line(&f, 0, 1000), 1000 + 100 + 2 * (12 + 4));
    shared_mem_fini(&f.m);
}

/* A bus of a byte and bursts of a beat: 128 commands of 2 cycles hold it for 256, its group 384:
 * more than a slot of the calendar, and two at once one after the other. */
static void what_takes_longer_than_a_slot_takes_several(void)
{
    static const char *const narrow[] = {EVEN,           "dram.bus_bytes=1", "dram.chips=1",
                                         "dram.burst=1", "dram.data_rate=1", NULL};
    struct mem_fix f;
    open_mem(&f, narrow);
    CU_ASSERT_EQUAL(read_line(&f, 0, 1000), 1000 + 100 + 12 + 256);
    double last = 0;
    for (int k = 0; k < 10; k++)
        last = fmax(last, read_line(&f, 0, 6300));
    CU_ASSERT_TRUE(last >= 6400 + 9 * 384 + 256 && last <= 6400 + 10 * 384 + 256);
    shared_mem_fini(&f.m);
}

/* 5 flits for each line that is read, more than the bus takes; a row's lines of two groups. */
static void replies_wait_for_the_partitions_port(void)
{
    struct mem_fix f;
    open_mem(&f, plain);
    read_line(&f, 0, 1000);
    read_line(&f, 8 * BANK, 2000);
    double last = 0;
    for (int k = 0; k < 2000; k++)
        last = fmax(last, read_line(&f, k % 2 ? 8 * BANK : 0, 6300));
    CU_ASSERT_TRUE(last >= 6400 + 2000 * 5 * 0.96 && last <= 6400 + 2000 * 5 + 64);
    shared_mem_fini(&f.m);
}

/* Lines of the other partition have a DRAM of their own. */
static void partitions_do_not_disturb_each_other(void)
{
    static const char *const two[] = {EVEN, "partition.count=2", NULL};
    struct mem_fix f;
    open_mem(&f, two);
    for (int k = 0; k < 100; k++)
        read_line(&f, 0, 6300);
    CU_ASSERT_EQUAL(read_line(&f, 256, 6300), 6300 + 100 + 12 + 4);
    CU_ASSERT_TRUE(read_line(&f, 0, 6300) >= 6400 + 100 * 6 * 0.97);
    shared_mem_fini(&f.m);
}

/* ---- L2 ---- */

static void a_line_that_l2_holds_needs_no_dram(void)
{
    static const char *const slow[] = {EVEN, "l2.enabled=true", "l2.hit_latency=9", NULL};
    struct mem_fix f;
    open_mem(&f, slow);
    CU_ASSERT_EQUAL(read_line(&f, 0, 1000), 1000 + 100 + 12 + 4);
    CU_ASSERT_EQUAL(f.reads, 1);
    CU_ASSERT_EQUAL(read_line(&f, 0, 2000), 2000 + 9);
    CU_ASSERT_EQUAL(f.reads, 0);
    CU_ASSERT_EQUAL(write_line(&f, 0, 3000), 3000 + 9);
    CU_ASSERT_EQUAL(f.reads, 0);
    shared_mem_fini(&f.m);
}

/* Written through, acknowledged by DRAM: 100 + 12 (row) + 4. Its line is read behind it, and is
 * there afterwards. */
static void a_store_that_l2_misses_reads_its_line(void)
{
    struct mem_fix f;
    open_mem(&f, with_l2);
    CU_ASSERT_EQUAL(write_line(&f, 0, 1000), 1000 + 100 + 12 + 4);
    CU_ASSERT_EQUAL(f.reads, 1);
    CU_ASSERT_EQUAL(read_line(&f, 0, 2000), 2000);
    CU_ASSERT_EQUAL(f.reads, 0);
    shared_mem_fini(&f.m);
}

/* A slice of one set of two lines. A modified victim is written before the new line is read: 6 of
 * the bank group, then 11 for the turn and 4 for the read. The read's row is open. */
static void l2_writes_modified_victims_back(void)
{
    static const char *const tiny[] = {EVEN, "l2.enabled=true", "l2.size=256", "l2.ways=2", NULL};
    for (int modified = 0; modified < 2; modified++) {
        struct mem_fix f;
        open_mem(&f, tiny);
        read_line(&f, 0, 1000);
        read_line(&f, 128, 2000);
        if (modified)
            write_line(&f, 0, 2500);
        else
            read_line(&f, 0, 2500);
        read_line(&f, 128, 2600); /* 0 is the one used longest ago */
        CU_ASSERT_EQUAL(read_line(&f, 256, 6300), 6400 + (modified ? 6 + 11 + 4 : 4));
        CU_ASSERT_EQUAL(f.reads, 1);
        CU_ASSERT_EQUAL(read_line(&f, 128, 7000), 7000);
        CU_ASSERT_EQUAL(f.reads, 0);
        read_line(&f, 0, 8000);
        CU_ASSERT_EQUAL(f.reads, 1);
        shared_mem_fini(&f.m);
    }
}

/* Two lines of the only set: both stay, however often they are said to be there, and are the
 * youngest: of the two that L2 held before nothing is left. Any address of a line stands for it.
 * Without an L2 there is nothing to hold. */
static void l2_holds_a_line_that_it_is_told_to(void)
{
    static const char *const tiny[] = {EVEN, "l2.enabled=true", "l2.size=256", "l2.ways=2", NULL};
    struct mem_fix f;
    struct l2_state before;
    open_mem(&f, tiny);
    read_line(&f, 256, 1000);
    read_line(&f, 384, 2000);
    l2_state_init(&before, &f.cfg);
    l2_state_copy(&before, &f.m.l2);
    before.uses = 5000;
    shared_mem_set_l2(&f.m, &before);
    l2_state_fini(&before);
    shared_mem_hold(&f.m, 12);
    shared_mem_hold(&f.m, 128 + 12);
    shared_mem_hold(&f.m, 128);
    for (addr_t line = 0; line < 2; line++) {
        CU_ASSERT_EQUAL(read_line(&f, 128 * line, 10000 + 10 * (double)line),
                        10000 + 10 * (double)line);
        CU_ASSERT_EQUAL(f.reads, 0);
    }
    write_line(&f, 0, 11000);
    shared_mem_hold(&f.m, 0); /* as it is */
    uint32_t way;
    CU_ASSERT_EQUAL_FATAL(tags_probe(f.m.l2.slice, 0, 0, &way), TAG_HIT);
    CU_ASSERT_EQUAL(tags_state(f.m.l2.slice, way), TAG_MODIFIED);
    shared_mem_fini(&f.m);
    open_mem(&f, plain);
    shared_mem_hold(&f.m, 0);
    read_line(&f, 0, 1000);
    CU_ASSERT_EQUAL(f.reads, 1);
    shared_mem_fini(&f.m);
}

/* One MSHR: the second miss asks when the first line is there, tCL and two L2 cycles of 2 behind
 * its data. A third request, which would hit, stands behind it and comes a cycle later. */
static void l2_misses_wait_for_an_mshr(void)
{
    static const char *const one[] = {L2_WIDE, "l2.mshrs=1", NULL};
    struct mem_fix f;
    open_mem(&f, one);
    read_line(&f, ROW, 100);
    CU_ASSERT_EQUAL(read_line(&f, 0, 1000), 1000 + 100 + 24 + 4);
    CU_ASSERT_EQUAL(read_line(&f, 128, 1010), 1128 + 12 + 4 + 100 + 4);
    CU_ASSERT_EQUAL(read_line(&f, ROW, 1020), 1128 + 12 + 4 + 2);
    CU_ASSERT_EQUAL(f.reads, 0);
    CU_ASSERT_EQUAL(read_line(&f, ROW, 2000), 2000);
    shared_mem_fini(&f.m);
}

/* A line that is asked for at 1000 is there at 1132. Two more may wait for it, and get it one L2
 * cycle of 2 after the other; a store of it goes to DRAM as well. One too many is refused until all
 * have it. */
static void requests_for_a_line_on_its_way_wait_for_it(void)
{
    static const char *const three[] = {L2_WIDE, "l2.merges=3", NULL};
    for (int store = 0; store < 2; store++) {
        struct mem_fix f;
        open_mem(&f, three);
        read_line(&f, 0, 1000);
        CU_ASSERT_EQUAL(read_line(&f, 0, 1010), 1132 + 2);
        CU_ASSERT_EQUAL(f.reads, 0);
        const double at = shared_mem_pass(&f.m, 0, 1020, store, 128);
        const double third = shared_mem_serve(&f.m, 0, at, store, 128, &f.reads);
        if (store)
            CU_ASSERT_TRUE(third >= 1120 + 4 + 4)
        else
            CU_ASSERT_EQUAL(third, 1132 + 4);
        CU_ASSERT_EQUAL(f.reads, 0);
        CU_ASSERT_EQUAL(read_line(&f, 0, 1030), 1132 + 6);
        CU_ASSERT_EQUAL(f.reads, 0);
        CU_ASSERT_EQUAL(read_line(&f, 0, 2000), 2000);
        shared_mem_fini(&f.m);
    }
}

/* What is refused holds up what comes while it waits, and nothing that came before. */
static void what_l2_refuses_holds_up_those_behind_it(void)
{
    static const char *const one[] = {L2_WIDE, "l2.merges=1", NULL};
    struct mem_fix f;
    open_mem(&f, one);
    read_line(&f, 128, 100);
    read_line(&f, 0, 1000); /* its row is open: there at 1120 */
    CU_ASSERT_EQUAL(read_line(&f, 0, 1050), 1120 + 2);
    CU_ASSERT_EQUAL(read_line(&f, 128, 1040), 1040);
    CU_ASSERT_EQUAL(read_line(&f, 128, 1060), 1124);
    CU_ASSERT_EQUAL(read_line(&f, 128, 1070), 1126);
    CU_ASSERT_EQUAL(read_line(&f, 128, 1200), 1200);
    shared_mem_fini(&f.m);
}

/* From a bank to the network its data takes tCL, 12, or tWL, 4, and in L2 two cycles of 2. */
static void data_comes_behind_the_command(void)
{
    for (int l2 = 0; l2 < 2; l2++) {
        struct mem_fix f;
        open_mem(&f, l2 ? with_l2 : plain);
        CU_ASSERT_EQUAL(shared_mem_serve(&f.m, 0, 1000, false, 128, &f.reads),
                        1000 + 100 + 12 + 4 + 12 + 4 * l2);
        CU_ASSERT_EQUAL(shared_mem_serve(&f.m, 8 * BANK, 2000, true, 128, &f.reads),
                        2000 + 100 + 12 + 4 + 4);
        shared_mem_fini(&f.m);
    }
}

SUITE("replayed memory", T(a_row_miss_takes_precharge_and_activate),
      T(a_row_stays_open_for_a_while), T(reads_and_writes_that_meet_turn_the_bus),
      T(a_bank_takes_its_requests_in_order), T(reads_pass_a_write_that_wants_another_row),
      T(a_row_is_closed_when_nothing_waits_for_it), T(a_full_partition_takes_no_more),
      T(a_row_gives_nothing_before_it_is_open), T(a_partition_with_long_queues_takes_any_number),
      T(reads_and_writes_of_a_backlog_turn_the_bus_seldom),
      T(many_lines_take_the_bus_or_the_bank_group), T(replies_wait_for_the_partitions_port),
      T(an_earlier_request_that_comes_late_finds_the_gap), T(stretch_lengthens_the_time_on_the_bus),
      T(dram_cycles_are_longer_than_the_cores), T(what_takes_longer_than_a_slot_takes_several),
      T(partitions_do_not_disturb_each_other), T(a_line_that_l2_holds_needs_no_dram),
      T(a_store_that_l2_misses_reads_its_line), T(l2_writes_modified_victims_back),
      T(l2_holds_a_line_that_it_is_told_to), T(l2_misses_wait_for_an_mshr),
      T(requests_for_a_line_on_its_way_wait_for_it), T(what_l2_refuses_holds_up_those_behind_it),
      T(data_comes_behind_the_command))
