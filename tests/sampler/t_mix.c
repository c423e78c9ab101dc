#include "sampler/window/mix.h"
#include "tests/func/ptxrun.h"

struct counts {
    int of[MIX_COUNT], all;
};

static void on_step(void *user, const struct warp *w, const struct step *s)
{
    struct counts *c = user;
    (void)w;
    c->of[mix_of(s)]++;
    c->all++;
}

/* What `body` adds to an empty kernel, executed by one warp. */
static struct counts counts_of(const char *body)
{
    struct counts c[2] = {0};
    for (int i = 0; i < 2; i++) {
        char text[4096];
        struct ptxrun r;
        KERNEL_TEXT(text, i ? body : "");
        ptxrun_open(&r, text, 32, 8192);
        r.opts.on_step = on_step;
        r.opts.user = &c[i];
        CU_ASSERT_TRUE(ptxrun_go(&r));
        ptxrun_close(&r);
    }
    for (int k = 0; k < MIX_COUNT; k++)
        c[1].of[k] -= c[0].of[k];
    c[1].all -= c[0].all;
    return c[1];
}

/* Each line is `count` instructions, all of the one class. */
static void every_kind_has_its_class(void)
{
    static const struct {
        const char *body;
        enum mix_class mix;
        int count;
    } row[] = {
        {"add.s32 %r2, %r1, 1; mul.lo.s32 %r2, %r2, 3; div.s32 %r2, %r2, 3;", MIX_int, 3},
        {"mov.f32 %f1, 0f3F800000; selp.f64 %fd1, %fd2, %fd3, %p1; xor.b32 %r2, %r2, %r1;", MIX_int,
         3},
        {"cvt.rn.f32.s32 %f1, %r1; setp.lt.f32 %p1, %f1, %f2; fma.rn.f32 %f1, %f1, %f1, %f2;",
         MIX_float, 3},
        {"add.f64 %fd1, %fd1, %fd2; setp.lt.f64 %p1, %fd1, %fd2;", MIX_double, 2},
        {"sin.approx.f32 %f1, %f2; div.rn.f32 %f1, %f1, %f2; rcp.rn.f64 %fd1, %fd2;", MIX_sfu, 3},
        {"ld.global.u32 %r2, [%rd2]; ld.u32 %r2, [%rd2]; @%p1 ld.global.u32 %r2, [%rd2];",
         MIX_global_load, 3},
        {"st.global.u32 [%rd3], %r2; st.u32 [%rd3], %r2;", MIX_global_store, 2},
        {".shared .u32 s[32]; mov.u32 %r2, s; ld.shared.u32 %r3, [%r2]; st.shared.u32 [%r2], %r3;",
         MIX_shared, 2},
        {"ld.param.u64 %rd5, [in];", MIX_const, 1},
        {".local .u32 v; st.local.u32 [v], %r1; ld.local.u32 %r2, [v];", MIX_local, 2},
        {"atom.global.add.u32 %r2, [%rd1], 1; red.global.add.u32 [%rd1], 1;", MIX_atomic, 2},
        {"bar.sync 0; membar.gl;", MIX_barrier, 2},
        {"bra L; L: @!%p1 bra M; M: prefetch.global.L1 [%rd2];", MIX_control, 3},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct counts c = counts_of(row[i].body);
        if (c.of[row[i].mix] != row[i].count)
            printf("\n%s: %d\n", row[i].body, c.of[row[i].mix]);
        CU_ASSERT_EQUAL(c.of[row[i].mix], row[i].count);
    }
}

/* KERNEL's own head: two parameters, mov, mul.wide, add; its tail: ret. */
static void classes_add_up_to_all_instructions(void)
{
    struct counts c = {0};
    struct ptxrun r;
    int sum = 0;
    ptxrun_open(&r, HEADER KERNEL("add.s32 %r2, %r1, 1;"), 64, 8192);
    r.opts.on_step = on_step;
    r.opts.user = &c;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    for (int k = 0; k < MIX_COUNT; k++)
        sum += c.of[k];
    CU_ASSERT_EQUAL(sum, (int)r.counts.warp_insts);
    CU_ASSERT_EQUAL(c.of[MIX_const], 2 * 2);
    CU_ASSERT_EQUAL(c.of[MIX_int], 2 * 4);
    CU_ASSERT_EQUAL(c.of[MIX_control], 2 * 1);
    ptxrun_close(&r);
}

SUITE("mix", T(every_kind_has_its_class), T(classes_add_up_to_all_instructions))
