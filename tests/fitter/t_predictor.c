/* What a predictor asks for, and pays for, of a case that the profile knows everything of. */
#include "fitter/eval/predictor.h"
#include "fitter/fit/coefficients.h"
#include "model/estimate.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_MAX 12

/* A model that knows no difference between degrees, nor how far off it is. */
static void predict_flat(const void *coeff, const struct sample *s, struct prediction *p)
{
    (void)coeff;
    *p = (struct prediction){.n_max = (int)s->n_max};
    for (int n = 1; n <= p->n_max; n++)
        p->ipc[n] = 20000;
    model_choose(p);
}

static const struct param_group flat_groups[] = {{NULL, NULL, 0, 0}};
static const struct model_ops model_flat = {
    .name = "flat", .help = "", .groups = flat_groups, .predict = predict_flat};

struct fixture {
    struct sample sample[2];
    struct app_case c;
    struct knowledge k;
};

/* What pilots say of n: the best is 3. Of n they take n seconds and 10 n warp instructions. */
static double cycles_at(int n)
{
    return 1000 * (1 + 0.2 * abs(n - 3));
}

static void record_pilot(struct sample *s, int n)
{
    s->pilot_cycles[n - 1] = cycles_at(n);
    s->pilot_insts[n - 1] = 10 * n;
    s->pilot_seconds[n - 1] = n;
}

static struct sample sample_of(int n_max)
{
    struct sample s = {.kernel = "k",
                       .warp_insts = 1000,
                       .thread_insts = 32000,
                       .cta_cycles = 1e4,
                       .l1d_accesses = 80,
                       .l1d_misses = 40,
                       .dram_reads = 40,
                       .mf_latency = 300,
                       .reused_lines = 20,
                       .l1d_lines = 64,
                       .grid_ctas = 1000,
                       .total_ctas = 1000,
                       .total_warp_insts = 1e6,
                       .total_thread_insts = 32e6,
                       .launch_warp_insts = 1e6,
                       .launch_thread_insts = 32e6,
                       .cores = 1,
                       .schedulers = 2,
                       .n_max = n_max};
    for (int n = 1; n <= 8; n++)
        record_pilot(&s, n);
    for (int n = 10; n <= n_max; n += 2)
        record_pilot(&s, n);
    return s;
}

/* One kernel; runs find what pilots do, all slower by a tenth. */
static void begin(struct fixture *f)
{
    *f = (struct fixture){.sample = {sample_of(N_MAX), sample_of(N_MAX)}};
    f->c = (struct app_case){.sample = f->sample,
                             .samples = 1,
                             .runs = 1,
                             .sample_warp_insts = 5,
                             .full_warp_insts = 1e6,
                             .price = {.functional_seconds = 2,
                                       .window_seconds = 1,
                                       .simulation_seconds = 100,
                                       .search_seconds = 1300}};
    f->c.m.n_max = f->c.once.n_max = N_MAX;
    for (int n = 1; n <= N_MAX; n++)
        f->c.m.ipc[n] = f->c.once.ipc[n] = 32e6 / cycles_at(n) / 1.1;
    struct coefficients pilots;
    coefficients_init(&pilots, &model_pilots);
    memcpy(&f->k.pilots, pilots.value, sizeof f->k.pilots);
    coefficients_release(&pilots);
    f->k.model = (struct model_coeffs){.model = &model_flat, .value = ""};
}

/* Pilots in the profile are not seen: with others the answer is the same. */
static void a_window_sees_no_pilot(void)
{
    struct fixture f;
    begin(&f);
    struct choice a = {0}, b = {0};
    predict_window(&f.c, &f.k, &a);
    CU_ASSERT_EQUAL(a.seconds, 3);
    CU_ASSERT_EQUAL(a.warp_insts, 5);
    CU_ASSERT_TRUE(a.predicts && !a.unpiloted);
    for (int n = 1; n <= N_MAX; n++) {
        f.sample[0].pilot_cycles[n - 1] *= n == 7 ? 0.01 : 3;
        CU_ASSERT_FALSE(a.predicted.piloted[n]);
    }
    predict_window(&f.c, &f.k, &b);
    CU_ASSERT_EQUAL(a.n, b.n);
    for (int n = 1; n <= N_MAX; n++)
        CU_ASSERT_EQUAL(a.predicted.ipc[n], b.predicted.ipc[n]);
}

/* The degrees that it asked for are those that the answer says had a pilot: these it pays for. The
 * sample keeps its pilots. */
static void quick_pays_for_the_pilots_that_it_asks_for(void)
{
    struct fixture f;
    begin(&f);
    struct choice a = {0}, b = {0};
    double seconds = 3, insts = 5;
    int asked = 0;
    f.sample[0].n_max = f.c.m.n_max = f.c.once.n_max = 8;
    f.k.pilots.worth = 0.05;
    predict_quick(&f.c, &f.k, &a);
    for (int n = 1; n <= 8; n++)
        if (a.predicted.piloted[n]) {
            seconds += n;
            insts += 10 * n;
            asked++;
        }
    CU_ASSERT_TRUE(asked > 1 && asked < 8);
    CU_ASSERT_TRUE(a.predicted.piloted[8]); /* the default comes first */
    CU_ASSERT_DOUBLE_EQUAL(a.seconds, seconds, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(a.warp_insts, insts, 1e-9);
    CU_ASSERT_TRUE(a.n == 3 && a.predicted.piloted[3]);
    CU_ASSERT_EQUAL(f.sample[0].pilot_cycles[4], cycles_at(5));
    f.k.pilots.budget = f.k.pilots.budget_short = 0; /* then the default alone */
    predict_quick(&f.c, &f.k, &b);
    CU_ASSERT_EQUAL(b.seconds, 3 + 8);
    CU_ASSERT_EQUAL(b.n, 8);
}

/* All take a third of the program, whatever was expected of few at once: the third one is stopped
 * when nothing is left, is paid for, and says nothing. */
static void what_takes_more_than_is_left_is_paid_for_in_part(void)
{
    struct fixture f;
    begin(&f);
    struct choice a = {0};
    int asked = 0;
    f.c.full_warp_insts = 2e6; /* no short program */
    f.k.pilots.worth = 0;
    for (int n = 1; n <= N_MAX; n++)
        if (f.sample[0].pilot_cycles[n - 1] > 0) {
            f.sample[0].pilot_insts[n - 1] = 0.33e6;
            f.sample[0].pilot_seconds[n - 1] = 33;
        }
    predict_quick(&f.c, &f.k, &a);
    for (int n = 1; n <= N_MAX; n++)
        asked += a.predicted.piloted[n];
    CU_ASSERT_EQUAL(asked, 2);
    CU_ASSERT_DOUBLE_EQUAL(a.warp_insts, 5 + f.k.pilots.budget_two * 1e6, 1);
    CU_ASSERT_DOUBLE_EQUAL(a.seconds, 3 + 100 * f.k.pilots.budget_two, 1e-6);
}

/* Seconds of the pilots that it asked for: n each. */
static double piloted(const struct choice *c)
{
    double seconds = 0;
    for (int n = 1; n <= c->predicted.n_max; n++)
        seconds += c->predicted.piloted[n] ? n : 0;
    return seconds;
}

/* It may ask for more pilots than a quick one, and runs the whole program at the degrees that may
 * be the best; these are known then. */
static void thorough_pays_for_its_pilots_and_for_runs(void)
{
    struct fixture f;
    begin(&f);
    f.sample[0].n_max = f.c.m.n_max = f.c.once.n_max = 8;
    f.k.pilots.runs = 2;
    f.k.pilots.budget = f.k.pilots.budget_short = 0;
    struct choice a = {0}, b = {0};
    predict_thorough(&f.c, &f.k, &a);
    int runs = 0;
    for (int n = 1; n <= 8; n++)
        runs += a.predicted.simulated[n];
    CU_ASSERT_TRUE(runs == 1 || runs == 2);
    CU_ASSERT_TRUE(piloted(&a) > 8);
    CU_ASSERT_DOUBLE_EQUAL(a.seconds, 3 + piloted(&a) + 100 * runs, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(a.warp_insts, 5 + 10 * piloted(&a) + 1e6 * runs, 1e-9);
    CU_ASSERT_TRUE(a.n == 3 && a.predicted.simulated[3]);
    CU_ASSERT_DOUBLE_EQUAL(a.predicted.ipc[3] / f.c.once.ipc[3], 1, 0.02);
    f.k.pilots.runs = 0;
    predict_thorough(&f.c, &f.k, &b);
    CU_ASSERT_DOUBLE_EQUAL(b.seconds, 3 + piloted(&b), 1e-9);
    CU_ASSERT_FALSE(b.predicted.simulated[3]);
}

/* n = 11 has none: between 10 and 12, on a logarithmic scale. */
static void a_pilot_that_was_not_recorded_is_interpolated(void)
{
    struct fixture f;
    begin(&f);
    f.sample[0].n_max = 11;
    f.c.m.n_max = f.c.once.n_max = 11;
    f.k.pilots.budget = f.k.pilots.budget_short = 0;
    struct choice a = {0};
    predict_quick(&f.c, &f.k, &a);
    const double part = log(11.0 / 10) / log(12.0 / 10),
                 cycles = cycles_at(10) * pow(cycles_at(12) / cycles_at(10), part);
    CU_ASSERT_DOUBLE_EQUAL(a.seconds, 3 + 10 + 2 * part, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(a.warp_insts, 5 + 100 + 20 * part, 1e-9);
    /* the model's own opinion hardly counts beside a pilot */
    CU_ASSERT_DOUBLE_EQUAL(log(a.predicted.ipc[11] * cycles / 32e6), 0, 0.08);
}

static void without_pilots_it_says_so(void)
{
    struct fixture f;
    begin(&f);
    memset(f.sample[0].pilot_cycles, 0, sizeof f.sample[0].pilot_cycles);
    memset(f.sample[0].pilot_seconds, 0, sizeof f.sample[0].pilot_seconds);
    memset(f.sample[0].pilot_insts, 0, sizeof f.sample[0].pilot_insts);
    struct choice window = {0}, quick = {0}, thorough = {0};
    predict_window(&f.c, &f.k, &window);
    predict_quick(&f.c, &f.k, &quick);
    predict_thorough(&f.c, &f.k, &thorough);
    CU_ASSERT_FALSE(window.unpiloted);
    CU_ASSERT_TRUE(quick.unpiloted && thorough.unpiloted);
    CU_ASSERT_EQUAL(quick.n, window.n);
    CU_ASSERT_EQUAL(quick.seconds, 3);
}

/* Each of two kernels has pilots of its own; what was not measured stays unknown. */
static void every_kernel_is_paid_for(void)
{
    struct fixture f;
    begin(&f);
    struct choice one = {0}, two = {0}, unknown = {0};
    predict_quick(&f.c, &f.k, &one);
    f.c.samples = 2;
    predict_quick(&f.c, &f.k, &two);
    CU_ASSERT_DOUBLE_EQUAL(two.seconds - 3, 2 * (one.seconds - 3), 1e-9);
    f.c.price = (struct profile_price){0};
    predict_quick(&f.c, &f.k, &unknown);
    CU_ASSERT_TRUE(isnan(unknown.seconds));
    CU_ASSERT_EQUAL(unknown.n, two.n);
}

SUITE("predictor", T(a_window_sees_no_pilot), T(quick_pays_for_the_pilots_that_it_asks_for),
      T(what_takes_more_than_is_left_is_paid_for_in_part),
      T(thorough_pays_for_its_pilots_and_for_runs),
      T(a_pilot_that_was_not_recorded_is_interpolated), T(without_pilots_it_says_so),
      T(every_kernel_is_paid_for))
