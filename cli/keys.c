#include "cli/keys.h"

#include <stdlib.h>

#include "base/stats.h"
#include "cli/answer.h"
#include "cli/degree_report.h"
#include "cli/sample_report.h"
#include "fitter/eval/metrics.h"
#include "model/model.h"

typedef void each_fn(void *user, const struct key *k);

/* What commands write one by one, of the whole application. */
static const struct key answer[] = {
    {"answer", "schema_version", "",
     "of every object that is not inside another: which keys there are, data/schema.json"},
    {"answer", "target", "", "what was sampled"},
    {"answer", "gpu", "", "on which GPU"},
    {"answer", "model", "", "by which model"},
    {"answer", "effort", "", "at which effort"},
    {"answer", "chosen_n", "CTAs", "the degree; so of each kernel, as are the predictions"},
    {"answer", "predicted_gain", "ratio", "of it over n_max, the default; 0.1: ten per cent"},
    {"answer", "predicted_gain_low", "ratio",
     "it lies above this and below the next with a probability of 80 %; null: not known"},
    {"answer", "predicted_gain_high", "ratio", ""},
    {"answer", "undecided", "CTAs", "array of those n that may be better than chosen_n still"},
    {"answer", "predicted_ipc_low", "",
     "array by n: IPC lies above this and below the next with a probability of 80 %; absent: not "
     "known"},
    {"answer", "predicted_ipc_high", "", ""},
    {"answer", "n_max", "CTAs", "the largest n that fits"},
    {"answer", "explain", "", "with --explain: an object, of the application and of each kernel"},
    {"answer", "kernels", "", "an object a kernel: its predictions, and its sample"},
    {"answer", "kernel", "", "its name"},
};
/* Of a program: cli/program_output.c. */
static const struct key program[] = {
    {"program", "exit_code", "", "the program's own"},
    {"program", "launches", "", "all of the program; so of each kernel, as are the next two"},
    {"program", "detailed", "", "of these, sampled or simulated"},
    {"program", "repeated", "", "... executed alone, since one like it was sampled or simulated"},
    {"program", "faults", "", "launches that failed"},
    {"program", "device_seconds", "s", "of all launches on the GPU: default_cycles of all kernels"},
    {"program", "host_computed", "",
     "an object a function of cuBLAS, cuRAND: its calls, not simulated"},
    {"program", "rejected", "", "an object a kernel and reason: launches that never began"},
    {"program", "symbol", "", "the kernel's name, mangled; so each kernel:"},
    {"program", "device", "", "on which device, from 0: `--devices`; a kernel has a row for each"},
    {"program", "block_x", "threads", "of its CTAs"},
    {"program", "block_y", "threads", ""},
    {"program", "block_z", "threads", ""},
    {"program", "registers", "", "of a thread"},
    {"program", "shared_bytes", "bytes", "of a CTA"},
    {"program", "executed", "", "launches that nothing is known of but what they executed"},
    {"program", "known", "", "launches that were not executed: their results were there"},
    {"program", "abandoned", "", "launches beside these that did not end within --max-cycles"},
    {"program", "time_share", "ratio", "of the time on the device, of all kernels"},
    {"program", "default_cycles", "cycles",
     "of all launches at default_n, simulated or predicted; device_cycles where that is not known"},
    {"program", "device_cycles", "cycles",
     "of all launches, as events of the program see them: of those that were only executed an "
     "estimate"},
    {"program", "limit", "", "what sets n_max"},
    {"program", "default_n", "CTAs", "n_max: how many run at once if nothing is set"},
    {"program", "gain", "ratio", "of chosen_n over default_n; 0.1: ten per cent"},
    {"program", "gain_low", "ratio",
     "it lies above this and below the next with a probability of 80 %; null: not known"},
    {"program", "gain_high", "ratio", ""},
    {"program", "occupancy", "", "as in `explain`; so is `paste`"},
    {"program", "paste", "", ""},
    {"program", "sample", "", "an object: of the group with most warp instructions"},
    {"program", "groups", "", "an object a group of like launches: its sample, its predictions"},
};
static const struct key explain[] = {
    {"explain", "bound", "", "by n: what bounds it (docs/words.md)"},
    {"explain", "dynamic_shared_bytes", "bytes",
     "by n: of a CTA, with which exactly n fit on a core; null: no number does it"},
    {"explain", "how", "", "how to get chosen_n on a GPU"},
    {"explain", "occupancy", "", "an object: how many CTAs fit on a core, and why; not by n"},
    {"explain", "paste", "",
     "array of lines of CUDA with which chosen_n CTAs run at once; empty: as it is; not by n"},
    {"explain", "carveout", "",
     "a line to go before them where shared memory and L1 are one store; null: none; not by n"},
    {"explain", "one_more", "",
     "array of lines for n_max + 1 CTAs, where registers set n_max; else empty; not by n"},
};

/* Of other commands than `sample`. */
static const struct key other[] = {
    {"other", "degrees", "",
     "`compare`, and `search` of a program: an object of arrays by n, of every statistic of `run`"},
    {"other", "bound", "", "`compare`: as in `explain`"},
    {"other", "kernels", "",
     "`compare`: an object a kernel, its n_max, limit, occupancy, paste, carveout"},
    {"other", "intervals", "",
     "`run --interval`: an object of arrays, an element an interval; beside statistics of `run`:"},
    {"other", "every", "cycles", "of an interval"},
    {"other", "launch", "", "in which launch the interval is, from 0"},
    {"other", "cycle", "cycles", "of its end, since the launch began"},
    {"other", "resident_ctas", "CTAs", "on all cores at its end"},
    {"other", "races", "", "`run --race`: an object a pair of lines that race in shared memory:"},
    {"other", "count", "", "accesses of threads that found it"},
    {"other", "address", "", "the first one's, in the CTA's shared memory"},
    {"other", "cta_x", "", "its CTA"},
    {"other", "cta_y", "", "likewise"},
    {"other", "cta_z", "", "likewise"},
    {"other", "sides", "",
     "an object each of both lines, with the thread of the first such access:"},
    {"other", "access", "", "reads, writes, or is atomic"},
    {"other", "thread", "", "tid.x, were the block flat"},
    {"other", "hot", "",
     "`run --hot`: an object a kernel, over its `launches` that were simulated:"},
    {"other", "module", "", "where its PTX comes from"},
    {"other", "sched_cycles", "cycles", "of all schedulers"},
    {"other", "lines", "", "an object an instruction that issued or was waited with:"},
    {"other", "line", "", "of the PTX"},
    {"other", "source", "", "FILE:LINE by .loc; empty: there is no line information"},
    {"other", "instruction", "", "the line's text"},
    {"other", "issued", "", "warp instructions"},
    {"other", "thread_insts", "", "active lanes, summed over these"},
    {"other", "cycles", "cycles", "of schedulers: those that issued it, and those in `stalled`"},
    {"other", "stalled", "",
     "an object of cycles in which a scheduler issued nothing and the oldest warp that waited for "
     "this reason waited with this instruction; named as `sched_...` of `run`"},
    {"other", "accesses", "", "of these, memory instructions with an active lane"},
    {"other", "transactions", "", "... that these made: of caches or DRAM, not of shared memory"},
    {"other", "l1d_accesses", "", "as of `run`; so are the next two"},
    {"other", "l1d_misses", "", ""},
    {"other", "conflict_cycles", "cycles", "shared_conflict_cycles of `run`"},
};

/* Of single commands, one by one. */
static const struct key command[] = {
    {"command", "n", "CTAs", "`run`, `search`: at once on a core"},
    {"command", "block_size", "threads", "`search --block-sizes`: of a CTA"},
    {"command", "host_seconds", "s", "CPU time of the simulation alone"},
    {"command", "seed", "", "of a workload's input"},
    {"command", "order", "", "of its nodes or atoms"},
    {"command", "core", "", "`run --per-core`: its number, in `cores`"},
    {"command", "cores", "", "... an object a core, of statistics"},
    {"command", "stopped", "", "`run`: why it ended early; what was measured until then follows"},
    {"command", "dr_inc_rate", "ratio",
     "`search`: DRAM reads of a CTA over those at n - 1; null at 1"},
    {"command", "perturbed_ipc", "", "`search --perturbed`: array of the IPC of each further run"},
    {"command", "mean_ipc", "", "... of all runs"},
    {"command", "ipc_deviation", "", "... the standard deviation"},
    {"command", "optimum_n", "CTAs", "`compare`, `search` of a program: the best n"},
    {"command", "least_n", "CTAs",
     "of kernels that do not run with fewer at once, whose CTAs wait for others: what is said of "
     "fewer is that of so many"},
    {"command", "kept", "ratio", "`compare`: IPC at chosen_n over that at optimum_n"},
    {"command", "ipc_chosen", "", "`compare`: simulated, at chosen_n"},
    {"command", "ipc_default", "", "... at n_max"},
    {"command", "ipc_optimum", "", "... at optimum_n"},
    {"command", "ipc_error", "ratio", "... mean error of the predicted IPC over every n"},
    {"command", "sample_warp_insts", "insts", "`compare`: what the answer simulated in detail"},
    {"command", "search_warp_insts", "insts", "... what the search did"},
    {"command", "sample_to_full", "ratio", "... of one simulation"},
    {"command", "sample_to_search", "ratio", "... of the search"},
    {"command", "search_seconds", "s", "`compare`: CPU time of the search"},
    {"command", "execution_seconds", "s", "of the answer: executing without timing"},
    {"command", "pilots_seconds", "s", "... pilot simulations"},
    {"command", "window_seconds", "s", "... one CTA's window"},
    {"command", "memory_seconds", "s", "... measuring the GPU's memory"},
    {"command", "runs_seconds", "s", "... simulating the whole program"},
    {"command", "other_seconds", "s", "... the rest"},
    {"command", "baseline", "", "`compare --warp-schedulers`: what IPC is divided by"},
    {"command", "runs", "", "... an object a target and combination"},
    {"command", "means", "", "... an object a combination"},
    {"command", "combination", "", "... of a warp and a CTA scheduler"},
    {"command", "warp_scheduler", "", "... its one part"},
    {"command", "cta_scheduler", "", "... its other"},
    {"command", "normalised", "ratio", "... IPC over the baseline's, for as many instructions"},
    {"command", "geometric_mean", "ratio", "... over the targets"},
    {"command", "arithmetic_mean", "ratio", ""},
    {"command", "functions", "", "`disasm`: of a kernel, itself included"},
    {"command", "blocks", "", "... basic blocks"},
    {"command", "instructions", "", "... of its code"},
    {"command", "local_bytes", "bytes", "... local memory of a thread"},
    {"command", "param_bytes", "bytes", "... of its parameters"},
    {"command", "text", "", "... the code, as text"},
    {"command", "instruction", "", "`disasm --phases`, `--points`: an object an instruction"},
    {"command", "phases", "", "... how many there are"},
    {"command", "phase", "", "... its number"},
    {"command", "distance", "insts", "... to the phase's end"},
    {"command", "program_points", "", "... how many there are"},
    {"command", "program_points_merged", "", "... when like ones are one"},
    {"command", "point", "", "... whether one begins here"},
    {"command", "score", "", "... of it"},
    {"command", "priority", "", "... that it gives"},
    {"command", "topic", "", "`list`: what the entry is of"},
    {"command", "name", "", "`list`, `figure --list`: its name"},
    {"command", "value", "", "... a parameter's value; sizes; a kind; a unit"},
    {"command", "help", "", "... what it is"},
    {"command", "of", "", "`list keys`: of which object"},
    {"command", "type", "", "`list parameters`: integer, number, boolean, text"},
    {"command", "unit", "", "... of the value"},
    {"command", "lowest", "", "... of a number"},
    {"command", "highest", "", "..."},
    {"command", "choices", "", "... of a name, with commas between them"},
    {"command", "default", "", "... if a GPU says nothing"},
    {"command", "suite", "", "`list workloads`: the papers that ran it"},
    {"command", "class", "", "... what they call it"},
    {"command", "options", "", "... that it takes"},
    {"command", "sizes", "", "... an object a size"},
    {"command", "size", "", "... its name"},
    {"command", "threads", "threads", "... of a CTA"},
    {"command", "table", "", "`figure --list`: whether its table is there"},
    {"command", "comparisons", "", "... that it takes"},
    {"command", "minutes", "min", "... that they take, measured; 0: not measured"},
    {"command", "minutes_estimated", "min", "... by their instructions; 0: no table is there"},
    {"command", "title", "", "... what it shows"},
    {"command", "needs", "", "... GPU and targets of its first comparison"},
    {"command", "calls", "", "in `host_computed`: how often"},
    {"command", "function", "", "... which"},
    {"command", "reason", "", "in `rejected`: why"},
    {"command", "missing", "", "of a program: what was asked for and did not happen"},
    {"command", "answer_parts", "", "an object: the price's parts"},
    {"command", "recalculation_bit", "",
     "`disasm --points`: whether the instruction has one (elf)"},
    {"command", "cases", "", "`compare --all`: an object an application and L1D size"},
    {"command", "choices", "", "... an object a way to choose n"},
    {"command", "fit_gpus", "", "... on which GPUs applications are that fits see"},
    {"command", "predictors", "", "... an object a way to choose"},
    {"command", "metrics", "", "... an object a group of cases"},
    {"command", "predictor", "", "... its name"},
    {"command", "group", "", "... its name"},
    {"command", "numbering", "", "... of nodes or atoms"},
    {"command", "warps", "", "... of a CTA"},
    {"command", "l1d_bytes", "bytes", "... of the case"},
    {"command", "answer_warp_insts", "insts", "... what the answer simulated in detail"},
    {"command", "exact", "", "... whether, or how often, n is optimum_n"},
    {"command", "near", "", "... or next to it"},
    {"command", "ipc_once", "", "... IPC of one run, unperturbed"},
    {"command", "kept_once", "ratio", "... kept by the choice of a search by single runs"},
    {"command", "optimum_gain", "ratio", "... of the optimum over n_max"},
    {"command", "price", "ratio", "... of the answer over one simulation"},
    {"command", "prices", "", "... how many cases have one"},
    {"command", "reads_error", "ratio", "... of the predicted DRAM reads"},
    {"command", "search_price", "ratio", "... of the answer over the search"},
    {"command", "fits", "", "... fits to all but the held-out application"},
    {"command", "fits_refused", "", "... of these, without a result"},
    {"command", "elf_recalculations", "", "elf: priorities recalculated"},
    {"command", "elf_recalculations_saved", "ratio", "elf: instructions without one"},
    {"command", "inst_prefetches", "", "lines of code that were fetched ahead"},
    {"command", "reexecution_queued", "", "transactions that entered the re-execution queue"},
    {"command", "reexecution_tries", "", "times that one of them was tried again"},
};

static void walk_statistics(each_fn *each, void *user)
{
    for (const struct stat_row *r = run_counter_rows; r->name; r++)
        each(user, &(struct key){"statistic", r->name, "", r->help});
    for (const struct stat_row *r = run_rate_rows; r->name; r++)
        each(user, &(struct key){"statistic", r->name, "", r->help});
}

static void walk_sample(each_fn *each, void *user)
{
    for (const struct sample_row *r = sample_rows; r->name; r++)
        each(user, &(struct key){r->record ? "record" : "sample", r->name, r->unit, r->help});
    for (const struct sample_array *a = sample_arrays; a->name; a++) {
        char *help = xasprintf("by n: %s", a->help);
        each(user, &(struct key){a->record ? "record" : "sample", a->name, a->unit, help});
        free(help);
    }
}

static void walk_models(each_fn *each, void *user)
{
    const struct model_ops *m;
    for (int i = 0; (m = model_at(i)); i++)
        for (const struct model_column *c = m->columns; c && c->name; c++)
            each(user, &(struct key){m->name, c->name, c->unit, c->help});
}

void keys_walk(each_fn *each, void *user)
{
    for (size_t i = 0; i < sizeof answer / sizeof *answer; i++)
        each(user, &answer[i]);
    for (const struct prediction_row *r = prediction_rows; r->name; r++)
        each(user, &(struct key){"answer", r->name, r->unit, r->help});
    for (const struct price_key *k = price_keys; k->name; k++)
        if (k != &price_keys[PRICE_KEY_SEARCH]) /* sample does not know it */
            each(user, &(struct key){"price", k->name, k->unit, k->help});
    for (const struct sample_cost_row *r = sample_cost_rows; r->name; r++)
        each(user, &(struct key){"price", r->name, r->unit, r->help});
    walk_sample(each, user);
    for (size_t i = 0; i < sizeof explain / sizeof *explain; i++)
        each(user, &explain[i]);
    for (const struct degree_key *k = degree_keys; k->name; k++)
        each(user, &(struct key){k->of, k->name, k->unit, k->help});
    walk_models(each, user);
    for (size_t i = 0; i < sizeof program / sizeof *program; i++)
        each(user, &program[i]);
    walk_statistics(each, user);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        each(user, &other[i]);
    for (size_t i = 0; i < sizeof command / sizeof *command; i++)
        each(user, &command[i]);
    for (const struct metric_row *r = metric_rows; r->name; r++)
        each(user, &(struct key){"command", r->name, "", r->help});
}
