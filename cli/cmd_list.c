#include <stdlib.h>
#include <string.h>

#include "base/cfg_file.h"
#include "base/datadir.h"
#include "base/num.h"
#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/keys.h"
#include "cli/list.h"
#include "model/model.h"
#include "sampler/sampling.h"
#include "sim/cta/cta_scheduler.h"
#include "sim/frontend/workload.h"
#include "sim/gpu/gpu_choices.h"
#include "sim/sm/sched/scheduler_name.h"
#include "sim/sm/sched/warp_scheduler.h"

struct entry {
    const char *topic, *name, *value, *help;
};
struct parameter { /* beside its entry */
    const char *type, *unit, *lowest, *highest, *choices, *by_default;
};

const struct output_row entry_rows[] = {
    {"command", "topic", "", "`list`: what the entry is of", OUTPUT_FIELD(struct entry, topic)},
    {"command", "name", "", "`list`, `figure --list`: its name", OUTPUT_FIELD(struct entry, name)},
    {"command", "value", "", "... a parameter's value; sizes; a kind; a unit",
     OUTPUT_FIELD(struct entry, value)},
    {"command", "help", "", "... what it is", OUTPUT_FIELD(struct entry, help)},
    {.name = NULL}};
#define PARAMETER(field) OUTPUT_FIELD(struct parameter, field)
const struct output_row parameter_rows[] = {
    {"command", "type", "", "`list parameters`: integer, number, boolean, text", PARAMETER(type)},
    {"command", "unit", "", "... of the value", PARAMETER(unit)},
    {"command", "lowest", "", "... of a number", PARAMETER(lowest)},
    {"command", "highest", "", "...", PARAMETER(highest)},
    {"command", "choices", "", "... of a name, with commas between them", PARAMETER(choices)},
    {"command", "default", "", "... if a GPU says nothing", PARAMETER(by_default)},
    {.name = NULL}};
const struct output_row key_rows[] = OUTPUT_ONE("command", "of", "", "`list keys`: of which object",
                                                OUTPUT_FIELD(struct output_row, of));

void list_fields(struct list *l, const char *name, const char *value, const char *help)
{
    output_rows(l->out, entry_rows, &(struct entry){l->topic, name, value, help});
}

static void entry(struct list *l, const char *name, const char *value, const char *help)
{
    if (l->out->format == FORMAT_TEXT) {
        table_cell(l->table, "  %s", name);
        table_cell(l->table, "%s", value);
        table_cell(l->table, "%s", help);
        return;
    }
    output_object(l->out, NULL);
    list_fields(l, name, value, help);
    output_up(l->out);
}

bool list_shows(const struct list *l, const struct workload *w)
{
    return !l->options->suite || workload_in_suite(w, l->options->suite);
}

static bool list_workloads(struct list *l, struct err *e)
{
    if (l->alone)
        return list_workloads_in_full(l, e);
    for (int i = 0; workloads[i]; i++) {
        if (!list_shows(l, workloads[i]))
            continue;
        char sizes[256] = "";
        for (const struct workload_size *s = workloads[i]->size; s->name; s++) {
            size_t used = strlen(sizes);
            snprintf(sizes + used, sizeof sizes - used, "%s%s", used ? ", " : "", s->name);
        }
        entry(l, workloads[i]->name, sizes, workloads[i]->title);
    }
    return true;
}

static bool list_gpus(struct list *l, struct err *e)
{
    char **names = datadir_list("gpus", e);
    if (!names)
        return false;
    bool ok = true;
    for (char **n = names; ok && *n; n++) {
        char *path = datadir_find("gpus", *n, e);
        struct cfg_file *f = path ? cfg_open_including(path, e) : NULL;
        const char *help = "";
        ok = f && cfg_get_str(cfg_root(f), "description", &help, e);
        if (ok)
            entry(l, *n, "", help);
        cfg_close(f);
        free(path);
    }
    datadir_list_free(names);
    return ok;
}

static bool list_models(struct list *l, struct err *e)
{
    (void)e;
    for (int i = 0; model_at(i); i++)
        entry(l, model_at(i)->name, "", model_at(i)->help);
    return true;
}

static void policy(struct list *l, const char *name, const char *kind, const char *help,
                   const char *paper)
{
    char *text = xasprintf("%s (%s)", help, paper);
    entry(l, name, kind, text);
    free(text);
}

static bool list_schedulers(struct list *l, struct err *e)
{
    (void)e;
    for (int i = 0; warp_scheduler_at(i); i++)
        policy(l, warp_scheduler_at(i)->name, "warp", warp_scheduler_at(i)->help,
               warp_scheduler_at(i)->paper);
    const char *name, *help, *paper;
    for (int i = 0; scheduler_part_at(i, &name, &help, &paper); i++) {
        char with[64];
        snprintf(with, sizeof with, "+%s", name);
        policy(l, with, "warp", help, paper);
    }
    policy(l, "elf++", "warp", "elf+newcar+prefetch", "Park et al., ELF, 2015");
    for (int i = 0; cta_scheduler_at(i); i++)
        policy(l, cta_scheduler_at(i)->name, "CTA", cta_scheduler_at(i)->help,
               cta_scheduler_at(i)->paper);
    return true;
}

static void value_text(const struct param *p, const void *cfg, char *buf, size_t size)
{
    const char *field = (const char *)cfg + p->off;
    char num[NUM_TEXT];
    if (p->type == PARAM_INT)
        snprintf(buf, size, "%d", *(const int *)(const void *)field);
    else if (p->type == PARAM_REAL)
        snprintf(buf, size, "%s", num_text(*(const double *)(const void *)field, num));
    else if (p->type == PARAM_BOOL)
        snprintf(buf, size, "%s", *(const bool *)field ? "true" : "false");
    else
        snprintf(buf, size, "%s", field);
}

/* What p may be, if it is one of a few words: "frfcfs, fcfs". */
static void choices_text(const struct param *p, const char *name, char *buf, size_t size)
{
    size_t used = 0;
    snprintf(buf, size, "%s", p->type == PARAM_BOOL ? "true, false" : "");
    for (int i = 0; gpu_choice(name, i) && used < size; i++)
        used +=
            (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "", gpu_choice(name, i));
}

/* What p may be: " (0..64 bytes)", " (frfcfs, fcfs)". */
static const char *range_text(const struct param *p, const char *name, char *buf, size_t size)
{
    char choices[376];
    choices_text(p, name, choices, sizeof choices);
    *buf = 0;
    if (p->type == PARAM_INT || p->type == PARAM_REAL)
        snprintf(buf, size, " (%g..%g%s%s)", p->lo, p->hi, *p->unit ? " " : "", p->unit);
    else if (*choices)
        snprintf(buf, size, " (%s)", choices);
    return buf;
}

/* In JSON and CSV a parameter's unit, range and default are fields of their own. */
static void parameter_fields(struct list *l, const struct param *p, const char *name,
                             const char *value)
{
    static const char *const types[] = {[PARAM_INT] = "integer",
                                        [PARAM_REAL] = "number",
                                        [PARAM_BOOL] = "boolean",
                                        [PARAM_STR] = "text"};
    const bool number = p->type == PARAM_INT || p->type == PARAM_REAL;
    char lo[NUM_TEXT], hi[NUM_TEXT], def[NUM_TEXT], choices[384];
    choices_text(p, name, choices, sizeof choices);
    const struct parameter fields = {.type = types[p->type],
                                     .unit = p->unit,
                                     .lowest = number ? num_text(p->lo, lo) : "",
                                     .highest = number ? num_text(p->hi, hi) : "",
                                     .choices = choices,
                                     .by_default = p->type == PARAM_BOOL
                                                       ? (p->def_num != 0 ? "true" : "false")
                                                   : number ? num_text(p->def_num, def)
                                                            : p->def_str};
    output_object(l->out, NULL);
    list_fields(l, name, value, p->help);
    output_rows(l->out, parameter_rows, &fields);
    output_up(l->out);
}

static void list_rows(struct list *l, const struct param_group *g, const void *values)
{
    for (; g->rows; g++) {
        for (int i = 0; i < g->nrows; i++) {
            const struct param *p = &g->rows[i];
            char name[PARAM_NAME_LEN], value[128], help[768], range[384];
            value_text(p, (const char *)values + g->off, value, sizeof value);
            params_name(g, p, name);
            snprintf(help, sizeof help, "%s%s", p->help, range_text(p, name, range, sizeof range));
            if (l->out->format == FORMAT_TEXT)
                entry(l, name, value, help);
            else
                parameter_fields(l, p, name, value);
        }
    }
}

static bool list_parameters(struct list *l, struct err *e)
{
    struct gpu_cfg cfg;
    if (!options_gpu(l->options, &cfg, e))
        return false;
    list_rows(l, gpu_cfg_groups(), &cfg);
    return true;
}

static bool list_sampling(struct list *l, struct err *e)
{
    struct sampling rules;
    if (!sampling_load(&rules, e))
        return false;
    list_rows(l, sampling_groups, &rules);
    return true;
}

static bool list_efforts(struct list *l, struct err *e)
{
    (void)e;
    for (int i = 0; i < EFFORT_COUNT; i++)
        entry(l, effort_name((enum effort)i), i == EFFORT_DEFAULT ? "default" : "",
              effort_help((enum effort)i));
    return true;
}

/* In text a line by itself says what the keys after it are of. */
static void list_key(void *user, const struct output_row *k)
{
    struct list *l = user;
    if (l->out->format == FORMAT_TEXT) {
        if (!l->of || strcmp(l->of, k->of) != 0)
            entry(l, k->of, "", "");
        l->of = k->of;
        entry(l, k->name, k->unit, k->help);
        return;
    }
    output_object(l->out, NULL);
    list_fields(l, k->name, k->unit, k->help);
    output_rows(l->out, key_rows, k);
    output_up(l->out);
}

static bool list_keys(struct list *l, struct err *e)
{
    (void)e;
    keys_walk(list_key, l);
    return true;
}

struct word {
    const char *name, *help;
};

static const struct word exit_codes[] = {
    {"0", "done; results that can be verified are right"},
    {"1",
     "it failed (an unknown target or GPU, a wrong file, a kernel's fault, a failed check), or "
     "found not all that was asked for; what was measured until then is printed"},
    {"2", "wrong usage: an unknown command, option, parameter, model or scheduler, a value out of "
          "range; nothing was run"},
};

static const struct word variables[] = {
    {"MDPREDICT_DATA", "folder of GPUs, coefficients, profiles (default: where the program lies)"},
    {"MDPREDICT_CUDA", "folder of the library that stands in for libcudart (default: likewise)"},
    {"MDPREDICT_BLOCK_SIZE", "set for a program by search --block-sizes: threads of a CTA"},
    {"MDPREDICT_SIMD", "base: execute without AVX2; same results"},
    {"NVCC", "the compiler of --build (default: nvcc, then clang++)"},
    {"NVCC_APPEND_FLAGS", "nvcc's own: further options of --build"},
    {"TMPDIR", "folder of temporary files (default: /tmp)"},
    {"COLUMNS", "of tables, bars and columns of text on a terminal (default: as wide as it is)"},
    {"TERM", "dumb: no progress is drawn"},
    {"PATH", "where programs, nvcc and gnuplot are looked for"},
    {"LD_PRELOAD", "libraries of yours that a CUDA program is to load as well"},
};

static bool list_exit_codes(struct list *l, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++)
        entry(l, exit_codes[i].name, "", exit_codes[i].help);
    return true;
}

static bool list_variables(struct list *l, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        entry(l, variables[i].name, "", variables[i].help);
    return true;
}

static const struct topic {
    const char *name;
    bool (*list)(struct list *l, struct err *e);
    bool in_all; /* shown when no topic is named */
} topics[] = {
    {"workloads", list_workloads, true},  {"gpus", list_gpus, true},
    {"models", list_models, true},        {"schedulers", list_schedulers, true},
    {"efforts", list_efforts, true},      {"parameters", list_parameters, false},
    {"sampling", list_sampling, false},   {"keys", list_keys, false},
    {"variables", list_variables, false}, {"exit-codes", list_exit_codes, false},
};
#define NTOPICS (sizeof topics / sizeof *topics)

const char *list_topic_name(int i)
{
    return (size_t)i < NTOPICS ? topics[i].name : NULL;
}

static const struct topic *find_topic(const char *name, struct err *e)
{
    struct suggest s;
    char near[256];
    suggest_init(&s, name);
    for (size_t i = 0; i < NTOPICS; i++) {
        if (strcmp(topics[i].name, name) == 0)
            return &topics[i];
        suggest_offer(&s, topics[i].name);
    }
    err_set(e, "nothing to list called \"%.200s\"%s", name, suggest_text(&s, near, sizeof near));
    return NULL;
}

static bool list_topic(struct list *l, const struct topic *t, bool title, struct err *e)
{
    l->topic = t->name;
    l->alone = !title;
    l->table = table_new("lll");
    bool ok = t->list(l, e);
    if (ok && l->out->format == FORMAT_TEXT) {
        if (title)
            fprintf(l->out->text, "%s\n", t->name);
        table_print(l->table, l->out->text);
    }
    table_free(l->table);
    return ok;
}

static bool check_suite(const struct options *o, const struct topic *only, struct err *e)
{
    if (o->suite && !(only && strcmp(only->name, "workloads") == 0))
        return err_set(e, "--suite goes with `list workloads`");
    return !o->suite || workload_suite_check(o->suite, e);
}

static bool run(struct options *o, struct err *e)
{
    const struct topic *only = o->nargs ? find_topic(o->arg[0], e) : NULL;
    o->bad_usage = (o->nargs && !only) || !check_suite(o, only, e);
    struct output out;
    if (o->bad_usage || !output_open(&out, o, e))
        return false;
    struct list l = {.out = &out, .options = o};
    output_array(&out, NULL);
    bool ok = true;
    for (size_t i = 0; ok && i < NTOPICS; i++)
        if (only ? only == &topics[i] : topics[i].in_all)
            ok = list_topic(&l, &topics[i], !only, e);
    output_up(&out);
    return output_close(&out, ok, e);
}

const struct command command_list = {
    .id = COMMAND_list,
    .name = "list",
    .args = "[TOPIC]",
    .help = "Show what there is: workloads, gpus, models, efforts, parameters ...",
    .text = "TOPIC: workloads, gpus, models, schedulers, efforts, parameters, keys (those of\n"
            "`sample --json`), variables (of the environment), exit-codes. Without TOPIC: the\n"
            "first five. Parameters are shown with their values in the GPU that -g and --set\n"
            "describe, as JSON and CSV with unit, range and default; `list workloads` shows\n"
            "kernels as well, with the threads, registers and shared memory of a CTA, how many\n"
            "fit on a core of that GPU, and what sets that limit.",
    .max_args = 1,
    .run = run,
};
