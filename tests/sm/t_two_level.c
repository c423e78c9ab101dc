/* Two-level warp schedulers, decision by decision. */
#include "sim/sm/sched/phases.h"
#include "tests/sm/scene.h"

#define BIT(i) (1ull << (i))

static void two_level(struct scene *s, const char *const *settings, int warps)
{
    scene_init(s, &warp_scheduler_two_level, warps, settings);
    for (int i = 0; i < warps; i++)
        scene_start(s, i);
}

/* Five warps and two places. */
static void a_warp_that_waits_for_memory_makes_room(void)
{
    struct scene s;
    two_level(&s, (const char *const[]){"two_level.size=2", NULL}, 5);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x03);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x1f), 0);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x1f), 1); /* they take turns */
    CU_ASSERT_EQUAL(scene_issues(&s, 0x1f), 0);
    s.set.dep_mem = s.set.dep_alu = BIT(1); /* shared memory, a result: it stays */
    CU_ASSERT_EQUAL(scene_admits(&s), 0x03);
    s.set.dep_mem = s.set.dep_long = BIT(0);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x06);
    s.set.dep_long = BIT(0) | BIT(1);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x0c);
    s.set.dep_long = 0; /* back in the queue, behind 4 */
    CU_ASSERT_EQUAL(scene_admits(&s), 0x0c);
    s.set.barrier = BIT(2);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x18);
    s.set.atomic = BIT(3);
    s.set.fence = BIT(4);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x03); /* as they left: 0 before 1 */
    scene_fini(&s);
}

/* The queue is 3 4 0; 3 still waits, so it keeps its place and 4 goes. */
static void one_that_still_waits_keeps_its_place_in_the_queue(void)
{
    struct scene s;
    two_level(&s, (const char *const[]){"two_level.size=3", NULL}, 5);
    s.set.dep_long = BIT(3);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x07);
    s.set.dep_long = BIT(3) | BIT(0);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x16);
    s.set.dep_long = 0;
    s.set.done = BIT(1);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x1c);
    scene_end(&s, 1);
    s.set.done = BIT(2);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x19);
    scene_end(&s, 2);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x19);
    scene_fini(&s);
}

/* Warps 2, 3, 4 wait to be promoted; 4 is the oldest, 3 the nearest to its phase's end. */
static int promoted_first(const char *outer)
{
    struct scene s;
    char text[32];
    snprintf(text, sizeof text, "two_level.outer=%s", outer);
    scene_init(&s, &warp_scheduler_two_level, 5,
               (const char *const[]){"two_level.size=2", text, NULL});
    struct phases *p = calloc(1, sizeof *p + SCENE_CODE * sizeof p->at[0]);
    p->at[0].distance = 7;
    p->at[1].distance = 3;
    s.v.analysis = p;
    for (int i = 0; i < 2; i++)
        scene_start(&s, i);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x03);
    for (int i = 2; i < 5; i++)
        scene_start(&s, i);
    s.age[4] = 0;
    scene_at(&s, 3, 1);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x03); /* nobody is pushed out of the active set */
    s.set.dep_long = BIT(1);
    const int slot = __builtin_ctzll(scene_admits(&s) & ~1ull);
    free(p);
    scene_fini(&s);
    return slot;
}

static void the_outer_order_says_who_is_promoted(void)
{
    CU_ASSERT_EQUAL(promoted_first("srr"), 2);
    CU_ASSERT_EQUAL(promoted_first("paws"), 3);
    CU_ASSERT_EQUAL(promoted_first("gto"), 4);
}

static void the_inner_order_says_who_issues(void)
{
    static const struct {
        const char *inner;
        int order[6];
    } row[] = {{"two_level.inner=lrr", {0, 1, 2, 1, 2, 0}},
               {"two_level.inner=gto", {0, 0, 0, 1, 1, 1}}};
    for (int i = 0; i < 2; i++) {
        struct scene s;
        two_level(&s, (const char *const[]){row[i].inner, NULL}, 3);
        for (int k = 0; k < 6; k++) /* in the fourth cycle slot 0 has nothing ready */
            CU_ASSERT_EQUAL(scene_issues(&s, k == 3 ? 0x6 : 0x7), row[i].order[k]);
        scene_fini(&s);
    }
}

/* One who is promoted takes its turn behind those who are there. */
static void a_promoted_warp_comes_last(void)
{
    struct scene s;
    two_level(&s, (const char *const[]){"two_level.size=2", NULL}, 3);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x7), 0);
    s.set.dep_long = BIT(0);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x7), 1);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x7), 2);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x7), 1);
    scene_fini(&s);
}

/* Slot 0 came in cycle 1 and slot 1 in cycle 3; each has five cycles, while 2 could have its place.
 */
static void a_turn_ends_when_another_could_have_the_place(void)
{
    struct scene s;
    scene_init(&s, &warp_scheduler_two_level, 3,
               (const char *const[]){"two_level.size=2", "two_level.turn=5", NULL});
    scene_start(&s, 0);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x1);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x1);
    scene_start(&s, 1);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x3);
    for (s.v.now = 100; s.v.now < 104;) /* nobody wants it */
        CU_ASSERT_EQUAL(scene_admits(&s), 0x3);
    scene_start(&s, 2);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x6); /* cycle 105 */
    CU_ASSERT_EQUAL(scene_admits(&s), 0x5);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(scene_admits(&s), 0x5);
    CU_ASSERT_EQUAL(scene_admits(&s), 0x3); /* 110: 2 had five */
    scene_fini(&s);
}

/* One place, turns of five cycles: 0, the oldest and nearest, does not come back before 1 and 2 had
 * theirs; then they take turns. 2 waits for memory in cycle 13, in its third, and so has had none:
 * it goes before 1. */
static void a_turn_that_is_over_comes_after_all_that_have_had_none(void)
{
    static const char *const outer[] = {"two_level.outer=gto", "two_level.outer=paws"};
    static const char turns[] =
        "000001111122" /* 2 waits */ "00000" /* no longer */ "2222211111000";
    for (int i = 0; i < 2; i++) {
        struct scene s;
        char got[sizeof turns] = "";
        scene_init(&s, &warp_scheduler_two_level, 3,
                   (const char *const[]){"two_level.size=1", "two_level.turn=5", outer[i], NULL});
        struct phases *p = calloc(1, sizeof *p + SCENE_CODE * sizeof p->at[0]);
        s.v.analysis = p;
        for (int k = 0; k < 3; k++)
            scene_start(&s, k);
        for (size_t k = 0; k + 1 < sizeof turns; k++) {
            s.set.dep_long = k >= 12 && k < 15 ? BIT(2) : 0;
            got[k] = (char)('0' + __builtin_ctzll(scene_admits(&s)));
        }
        CU_ASSERT_STRING_EQUAL(got, turns);
        if (strcmp(got, turns) != 0)
            printf("\n  %s: %s\n", outer[i], got);
        free(p);
        scene_fini(&s);
    }
}

/* Paused warps hold no place that others want; alone, they may go on. */
static void warps_of_paused_ctas_make_room(void)
{
    struct scene s;
    two_level(&s, (const char *const[]){"two_level.size=2", NULL}, 4);
    s.set.paused = 0x3;
    CU_ASSERT_EQUAL(scene_admits(&s), 0x0c);
    s.set.dep_long = 0xc;
    CU_ASSERT_EQUAL(scene_admits(&s), 0x03);
    s.set.dep_long = 0x8;
    CU_ASSERT_EQUAL(scene_admits(&s) & 0x4, 0x4);
    scene_fini(&s);
}

static void an_unknown_order_is_an_error_with_its_parameter(void)
{
    static const char *const row[][2] = {{"two_level.outer=pows", "two_level.outer = \"pows\""},
                                         {"two_level.inner=paws", "two_level.inner = \"paws\""}};
    for (int i = 0; i < 2; i++) {
        struct gpu_cfg c;
        struct err e = {""};
        gpu_cfg_default(&c);
        CU_ASSERT_TRUE(params_set(gpu_cfg_groups(), &c, row[i][0], &e));
        CU_ASSERT_FALSE(gpu_cfg_check(&c, &e));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, row[i][1]));
    }
}

/* Six slots in groups of two: 0 1, 2 3, 4 5. */
static void a_fetch_group_goes_first_until_all_of_it_waits(void)
{
    struct scene s;
    scene_init(&s, &warp_scheduler_two_level_groups, 6,
               (const char *const[]){"two_level_groups.size=2", NULL});
    for (int i = 0; i < 6; i++)
        scene_start(&s, i);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x3f), 0);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x3f), 1);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x3f), 0);
    s.set.dep_long = BIT(0);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x3e), 1);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x3c), 2); /* 1 waits for a result: the next group helps out */
    CU_ASSERT_EQUAL(scene_issues(&s, 0x3e), 1); /* and it is still the first's turn */
    s.set.dep_long = BIT(0) | BIT(1);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x3c), 3);
    s.set.dep_long = 0; /* the turn does not come back before the others had it */
    CU_ASSERT_EQUAL(scene_issues(&s, 0x3f), 2);
    s.set.barrier = BIT(2) | BIT(3);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x3f), 4);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x03), 0); /* behind 4 5 come 0 1, of which 1 issued last */
    s.set.barrier = 0;
    s.set.dep_long = 0x3f; /* nobody: the turn stays */
    CU_ASSERT_EQUAL(scene_issues(&s, 0), -1);
    s.set.dep_long = 0;
    CU_ASSERT_EQUAL(scene_issues(&s, 0x3f), 5);
    scene_fini(&s);
}

/* Five slots in groups of three: 0 1 2, 3 4. */
static void the_last_group_may_be_smaller(void)
{
    struct scene s;
    scene_init(&s, &warp_scheduler_two_level_groups, 5,
               (const char *const[]){"two_level_groups.size=3", NULL});
    for (int i = 0; i < 5; i++)
        scene_start(&s, i);
    s.set.dep_long = 0x7;
    CU_ASSERT_EQUAL(scene_issues(&s, 0x18), 3);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x18), 4);
    CU_ASSERT_EQUAL(scene_issues(&s, 0x1f), 3);
    s.set.dep_long = 0x18;
    CU_ASSERT_EQUAL(scene_issues(&s, 0x1f), 0);
    scene_fini(&s);
}

SUITE("two-level warp schedulers", T(a_warp_that_waits_for_memory_makes_room),
      T(one_that_still_waits_keeps_its_place_in_the_queue), T(the_outer_order_says_who_is_promoted),
      T(the_inner_order_says_who_issues), T(a_promoted_warp_comes_last),
      T(a_turn_ends_when_another_could_have_the_place),
      T(a_turn_that_is_over_comes_after_all_that_have_had_none), T(warps_of_paused_ctas_make_room),
      T(an_unknown_order_is_an_error_with_its_parameter),
      T(a_fetch_group_goes_first_until_all_of_it_waits), T(the_last_group_may_be_smaller))
