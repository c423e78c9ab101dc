/* Behaviour of the whole core: accounting, sleeping, barriers, stores, order of issue. */
#include "tests/sm/fixture.h"

/* A bit of everything: loads that miss and merge, stores, shared memory, a barrier, divergence,
 * integer division, local memory, an atomic. */
static const char mixed[] =
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
    "mad.lo.s32 %r4, %r2, %r3, %r1; mul.wide.s32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "mov.u32 %r20, 0;\n"
    "L: ld.global.u32 %r5, [%rd3]; add.s32 %r5, %r5, %r4; shl.b32 %r6, %r1, 2; mov.u32 %r7, sh;\n"
    "add.s32 %r6, %r6, %r7; st.shared.u32 [%r6], %r5; bar.sync 0; ld.shared.u32 %r8, [%r6];\n"
    "and.b32 %r9, %r1, 3; setp.eq.s32 %p1, %r9, 0; @%p1 bra E; div.s32 %r8, %r8, 3;\n"
    "E: st.local.u32 [lo+4], %r8; ld.local.u32 %r10, [lo+4]; st.global.u32 [%rd3+65536], %r10;\n"
    "@%p1 red.global.add.u32 [%rd1+524288], 1; ld.global.u32 %r11, [%rd3+131072];\n"
    "add.s32 %r20, %r20, 1; setp.lt.s32 %p2, %r20, 6; @%p2 bra L; ret;";

static uint64_t causes(const struct run_stats *s)
{
    return s->sched_issued + s->sched_idle + s->sched_barrier + s->sched_fetch + s->sched_mem_dep +
           s->sched_alu_dep + s->sched_mem_unit + s->sched_alu_unit + s->sched_policy;
}

static void run_mixed(struct fix *f, const char *const *settings, int limit)
{
    fix_init(f, settings);
    fix_kernel(f, mixed);
    fix_run(f, 9, 96, limit);
}

static void every_scheduler_cycle_has_one_cause(void)
{
    for (int limit = 1; limit <= 8; limit += 7) {
        struct fix f;
        run_mixed(&f, NULL, limit);
        CU_ASSERT_EQUAL(causes(&f.st), f.st.sched_cycles);
        CU_ASSERT_EQUAL(f.st.sched_cycles, 2 * f.st.busy_core_cycles);
        CU_ASSERT_EQUAL(f.st.sched_issued, f.st.warp_insts);
        CU_ASSERT_TRUE(f.st.sched_barrier > 0 && f.st.sched_mem_dep > 0 && f.st.sched_alu_dep > 0);
        CU_ASSERT_EQUAL(f.st.active_cycles + f.st.stalled_cycles + f.st.c_mem_cycles +
                            f.st.c_idle_cycles,
                        f.cycles);
        CU_ASSERT_EQUAL(f.st.ctas, 9);
        fix_fini(&f);
    }
}

static void sleeping_changes_nothing(void)
{
    static const char few[] = "l1d.mshrs=2", merges[] = "l1d.merges=2";
    static const char *const settings[][6] = {
        {NULL},
        {few, merges},
        {few, merges, "reexecution=newcar"},
        {few, merges, "reexecution=newcar", "reexecution_entries=3", "fence_stores=false"},
        {few, merges, "reexecution=car", "l1d.hit_latency=9"},
        {"l1d.miss_queue=2", "reexecution=newcar", "l1c.size=256", "l1c.ways=1"},
        {few, "warp_scheduler=elf++", "l1i.size=512", "l1i.ways=1"},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (int limit = 1; limit <= 8; limit += 7) {
            const char *awake[8] = {"tick_every_cycle=true"};
            struct fix a, b;
            struct sched_counts counted_a = {0}, counted_b = {0};
            memcpy(awake + 1, settings[i], sizeof settings[i]);
            run_mixed(&a, settings[i], limit);
            run_mixed(&b, awake, limit);
            sm_sched_counts(a.sm, &counted_a);
            sm_sched_counts(b.sm, &counted_b);
            CU_ASSERT_EQUAL(a.cycles, b.cycles);
            CU_ASSERT_EQUAL(memcmp(&a.st, &b.st, sizeof a.st), 0);
            CU_ASSERT_EQUAL(memcmp(&counted_a, &counted_b, sizeof counted_a), 0);
            if (settings[i][0] == few)
                CU_ASSERT_TRUE(a.st.l1d_fail_mshr + a.st.l1d_fail_merge > 0);
            fix_fini(&a);
            fix_fini(&b);
        }
}

static void same_bits_on_every_run(void)
{
    struct fix a, b;
    run_mixed(&a, NULL, 3);
    run_mixed(&b, NULL, 3);
    CU_ASSERT_EQUAL(memcmp(&a.st, &b.st, sizeof a.st), 0);
    fix_fini(&a);
    fix_fini(&b);
}

/* A module is unloaded and another loaded, whose kernel may lie where the first one's did: its code
 * lies behind that, and no cache holds it. */
static void code_of_an_unloaded_module_is_not_anothers(void)
{
    const char *const line[] = {"l1i.line=32", NULL}; /* four instructions */
    struct fix f;
    fix_init(&f, line);
    for (addr_t i = 0; i < 3; i++) {
        const int sent = f.net.sent;
        fix_kernel(&f, "ld.param.u64 %rd1, [p]; add.u64 %rd2, %rd1, 1;\n"
                       "st.global.u64 [%rd1], %rd2; ret;");
        fix_run(&f, 1, 32, 1);
        addr_t first = 0;
        for (int j = f.net.sent; j-- > sent;)
            if (f.net.log[j].kind == REQ_INST_READ)
                first = f.net.log[j].addr;
        CU_ASSERT_EQUAL(first, SM_CODE_BASE + i * 32);
    }
    fix_fini(&f);
}

static void both_policies_run_the_same_instructions(void)
{
    const char *const lrr[] = {"warp_scheduler=lrr", NULL};
    const char *const four[] = {"schedulers=4", NULL};
    struct fix a, b, c;
    run_mixed(&a, NULL, 8);
    run_mixed(&b, lrr, 8);
    run_mixed(&c, four, 8);
    CU_ASSERT_EQUAL(a.st.warp_insts, b.st.warp_insts);
    CU_ASSERT_EQUAL(a.st.thread_insts, b.st.thread_insts);
    CU_ASSERT_EQUAL(a.st.warp_insts, c.st.warp_insts);
    CU_ASSERT_EQUAL(c.st.sched_cycles, 4 * c.st.busy_core_cycles);
    fix_fini(&a);
    fix_fini(&b);
    fix_fini(&c);
}

static cycle_t cycles_at(const char *body, cycle_t latency)
{
    struct fix f;
    fix_init(&f, NULL);
    f.net.latency = latency;
    fix_kernel(&f, body);
    fix_run(&f, 1, 32, 1);
    const cycle_t c = f.cycles;
    fix_fini(&f);
    return c;
}

/* Three round trips: the first block of code and the parameter, then the store's acknowledgement.
 */
static void a_warp_retires_when_its_store_is_acknowledged(void)
{
    const char *body = "ld.param.u64 %rd1, [p]; st.global.u64 [%rd1], %rd1; ret;";
    CU_ASSERT_EQUAL(cycles_at(body, 500) - cycles_at(body, 100), 3 * 400);
}

/* Only the code and the parameter are waited for: nobody uses the value. */
static void a_load_in_flight_keeps_the_warp(void)
{
    const char *body = "ld.param.u64 %rd1, [p]; ld.global.u64 %rd2, [%rd1]; ret;";
    CU_ASSERT_EQUAL(cycles_at(body, 500) - cycles_at(body, 100), 3 * 400);
}

/* Nobody waits for a reduction but the end of the warp, and a fence. */
static void a_warp_retires_when_its_reductions_are_back(void)
{
    const char *end = "ld.param.u64 %rd1, [p]; red.global.add.u32 [%rd1], 1; ret;";
    const char *two = "ld.param.u64 %rd1, [p]; red.global.add.u32 [%rd1], 1;\n"
                      "red.global.add.u32 [%rd1+4], 1; ret;";
    const char *fence = "ld.param.u64 %rd1, [p]; red.global.add.u32 [%rd1], 1; membar.gl;\n"
                        "red.global.add.u32 [%rd1+4], 1; ret;";
    CU_ASSERT_EQUAL(cycles_at(end, 500) - cycles_at(end, 100), 3 * 400);
    CU_ASSERT_EQUAL(cycles_at(two, 500) - cycles_at(two, 100), 3 * 400);
    CU_ASSERT_EQUAL(cycles_at(fence, 500) - cycles_at(fence, 100), 4 * 400);
}

static void a_fence_waits_for_stores_unless_told_otherwise(void)
{
    static const char body[] = "ld.param.u64 %rd1, [p]; st.global.u64 [%rd1], %rd1; membar.gl;\n"
                               "ld.global.u64 %rd2, [%rd1]; ret;";
    const char *const loads_only[] = {"fence_stores=false", NULL};
    struct fix a, b;
    fix_init(&a, NULL);
    fix_kernel(&a, body);
    fix_run(&a, 1, 32, 1);
    fix_init(&b, loads_only);
    fix_kernel(&b, body);
    fix_run(&b, 1, 32, 1);
    CU_ASSERT_TRUE(a.cycles > b.cycles + 80 && a.cycles < b.cycles + 120);
    fix_fini(&a);
    fix_fini(&b);
}

static void latency_is_counted_from_the_cache_to_the_core(void)
{
    struct fix f;
    fix_init(&f, NULL);
    fix_kernel(&f, "ld.param.u64 %rd1, [p]; ld.global.u64 %rd2, [%rd1]; st.global.u64 [%rd1], %rd2;"
                   "ret;");
    fix_run(&f, 1, 32, 1);
    /* 1 cycle from the access to the network, 100 there, 1 in the buffer in front of the core */
    CU_ASSERT_EQUAL(f.st.mf_latency_count, 1);
    CU_ASSERT_EQUAL(f.st.mf_latency_sum, 102);
    CU_ASSERT_EQUAL(f.st.mf_latency_max, 102);
    CU_ASSERT_EQUAL(f.st.mem_latency_count, 3); /* the parameter and the acknowledgement too */
    CU_ASSERT_EQUAL(f.st.mem_latency_sum, 3 * 102);
    fix_fini(&f);
}

static void a_barrier_waits_for_the_slowest_warp(void)
{
    struct fix f;
    fix_init(&f, NULL);
    fix_kernel(&f, "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; mov.u32 %r2, 9;\n"
                   "@!%p1 bra B; div.s32 %r2, %r2, 3; div.s32 %r2, %r2, 3; div.s32 %r2, %r2, 3;\n"
                   "div.s32 %r2, %r2, 3; add.s32 %r2, %r2, 1;\n"
                   "B: bar.sync 0; ret;");
    fix_run(&f, 1, 64, 1);
    /* the second scheduler has one warp, which waits for four divisions of the other's */
    CU_ASSERT_TRUE(f.st.sched_barrier > 4 * 151 - 20 && f.st.sched_barrier < 4 * 151 + 20);
    fix_fini(&f);
}

static void a_barrier_that_cannot_be_met_is_found(void)
{
    struct fix f;
    struct err e;
    fix_init(&f, NULL);
    fix_kernel(&f, "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra B; bar.sync 1, 96;\n"
                   "ret;\nB: bar.sync 0; ret;");
    f.launch.grid[0] = f.launch.grid[1] = f.launch.grid[2] = 1;
    f.launch.block[0] = 64;
    f.launch.block[1] = f.launch.block[2] = 1;
    CU_ASSERT_TRUE(launch_init(&f.launch, &e));
    fix_launch(&f, 1, false);
    sm_start_cta(f.sm, 0, f.net.now++);
    for (int i = 0; i < 3000; i++, f.net.now++)
        fix_step(&f);
    CU_ASSERT_TRUE(sm_diagnose_hang(f.sm));
    CU_ASSERT_PTR_NOT_NULL_FATAL(sm_fault(f.sm));
    CU_ASSERT_EQUAL(sm_fault(f.sm)->kind, FAULT_BARRIER_DEADLOCK);
    fix_fini(&f);
}

static void a_fault_stops_the_core(void)
{
    struct fix f;
    struct err e;
    fix_init(&f, NULL);
    fix_kernel(&f, "mov.u64 %rd1, 64; st.global.u32 [%rd1], %r1; ret;");
    f.launch.grid[0] = f.launch.grid[1] = f.launch.grid[2] = 1;
    f.launch.block[0] = f.launch.block[1] = f.launch.block[2] = 1;
    CU_ASSERT_TRUE(launch_init(&f.launch, &e));
    fix_launch(&f, 1, false);
    sm_start_cta(f.sm, 0, f.net.now++);
    for (int i = 0; i < 3000; i++, f.net.now++)
        fix_step(&f);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sm_fault(f.sm));
    CU_ASSERT_EQUAL(sm_fault(f.sm)->kind, FAULT_OUT_OF_BOUNDS);
    fix_fini(&f);
}

static void a_core_whose_warps_wait_sleeps(void)
{
    struct fix f;
    struct err e;
    int ticks = 0;
    fix_init(&f, NULL);
    f.net.latency = 5000;
    fix_kernel(&f,
               "ld.param.u64 %rd1, [p]; ld.global.u64 %rd2, [%rd1]; add.s64 %rd2, %rd2, 1; ret;");
    f.launch.grid[0] = f.launch.grid[1] = f.launch.grid[2] = 1;
    f.launch.block[0] = 32;
    f.launch.block[1] = f.launch.block[2] = 1;
    CU_ASSERT_TRUE(launch_init(&f.launch, &e));
    fix_launch(&f, 1, false);
    sm_start_cta(f.sm, 0, f.net.now++);
    for (; !fix_take_ended(f.sm); f.net.now++) {
        ticks += sm_wake_at(f.sm, f.net.now) <= f.net.now;
        fix_step(&f);
    }
    CU_ASSERT_TRUE(f.net.now > 15000 && ticks < 60);
    fix_fini(&f);
}

static void packets_are_shrunk_but_lines_are_read_whole(void)
{
    struct fix f;
    fix_init(&f, NULL);
    fix_kernel(&f, "ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1+160];\n"
                   "ld.global.cg.u32 %r2, [%rd1+256]; st.global.u32 [%rd1+420], %r1; ret;");
    fix_run(&f, 1, 32, 1);
    const struct mem_req *load = NULL, *past = NULL, *store = NULL;
    for (int i = 0; i < f.net.sent; i++) {
        const struct mem_req *r = &f.net.log[i];
        if (r->kind == REQ_GLOBAL_READ && !r->bypass_l1)
            load = r;
        if (r->kind == REQ_GLOBAL_READ && r->bypass_l1)
            past = r;
        if (r->kind == REQ_GLOBAL_WRITE)
            store = r;
    }
    CU_ASSERT_TRUE_FATAL(load && past && store);
    CU_ASSERT_EQUAL(load->addr - f.buffer, 128);
    CU_ASSERT_EQUAL(load->bytes, 128);
    CU_ASSERT_EQUAL(load->flits, 1);
    CU_ASSERT_EQUAL(past->addr - f.buffer, 256);
    CU_ASSERT_EQUAL(past->bytes, 32);
    CU_ASSERT_EQUAL(store->addr - f.buffer, 416);
    CU_ASSERT_EQUAL(store->bytes, 32);
    CU_ASSERT_EQUAL(store->flits, 2);
    CU_ASSERT_EQUAL(f.st.mem_reads, 2);
    CU_ASSERT_EQUAL(f.st.mem_writes, 1);
    fix_fini(&f);
}

static int reads_of_vector_load(bool first_element)
{
    const char *const settings[] = {
        first_element ? "vector_first_element=true" : "vector_first_element=false", NULL};
    struct fix f;
    fix_init(&f, settings);
    fix_kernel(&f,
               "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 8;\n"
               "add.s64 %rd1, %rd1, %rd2; ld.global.cg.v2.u32 {%r2, %r3}, [%rd1];\n"
               "setp.lt.u32 %p1, %r1, 4; @%p1 ld.global.cg.v2.u32 {%r2, %r3}, [%rd1+4096]; ret;");
    fix_run(&f, 1, 32, 1);
    int bytes = 0;
    for (int i = 0; i < f.net.sent; i++)
        if (f.net.log[i].kind == REQ_GLOBAL_READ)
            bytes += (int)f.net.log[i].bytes;
    fix_fini(&f);
    return bytes;
}

/* 32 lanes x 8 bytes are two lines either way; 4 lanes reach bytes 0..31, by first elements 0..27.
 */
static void vector_accesses_are_timed_whole(void)
{
    CU_ASSERT_EQUAL(reads_of_vector_load(false), 256 + 32);
    CU_ASSERT_EQUAL(reads_of_vector_load(true), 256 + 32);
}

/* Word 1 of 64 threads in slot 0 of core 0, of one slot and core: 256 bytes behind word 0. */
static void local_memory_is_interleaved_by_thread(void)
{
    struct fix f;
    addr_t base = 0;
    int n = 0;
    fix_init(&f, NULL);
    fix_kernel(&f, "st.local.u32 [lo], 7; st.local.u32 [lo+4], 8; ret;");
    fix_run(&f, 1, 64, 1);
    for (int i = 0; i < f.net.sent; i++) {
        const struct mem_req *r = &f.net.log[i];
        if (r->kind != REQ_LOCAL_WRITE)
            continue;
        CU_ASSERT_EQUAL(r->bytes, 128);
        base = n++ && base < r->addr ? base : r->addr;
    }
    CU_ASSERT_EQUAL(n, 4);
    for (int i = 0; i < f.net.sent; i++)
        if (f.net.log[i].kind == REQ_LOCAL_WRITE)
            CU_ASSERT_TRUE(f.net.log[i].addr - base < 512);
    fix_fini(&f);
}

static void caches_can_be_switched_off(void)
{
    const char *const off[] = {"l1d.enabled=false", "l1c.enabled=false", "l1i.enabled=false", NULL};
    struct fix a, b;
    run_mixed(&a, off, 8);
    run_mixed(&b, NULL, 8);
    CU_ASSERT_EQUAL(a.st.warp_insts, b.st.warp_insts);
    CU_ASSERT_EQUAL(a.st.l1d_accesses + a.st.l1i_accesses + a.st.l1c_accesses, 0);
    CU_ASSERT_TRUE(a.cycles > b.cycles);
    fix_fini(&a);
    fix_fini(&b);
}

static void working_set_is_the_lines_of_a_cta(void)
{
    struct fix f;
    struct err e;
    fix_init(&f, NULL);
    fix_kernel(&f,
               "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
               "add.s64 %rd1, %rd1, %rd2; ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd1];\n"
               "ld.global.u32 %r4, [%rd1+4096]; ret;");
    f.launch.grid[0] = 2;
    f.launch.grid[1] = f.launch.grid[2] = 1;
    f.launch.block[0] = 64;
    f.launch.block[1] = f.launch.block[2] = 1;
    CU_ASSERT_TRUE(launch_init(&f.launch, &e));
    fix_launch(&f, 2, true);
    sm_start_cta(f.sm, 0, f.net.now);
    sm_start_cta(f.sm, 1, f.net.now++);
    for (int done = 0; done < 2; f.net.now++) {
        fix_step(&f);
        done += fix_take_ended(f.sm);
    }
    sm_stats(f.sm, f.net.now, &f.st);
    CU_ASSERT_EQUAL(f.st.working_set_lines, 4); /* 2 warps x 2 places, each CTA the same */
    CU_ASSERT_EQUAL(f.st.ctas, 2);
    fix_fini(&f);
}

SUITE("core", T(every_scheduler_cycle_has_one_cause), T(sleeping_changes_nothing),
      T(same_bits_on_every_run), T(code_of_an_unloaded_module_is_not_anothers),
      T(both_policies_run_the_same_instructions), T(a_warp_retires_when_its_store_is_acknowledged),
      T(a_load_in_flight_keeps_the_warp), T(a_warp_retires_when_its_reductions_are_back),
      T(a_fence_waits_for_stores_unless_told_otherwise),
      T(latency_is_counted_from_the_cache_to_the_core), T(a_barrier_waits_for_the_slowest_warp),
      T(a_barrier_that_cannot_be_met_is_found), T(a_fault_stops_the_core),
      T(a_core_whose_warps_wait_sleeps), T(packets_are_shrunk_but_lines_are_read_whole),
      T(vector_accesses_are_timed_whole), T(local_memory_is_interleaved_by_thread),
      T(caches_can_be_switched_off), T(working_set_is_the_lines_of_a_cta))
