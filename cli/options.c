#include "cli/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/datadir.h"
#include "base/num.h"
#include "base/suggest.h"
#include "model/model.h"
#include "sim/frontend/workload.h"
#include "sim/gpu/gpu_cfg.h"

struct option_row {
    int letter;
    const char *name, *arg, *help;
};
static const struct option_row rows[] = {
#define X(id, letter, name, arg, help) {letter, name, arg, help},
    OPTIONS(X)
#undef X
};

#define LONG_BASE 256 /* above every letter: getopt_long returns LONG_BASE + i for row i */

static bool takes(const struct command *c, int id)
{
    return id == OPT_HELP || (c->options >> id & 1);
}

/* Fills the tables that getopt_long wants with the options of this command. */
static void getopt_tables(const struct command *c, struct option *lo, char *letters)
{
    *letters++ = ':'; /* a missing argument is told apart from an unknown option */
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!takes(c, i))
            continue;
        *lo++ = (struct option){rows[i].name, rows[i].arg ? required_argument : no_argument, NULL,
                                LONG_BASE + i};
        if (rows[i].letter) {
            *letters++ = (char)rows[i].letter;
            if (rows[i].arg)
                *letters++ = ':';
        }
    }
    *lo = (struct option){0};
    *letters = 0;
}

static bool number(const char *option, const char *text, int64_t lo, int64_t hi, int64_t *out,
                   struct err *e)
{
    if (!num_int(text, out))
        return err_set(e, "%s wants a whole number, not \"%s\"", option, text);
    if (*out < lo || *out > hi)
        return err_set(e, "%s %s is out of range; allowed: %lld..%lld", option, text, (long long)lo,
                       (long long)hi);
    return true;
}

static bool apply_number(struct options *o, int id, const char *arg, struct err *e)
{
    int64_t v = 0;
    bool ok = false;
    if (id == OPT_N) {
        ok = number("-n", arg, 1, INT32_MAX, &v, e);
        o->n = (int)v;
    } else if (id == OPT_JOBS) {
        ok = number("-j", arg, 1, 1024, &v, e);
        o->jobs = (int)v;
    } else if (id == OPT_WARPS) {
        ok = number("--warps-per-cta", arg, 1, 32, &v, e);
        o->input.warps = (unsigned)v;
    } else if (id == OPT_SEED) {
        ok = number("--seed", arg, 0, INT64_MAX, &v, e);
        o->input.seed = (uint64_t)v;
        o->input.seeded = true;
    } else if (id == OPT_CTA) {
        ok = number("--cta", arg, 0, INT32_MAX, &o->cta, e);
    } else if (id == OPT_PERTURBED) {
        ok = number("--perturbed", arg, 0, GPU_CFG_PERTURBATIONS, &v, e);
        o->perturbed = (int)v;
    } else if (id == OPT_REFINE) {
        ok = number("--refine", arg, 0, MODEL_N_MAX, &v, e);
        o->refine = (int)v;
    } else if (id == OPT_REFINE_INSTS) {
        ok = number("--refine-insts", arg, 0, INT64_MAX, &v, e);
        o->refine_insts = (uint64_t)v;
    } else if (id == OPT_CTAS) {
        ok = number("--ctas", arg, 1, 1024, &v, e);
        o->window.ctas = (int)v;
    } else if (id == OPT_WARM_UP) {
        ok = number("--warm-up", arg, 0, 1024, &v, e);
        o->window.warm_up = (int)v;
    } else if (id == OPT_MAX_INSTS) {
        ok = number("--max-insts", arg, 0, INT64_MAX, &v, e);
        o->window.max_insts = (uint64_t)v;
    } else if (id == OPT_MAX_CYCLES) {
        ok = number("--max-cycles", arg, 0, INT64_MAX, &v, e);
        o->max_cycles = (uint64_t)v;
    } else if (id == OPT_LAUNCH) {
        ok = number("--launch", arg, 0, INT32_MAX, &o->launch, e);
    } else if (id == OPT_MAX_LAUNCHES) {
        ok = number("--max-launches", arg, 0, INT64_MAX, &o->max_launches, e);
    } else if (id == OPT_ANEW) {
        ok = number("--anew", arg, 0, INT64_MAX, &o->anew, e);
    } else if (id == OPT_INTERVAL) {
        ok = number("--interval", arg, 1, INT64_MAX, &v, e);
        o->interval = (uint64_t)v;
    } else {
        BUG_ON(true, "option %d has no handler", id);
    }
    return ok;
}

static bool apply_format(struct options *o, enum format f, struct err *e)
{
    if (o->format != FORMAT_TEXT && o->format != f)
        return err_set(e, "--json and --csv exclude each other");
    o->format = f;
    return true;
}

static bool apply_order(struct options *o, const char *arg, struct err *e)
{
    enum workload_order order;
    o->input.order = arg;
    return workload_order_find(arg, &order) ||
           err_set(e, "--order wants natural, shuffled or renumbered, not \"%s\"", arg);
}

static bool apply(struct options *o, int id, const char *arg, struct err *e)
{
    o->given |= UINT64_C(1) << id;
    switch (id) {
    case OPT_KERNEL:
        o->kernel = arg;
        return *arg || err_set(e, "--kernel wants a name");
    case OPT_GPU:
        o->gpu = arg;
        return true;
    case OPT_SET:
        o->set[o->nset++] = arg;
        return true;
    case OPT_ORDER:
        return apply_order(o, arg, e);
    case OPT_COEFFICIENTS:
        o->coefficients = arg;
        return true;
    case OPT_FROM:
        o->from = arg;
        return true;
    case OPT_HOLD:
        o->hold[o->nhold++] = arg;
        return true;
    case OPT_HOLD_OUT:
        o->hold_out = arg;
        return true;
    case OPT_METHOD:
        o->method = arg;
        return true;
    case OPT_CROSS_VALIDATE:
        return o->cross_validate = true;
    case OPT_ROBUST:
        return o->robust = true;
    case OPT_EXPLAIN:
        return o->explain = true;
    case OPT_WARPS_LIST:
        o->warps = arg;
        return true;
    case OPT_L1D:
        o->l1d = arg;
        return true;
    case OPT_SIZE:
        o->size = arg;
        return true;
    case OPT_DB:
    case OPT_PROFILE:
        o->db = arg;
        return *arg || err_set(e, "--db wants a file name");
    case OPT_PLOTS:
        o->plots = arg;
        return *arg || err_set(e, "--plots wants a folder");
    case OPT_ALL: /* o->given tells */
    case OPT_SAMPLES:
        return true;
    case OPT_FUNCTIONAL:
        return o->functional = true;
    case OPT_PER_CORE:
        return o->per_core = true;
    case OPT_INTERVAL_OUT:
        o->interval_out = arg;
        return (*arg && strcmp(arg, "-") != 0) || err_set(e, "--interval-out wants a file");
    case OPT_MODEL:
    case OPT_MODELS:
        o->model = o->models[o->nmodels++] = arg;
        return true;
    case OPT_JSON:
        return apply_format(o, FORMAT_JSON, e);
    case OPT_CSV:
        return apply_format(o, FORMAT_CSV, e);
    case OPT_OUTPUT:
        o->output = arg;
        return *arg || err_set(e, "-o wants a file name");
    case OPT_HELP:
        return o->help = true;
    default:
        return apply_number(o, id, arg, e);
    }
}

static bool unknown_letter(const struct command *c, int letter, struct err *e)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if (rows[i].letter == letter)
            return err_set(e, "%s does not take -%c", c->name, letter);
    return err_set(e, "unknown option -%c", letter);
}

/* A long option that only other commands take, that is ambiguous, or that does not exist. */
static bool unknown_name(const struct command *c, const char *text, struct err *e)
{
    char name[64], near[256];
    snprintf(name, sizeof name, "%s", text + strspn(text, "-"));
    char *value = strchr(name, '=');
    if (value)
        *value = 0;
    struct suggest s;
    suggest_init(&s, name);
    for (int i = 0; i < OPT_COUNT; i++) {
        if (strcmp(rows[i].name, name) == 0 && takes(c, i))
            return err_set(e, "--%s takes no value", name);
        if (strcmp(rows[i].name, name) == 0)
            return err_set(e, "%s does not take --%s", c->name, name);
        if (takes(c, i))
            suggest_offer(&s, rows[i].name);
    }
    return err_set(e, "unknown option --%s%s", name, suggest_text(&s, near, sizeof near));
}

static int id_of(int got)
{
    if (got >= LONG_BASE)
        return got - LONG_BASE;
    int i = 0;
    while (rows[i].letter != got)
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
        if (!apply(o, id_of(got), optarg, e))
            return false;
    }
    return true;
}

/* What follows `--` is a program and its arguments, however many. */
static bool take_program(struct options *o, const struct command *c, int after, struct err *e)
{
    if (!(c->options & OPT(KERNEL)))
        return err_set(e, "%s takes no program", c->name);
    if (o->nargs > after)
        return err_set(e, "%s: name a TARGET or, after --, a program", c->name);
    if (o->nargs == 0)
        return err_set(e, "%s: a program is missing after --", c->name);
    o->program = true;
    return true;
}

bool options_parse(struct options *o, const struct command *c, int argc, char **argv, struct err *e)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int dashes = 1;
    while (dashes < argc && strcmp(argv[dashes], "--") != 0)
        dashes++;
    *o = (struct options){.gpu = "yen2014",
                          .model = "queueing",
                          .output = "-",
                          .db = "profiles.db",
                          .cta = -1,
                          .launch = -1,
                          .max_launches = 100,
                          .max_cycles = DEFAULT_MAX_CYCLES,
                          .refine_insts = MODEL_REFINE_INSTS,
                          .jobs = cores > 0 ? (int)cores : 1};
    o->set = xcalloc((size_t)argc, sizeof *o->set);
    o->hold = xcalloc((size_t)argc, sizeof *o->hold);
    o->models = xcalloc((size_t)argc, sizeof *o->models);
    if (!parse_options(o, c, argc, argv, e))
        return false;
    o->arg = argv + optind;
    o->nargs = argc - optind;
    if (o->help)
        return true;
    if (dashes < argc)
        return take_program(o, c, argc - dashes - 1, e);
    if (o->given & OPTS_PROGRAM)
        return err_set(e,
                       "--kernel, --launch, --max-launches and --anew are for a program after --");
    if (o->nargs < c->min_args)
        return err_set(e, "%s wants %s", c->name, c->args);
    if (o->nargs > c->max_args)
        return err_set(e, "%s: one argument too many: \"%s\"", c->name, o->arg[c->max_args]);
    return true;
}

void options_free(struct options *o)
{
    free(o->set);
    free(o->hold);
    free(o->models);
    o->set = o->hold = o->models = NULL;
}

void options_help(const struct command *c, FILE *out)
{
    fprintf(out, "Usage: mdpredict %s [OPTION]...%s%s\n\n%s.\n", c->name, *c->args ? " " : "",
            c->args, c->help);
    if (c->options & OPT(KERNEL))
        fprintf(out, "Instead of TARGET: -- PROGRAM [ARGUMENT]..., a CUDA program (shared runtime, "
                     "PTX in it).\n");
    if (c->text)
        fprintf(out, "%s\n", c->text);
    fputc('\n', out);
    for (int i = 0; i < OPT_COUNT; i++) {
        const struct option_row *r = &rows[i];
        if (!takes(c, i))
            continue;
        char left[64], letter[8] = "    ";
        if (r->letter)
            snprintf(letter, sizeof letter, "-%c, ", r->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, r->name, r->arg ? " " : "",
                 r->arg ? r->arg : "");
        fprintf(out, "  %-21s  %s\n", left, r->help);
    }
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
    for (int i = 0; ok && i < o->nset; i++)
        ok = params_set(gpu_cfg_groups(), cfg, o->set[i], e) || err_prefix(e, "--set");
    ok = ok && gpu_cfg_check(cfg, e);
    o->bad_usage = !ok;
    return ok;
}
