/* Which CTAs use memory in unlike ways, by hand. Each is one warp that loads four times, 128 bytes:
 * a near one the same line, a far one four lines that follow each other. */
#include "sampler/profile/memory_use.h"
#include "sim/gpu/gpu_cfg.h"
#include "tests/func/ptxrun.h"

#define INSTS (5 + 9 + 8 + 1)
/* FAR: %r3 = 1 where CTA %r2 is far, else 0. CTAs have four lines each, from line 4 c on. */
#define LOAD4(FAR)                                                                        \
    HEADER KERNEL("mov.u32 %r2, %ctaid.x;" FAR                                            \
                  "shl.b32 %r4, %r2, 9; cvt.u64.u32 %rd5, %r4; add.s64 %rd5, %rd3, %rd5;" \
                  "shl.b32 %r3, %r3, 7; cvt.u64.u32 %rd6, %r3;"                           \
                  "ld.global.u32 %r5, [%rd5]; add.s64 %rd5, %rd5, %rd6;"                  \
                  "ld.global.u32 %r5, [%rd5]; add.s64 %rd5, %rd5, %rd6;"                  \
                  "ld.global.u32 %r5, [%rd5]; add.s64 %rd5, %rd5, %rd6;"                  \
                  "ld.global.u32 %r5, [%rd5]; add.s64 %rd5, %rd5, %rd6;")
#define NEAR        "mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u32 %r4, 0;"
#define FAR         "mov.u32 %r3, 1; mov.u32 %r4, 0; mov.u32 %r4, 0;"
#define FAR_FROM_64 "setp.ge.u32 %p1, %r2, 64; selp.u32 %r3, 1, 0, %p1; mov.u32 %r4, 0;"
#define FAR_IF_ODD  "and.b32 %r3, %r2, 1; mov.u32 %r4, 0; mov.u32 %r4, 0;"

static void step(void *user, const struct warp *w, const struct step *st)
{
    memory_watch_step(user, w, st);
}

/* *uneven: NULL is fine. */
static struct memory_use watched(const char *text, int grid, bool *uneven)
{
    struct ptxrun r;
    struct gpu_cfg cfg;
    gpu_cfg_default(&cfg);
    ptxrun_open(&r, text, 32, 1 << 17);
    r.l.grid[0] = grid;
    struct memory_watch *m =
        memory_watch_new(&cfg, (uint64_t)grid, &sampling_or_default(NULL)->watch);
    struct func_opts o = {.on_step = step, .user = m};
    struct func_counts c = {0};
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err) && func_run(&r.l, &o, &c, &r.err));
    CU_ASSERT_EQUAL(c.warp_insts, (uint64_t)grid * INSTS);
    const struct memory_use u = memory_watch_mean(m);
    if (uneven)
        *uneven = memory_watch_uneven(m, &sampling_or_default(NULL)->similarity);
    memory_watch_free(m);
    ptxrun_close(&r);
    return u;
}

static void four_loads_of_a_line_or_of_four(void)
{
    const struct memory_use near = watched(LOAD4(NEAR), 100, NULL),
                            far = watched(LOAD4(FAR), 100, NULL);
    CU_ASSERT_DOUBLE_EQUAL(near.all, 4.0 / INSTS, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(far.all, 4.0 / INSTS, 1e-12);
    CU_ASSERT_EQUAL(near.stores, 0);
    for (int k = 0; k < MEMORY_USE_SIZES; k++) {
        CU_ASSERT_DOUBLE_EQUAL(near.missed[k], 1.0 / INSTS, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(far.missed[k], 4.0 / INSTS, 1e-12);
    }
    CU_ASSERT_EQUAL(near.strides[0], 0);
    CU_ASSERT_DOUBLE_EQUAL(far.strides[0], 3.0 / INSTS, 1e-12);
    CU_ASSERT_EQUAL(far.strides[1], 0); /* none is 8 lines on */
    CU_ASSERT_EQUAL(near.own, 1);
    CU_ASSERT_FALSE(memory_use_similar(&near, &far, &sampling_or_default(NULL)->similarity));
    CU_ASSERT_TRUE(memory_use_similar(&near, &near, &sampling_or_default(NULL)->similarity));
    /* Three transactions apart, of 0.25 for a warp instruction at least. */
    CU_ASSERT_DOUBLE_EQUAL(
        memory_use_difference(&near, &far, &sampling_or_default(NULL)->similarity),
        3.0 / INSTS / 0.25, 1e-12);
}

/* All CTAs load the lines of the first: a word more of each tells them apart. */
static void lines_that_all_load_are_not_their_own(void)
{
    const struct memory_use u =
        watched(LOAD4("mov.u32 %r3, 1; mov.u32 %r2, 0; mov.u32 %r4, 0;"), 8, NULL);
    CU_ASSERT_EQUAL(u.own, 0);
    const struct memory_use apart = watched(LOAD4(FAR), 8, NULL);
    CU_ASSERT_DOUBLE_EQUAL(
        memory_use_difference(&u, &apart, &sampling_or_default(NULL)->similarity),
        4.0 / INSTS / 0.25, 1e-12);
}

static struct memory_use glanced(struct memory_watch *m, const char *text, int grid)
{
    struct ptxrun r;
    ptxrun_open(&r, text, 32, 1 << 17);
    r.l.grid[0] = grid;
    struct func_opts o = {.on_step = step, .user = m};
    struct func_counts c = {0};
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err) && func_run(&r.l, &o, &c, &r.err));
    ptxrun_close(&r);
    return memory_watch_few_mean(m);
}

/* Of four CTAs in 128, two of which are beyond the 64th; of all, where there are fewer. A close
 * look says the same of them. */
static void a_glance_is_of_a_few_ctas(void)
{
    struct gpu_cfg cfg;
    gpu_cfg_default(&cfg);
    for (int grid = 1; grid <= 128; grid += grid < 8 ? 1 : 40) {
        struct memory_watch *few = memory_watch_new_few(&cfg, (uint64_t)grid,
                                                        &sampling_or_default(NULL)->watch),
                            *all = memory_watch_new(&cfg, (uint64_t)grid,
                                                    &sampling_or_default(NULL)->watch);
        int follows = 0;
        for (int cta = 0; cta < grid; cta++) {
            follows += memory_watch_follows(few, (uint64_t)cta);
            CU_ASSERT_TRUE(memory_watch_follows(all, (uint64_t)cta) ||
                           !memory_watch_follows(few, (uint64_t)cta));
        }
        CU_ASSERT_EQUAL(follows, grid < 4 ? grid : 4);
        const struct memory_use a = glanced(few, LOAD4(FAR_FROM_64), grid),
                                b = glanced(all, LOAD4(FAR_FROM_64), grid);
        CU_ASSERT_EQUAL(memory_use_difference(&a, &b, &sampling_or_default(NULL)->similarity), 0);
        CU_ASSERT_DOUBLE_EQUAL(a.missed[0], (grid == 128 ? 2.5 : 1) / INSTS, 1e-12);
        memory_watch_free(few);
        memory_watch_free(all);
    }
}

static int followed(struct memory_watch *m, int grid)
{
    int n = 0;
    for (int cta = 0; cta < grid; cta++)
        n += memory_watch_follows(m, (uint64_t)cta);
    memory_watch_free(m);
    return n;
}

static void the_table_says_how_many_are_looked_at(void)
{
    struct gpu_cfg cfg;
    struct watch_params by = sampling_or_default(NULL)->watch;
    gpu_cfg_default(&cfg);
    by.ctas = 40;
    by.few = 2;
    CU_ASSERT_EQUAL(followed(memory_watch_new(&cfg, 100, &by), 100), 40);
    CU_ASSERT_EQUAL(followed(memory_watch_new(&cfg, 30, &by), 30), 30);
    CU_ASSERT_EQUAL(followed(memory_watch_new_few(&cfg, 100, &by), 100), 2);
}

/* 32 of 128 CTAs are looked at: the first 16 of them load near lines, the rest far ones. */
static void a_launch_that_begins_otherwise_is_uneven(void)
{
    bool uneven;
    watched(LOAD4(FAR_FROM_64), 128, &uneven);
    CU_ASSERT_TRUE(uneven);
    watched(LOAD4(FAR), 128, &uneven);
    CU_ASSERT_FALSE(uneven);
}

/* Unlike CTAs all over the grid are no beginning; so are too few to tell. */
static void a_mixture_is_even(void)
{
    static const struct {
        const char *text;
        int grid;
    } cases[] = {{LOAD4(FAR_IF_ODD), 33}, {LOAD4(FAR_IF_ODD), 3}, {LOAD4(FAR), 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool uneven;
        watched(cases[i].text, cases[i].grid, &uneven);
        CU_ASSERT_FALSE(uneven);
    }
    CU_ASSERT_FALSE(memory_watch_uneven(NULL, &sampling_or_default(NULL)->similarity));
}

SUITE("memory_use", T(four_loads_of_a_line_or_of_four), T(lines_that_all_load_are_not_their_own),
      T(a_glance_is_of_a_few_ctas), T(a_launch_that_begins_otherwise_is_uneven),
      T(a_mixture_is_even), T(the_table_says_how_many_are_looked_at))
