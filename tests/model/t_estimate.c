/* A model's prediction put right by what pilot simulations, and runs, have found. */
#include "model/estimate.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "tests/suite.h"

/* A model whose coefficients are the curve that it predicts of every kernel, times its mf_latency.
 */
static const double hill[] = {0, 10, 14, 17, 19, 20, 19.5, 18, 16};
static const struct error_curve errors = {0.3, 0.6, 1};

static void predict(const void *coeff, const struct sample *s, struct prediction *p)
{
    const double *curve = coeff;
    *p = (struct prediction){.n_max = (int)s->n_max,
                             .error = errors.error,
                             .error_correlation = errors.error_correlation,
                             .correlation_length = errors.correlation_length};
    for (int n = 1; n <= p->n_max; n++)
        p->ipc[n] = s->mf_latency * curve[n];
    model_choose(p);
}

static const struct model_ops ops = {.name = "curve", .predict = predict};
static const struct model_coeffs hilly = {.model = &ops, .value = hill};

static struct pilot_coeff usual(void)
{
    struct pilot_coeff c;
    params_default(model_pilots.groups, &c);
    return c;
}

/* A launch of 1000 CTAs and 32000 thread instructions on 15 cores, which stands for `launches`. */
static struct sample kernel_of(double times, double launches)
{
    return (struct sample){.n_max = 8,
                           .warp_insts = 20,
                           .cores = 15,
                           .grid_ctas = 1000,
                           .mf_latency = times,
                           .launches = launches,
                           .launch_warp_insts = 1000,
                           .launch_thread_insts = 32000,
                           .total_warp_insts = 1000 * launches,
                           .total_thread_insts = 32000 * launches};
}

static void pilot_at(struct sample *s, int n, double ipc)
{
    s->pilot_cycles[n - 1] = s->launch_thread_insts / ipc;
    s->pilot_insts[n - 1] = 100 + n;
}

/* The caller frees nothing. */
static struct prediction estimated(const struct pilot_coeff *c, const struct sample *s, int kernels)
{
    struct prediction kernel[2], all;
    posterior_free(estimate(&hilly, c, s, kernels, kernel, &all));
    return all;
}

static void without_pilots_it_is_the_prediction(void)
{
    const struct pilot_coeff c = usual();
    const struct sample s[] = {kernel_of(1, 3), kernel_of(2, 1)};
    for (int kernels = 1; kernels <= 2; kernels++) {
        struct prediction kernel[2], all, plain[2], together;
        struct posterior *known = estimate(&hilly, &c, s, kernels, kernel, &all);
        model_predict(&hilly, s, kernels, plain, &together);
        CU_ASSERT_EQUAL(posterior_n_max(known), 8);
        CU_ASSERT_EQUAL(all.n_max, 8);
        CU_ASSERT_EQUAL(all.chosen_n, together.chosen_n);
        for (int n = 1; n <= 8; n++) {
            CU_ASSERT_DOUBLE_EQUAL(all.ipc[n], together.ipc[n], 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(posterior_ipc(known, n), all.ipc[n], 1e-12);
            for (int k = 0; k < kernels; k++) {
                CU_ASSERT_DOUBLE_EQUAL(kernel[k].ipc[n], plain[k].ipc[n], 1e-9);
                CU_ASSERT_EQUAL(kernel[k].chosen_n, plain[k].chosen_n);
                CU_ASSERT_DOUBLE_EQUAL(kernel[k].deviation[n], 0.3, 1e-12);
                CU_ASSERT_FALSE(kernel[k].piloted[n]);
            }
            CU_ASSERT_FALSE(all.piloted[n] || all.simulated[n]);
        }
        posterior_free(known);
    }
}

/* Where pilots are hardly off, their curve, whatever the model says: the best is 2. */
static void pilots_of_all_degrees_are_the_curve(void)
{
    static const double is[] = {0, 30, 33, 32, 31, 24, 22, 21, 20};
    struct pilot_coeff c = usual();
    c.error = 1e-4;
    struct sample s = kernel_of(1, 1);
    for (int n = 1; n <= 8; n++)
        pilot_at(&s, n, is[n]);
    const struct prediction p = estimated(&c, &s, 1);
    for (int n = 1; n <= 8; n++) {
        CU_ASSERT_DOUBLE_EQUAL(p.ipc[n] / is[n], 1, 1e-4);
        CU_ASSERT_TRUE(p.deviation[n] < 2e-4 && p.piloted[n] && !p.undecided[n]);
    }
    CU_ASSERT_EQUAL(p.chosen_n, 2);
    CU_ASSERT_TRUE(p.gain_deviation < 3e-4);
}

/* As with a profile of every degree, of which some are left out: what is known is that of a
 * posterior that was told the others, if the model is about as far off as it says. */
static void what_is_left_out_is_not_known(void)
{
    const struct pilot_coeff c = usual();
    struct rng r = rng_seed(5);
    for (int mask = 0; mask < 256; mask++) {
        const struct error_curve off = {c.error, c.error_correlation, c.correlation_length};
        struct posterior *known = posterior_new(8, hill, &errors, &off);
        struct sample s = kernel_of(1, 1);
        bool has[9] = {false};
        for (int n = 1; n <= 8; n++)
            if (mask >> (n - 1) & 1) {
                const double ipc = hill[n] * exp(0.05 * rng_normal(&r));
                pilot_at(&s, n, ipc);
                posterior_pilot(known, n, ipc, 0);
                has[n] = true;
            }
        const struct prediction p = estimated(&c, &s, 1);
        for (int n = 1; n <= 8; n++) {
            CU_ASSERT_DOUBLE_EQUAL(p.ipc[n], posterior_ipc(known, n), 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(p.deviation[n], sqrt(posterior_covariance(known, n, n)), 1e-9);
            CU_ASSERT_EQUAL(p.piloted[n], has[n]);
        }
        const bool several = mask & (mask - 1); /* one tells nothing against the others */
        CU_ASSERT_TRUE(!several || p.chosen_n == 8 || has[p.chosen_n]);
        CU_ASSERT_TRUE(mask || p.chosen_n == 5);
        const int a = p.chosen_n;
        CU_ASSERT_DOUBLE_EQUAL(
            p.gain_deviation,
            sqrt(fmax(0, posterior_covariance(known, a, a) + posterior_covariance(known, 8, 8) -
                             2 * posterior_covariance(known, a, 8))),
            1e-9);
        posterior_free(known);
    }
}

/* 45 CTAs on 15 cores: from 3 on all are the same, and one pilot is of all. */
static void degrees_that_are_the_same_share_a_pilot(void)
{
    struct pilot_coeff c = usual();
    c.error = 1e-4;
    struct sample s = kernel_of(1, 1);
    s.grid_ctas = 45;
    pilot_at(&s, 3, 12);
    const struct prediction p = estimated(&c, &s, 1);
    for (int n = 1; n <= 8; n++) {
        CU_ASSERT_EQUAL(p.piloted[n], n >= 3);
        CU_ASSERT_TRUE(n < 3 || fabs(p.ipc[n] / 12 - 1) < 1e-3);
    }
}

static void the_search_begins_with_what_the_model_says(void)
{
    const struct pilot_coeff c = usual();
    struct sample s = kernel_of(1, 3);
    struct pilot_plan plan;
    s.grid_ctas = 60;
    estimate_plan(&hilly, &c, &s, 1e9, &plan);
    CU_ASSERT_EQUAL(plan.most, 4);
    CU_ASSERT_EQUAL(pilot_plan_next(&plan), 4);
    CU_ASSERT_DOUBLE_EQUAL(plan.predicted[2], 14, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(plan.budget, 3000 * c.budget, 1e-9);
    estimate_plan(&hilly, &c, &s, c.short_insts, &plan);
    CU_ASSERT_DOUBLE_EQUAL(plan.budget, 3000 * c.budget_short, 1e-9);
    s.pilot_cycles[3] = s.launch_warp_insts * c.short_cycles / c.short_insts;
    CU_ASSERT_DOUBLE_EQUAL(estimate_budget(&c, &s, c.short_insts), 3000 * c.budget_short, 1e-9);
    s.pilot_cycles[3] *= 1.001; /* few instructions, but long ones */
    CU_ASSERT_DOUBLE_EQUAL(estimate_budget(&c, &s, c.short_insts), 3000 * c.budget, 1e-9);
}

/* Of one degree a pilot is wanted where the launch is not short, and no CTA is a large part. */
/* A thorough answer on a short program simulates every degree, as far as its budget goes. */
static void a_thorough_answer_leaves_no_degree_of_a_short_program_out(void)
{
    struct pilot_coeff c = usual();
    c.worth = 10; /* no improvement is */
    c.worth_short = 0;
    const struct sample s = kernel_of(1, 3);
    for (int effort = EFFORT_QUICK; effort <= EFFORT_THOROUGH; effort++) {
        for (int is_short = 0; is_short < 2; is_short++) {
            const struct pilot_coeff at = pilots_at(&c, (enum effort)effort);
            struct pilot_plan plan;
            int pilots = 0;
            estimate_plan(&hilly, &at, &s, c.short_insts + 1 - is_short, &plan);
            for (int n; (n = pilot_plan_next(&plan)); pilots++)
                pilot_plan_tell(&plan, n, hill[n], 1);
            CU_ASSERT_EQUAL(pilots, effort == EFFORT_THOROUGH && is_short ? 8 : 1);
        }
    }
}

static void one_degree_has_a_pilot_of_a_long_launch(void)
{
    static const struct {
        double insts, grid, longest;
        int next;
    } row[] = {{16384, 12, 1, 1}, {16383, 12, 1, 0},   {16384, 10, 1, 1},
               {16384, 9, 1, 0},  {16384, 12, 1.3, 0}, {16384, 12, 0, 0}};
    const struct pilot_coeff c = usual();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct sample s = kernel_of(1, 1);
        struct pilot_plan plan;
        s.launch_warp_insts = row[i].insts;
        s.grid_ctas = row[i].grid;
        s.longest_cta = row[i].longest;
        estimate_plan(&hilly, &c, &s, 1e9, &plan);
        CU_ASSERT_EQUAL(pilot_plan_next(&plan), row[i].next);
    }
}

/* As if it had been told of them. */
static void the_search_goes_on_after_the_pilots_there_are(void)
{
    const struct pilot_coeff c = usual();
    struct sample s = kernel_of(1, 3);
    struct pilot_plan plan, told;
    double gain;
    CU_ASSERT_EQUAL(estimate_pilot_gain(&hilly, &c, &s), 0); /* of what has none nothing is said */
    estimate_plan(&hilly, &c, &s, 1e9, &told);
    pilot_at(&s, 8, 15);
    pilot_at(&s, 2, 13);
    pilot_plan_tell(&told, 8, 15, s.pilot_insts[7]);
    pilot_plan_tell(&told, 2, 13, s.pilot_insts[1]);
    estimate_plan(&hilly, &c, &s, 1e9, &plan);
    CU_ASSERT_EQUAL(plan.pilots, 2);
    CU_ASSERT_EQUAL(plan.spent, told.spent);
    CU_ASSERT_EQUAL(pilot_plan_next(&plan), pilot_plan_next(&told));
    CU_ASSERT_TRUE(pilot_plan_wants(&plan, &gain) > 0);
    CU_ASSERT_EQUAL(estimate_pilot_gain(&hilly, &c, &s), gain);
    for (int n = 1; n <= 8; n++)
        pilot_at(&s, n, hill[n]);
    CU_ASSERT_EQUAL(estimate_pilot_gain(&hilly, &c, &s), 0);
}

/* 20 at 2, 19.95 at 3, 19.9 at 4, the largest: by 0.25 and 0.5 % more than the default. */
static void the_largest_is_chosen_unless_another_gains_enough(void)
{
    static const double curve[] = {0, 10, 20, 19.95, 19.9}, rising[] = {0, 10, 20, 30, 40};
    static const struct {
        const double *is;
        int without; /* has no pilot */
        double least_gain;
        int chosen;
    } row[] = {{curve, 0, 0, 2},     {curve, 0, 0.004, 2}, {curve, 0, 0.0051, 4}, {curve, 2, 0, 3},
               {curve, 2, 0.004, 4}, {rising, 0, 0, 4},    {rising, 4, 0, 4}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct model_coeffs m = {.model = &ops, .value = row[i].is};
        struct pilot_coeff c = usual();
        struct sample s = kernel_of(1, 1);
        struct prediction kernel, all;
        s.n_max = 4;
        c.error = 1e-6;
        c.least_gain = row[i].least_gain;
        for (int n = 1; n <= 4; n++)
            if (n != row[i].without)
                pilot_at(&s, n, row[i].is[n]);
        posterior_free(estimate(&m, &c, &s, 1, &kernel, &all));
        CU_ASSERT_EQUAL(kernel.chosen_n, row[i].chosen);
        CU_ASSERT_EQUAL(all.chosen_n, row[i].chosen);
    }
}

/* The default's pilot alone says nothing against what the model promises; another one does. */
static void after_one_pilot_the_model_chooses_unless_no_other_is_worth_one(void)
{
    struct pilot_coeff c = usual();
    struct sample s = kernel_of(1, 1);
    c.error = 1e-3;
    c.caution = 0;
    pilot_at(&s, 8, hill[8]);
    CU_ASSERT_EQUAL(estimated(&c, &s, 1).chosen_n, 5);
    c.worth = 1; /* the pilots that there are to be */
    CU_ASSERT_EQUAL(estimated(&c, &s, 1).chosen_n, 8);
    c.worth = usual().worth;
    pilot_at(&s, 4, hill[8] * 0.9);
    CU_ASSERT_EQUAL(estimated(&c, &s, 1).chosen_n, 8);
}

/* Curves drawn at random, and predictions that are off by as much as `errors` and more. */
struct drawn {
    int n_max, most;
    double is[SAMPLE_DEGREES + 1], predicted[SAMPLE_DEGREES + 1];
};

static struct drawn draw(struct rng *r)
{
    struct drawn d = {.n_max = 1 + (int)rng_below(r, 32)};
    d.most = 1 + (int)rng_below(r, (uint64_t)d.n_max);
    const double peak = rng_real(r, 0.5, 40), spread = rng_real(r, 0.2, 3);
    const double all = rng_normal(r) * 0.3, own = rng_unit(r) * 0.6;
    for (int n = 1; n <= d.n_max; n++) {
        const double at = log(fmin(n, d.most) / peak) / spread;
        d.is[n] = 100 * exp(-at * at / 2);
        d.predicted[n] = d.is[n] * exp(all + own * rng_normal(r));
    }
    return d;
}

static double best_of(const struct drawn *d)
{
    double best = 0;
    for (int n = 1; n <= d->n_max; n++)
        best = fmax(best, d->is[n]);
    return best;
}

/* As the sampler does: pilots that are worth it, exact ones, and what is chosen then. */
static int search(const struct pilot_coeff *c, const struct drawn *d, int *pilots)
{
    const struct model_coeffs m = {.model = &ops, .value = d->predicted};
    struct sample s = kernel_of(1, 1e6);
    struct prediction kernel, all;
    struct pilot_plan plan;
    s.n_max = d->n_max;
    s.grid_ctas = 15 * d->most;
    *pilots = 0;
    estimate_plan(&m, c, &s, 1e9, &plan);
    for (int n; (n = pilot_plan_next(&plan)); ++*pilots) {
        pilot_at(&s, n, d->is[n]);
        pilot_plan_tell(&plan, n, pilots_ipc(&s, n), s.pilot_insts[n - 1]);
    }
    posterior_free(estimate(&m, c, &s, 1, &kernel, &all));
    CU_ASSERT_EQUAL(all.chosen_n, kernel.chosen_n);
    return all.chosen_n;
}

/* All of them: no degree is better than the chosen one by more than they are off. */
static void exact_pilots_of_all_find_the_best(void)
{
    struct rng r = rng_seed(1);
    struct pilot_coeff c = usual();
    c.error = 1e-4;
    c.worth = c.least_gain = 0;
    for (int i = 0; i < 200; i++) {
        const struct drawn d = draw(&r);
        int pilots;
        const int n = search(&c, &d, &pilots);
        CU_ASSERT_TRUE(d.is[n] > best_of(&d) * (1 - 2e-3));
    }
}

/* Whatever is predicted: only a degree that was simulated is chosen instead of the default, and
 * only where it gains: it loses to the default what pilots are off by at most. Few are run. */
static void exact_pilots_never_choose_what_loses(void)
{
    struct rng r = rng_seed(2);
    struct pilot_coeff c = usual();
    c.error = 1e-3;
    double kept = 0;
    int sum = 0, all = 0;
    for (int i = 0; i < 200; i++) {
        const struct drawn d = draw(&r);
        int pilots;
        const int n = search(&c, &d, &pilots);
        CU_ASSERT_TRUE(d.is[n] > d.is[d.n_max] * (1 - 5e-3));
        kept += d.is[n] / best_of(&d) / 200;
        sum += pilots;
        all += d.most;
    }
    CU_ASSERT_TRUE(kept > 0.98);
    CU_ASSERT_TRUE(sum < 0.7 * all);
}

/* Two kernels of 32000 instructions, pilots hardly off. The first, at IPC 10, 20, 10 ..., takes
 * 3200, 1600, 3200 cycles ...; the second 1000 at 1 and 2000 from 2 on. 3600 at 2 is the least. */
static void kernels_add_up(void)
{
    struct pilot_coeff c = usual();
    c.error = 1e-4;
    struct sample s[] = {kernel_of(1, 1), kernel_of(3, 1)};
    struct prediction kernel[2], all;
    for (int n = 1; n <= 8; n++) {
        pilot_at(&s[0], n, n == 2 ? 20 : 10);
        if (n != 5)
            pilot_at(&s[1], n, n == 1 ? 32 : 16);
    }
    struct posterior *known = estimate(&hilly, &c, s, 2, kernel, &all);
    CU_ASSERT_DOUBLE_EQUAL(posterior_ipc(known, 1), 64000 / 4200.0, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(all.ipc[2], 64000 / 3600.0, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(all.ipc[8], 64000 / 5200.0, 0.02);
    CU_ASSERT_EQUAL(kernel[0].chosen_n, 2);
    CU_ASSERT_EQUAL(kernel[1].chosen_n, 1);
    CU_ASSERT_EQUAL(all.chosen_n, 2);
    for (int n = 1; n <= 8; n++) /* of the one that takes longest, the first */
        CU_ASSERT_TRUE(all.piloted[n] && kernel[1].piloted[n] == (n != 5));
    posterior_free(known);
}

/* The chosen degree is simulated first, then those that may be better; each once. */
static void the_whole_program_is_simulated_where_it_is_worth_it(void)
{
    struct pilot_coeff c = usual();
    struct sample s = kernel_of(1, 1);
    struct prediction kernel, all;
    for (int n = 4; n <= 8; n++)
        pilot_at(&s, n, hill[n]);
    struct posterior *known = estimate(&hilly, &c, &s, 1, &kernel, &all);
    CU_ASSERT_EQUAL(all.chosen_n, 5);
    CU_ASSERT_EQUAL(estimate_next_run(known, &c, &all), 5);
    estimate_run(known, &c, 5, 12, &all); /* much less than its pilot said */
    CU_ASSERT_TRUE(all.simulated[5]);
    CU_ASSERT_DOUBLE_EQUAL(all.ipc[5] / 12, 1, 0.02);
    CU_ASSERT_TRUE(all.deviation[5] <= c.run_error * 1.000001);
    CU_ASSERT_TRUE(all.ipc[6] < 19); /* and so may theirs have been off */
    int runs = 1;
    for (int n; (n = estimate_next_run(known, &c, &all)); runs++) {
        CU_ASSERT_TRUE_FATAL(n >= 1 && n <= 8 && !all.simulated[n]);
        estimate_run(known, &c, n, 10, &all);
        CU_ASSERT_TRUE(all.simulated[n]);
    }
    CU_ASSERT_TRUE(runs > 1 && runs <= 8);
    CU_ASSERT_EQUAL(all.chosen_n, 5); /* 12 where others have 10 */
    posterior_free(known);
}

/* What is worth it is simulated; and the default, where a run is off by more than three times what
 * pilots usually are. */
static void a_run_that_is_far_off_calls_for_the_default(void)
{
    for (int off = 0; off < 2; off++) {
        struct pilot_coeff c = usual();
        struct sample s = kernel_of(1, 1);
        struct prediction kernel, all;
        pilot_at(&s, 8, 16);
        pilot_at(&s, 5, 20);
        c.worth_run = 1; /* nothing is */
        struct posterior *known = estimate(&hilly, &c, &s, 1, &kernel, &all);
        CU_ASSERT_EQUAL(estimate_next_run(known, &c, &all), 5);
        const double usually = sqrt(posterior_covariance(known, 5, 5) + c.run_error * c.run_error);
        const double ipc = posterior_ipc(known, 5) * exp((off ? -3.01 : -2.99) * usually);
        estimate_run(known, &c, 5, ipc, &all);
        CU_ASSERT_EQUAL(all.chosen_n, 5);
        CU_ASSERT_EQUAL(estimate_next_run(known, &c, &all), off ? 8 : 0);
        estimate_run(known, &c, 8, 10, &all);
        CU_ASSERT_EQUAL(estimate_next_run(known, &c, &all), 0);
        posterior_free(known);
    }
}

/* From 3 on they are the same: what is simulated at one of them is so at all. */
static void a_run_is_of_all_degrees_that_are_the_same(void)
{
    const struct pilot_coeff c = usual();
    struct sample s = kernel_of(1, 1);
    struct prediction kernel, all;
    s.grid_ctas = 45;
    struct posterior *known = estimate(&hilly, &c, &s, 1, &kernel, &all);
    CU_ASSERT_EQUAL(all.same_from, 3);
    estimate_run(known, &c, 6, 30, &all);
    for (int n = 1; n <= 8; n++)
        CU_ASSERT_EQUAL(all.simulated[n], n >= 3);
    CU_ASSERT_TRUE(all.chosen_n >= 3);
    posterior_free(known);
}

/* Its CTAs wait for others: without a window nothing is predicted. What its simulations have found
 * counts, whatever the pilots of other kernels are off by; at 1 and 2 it never ends. */
static void what_was_simulated_at_every_degree_is_known(void)
{
    const struct pilot_coeff c = usual();
    static const double is[] = {0, 30, 30, 30, 31, 40, 22, 21, 20};
    struct prediction kernel[2], all;
    struct sample s[] = {kernel_of(1, 1), kernel_of(1, 1)};
    s[0].warp_insts = 0;
    for (int n = 1; n <= 8; n++)
        pilot_at(&s[0], n, is[n]);
    s[0].launch_warp_insts = s[0].pilot_insts[7];
    CU_ASSERT_TRUE(sample_whole(&s[0]) && !sample_searched(&s[1]));
    CU_ASSERT_EQUAL(sample_least(&s[0]), 1);
    s[0].pilot_insts[0] = s[0].pilot_insts[1] = 0;
    s[0].fewest_ctas = 3;
    CU_ASSERT_EQUAL(sample_least(&s[0]), 3);
    s[1].fewest_ctas = 1e6; /* of a damaged sample */
    CU_ASSERT_EQUAL(sample_least(&s[1]), 8);
    s[1].fewest_ctas = 0;
    posterior_free(estimate(&hilly, &c, s, 1, kernel, &all));
    for (int n = 1; n <= 8; n++) {
        CU_ASSERT_DOUBLE_EQUAL(all.ipc[n], is[n], 0.01 * is[n]);
        CU_ASSERT_TRUE(all.simulated[n] && all.piloted[n] && !all.undecided[n]);
        CU_ASSERT_TRUE(all.deviation[n] > 0 && all.deviation[n] < 1.01 * c.run_error);
        CU_ASSERT_TRUE(isnan(all.miss_rate[n]) && isnan(all.cta_cycles[n]));
        CU_ASSERT_STRING_EQUAL(all.bound[n], n < 3 ? "never ends" : "not known");
    }
    CU_ASSERT_TRUE(all.least == 3 && all.chosen_n == 5);
    CU_ASSERT_EQUAL(estimate_next_run(NULL, &c, &all), 0); /* nothing is left to find out */
    pilot_at(&s[0], 1, 1000); /* more than at any that ends: it is not chosen */
    pilot_at(&s[0], 2, 1000);
    s[0].pilot_insts[0] = s[0].pilot_insts[1] = 0;
    posterior_free(estimate(&hilly, &c, s, 2, kernel, &all));
    CU_ASSERT_TRUE(kernel[0].chosen_n == 5 && all.chosen_n >= 3 && all.least == 3);
    CU_ASSERT_FALSE(all.undecided[1] || all.undecided[2] || all.simulated[8]);
}

SUITE("estimate", T(what_was_simulated_at_every_degree_is_known),
      T(without_pilots_it_is_the_prediction), T(pilots_of_all_degrees_are_the_curve),
      T(what_is_left_out_is_not_known), T(degrees_that_are_the_same_share_a_pilot),
      T(the_search_begins_with_what_the_model_says),
      T(a_thorough_answer_leaves_no_degree_of_a_short_program_out),
      T(one_degree_has_a_pilot_of_a_long_launch), T(the_search_goes_on_after_the_pilots_there_are),
      T(after_one_pilot_the_model_chooses_unless_no_other_is_worth_one),
      T(the_largest_is_chosen_unless_another_gains_enough), T(exact_pilots_of_all_find_the_best),
      T(exact_pilots_never_choose_what_loses), T(kernels_add_up),
      T(the_whole_program_is_simulated_where_it_is_worth_it),
      T(a_run_that_is_far_off_calls_for_the_default), T(a_run_is_of_all_degrees_that_are_the_same))
