/* Program points of hand-made kernels (Park et al., ELF, 2015, Algorithms 1 and 2), what the
 * priority calculator makes of them, and the order that follows. */
#include "sim/sm/sched/elf.h"
#include "sim/sm/sched/program_points.h"

#include "base/rng.h"
#include "tests/sm/fixture.h"
#include "tests/sm/scene.h"

#define ADD  "add.u32 %r9, %r9, 1;"
#define LD   "ld.global.u32 %r1, [%rd1];"
#define EXIT "exit;"
#define FAR  255

static struct program_points *points_of(struct fix *f, const char *body, const char *const *set)
{
    fix_init(f, set);
    fix_kernel(f, body);
    return program_points(f->launch.kernel, &f->cfg.sm.elf);
}

/* want: "PC:SCORE" of each point, a branch with a b behind it; then the priorities, up to the pc
 * behind the last one that is given. */
static void has_points(const char *body, const char *const *set, const char *want,
                       const int *priority)
{
    struct fix f;
    char got[128] = "";
    struct program_points *p = points_of(&f, body, set);
    for (int i = 0; i < p->n; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%u:%d%s", i ? " " : "",
                 p->point[i].pc, p->point[i].score, p->point[i].branch ? "b" : "");
    CU_ASSERT_STRING_EQUAL(got, want);
    if (strcmp(got, want) != 0)
        fprintf(stderr, "%s: points \"%s\", not \"%s\"\n", body, got, want);
    for (int i = 0; priority && priority[i] >= 0; i++) {
        CU_ASSERT_EQUAL(p->priority[i], priority[i]);
        if (p->priority[i] != priority[i])
            fprintf(stderr, "%s: priority %d at %d, not %d\n", body, p->priority[i], i,
                    priority[i]);
    }
    free(p);
    fix_fini(&f);
}

#define PRIORITIES(...) ((const int[]){__VA_ARGS__, -1})

/* Behind the branch: the load at once (score 1), or the end of the kernel. */
static void a_loop_around_a_load_has_two_points(void)
{
    has_points(ADD "L: " LD ADD ADD "@%p1 bra L;" ADD EXIT, NULL, "1:0 4:1b",
               PRIORITIES(1, 0, 3, 2, 1, FAR, FAR));
}

static void only_loads_from_memory_count(void)
{
    has_points("ld.param.u64 %rd1, [p]; ld.shared.u32 %r1, [sh]; ld.const.u32 %r2, [ctab];\n"
               "ld.local.u32 %r3, [lo]; atom.global.add.u32 %r4, [%rd1], 1;\n"
               "red.global.add.u32 [%rd1], 1; st.global.u32 [%rd1], %r1; ld.u32 %r5, [%rd1];\n"
               "ld.volatile.global.u32 %r6, [%rd1];" EXIT,
               NULL, "3:0 4:0 7:0 8:0", PRIORITIES(3, 2, 1, 0, 0, 2, 1, 0, 0, FAR));
}

/* Its fall-through path is the shortest; or nothing is loaded behind it. */
static void a_branch_that_says_nothing_is_no_point(void)
{
    has_points("L:" ADD ADD "@%p1 bra L;" LD EXIT, NULL, "3:0", PRIORITIES(3, 2, 1, 0, FAR));
    has_points(LD "L:" ADD "@%p1 bra L;" EXIT, NULL, "0:0", PRIORITIES(0, FAR, FAR, FAR));
}

static void forward_branches_count_on_request(void)
{
    static const char body[] = "@%p1 bra E;" ADD ADD "E:" LD EXIT;
    has_points(body, NULL, "3:0", PRIORITIES(3, 2, 1, 0));
    has_points(body, (const char *const[]){"elf.forward_branches=true", NULL}, "0:1b 3:0",
               PRIORITIES(1, 2, 1, 0));
}

/* From the branch at 6 to L, from there past the load at 2 to the one at 5: 1 + 4. */
static void the_score_follows_an_unconditional_branch(void)
{
    has_points("@%p2 bra N; L: bra M; N:" LD "M:" ADD ADD LD "@%p1 bra L;" EXIT, NULL,
               "2:0 5:0 6:4b", NULL);
}

static void the_score_goes_past_predicated_exits_alone(void)
{
    has_points("L:" ADD "@%p2 exit;" LD "@%p1 bra L;" EXIT, NULL, "2:0 3:3b", NULL);
    has_points("bra N; L:" ADD "exit; N:" LD "@%p1 bra L;" EXIT, NULL, "3:0", NULL);
}

/* The inner loop's branch at 2 leads to the outer one's at 4 in one step and so to the load. */
static void scores_are_a_fixed_point(void)
{
    has_points("O:" LD "I:" ADD "@%p1 bra I;" ADD "@%p2 bra O;" EXIT, NULL, "0:0 4:1b",
               PRIORITIES(0, 4, 3, 2, 1, FAR));
    has_points("O: bra I; N:" LD ADD "bra O; I:" ADD "@%p1 bra N;" EXIT, NULL, "1:0 3:4b 5:1b",
               PRIORITIES(1, 0, 5, 4, 2, 1, FAR));
}

/* Loads at 1, 4, 6, 12: the one at 6 takes the place of the one 2 in front of it; then the one at
 * 12 is 6 behind it, while the one at 6 stands with its own 2 at 4 + 1 + 2 from the first. */
static void the_nearest_loads_are_merged(void)
{
    static const char body[] = ADD LD ADD ADD LD ADD LD ADD ADD ADD ADD ADD LD EXIT;
    has_points(body, (const char *const[]){"elf.program_points=4", NULL}, "1:0 4:0 6:0 12:0", NULL);
    has_points(body, (const char *const[]){"elf.program_points=0", NULL}, "1:0 4:0 6:0 12:0", NULL);
    has_points(body, (const char *const[]){"elf.program_points=3", NULL}, "1:0 6:2 12:0",
               PRIORITIES(1, 0, 2, 1, 2, 1, 0, 5));
    has_points(body, (const char *const[]){"elf.program_points=2", NULL}, "1:0 12:6",
               PRIORITIES(1, 0, 4, 3, 2, 1, 6, 5, 4, 3, 2, 1, 0));
}

/* The load at 4 takes the place of the branch: 2 behind it, less the branch's score 1. The load at
 * 5 is 1 behind that one and would be nearest, had line 11 not lowered what it is compared with. */
static void a_merged_branch_takes_its_score_along(void)
{
    has_points("L:" LD ADD "@%p1 bra L;" ADD LD LD EXIT,
               (const char *const[]){"elf.program_points=3", NULL}, "0:0 4:1 5:0",
               PRIORITIES(0, 2, 1, 1, 0, 0, FAR));
}

static void what_cannot_be_merged_has_no_slot(void)
{
    has_points("L:" LD "@%p1 bra L; @%p2 bra L;" EXIT,
               (const char *const[]){"elf.program_points=2", NULL}, "0:0 1:1b", NULL);
    has_points(LD EXIT, (const char *const[]){"elf.program_points=1", NULL}, "0:0", NULL);
}

static void scores_have_so_many_bits(void)
{
    has_points(ADD ADD ADD ADD ADD LD EXIT, (const char *const[]){"elf.score_bits=2", NULL}, "5:0",
               PRIORITIES(3, 3, 3, 2, 1, 0, 3));
}

/* The bit of the branch at `pc`: true: set. */
static bool bit_at(const char *body, uint32_t pc)
{
    struct fix f;
    struct program_points *p = points_of(&f, body, NULL);
    const bool set = p->recalculate[pc] == RECALCULATE_IF_JUMPED;
    free(p);
    fix_fini(&f);
    return set;
}

/* Behind the loop's branch the priority in force is 0, right at L and wrong behind the loop: clear.
 * The paper's words, "set when the taken path has fewer remaining instructions to the next program
 * point", would set it here (0 to the load, none ahead), recalculate what is right at every round,
 * and leave 0 in force where it should be 255. */
static void the_bit_says_which_path_the_priority_follows(void)
{
    CU_ASSERT_FALSE(bit_at("L:" LD ADD "@%p1 bra L;" EXIT, 2));
    CU_ASSERT_TRUE(bit_at("@%p1 bra E;" ADD ADD "E:" LD EXIT, 0)); /* counts the way past them */
    CU_ASSERT_TRUE(bit_at("bra E;" ADD ADD "E:" LD EXIT, 0));
}

/* ---- The policy ---- */
struct elf_scene {
    struct fix f;
    struct scene s;
    struct program_points *p;
};

static void elf_open(struct elf_scene *e, const char *body, int warps, const char *const *set)
{
    e->p = points_of(&e->f, body, set);
    scene_init(&e->s, &warp_scheduler_elf, warps, set);
    e->s.v.analysis = e->p;
    for (int i = 0; i < warps; i++)
        scene_start(&e->s, i);
}

static void elf_close(struct elf_scene *e)
{
    scene_fini(&e->s);
    free(e->p);
    fix_fini(&e->f);
}

/* Warp `slot` issues what is at its pc and is at `next` then. */
static void goes(struct elf_scene *e, int slot, uint32_t next)
{
    const struct inst_meta *m = &e->s.meta[e->s.warp[slot].at.pc];
    scene_at(&e->s, slot, next);
    e->s.ops->issued(e->s.st, &e->s.v, slot, m);
}

static uint64_t recalculations(const struct elf_scene *e)
{
    struct sched_counts c = {0};
    e->s.ops->counts(e->s.st, &c);
    CU_ASSERT_STRING_EQUAL(sched_counter_rows[c.row[0].what].name, "elf_recalculations");
    CU_ASSERT_EQUAL(c.row[1].n + c.row[0].n, c.row[1].of);
    return c.row[0].n;
}

static void a_priority_is_recalculated_at_loads_and_by_the_bit(void)
{
    struct elf_scene e;
    elf_open(&e, ADD "L: " LD ADD ADD "@%p1 bra L;" ADD EXIT, 1, NULL);
    static const struct {
        uint32_t next;
        int priority, recalculations;
    } step[] = {
        {1, 0, 0},
        {2, 3, 1},
        {3, 2, 1},
        {4, 1, 1},
        {1, 0, 1} /* taken, bit clear */,
        {2, 3, 2},
        {3, 2, 2},
        {4, 1, 2},
        {5, FAR, 3} /* not taken */,
        {6, FAR, 3} /* nothing ahead */,
    };
    CU_ASSERT_EQUAL(elf_priority(e.s.st, 0), 1);
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        goes(&e, 0, step[i].next);
        CU_ASSERT_EQUAL(elf_priority(e.s.st, 0), step[i].priority);
        CU_ASSERT_EQUAL(recalculations(&e), (uint64_t)step[i].recalculations);
    }
    elf_close(&e);
}

/* Paths that meet: the warp goes on elsewhere behind an instruction that is no branch. */
static void a_path_that_goes_on_elsewhere_is_recalculated(void)
{
    struct elf_scene e;
    elf_open(&e, ADD ADD ADD LD EXIT, 1, NULL);
    goes(&e, 0, 2);
    CU_ASSERT_EQUAL(elf_priority(e.s.st, 0), 1);
    CU_ASSERT_EQUAL(recalculations(&e), 1);
    elf_close(&e);
}

/* Whatever ways warps take, the priority in force is what the calculator would say. */
static void the_priority_in_force_is_exact(void)
{
    static const char *const body[] = {
        ADD "L: " LD ADD "@%p1 bra E;" ADD "E:" ADD "@%p2 bra L;" ADD LD EXIT,
        "O:" LD ADD "I:" ADD "@%p1 bra I;" LD "@%p3 bra E;" ADD "@%p2 bra O; E:" ADD LD ADD EXIT,
    };
    for (int b = 0; b < 2; b++) {
        struct elf_scene e;
        struct rng r = rng_seed(7);
        elf_open(&e, body[b], 1, NULL);
        const struct kernel *k = e.f.launch.kernel;
        for (int i = 0; i < 1000; i++) {
            const struct inst *in = &k->inst[e.s.warp[0].at.pc];
            if (in->op == OP_EXIT) {
                scene_end(&e.s, 0);
                scene_start(&e.s, 0);
                continue;
            }
            goes(&e, 0, in->op == OP_BRA && rng_below(&r, 2) ? in->target : in->pc + 1);
            CU_ASSERT_EQUAL(elf_priority(e.s.st, 0), e.p->priority[e.s.warp[0].at.pc]);
        }
        elf_close(&e);
    }
}

static void the_nearest_load_goes_first_then_the_oldest(void)
{
    struct elf_scene e;
    elf_open(&e, ADD ADD ADD LD ADD ADD EXIT, 3, NULL);
    CU_ASSERT_EQUAL(e.s.ops->pick(e.s.st, &e.s.v, 6), 1); /* all at 3: the oldest */
    goes(&e, 2, 1);
    CU_ASSERT_EQUAL(e.s.ops->pick(e.s.st, &e.s.v, 7), 2); /* greedy: nearer than the others now */
    goes(&e, 2, 2);
    goes(&e, 2, 3);
    CU_ASSERT_EQUAL(e.s.ops->pick(e.s.st, &e.s.v, 7), 2);
    goes(&e, 2, 4); /* the load: nothing more ahead */
    CU_ASSERT_EQUAL(e.s.ops->pick(e.s.st, &e.s.v, 7), 0);
    CU_ASSERT_EQUAL(e.s.ops->pick(e.s.st, &e.s.v, 4), 2);
    e.s.age[0] = 9; /* a new warp in slot 0 */
    CU_ASSERT_EQUAL(e.s.ops->pick(e.s.st, &e.s.v, 7), 1);
    elf_close(&e);
}

static void fetch_follows_the_order_of_issue_unless_told_otherwise(void)
{
    struct elf_scene e;
    elf_open(&e, ADD ADD LD EXIT, 2, NULL);
    goes(&e, 1, 1);
    CU_ASSERT_EQUAL(e.s.ops->fetch(e.s.st, &e.s.v, 3), 1);
    elf_close(&e);
    elf_open(&e, ADD ADD LD EXIT, 2, (const char *const[]){"elf.fetch=false", NULL});
    CU_ASSERT_EQUAL(e.s.ops->fetch(e.s.st, &e.s.v, 3), SCHED_ROUND_ROBIN);
    elf_close(&e);
}

static void no_warp_waits_for_ever_for_its_fetch(void)
{
    struct elf_scene e;
    elf_open(&e, LD ADD LD EXIT, 2, (const char *const[]){"elf.fetch_turns=3", NULL});
    for (int i = 1; i <= 9; i++)
        CU_ASSERT_EQUAL(e.s.ops->fetch(e.s.st, &e.s.v, 3), i % 3 ? 0 : SCHED_ROUND_ROBIN);
    elf_close(&e);
    elf_open(&e, ADD ADD EXIT, 2, (const char *const[]){"elf.fetch_turns=0", NULL});
    for (int i = 0; i < 6; i++) /* no load ahead: turns */
        CU_ASSERT_EQUAL(e.s.ops->fetch(e.s.st, &e.s.v, 3), i % 2);
    elf_close(&e);
}

/* ---- Figure 2: each instruction waits for the one before it; 1 cycle, loads 4 ---- */
struct figure {
    const struct warp_scheduler_ops *ops;
    struct scene *s;
    uint64_t ready_at[4];
    char order[64]; /* warp by cycle; '.': none */
};

static bool done(const struct scene *s, int warps, uint32_t end)
{
    for (int i = 0; i < warps; i++)
        if (s->warp[i].at.pc < end)
            return false;
    return true;
}

static void cycle(struct figure *g, const struct program_points *p, uint64_t now)
{
    struct scene *s = g->s;
    uint64_t ready = 0;
    for (int i = 0; i < 4; i++)
        ready |= (uint64_t)(s->warp[i].at.pc < 10 && g->ready_at[i] <= now) << i;
    g->order[now] = '.';
    if (!ready)
        return;
    const int slot = g->ops->pick(s->st, &s->v, ready);
    const struct inst_meta *m = &s->meta[s->warp[slot].at.pc];
    g->order[now] = (char)('0' + slot);
    g->ready_at[slot] = now + (p->recalculate[m->pc] == RECALCULATE ? 4 : 1);
    scene_at(s, slot, m->pc + 1);
    g->ops->issued(s->st, &s->v, slot, m);
}

static void timeline(const struct warp_scheduler_ops *ops, const char *want)
{
    static const uint32_t at[] = {6, 8, 8, 2};
    struct fix f;
    struct scene s;
    struct program_points *p = points_of(&f, ADD ADD LD ADD ADD ADD ADD LD ADD ADD EXIT, NULL);
    struct figure g = {.ops = ops, .s = &s};
    scene_init(&s, ops, 4, NULL);
    s.v.analysis = p;
    for (int i = 0; i < 4; i++) {
        scene_start(&s, i);
        scene_at(&s, i, at[i]);
        if (ops->warp_started)
            ops->warp_started(s.st, &s.v, i);
    }
    for (uint64_t now = 0; !done(&s, 4, 10) && now < 60; now++)
        cycle(&g, p, now);
    CU_ASSERT_STRING_EQUAL(g.order, want);
    if (strcmp(g.order, want) != 0)
        fprintf(stderr, "%s: %s, not %s\n", ops->name, g.order, want);
    scene_fini(&s);
    free(p);
    fix_fini(&f);
}

/* Ten instructions, loads at 2 and 7, four computations between them; warps at 6, 8, 8 and 2. GTO
 * runs the older warps to their ends and loads for warp 3 last, twice with nothing to do for three
 * cycles. ELF starts with warp 3, whose load is next, then warp 0's, which is one away; what the
 * others compute hides both. */
static void figure_2_has_the_loads_earlier(void)
{
    timeline(&warp_scheduler_gto, "001122003...33333...33");
    timeline(&warp_scheduler_elf, "3001333330012233");
}

/* Table 3: 42 bits for each of 32 points, 8 for each of 48 warps, 301 for each of 32 entries. */
static void storage_is_that_of_table_3(void)
{
    struct gpu_cfg c;
    gpu_cfg_default(&c);
    const struct elf_storage t = elf_storage(&c.sm.elf, c.sm.max_threads / WARP_SIZE, 32);
    CU_ASSERT_EQUAL(t.calculator, 42 * 32);
    CU_ASSERT_EQUAL(t.priorities, 8 * 48);
    CU_ASSERT_EQUAL(t.reexecution, 301 * 32);
    const double kb = (t.calculator + t.priorities + t.reexecution) / 8.0 / 1024;
    CU_ASSERT_DOUBLE_EQUAL(kb, 1.39, 0.005);
}

SUITE("ELF", T(a_loop_around_a_load_has_two_points), T(only_loads_from_memory_count),
      T(a_branch_that_says_nothing_is_no_point), T(forward_branches_count_on_request),
      T(the_score_follows_an_unconditional_branch), T(the_score_goes_past_predicated_exits_alone),
      T(scores_are_a_fixed_point), T(the_nearest_loads_are_merged),
      T(a_merged_branch_takes_its_score_along), T(what_cannot_be_merged_has_no_slot),
      T(scores_have_so_many_bits), T(the_bit_says_which_path_the_priority_follows),
      T(a_priority_is_recalculated_at_loads_and_by_the_bit),
      T(a_path_that_goes_on_elsewhere_is_recalculated), T(the_priority_in_force_is_exact),
      T(the_nearest_load_goes_first_then_the_oldest),
      T(fetch_follows_the_order_of_issue_unless_told_otherwise),
      T(no_warp_waits_for_ever_for_its_fetch), T(figure_2_has_the_loads_earlier),
      T(storage_is_that_of_table_3))
