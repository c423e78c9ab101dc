/* The coefficients that are bundled, beside the profile that they say they come from. */
#include "fitter/fit.h"
#include "fitter/profile.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

/* No coefficient has seen another size. */
static bool is_small(void *user, const struct series *s)
{
    (void)user;
    return strcmp(series_size(s), "small") == 0;
}

static void segmented_is_what_the_bundled_profile_gives(void)
{
    struct err e = {""};
    struct coefficients file, start;
    struct series_set set;
    struct model_fit f;
    struct profile *p = profile_open_csv("data/profiles", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_TRUE_FATAL(series_profile(p, &set, &e));
    profile_close(p);
    const struct model_ops *m = model_find("segmented");
    CU_ASSERT_TRUE_FATAL(coefficients_load(&file, m, "data/coefficients/segmented.cfg", &e));
    coefficients_init(&start, m);
    CU_ASSERT_TRUE_FATAL(fit_run(&start, &set, &(struct fit_opts){.sees = is_small}, &f, &e));
    for (int i = 0; coefficient_row(m, i); i++) {
        const double error = *coefficient_at(m, file.error, i);
        if (error > 0) /* it was fitted: not margin, not error */
            CU_ASSERT_DOUBLE_EQUAL(*coefficient_at(m, file.value, i),
                                   *coefficient_at(m, f.coeff.value, i), 0.01 * error);
    }
    fit_release(&f);
    series_release(&set);
    coefficients_release(&start);
    coefficients_release(&file);
}

/* Most steps of DRAM reads don't grow at all: to the robust weights the others are outliers, and
 * what is left draws dr_saturation to its bound, ever more slowly. */
static void robust_fits_of_the_bundled_profile_converge(void)
{
    static const char *const names[] = {"queueing", "segmented"};
    struct err e = {""};
    struct profile *p = profile_open_csv("data/profiles", &e);
    struct series_set set;
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_TRUE_FATAL(series_profile(p, &set, &e));
    profile_close(p);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct coefficients start;
        struct model_fit f = {0};
        coefficients_init(&start, model_find(names[i]));
        CU_ASSERT_TRUE(fit_run(&start, &set, &(struct fit_opts){.robust = true}, &f, &e));
        CU_ASSERT_STRING_EQUAL(e.msg, "");
        fit_release(&f);
        coefficients_release(&start);
    }
    series_release(&set);
}

SUITE("bundled coefficients", T(segmented_is_what_the_bundled_profile_gives),
      T(robust_fits_of_the_bundled_profile_converge))
