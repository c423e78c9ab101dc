#include "base/csv_table.h"
#include "tests/suite.h"

#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/t_csv_table.XXXXXX";

static struct csv_table *load(const char *text, struct err *e)
{
    strcpy(path + sizeof path - 7, "XXXXXX");
    FILE *f = fdopen(mkstemp(path), "w");
    fputs(text, f);
    fclose(f);
    struct csv_table *t = csv_load(path, e);
    unlink(path);
    return t;
}

static void fields_are_read_as_they_were_written(void)
{
    struct err e = {""};
    struct csv_table *t = load("name,\"a, \"\"b\"\"\",n\n"
                               "x y,,1.5\r\n"
                               "\n"
                               "\"two\nlines\",-,-2e3",
                               &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    double v = 0;
    CU_ASSERT_EQUAL(csv_rows(t), 2);
    CU_ASSERT_EQUAL(csv_find(t, "a, \"b\""), 1);
    CU_ASSERT_EQUAL(csv_find(t, "m"), -1);
    CU_ASSERT_STRING_EQUAL(csv_text(t, 0, 0), "x y");
    CU_ASSERT_STRING_EQUAL(csv_text(t, 0, 1), "");
    CU_ASSERT_STRING_EQUAL(csv_text(t, 1, 0), "two\nlines");
    CU_ASSERT_TRUE(csv_number(t, 0, 2, &v, &e) && v == 1.5);
    CU_ASSERT_TRUE(csv_number(t, 1, 2, &v, &e) && v == -2000);
    CU_ASSERT_FALSE(csv_number(t, 0, 1, &v, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, ":2: a, \"b\": a number is wanted, not \"\""));
    CU_ASSERT_FALSE(csv_number(t, 1, 1, &v, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, ":5: ")); /* where the record ends */
    int column;
    CU_ASSERT_FALSE(csv_need(t, "m", &column, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "no column \"m\""));
    csv_table_free(t);
}

static void what_is_no_table_is_told_with_its_line(void)
{
    static const char *const cases[][2] = {
        {"", "no heading"},
        {"\n\n", "no heading"},
        {"a,b\n1,2\n3\n", ":3: 1 fields, but the heading has 2"},
        {"a,b\n1,2,3\n", ":2: 3 fields, but the heading has 2"},
        {"a,b,a\n", ":1: two columns are named \"a\""},
        {"a,b\n1,\"2\n", ":2: "},
        {"a,b\n1,\"2\"x\n", ":2: "},
        {"a,b\n1,2\"x\n", ":2: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err e = {""};
        CU_ASSERT_PTR_NULL(load(cases[i][0], &e));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, cases[i][1]));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, path));
    }
    struct err e = {""};
    CU_ASSERT_PTR_NULL(csv_load("/nonexistent.csv", &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "/nonexistent.csv"));
}

SUITE("csv table", T(fields_are_read_as_they_were_written),
      T(what_is_no_table_is_told_with_its_line))
