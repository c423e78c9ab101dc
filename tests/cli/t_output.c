#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/output.h"
#include "tests/suite.h"

/* Two rows in a root array, each with a deeper array that CSV leaves out. */
static void walk(struct output *out)
{
    double v[] = {0, 1.5, 2};
    output_array(out, NULL);
    for (int i = 0; i < 2; i++) {
        output_object(out, NULL);
        output_str(out, "name", i ? "plain" : "a \"b\", c", NULL);
        output_uint(out, "count", INT64_MAX - (uint64_t)i, NULL);
        output_reals(out, "ipc", v, 2);
        output_array(out, "deep");
        output_object(out, NULL);
        output_uint(out, "inner", 7, NULL);
        output_up(out);
        output_up(out);
        output_real(out, "rate", 0.25, NULL);
        output_up(out);
    }
    output_up(out);
}

/* What a walk writes to a fresh file. Caller frees. */
static char *written(enum format f, void (*what)(struct output *))
{
    char path[] = "/tmp/t_output.XXXXXX";
    close(mkstemp(path));
    struct options o = {.format = f, .output = path};
    struct output out;
    struct err e = {""};
    CU_ASSERT_TRUE_FATAL(output_open(&out, &o, &e));
    what(&out);
    CU_ASSERT_TRUE(output_close(&out, true, &e));
    char *text = file_read(path, 1 << 20, NULL, &e);
    unlink(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    return text;
}

static void csv_has_one_heading_and_quotes(void)
{
    char *text = written(FORMAT_CSV, walk);
    CU_ASSERT_STRING_EQUAL(text, "name,count,rate\n"
                                 "\"a \"\"b\"\", c\",9223372036854775807,0.25\n"
                                 "plain,9223372036854775806,0.25\n");
    free(text);
}

static void json_nests_and_keeps_order(void)
{
    char *text = written(FORMAT_JSON, walk), flat[1024];
    size_t n = 0;
    for (const char *c = text; *c && n + 1 < sizeof flat; c++)
        if (*c != ' ' && *c != '\n')
            flat[n++] = *c;
    flat[n] = 0;
    CU_ASSERT_PTR_NOT_NULL(strstr(
        flat, "[{\"schema_version\":1,\"name\":\"a\\\"b\\\",c\",\"count\":9223372036854775807,"
              "\"ipc\":[1.5,2.0],\"deep\":[{\"inner\":7}],\"rate\":0.25}"));
    free(text);
}

static void one_object(struct output *out)
{
    output_object(out, NULL);
    output_uint(out, "cycles", 12, "core cycles");
    output_array(out, "kernels");
    output_object(out, NULL);
    output_uint(out, "cycles", 5, NULL);
    output_up(out);
    output_up(out);
    output_real(out, "ipc", 1.25, "thread instructions a cycle");
    output_up(out);
}

static void text_is_a_line_a_root_field(void)
{
    char *text = written(FORMAT_TEXT, one_object);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "cycles"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "core cycles"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "1.25"));
    CU_ASSERT_PTR_NULL(strstr(text, " 5"));
    free(text);
}

static void csv_of_an_object_is_one_row(void)
{
    char *text = written(FORMAT_CSV, one_object);
    CU_ASSERT_STRING_EQUAL(text, "cycles,ipc\n12,1.25\n");
    free(text);
}

static void failed_command_writes_nothing(void)
{
    char path[] = "/tmp/t_output.XXXXXX";
    close(mkstemp(path));
    unlink(path);
    struct options o = {.format = FORMAT_JSON, .output = path};
    struct output out;
    struct err e = {""};
    CU_ASSERT_TRUE_FATAL(output_open(&out, &o, &e));
    output_object(&out, NULL);
    CU_ASSERT_FALSE(output_close(&out, false, &e));
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

static void unwritable_place_fails_at_once(void)
{
    static const char *const bad[] = {"/tmp", "/no/such/folder/file", "/proc/self/x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct options o = {.output = bad[i]};
        struct output out;
        struct err e = {""};
        bool opened = output_open(&out, &o, &e);
        CU_ASSERT_FALSE(output_close(&out, false, &e) || (opened && i < 2));
        CU_ASSERT(opened || *e.msg);
    }
}

SUITE("output", T(csv_has_one_heading_and_quotes), T(json_nests_and_keeps_order),
      T(text_is_a_line_a_root_field), T(csv_of_an_object_is_one_row),
      T(failed_command_writes_nothing), T(unwritable_place_fails_at_once))
