#include "cli/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/datadir.h"
#include "base/suggest.h"
#include "base/wrap.h"
#include "cli/option_types.h"
#include "cli/program_hint.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/sm/sched/scheduler_name.h"

#define LONG_BASE 256 /* above every letter: getopt_long returns LONG_BASE + i for row i */

static bool takes(const struct command *c, int id)
{
    return option_rows[id].commands >> c->id & 1;
}

/* Fills the tables that getopt_long wants with the options of this command. */
static void getopt_tables(const struct command *c, struct option *lo, char *letters)
{
    *letters++ = ':'; /* a missing argument is told apart from an unknown option */
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!takes(c, i))
            continue;
        *lo++ = (struct option){option_rows[i].name,
                                option_rows[i].arg ? required_argument : no_argument, NULL,
                                LONG_BASE + i};
        if (option_rows[i].letter) {
            *letters++ = (char)option_rows[i].letter;
            if (option_rows[i].arg)
                *letters++ = ':';
        }
    }
    *lo = (struct option){0};
    *letters = 0;
}

static bool unknown_letter(const struct command *c, int letter, struct err *e)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if (option_rows[i].letter == letter)
            return err_set(e, "%s does not take -%c", c->name, letter);
    return err_set(e, "unknown option -%c", letter);
}

/* A long option that only other commands take, that is ambiguous, or that does not exist. */
static bool unknown_name(const struct command *c, const char *text, struct err *e)
{
    char name[64], near[256], known[OPT_COUNT][40], dashed[80];
    snprintf(name, sizeof name, "%s", text + strspn(text, "-"));
    char *value = strchr(name, '=');
    if (value)
        *value = 0;
    struct suggest s;
    snprintf(dashed, sizeof dashed, "--%s", name);
    suggest_init(&s, dashed);
    for (int i = 0; i < OPT_COUNT; i++) {
        if (strcmp(option_rows[i].name, name) == 0 && takes(c, i))
            return err_set(e, "--%s takes no value", name);
        if (strcmp(option_rows[i].name, name) == 0)
            return err_set(e, "%s does not take --%s", c->name, name);
        snprintf(known[i], sizeof known[i], "--%s", option_rows[i].name);
        if (takes(c, i))
            suggest_offer(&s, known[i]);
    }
    return err_set(e, "unknown option --%s%s", name, suggest_text(&s, near, sizeof near));
}

static int id_of(int got)
{
    if (got >= LONG_BASE)
        return got - LONG_BASE;
    int i = 0;
    while (option_rows[i].letter != got)
        i++;
    return i;
}

static bool parse_options(struct options *o, const struct command *c, int argc, char **argv,
                          struct err *e)
{
    struct option lo[OPT_COUNT + 1];
    char letters[2 * OPT_COUNT + 2];
    getopt_tables(c, lo, letters);
    opterr = 0;
    optind = 0; /* glibc: start afresh, also after a parse that failed half-way */
    for (int got; (got = getopt_long(argc, argv, letters, lo, NULL)) >= 0;) {
        if (got == ':')
            return err_set(e, "%s wants an argument", argv[optind - 1]);
        if (got == '?' && optopt > 0 && optopt < LONG_BASE)
            return unknown_letter(c, optopt, e);
        if (got == '?')
            return unknown_name(c, argv[optind - 1], e);
        if (!option_take(&option_rows[id_of(got)], o, optarg, e))
            return false;
    }
    return true;
}

/* What follows `--` is a program and its arguments, however many. */
static bool take_program(struct options *o, const struct command *c, int after, struct err *e)
{
    if (!takes(c, OPT_KERNEL))
        return err_set(e, "%s takes no program", c->name);
    if (o->nargs > after)
        return err_set(e, "%s: name a TARGET or, after --, a program", c->name);
    if (o->nargs == 0)
        return err_set(e, "%s: a program is missing after --", c->name);
    o->program = true;
    return o->build || program_hint_program(o, c->name, e);
}

/* Without `--`. */
static bool take_source(struct options *o, const struct command *c, struct err *e)
{
    if (o->nargs == 0)
        return err_set(e, "%s: --build wants a CUDA source file", c->name);
    o->program = true;
    return true;
}

/* What the command gets beside options. */
static bool take_arguments(struct options *o, const struct command *c, struct err *e)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if (o->given >> i & 1 && option_rows[i].commands & OF_PROGRAM)
            return err_set(e, "--%s is for a program after --", option_rows[i].name);
    if (takes(c, OPT_KERNEL) && !program_hint_target(o, c->name, e))
        return false;
    if (o->nargs < c->min_args)
        return err_set(e, "%s wants %s", c->name, c->args);
    if (o->nargs > c->max_args)
        return err_set(e, "%s: one argument too many: \"%s\"", c->name, o->arg[c->max_args]);
    return true;
}

/* What several options, or the machine, say together. */
static void derive(struct options *o)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (!o->jobs)
        o->jobs = cores > 0 ? (int)cores : 1;
    o->input.seeded = o->given & OPT(SEED);
    if (o->models.n)
        o->model = o->models.word[o->models.n - 1];
}

bool options_parse(struct options *o, const struct command *c, int argc, char **argv, struct err *e)
{
    int dashes = 1;
    while (dashes < argc && strcmp(argv[dashes], "--") != 0)
        dashes++;
    *o = (struct options){.command = c, .word = argv + 1, .nwords = argc - 1};
    for (int i = 0; i < OPT_COUNT; i++)
        option_default(&option_rows[i], o);
    if (!parse_options(o, c, argc, argv, e))
        return false;
    derive(o);
    o->arg = argv + optind;
    o->nargs = argc - optind;
    if (o->help)
        return true;
    if (dashes < argc)
        return take_program(o, c, argc - dashes - 1, e);
    return o->build ? take_source(o, c, e) : take_arguments(o, c, e);
}

void options_free(struct options *o)
{
    free(o->set.word);
    free(o->hold.word);
    free(o->models.word);
    o->set = o->hold = o->models = (struct words){0};
}

/* "  -g, --gpu NAME|FILE" */
static int left_column(const struct option_row *r, char out[64])
{
    char letter[8] = "    ";
    if (r->letter)
        snprintf(letter, sizeof letter, "-%c, ", r->letter);
    return snprintf(out, 64, "  %s--%s%s%s", letter, r->name, r->arg ? " " : "",
                    r->arg ? r->arg : "");
}

static void print_option(FILE *out, const struct option_row *r, int wide)
{
    char left[64], def[OPTION_DEFAULT_TEXT];
    left_column(r, left);
    char *help = xasprintf("%s%s", r->help, option_default_text(r, def));
    wrap_beside(out, left, help, wide + 2, WRAP_TABLE);
    free(help);
}

void options_help(const struct command *c, FILE *out)
{
    wrap_line(out, "Usage: mdpredict %s [OPTION]...%s%s", c->name, *c->args ? " " : "", c->args);
    fputc('\n', out);
    wrap_line(out, "%s.", c->help);
    if (takes(c, OPT_KERNEL))
        wrap_line(out,
                  "Instead of TARGET: -- PROGRAM [ARGUMENT]..., a CUDA program with PTX in it.");
    if (c->text)
        wrap_paragraph(out, c->text);
    fputc('\n', out);
    int wide = 0;
    char left[64];
    for (int i = 0; i < OPT_COUNT; i++)
        if (takes(c, i) && left_column(&option_rows[i], left) > wide)
            wide = (int)strlen(left);
    for (int i = 0; i < OPT_COUNT; i++)
        if (takes(c, i))
            print_option(out, &option_rows[i], wide);
}

/* --warp-scheduler, --cta-scheduler; NULL: not given. */
static bool set_scheduler(struct gpu_cfg *cfg, const char *kind, const char *name, struct err *e)
{
    if (!name)
        return true;
    char *assignment = xasprintf("%s_scheduler=%s", kind, name);
    const bool ok =
        params_set(gpu_cfg_groups(), cfg, assignment, e) || err_prefix(e, "--%s-scheduler", kind);
    free(assignment);
    return ok;
}

bool options_check_parts(const struct options *o, const struct gpu_cfg *cfg, struct err *e)
{
    bool ok = true;
    for (int i = 0; ok && i < o->set.n; i++)
        ok = sm_part_check(&cfg->sm, o->set.word[i], e);
    return ok;
}

bool options_gpu(struct options *o, struct gpu_cfg *cfg, struct err *e)
{
    char *data = datadir(e);
    if (!data)
        return false;
    bool ok = gpu_cfg_load(cfg, data, o->gpu, e);
    free(data);
    if (!ok)
        return false;
    o->bad_usage = true;
    for (int i = 0; ok && i < o->set.n; i++)
        ok = params_set(gpu_cfg_groups(), cfg, o->set.word[i], e) || err_prefix(e, "--set");
    ok = ok && set_scheduler(cfg, "warp", o->warp_scheduler, e) &&
         set_scheduler(cfg, "cta", o->cta_scheduler, e) && gpu_cfg_check(cfg, e);
    ok = ok && options_check_parts(o, cfg, e);
    o->bad_usage = !ok;
    return ok;
}
