/* The pipeline of a replayed core by itself, on yen2014: two SP units and two instructions a
 * pipeline register, one SFU, 16 banks, two result buses. An instruction that nothing is in the way
 * of writes its registers latency + 5 + operands after issue (tests/sm/t_timing.c). */
#include "sampler/pipeline.h"
#include "tests/gpu/whole.h"

#define AT 1000 /* when tests begin */

struct pipe_fix {
    struct gpu_cfg cfg;
    struct pipeline p;
};

/* Again: with nothing in it. */
static void open_pipe(struct pipe_fix *f, const char *const *settings)
{
    pipeline_fini(&f->p);
    f->cfg = whole_gpu("yen2014", settings);
    pipeline_init(&f->p, &f->cfg.sm);
}

static const struct inst_meta add = {.cls = CLASS_SP, .latency = 4, .interval = 2, .nread = 1};
static const struct inst_meta sfu = {.cls = CLASS_SFU, .latency = 8, .interval = 8, .nread = 1};
static const struct inst_meta load = {.cls = CLASS_MEM, .load = true, .nread = 1, .nwrite = 1};

static void an_instruction_takes_its_operands_and_latency(void)
{
    struct pipe_fix f = {0};
    struct inst_meta m = add;
    open_pipe(&f, NULL);
    for (m.nread = 0; m.nread <= 3; m.nread++) {
        for (int i = 0; i < m.nread; i++)
            m.read_bank[i] = (uint8_t)(5 * i);
        const cycle_t t = AT + 100 * m.nread;
        CU_ASSERT_EQUAL(pipeline_execute(&f.p, &m, 15, t), t + 4 + 5 + m.nread);
    }
    pipeline_fini(&f.p);
}

/* Of one cycle: the first goes its way, the second finds the bank taken for a cycle, a third one of
 * another bank the second's place between collectors and units. */
static void a_bank_serves_one_read_a_cycle(void)
{
    struct pipe_fix f = {0};
    struct inst_meta other = add;
    other.read_bank[0] = 1;
    open_pipe(&f, NULL);
    const cycle_t first = pipeline_execute(&f.p, &add, 3, AT);
    CU_ASSERT_EQUAL(first, AT + 4 + 6);
    CU_ASSERT_EQUAL(pipeline_execute(&f.p, &add, 3, AT), first + 1);
    open_pipe(&f, NULL);
    pipeline_execute(&f.p, &add, 3, AT);
    CU_ASSERT_EQUAL(pipeline_execute(&f.p, &other, 3, AT), first);
    CU_ASSERT_EQUAL(pipeline_execute(&f.p, &other, 2, AT + 100), AT + 100 + 4 + 6); /* bank 3 */
    pipeline_fini(&f.p);
}

/* A result is written in the cycle in which another instruction would read that bank. */
static void results_have_the_bank_first(void)
{
    struct pipe_fix f = {0};
    struct inst_meta writes = add;
    writes.nwrite = 1;
    writes.write_bank[0] = 7;
    open_pipe(&f, NULL);
    const cycle_t at = pipeline_execute(&f.p, &writes, 0, AT);
    CU_ASSERT_EQUAL(pipeline_execute(&f.p, &add, 7, at - 2), at - 2 + 4 + 6 + 1);
    CU_ASSERT_EQUAL(pipeline_execute(&f.p, &add, 8, at - 2), at - 2 + 4 + 6);
    pipeline_fini(&f.p);
}

/* One SFU takes an instruction in 8 cycles; its results are as far apart. With one result bus two
 * SP units land theirs one after the other. */
static void units_and_buses_take_turns(void)
{
    static const char *const one_bus[] = {"result_buses=1", NULL};
    struct pipe_fix f = {0};
    open_pipe(&f, NULL);
    cycle_t last = pipeline_execute(&f.p, &sfu, 0, AT);
    CU_ASSERT_EQUAL(last, AT + 8 + 6);
    for (int i = 1; i < 5; i++) {
        const cycle_t next = pipeline_execute(&f.p, &sfu, i, AT + (cycle_t)i);
        CU_ASSERT_EQUAL(next, last + 8);
        last = next;
    }
    for (int i = 0; i < 2; i++) {
        open_pipe(&f, i ? one_bus : NULL);
        const cycle_t first = pipeline_execute(&f.p, &add, 0, AT);
        CU_ASSERT_EQUAL(pipeline_execute(&f.p, &add, 1, AT), first + (cycle_t)i);
    }
    pipeline_fini(&f.p);
}

/* The SFU's register behind issue holds one instruction, and the eight collector units of its pipe
 * are full with those that wait behind the one at the unit and the one in front of it. The unit
 * took the first one after 4 cycles, and takes the second one 8 later. */
static void there_is_room_when_a_collector_is_free(void)
{
    struct pipe_fix f = {0};
    open_pipe(&f, NULL);
    CU_ASSERT_EQUAL(pipeline_room(&f.p, CLASS_SFU), 0);
    cycle_t t = AT;
    for (int i = 0; i < 10; i++, t++) {
        CU_ASSERT_TRUE(pipeline_room(&f.p, CLASS_SFU) <= t);
        pipeline_execute(&f.p, &sfu, i, t);
    }
    CU_ASSERT_EQUAL(pipeline_room(&f.p, CLASS_SFU), t); /* 1 at the unit, 1 in front, 8 */
    pipeline_execute(&f.p, &sfu, 0, t);
    CU_ASSERT_EQUAL(pipeline_room(&f.p, CLASS_SFU), AT + 12);
    CU_ASSERT_TRUE(pipeline_room(&f.p, CLASS_SP) <= t + 1);
    CU_ASSERT_TRUE(pipeline_room(&f.p, CLASS_EITHER) <= t + 1);
    pipeline_fini(&f.p);
}

/* Two results in one cycle: the port writes one, the other a cycle later; one whose bank an SP
 * unit's result has waits as well. */
static void the_ldst_unit_writes_a_result_a_cycle(void)
{
    struct pipe_fix f = {0};
    struct inst_meta writes = add;
    writes.nwrite = 1;
    open_pipe(&f, NULL);
    CU_ASSERT_EQUAL(pipeline_write(&f.p, &load, 2, AT), AT);
    CU_ASSERT_EQUAL(pipeline_write(&f.p, &load, 3, AT), AT + 1);
    const cycle_t at = pipeline_execute(&f.p, &writes, 9, AT + 50);
    CU_ASSERT_EQUAL(pipeline_write(&f.p, &load, 9, at), at + 1);
    CU_ASSERT_EQUAL(pipeline_write(&f.p, &load, 8, at + 100), at + 100);
    pipeline_fini(&f.p);
}

/* Issue, a collector, one operand, the LD/ST unit's register: 3 cycles. While the unit is busy one
 * more is in front of it, two in collectors and one behind issue; when it takes the next one, each
 * goes on, and there is room again. */
static void memory_instructions_wait_for_the_ldst_unit(void)
{
    struct pipe_fix f = {0};
    cycle_t t = 0;
    unsigned place = 99;
    open_pipe(&f, NULL);
    CU_ASSERT_FALSE(pipeline_mem_take(&f.p, AT, &t, &place));
    CU_ASSERT_EQUAL(pipeline_mem_issue(&f.p, &load, 0, AT), 0);
    CU_ASSERT_TRUE(pipeline_mem_take(&f.p, 0, &t, &place));
    CU_ASSERT(t == AT + 3 && place == 0);
    for (int i = 1; i < 5; i++) {
        CU_ASSERT_TRUE(pipeline_room(&f.p, CLASS_MEM) <= AT + (cycle_t)i);
        CU_ASSERT_EQUAL(pipeline_mem_issue(&f.p, &load, i, AT + (cycle_t)i), i);
    }
    CU_ASSERT_EQUAL(pipeline_room(&f.p, CLASS_MEM), CYCLE_NEVER);
    CU_ASSERT_TRUE(pipeline_mem_take(&f.p, AT + 50, &t, &place));
    CU_ASSERT(t == AT + 50 && place == 1);
    CU_ASSERT_EQUAL(pipeline_room(&f.p, CLASS_MEM), AT + 51);
    CU_ASSERT_TRUE(pipeline_mem_take(&f.p, AT + 50, &t, &place));
    CU_ASSERT(t == AT + 51 && place == 2); /* it comes in front of the unit in that cycle */
    pipeline_fini(&f.p);
}

SUITE("pipeline", T(an_instruction_takes_its_operands_and_latency),
      T(a_bank_serves_one_read_a_cycle), T(results_have_the_bank_first),
      T(units_and_buses_take_turns), T(there_is_room_when_a_collector_is_free),
      T(the_ldst_unit_writes_a_result_a_cycle), T(memory_instructions_wait_for_the_ldst_unit))
