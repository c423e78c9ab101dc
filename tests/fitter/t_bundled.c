/* The coefficients that are bundled, beside the profile that they say they come from. */
#include "fitter/fit/fit.h"
#include "fitter/store/profile.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All of them: none is set by hand. Those without a standard error are quantiles, which hang on
 * the others' last digits. */
static void expect_what_the_profile_gives(const char *model)
{
    struct err e = {""};
    struct coefficients file, start;
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
    coefficients_init(&start, m);
    CU_ASSERT_TRUE_FATAL(fit_run(&start, &set, &(struct fit_opts){0}, &f, &e));
    for (int i = 0; coefficient_row(m, i); i++) {
        const double error = *coefficient_at(m, file.error, i),
                     value = *coefficient_at(m, file.value, i);
        CU_ASSERT_DOUBLE_EQUAL(value, *coefficient_at(m, f.coeff.value, i),
                               error > 0 ? 0.01 * error : 1e-3 * value);
    }
    fit_release(&f);
    series_release(&set);
    coefficients_release(&start);
    coefficients_release(&file);
}

static void coefficients_are_what_the_bundled_profile_gives(void)
{
    expect_what_the_profile_gives("bottleneck");
    expect_what_the_profile_gives("segmented");
}

/* Most steps of DRAM reads don't grow at all: to the robust weights the others are outliers, and
 * what is left draws dr_saturation to its bound, ever more slowly. */
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
    CU_ASSERT_TRUE(fit_run(&start, &set, &(struct fit_opts){.robust = true}, &f, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "");
    fit_release(&f);
    coefficients_release(&start);
    series_release(&set);
}

SUITE("bundled coefficients", T(coefficients_are_what_the_bundled_profile_gives),
      T(a_robust_fit_of_the_bundled_profile_converges))
