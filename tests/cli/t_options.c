#include <string.h>

#include "cli/options.h"
#include "tests/suite.h"

static bool nothing(struct options *o, struct err *e)
{
    (void)o;
    (void)e;
    return true;
}

static const struct command cmd = {.name = "cmd",
                                   .args = "TARGET",
                                   .help = "Test",
                                   .options = OPTS_OUTPUT | OPTS_GPU | OPT(N) | OPT(MAX_CYCLES),
                                   .min_args = 1,
                                   .max_args = 2,
                                   .run = nothing};

/* Splits words, parses them; the message of a failure comes back in e. */
static bool parse(const char *words, struct options *o, struct err *e)
{
    static char copy[512]; /* options borrow from it */
    static char *argv[32];
    int argc = 0;
    snprintf(copy, sizeof copy, "mdpredict %s", words);
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
        argv[argc++] = w;
    argv[argc] = NULL;
    return options_parse(o, &cmd, argc, argv, e);
}

static void options_and_arguments_mix(void)
{
    struct options o;
    struct err e = {""};
    CU_ASSERT_TRUE(parse("a -g x.cfg --set cores=1 b --set l1d.size=1 -n4 --json -o f", &o, &e));
    CU_ASSERT_STRING_EQUAL(o.gpu, "x.cfg");
    CU_ASSERT_EQUAL(o.nset, 2);
    CU_ASSERT_STRING_EQUAL(o.set[1], "l1d.size=1");
    CU_ASSERT_EQUAL(o.n, 4);
    CU_ASSERT_EQUAL(o.format, FORMAT_JSON);
    CU_ASSERT_STRING_EQUAL(o.output, "f");
    CU_ASSERT_EQUAL(o.nargs, 2);
    CU_ASSERT_STRING_EQUAL(o.arg[1], "b");
    options_free(&o);
}

static void defaults_are_what_help_says(void)
{
    struct options o;
    struct err e = {""};
    CU_ASSERT_TRUE(parse("a", &o, &e));
    CU_ASSERT_STRING_EQUAL(o.gpu, "yen2014");
    CU_ASSERT_STRING_EQUAL(o.model, "queueing");
    CU_ASSERT_STRING_EQUAL(o.output, "-");
    CU_ASSERT_EQUAL(o.n, 0);
    CU_ASSERT_EQUAL(o.cta, -1);
    CU_ASSERT_EQUAL(o.max_cycles, 1000000000);
    CU_ASSERT(o.jobs >= 1);
    options_free(&o);
}

static void wrong_usage_is_named(void)
{
    static const struct {
        const char *words, *says;
    } row[] = {{"", "wants TARGET"},
               {"a b c", "\"c\""},
               {"a -n", "-n wants an argument"},
               {"a -n 0", "out of range"},
               {"a -n 2147483648", "out of range"},
               {"a -n 3x", "whole number"},
               {"a -n 1.5", "whole number"},
               {"a --max-cycles -1", "out of range"},
               {"a --max-cycles 99999999999999999999", "whole number"},
               {"a --jsn", "did you mean"},
               {"a --json=3", "takes no value"},
               {"a --functional", "does not take --functional"},
               {"a -j 2", "does not take -j"},
               {"a -q", "unknown option -q"},
               {"a --json --csv", "exclude"},
               {"a --set", "--set wants an argument"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct options o;
        struct err e = {""};
        CU_ASSERT_FALSE(parse(row[i].words, &o, &e));
        if (!strstr(e.msg, row[i].says))
            printf("\n  \"%s\" says: %s", row[i].words, e.msg);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, row[i].says));
        options_free(&o);
    }
}

static void help_needs_no_arguments_and_lists_the_options(void)
{
    struct options o;
    struct err e = {""};
    CU_ASSERT_TRUE(parse("--help", &o, &e));
    CU_ASSERT_TRUE(o.help);
    options_free(&o);
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    options_help(&cmd, f);
    fclose(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "--max-cycles"));
    CU_ASSERT_PTR_NULL(strstr(text, "--functional"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "default"));
    free(text);
}

SUITE("options", T(options_and_arguments_mix), T(defaults_are_what_help_says),
      T(wrong_usage_is_named), T(help_needs_no_arguments_and_lists_the_options))
