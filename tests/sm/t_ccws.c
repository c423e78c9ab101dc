/* Cache-conscious wavefront scheduling, decision by decision, and on a core whose cache is too
 * small for all of its warps. */
#include "tests/sm/fixture.h"
#include "tests/sm/scene.h"

#define LOAD 0 /* pcs */
#define ADD  1
#define TEX  2
#define ATOM 3
#define LINE 128

struct ccws_scene {
    struct scene s;
    struct inst in[4];
    struct mem_cfg mem;
    struct l1_cache *l1d; /* never accessed: it says how long a line is */
};

static void begin(struct ccws_scene *c, int warps, const char *const *settings)
{
    memset(c, 0, sizeof *c);
    scene_init(&c->s, &warp_scheduler_ccws, warps, settings);
    c->mem = c->s.cfg.mem;
    c->l1d = l1_new(&(struct l1_env){.cfg = &c->mem.l1d}, L1_ROLE_DATA);
    c->s.v.l1d = c->l1d;
    c->in[LOAD] = (struct inst){.space = SP_GLOBAL, .flags = INST_LOAD};
    c->in[TEX] = (struct inst){.space = SP_TEX, .flags = INST_LOAD};
    c->in[ATOM] = (struct inst){.space = SP_GLOBAL, .flags = INST_ATOMIC};
    for (int pc = LOAD; pc <= ATOM; pc++) {
        c->s.meta[pc].in = &c->in[pc];
        c->s.meta[pc].cls = pc == ADD ? CLASS_SP : CLASS_MEM;
        c->s.meta[pc].long_latency = pc != ADD;
    }
    for (int i = 0; i < warps; i++)
        scene_start(&c->s, i);
    c->s.set.ready = c->s.v.owned;
    c->s.set.cls[CLASS_MEM] = c->s.v.owned;
}

static void end(struct ccws_scene *c)
{
    l1_free(c->l1d);
    scene_fini(&c->s);
}

static void issue(struct ccws_scene *c, int instructions)
{
    for (int i = 0; i < instructions; i++)
        c->s.ops->issued(c->s.st, &c->s.v, 0, &c->s.meta[ADD]);
}

static void told(struct ccws_scene *c, int slot, enum l1_event what, unsigned line)
{
    c->s.ops->l1d(c->s.st, &c->s.v, slot, what, (addr_t)line * LINE);
}

/* The line is driven out, and the warp that had brought it wants it again. */
static void loses(struct ccws_scene *c, int slot, unsigned line)
{
    told(c, slot, L1_EVENT_EVICT, line);
    told(c, slot, L1_EVENT_MISS, line);
}

/* Four warps: the cut-off is 400. One hit in 16 instructions: 1 / 16 * 8 * 400 = 200 points for
 * warp 3. The stack is 3 0 1 2, up to 200, 300, 400, 500: 2 is too high for 100 cycles. */
static void a_lost_line_costs_the_youngest_its_loads(void)
{
    struct ccws_scene c;
    begin(&c, 4, NULL);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0xf);
    CU_ASSERT_FALSE(c.s.again);
    issue(&c, 16);
    told(&c, 3, L1_EVENT_EVICT, 7);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0xf);
    told(&c, 3, L1_EVENT_MISS, 7);
    const cycle_t from = c.s.v.now;
    while (c.s.v.now < from + 99) {
        CU_ASSERT_EQUAL(scene_admits(&c.s), 0xb);
        CU_ASSERT_TRUE(c.s.again);
    }
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0xf);
    CU_ASSERT_FALSE(c.s.again);
    end(&c);
}

static void only_loads_through_l1d_are_held_back(void)
{
    static const struct {
        int pc;
        uint64_t admits;
    } row[] = {{LOAD, 0x7}, {ADD, 0xf}, {TEX, 0xf}, {ATOM, 0xf}};
    for (int i = 0; i < 4; i++) {
        struct ccws_scene c;
        begin(&c, 4, NULL);
        issue(&c, 16);
        loses(&c, 1, 7); /* 1 0 2 3 */
        scene_at(&c.s, 3, (uint32_t)row[i].pc);
        if (row[i].pc == ADD)
            c.s.set.cls[CLASS_MEM] &= 0x7;
        CU_ASSERT_EQUAL(scene_admits(&c.s), row[i].admits);
        end(&c);
    }
}

/* Scores of two warps in one stack, each falling by a point a cycle. */
static void scores_add_up_and_a_hit_never_lowers_one(void)
{
    struct ccws_scene c;
    begin(&c, 4, NULL);
    issue(&c, 23);
    loses(&c, 1, 7); /* 1 * 8 * 400 / 23 = 139: 1 139, 0 239, 2 339, 3 439 */
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x7);
    loses(&c, 0, 7);            /* 2 * 8 * 400 / 23 = 278, and warp 1 has 138: up to 416 */
    for (int i = 0; i < 7; i++) /* 414 .. 402 */
        CU_ASSERT_EQUAL(scene_admits(&c.s), 0x1);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x3); /* 400 */
    issue(&c, 1000);
    loses(&c, 0, 8); /* 3 * 8 * 400 / 1023 = 9: it keeps what it has */
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x3);
    end(&c);
}

/* 8 * 400 / 2 = 1600 are more than the cut-off: the warp has the cache to itself. */
static void the_first_of_the_stack_is_never_held_back(void)
{
    struct ccws_scene c;
    begin(&c, 4, NULL);
    issue(&c, 2);
    loses(&c, 2, 7);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x4);
    c.s.v.now += 1200; /* 399: 2 399, 0 499 */
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x4);
    c.s.v.now += 98; /* 300 */
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x5);
    end(&c);
}

static void the_cut_off_follows_the_warps_on_the_core(void)
{
    struct ccws_scene c;
    begin(&c, 4, NULL);
    issue(&c, 16);
    loses(&c, 0, 7); /* 0 200, 1 300, 2 400, 3 500 of 400 */
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x7);
    c.s.set.done = 0x2; /* 0 199, 2 299, 3 399 of 300 */
    CU_ASSERT_EQUAL(scene_admits(&c.s) & ~0x2, 0x5);
    end(&c);
}

/* Two victim tags a warp: the line that was driven out first is forgotten. One that is found
 * leaves. */
static void a_warp_remembers_its_last_victims(void)
{
    struct ccws_scene c;
    begin(&c, 2, (const char *const[]){"ccws.tags=2", "ccws.ways=2", NULL});
    issue(&c, 2); /* 1 * 8 * 200 / 2: whoever hits is alone */
    for (unsigned line = 1; line <= 3; line++)
        told(&c, 1, L1_EVENT_EVICT, line);
    told(&c, 1, L1_EVENT_MISS, 1);
    told(&c, 0, L1_EVENT_MISS, 3); /* another's victim */
    told(&c, 1, L1_EVENT_HIT, 3);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x3);
    told(&c, 1, L1_EVENT_MISS, 2);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x2);
    c.s.v.now += 10000;
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x3);
    told(&c, 1, L1_EVENT_MISS, 2);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x3);
    scene_end(&c.s, 1);
    scene_start(&c.s, 1); /* a new warp remembers nothing */
    told(&c, 1, L1_EVENT_MISS, 3);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x3);
    end(&c);
}

/* Four tags in sets of one: lines 1, 2, 3 lie apart, 1 and 5 do not. */
static void victim_tags_are_set_associative(void)
{
    struct ccws_scene c;
    begin(&c, 2, (const char *const[]){"ccws.tags=4", "ccws.ways=1", NULL});
    issue(&c, 2);
    for (unsigned line = 1; line <= 3; line++)
        told(&c, 1, L1_EVENT_EVICT, line);
    told(&c, 1, L1_EVENT_EVICT, 5);
    told(&c, 1, L1_EVENT_MISS, 1);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x3);
    told(&c, 1, L1_EVENT_MISS, 2);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x2);
    end(&c);
}

/* As in the first test: 200 points without a change; for how many cycles is warp 2 too high? */
static void parameters_change_scores_and_their_fall(void)
{
    static const struct {
        const char *set;
        int cycles;
    } row[] = {{"ccws.decay=3", 300},     /* 100 points above the base */
               {"ccws.throttle=4", 0},    /* 100 points: none above the base */
               {"ccws.throttle=16", 300}, /* 400 points: up to 700 of 400 */
               {"ccws.base=50", 50}};     /* 100 points of 200 */
    for (int i = 0; i < 4; i++) {
        struct ccws_scene c;
        int n = 0;
        begin(&c, 4, (const char *const[]){row[i].set, NULL});
        issue(&c, 16);
        loses(&c, 3, 7);
        while (scene_admits(&c.s) != 0xf)
            n++;
        CU_ASSERT_EQUAL(n, row[i].cycles > 0 ? row[i].cycles - 1 : 0);
        end(&c);
    }
}

static void ways_divide_the_tags(void)
{
    struct gpu_cfg c;
    struct err e = {""};
    gpu_cfg_default(&c);
    CU_ASSERT_TRUE(params_set(gpu_cfg_groups(), &c, "ccws.ways=5", &e));
    CU_ASSERT_FALSE(gpu_cfg_check(&c, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "ccws.ways = 5: does not divide ccws.tags = 16");
}

/* Every lane reads a line of its own, eight times: 32 lines a warp, 16 warps, a cache of 128. */
static struct run_stats crowded(const char *scheduler, bool awake)
{
    static const char body[] =
        "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 128;\n"
        "add.s64 %rd3, %rd1, %rd2; mov.u32 %r20, 0;\n"
        "L: ld.global.u32 %r2, [%rd3]; add.s32 %r21, %r21, %r2;\n"
        "add.s32 %r20, %r20, 1; setp.lt.s32 %p1, %r20, 8; @%p1 bra L; ret;";
    struct fix f;
    fix_init(&f, (const char *const[]){scheduler, awake ? "tick_every_cycle=true" : NULL, NULL});
    fix_kernel(&f, body);
    fix_run(&f, 1, 512, 1);
    const struct run_stats st = f.st;
    fix_fini(&f);
    return st;
}

static void fewer_warps_load_and_their_lines_stay(void)
{
    const struct run_stats gto = crowded("warp_scheduler=gto", false);
    const struct run_stats ccws = crowded("warp_scheduler=ccws", false);
    const struct run_stats awake = crowded("warp_scheduler=ccws", true);
    CU_ASSERT_TRUE(ccws.sched_policy > 0 && gto.sched_policy == 0);
    CU_ASSERT_TRUE(ccws.l1d_hits > gto.l1d_hits);
    CU_ASSERT_TRUE(ccws.l1d_misses < gto.l1d_misses);
    CU_ASSERT_EQUAL(memcmp(&ccws, &awake, sizeof awake), 0);
}

SUITE("ccws", T(a_lost_line_costs_the_youngest_its_loads), T(only_loads_through_l1d_are_held_back),
      T(scores_add_up_and_a_hit_never_lowers_one), T(the_first_of_the_stack_is_never_held_back),
      T(the_cut_off_follows_the_warps_on_the_core), T(a_warp_remembers_its_last_victims),
      T(victim_tags_are_set_associative), T(parameters_change_scores_and_their_fall),
      T(ways_divide_the_tags), T(fewer_warps_load_and_their_lines_stay))
