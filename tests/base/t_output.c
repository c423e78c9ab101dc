/* base: numbers, JSON, CSV, tables, progress: what is written can be read back. */
#include "base/csv.h"
#include "base/json.h"
#include "base/num.h"
#include "base/progress.h"
#include "base/rng.h"
#include "base/table.h"
#include "tests/suite.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static void reals_are_shortest_and_exact(void)
{
    static const struct {
        double v;
        const char *text;
    } known[] = {
        {0, "0.0"},
        {-0.0, "-0.0"},
        {1, "1.0"},
        {0.1, "0.1"},
        {1.0 / 3, "0.3333333333333333"},
        {100, "100.0"},
        {123456, "123456.0"},
        {1e300, "1.0e+300"},
        {5e-324, "5.0e-324"},
        {2.5e-7, "2.5e-07"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };
    char buf[NUM_TEXT];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CU_ASSERT_STRING_EQUAL(num_text(known[i].v, buf), known[i].text);
    struct rng r = rng_seed(1);
    for (int i = 0; i < 10000; i++) {
        uint64_t bits = rng_u64(&r);
        double v;
        memcpy(&v, &bits, sizeof v);
        if (isfinite(v))
            CU_ASSERT_FATAL(strtod(num_text(v, buf), NULL) == v);
    }
}

static void number_texts_must_be_whole(void)
{
    int64_t i = 7;
    double d = 7;
    static const char *const no_int[] = {"",    "-",   "+",  " 1",  "1 ",
                                         "1.0", "0x",  "x",  "1e3", "9223372036854775808",
                                         "--1", "-+1", "0xg"};
    for (size_t k = 0; k < sizeof no_int / sizeof *no_int; k++)
        CU_ASSERT_FALSE(num_int(no_int[k], &i));
    static const char *const no_real[] = {"", " 1", "1 ", "inf", "nan", "1e999", "1..2", "e5"};
    for (size_t k = 0; k < sizeof no_real / sizeof *no_real; k++)
        CU_ASSERT_FALSE(num_real(no_real[k], &d));
    CU_ASSERT(i == 7 && d == 7);
    CU_ASSERT(num_int("010", &i) && i == 10);
    CU_ASSERT(num_int("-0x10", &i) && i == -16);
    CU_ASSERT(num_int("-9223372036854775808", &i) && i == INT64_MIN);
    CU_ASSERT(num_real("-2.5e-1", &d) && d == -0.25);
}

static void sizes_have_units_of_1024(void)
{
    static const struct {
        const char *text;
        int64_t bytes;
    } row[] = {{"16384", 16384},
               {"16K", 16384},
               {"16KB", 16384},
               {"16kb", 16384},
               {"16KiB", 16384},
               {"2M", 2097152},
               {"1GB", 1 << 30},
               {"7B", 7},
               {"0x10", 16},
               {"-3", -3},
               {"8796093022207M", 8796093022207 << 20}};
    static const char *const wrong[] = {
        "",    "K",   "1.5K", "16 K",           "16KBs",
        "16T", "-1K", "0x1K", "8796093022208M", "99999999999999999999K"};
    int64_t v = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        CU_ASSERT_TRUE(num_bytes(row[i].text, &v));
        CU_ASSERT_EQUAL(v, row[i].bytes);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CU_ASSERT_FALSE(num_bytes(wrong[i], &v));
}

static void json_is_laid_out_for_people(void)
{
    struct json_value *o = json_new_object();
    json_put_int(o, "n", -3);
    json_put_real(o, "ipc", 0.1);
    json_put_real(o, "none", NAN);
    json_put_bool(o, "ok", true);
    struct json_value *list = json_put_array(o, "predicted");
    json_put_real(list, NULL, 1);
    json_put_bool(list, NULL, false);
    json_put_str(json_put_object(json_put_array(o, "kernels"), NULL), "name", "k");
    json_put_object(o, "empty");
    json_put_array(o, "nothing");
    char *text = json_text(o);
    CU_ASSERT_STRING_EQUAL(text, "{\n"
                                 "  \"n\": -3,\n"
                                 "  \"ipc\": 0.1,\n"
                                 "  \"none\": null,\n"
                                 "  \"ok\": true,\n"
                                 "  \"predicted\": [1.0, false],\n"
                                 "  \"kernels\": [\n"
                                 "    {\n"
                                 "      \"name\": \"k\"\n"
                                 "    }\n"
                                 "  ],\n"
                                 "  \"empty\": {},\n"
                                 "  \"nothing\": []\n"
                                 "}\n");
    free(text);
    json_free(o);
    json_free(NULL);
}

static void json_reads_back(void)
{
    struct json_value *o = json_new_object();
    json_put_str(o, "quote \" \\ \n\t\x01", "caf\xc3\xa9 \xff \"x\"");
    json_put_str(o, "utf8", "\xc3\xa9");
    json_put_str(o, "null", NULL);
    json_put_uint(o, "big", UINT64_MAX);
    json_put_uint(o, "counter", (uint64_t)1 << 62);
    json_put_int(o, "twice", 1);
    json_put_int(o, "twice", 2);
    char *text = json_text(o);
    json_t *back = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(back);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(back, "quote \" \\ \n\t\x01")),
                           "caf?? ? \"x\"");
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(back, "utf8")), "\xc3\xa9");
    CU_ASSERT_TRUE(json_is_null(json_object_get(back, "null")));
    CU_ASSERT_EQUAL(json_real_value(json_object_get(back, "big")), 0x1p64);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(back, "counter")), (int64_t)1 << 62);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(back, "twice")), 2);
    json_decref(back);
    free(text);
    json_free(o);
}

static char *csv_made(void (*fill)(struct csv *c))
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    struct csv c;
    csv_start(&c, out);
    fill(&c);
    fclose(out);
    return text;
}

static void fill_csv(struct csv *c)
{
    csv_str(c, "name");
    csv_str(c, "a,b");
    csv_str(c, "say \"hi\"");
    csv_str(c, "two\nlines");
    csv_str(c, "1 2 ");
    csv_str(c, "\t1 2");
    csv_str(c, "1 2");
    csv_str(c, "");
    csv_str(c, NULL);
    csv_end_row(c);
    csv_int(c, INT64_MIN);
    csv_uint(c, UINT64_MAX);
    csv_real(c, 0.1);
    csv_real(c, NAN);
    csv_end_row(c);
}

static void csv_quotes_what_needs_it(void)
{
    char *text = csv_made(fill_csv);
    CU_ASSERT_STRING_EQUAL(text,
                           "name,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"1 2 \",\"\t1 2\","
                           "1 2,,\n"
                           "-9223372036854775808,18446744073709551615,0.1,\n");
    free(text);
}

static void table_columns_are_as_wide_as_their_widest_cell(void)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    struct table *t = table_new("lrl");
    for (int i = 0; i < 30; i++) { /* more cells than it starts with */
        table_cell(t, i ? "k%d" : "kernel", i);
        table_cell(t, "%d", i * 1000);
        table_cell(t, "%s", i == 1 ? "caf\xc3\xa9" : "");
    }
    table_print(t, out);
    fclose(out);
    const char *start = "kernel      0\nk1       1000  caf\xc3\xa9\nk2       2000\n";
    CU_ASSERT_EQUAL(strncmp(text, start, strlen(start)), 0);
    table_free(t);
    table_free(NULL);
    free(text);
}

static char *printed(const struct table *t, int room)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    table_room(room);
    table_print(t, out);
    table_room(0);
    fclose(out);
    return text;
}

static void tables_keep_to_the_width_of_the_terminal(void)
{
    static const char *const cells[] = {
        "name", "n", "text", "all, and longer than all beside it", "",
        "",     "k", "12",   "first words of a longer cell"};
    struct table *t = table_new("lrl");
    for (int i = 0; i < 9; i++)
        table_cell(t, "%s", cells[i]);
    char *whole = printed(t, 0), *wrapped = printed(t, 26), *below = printed(t, 16);
    CU_ASSERT_STRING_EQUAL(whole, "name   n  text\nall, and longer than all beside it\n"
                                  "k     12  first words of a longer cell\n");
    CU_ASSERT_STRING_EQUAL(wrapped, "name   n  text\nall, and longer than all beside it\n"
                                    "k     12  first words of a\n          longer cell\n");
    CU_ASSERT_STRING_EQUAL(below, "name   n\nall, and longer than all beside it\nk     12\n\n"
                                  "name  text\nall, and longer than all beside it\n"
                                  "k     first words\n      of a longer\n      cell\n");
    free(whole);
    free(wrapped);
    free(below);
    table_free(t);
}

static void progress_estimates_what_is_left(void)
{
    char buf[160];
    CU_ASSERT_STRING_EQUAL(progress_line("search", 0.25, 10, "n = 3", buf, sizeof buf),
                           "search  25 %, 30 s left  n = 3");
    CU_ASSERT_STRING_EQUAL(progress_line("search", 0.5, 600, NULL, buf, sizeof buf),
                           "search  50 %, 10 min left");
    CU_ASSERT_STRING_EQUAL(progress_line("search", 0.1, 3600, "", buf, sizeof buf),
                           "search  10 %, 9.0 h left");
    CU_ASSERT_STRING_EQUAL(progress_line("run", 0, 5, NULL, buf, sizeof buf),
                           "run  started 5 s ago");
    CU_ASSERT_STRING_EQUAL(progress_line("run", 1.5, 5, NULL, buf, sizeof buf),
                           "run  100 %, 0 s left");
}

static void progress_is_silent_where_stderr_is_no_terminal(void)
{
    struct progress *p = progress_new("quiet");
    progress_at(p, 0.5, "nothing is drawn");
    progress_at(NULL, 0.5, NULL);
    progress_free(p);
    progress_free(NULL);
}

SUITE("output", T(reals_are_shortest_and_exact), T(number_texts_must_be_whole),
      T(sizes_have_units_of_1024), T(json_is_laid_out_for_people), T(json_reads_back),
      T(csv_quotes_what_needs_it), T(table_columns_are_as_wide_as_their_widest_cell),
      T(tables_keep_to_the_width_of_the_terminal), T(progress_estimates_what_is_left),
      T(progress_is_silent_where_stderr_is_no_terminal))
