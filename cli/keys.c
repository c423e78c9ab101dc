#include "cli/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "fitter/eval/metrics.h"
#include "model/model.h"

/* Of what is not written by tables yet. */
static const struct output_row rest_rows[] = {
    {"other", "bound", "", "`compare`: as in `explain`", .type = OUTPUT_COMPUTED},
    {"other", "kernels", "",
     "`compare`: an object a kernel, its n_max, limit, occupancy, paste, carveout",
     .type = OUTPUT_COMPUTED},
    {"command", "optimum_n", "CTAs", "`compare`, `search` of a program: the best n",
     .type = OUTPUT_COMPUTED},
    {"command", "kept", "ratio", "`compare`: IPC at chosen_n over that at optimum_n",
     .type = OUTPUT_COMPUTED},
    {"command", "ipc_chosen", "", "`compare`: simulated, at chosen_n", .type = OUTPUT_COMPUTED},
    {"command", "ipc_default", "", "... at n_max", .type = OUTPUT_COMPUTED},
    {"command", "ipc_optimum", "", "... at optimum_n", .type = OUTPUT_COMPUTED},
    {"command", "ipc_error", "ratio", "... mean error of the predicted IPC over every n",
     .type = OUTPUT_COMPUTED},
    {"command", "sample_warp_insts", "insts", "`compare`: what the answer simulated in detail",
     .type = OUTPUT_COMPUTED},
    {"command", "search_warp_insts", "insts", "... what the search did", .type = OUTPUT_COMPUTED},
    {"command", "sample_to_full", "ratio", "... of one simulation", .type = OUTPUT_COMPUTED},
    {"command", "sample_to_search", "ratio", "... of the search", .type = OUTPUT_COMPUTED},
    {"command", "baseline", "", "`compare --warp-schedulers`: what IPC is divided by",
     .type = OUTPUT_COMPUTED},
    {"command", "runs", "", "... an object a target and combination", .type = OUTPUT_COMPUTED},
    {"command", "means", "", "... an object a combination", .type = OUTPUT_COMPUTED},
    {"command", "combination", "", "... of a warp and a CTA scheduler", .type = OUTPUT_COMPUTED},
    {"command", "warp_scheduler", "", "... its one part", .type = OUTPUT_COMPUTED},
    {"command", "cta_scheduler", "", "... its other", .type = OUTPUT_COMPUTED},
    {"command", "normalised", "ratio", "... IPC over the baseline's, for as many instructions",
     .type = OUTPUT_COMPUTED},
    {"command", "geometric_mean", "ratio", "... over the targets", .type = OUTPUT_COMPUTED},
    {"command", "arithmetic_mean", "ratio", "", .type = OUTPUT_COMPUTED},
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
    {"command", "choices", "", "... of a name, with commas between them", .type = OUTPUT_COMPUTED},
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
    {"command", "cases", "", "`compare --all`: an object an application and L1D size",
     .type = OUTPUT_COMPUTED},
    {"command", "choices", "", "... an object a way to choose n", .type = OUTPUT_COMPUTED},
    {"command", "fit_gpus", "", "... on which GPUs applications are that fits see",
     .type = OUTPUT_COMPUTED},
    {"command", "predictors", "", "... an object a way to choose", .type = OUTPUT_COMPUTED},
    {"command", "metrics", "", "... an object a group of cases", .type = OUTPUT_COMPUTED},
    {"command", "predictor", "", "... its name", .type = OUTPUT_COMPUTED},
    {"command", "group", "", "... its name", .type = OUTPUT_COMPUTED},
    {"command", "numbering", "", "... of nodes or atoms", .type = OUTPUT_COMPUTED},
    {"command", "warps", "", "... of a CTA", .type = OUTPUT_COMPUTED},
    {"command", "l1d_bytes", "bytes", "... of the case", .type = OUTPUT_COMPUTED},
    {"command", "answer_warp_insts", "insts", "... what the answer simulated in detail",
     .type = OUTPUT_COMPUTED},
    {"command", "exact", "", "... whether, or how often, n is optimum_n", .type = OUTPUT_COMPUTED},
    {"command", "near", "", "... or next to it", .type = OUTPUT_COMPUTED},
    {"command", "ipc_once", "", "... IPC of one run, unperturbed", .type = OUTPUT_COMPUTED},
    {"command", "kept_once", "ratio", "... kept by the choice of a search by single runs",
     .type = OUTPUT_COMPUTED},
    {"command", "optimum_gain", "ratio", "... of the optimum over n_max", .type = OUTPUT_COMPUTED},
    {"command", "price", "ratio", "... of the answer over one simulation", .type = OUTPUT_COMPUTED},
    {"command", "prices", "", "... how many cases have one", .type = OUTPUT_COMPUTED},
    {"command", "reads_error", "ratio", "... of the predicted DRAM reads", .type = OUTPUT_COMPUTED},
    {"command", "search_price", "ratio", "... of the answer over the search",
     .type = OUTPUT_COMPUTED},
    {"command", "fits", "", "... fits to all but the held-out application",
     .type = OUTPUT_COMPUTED},
    {"command", "fits_refused", "", "... of these, without a result", .type = OUTPUT_COMPUTED},
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
