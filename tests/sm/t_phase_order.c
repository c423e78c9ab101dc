/* The argument of Awatramani et al. (Figure 2 of the implementation report) as two kernels of three
 * phases each, medium short long and medium long short. Four groups of warps share a core, and a
 * group has it until the end of its phase: two-level with an active set of one. Which order wins
 * depends on the lengths, too: with the first kernel it is round robin again if the latency is so
 * short that long phases are ready before the last group's short one. */
#include "tests/sm/fixture.h"

#define GROUPS 4

/* Instructions of a phase. Each one begins with the value that the last one's load brings, and then
 * does `n` additions that need each other's results. */
static char *add_phase(char *at, int i, int n, bool last)
{
    if (i)
        at += sprintf(at, "add.s32 %%r20, %%r20, %%r%d;\n", i);
    for (int k = 0; k < n; k++)
        at += sprintf(at, "add.s32 %%r20, %%r20, 1;\n");
    return last ? at : at + sprintf(at, "ld.global.u32 %%r%d, [%%rd3+%d];\n", i + 1, i * 4096);
}

static cycle_t cycles(const char *outer, const int *length)
{
    static char body[100000];
    char order[64];
    struct fix f;
    snprintf(order, sizeof order, "two_level.outer=%s", outer);
    fix_init(&f, (const char *const[]){"schedulers=1", "warp_scheduler=two-level",
                                       "two_level.size=1", "l1d.enabled=false", order, NULL});
    f.net.latency = 600;
    char *at = body + sprintf(body, "ld.param.u64 %%rd1, [p]; mov.u32 %%r10, %%tid.x;\n"
                                    "mul.wide.u32 %%rd2, %%r10, 4; add.s64 %%rd3, %%rd1, %%rd2;\n"
                                    "mov.u32 %%r20, 0;\n");
    for (int i = 0; i < 3; i++)
        at = add_phase(at, i, length[i], i == 2);
    sprintf(at, "st.global.u32 [%%rd3+65536], %%r20; ret;");
    fix_kernel(&f, body);
    fix_run(&f, 1, 32 * GROUPS, 1); /* brings the code */
    fix_run(&f, 1, 32 * GROUPS, 1);
    const cycle_t c = f.cycles;
    fix_fini(&f);
    return c;
}

/* Alone, an addition takes some 10 cycles: phases of about 320, 120 and 400 cycles, and data 600
 * and some later. */
#define MEDIUM 31
#define SHORT  11
#define LONG   39

static bool within_percent(cycle_t got, cycle_t best, unsigned percent)
{
    return got * 100 <= best * (100 + percent);
}

/* Round robin begins no short phase before the last medium one is over, and then waits for the
 * first group's data (two short phases and what is left of the latency later); greedy then oldest
 * begins the first group's short phase between the medium ones, so that its long one can begin
 * earlier. */
static void short_before_long_suits_the_oldest_first(void)
{
    const int length[] = {MEDIUM, SHORT, LONG};
    const cycle_t rr = cycles("srr", length), gto = cycles("gto", length);
    CU_ASSERT_TRUE(within_percent(gto, rr, 0) && !within_percent(rr, gto, 4));
    CU_ASSERT_EQUAL(cycles("paws", length), gto);
}

/* Here four long phases cover the latency, so round robin hardly waits. Oldest first does the first
 * groups' long phases before the last group's medium one, whose two latencies nobody covers. */
static void long_before_short_suits_round_robin(void)
{
    const int length[] = {MEDIUM, LONG, SHORT};
    const cycle_t rr = cycles("srr", length), gto = cycles("gto", length);
    CU_ASSERT_TRUE(within_percent(rr, gto, 0) && !within_percent(gto, rr, 15));
    CU_ASSERT_TRUE(within_percent(cycles("paws", length), rr, 3));
}

SUITE("order of phases", T(short_before_long_suits_the_oldest_first),
      T(long_before_short_suits_round_robin))
