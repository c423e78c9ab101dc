#include "cli/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "fitter/eval/metrics.h"
#include "model/model.h"

/* Of what is not written by tables yet. */
static const struct output_row rest_rows[] = {
    {"command", "functions", "", "`disasm`: of a kernel, itself included", .type = OUTPUT_COMPUTED},
    {"command", "blocks", "", "... basic blocks", .type = OUTPUT_COMPUTED},
    {"command", "instructions", "", "... of its code", .type = OUTPUT_COMPUTED},
    {"command", "local_bytes", "bytes", "... local memory of a thread", .type = OUTPUT_COMPUTED},
    {"command", "param_bytes", "bytes", "... of its parameters", .type = OUTPUT_COMPUTED},
    {"command", "text", "", "... the code, as text", .type = OUTPUT_COMPUTED},
    {"command", "instruction", "", "`disasm --phases`, `--points`: an object an instruction",
     .type = OUTPUT_COMPUTED},
    {"command", "phases", "", "... how many there are", .type = OUTPUT_COMPUTED},
    {"command", "phase", "", "... its number", .type = OUTPUT_COMPUTED},
    {"command", "distance", "insts", "... to the phase's end", .type = OUTPUT_COMPUTED},
    {"command", "program_points", "", "... how many there are", .type = OUTPUT_COMPUTED},
    {"command", "program_points_merged", "", "... when like ones are one", .type = OUTPUT_COMPUTED},
    {"command", "point", "", "... whether one begins here", .type = OUTPUT_COMPUTED},
    {"command", "score", "", "... of it", .type = OUTPUT_COMPUTED},
    {"command", "priority", "", "... that it gives", .type = OUTPUT_COMPUTED},
    {"command", "topic", "", "`list`: what the entry is of", .type = OUTPUT_COMPUTED},
    {"command", "name", "", "`list`, `figure --list`: its name", .type = OUTPUT_COMPUTED},
    {"command", "value", "", "... a parameter's value; sizes; a kind; a unit",
     .type = OUTPUT_COMPUTED},
    {"command", "help", "", "... what it is", .type = OUTPUT_COMPUTED},
    {"command", "of", "", "`list keys`: of which object", .type = OUTPUT_COMPUTED},
    {"command", "type", "", "`list parameters`: integer, number, boolean, text",
     .type = OUTPUT_COMPUTED},
    {"command", "unit", "", "... of the value", .type = OUTPUT_COMPUTED},
    {"command", "lowest", "", "... of a number", .type = OUTPUT_COMPUTED},
    {"command", "highest", "", "...", .type = OUTPUT_COMPUTED},
    {"command", "default", "", "... if a GPU says nothing", .type = OUTPUT_COMPUTED},
    {"command", "suite", "", "`list workloads`: the papers that ran it", .type = OUTPUT_COMPUTED},
    {"command", "class", "", "... what they call it", .type = OUTPUT_COMPUTED},
    {"command", "options", "", "... that it takes", .type = OUTPUT_COMPUTED},
    {"command", "sizes", "", "... an object a size", .type = OUTPUT_COMPUTED},
    {"command", "size", "", "... its name", .type = OUTPUT_COMPUTED},
    {"command", "threads", "threads", "... of a CTA", .type = OUTPUT_COMPUTED},
    {"command", "table", "", "`figure --list`: whether its table is there",
     .type = OUTPUT_COMPUTED},
    {"command", "comparisons", "", "... that it takes", .type = OUTPUT_COMPUTED},
    {"command", "minutes", "min", "... that they take, measured; 0: not measured",
     .type = OUTPUT_COMPUTED},
    {"command", "minutes_estimated", "min", "... by their instructions; 0: no table is there",
     .type = OUTPUT_COMPUTED},
    {"command", "title", "", "... what it shows", .type = OUTPUT_COMPUTED},
    {"command", "needs", "", "... GPU and targets of its first comparison",
     .type = OUTPUT_COMPUTED},
    {"command", "recalculation_bit", "", "`disasm --points`: whether the instruction has one (elf)",
     .type = OUTPUT_COMPUTED},
    {"command", "elf_recalculations", "", "elf: priorities recalculated", .type = OUTPUT_COMPUTED},
    {"command", "elf_recalculations_saved", "ratio", "elf: instructions without one",
     .type = OUTPUT_COMPUTED},
    {"command", "inst_prefetches", "", "lines of code that were fetched ahead",
     .type = OUTPUT_COMPUTED},
    {"command", "reexecution_queued", "", "transactions that entered the re-execution queue",
     .type = OUTPUT_COMPUTED},
    {"command", "reexecution_tries", "", "times that one of them was tried again",
     .type = OUTPUT_COMPUTED},
    {.name = NULL}};

typedef void each_fn(void *user, const struct output_row *key);

static void walk_of(const char *of, each_fn *each, void *user)
{
#define X(table) table,
    static const struct output_row *const tables[] = {KEY_TABLES(X) rest_rows};
#undef X
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct output_row *r = tables[i]; r->name; r++)
            if (r->of && strcmp(r->of, of) == 0)
                each(user, r);
}

/* Of tables that other rooms have. */
static void walk_one(const char *of, const char *name, const char *unit, const char *help,
                     each_fn *each, void *user)
{
    each(user, &(struct output_row){of, name, unit, help, .type = OUTPUT_COMPUTED});
}

static void walk_statistics(each_fn *each, void *user)
{
    for (const struct stat_row *r = run_counter_rows; r->name; r++)
        walk_one("statistic", r->name, "", r->help, each, user);
    for (const struct stat_row *r = run_rate_rows; r->name; r++)
        walk_one("statistic", r->name, "", r->help, each, user);
}

static void walk_sample(each_fn *each, void *user)
{
    for (const struct sample_row *r = sample_rows; r->name; r++)
        walk_one(r->record ? "record" : "sample", r->name, r->unit, r->help, each, user);
    for (const struct sample_array *a = sample_arrays; a->name; a++) {
        char *help = xasprintf("by n: %s", a->help);
        walk_one(a->record ? "record" : "sample", a->name, a->unit, help, each, user);
        free(help);
    }
}

static void walk_models(each_fn *each, void *user)
{
    const struct model_ops *m;
    for (int i = 0; (m = model_at(i)); i++)
        for (const struct model_column *c = m->columns; c && c->name; c++)
            walk_one(m->name, c->name, c->unit, c->help, each, user);
}

void keys_walk(each_fn *each, void *user)
{
    walk_of("answer", each, user);
    walk_of("price", each, user);
    walk_sample(each, user);
    walk_of("explain", each, user);
    walk_of("occupancy", each, user);
    walk_models(each, user);
    walk_of("program", each, user);
    walk_statistics(each, user);
    walk_of("other", each, user);
    walk_of("command", each, user);
    for (const struct metric_row *r = metric_rows; r->name; r++)
        walk_one("command", r->name, "", r->help, each, user);
}
