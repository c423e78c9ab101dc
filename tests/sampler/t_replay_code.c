/* Replays that begin with code in their caches. On yen2014 L1I has 16 lines of 16 instructions; the
 * kernel has 202: 5 of its head, 196 moves and its exit, in 13 lines. All clocks are equal and
 * there is one partition, as in t_replay.c. */
#include "sampler/replay_core.h"
#include "tests/sampler/traced.h"

#define READ  249.0 /* of a line of code that DRAM has in an open row (t_replay.c) */
#define EVEN  "clock.icnt=1400", "clock.l2=1400", "clock.dram=1400", "partition.count=1"
#define LINES 13

static void open_code(struct traced *x, const char *const *settings)
{
    static char body[8192];
    char *at = body;
    for (int i = 0; i < 196; i++)
        at += sprintf(at, "mov.u32 %%r%d, 1;\n", 2 + i % 8); /* independent */
    traced_open(x, body, settings, (struct traced_shape){.ctas = 15, .threads = 32, .want = 1});
    CU_ASSERT_EQUAL(x->run.l.kernel->ninst, 202);
}

struct code_case {
    bool l1i;                   /* a core has run the kernel */
    int runner;                 /* which one */
    const struct kernel *other; /* ... and this one before; NULL: none */
    bool l2;                    /* L2 holds the kernel's code */
    bool all;                   /* cores run, not core 0 alone */
};

/* Of a CTA on a core. */
static double cycles_of(const struct traced *x, struct code_case c, int core)
{
    const struct replay_opts o = {.n = 1, .alone = !c.all};
    struct replay_result r;
    struct replay *p = replay_new(&x->cfg, &o);
    int ctas;
    if (c.other)
        replay_set_code(p, c.runner, c.other);
    if (c.l1i)
        replay_set_code(p, c.runner, x->run.l.kernel);
    if (c.l2)
        replay_set_l2_code(p, x->run.l.kernel);
    replay_run(p, &x->t, 1, &r);
    const struct replay_cta *cta = replay_ctas(p, core, &ctas);
    CU_ASSERT_EQUAL_FATAL(ctas, 1);
    const double cycles = cta->end - cta->start;
    replay_free(p);
    return cycles;
}

/* Each line that L1I misses takes READ; the warp has less than 6 cycles' work of another line
 * meanwhile. What one core has run the others have not. */
static void code_that_was_run_is_not_fetched(void)
{
    static const char *const even[] = {EVEN, "cores=3", NULL};
    struct traced x;
    open_code(&x, even);
    for (int all = 0; all < 2; all++)
        for (int runner = 0; runner < (all ? 3 : 1); runner++)
            for (int core = 0; core < (all ? 3 : 1); core++) {
                const struct code_case ran = {.all = all, .l1i = true, .runner = runner};
                const double cold = cycles_of(&x, (struct code_case){.all = all}, core);
                const double warm = cycles_of(&x, ran, core);
                CU_ASSERT_DOUBLE_EQUAL(cold - warm, core == runner ? LINES * READ : 0, LINES * 6);
            }
    traced_close(&x);
}

/* L1I misses each line, and L2 has it at once: 116 less, and 4 for filling it. That L1Is hold it is
 * another matter; and without an L2 there is nothing to hold it. */
static void code_that_l2_holds_is_not_read(void)
{
    static const char *const l2[] = {EVEN, "l2.enabled=true", NULL};
    static const char *const even[] = {EVEN, NULL};
    struct traced x;
    open_code(&x, l2);
    const double cold = cycles_of(&x, (struct code_case){0}, 0);
    const double held = cycles_of(&x, (struct code_case){.l2 = true}, 0);
    const double warm = cycles_of(&x, (struct code_case){.l1i = true}, 0);
    CU_ASSERT_DOUBLE_EQUAL(cold - held, LINES * 120, LINES * 6);
    CU_ASSERT_TRUE(held - warm > (LINES - 1) * (READ - 120 - 6));
    traced_close(&x);
    open_code(&x, even);
    CU_ASSERT_EQUAL(cycles_of(&x, (struct code_case){.l2 = true}, 0),
                    cycles_of(&x, (struct code_case){0}, 0));
    traced_close(&x);
}

/* A kernel of 1000 instructions fills L1I, whose 256 then hold all of the one that ran after it. */
static void l1i_holds_what_was_run_last(void)
{
    static const char *const even[] = {EVEN, NULL};
    const struct kernel large = {.ninst = 1000};
    struct traced x;
    open_code(&x, even);
    const double warm = cycles_of(&x, (struct code_case){.l1i = true}, 0);
    const double behind = cycles_of(&x, (struct code_case){.l1i = true, .other = &large}, 0);
    CU_ASSERT_DOUBLE_EQUAL(behind, warm, 24); /* the row of its parameters is another one */
    traced_close(&x);
}

/* Any number of kernels, one behind the other from where the simulator has them: no data is there.
 */
static void kernels_lie_one_behind_the_other(void)
{
    enum { KERNELS = 200 };
    struct kernel *k = xcalloc(KERNELS, sizeof *k);
    struct traced x;
    open_code(&x, NULL);
    struct replay *p = replay_new(&x.cfg, &(struct replay_opts){.n = 1});
    addr_t at = SM_CODE_BASE;
    for (int i = 0; i < KERNELS; i++) {
        k[i].ninst = (uint32_t)(3 + i);
        CU_ASSERT_EQUAL(replay_code_of(p, &k[i]), at);
        at += k[i].ninst * SM_INST_BYTES;
    }
    CU_ASSERT_EQUAL(replay_code_of(p, &k[1]), SM_CODE_BASE + 3 * SM_INST_BYTES);
    replay_free(p);
    traced_close(&x);
    free(k);
}

SUITE("replayed code", T(kernels_lie_one_behind_the_other), T(code_that_was_run_is_not_fetched),
      T(code_that_l2_holds_is_not_read), T(l1i_holds_what_was_run_last))
