/* Checks of launch files: what passes, and what a failure says. */
#include "sim/frontend/launch_impl.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The message of a check of `found` (n bytes) that is written on line 4; "" when it passes. */
static const char *verdict(const void *found, size_t n, const char *check)
{
    static char msg[sizeof((struct err *)0)->msg];
    struct err e = {""};
    char *text = xasprintf(
        "module = \"k.ptx\";\nbuffers = ( { name = \"a\"; bytes = %zu; zero = true; } );\n"
        "launches = ( { kernel = \"k\"; grid = [1, 1, 1]; block = [32, 1, 1]; } );\n"
        "checks = ( { buffer = \"a\"; %s } );\n",
        n, check);
    struct launch_file *f = launch_file_parse("l.cfg", text, &e);
    free(text);
    if (f && source_load(&f->check[0].src, f->path, n, true, &e))
        check_buffer(&f->check[0], &f->buffer[0], found, &e);
    launch_file_free(f);
    memcpy(msg, e.msg, sizeof msg);
    return msg;
}
#define VERDICT(check, type, ...) \
    verdict((type[]){__VA_ARGS__}, sizeof((type[]){__VA_ARGS__}), check)
#define PASSES(...) CU_ASSERT_STRING_EQUAL(VERDICT(__VA_ARGS__), "")
#define FAILS(why, ...)                          \
    CU_ASSERT_STRING_EQUAL(VERDICT(__VA_ARGS__), \
                           "l.cfg:4: check of buffer 'a' failed at index " why)

static void a_failure_says_where_and_how_many(void)
{
    PASSES("values = [1, 2, 3]; type = \"s32\";", int32_t, 1, 2, 3);
    FAILS("1: found 5, expected 2 (2 of 3 elements differ)", "values = [1, 2, 3]; type = \"s32\";",
          int32_t, 1, 5, -3);
    FAILS("2: found 9, expected 0 (1 of 3 elements differ)", "values = [1, 2]; type = \"s32\";",
          int32_t, 1, 2, 9);
    FAILS("0: found 4294967295, expected 0 (1 of 1 elements differ)",
          "zero = true; type = \"u32\";", uint32_t, UINT32_MAX);
    FAILS("0: found 200, expected 201 (1 of 1 elements differ)", "fill = 201; type = \"u8\";",
          uint8_t, 200);
    FAILS("0: found 0.100000001, expected 0.5 (1 of 1 elements differ)",
          "fill = 0.5; type = \"f32\";", float, 0.1F);
}

static void integers_differ_by_at_most_the_tolerance(void)
{
    PASSES("fill = 10; type = \"s32\"; tolerance = 2.0;", int32_t, 8, 12);
    FAILS("1: found 13, expected 10 (1 of 2 elements differ)",
          "fill = 10; type = \"s32\"; tolerance = 2.0;", int32_t, 8, 13);
    PASSES("fill = 1; type = \"s64\"; tolerance = 1;", int64_t, 0, 2);
    FAILS("0: found -9223372036854775808, expected 9223372036854775807 (1 of 1 elements differ)",
          "fill = 9223372036854775807; type = \"s64\"; tolerance = 100;", int64_t, INT64_MIN);
    FAILS("0: found 0, expected 18446744073709551615 (1 of 1 elements differ)",
          "fill = 0xffffffffffffffff; type = \"u64\"; tolerance = 1;", uint64_t, 0);
}

static void floats_are_relative_above_one_and_absolute_below(void)
{
    PASSES("fill = 0.0; type = \"f64\"; tolerance = 0.01;", double, 0.01, -0.01);
    FAILS("0: found 0.010999999999999999, expected 0 (1 of 1 elements differ)",
          "fill = 0.0; type = \"f64\"; tolerance = 0.01;", double, 0.011);
    PASSES("fill = -100.0; type = \"f64\"; tolerance = 0.01;", double, -99.0, -101.0);
    FAILS("0: found -98.900000000000006, expected -100 (1 of 1 elements differ)",
          "fill = -100.0; type = \"f64\"; tolerance = 0.01;", double, -98.9);
    PASSES("fill = 1.5; type = \"f32\";", float, 1.5F);
}

static void nan_and_infinity_equal_only_themselves(void)
{
    float expected[] = {NAN, INFINITY, -INFINITY, 1.0F},
          found[] = {-NAN, INFINITY, -INFINITY, 1.0F};
    struct check c = {.type = ELEM_f32, .tolerance = 1e30};
    struct buffer b = {.name = "a", .bytes = sizeof found};
    struct err e;
    struct launch_file *f = launch_file_parse(
        "l.cfg",
        "module = \"k.ptx\"; launches = ( { kernel = \"k\"; grid = [1,1,1]; block = [1,1,1]; } );",
        &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    c.at = f->launch[0].at;
    c.src.data = (uint8_t *)expected;
    c.src.len = sizeof expected;
    CU_ASSERT_TRUE(check_buffer(&c, &b, (uint8_t *)found, &e));
    static const float wrong[4][4] = {{1.0F, INFINITY, -INFINITY, 1.0F},
                                      {NAN, 1e38F, -INFINITY, 1.0F},
                                      {NAN, INFINITY, INFINITY, 1.0F},
                                      {NAN, INFINITY, -INFINITY, NAN}};
    for (int i = 0; i < 4; i++) {
        char where[64];
        CU_ASSERT_FALSE(check_buffer(&c, &b, (const uint8_t *)wrong[i], &e));
        snprintf(where, sizeof where, "failed at index %d:", i);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, where));
    }
    launch_file_free(f);
}

SUITE("launch files: checks", T(a_failure_says_where_and_how_many),
      T(integers_differ_by_at_most_the_tolerance),
      T(floats_are_relative_above_one_and_absolute_below),
      T(nan_and_infinity_equal_only_themselves))
