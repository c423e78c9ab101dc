#include <string.h>

#include "cli/option_types.h"
#include "model/model.h"
#include "tests/suite.h"

static bool nothing(struct options *o, struct err *e)
{
    (void)o;
    (void)e;
    return true;
}

/* Takes what `run` does. */
static const struct command cmd = {.id = COMMAND_run,
                                   .name = "cmd",
                                   .args = "TARGET",
                                   .help = "Test",
                                   .min_args = 1,
                                   .max_args = 2,
                                   .run = nothing};

static const struct command sample_cmd = {.id = COMMAND_sample, .name = "sample", .max_args = 1};
static const struct command profile_cmd = {.id = COMMAND_profile, .name = "profile", .max_args = 9};
static const struct command compare_cmd = {.id = COMMAND_compare, .name = "compare", .max_args = 9};

/* Splits words, parses them; the message of a failure comes back in e. */
static bool parse_as(const struct command *c, const char *words, struct options *o, struct err *e)
{
    static char copy[512]; /* options borrow from it */
    static char *argv[32];
    int argc = 0;
    snprintf(copy, sizeof copy, "mdpredict %s", words);
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
        argv[argc++] = w;
    argv[argc] = NULL;
    return options_parse(o, c, argc, argv, e);
}

static bool parse(const char *words, struct options *o, struct err *e)
{
    return parse_as(&cmd, words, o, e);
}

static void options_and_arguments_mix(void)
{
    struct options o;
    struct err e = {""};
    CU_ASSERT_TRUE(parse("a -g x.cfg --set cores=1 b --set l1d.size=1 -n4 --json -o f", &o, &e));
    CU_ASSERT_STRING_EQUAL(o.gpu, "x.cfg");
    CU_ASSERT_EQUAL(o.set.n, 2);
    CU_ASSERT_STRING_EQUAL(o.set.word[1], "l1d.size=1");
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
    CU_ASSERT_STRING_EQUAL(o.model, option_rows[OPT_MODEL].text);
    CU_ASSERT_PTR_NOT_NULL(model_find(o.model));
    CU_ASSERT_STRING_EQUAL(o.output, "-");
    CU_ASSERT_EQUAL(o.n, 0);
    CU_ASSERT_EQUAL(o.cta, -1);
    CU_ASSERT_EQUAL(o.launch, -1);
    CU_ASSERT_EQUAL(o.max_launches, 100);
    CU_ASSERT_EQUAL(o.max_cycles, 1000000000);
    CU_ASSERT_EQUAL(o.effort, EFFORT_QUICK);
    CU_ASSERT_EQUAL(o.budget, 0);
    CU_ASSERT_STRING_EQUAL(o.db, "profiles.db");
    CU_ASSERT_FALSE(o.input.seeded);
    CU_ASSERT_EQUAL(o.given, 0);
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
               {"a --jsn", "unknown option --jsn; did you mean --json"},
               {"a --json=3", "takes no value"},
               {"a --explain", "does not take --explain"},
               {"a --functional=1", "takes no value"},
               {"a --order reversed", "natural, shuffled or renumbered"},
               {"a --warps-per-cta 33", "allowed: 1..32"},
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

static void efforts_and_budgets_are_named(void)
{
    static const struct {
        const char *words, *says;
    } row[] = {{"--effort quik", "window, quick or thorough, not \"quik\"; did you mean quick?"},
               {"--budget x", "--budget wants seconds, not \"x\""},
               {"--budget -1", "allowed: 0..1000000000"},
               {"--budget nan", "wants seconds"}};
    struct options o;
    struct err e = {""};
    CU_ASSERT_TRUE(parse_as(&sample_cmd, "a --effort thorough --budget 2.5 --counters", &o, &e));
    CU_ASSERT_EQUAL(o.effort, EFFORT_THOROUGH);
    CU_ASSERT_EQUAL(o.budget, 2.5);
    CU_ASSERT_TRUE(o.counters);
    options_free(&o);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        CU_ASSERT_FALSE(parse_as(&sample_cmd, row[i].words, &o, &e));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, row[i].says));
        options_free(&o);
    }
}

/* KB where nothing else is said; 33 numbers are one too many. */
static void lists_are_numbers_and_sizes(void)
{
    struct options o;
    struct err e = {""};
    CU_ASSERT_TRUE(parse_as(&profile_cmd, "--l1d 8,16KB,32k,65536B --warps-per-cta 2,4", &o, &e));
    CU_ASSERT_EQUAL(o.l1d.n, 4);
    CU_ASSERT(o.l1d.v[0] == 8192 && o.l1d.v[1] == 16384 && o.l1d.v[2] == 32768);
    CU_ASSERT_EQUAL(o.l1d.v[3], 65536);
    CU_ASSERT(o.warps.n == 2 && o.warps.v[1] == 4);
    options_free(&o);
    static const struct {
        const char *words, *says;
    } row[] = {{"--l1d 8,,16", "--l1d wants sizes in KB from 1 to 1048576, not \"\""},
               {"--l1d 2G", "from 1 to 1048576"},
               {"--l1d 9223372036854775807", "from 1 to 1048576"},
               {"--warps-per-cta 0", "whole numbers from 1 to 32"},
               {"--warps-per-cta 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
                "at most 32 numbers"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        CU_ASSERT_FALSE(parse_as(&profile_cmd, row[i].words, &o, &e));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, row[i].says));
        options_free(&o);
    }
}

/* Options of one name that are not the same everywhere: the last --model of compare is the model.
 */
static void a_name_means_what_its_command_says(void)
{
    struct options o;
    struct err e = {""};
    CU_ASSERT_TRUE(
        parse_as(&compare_cmd, "--all --db x --model yen2014 --model segmented", &o, &e));
    CU_ASSERT_TRUE(o.all);
    CU_ASSERT(o.given == (OPT(ALL) | OPT(PROFILE) | OPT(MODELS)));
    CU_ASSERT_STRING_EQUAL(o.db, "x");
    CU_ASSERT_EQUAL(o.models.n, 2);
    CU_ASSERT_STRING_EQUAL(o.models.word[0], "yen2014");
    CU_ASSERT_STRING_EQUAL(o.model, "segmented");
    options_free(&o);
    CU_ASSERT_TRUE(parse_as(&profile_cmd, "--db x", &o, &e));
    CU_ASSERT_EQUAL(o.given, OPT(DB));
    options_free(&o);
}

/* Each row is whole, and no command has two options of one name or letter. */
static void rows_are_whole_and_do_not_collide(void)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        const struct option_row *r = &option_rows[i];
        const bool bare = r->type == OPTION_FLAG || r->type == OPTION_FORMAT;
        CU_ASSERT_EQUAL(bare, r->arg == NULL);
        CU_ASSERT(strlen(r->name) > 1 && strlen(r->help) > 0 && r->commands != 0);
        CU_ASSERT(bare || r->lo < r->hi);
        for (int k = 0; k < i; k++) {
            const struct option_row *other = &option_rows[k];
            if (!(r->commands & other->commands))
                continue;
            CU_ASSERT(strcmp(r->name, other->name) != 0);
            CU_ASSERT(!r->letter || r->letter != other->letter);
        }
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
    CU_ASSERT_PTR_NULL(strstr(text, "--explain"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "0: never (default: 1000000000)\n"));
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        CU_ASSERT(strcspn(line, "\n") <= 100);
    free(text);
}

SUITE("options", T(options_and_arguments_mix), T(defaults_are_what_help_says),
      T(wrong_usage_is_named), T(efforts_and_budgets_are_named), T(lists_are_numbers_and_sizes),
      T(a_name_means_what_its_command_says), T(rows_are_whole_and_do_not_collide),
      T(help_needs_no_arguments_and_lists_the_options))
