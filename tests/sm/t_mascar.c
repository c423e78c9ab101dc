/* Mascar's memory-aware scheduling, decision by decision. */
#include "tests/sm/fixture.h"
#include "tests/sm/scene.h"

#define LOAD   0 /* pcs */
#define ADD    1
#define SHARED 2
#define STORE  3
#define MSHRS  10

struct mascar_scene {
    struct scene s;
    struct inst in[4];
    struct mem_cfg mem;
    struct addrmap map;
    struct req_pool *pool;
    struct l1_cache *l1d;
    unsigned asked; /* lines */
};

static bool no_push(void *ctx, struct mem_req *r, cycle_t now)
{
    (void)ctx, (void)r, (void)now;
    return false;
}

/* n misses more. */
static void miss(struct mascar_scene *c, int n)
{
    for (; n; n--) {
        const struct l1_access a = {
            .addr = c->asked++ * 128, .bytes = 32, .kind = REQ_GLOBAL_READ, .token = -1};
        CU_ASSERT_EQUAL(l1_access(c->l1d, &a, 0), L1_MISS);
    }
}

static void at(struct mascar_scene *c, int slot, int pc)
{
    scene_at(&c->s, slot, (uint32_t)pc);
    c->s.set.cls[CLASS_MEM] &= ~(1ull << slot);
    c->s.set.cls[CLASS_MEM] |= (uint64_t)(pc != ADD) << slot;
}

/* Warps with a load ready each; ten MSHRs, of which `used` are. */
static void begin(struct mascar_scene *c, int warps, int used, const char *const *settings)
{
    memset(c, 0, sizeof *c);
    scene_init(&c->s, &warp_scheduler_mascar, warps, settings);
    c->mem = c->s.cfg.mem;
    c->mem.l1d.mshrs = MSHRS;
    c->mem.l1d.miss_queue = 2 * MSHRS;
    addrmap_init(&c->map, &c->mem);
    c->pool = req_pool_new();
    c->l1d = l1_new(
        &(struct l1_env){
            .cfg = &c->mem.l1d, .map = &c->map, .pool = c->pool, .port = {NULL, no_push}},
        L1_ROLE_DATA);
    c->s.v.l1d = c->l1d;
    c->in[LOAD] = (struct inst){.space = SP_GLOBAL, .flags = INST_LOAD};
    c->in[SHARED] = (struct inst){.space = SP_SHARED, .flags = INST_LOAD};
    c->in[STORE] = (struct inst){.space = SP_LOCAL};
    for (int pc = LOAD; pc <= STORE; pc++) {
        c->s.meta[pc].in = &c->in[pc];
        c->s.meta[pc].cls = pc == ADD ? CLASS_SP : CLASS_MEM;
    }
    for (int i = 0; i < warps; i++) {
        scene_start(&c->s, i);
        at(c, i, LOAD);
    }
    c->s.set.ready = c->s.v.owned;
    miss(c, used);
}

static void end(struct mascar_scene *c)
{
    l1_free(c->l1d);
    req_pool_free(c->pool);
    scene_fini(&c->s);
}

/* 90 % of ten is nine. */
static void all_are_equal_until_the_mshrs_run_out(void)
{
    struct mascar_scene c;
    begin(&c, 3, 8, NULL);
    CU_ASSERT_EQUAL(scene_issues(&c.s, 0x7), 0);
    CU_ASSERT_EQUAL(scene_issues(&c.s, 0x7), 1);
    CU_ASSERT_EQUAL(scene_issues(&c.s, 0x7), 2);
    CU_ASSERT_FALSE(c.s.again);
    miss(&c, 1);
    CU_ASSERT_EQUAL(scene_issues(&c.s, 0x7), 0);
    CU_ASSERT_EQUAL(scene_issues(&c.s, 0x7), 0); /* the oldest has the memory */
    CU_ASSERT_TRUE(c.s.again);
    end(&c);
    begin(&c, 3, 5, (const char *const[]){"mascar.saturated=50", NULL});
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x1);
    end(&c);
    begin(&c, 3, 5, (const char *const[]){"mascar.saturated=51", NULL});
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x7);
    end(&c);
}

static void the_others_may_do_what_does_not_go_to_memory(void)
{
    struct mascar_scene c;
    begin(&c, 4, 9, NULL);
    at(&c, 1, ADD);
    at(&c, 2, SHARED);
    at(&c, 3, STORE);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x7);
    CU_ASSERT_EQUAL(scene_issues(&c.s, 0xf), 0); /* the owner first, */
    CU_ASSERT_EQUAL(scene_issues(&c.s, 0xe), 1); /* then in turn */
    CU_ASSERT_EQUAL(scene_issues(&c.s, 0xe), 2);
    CU_ASSERT_EQUAL(scene_issues(&c.s, 0xe), 1);
    end(&c);
}

/* It keeps the memory while it computes; not while it waits for its data or at a barrier. */
static void the_owner_gives_way_when_it_waits(void)
{
    struct mascar_scene c;
    begin(&c, 3, 9, NULL);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x1);
    at(&c, 0, ADD);
    c.s.set.ready = 0x6; /* for a result */
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x1);
    c.s.set.dep_long = 0x1;
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x3);
    c.s.set.dep_long = 0; /* back, but the memory is another's */
    c.s.set.ready = 0x7;
    at(&c, 0, LOAD);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x2);
    c.s.set.barrier = 0x2;
    CU_ASSERT_EQUAL(scene_admits(&c.s) & ~0x2, 0x1);
    c.s.set.done = 0x1;
    CU_ASSERT_EQUAL(scene_admits(&c.s) & ~0x3, 0x4);
    end(&c);
}

static void a_paused_warp_owns_only_if_nobody_else_asks(void)
{
    struct mascar_scene c;
    begin(&c, 3, 9, NULL);
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x1);
    c.s.set.paused = 0x1;
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x2);
    c.s.set.paused = 0x7;
    CU_ASSERT_EQUAL(scene_admits(&c.s), 0x2);
    c.s.set.dep_long = 0x2;
    CU_ASSERT_EQUAL(scene_admits(&c.s) & ~0x2, 0x1);
    end(&c);
}

SUITE("mascar", T(all_are_equal_until_the_mshrs_run_out),
      T(the_others_may_do_what_does_not_go_to_memory), T(the_owner_gives_way_when_it_waits),
      T(a_paused_warp_owns_only_if_nobody_else_asks))
