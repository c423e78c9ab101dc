#include "fitter/eval/cross_validation.h"
#include "fitter/fit/coefficients.h"
#include "fitter/store/profile.h"
#include "model/yen2014.h"
#include "tests/fitter/coeff.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define N_MAX 6

/* Unlike the paper's. */
static void make_truth(struct coefficients *c)
{
    coefficients_init(c, &model_yen2014);
    set(c, "dr_refetch", 0.85);
    set(c, "lat_other", 1.07);
    set(c, "pipe_other", 1.15);
    set(c, "compute_bound", 0);
}

static struct sample sample_of(double lines, double miss)
{
    return (struct sample){.kernel = "k",
                           .warp_insts = 1000,
                           .thread_insts = 32000,
                           .cta_cycles = 1e6,
                           .l1d_accesses = 4 * lines,
                           .l1d_misses = miss * 4 * lines,
                           .dram_reads = miss * 4 * lines,
                           .mf_latency = 300,
                           .reused_lines = lines,
                           .l1d_lines = 64,
                           .grid_ctas = 1000,
                           .total_ctas = 1000,
                           .total_warp_insts = 1e6,
                           .total_thread_insts = 32e6,
                           .cores = 1,
                           .schedulers = 2,
                           .n_max = N_MAX};
}

/* A run that has the rates which the prediction says; counts are so large that rounding them is
 * nothing. */
static struct profile_kernel run_of(const struct prediction *p, const struct sample *s, int n)
{
    const double ctas = 1e9, reads = p->dram_reads_per_cta[n] * ctas;
    return (struct profile_kernel){
        .kernel = "k",
        .launches = 1,
        .kernel_n = n,
        .n_max = N_MAX,
        .stats = {.ctas = (uint64_t)ctas,
                  .dram_reads = (uint64_t)reads,
                  .l1d_accesses = (uint64_t)(reads / p->miss_rate[n]),
                  .mf_latency_count = 1000000000,
                  .mf_latency_sum = (uint64_t)(1e9 * p->mf_latency[n]),
                  .cta_cycles_sum = (uint64_t)(ctas * p->cta_cycles[n]),
                  .warp_insts = 1000000000,
                  .thread_insts = (uint64_t)(s->thread_insts * ctas),
                  .cycles = (uint64_t)(s->thread_insts * ctas / p->ipc[n])}};
}

static void record(struct profile *p, const char *gpu, const char *target, double lines,
                   double miss, const struct coefficients *truth)
{
    struct profile_input in = {.config = gpu,
                               .gpu = gpu,
                               .l1d_bytes = 8192,
                               .target = target,
                               .seed = 1,
                               .numbering = "natural",
                               .revision = "r"};
    struct sample s = sample_of(lines, miss);
    struct prediction k;
    truth->model->predict(truth->value, &s, &k);
    CU_ASSERT_TRUE(profile_add_sample(p, &in, &s, 1, NULL));
    for (int n = 1; n <= N_MAX; n++) {
        struct profile_kernel run = run_of(&k, &s, n);
        CU_ASSERT_TRUE(profile_add_run(p, &in, (struct profile_run){.n = n}, &run, 1, NULL));
    }
}

static int find(const struct cross_validation *c, const char *predictor)
{
    for (int k = 0; k < c->predictors; k++)
        if (strcmp(c->predictor[k].name, predictor) == 0)
            return k;
    CU_FAIL_FATAL("no such predictor");
    return -1;
}

static int find_case(const struct cross_validation *c, const char *target)
{
    for (int i = 0; i < c->cases.count; i++)
        if (strcmp(c->cases.one[i].target, target) == 0)
            return i;
    CU_FAIL_FATAL("no such case");
    return -1;
}

static struct profile *memory(void)
{
    struct profile *p = profile_open(NULL, true, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    return p;
}

static struct cross_validation cv_of(struct profile *p)
{
    struct cross_validation c;
    struct err e = {""};
    struct cv_opts o = {.jobs = 2};
    bool ok = cv_run(p, &o, &c, &e);
    CU_ASSERT_STRING_EQUAL(e.msg, "");
    CU_ASSERT_TRUE_FATAL(ok);
    return c;
}

static void make_other(struct coefficients *c)
{
    make_truth(c);
    set(c, "lat_other", 1.6);
    set(c, "pipe_other", 1.4);
}

/* Applications a to f. */
static void record_six(struct profile *p, const struct coefficients *truth)
{
    static const double lines[] = {20, 40, 100, 200, 500, 90},
                        miss[] = {0.2, 0.35, 0.5, 0.3, 0.4, 0.6};
    for (int i = 0; i < 6; i++) {
        char target[] = {(char)('a' + i), ':', 's', 0};
        record(p, "yen2014", target, lines[i], miss[i], truth);
    }
}

/* All applications behave as the truth has it at their small size, so that each is predicted
 * exactly by what the others tell; unless one of them does not at its medium size. */
static void fits_see_every_size(void)
{
    struct coefficients truth, other;
    make_truth(&truth);
    make_other(&other);
    for (int odd = 0; odd < 2; odd++) {
        struct profile *p = memory();
        record_six(p, &truth);
        record(p, "yen2014", "f:m", 300, 0.45, odd ? &other : &truth);
        struct cross_validation c = cv_of(p);
        const struct choice *a = cv_choice(&c, find_case(&c, "c:s"), find(&c, "yen2014 fitted"));
        CU_ASSERT_EQUAL(a->mean.ipc_error > 1e-3, odd);
        cv_release(&c);
        profile_close(p);
    }
    coefficients_release(&truth);
    coefficients_release(&other);
}

/* Applications a to f behave as the truth has it, `odd` as other coefficients do, and so does g on
 * another GPU. Whoever is judged by a fit to the others is predicted exactly only if all others are
 * true: odd alone, by coefficients that are wrong for it; its own runs are not among what was
 * fitted. */
static void nobody_is_judged_by_a_fit_that_saw_it(void)
{
    struct coefficients truth, other;
    make_truth(&truth);
    make_other(&other);
    struct profile *p = memory();
    record_six(p, &truth);
    record(p, "yen2014", "odd:s", 300, 0.45, &other);
    record(p, "yen2014", "odd:m", 310, 0.45, &other); /* the same application */
    record(p, "yen2014", "b:m", 45, 0.35, &truth);    /* another size is seen too */
    record(p, "other", "g:s", 150, 0.3, &other);
    record(p, "other", "h:s", 160, 0.35, &other);
    struct cross_validation c = cv_of(p);
    const int fitted = find(&c, "yen2014 fitted");
    const struct choice *odd = cv_choice(&c, find_case(&c, "odd:s"), fitted);
    struct sample s = sample_of(300, 0.45);
    struct prediction want;
    truth.model->predict(truth.value, &s, &want);
    for (int n = 1; n <= N_MAX; n++)
        CU_ASSERT_DOUBLE_EQUAL(odd->predicted.ipc[n] / want.ipc[n], 1, 1e-4);
    CU_ASSERT_TRUE(odd->mean.ipc_error > 0.1 * N_MAX);
    const struct choice *a = cv_choice(&c, find_case(&c, "c:s"), fitted);
    CU_ASSERT_TRUE(a->mean.ipc_error > 1e-3);     /* odd is among what it was fitted to */
    CU_ASSERT_EQUAL(c.predictor[fitted].fits, 9); /* seven applications here, two there */
    cv_release(&c);
    profile_close(p);
    coefficients_release(&truth);
    coefficients_release(&other);
}

/* On another GPU g behaves as the six here do, and x, y, z do not: a fit to the other GPU alone
 * tells g exactly. */
static void fits_see_the_gpus_that_they_are_to(void)
{
    static const double lines[] = {150, 160, 300}, miss[] = {0.3, 0.35, 0.45};
    struct coefficients truth, other;
    make_truth(&truth);
    make_other(&other);
    struct profile *p = memory();
    record_six(p, &truth);
    record(p, "other", "g:s", 70, 0.4, &truth);
    for (int i = 0; i < 3; i++) {
        char target[] = {(char)('x' + i), ':', 's', 0};
        record(p, "other", target, lines[i], miss[i], &other);
    }
    for (int gpus = 0; gpus < CV_GPUS; gpus++) {
        struct cross_validation c;
        enum cv_gpus found;
        const struct cv_opts o = {.jobs = 2, .gpus = (enum cv_gpus)gpus};
        CU_ASSERT_TRUE(cv_gpus_find(cv_gpus_name((enum cv_gpus)gpus), &found) && found == o.gpus);
        CU_ASSERT_TRUE_FATAL(cv_run(p, &o, &c, NULL));
        const struct choice *g = cv_choice(&c, find_case(&c, "g:s"), find(&c, "yen2014 fitted"));
        CU_ASSERT_EQUAL(g->mean.ipc_error > 1e-3, gpus != CV_OTHER_GPUS);
        cv_release(&c);
    }
    profile_close(p);
    coefficients_release(&truth);
    coefficients_release(&other);
}

/* On a GPU with one application there is nothing to fit to: the coefficients of the file stand. */
static void a_refused_fit_keeps_the_files_coefficients(void)
{
    struct coefficients truth;
    make_truth(&truth);
    struct profile *p = memory();
    record(p, "yen2014", "a:s", 300, 0.45, &truth);
    struct cross_validation c = cv_of(p);
    const struct predictor *fitted = &c.predictor[find(&c, "yen2014 fitted")];
    CU_ASSERT_EQUAL(fitted->fits, 1);
    CU_ASSERT_EQUAL(fitted->refused, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(fitted->why, "without a on yen2014: "));
    const struct choice *x = cv_choice(&c, 0, find(&c, "yen2014")),
                        *y = cv_choice(&c, 0, find(&c, "yen2014 fitted"));
    CU_ASSERT_TRUE(x->predicts && y->predicts);
    for (int n = 1; n <= N_MAX; n++)
        CU_ASSERT_EQUAL(x->predicted.ipc[n], y->predicted.ipc[n]);
    CU_ASSERT_EQUAL(x->ipc, c.cases.one[0].m.ipc[x->n]);
    CU_ASSERT_EQUAL(cv_choice(&c, 0, find(&c, "default"))->n, N_MAX);
    CU_ASSERT_EQUAL(cv_choice(&c, 0, find(&c, "optimum"))->n, measured_optimum(&c.cases.one[0].m));
    cv_release(&c);
    profile_close(p);
    coefficients_release(&truth);
}

static const struct profile_input plain = {.config = "c",
                                           .gpu = "g",
                                           .l1d_bytes = 8192,
                                           .target = "two:small",
                                           .seed = 1,
                                           .numbering = "natural",
                                           .revision = "r"};

/* Two kernels, the second with one place: at n = 1 100 + 300 thread instructions in 10 + 40 cycles,
 * IPC 8, 6 + 2 reads by 2 + 2 CTAs; at n = 2 400 in 10 + 30, IPC 10. A full simulation is n = 2, 20
 * warp instructions. Sampling took 5, two CTAs of 2.5, and 3, a quarter of a CTA of 12. */
static void kernels_of_an_application_are_summed(void)
{
    struct profile *p = memory();
    const struct sample s[] = {
        {.kernel = "a", .warp_insts = 2.5, .window_insts = 5, .total_warp_insts = 9, .n_max = 2},
        {.kernel = "b", .warp_insts = 12, .window_insts = 3, .total_warp_insts = 11, .n_max = 1}};
    struct profile_kernel k[] = {
        {.kernel = "a",
         .kernel_n = 1,
         .n_max = 2,
         .stats = {.cycles = 10, .thread_insts = 100, .warp_insts = 8, .ctas = 2, .dram_reads = 6}},
        {.kernel = "b",
         .kernel_n = 1,
         .n_max = 1,
         .stats = {
             .cycles = 40, .thread_insts = 300, .warp_insts = 12, .ctas = 2, .dram_reads = 2}}};
    CU_ASSERT_TRUE(profile_add_sample(p, &plain, s, 2, NULL));
    CU_ASSERT_TRUE(profile_add_run(p, &plain, (struct profile_run){.n = 1}, k, 2, NULL));
    k[0].kernel_n = 2;
    k[1].stats.cycles = 30;
    CU_ASSERT_TRUE(profile_add_run(p, &plain, (struct profile_run){.n = 2}, k, 2, NULL));
    struct case_set set;
    CU_ASSERT_TRUE_FATAL(cases_load(p, &set, NULL));
    CU_ASSERT_EQUAL_FATAL(set.count, 1);
    const struct app_case *c = &set.one[0];
    CU_ASSERT_STRING_EQUAL(c->workload, "two");
    CU_ASSERT_STRING_EQUAL(c->size, "small");
    CU_ASSERT_EQUAL(c->m.n_max, 2);
    CU_ASSERT_EQUAL(c->m.ipc[1], 8);
    CU_ASSERT_EQUAL(c->m.ipc[2], 10);
    CU_ASSERT_EQUAL(c->m.dram_reads_per_cta[1], 2);
    CU_ASSERT_EQUAL(c->samples, 2);
    CU_ASSERT_EQUAL(c->sample_warp_insts, 8);
    CU_ASSERT_EQUAL(c->full_warp_insts, 20);
    CU_ASSERT_EQUAL(c->search_warp_insts, 40);
    cases_release(&set);
    profile_close(p);
}

static void a_gap_in_the_degrees_is_an_error(void)
{
    struct profile *p = memory();
    struct sample s = {.kernel = "a", .n_max = 3};
    struct profile_kernel k = {.kernel = "a", .n_max = 3, .stats = {.cycles = 10, .ctas = 1}};
    struct case_set set;
    struct err e = {""};
    CU_ASSERT_TRUE(profile_add_run(p, &plain, (struct profile_run){.n = 1}, &k, 1, NULL));
    CU_ASSERT_FALSE(cases_load(p, &set, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "no sample"));
    CU_ASSERT_TRUE(profile_add_sample(p, &plain, &s, 1, NULL));
    CU_ASSERT_TRUE(profile_add_run(p, &plain, (struct profile_run){.n = 3}, &k, 1, NULL));
    CU_ASSERT_FALSE(cases_load(p, &set, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "two:small on g with 8192 bytes of L1D: n = 2 was not"));
    CU_ASSERT_TRUE(profile_add_run(p, &plain, (struct profile_run){.n = 2}, &k, 1, NULL));
    CU_ASSERT_TRUE(cases_load(p, &set, &e));
    cases_release(&set);
    s.n_max = 5; /* the sample knows how many there are */
    CU_ASSERT_TRUE(profile_add_sample(p, &plain, &s, 1, NULL));
    CU_ASSERT_FALSE(cases_load(p, &set, &e));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(e.msg, "two:small on g with 8192 bytes of L1D: n = 4, 5 was not"));
    profile_close(p);
}

static void add_run(struct profile *p, int n, int perturbation, uint64_t cycles)
{
    const struct profile_kernel k = {.kernel = "a",
                                     .launches = 1,
                                     .kernel_n = n,
                                     .n_max = 2,
                                     .stats = {.cycles = cycles,
                                               .thread_insts = 1200,
                                               .warp_insts = (uint64_t)(40 + perturbation),
                                               .ctas = 4,
                                               .dram_reads = (uint64_t)(8 + perturbation)}};
    CU_ASSERT_TRUE(profile_add_run(p, &plain, (struct profile_run){n, perturbation}, &k, 1, NULL));
}

/* Of three runs each in 10, 20, 30 cycles and in 20, 10, 15: a case's IPCs are those of all three,
 * 3600 thread instructions in 60 and 45 cycles; costs those of one. */
static void perturbed_runs_are_averaged(void)
{
    struct profile *p = memory();
    const struct sample s = {.kernel = "a", .n_max = 2, .total_warp_insts = 40};
    struct case_set set;
    struct err e = {""};
    CU_ASSERT_TRUE(profile_add_sample(p, &plain, &s, 1, NULL));
    add_run(p, 1, 0, 10);
    add_run(p, 2, 0, 20);
    add_run(p, 1, 1, 20);
    add_run(p, 2, 1, 10);
    add_run(p, 1, -2, 30);
    CU_ASSERT_FALSE(cases_load(p, &set, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "n = 2 was not run with perturbation -2"));
    add_run(p, 2, -2, 15);
    CU_ASSERT_TRUE_FATAL(cases_load(p, &set, &e));
    CU_ASSERT_EQUAL_FATAL(set.count, 1);
    const struct app_case *c = &set.one[0];
    CU_ASSERT_EQUAL(c->runs, 3);
    CU_ASSERT_EQUAL(c->m.n_max, 2);
    CU_ASSERT_EQUAL(c->m.ipc[1], 60);
    CU_ASSERT_EQUAL(c->m.ipc[2], 80);
    CU_ASSERT_DOUBLE_EQUAL(c->m.dram_reads_per_cta[1], (24 - 1) / 12.0, 1e-12);
    CU_ASSERT_EQUAL(c->once.n_max, 2);
    CU_ASSERT_EQUAL(c->once.ipc[1], 120);
    CU_ASSERT_EQUAL(c->once.ipc[2], 60);
    CU_ASSERT_EQUAL(c->once.dram_reads_per_cta[2], 2);
    CU_ASSERT_EQUAL(c->full_warp_insts, 40);
    CU_ASSERT_EQUAL(c->search_warp_insts, 80);
    cases_release(&set);
    profile_close(p);
}

/* The same: as it is n = 1 is the best, and 2 keeps half; in the mean 2 is, and 1 keeps 3/4. Pilots
 * say what they take. */
static void choices_are_judged_by_the_mean_and_by_one_run(void)
{
    struct profile *p = memory();
    const struct sample s = {.kernel = "a",
                             .n_max = 2,
                             .launches = 1,
                             .warp_insts = 10,
                             .window_insts = 10,
                             .total_thread_insts = 1200,
                             .launch_thread_insts = 1200,
                             .total_warp_insts = 40,
                             .pilot_cycles = {12.12, 12}};
    const char *const models[] = {"pilots"};
    struct cross_validation c;
    CU_ASSERT_TRUE(profile_add_sample(p, &plain, &s, 1, NULL));
    for (int i = 0; i < 3; i++) {
        static const int perturbation[] = {0, 1, -2}, cycles[][3] = {{10, 20, 30}, {20, 10, 15}};
        add_run(p, 1, perturbation[i], (uint64_t)cycles[0][i]);
        add_run(p, 2, perturbation[i], (uint64_t)cycles[1][i]);
    }
    CU_ASSERT_TRUE_FATAL(
        cv_run(p, &(struct cv_opts){.model = models, .models = 1, .jobs = 1}, &c, NULL));
    const struct choice *deflt = cv_choice(&c, 0, 0), *best = cv_choice(&c, 0, c.predictors - 1),
                        *search = cv_choice(&c, 0, find(&c, "search")),
                        *model = cv_choice(&c, 0, find(&c, "pilots"));
    CU_ASSERT_EQUAL(best->n, 2);
    CU_ASSERT_EQUAL(best->ipc, 80);
    CU_ASSERT_EQUAL(best->once.kept, 0.5);
    CU_ASSERT_EQUAL(search->n, 1);
    CU_ASSERT_EQUAL(search->mean.kept, 0.75);
    CU_ASSERT_EQUAL(search->once.kept, 1);
    CU_ASSERT_EQUAL(deflt->mean.kept, 1);
    CU_ASSERT_EQUAL(deflt->once.optimum_gain, 1);
    CU_ASSERT_EQUAL(model->n, 2);
    CU_ASSERT_DOUBLE_EQUAL(model->predicted.ipc[2], 100, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(model->mean.ipc_error, 1200 / 12.12 / 60.0 - 1 + 100 / 80.0 - 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(model->once.ipc_error, 1 - 1200 / 12.12 / 120 + 100 / 60.0 - 1, 1e-9);
    CU_ASSERT_TRUE(isnan(model->mean.price)); /* nobody has measured it */
    struct case_group *g;
    struct metrics m;
    CU_ASSERT_EQUAL_FATAL(cv_groups(&c, &g), 2);
    CU_ASSERT_STRING_EQUAL(g[0].name, "g, 8 KB");
    CU_ASSERT_FALSE(g[0].once);
    CU_ASSERT_STRING_EQUAL(g[1].name, "all, one run");
    CU_ASSERT_TRUE(g[1].once && !g[1].gpu);
    cv_metrics(&c, &g[0], find(&c, "pilots"), &m, NULL);
    CU_ASSERT_EQUAL(m.kept, 1);
    cv_metrics(&c, &g[1], find(&c, "pilots"), &m, NULL);
    CU_ASSERT_EQUAL(m.kept, 0.5);
    free(g);
    cv_release(&c);
    profile_close(p);
}

static void samples_alone_judge_nobody(void)
{
    struct profile *p = memory();
    const struct sample s = {.kernel = "a", .n_max = 3};
    struct cross_validation c;
    struct err e = {""};
    CU_ASSERT_TRUE(profile_add_sample(p, &plain, &s, 1, NULL));
    CU_ASSERT_FALSE(cv_run(p, &(struct cv_opts){.jobs = 1}, &c, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "no run"));
    profile_close(p);
}

/* A simulation takes 4 s; all that is asked for beside that is seen in the price: nothing by
 * default, a search of 2 degrees 8 s, or what it was measured to take. */
static void answers_have_their_price(void)
{
    const struct profile_price price = {
        .functional_seconds = 0.5, .window_seconds = 0.5, .simulation_seconds = 4};
    const char *const models[] = {"yen2014"};
    for (int measured = 0; measured < 2; measured++) {
        struct profile *p = memory();
        const struct sample s = sample_of(20, 0.2);
        struct sample two = s;
        struct cross_validation c;
        two.n_max = 2;
        CU_ASSERT_TRUE(profile_add_sample(p, &plain, &two, 1, NULL));
        add_run(p, 1, 0, 10);
        add_run(p, 2, 0, 20);
        CU_ASSERT_TRUE(profile_add_price(p, &plain, &price, NULL));
        if (measured)
            CU_ASSERT_TRUE(profile_set_search_seconds(p, &plain, 10, NULL));
        CU_ASSERT_TRUE_FATAL(
            cv_run(p, &(struct cv_opts){.model = models, .models = 1, .jobs = 1}, &c, NULL));
        const double all = measured ? 10 : 8;
        const struct choice *model = cv_choice(&c, 0, find(&c, "yen2014"));
        CU_ASSERT_EQUAL(cv_choice(&c, 0, 0)->mean.price, 0);
        CU_ASSERT_EQUAL(model->seconds, 1);
        CU_ASSERT_EQUAL(model->mean.price, 0.25);
        CU_ASSERT_EQUAL(model->once.price, 0.25);
        CU_ASSERT_EQUAL(model->mean.search_price, 1 / all);
        CU_ASSERT_EQUAL(cv_choice(&c, 0, find(&c, "search"))->seconds, all);
        CU_ASSERT_EQUAL(cv_choice(&c, 0, find(&c, "search"))->mean.search_price, 1);
        CU_ASSERT_TRUE(isnan(cv_choice(&c, 0, find(&c, "optimum"))->mean.price));
        cv_release(&c);
        profile_close(p);
    }
}

/* Most cases are small; those of another size are groups of their own, and in no other. Where there
 * are several sizes each group says which. */
static void sizes_are_told_apart(void)
{
    static const char *const want[] = {"g, small, 16 KB", "g, small, 32 KB",
                                       "g, small, up to 32 KB", "g, medium, 16 KB"};
    struct app_case cases[] = {{.gpu = "g", .size = "medium", .l1d_bytes = 16384, .m.n_max = 1},
                               {.gpu = "g", .size = "small", .l1d_bytes = 16384, .m.n_max = 1},
                               {.gpu = "g", .size = "small", .l1d_bytes = 32768, .m.n_max = 1}};
    struct cross_validation c = {.cases = {cases, 3}};
    c.main_size = cases_main_size(&c.cases);
    CU_ASSERT_STRING_EQUAL(c.main_size, "small");
    struct case_group *g;
    const int groups = cv_groups(&c, &g);
    CU_ASSERT_EQUAL_FATAL(groups, 4);
    for (int i = 0; i < groups; i++)
        CU_ASSERT_STRING_EQUAL(g[i].name, want[i]);
    CU_ASSERT_FALSE(case_in_group(&g[2], &cases[0]));
    CU_ASSERT_TRUE(case_in_group(&g[3], &cases[0]));
    CU_ASSERT_FALSE(case_in_group(&g[3], &cases[1]));
    const struct case_group all = cv_main(&c);
    CU_ASSERT_FALSE(case_in_group(&all, &cases[0]));
    CU_ASSERT_TRUE(case_in_group(&all, &cases[2]));
    free(g);
}

/* Of as many cases of either size the longer ones are what is judged, and fitted to. */
static void of_equally_many_the_longer_size_is_the_main_one(void)
{
    for (int longer = 0; longer < 2; longer++) {
        struct app_case cases[] = {
            {.gpu = "g", .size = "medium", .m.n_max = 1, .full_warp_insts = longer ? 30 : 10},
            {.gpu = "h", .size = "medium", .full_warp_insts = 1000}, /* not run */
            {.gpu = "g", .size = "small", .m.n_max = 1, .full_warp_insts = 20}};
        const struct case_set s = {cases, 3};
        CU_ASSERT_STRING_EQUAL(cases_main_size(&s), longer ? "medium" : "small");
    }
}

/* A GPU with 16, 32, 64 and 128 KB, another with 16, and a third that was only sampled. */
static void groups_show_small_and_large_caches_apart(void)
{
    static const char *const want[] = {"g, 16 KB",  "g, 32 KB",       "g, 64 KB",
                                       "g, 128 KB", "g, up to 32 KB", "g, above 32 KB",
                                       "g",         "h, 16 KB",       "all"};
    struct app_case cases[] = {{.gpu = "g", .l1d_bytes = 16384, .m.n_max = 1},
                               {.gpu = "g", .l1d_bytes = 32768, .m.n_max = 1},
                               {.gpu = "g", .l1d_bytes = 65536, .m.n_max = 1},
                               {.gpu = "g", .l1d_bytes = 131072, .m.n_max = 1},
                               {.gpu = "h", .l1d_bytes = 16384, .m.n_max = 1},
                               {.gpu = "i", .l1d_bytes = 16384}};
    const struct cross_validation c = {.cases = {cases, 6}, .main_size = ""};
    struct case_group *g;
    int groups = cv_groups(&c, &g);
    CU_ASSERT_EQUAL_FATAL(groups, 9);
    for (int i = 0; i < groups; i++)
        CU_ASSERT_STRING_EQUAL(g[i].name, want[i]);
    free(g);
}

SUITE("cross_validation", T(fits_see_every_size), T(nobody_is_judged_by_a_fit_that_saw_it),
      T(fits_see_the_gpus_that_they_are_to), T(a_refused_fit_keeps_the_files_coefficients),
      T(kernels_of_an_application_are_summed), T(a_gap_in_the_degrees_is_an_error),
      T(groups_show_small_and_large_caches_apart), T(samples_alone_judge_nobody),
      T(answers_have_their_price), T(perturbed_runs_are_averaged),
      T(choices_are_judged_by_the_mean_and_by_one_run), T(sizes_are_told_apart),
      T(of_equally_many_the_longer_size_is_the_main_one))
