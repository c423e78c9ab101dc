/* Phases of a kernel and their distances (Awatramani et al.), and the order that follows. */
#include "sim/sm/sched/phases.h"

#include "base/datadir.h"
#include "tests/sm/fixture.h"
#include "tests/sm/scene.h"

static struct phases *phases_of(struct fix *f, const char *body)
{
    struct err e = {""};
    char *data = datadir(&e);
    fix_init(f, NULL);
    CU_ASSERT_TRUE_FATAL(data && gpu_cfg_load(&f->cfg, data, "awatramani2015", &e));
    free(data);
    fix_kernel(f, body);
    const struct kernel *k = f->launch.kernel;
    struct inst_meta *meta = meta_build(k, &f->cfg.sm);
    struct phases *p = phases_build(&(struct sched_code){k, meta, &f->cfg.sm});
    free(meta);
    return p;
}

/* The implementation report's listing, Figure 1, as PTX: latencies 1 1 5 1 4 4 1 1 | 4 4 1 1. */
static void distances_are_those_of_the_reports_listing(void)
{
    static const uint32_t want[] = {18, 17, 16, 11, 10, 6, 2, 1, 10, 6, 2, 1};
    struct fix f;
    struct phases *p = phases_of(&f, "mov.u32 %r1, %ctaid.x; cvt.s32.s8 %r2, %r9;\n"
                                     "mad.lo.s32 %r3, %r1, %r8, %r2; shl.b64 %rd2, %rd1, 2;\n"
                                     "add.s64 %rd3, %rd8, %rd2; add.s64 %rd4, %rd9, %rd2;\n"
                                     "ld.global.u32 %r5, [%rd3]; ld.global.u32 %r6, [%rd4];\n"
                                     "add.s32 %r7, %r6, %r5; add.s64 %rd5, %rd7, %rd2;\n"
                                     "st.global.u32 [%rd5], %r7; exit;");
    CU_ASSERT_EQUAL_FATAL(f.launch.kernel->ninst, 12);
    CU_ASSERT_EQUAL(p->count, 2);
    CU_ASSERT_TRUE(p->any);
    for (int i = 0; i < 12; i++) {
        CU_ASSERT_EQUAL(p->at[i].distance, want[i]);
        CU_ASSERT_EQUAL(p->at[i].phase, i < 8 ? 1 : 2);
    }
    free(p);
    fix_fini(&f);
}

/* One digit for each instruction: the phase that it is in. */
static void divided(const char *body, const char *want)
{
    struct fix f;
    char got[64] = "";
    struct phases *p = phases_of(&f, body);
    for (uint32_t i = 0; i < f.launch.kernel->ninst; i++)
        got[i] = (char)('0' + p->at[i].phase);
    CU_ASSERT_STRING_EQUAL(got, want);
    CU_ASSERT_EQUAL(p->any, strchr(want, '2') != NULL);
    CU_ASSERT_EQUAL(warp_scheduler_paws.note(p) == NULL, p->any);
    free(p);
    fix_fini(&f);
}

#define LD "ld.global.u32 %r1, [%rd1];"
static void a_phase_begins_where_a_loaded_register_is_read(void)
{
    divided(LD "add.s32 %r2, %r3, 1; add.s32 %r2, %r1, 1; ret;", "1122");
    divided(LD "cvt.u64.u32 %rd2, %r1; ld.global.u32 %r3, [%rd2]; ret;", "1222"); /* address */
    divided(LD "st.global.u32 [%rd3], %r1; ret;", "122");
    /* by the guard */
    divided(LD "setp.eq.u32 %p1, %r1, 0; @%p1 add.s32 %r2, %r3, 1; ret;", "1222");
    divided("ld.global.v2.u32 {%r1, %r2}, [%rd1]; add.s32 %r3, %r4, 1; add.s32 %r5, %r2, 1; ret;",
            "1122");
    /* written anew, it is still the load's: the rule looks at names alone */
    divided(LD "ret;", "11");
}

/* A load that opens a phase counts in it, and one of its own address register waits for none. */
static void a_load_counts_in_the_phase_that_it_opens(void)
{
    divided(LD "cvt.u64.u32 %rd2, %r1; ld.global.u64 %rd3, [%rd2]; ld.global.u32 %r2, [%rd3];\n"
               "add.s32 %r3, %r2, 1; ret;",
            "122344");
    divided("ld.global.u64 %rd1, [%rd1]; add.s32 %r2, %r3, 1; ld.global.u64 %rd1, [%rd1]; ret;",
            "1122");
    /* phase 2 forgets what phase 1 loaded */
    divided(LD "ld.global.u32 %r2, [%rd1]; add.s32 %r3, %r1, 1; add.s32 %r3, %r2, 1; ret;",
            "11222");
}

static void only_long_latency_loads_count(void)
{
    divided("ld.param.u64 %rd1, [p]; add.s64 %rd2, %rd1, 1; ret;", "111");
    divided("ld.shared.u32 %r1, [sh]; add.s32 %r2, %r1, 1; ret;", "111");
    divided("ld.const.u32 %r1, [ctab]; add.s32 %r2, %r1, 1; ret;", "111");
    divided("ld.local.u32 %r1, [lo]; add.s32 %r2, %r1, 1; ret;", "122");
    divided("atom.global.add.u32 %r1, [%rd1], 1; add.s32 %r2, %r1, 1; ret;", "122");
    divided("atom.shared.add.u32 %r1, [sh], 1; add.s32 %r2, %r1, 1; ret;", "111");
}

/* A loop whose body loads what its next round reads: the branch back ends nothing. */
static void branches_are_not_followed(void)
{
    divided("L: add.s32 %r2, %r1, 1;" LD "setp.lt.s32 %p1, %r2, 9; @%p1 bra L; ret;", "11111");
}

/* Three warps at distances 5, 3, 3; the empty buffer comes before all. */
static void paws_takes_the_nearest_end_then_the_oldest(void)
{
    struct scene s;
    struct phases *p = calloc(1, sizeof *p + SCENE_CODE * sizeof p->at[0]);
    const uint32_t distance[] = {5, 3, 1, 9};
    for (int i = 0; i < 4; i++)
        p->at[i].distance = distance[i];
    scene_init(&s, &warp_scheduler_paws, 4, NULL);
    s.v.analysis = p;
    for (int i = 3; i >= 0; i--) /* slot 3 is the oldest */
        scene_start(&s, i);
    scene_at(&s, 1, 1);
    scene_at(&s, 2, 1);
    CU_ASSERT_EQUAL(scene_issues(&s, 0xf), 2); /* as near as 1, and older */
    scene_at(&s, 2, 0);
    CU_ASSERT_EQUAL(scene_issues(&s, 0xf), 1);
    scene_at(&s, 1, 2);
    CU_ASSERT_EQUAL(scene_issues(&s, 0xf), 1); /* 1: it stays in front until its phase ends */
    scene_at(&s, 1, 3);
    CU_ASSERT_EQUAL(scene_issues(&s, 0xf), 3); /* 9: the others have 5, the oldest first */
    CU_ASSERT_EQUAL(scene_issues(&s, 0x2), 1);
    s.warp[0].head = NULL;
    CU_ASSERT_EQUAL(phases_first(p, &s.v, 0xf), 0);
    free(p);
    scene_fini(&s);
}

SUITE("phases", T(distances_are_those_of_the_reports_listing),
      T(a_phase_begins_where_a_loaded_register_is_read),
      T(a_load_counts_in_the_phase_that_it_opens), T(only_long_latency_loads_count),
      T(branches_are_not_followed), T(paws_takes_the_nearest_end_then_the_oldest))
