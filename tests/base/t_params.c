/* base/params: one table gives defaults, --set, files, dump. */
#include "base/params.h"
#include "tests/suite.h"

#include <string.h>

#define TOP_PARAMS(X)                              \
    X(cores, INT, 1, 256, 15, "cores", "cores")    \
    X(scale, REAL, -1, 1e6, 0.1, "", "a real one") \
    X(policy, STR, 0, 0, "gto", "", "a name")
#define L1_PARAMS(X)                                     \
    X(size, INT, 0, 1 << 24, 16384, "bytes", "capacity") \
    X(enabled, BOOL, 0, 1, true, "", "whether it is there")
#define MSHR_PARAMS(X) X(entries, INT, 1, 1024, 32, "", "entries")

PARAM_STRUCT(top, TOP_PARAMS);
PARAM_STRUCT(l1, L1_PARAMS);
PARAM_STRUCT(mshr, MSHR_PARAMS);
struct whole {
    struct top top;
    struct l1 l1;
    struct mshr mshr;
};

#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct top, f, t, lo, hi, d, u, h)
static const struct param top_rows[] = {TOP_PARAMS(ROW)};
#undef ROW
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct l1, f, t, lo, hi, d, u, h)
static const struct param l1_rows[] = {L1_PARAMS(ROW)};
#undef ROW
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct mshr, f, t, lo, hi, d, u, h)
static const struct param mshr_rows[] = {MSHR_PARAMS(ROW)};
#undef ROW

static const struct param_group groups[] = {
    {"", top_rows, 3, offsetof(struct whole, top)},
    {"l1d.mshr", mshr_rows, 1, offsetof(struct whole, mshr)},
    {"l1d", l1_rows, 2, offsetof(struct whole, l1)},
    {NULL, NULL, 0, 0},
};

static struct whole defaults(void)
{
    struct whole w;
    memset(&w, 0, sizeof w);
    params_default(groups, &w);
    return w;
}

static void defaults_come_from_the_table(void)
{
    struct whole w = defaults();
    CU_ASSERT_EQUAL(w.top.cores, 15);
    CU_ASSERT_EQUAL(w.top.scale, 0.1);
    CU_ASSERT_STRING_EQUAL(w.top.policy, "gto");
    CU_ASSERT_EQUAL(w.l1.size, 16384);
    CU_ASSERT_TRUE(w.l1.enabled);
    CU_ASSERT_EQUAL(w.mshr.entries, 32);
}

static void set_changes_one_value(void)
{
    struct whole w = defaults();
    struct err e;
    CU_ASSERT_TRUE(params_set(groups, &w, "l1d.size=0x8000", &e));
    CU_ASSERT_TRUE(params_set(groups, &w, "l1d.enabled=off", &e));
    CU_ASSERT_TRUE(params_set(groups, &w, "scale=2.5e3", &e));
    CU_ASSERT_TRUE(params_set(groups, &w, "policy=lrr", &e));
    CU_ASSERT_TRUE(params_set(groups, &w, "l1d.mshr.entries=7", &e));
    CU_ASSERT_EQUAL(w.l1.size, 32768);
    CU_ASSERT_FALSE(w.l1.enabled);
    CU_ASSERT_EQUAL(w.top.scale, 2500.0);
    CU_ASSERT_STRING_EQUAL(w.top.policy, "lrr");
    CU_ASSERT_EQUAL(w.mshr.entries, 7);
    CU_ASSERT_EQUAL(w.top.cores, 15);
}

static void set_refuses_and_says_why(void)
{
    static const struct {
        const char *assignment, *message;
    } bad[] = {
        {"cores=0", "cores = 0, must be an integer in 1..256 (cores)"},
        {"cores=257", "cores = 257, must be an integer in 1..256 (cores)"},
        {"cores=1.5", "cores = 1.5, must be an integer in 1..256 (cores)"},
        {"cores=", "cores = , must be an integer in 1..256 (cores)"},
        {"cores= 3", "cores =  3, must be an integer in 1..256 (cores)"},
        {"cores=99999999999999999999",
         "cores = 99999999999999999999, must be an integer in 1..256 (cores)"},
        {"scale=nan", "scale = nan, must be a number in -1..1000000"},
        {"l1d.enabled=maybe", "l1d.enabled = maybe, must be true or false"},
        {"cores", "`cores` is not of the form NAME=VALUE"},
        {"=3", "`=3` is not of the form NAME=VALUE"},
        {"corse=3", "unknown parameter `corse`; did you mean cores?"},
        {"size=3", "unknown parameter `size`; did you mean l1d.size?"},
        {"l1d.sizes=3", "unknown parameter `l1d.sizes`; did you mean l1d.size?"},
        {"zzzzzzzz=3", "unknown parameter `zzzzzzzz`"},
        {"policy=0123456789012345678901234567890123456789012345678901234567890123",
         "policy = 0123456789012345678901234567890123456789012345678901234567890123, must be a "
         "string of at most 63 characters"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct whole w = defaults(), before = w;
        struct err e = {""};
        CU_ASSERT_FALSE(params_set(groups, &w, bad[i].assignment, &e));
        CU_ASSERT_STRING_EQUAL(e.msg, bad[i].message);
        CU_ASSERT_EQUAL(memcmp(&w, &before, sizeof w), 0);
    }
}

static void file_sets_what_it_names(void)
{
    struct whole w = defaults();
    struct err e = {""};
    CU_ASSERT_TRUE(params_load_text(groups, &w, "t.cfg",
                                    "name = \"a GPU\"; source = \"a paper\";\n"
                                    "scale = 3;\n"
                                    "l1d = { size = 8192; mshr : { entries = 64 }; };\n",
                                    &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "");
    CU_ASSERT_EQUAL(w.top.scale, 3.0);
    CU_ASSERT_EQUAL(w.l1.size, 8192);
    CU_ASSERT_EQUAL(w.mshr.entries, 64);
    CU_ASSERT_EQUAL(w.top.cores, 15);
}

static void file_errors_name_file_and_line(void)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"\ncores = 300;", "t.cfg:2: `cores` = 300, allowed 1..256"},
        {"cores = 1.0;", "t.cfg:1: `cores` is a number, must be an integer"},
        {"cores = 5000000000;", "t.cfg:1: `cores` = 5000000000, allowed 1..256"},
        {"scale = \"x\";", "t.cfg:1: `scale` is a string, must be a number"},
        {"scale = -2.0;", "t.cfg:1: `scale` = -2, allowed -1..1e+06"},
        {"policy = 3;", "t.cfg:1: `policy` is an integer, must be a string"},
        {"l1d = 3;", "t.cfg:1: `l1d` is an integer, must be a group { }"},
        {"l1d = {\n enabled = 1; };", "t.cfg:2: `enabled` is an integer, must be true or false"},
        {"l1d = {\n\n siez = 1; };", "t.cfg:3: unknown setting `siez`; did you mean size?"},
        {"l1d = { mshr = { x = 1; }; };", "t.cfg:1: unknown setting `x`"},
        {"l2 = { size = 1; };", "t.cfg:1: unknown setting `l2`"},
        {"name = 3;", "t.cfg:1: `name` is an integer, must be a string"},
        {"cores = 1;\ncores = 2;", "t.cfg:2: duplicate setting name"},
        {"cores = ;", "t.cfg:1: syntax error"},
        {"policy = \"0123456789012345678901234567890123456789012345678901234567890123\";",
         "t.cfg:1: `policy` must be a string of at most 63 characters"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct whole w = defaults();
        struct err e = {""};
        CU_ASSERT_FALSE(params_load_text(groups, &w, "t.cfg", bad[i].text, &e));
        CU_ASSERT_STRING_EQUAL(e.msg, bad[i].message);
    }
}

static void missing_file_is_named(void)
{
    struct whole w = defaults();
    struct err e = {""};
    CU_ASSERT_FALSE(params_load(groups, &w, "no/such.cfg", &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "no/such.cfg: No such file or directory");
}

static void dump_reads_back_to_the_same_values(void)
{
    struct whole w = defaults(), back;
    struct err e = {""};
    w.top.scale = 1.0 / 3;
    w.l1.enabled = false;
    strcpy(w.top.policy, "a \"b\" \\ \t c");
    char *text = params_dump(groups, &w);
    back = defaults();
    CU_ASSERT_TRUE(params_load_text(groups, &back, "dump", text, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "");
    char *again = params_dump(groups, &back);
    CU_ASSERT_STRING_EQUAL(text, again);
    CU_ASSERT_EQUAL(back.top.scale, 1.0 / 3);
    CU_ASSERT_STRING_EQUAL(back.top.policy, w.top.policy);
    free(text);
    free(again);
}

static void dump_nests_groups_by_prefix(void)
{
    struct whole w = defaults();
    char *text = params_dump(groups, &w);
    CU_ASSERT_STRING_EQUAL(text, "cores = 15;\n"
                                 "scale = 0.1;\n"
                                 "policy = \"gto\";\n"
                                 "l1d = {\n"
                                 "    size = 16384;\n"
                                 "    enabled = true;\n"
                                 "    mshr = {\n"
                                 "        entries = 32;\n"
                                 "    };\n"
                                 "};\n");
    free(text);
}

static void hash_changes_with_any_value(void)
{
    struct whole w = defaults();
    uint64_t h = params_hash(groups, &w);
    CU_ASSERT_EQUAL(h, params_hash(groups, &w));
    w.mshr.entries++;
    CU_ASSERT_NOT_EQUAL(h, params_hash(groups, &w));
}

/* The last group is left out as if it had not been written yet. */
static void hash_stays_when_a_parameter_is_added(void)
{
    struct param_group fewer[8] = {{0}};
    int n = 0;
    while (groups[n + 1].rows) {
        fewer[n] = groups[n];
        n++;
    }
    struct whole w = defaults();
    w.top.cores++;
    CU_ASSERT_EQUAL(params_hash(fewer, &w), params_hash(groups, &w));
    w.l1.size++;
    CU_ASSERT_NOT_EQUAL(params_hash(fewer, &w), params_hash(groups, &w));
}

SUITE("params", T(defaults_come_from_the_table), T(set_changes_one_value),
      T(set_refuses_and_says_why), T(file_sets_what_it_names), T(file_errors_name_file_and_line),
      T(missing_file_is_named), T(dump_reads_back_to_the_same_values),
      T(dump_nests_groups_by_prefix), T(hash_changes_with_any_value),
      T(hash_stays_when_a_parameter_is_added))
