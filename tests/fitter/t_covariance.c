/* Correlations of coefficients' errors: to a file and back, and what no file may say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fitter/fit/coefficients.h"
#include "model/segmented.h"
#include "tests/suite.h"

/* Two stages of segmented; in its table pipe_latency and pipe_reads are neighbours. */
static void correlated(struct coefficients *c, double r)
{
    static const char *const name[] = {"lat_low", "pipe_latency", "pipe_reads"};
    static const double error[] = {0.01, 0.06, 0.03};
    coefficients_init(c, &model_segmented);
    for (int i = 0; i < 3; i++) {
        const int at = coefficient_find(c->model, name[i]);
        *coefficient_at(c->model, c->error, at) = error[i];
        *coefficients_covariance(c, at, at) = error[i] * error[i];
    }
    const int a = coefficient_find(c->model, name[1]), b = coefficient_find(c->model, name[2]);
    *coefficients_covariance(c, a, b) = *coefficients_covariance(c, b, a) = r * 0.06 * 0.03;
}

struct text {
    char *at; /* owned */
    size_t len;
};

static void write_to(struct text *t, const struct coefficients *c)
{
    FILE *f = open_memstream(&t->at, &t->len);
    coefficients_write(c, "a fit", "well", f);
    fclose(f);
}

/* text, with its first `old` replaced; NULL: as it is. */
static bool loads(const char *text, const char *old, const char *new, struct coefficients *out,
                  struct err *e)
{
    char path[] = "/tmp/t_fit.XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    const char *at = old ? strstr(text, old) : NULL;
    CU_ASSERT_FATAL(!old || at);
    if (at)
        fprintf(f, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    else
        fputs(text, f);
    fclose(f);
    const bool ok = coefficients_load(out, &model_segmented, path, e);
    unlink(path);
    return ok;
}

static void a_covariance_reads_back(void)
{
    for (int i = -2; i <= 2; i++) {
        struct coefficients c, back;
        struct err e = {""};
        correlated(&c, i / 2.0);
        struct text text;
        write_to(&text, &c);
        CU_ASSERT_TRUE_FATAL(loads(text.at, NULL, NULL, &back, &e));
        for (int a = 0; coefficient_row(c.model, a); a++)
            for (int b = 0; coefficient_row(c.model, b); b++)
                CU_ASSERT_DOUBLE_EQUAL(*coefficients_covariance(&back, a, b),
                                       *coefficients_covariance(&c, a, b), 1e-15);
        free(text.at);
        coefficients_release(&c);
        coefficients_release(&back);
    }
}

/* No block: the standard errors alone, which have nothing to do with each other. */
static void without_correlations_errors_are_independent(void)
{
    struct coefficients c, back;
    struct err e = {""};
    correlated(&c, 0.5);
    struct text text;
    write_to(&text, &c);
    *strstr(text.at, "correlation") = 0;
    CU_ASSERT_TRUE_FATAL(loads(text.at, NULL, NULL, &back, &e));
    const int a = coefficient_find(c.model, "pipe_latency"),
              b = coefficient_find(c.model, "pipe_reads");
    CU_ASSERT_DOUBLE_EQUAL(*coefficients_covariance(&back, a, a), 0.0036, 1e-15);
    CU_ASSERT_EQUAL(*coefficients_covariance(&back, a, b), 0);
    free(text.at);
    coefficients_release(&c);
    coefficients_release(&back);
}

static void impossible_correlations_are_refused(void)
{
    static const struct {
        const char *old, *new, *text;
    } row[] = {{"[ \"pipe_latency\"", "[ \"pipe_latnecy\"", "no coefficient \"pipe_latnecy\""},
               {"[ \"pipe_latency\"", "[ \"pipe_reads\"", "pipe_reads has correlations already"},
               {"[ \"pipe_latency\"", "[ \"pipe_low\"", "pipe_low has no standard_error"},
               {"[ 1.0, 0.5 ],", "[ 1.0, 0.25 ],", "not 0.25: it must be symmetric"},
               {"[ 1.0, 0.5 ],", "[ 0.75, 0.5 ],", "each is correlated with itself"},
               {"[ 1.0, 0.5 ],", "[ 1.0, 1.5 ],", "-1..1"},
               {"[ 1.0, 0.5 ],", "[ 1.0 ],", "1 correlations, of 2 coefficients"},
               {"[ 1.0, 0.5 ],", "", "1 rows of correlations, for 2 coefficients"},
               {"{ of", "{ off", "of"},
               {"( [ 1.0, 0.5 ],\n               [ 0.5, 1.0 ] ); }",
                "( [ 1.0, -0.9, -0.9 ], [ -0.9, 1.0, -0.9 ], [ -0.9, -0.9, 1.0 ] ); }",
                "3 rows of correlations"}};
    struct coefficients c, back;
    correlated(&c, 0.5);
    struct text text;
    write_to(&text, &c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct err e = {""};
        CU_ASSERT_FALSE(loads(text.at, row[i].old, row[i].new, &back, &e));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, row[i].text));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "/tmp/t_fit."));
    }
    free(text.at);
    coefficients_release(&c);
}

/* Three errors can't all be the opposite of each other. */
static void a_variance_below_0_is_refused(void)
{
    struct coefficients c, back;
    struct err e = {""};
    correlated(&c, 0.5);
    struct text text;
    write_to(&text, &c);
    char *three =
        xasprintf("%.*scorrelation = ( { of = [\"lat_low\", \"pipe_latency\", \"pipe_reads\"];\n"
                  "rows = ([1.0, -0.9, -0.9], [-0.9, 1.0, -0.9], [-0.9, -0.9, 1.0]); } );\n",
                  (int)(strstr(text.at, "correlation") - text.at), text.at);
    CU_ASSERT_FALSE(loads(three, NULL, NULL, &back, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "variance below 0"));
    free(three);
    free(text.at);
    coefficients_release(&c);
}

SUITE("covariance", T(a_covariance_reads_back), T(without_correlations_errors_are_independent),
      T(impossible_correlations_are_refused), T(a_variance_below_0_is_refused))
