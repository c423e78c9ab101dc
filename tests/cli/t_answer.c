#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer.h"
#include "tests/suite.h"

/* IPC 100, 200, 150, 100 at n = 1 ... 4; n = 2 is chosen. */
static struct prediction peak(double error)
{
    return (struct prediction){.n_max = 4,
                               .chosen_n = 2,
                               .gain_deviation = error,
                               .ipc = {0, 100, 200, 150, 100},
                               .bound = {"", "latency", "issue", "issue", "L1D thrash"}};
}

static struct sample plain(void)
{
    struct sample s = {.n_max = 4};
    strcpy(s.kernel, "k");
    return s;
}

/* Twice as fast, a factor that is off by 10 %: 80 % lie within exp(1.28155 * 0.1) = 1.136729:
 * 2 / 1.136729 = 1.759435, 2 * 1.136729 = 2.273458. */
static void a_gain_lies_in_its_interval(void)
{
    const struct prediction p = peak(0.1);
    const struct gain g = answer_gain(&p);
    CU_ASSERT_TRUE(g.known);
    CU_ASSERT_DOUBLE_EQUAL(g.mean, 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(g.low, 0.759435, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(g.high, 1.273458, 1e-5);
}

static void what_the_model_does_not_know_is_not_known(void)
{
    struct prediction p = peak(0);
    CU_ASSERT_FALSE(answer_gain(&p).known);
    CU_ASSERT_DOUBLE_EQUAL(answer_gain(&p).mean, 1, 1e-12);
    p.chosen_n = 4; /* but the default gains nothing over itself, whatever the model knows */
    CU_ASSERT_TRUE(answer_gain(&p).known);
    CU_ASSERT_EQUAL(answer_gain(&p).high, 0);
}

static char *answer_of(const struct prediction *p, int kernels, bool every_kernel)
{
    struct sample s[8];
    struct prediction each[8];
    const struct sm_cfg sm = {.max_ctas = 4,
                              .max_threads = 1536,
                              .registers = 32768,
                              .register_granularity = 1,
                              .warp_granularity = 1,
                              .shared_bytes = 49152,
                              .shared_granularity = 1};
    struct cta_resources uses[8] = {{0}};
    for (int i = 0; i < kernels; i++) {
        s[i] = plain();
        s[i].kernel[0] = (char)('a' + i);
        each[i] = *p;
        uses[i] = (struct cta_resources){.threads = 128, .regs = 16, .n_max = 4};
    }
    const struct model_ops model = {.name = "m"};
    const struct price price = {.answer = 1, .simulation = 2};
    const struct explanation x = {.title = "app",
                                  .model = &model,
                                  .kernels = {s, each, kernels},
                                  .all = p,
                                  .uses = uses,
                                  .sm = &sm};
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    answer_print(f, &(struct answer){.of = &x,
                                     .price = &price,
                                     .gpu = "g",
                                     .effort = EFFORT_WINDOW,
                                     .every_kernel = every_kernel});
    fclose(f);
    return text;
}

static void has(const char *text, const char *what)
{
    if (!strstr(text, what))
        printf("\n  not \"%s\" in:\n%s", what, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, what));
}

/* 49152 bytes for 2 CTAs, not 3: more than 49152 / 3, in steps of 16: 16400. */
static void the_degree_comes_first(void)
{
    const struct prediction p = peak(0.1);
    char *text = answer_of(&p, 1, false);
    CU_ASSERT_PTR_EQUAL(strstr(text, "Chosen: n = 2 CTAs at once on each core; as many as fit: 4."),
                        text);
    has(text, "app on g; effort window, model m");
    has(text, "+100.0 % over n = 4; +75.9 to +127.3 % with a probability of 80 %");
    has(text, "n = 2: issue\n");
    has(text, "n = 4: L1D thrash\n");
    has(text, "0.5 times one simulation");
    has(text, "How to get n = 2 of a: 16400 bytes more dynamic shared memory:\n"
              "    <<<grid, block, 16400>>>.\n");
    free(text);
}

static void many_kernels_do_not_fill_the_screen(void)
{
    const struct prediction p = peak(0.1);
    char *few = answer_of(&p, 6, false), *all = answer_of(&p, 6, true);
    has(few, "of d: ");
    CU_ASSERT_PTR_NULL(strstr(few, "of e: "));
    has(few, "of 2 more kernels: --explain");
    has(all, "of f: ");
    CU_ASSERT_PTR_NULL(strstr(all, "more kernels"));
    free(few);
    free(all);
}

static void the_default_gains_nothing(void)
{
    struct prediction p = peak(0.1);
    p.chosen_n = 4;
    char *text = answer_of(&p, 1, false);
    has(text, "Chosen: n = 4 CTAs at once on each core, as many as fit.");
    has(text, "none: no other degree promises enough more than n = 4");
    has(text, "How to get n = 4 of a: as it is.");
    free(text);
}

SUITE("answer", T(a_gain_lies_in_its_interval), T(what_the_model_does_not_know_is_not_known),
      T(the_degree_comes_first), T(many_kernels_do_not_fill_the_screen),
      T(the_default_gains_nothing))
