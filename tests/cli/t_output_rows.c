#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/keys.h"
#include "tests/suite.h"

struct behind {
    const char *name;
    double share;
};
struct thing {
    int whole, limit;
    uint64_t many;
    uint32_t few;
    bool is;
    char chars[8];
    const char *text, *symbol;
    const struct behind *has, *lacks;
    double by_n[3];
};

static const char *shouted(const void *field)
{
    return *(const bool *)field ? "YES" : "NO";
}

static void write_sum(struct output *out, const char *name, const void *thing)
{
    const struct thing *t = thing;
    output_uint(out, name, t->few + t->many, NULL);
}

#define OF(field) OUTPUT_FIELD(struct thing, field)
static const struct output_row rows[] = {
    {.name = "whole", OF(whole)},
    {.name = "least", OF(whole), .from = 8},
    {.name = "limit", .type = OUTPUT_INT_OR_NULL, .off = offsetof(struct thing, limit)},
    {.name = "many", OF(many)},
    {.name = "few", OF(few)},
    {.name = "is", OF(is)},
    {.name = "said", OUTPUT_AS(struct thing, is, shouted)},
    {.name = "chars", OF(chars)},
    {.name = "text", OF(text)},
    {.name = "there", OF(text), .from = 1},
    {.name = "symbol", OUTPUT_SYMBOL(struct thing, symbol)},
    {.name = "name", OUTPUT_VIA(struct thing, has, name)},
    {.name = "share", OUTPUT_VIA(struct thing, has, share)},
    {.name = "none", OUTPUT_VIA(struct thing, lacks, share)},
    {.name = "sum", .write = write_sum},
    {.name = NULL}};
static const struct output_row arrays[] =
    OUTPUT_ONE(.name = "by_n", OUTPUT_ARRAY(struct thing, by_n));

static const struct behind one = {"one", 0.5};
static const struct thing things[] = {{.whole = 7,
                                       .limit = INT32_MAX,
                                       .many = 1ull << 40,
                                       .few = 3,
                                       .is = true,
                                       .chars = "seven",
                                       .symbol = "_Z3addi",
                                       .has = &one,
                                       .by_n = {0, 1.5, 2.5}},
                                      {.whole = 8, .limit = 9}};

/* What is written into an object, without blanks; the caller frees it. */
static char *written(void (*what)(struct output *out))
{
    char *text = NULL;
    size_t len;
    struct output out = {0};
    struct options o = {.format = FORMAT_JSON, .output = "/dev/null"};
    CU_ASSERT_TRUE_FATAL(output_open(&out, &o, NULL));
    output_object(&out, NULL);
    what(&out);
    output_up(&out);
    FILE *to = open_memstream(&text, &len);
    json_write(out.at[0], to);
    fclose(to);
    output_close(&out, true, NULL);
    char *end = text;
    for (const char *c = text; *c; c++)
        if (*c != ' ' && *c != '\n')
            *end++ = *c;
    *end = 0;
    return text;
}

static void one_thing(struct output *out)
{
    output_rows(out, rows, &things[0]);
    output_rows_by_n(out, arrays, &things[0], 2);
}

/* `least` is below 8, `there` and what `lacks` points to are not there. */
static void a_struct_is_written_by_its_rows(void)
{
    char *text = written(one_thing);
    CU_ASSERT_STRING_EQUAL(
        strstr(text, "\"whole\""),
        "\"whole\":7,\"limit\":null,\"many\":1099511627776,\"few\":3,\"is\":true,\"said\":\"YES\","
        "\"chars\":\"seven\",\"text\":null,\"symbol\":\"add(int)\",\"name\":\"one\",\"share\":0.5,"
        "\"sum\":1099511627779,\"by_n\":[1.5,2.5]}");
    free(text);
}

static const struct output_row two[] = {
    {.name = "least", OF(whole), .from = 8},
    {.name = "limit", .type = OUTPUT_INT_OR_NULL, .off = offsetof(struct thing, limit)},
    {.name = NULL}};

static void several_things(struct output *out)
{
    output_objects(out, "each", two, things, sizeof *things, 2);
    output_column(out, &rows[0], things, sizeof *things, 2);
}

static void several_are_an_array_of_objects_or_a_column(void)
{
    char *text = written(several_things);
    CU_ASSERT_STRING_EQUAL(
        strstr(text, "\"each\""),
        "\"each\":[{\"limit\":null},{\"least\":8,\"limit\":9}],\"whole\":[7,8]}");
    free(text);
}

static void count(void *user, const struct output_row *key)
{
    CU_ASSERT(key->of && *key->name && key->unit && key->help);
    ++*(int *)user;
}

static void every_key_of_the_list_is_told(void)
{
    int keys = 0;
    keys_walk(count, &keys);
    CU_ASSERT(keys > 400);
}

SUITE("output_rows", T(a_struct_is_written_by_its_rows),
      T(several_are_an_array_of_objects_or_a_column), T(every_key_of_the_list_is_told))
