/* The coefficients that are bundled, beside the profile that they say they come from. */
#include "fitter/fit/fit.h"
#include "fitter/fit/residuals.h"
#include "fitter/store/profile.h"
#include "model/pilots.h"
#include "model/yen2014.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All of them: none is set by hand, so that a fit that begins there stays. Those without a standard
 * error are quantiles, which hang on the others' last digits. */
static void expect_what_the_profile_gives(const char *model)
{
    struct err e = {""};
    struct coefficients file;
    struct series_set set;
    struct model_fit f;
    struct profile *p = profile_open_csv("data/profiles", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_TRUE_FATAL(series_profile(p, &set, &e));
    profile_close(p);
    const struct model_ops *m = model_find(model);
    char *path = xasprintf("data/coefficients/%s.cfg", model);
    CU_ASSERT_TRUE_FATAL(coefficients_load(&file, m, path, &e));
    free(path);
    CU_ASSERT_TRUE_FATAL(fit_run(&file, &set, &(struct fit_opts){0}, &f, &e));
    for (int i = 0; coefficient_row(m, i); i++) {
        const double error = *coefficient_at(m, file.error, i),
                     value = *coefficient_at(m, file.value, i);
        CU_ASSERT_DOUBLE_EQUAL(value, *coefficient_at(m, f.coeff.value, i),
                               error > 0 ? 0.01 * error : 1e-3 * value);
    }
    fit_release(&f);
    series_release(&set);
    coefficients_release(&file);
}

/* With sanitizers not the larger one: t_fit.c fits it too, to fewer series. */
static void coefficients_are_what_the_bundled_profile_gives(void)
{
    if (!SANITIZED)
        expect_what_the_profile_gives("bottleneck");
    expect_what_the_profile_gives("segmented");
}

/* ---- what pilots.cfg has from elsewhere ---- */

static struct pilot_coeff bundled_pilots(void)
{
    struct err e = {""};
    struct coefficients file;
    struct pilot_coeff c;
    CU_ASSERT_TRUE_FATAL(
        coefficients_load(&file, &model_pilots, "data/coefficients/pilots.cfg", &e));
    memcpy(&c, file.value, sizeof c);
    coefficients_release(&file);
    return c;
}

/* The paper's own coefficients, none of them moved. */
static void a_model_that_knows_no_error_is_as_far_off_as_yens(void)
{
    struct err e = {""};
    struct coefficients yen;
    struct series_set set;
    struct residuals r;
    const char *hold[64];
    struct fit_opts o = {.hold = hold};
    struct profile *p = profile_open_csv("data/profiles", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_TRUE_FATAL(series_profile(p, &set, &e));
    profile_close(p);
    CU_ASSERT_TRUE_FATAL(
        coefficients_load(&yen, &model_yen2014, "data/coefficients/yen2014.cfg", &e));
    CU_ASSERT_TRUE(residuals_fit(&yen, &set, &o, &r, &e));
    for (int i = 0; coefficient_row(&model_yen2014, i); i++)
        if (strcmp(coefficient_row(&model_yen2014, i)->name, "error") == 0)
            CU_ASSERT_DOUBLE_EQUAL(bundled_pilots().unknown_error,
                                   *coefficient_at(&model_yen2014, yen.value, i), 0.05);
    series_release(&set);
    coefficients_release(&yen);
}

/* Runs that differ by nothing but their perturbation: cycles of each, all kernels together. */
struct spread {
    char degree[512];
    int perturbation;
    double cycles, sum, squares; /* of the run; ln cycles of the degree's */
    int runs;
    double
        all; /* squared differences from a degree's mean, of all degrees, and how many less one */
    int freedom;
};

static void end_run(struct spread *s)
{
    const double x = s->cycles > 0 ? log(s->cycles) : 0;
    s->runs += s->cycles > 0;
    s->sum += x;
    s->squares += x * x;
    s->cycles = 0;
}

static void end_degree(struct spread *s)
{
    end_run(s);
    if (s->runs > 1) {
        s->all += s->squares - s->sum * s->sum / s->runs;
        s->freedom += s->runs - 1;
    }
    s->runs = 0;
    s->sum = s->squares = 0;
}

static void add_run(void *user, const struct profile_input *in, struct profile_run run,
                    const struct profile_kernel *k)
{
    struct spread *s = user;
    char degree[sizeof s->degree];
    snprintf(degree, sizeof degree, "%s %s %lld %s %lld %s %d %d", in->gpu, in->config,
             (long long)in->l1d_bytes, in->target, (long long)in->seed, in->numbering,
             (int)in->warps, run.n);
    if (strcmp(degree, s->degree) != 0)
        end_degree(s);
    else if (run.perturbation != s->perturbation)
        end_run(s);
    memcpy(s->degree, degree, sizeof degree);
    s->perturbation = run.perturbation;
    s->cycles += (double)k->stats.cycles;
}

static void chance_is_what_perturbed_runs_differ_by(void)
{
    struct err e = {""};
    struct spread s = {.degree = ""};
    struct profile *p = profile_open_csv("data/profiles", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_TRUE(profile_walk_runs(p, &(struct profile_visitor){.run = add_run, .user = &s}, &e));
    end_degree(&s);
    profile_close(p);
    CU_ASSERT(s.freedom > 1000);
    CU_ASSERT_DOUBLE_EQUAL(bundled_pilots().run_error, sqrt(s.all / s.freedom), 0.001);
}

static bool is_of_two_sizes(void *user, const struct series *s)
{
    (void)user;
    return strcmp(s->gpu, "yen2014") == 0 && s->sample.l1d_lines <= 128;
}

/* Most steps of DRAM reads don't grow at all: to the robust weights the others are outliers, and
 * what is left draws dr_saturation to its bound, ever more slowly. With an L1D of 8 and 16 KB,
 * which are enough to show it. */
static void a_robust_fit_of_the_bundled_profile_converges(void)
{
    struct err e = {""};
    struct profile *p = profile_open_csv("data/profiles", &e);
    struct series_set set;
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_TRUE_FATAL(series_profile(p, &set, &e));
    profile_close(p);
    struct coefficients start;
    struct model_fit f = {0};
    coefficients_init(&start, model_find("segmented"));
    CU_ASSERT_TRUE(
        fit_run(&start, &set, &(struct fit_opts){.robust = true, .sees = is_of_two_sizes}, &f, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "");
    fit_release(&f);
    coefficients_release(&start);
    series_release(&set);
}

SUITE("bundled coefficients", T(coefficients_are_what_the_bundled_profile_gives),
      T(a_model_that_knows_no_error_is_as_far_off_as_yens),
      T(chance_is_what_perturbed_runs_differ_by), T(a_robust_fit_of_the_bundled_profile_converges))
