/* main.c -- finds the command, parses its options, and turns failures into messages and exit codes:
 * 0 done, 2 wrong usage, 1 anything else. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/revision.h"
#include "base/suggest.h"
#include "base/wrap.h"
#include "cli/commands.h"
#include "cli/program_build.h"

#define HELP_COLUMN 25 /* of what a command does */

const struct command *const commands[COMMAND_COUNT] = {
#define X(name) &command_##name,
    COMMANDS(X)
#undef X
};

static int usage_error(const char *message)
{
    fprintf(stderr, "mdpredict: %s\nTry `mdpredict --help`.\n", message);
    return 2;
}

static int help(FILE *out)
{
    wrap_paragraph(
        out, "Usage: mdpredict COMMAND [OPTION]... [ARGUMENT]...\n\n"
             "How many CTAs of a GPU kernel should run at once on each core? mdpredict\n"
             "simulates one CTA in detail, predicts IPC at every degree n, and names the best.\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command *c = commands[i];
        char *left = xasprintf("  %-10s %-10s  ", c->name, c->args);
        wrap_beside(out, left, c->help, HELP_COLUMN, INT_MAX);
        free(left);
    }
    fputc('\n', out);
    wrap_paragraph(
        out, "TARGET is a bundled workload, with a size if wanted (`vecadd`, `bfs:small`), a\n"
             "launch file or a trace; a CUDA program stands behind `--`:\n"
             "mdpredict sample -- ./app.\n"
             "`mdpredict help COMMAND` shows a command's options, `mdpredict version` which\n"
             "this is; `mdpredict --run` is the same as `mdpredict run`.\n"
             "Start with: mdpredict compare nbf\n"
             "Manual: docs/README.md, in the sources or below share/doc/mdpredict.");
    return out == stdout ? 0 : 2;
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    struct suggest s;
    char near[256], message[512];
    suggest_init(&s, name);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        suggest_offer(&s, commands[i]->name);
    suggest_offer(&s, "help");
    suggest_offer(&s, "version");
    snprintf(message, sizeof message, "unknown command \"%.200s\"%s", name,
             suggest_text(&s, near, sizeof near));
    return usage_error(message);
}

/* The command that an argument `--COMMAND` or `--COMMAND=TARGET` names; NULL: none. */
static const struct command *as_option(const char *arg)
{
    char name[32];
    if (strncmp(arg, "--", 2) != 0 || strcspn(arg + 2, "=") >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(arg + 2, "="), arg + 2);
    return find(name);
}

/* The command's place in argv: the first argument that is a command's name or `--COMMAND`; else the
 * first argument, for the message, unless it is an option. 0: none. */
static int command_at(int argc, char **argv)
{
    if (argc > 1 && find(argv[1]))
        return 1;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (as_option(argv[i]))
            return i;
    return argc > 1 && argv[1][0] != '-' ? 1 : 0;
}

static bool any_is(int argc, char **argv, const char *a, const char *b)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], a) == 0 || strcmp(argv[i], b) == 0)
            return true;
    return false;
}

static int version(void)
{
    printf("mdpredict %s\n", mdpredict_full_version);
    return 0;
}

static int no_command(int argc, char **argv)
{
    if (any_is(argc, argv, "--help", "-h"))
        return help(stdout);
    if (any_is(argc, argv, "--version", "-V"))
        return version();
    if (argc < 2)
        return help(stderr);
    if (strncmp(argv[1], "--", 2) == 0 && argv[1][2])
        return unknown_command(argv[1] + 2);
    return usage_error("a command is missing");
}

/* A program that is to be built first is there while the command runs. */
static bool run_built(const struct command *c, struct options *o, struct err *e)
{
    struct program_build b = {0};
    const bool ok = (!o->build || program_build(&b, o, e)) && c->run(o, e);
    program_build_end(&b);
    return ok;
}

static int run_command(const struct command *c, int argc, char **argv)
{
    struct options o;
    struct err e = {""};
    int code = 0;
    if (!options_parse(&o, c, argc, argv, &e)) {
        fprintf(stderr, "mdpredict: %s\nTry `mdpredict %s --help`.\n", e.msg, c->name);
        code = 2;
    } else if (o.help) {
        options_help(c, stdout);
    } else if (!run_built(c, &o, &e)) {
        if (*e.msg)
            fprintf(stderr, "mdpredict: %s\n", e.msg);
        code = o.bad_usage ? 2 : 1;
    }
    options_free(&o);
    return code;
}

/* `help`, `help COMMAND`. */
static int help_of(int argc, char **argv)
{
    if (argc < 3)
        return help(stdout);
    const struct command *c = find(argv[2]);
    if (!c)
        return unknown_command(argv[2]);
    options_help(c, stdout);
    return 0;
}

static int dispatch(int argc, char **argv)
{
    int at = command_at(argc, argv);
    if (at == 0)
        return no_command(argc, argv);
    const struct command *c = argv[at][0] == '-' ? as_option(argv[at]) : find(argv[at]);
    if (!c && strcmp(argv[at], "help") == 0)
        return help_of(argc, argv);
    if (!c && strcmp(argv[at], "version") == 0)
        return version();
    if (!c)
        return unknown_command(argv[at]);
    char *value = argv[at][0] == '-' ? strchr(argv[at], '=') : NULL;
    if (value)
        argv[at] = value + 1;
    else
        memmove(argv + at, argv + at + 1, (size_t)(argc-- - at) * sizeof *argv); /* with the NULL */
    return run_command(c, argc, argv);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a reader that has gone is an error of the write, told quietly */
    signal(SIGXFSZ, SIG_IGN); /* as is a limit on the size of files */
    const int code = dispatch(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (code == 0 && errno != EPIPE)
        fprintf(stderr, "mdpredict: standard output: %s\n", strerror(errno));
    return code ? code : 1;
}
