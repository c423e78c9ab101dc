/* What holds for every warp scheduler, whatever it prefers. A new one is in the list already. */
#include "sim/sm/sched/warp_scheduler.h"

#include "base/rng.h"
#include "sim/func/run.h"
#include "tests/gpu/whole.h"
#include "tests/sm/fixture.h"
#include "tests/sm/scene.h"

#define FOR_ALL(ops) \
    for (const struct warp_scheduler_ops *ops, *const *at = all(); (ops = *at) != NULL; at++)

#define MOST 64

/* The table, NULL behind the last. */
static const struct warp_scheduler_ops *const *all(void)
{
    static const struct warp_scheduler_ops *list[MOST + 1];
    int n = 0;
    while (n < MOST && (list[n] = warp_scheduler_at(n)))
        n++;
    return list;
}

/* ---- Kernels; what they leave in memory does not depend on who goes first ---- */
#define PLACE                                                                                     \
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n" \
    "mad.lo.s32 %r4, %r2, %r3, %r1; mul.wide.s32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"

/* Loads that miss, merge and evict, shared memory, a barrier, divergence, atomics, a fence. */
static const char mixed[] =
    PLACE "mov.u32 %r20, 0;\n"
          "L: ld.global.u32 %r5, [%rd3]; add.s32 %r5, %r5, %r4; shl.b32 %r6, %r1, 2;\n"
          "mov.u32 %r7, sh; add.s32 %r6, %r6, %r7; st.shared.u32 [%r6], %r5; bar.sync 0;\n"
          "ld.shared.u32 %r8, [%r6]; and.b32 %r9, %r1, 3; setp.eq.s32 %p1, %r9, 0; @%p1 bra E;\n"
          "div.s32 %r8, %r8, 3;\n"
          "E: st.local.u32 [lo+4], %r8; ld.local.u32 %r10, [lo+4]; membar.gl;\n"
          "st.global.u32 [%rd3+65536], %r10; @%p1 red.global.add.u32 [%rd1+524288], 1;\n"
          "ld.global.u32 %r11, [%rd3+131072]; add.s32 %r20, %r20, 1; setp.lt.s32 %p2, %r20, 6;\n"
          "@%p2 bra L; ret;";

/* Each lane goes round as often as its number says, in every round a load 4 KB further. */
static const char divergent[] =
    PLACE "and.b32 %r5, %r1, 31; mov.u32 %r6, 0;\n"
          "L: ld.global.u32 %r7, [%rd3]; add.s32 %r6, %r6, %r7; add.s32 %r6, %r6, 1;\n"
          "add.s64 %rd3, %rd3, 4096; sub.s32 %r5, %r5, 1; setp.ge.s32 %p1, %r5, 0; @%p1 bra L;\n"
          "add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3+262144], %r6; ret;";

/* A warp goes round in shared memory until the next one of its CTA says so, the last one first. */
static const char chain[] =
    PLACE "shr.u32 %r5, %r1, 5; shl.b32 %r6, %r5, 2; mov.u32 %r7, sh; add.s32 %r6, %r6, %r7;\n"
          "st.shared.u32 [%r6], 0; bar.sync 0; add.s32 %r8, %r5, 1; shl.b32 %r8, %r8, 5;\n"
          "setp.ge.s32 %p1, %r8, %r3; @%p1 bra D;\n"
          "W: ld.volatile.shared.u32 %r9, [%r6+4]; setp.eq.s32 %p2, %r9, 0; @%p2 bra W;\n"
          "D: st.volatile.shared.u32 [%r6], 1; st.global.u32 [%rd3], %r5; ret;";

struct outcome {
    cycle_t cycles;
    uint64_t memory; /* hash */
    struct run_stats st;
};

struct grid {
    const char *body;
    int ctas, threads, limit;
};

static uint64_t memory_of(struct fix *f)
{
    return whole_hash(f->mem, 1);
}

static void by_hand(struct fix *f)
{
    struct rng r = rng_seed(f->net.now / 50);
    const int n = 1 + (int)rng_below(&r, 8);
    sm_run_oldest(f->sm, n, rng_below(&r, 2) * 20);
}

/* Checks what must hold of every run. whole: the scheduler's name, parts with it; pause: now and
 * then other CTAs are paused. */
static struct outcome run_named(const char *whole, const struct grid *g, const char *const *more,
                                bool pause)
{
    char name[64];
    const char *settings[8] = {name, "max_threads=2048", "registers=1048576"};
    for (int i = 3; more && *more; more++)
        settings[i++] = *more;
    struct fix f;
    snprintf(name, sizeof name, "warp_scheduler=%s", whole);
    fix_init(&f, settings);
    fix_kernel(&f, g->body);
    f.on_cycle = pause ? by_hand : NULL;
    fix_run(&f, g->ctas, g->threads, g->limit);
    const struct run_stats *s = &f.st;
    const uint64_t causes = s->sched_issued + s->sched_idle + s->sched_barrier + s->sched_fetch +
                            s->sched_mem_dep + s->sched_alu_dep + s->sched_mem_unit +
                            s->sched_alu_unit + s->sched_policy;
    CU_ASSERT_EQUAL(causes, s->sched_cycles);
    CU_ASSERT_EQUAL(s->sched_issued, s->warp_insts);
    CU_ASSERT_EQUAL(s->ctas, (uint64_t)g->ctas);
    const struct outcome o = {f.cycles, memory_of(&f), f.st};
    fix_fini(&f);
    return o;
}

static struct outcome run_with(const struct warp_scheduler_ops *ops, const struct grid *g,
                               const char *const *more, bool pause)
{
    return run_named(ops->name, g, more, pause);
}

static uint64_t executed(const struct grid *g)
{
    struct fix f;
    struct func_counts counts;
    struct err e = {""};
    fix_init(&f, NULL);
    fix_kernel(&f, g->body);
    f.launch.grid[0] = g->ctas;
    f.launch.grid[1] = f.launch.grid[2] = f.launch.block[1] = f.launch.block[2] = 1;
    f.launch.block[0] = g->threads;
    CU_ASSERT_TRUE(launch_init(&f.launch, &e) &&
                   func_run(&f.launch, &(struct func_opts){0}, &counts, &e));
    const uint64_t h = memory_of(&f);
    fix_fini(&f);
    return h;
}

static const struct grid small[] = {{mixed, 9, 96, 3},       {divergent, 6, 128, 4},
                                    {chain, 3, 512, 2},      {mixed, 1, 32, 1},
                                    {divergent, 2, 1024, 2}, {chain, 2, 1024, 2}};
#define SMALL (sizeof small / sizeof *small)

/* No CTA is forgotten, at one warp and at 64, and no run takes twice what the slower of gto and lrr
 * does; a spinning warp may cost a turn of 10000 cycles more. */
static void every_warp_comes_to_its_end(void)
{
    for (size_t k = 0; k < SMALL; k++) {
        const uint64_t want = executed(&small[k]);
        const cycle_t gto = run_with(&warp_scheduler_gto, &small[k], NULL, false).cycles;
        const cycle_t lrr = run_with(&warp_scheduler_lrr, &small[k], NULL, false).cycles;
        const cycle_t most = 2 * (gto > lrr ? gto : lrr) + (small[k].body == chain ? 20000 : 0);
        FOR_ALL(ops)
        {
            const struct outcome o = run_with(ops, &small[k], NULL, false);
            CU_ASSERT_EQUAL(o.memory, want);
            if (o.cycles > most)
                printf("\n  %s: kernel %zu: %llu cycles\n", ops->name, k,
                       (unsigned long long)o.cycles);
            CU_ASSERT_TRUE(o.cycles <= most);
        }
    }
}

static void every_number_of_ctas_at_once_will_do(void)
{
    struct grid g = {mixed, 16, 96, 0};
    const uint64_t want = executed(&g);
    FOR_ALL(ops)
    for (g.limit = 1; g.limit <= 16; g.limit += g.limit < 4 ? 1 : 4)
        CU_ASSERT_EQUAL(run_with(ops, &g, NULL, false).memory, want);
}

/* There is nothing to choose: it is never held back, and takes what it takes under gto. */
static void a_warp_alone_is_never_held_back(void)
{
    static const struct grid alone[] = {{mixed, 2, 32, 1}, {divergent, 2, 32, 1}};
    for (int k = 0; k < 2; k++) {
        const struct outcome gto = run_with(&warp_scheduler_gto, &alone[k], NULL, false);
        FOR_ALL(ops)
        {
            const struct outcome o = run_with(ops, &alone[k], NULL, false);
            CU_ASSERT_EQUAL(o.cycles, gto.cycles);
            CU_ASSERT_EQUAL(o.st.sched_policy, 0);
        }
    }
}

static void the_same_bits_twice_and_without_sleeping(void)
{
    const char *const awake[] = {"tick_every_cycle=true", NULL};
    FOR_ALL(ops)
    for (size_t k = 0; k < 3; k++) {
        const struct outcome a = run_with(ops, &small[k], NULL, false),
                             b = run_with(ops, &small[k], NULL, false),
                             c = run_with(ops, &small[k], awake, false);
        CU_ASSERT_TRUE(whole_same(&a.st, &b.st));
        if (!whole_same(&a.st, &c.st))
            printf("\n  %s, kernel %zu: not the same without sleeping\n", ops->name, k);
        CU_ASSERT_TRUE(whole_same(&a.st, &c.st));
        CU_ASSERT_TRUE(a.memory == b.memory && a.memory == c.memory);
    }
}

static void one_to_four_schedulers_will_do(void)
{
    static const char *const number[] = {"schedulers=1", "schedulers=3", "schedulers=4"};
    const uint64_t want = executed(&small[0]);
    FOR_ALL(ops)
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(
            run_with(ops, &small[0], (const char *const[]){number[i], NULL}, false).memory, want);
}

/* ... and with each part and both, whatever policy they are behind. */
static void all_parts_will_do(void)
{
    static const char *const with[] = {"+car", "+newcar", "+prefetch", "+car+prefetch",
                                       "+newcar+prefetch"};
    static const char *const awake[] = {"tick_every_cycle=true", NULL};
    uint64_t want[SMALL];
    for (size_t k = 0; k < SMALL; k++)
        want[k] = executed(&small[k]);
    FOR_ALL(ops)
    for (size_t p = 0; p < sizeof with / sizeof *with; p++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", ops->name, with[p]);
        for (size_t k = 0; k < SMALL; k++)
            CU_ASSERT_EQUAL(run_named(name, &small[k], NULL, k % 2).memory, want[k]);
        const struct outcome a = run_named(name, &small[0], NULL, false),
                             b = run_named(name, &small[0], awake, false);
        CU_ASSERT_TRUE(whole_same(&a.st, &b.st));
    }
}

/* ... and with what else a policy's parameters may say. */
static void all_orders_will_do(void)
{
    static const struct {
        const char *name, *set[3];
    } row[] = {
        {"two-level", {"two_level.outer=gto"}},
        {"two-level", {"two_level.outer=paws"}},
        {"two-level", {"two_level.inner=gto"}},
        {"two-level", {"two_level.outer=gto", "two_level.inner=gto"}},
        {"two-level", {"two_level.outer=paws", "two_level.inner=gto"}},
        {"two-level", {"two_level.size=1", "two_level.turn=100"}},
        {"two-level", {"two_level.size=64"}},
        {"two-level-groups", {"two_level_groups.size=1"}},
        {"two-level-groups", {"two_level_groups.size=64"}},
        {"ccws", {"ccws.throttle=1000"}},
        {"ccws", {"ccws.tags=1", "ccws.ways=1"}},
        {"mascar", {"mascar.saturated=1"}},
        {"elf", {"elf.program_points=1"}},
        {"elf", {"elf.program_points=0", "elf.forward_branches=true"}},
        {"elf", {"elf.score_bits=2"}},
        {"elf", {"elf.fetch=false"}},
    };
    static const char awake[] = "tick_every_cycle=true";
    uint64_t want[SMALL];
    for (size_t k = 0; k < SMALL; k++)
        want[k] = executed(&small[k]);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (size_t k = 0; k < SMALL; k++) {
            const char *const twice[] = {row[i].set[0], row[i].set[1] ? row[i].set[1] : awake,
                                         awake, NULL};
            const struct outcome a = run_named(row[i].name, &small[k], row[i].set, false),
                                 b = run_named(row[i].name, &small[k], twice, false);
            if (a.memory != want[k])
                printf("\n  %s, %s: kernel %zu\n", row[i].name, row[i].set[0], k);
            CU_ASSERT_EQUAL(a.memory, want[k]);
            CU_ASSERT_TRUE(whole_same(&a.st, &b.st));
        }
}

/* While CTAs are paused and resumed, the others go on, and in the end all are through. */
static void pausing_stops_nobody_for_ever(void)
{
    FOR_ALL(ops)
    for (size_t k = 0; k < SMALL; k++) {
        struct grid g = small[k];
        g.limit = 8;
        if (g.ctas * g.threads > 2048)
            g.limit = 2048 / g.threads;
        CU_ASSERT_EQUAL(run_with(ops, &g, NULL, true).memory, executed(&g));
    }
}

/* With sanitizers each policy has one of them, each of them some. */
static void every_cta_scheduler_will_do(void)
{
    int turn = 0;
    const char *settings[3] = {NULL};
    char warp[64], cta[64];
    settings[0] = warp;
    settings[1] = cta;
    FOR_ALL(ops)
    {
        for (int i = 0; cta_scheduler_at(i); i++) {
            if (SANITIZED && i % 4 != turn % 4)
                continue;
            snprintf(warp, sizeof warp, "warp_scheduler=%s", ops->name);
            snprintf(cta, sizeof cta, "cta_scheduler=%s", cta_scheduler_at(i)->name);
            const struct gpu_cfg cfg = whole_gpu("kayiran2013", settings);
            CU_ASSERT_TRUE(whole_run("backprop", &cfg, NULL).launches > 0);
        }
        turn++;
    }
}

/* ---- The hooks alone, on warps that do as chance has it ---- */
struct stage { /* a kernel, an L1D, and a scene on them */
    struct fix f;
    struct scene s;
    struct rng rng;
    struct l1_cache *l1d;
};

static bool no_push(void *ctx, struct mem_req *r, cycle_t now)
{
    (void)ctx, (void)r, (void)now;
    return false;
}

static void stage_init(struct stage *t, const struct warp_scheduler_ops *ops)
{
    char name[64];
    snprintf(name, sizeof name, "warp_scheduler=%s", ops->name);
    t->rng = rng_seed(7);
    fix_init(&t->f, (const char *const[]){name, NULL});
    fix_kernel(&t->f, mixed);
    sm_code_build(&t->f.code, t->f.launch.kernel, &t->f.cfg.sm);
    const struct l1_env env = {
        .cfg = &t->f.cfg.mem.l1d, .map = &t->f.map, .pool = t->f.env.pool, .port = {NULL, no_push}};
    t->l1d = l1_new(&env, L1_ROLE_DATA);
    scene_init(&t->s, ops, 24, (const char *const[]){name, NULL});
    t->s.v.kernel = t->f.launch.kernel;
    t->s.v.meta = t->f.code.meta;
    t->s.v.analysis = t->f.code.analysis;
    t->s.v.l1d = t->l1d;
    scene_launch(&t->s);
}

static void stage_fini(struct stage *t)
{
    l1_free(t->l1d);
    scene_fini(&t->s);
    fix_fini(&t->f);
}

static void place(struct stage *t, int slot)
{
    const uint32_t pc = (uint32_t)rng_below(&t->rng, t->f.launch.kernel->ninst);
    t->s.warp[slot].at.pc = pc;
    t->s.warp[slot].head = rng_below(&t->rng, 4) ? &t->f.code.meta[pc] : NULL;
    t->s.warp[slot].cls = t->f.code.meta[pc].cls;
    for (int c = 0; c < CLASS_COUNT; c++)
        t->s.set.cls[c] &= ~(1ull << slot);
    if (t->s.warp[slot].head)
        t->s.set.cls[t->f.code.meta[pc].cls] |= 1ull << slot;
}

/* One thing happens to one warp. */
static void happens(struct stage *t)
{
    struct scene *s = &t->s;
    const int slot = (int)rng_below(&t->rng, 24);
    const uint64_t bit = 1ull << slot;
    uint64_t *const set[] = {&s->set.barrier, &s->set.atomic, &s->set.fence, &s->set.dep_long,
                             &s->set.paused};
    if (!(s->set.resident & bit)) {
        scene_start(s, slot);
        place(t, slot);
    } else if (rng_below(&t->rng, 20) == 0) {
        for (int i = 0; i < 5; i++)
            *set[i] &= ~bit;
        scene_end(s, slot);
    } else {
        *set[rng_below(&t->rng, 5)] ^= bit;
        place(t, slot);
    }
    if (s->ops->l1d && s->set.resident & bit)
        s->ops->l1d(s->st, &s->v, slot, (enum l1_event)rng_below(&t->rng, 3),
                    rng_below(&t->rng, 100) * 128);
}

/* Asked twice the answer is the same, and it does not depend on warps that do not win: whoever is
 * first is first among fewer, too. So ties have one order. */
static void the_order_of_warps_is_a_total_one(void)
{
    FOR_ALL(ops)
    {
        struct stage t;
        stage_init(&t, ops);
        for (int step = 0; step < 5000; step++) {
            struct scene *s = &t.s;
            happens(&t);
            uint64_t among = scene_admits(s) & s->set.resident & ~s->set.held;
            for (int i = 0; i < 24; i++)
                among &= s->warp[i].head ? ~0ull : ~(1ull << i);
            if (!among)
                continue;
            const int first = ops->pick(s->st, &s->v, among);
            const uint64_t fewer = (among & rng_u64(&t.rng)) | 1ull << first;
            CU_ASSERT_TRUE_FATAL(among >> first & 1);
            CU_ASSERT_EQUAL(ops->pick(s->st, &s->v, among), first);
            CU_ASSERT_EQUAL(ops->pick(s->st, &s->v, fewer), first);
            if (ops->issued)
                ops->issued(s->st, &s->v, first, s->warp[first].head);
            place(&t, first);
        }
        stage_fini(&t);
    }
}

/* gto and lrr go on from the slot that issued last, as GPGPU-Sim's do. */
static bool outlives_a_launch(const struct warp_scheduler_ops *ops)
{
    return ops == &warp_scheduler_gto || ops == &warp_scheduler_lrr;
}

static void a_launch_begins_with_the_state_of_a_new_core(void)
{
    FOR_ALL(ops)
    {
        struct stage t, fresh;
        if (outlives_a_launch(ops))
            continue;
        stage_init(&t, ops);
        stage_init(&fresh, ops);
        for (int step = 0; step < 2000; step++) {
            happens(&t);
            const int slot = scene_issues(&t.s, ~0ull);
            if (slot >= 0)
                place(&t, slot);
        }
        for (int i = 0; i < 24; i++)
            if (t.s.set.resident >> i & 1)
                scene_end(&t.s, i);
        scene_launch(&t.s);
        const bool same = !memcmp(t.s.st, fresh.s.st, ops->bytes) &&
                          !memcmp(t.s.v.core, fresh.s.v.core, ops->core_bytes);
        if (!same)
            printf("\n  %s: something outlives the launch\n", ops->name);
        CU_ASSERT_TRUE(same);
        stage_fini(&t);
        stage_fini(&fresh);
    }
}

/* Two kernels on one core: the second finds its own code's tables. */
static void one_kernel_after_another(void)
{
    FOR_ALL(ops)
    {
        uint64_t hash[2];
        cycle_t cycles[2];
        for (int round = 0; round < 2; round++) {
            char name[64];
            struct fix f;
            snprintf(name, sizeof name, "warp_scheduler=%s", ops->name);
            fix_init(&f, (const char *const[]){name, NULL});
            fix_kernel(&f, mixed);
            fix_run(&f, 9, 96, 3);
            fix_kernel(&f, divergent);
            fix_run(&f, 6, 128, 4);
            hash[round] = memory_of(&f);
            cycles[round] = f.cycles;
            fix_fini(&f);
        }
        CU_ASSERT_TRUE(hash[0] == hash[1] && cycles[0] == cycles[1]);
    }
}

static void each_is_found_by_its_name_and_says_whose_it_is(void)
{
    FOR_ALL(ops)
    {
        CU_ASSERT_PTR_EQUAL(warp_scheduler_find(ops->name), ops);
        CU_ASSERT_TRUE(strlen(ops->help) > 10 && strlen(ops->paper) > 5);
    }
}

SUITE("warp schedulers", T(every_warp_comes_to_its_end), T(every_number_of_ctas_at_once_will_do),
      T(a_warp_alone_is_never_held_back), T(the_same_bits_twice_and_without_sleeping),
      T(one_to_four_schedulers_will_do), T(all_parts_will_do), T(all_orders_will_do),
      T(pausing_stops_nobody_for_ever), T(every_cta_scheduler_will_do),
      T(the_order_of_warps_is_a_total_one), T(a_launch_begins_with_the_state_of_a_new_core),
      T(one_kernel_after_another), T(each_is_found_by_its_name_and_says_whose_it_is))
