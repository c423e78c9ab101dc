/* base/cfg_file: libconfig text with every complaint at its line. */
#include "base/cfg_file.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static struct cfg_file *open_ok(const char *text)
{
    struct err e = {""};
    struct cfg_file *f = cfg_open_text("x.cfg", text, &e);
    CU_ASSERT_STRING_EQUAL(e.msg, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    return f;
}

static void nested_values_are_found_with_their_lines(void)
{
    struct cfg_file *f = open_ok("module = \"a.ptx\"; # comment\n"
                                 "/* two\n lines */ grid = [16, 1,\n 1];\n"
                                 "args = ( { s32 = -3; },\n         { f32 = 1; f64 = 0.5; }, 7 );\n"
                                 "on = true; // x\n");
    const struct cfg_node *root = cfg_root(f), *n, *arg;
    struct err e = {""};
    const char *s = NULL;
    int64_t i = 0;
    double d = 0;
    bool b = false;
    CU_ASSERT(cfg_get_str(root, "module", &s, &e) && !strcmp(s, "a.ptx"));
    CU_ASSERT(cfg_get_bool(root, "on", &b, &e) && b);
    CU_ASSERT(cfg_need(root, "grid", &n, &e) && cfg_kind(n) == CFG_ARRAY && cfg_len(n) == 3);
    CU_ASSERT_EQUAL(cfg_line(n), 3);
    CU_ASSERT(cfg_int(cfg_at(n, 0), 1, 16, &i, &e) && i == 16);
    CU_ASSERT_EQUAL(cfg_line(cfg_at(n, 2)), 4);
    CU_ASSERT_PTR_NULL(cfg_at(n, 3));
    CU_ASSERT(cfg_need(root, "args", &n, &e) && cfg_kind(n) == CFG_LIST && cfg_len(n) == 3);
    arg = cfg_at(n, 1);
    CU_ASSERT_EQUAL(cfg_kind(arg), CFG_GROUP);
    CU_ASSERT_EQUAL(cfg_line(arg), 6);
    CU_ASSERT(cfg_get_real(arg, "f32", 0, 1, &d, &e) && d == 1);
    CU_ASSERT(cfg_get_real(arg, "f64", 0, 1, &d, &e) && d == 0.5);
    CU_ASSERT_STRING_EQUAL(cfg_name(cfg_get(arg, "f64")), "f64");
    CU_ASSERT_PTR_NULL(cfg_name(arg));
    CU_ASSERT_PTR_NULL(cfg_get(cfg_at(n, 2), "no group"));
    CU_ASSERT_EQUAL(cfg_len(cfg_at(n, 2)), 0);
    CU_ASSERT(cfg_get_int(cfg_at(n, 0), "s32", INT32_MIN, INT32_MAX, &i, &e) && i == -3);
    CU_ASSERT(cfg_get_int(root, "absent", 0, 1, &i, &e) && i == -3);
    CU_ASSERT_STRING_EQUAL(cfg_path(root), "x.cfg");
    CU_ASSERT_TRUE(cfg_all_read(root, &e));
    cfg_close(f);
}

static void integers_have_64_bits(void)
{
    struct cfg_file *f = open_ok(
        "a = 0x80000000; b = 0x1FFFFFFFF; c = 9223372036854775807; d = -9223372036854775808;"
        "e = 0xFFFFFFFFFFFFFFFF; f = 010; g = +5; h = 5L; i = 6LL; j = [1, 5000000000];");
    static const struct {
        const char *key;
        int64_t v;
    } ints[] = {{"a", 0x80000000}, {"b", 0x1FFFFFFFF}, {"c", INT64_MAX}, {"d", INT64_MIN},
                {"f", 10},         {"g", 5},           {"h", 5},         {"i", 6}};
    struct err e = {""};
    int64_t v = 0;
    uint64_t u = 0;
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        CU_ASSERT(cfg_get_int(cfg_root(f), ints[i].key, INT64_MIN, INT64_MAX, &v, &e) &&
                  v == ints[i].v);
    CU_ASSERT(cfg_u64(cfg_get(cfg_root(f), "e"), &u, &e) && u == UINT64_MAX);
    CU_ASSERT(cfg_u64(cfg_get(cfg_root(f), "c"), &u, &e) && u == INT64_MAX);
    CU_ASSERT_FALSE(cfg_get_int(cfg_root(f), "e", INT64_MIN, INT64_MAX, &v, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "x.cfg:1: `e` = 0xffffffffffffffff, allowed "
                                  "-9223372036854775808..9223372036854775807");
    CU_ASSERT_FALSE(cfg_u64(cfg_get(cfg_root(f), "d"), &u, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "x.cfg:1: `d` = -9223372036854775808, must not be negative");
    CU_ASSERT(cfg_int(cfg_at(cfg_get(cfg_root(f), "j"), 1), 0, INT64_MAX, &v, &e) &&
              v == 5000000000);
    cfg_close(f);
}

static void strings_and_comments_are_left_alone(void)
{
    struct cfg_file *f = open_ok("a = \"@include \\\"x\\\" 5 /* // # \"; # @include \"no\" \"\n"
                                 "b = 1.5e3; /* \" */ c = .5; d-5 = -1.e-3; e = 1e2#5\n;");
    const char *s = "";
    double d = 0;
    struct err e = {""};
    CU_ASSERT(cfg_get_str(cfg_root(f), "a", &s, &e));
    CU_ASSERT_STRING_EQUAL(s, "@include \"x\" 5 /* // # ");
    CU_ASSERT(cfg_get_real(cfg_root(f), "b", 0, 2000, &d, &e) && d == 1500);
    CU_ASSERT(cfg_get_real(cfg_root(f), "c", 0, 1, &d, &e) && d == 0.5);
    CU_ASSERT(cfg_get_real(cfg_root(f), "d-5", -1, 1, &d, &e) && d == -0.001);
    CU_ASSERT(cfg_get_real(cfg_root(f), "e", 0, 100, &d, &e) && d == 100);
    cfg_close(f);
}

static void bad_text_is_refused_at_its_line(void)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"a = 1;\n@include \"/etc/passwd\"\n",
         "x.cfg:2: @include and other directives are not supported here"},
        {"a = 9223372036854775808;", "x.cfg:1: this integer does not fit in 64 bits"},
        {"\n\na = 0x10000000000000000;", "x.cfg:3: this integer does not fit in 64 bits"},
        {"a = 1e999;", "x.cfg:1: this number is too large"},
        {"\na = \"no end\n\n", "x.cfg:2: the string that starts here has no end"},
        {"a = 1; /* no end", "x.cfg:1: the comment that starts here has no end"},
        {"a = {\n  b = ;\n};", "x.cfg:2: syntax error"},
        {"a = [1, 2.5];", "x.cfg:1: mismatched element type in array"},
        {"a = 5x;", "x.cfg:1: syntax error"},
        {"a", "x.cfg:1: syntax error"},
        {"a = -;", "x.cfg:1: syntax error"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err e = {""};
        CU_ASSERT_PTR_NULL(cfg_open_text("x.cfg", bad[i].text, &e));
        CU_ASSERT_STRING_EQUAL(e.msg, bad[i].message);
    }
}

static void deep_nesting_is_refused(void)
{
    char text[300] = "a = ";
    memset(text + 4, '(', 100);
    struct err e = {""};
    CU_ASSERT_PTR_NULL(cfg_open_text("x.cfg", text, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "x.cfg:1: groups or lists are nested too deeply (more than 64)");
}

static void wrong_kinds_are_named(void)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"v = 1.5;", "x.cfg:1: `v` is a number, must be an integer"},
        {"v = \"x\";", "x.cfg:1: `v` is a string, must be an integer"},
        {"v = { };", "x.cfg:1: `v` is a group { }, must be an integer"},
        {"v = [ ];", "x.cfg:1: `v` is an array [ ], must be an integer"},
        {"v = true;", "x.cfg:1: `v` is true or false, must be an integer"},
        {"v = 11;", "x.cfg:1: `v` = 11, allowed 0..10"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cfg_file *f = open_ok(bad[i].text);
        struct err e = {""};
        int64_t v = 3;
        CU_ASSERT_FALSE(cfg_get_int(cfg_root(f), "v", 0, 10, &v, &e));
        CU_ASSERT_STRING_EQUAL(e.msg, bad[i].message);
        CU_ASSERT_EQUAL(v, 3);
        cfg_close(f);
    }
}

static void elements_are_named_by_their_place(void)
{
    struct cfg_file *f = open_ok("v = (1,\n true, (2, \"x\"));");
    const struct cfg_node *v = cfg_get(cfg_root(f), "v");
    struct err e = {""};
    int64_t i;
    CU_ASSERT_FALSE(cfg_int(cfg_at(v, 1), 0, 10, &i, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "x.cfg:2: element 1 of `v` is true or false, must be an integer");
    CU_ASSERT_FALSE(cfg_int(cfg_at(cfg_at(v, 2), 1), 0, 10, &i, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "x.cfg:2: this is a string, must be an integer");
    CU_ASSERT_FALSE(cfg_need(cfg_root(f), "w", &v, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "x.cfg:1: `w` is missing");
    cfg_close(f);
}

static void keys_that_nobody_read_are_found(void)
{
    struct cfg_file *f = open_ok("a = ( { b = 1;\n bites = 2; } );");
    struct err e = {""};
    int64_t v = 0;
    const struct cfg_node *g = cfg_at(cfg_get(cfg_root(f), "a"), 0);
    CU_ASSERT(cfg_get_int(g, "b", 0, 9, &v, &e) && cfg_get_int(g, "bytes", 0, 9, &v, &e));
    CU_ASSERT_FALSE(cfg_all_read(cfg_root(f), &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "x.cfg:2: unknown setting `bites`; did you mean bytes?");
    cfg_close(f);
}

static void files_that_cannot_be_read_are_named(void)
{
    struct err e = {""};
    CU_ASSERT_PTR_NULL(cfg_open("no such file", &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "no such file: No such file or directory");
    CU_ASSERT_PTR_NULL(cfg_open("tests", &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "tests: Is a directory");
    cfg_close(NULL);
}

SUITE("cfg_file", T(nested_values_are_found_with_their_lines), T(integers_have_64_bits),
      T(strings_and_comments_are_left_alone), T(bad_text_is_refused_at_its_line),
      T(deep_nesting_is_refused), T(wrong_kinds_are_named), T(elements_are_named_by_their_place),
      T(keys_that_nobody_read_are_found), T(files_that_cannot_be_read_are_named))
