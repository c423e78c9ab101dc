/* The re-execution queue of the LD/ST unit, and instructions that are fetched ahead: packets leave
 * the core in the order that the rules of Park et al., ELF, 2015, 3.4 and 3.5 allow. */
#include "tests/sm/fixture.h"

#define NEWCAR   "reexecution=newcar"
#define CAR      "reexecution=car"
#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

/* What was sent, a letter each, from the first data packet on: places of the buffer 128 bytes apart
 * are a, b, c ...; stores and atomics are capital letters; constants are 0, 1 ... by 64 bytes. */
static void sent(const struct fix *f, char *to)
{
    bool any = false;
    for (int i = 0; i < f->net.sent; i++) {
        const struct mem_req *r = &f->net.log[i];
        const bool data = r->addr >= f->buffer && r->addr < f->buffer + (1 << 20);
        const char place = (char)((r->addr - f->buffer) / 128);
        any |= data;
        if (data)
            *to++ = (char)((r->write || r->kind == REQ_ATOMIC ? 'A' : 'a') + place);
        else if (any && r->kind == REQ_CONST_READ)
            *to++ = '*';
    }
    *to = '\0';
}

/* The network takes nothing from the first packet of place 0 on, for 200 cycles, if `closes`. */
static void run_closing(struct fix *f, int warps, bool closes)
{
    struct err e = {""};
    cycle_t opens = CYCLE_NEVER;
    f->launch.grid[0] = f->launch.grid[1] = f->launch.grid[2] = 1;
    f->launch.block[0] = warps * WARP_SIZE;
    f->launch.block[1] = f->launch.block[2] = 1;
    CU_ASSERT_TRUE_FATAL(launch_init(&f->launch, &e));
    fix_launch(f, 1, false);
    sm_start_cta(f->sm, 0, f->net.now);
    while (!fix_take_ended(f->sm) && f->net.now < 100000) {
        const int before = f->net.sent;
        fix_step(f);
        if (closes && opens == CYCLE_NEVER && f->net.sent > before &&
            f->net.log[before].addr == f->buffer) {
            f->net.closed = true;
            opens = f->net.now + 200;
        }
        if (f->net.now++ >= opens)
            f->net.closed = false;
    }
    f->cycles = f->net.now;
    sm_stats(f->sm, f->net.now, &f->st);
}

static void leaves(const char *body, int warps, bool closes, const char *const *set,
                   const char *want)
{
    struct fix f;
    char got[256];
    fix_init(&f, set);
    fix_kernel(&f, body);
    run_closing(&f, warps, closes);
    sent(&f, got);
    CU_ASSERT_STRING_EQUAL(got, want);
    if (strcmp(got, want) != 0)
        fprintf(stderr, "%s: sent %s, not %s\n", set[0], got, want);
    fix_fini(&f);
}

/* rd1: the buffer. One collector unit keeps the order of the code. */
#define START      "ld.param.u64 %rd1, [p];"
#define ONE_MSHR   "l1d.mshrs=1", "collector.mem_units=1"
#define TWO_PLACES "l1d.miss_queue=2", "collector.mem_units=1"

/* With one MSHR the load of b waits for a's reply. */
static void a_load_passes_a_load(void)
{
    static const char body[] = START "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+128];\n"
                                     "ld.const.u32 %r3, [ctab+512]; exit;";
    leaves(body, 1, false, SET("reexecution=none", ONE_MSHR), "ab*");
    leaves(body, 1, false, SET(NEWCAR, ONE_MSHR), "a*b");
    leaves(body, 1, false, SET(CAR, ONE_MSHR), "ab*"); /* one a warp */
}

static void a_store_passes_nothing_of_its_warp(void)
{
    static const char body[] = START "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+128];\n"
                                     "st.global.u32 [%rd1+256], %r9; exit;";
    leaves(body, 1, false, SET(NEWCAR, ONE_MSHR), "abC");
}

/* An atomic goes past L1D, and counts as a store all the same; one that was refused is passed by
 * nothing. */
static void an_atomic_is_a_store(void)
{
    static const char behind[] = START "mov.u32 %r9, %tid.x; setp.eq.u32 %p1, %r9, 0;\n"
                                       "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+128];\n"
                                       "@%p1 atom.global.add.u32 %r3, [%rd1+256], 1; exit;";
    static const char before[] =
        START "mov.u32 %r9, %tid.x; setp.eq.u32 %p1, %r9, 0;\n"
              "ld.global.u32 %r1, [%rd1]; @%p1 atom.global.add.u32 %r3, [%rd1+256], 1;\n"
              "ld.const.u32 %r2, [ctab+512]; exit;";
    leaves(behind, 1, false, SET(NEWCAR, ONE_MSHR), "abC");
    leaves(before, 1, true, SET(NEWCAR, ONE_MSHR), "aC*");
}

/* The network is closed behind a: b fills one place of the miss queue of two, C the other, D finds
 * none and waits until b has left. Then the constant may go, and overtakes D in a miss queue of its
 * own; another warp's leaves first. */
static void nothing_passes_a_store_of_its_warp(void)
{
    static const char body[] =
        START "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+128];\n"
              "st.global.u32 [%rd1+256], %r9; st.global.u32 [%rd1+384], %r9;\n"
              "ld.const.u32 %r3, [ctab+512]; exit;";
    leaves(body, 1, true, SET(NEWCAR, TWO_PLACES), "abC*D");
    leaves(body, 1, true, SET(CAR, TWO_PLACES), "abC*D");
}

/* Warp 0 loads a, then b, which waits; warp 1 (some divisions later) wants the constant. */
static const char two_warps[] =
    START "mov.u32 %r9, %tid.x; setp.ge.u32 %p1, %r9, 32; @%p1 bra B;\n"
          "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+128]; exit;\n"
          "B: div.s32 %r9, %r9, 3; add.u32 %r9, %r9, 1; ld.const.u32 %r3, [ctab+512]; exit;";

static void warps_pass_each_other(void)
{
    leaves(two_warps, 2, false, SET("reexecution=none", ONE_MSHR, "schedulers=1"), "ab*");
    leaves(two_warps, 2, false, SET(NEWCAR, ONE_MSHR, "schedulers=1"), "a*b");
    leaves(two_warps, 2, false, SET(CAR, ONE_MSHR, "schedulers=1"), "a*b");
}

static void a_full_queue_stops_the_unit(void)
{
    leaves(two_warps, 2, false, SET(NEWCAR, "reexecution_entries=1", ONE_MSHR, "schedulers=1"),
           "ab*");
    leaves(two_warps, 2, false, SET(NEWCAR, "reexecution_entries=2", ONE_MSHR, "schedulers=1"),
           "a*b");
}

/* a is on its way; b, c and d wait. Each reply frees the MSHR for whoever is tried next: the
 * refused go round, one a cycle. */
static void the_queue_goes_round(void)
{
    struct fix f;
    struct sched_counts c = {0};
    fix_init(&f, SET(NEWCAR, ONE_MSHR));
    fix_kernel(&f, START "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+128];\n"
                         "ld.global.u32 %r3, [%rd1+256]; ld.global.u32 %r4, [%rd1+384]; exit;");
    run_closing(&f, 1, false);
    sm_sched_counts(f.sm, &c);
    CU_ASSERT_EQUAL_FATAL(c.n, 2);
    CU_ASSERT_STRING_EQUAL(sched_counter_rows[c.row[0].what].name, "reexecution_queued");
    CU_ASSERT_EQUAL(c.row[0].n, 3);
    CU_ASSERT_STRING_EQUAL(sched_counter_rows[c.row[1].what].name, "reexecution_tries");
    /* refused when they came, and at every try but the three that were taken */
    CU_ASSERT_EQUAL(f.st.l1d_fail_mshr, 3 + c.row[1].n - 3);
    CU_ASSERT_EQUAL(f.st.l1d_misses, 4);
    CU_ASSERT_TRUE(c.row[1].n > 250 && c.row[1].n < 330); /* three waits of some 105 cycles */
    fix_fini(&f);
}

/* fence_stores=false lets a fence pass stores that are on their way, not those that still wait
 * here. The clock is read behind it: later than D left. */
static void a_fence_waits_for_what_is_queued(void)
{
    struct fix f;
    uint32_t clock = 0;
    cycle_t left = 0;
    fix_init(&f, SET(NEWCAR, TWO_PLACES, "fence_stores=false"));
    fix_kernel(&f, START "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+128];\n"
                         "st.global.u32 [%rd1+256], %r9; st.global.u32 [%rd1+384], %r9;\n"
                         "membar.gl; mov.u32 %r5, %clock; st.global.u32 [%rd1+512], %r5; exit;");
    run_closing(&f, 1, true);
    for (int i = 0; i < f.net.sent; i++)
        if (f.net.log[i].addr == f.buffer + 384)
            left = f.net.log[i].stamp[STAGE_ICNT_IN];
    CU_ASSERT_TRUE(devmem_read(f.mem, f.buffer + 512, &clock, sizeof clock));
    CU_ASSERT_TRUE(left > 200 && clock > left);
    fix_fini(&f);
}

/* ---- Instructions ---- */
struct code_run {
    int lines;
    uint64_t prefetches, misses;
    cycle_t cycles, second; /* in all; from the first line's request to the second's */
};

/* 64 instructions, which are four lines. */
static struct code_run run_code(const char *const *set)
{
    struct fix f;
    struct sched_counts c = {0};
    char body[64 * 24] = "";
    fix_init(&f, set);
    for (int i = 0; i < 63; i++)
        strcat(body, "add.u32 %r9, %r9, 1;");
    strcat(body, "exit;");
    fix_kernel(&f, body);
    run_closing(&f, 1, false);
    for (int i = 0; i < f.net.sent; i++) {
        CU_ASSERT_EQUAL(f.net.log[i].kind, REQ_INST_READ);
        CU_ASSERT_EQUAL(f.net.log[i].addr, SM_CODE_BASE + (addr_t)(128 * i)); /* none twice */
    }
    sm_sched_counts(f.sm, &c);
    if (c.n)
        CU_ASSERT_STRING_EQUAL(sched_counter_rows[c.row[0].what].name, "inst_prefetches");
    const struct code_run r = {f.net.sent, c.row[0].n, f.st.l1i_misses, f.cycles,
                               f.net.log[1].stamp[STAGE_ICNT_IN] -
                                   f.net.log[0].stamp[STAGE_ICNT_IN]};
    while (!sm_drained(f.sm)) {
        fix_step(&f);
        f.net.now++;
    }
    fix_fini(&f);
    return r;
}

/* Each line is asked for with the first access to the one before it, the fifth too, which lies
 * behind the end. The 16 dependent instructions of a line take longer than the 100 cycles of the
 * next one: three waits are saved; some cycles of each were hidden before. */
static void the_next_line_is_fetched_ahead(void)
{
    const struct code_run none = run_code(SET("inst_prefetch=0")),
                          some = run_code(SET("inst_prefetch=16"));
    CU_ASSERT_EQUAL(none.lines, 4);
    CU_ASSERT_EQUAL(none.misses, 4);
    CU_ASSERT_EQUAL(none.prefetches, 0);
    CU_ASSERT_EQUAL(some.lines, 5);
    CU_ASSERT_EQUAL(some.prefetches, 4);
    CU_ASSERT_EQUAL(some.second, 1); /* one packet a cycle */
    CU_ASSERT_EQUAL(none.cycles - some.cycles, 3 * 94);
}

/* The miss itself occupies the one MSHR that would have to be free: only accesses that hit, when
 * nothing is on its way, fetch ahead. */
static void nothing_is_fetched_ahead_while_mshrs_are_occupied(void)
{
    const struct code_run one = run_code(SET("inst_prefetch=1"));
    CU_ASSERT_EQUAL(one.prefetches, 4);
    CU_ASSERT_EQUAL(one.lines, 5);
    CU_ASSERT_TRUE(one.second > 100); /* when the first has come */
    /* two loads occupy two MSHRs of L1D */
    struct sched_counts c = {0};
    struct fix f;
    fix_init(&f, SET("inst_prefetch=2", "collector.mem_units=1"));
    fix_kernel(&f, START "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+128];\n"
                         "add.u32 %r3, %r1, %r2; exit;");
    run_closing(&f, 1, false);
    sm_sched_counts(f.sm, &c);
    CU_ASSERT_EQUAL(c.row[0].n, 1); /* with the first miss alone: one MSHR below two */
    fix_fini(&f);
}

SUITE("re-execution and prefetch", T(a_load_passes_a_load), T(a_store_passes_nothing_of_its_warp),
      T(an_atomic_is_a_store), T(nothing_passes_a_store_of_its_warp), T(warps_pass_each_other),
      T(a_full_queue_stops_the_unit), T(the_queue_goes_round), T(a_fence_waits_for_what_is_queued),
      T(the_next_line_is_fetched_ahead), T(nothing_is_fetched_ahead_while_mshrs_are_occupied))
