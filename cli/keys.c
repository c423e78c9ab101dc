#include "cli/keys.h"

#include <stdlib.h>

#include "cli/answer.h"
#include "cli/degree_report.h"
#include "cli/sample_report.h"
#include "model/model.h"

typedef void each_fn(void *user, const struct key *k);

/* What commands write one by one, of the whole application. */
static const struct key answer[] = {
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
    {"program", "host_computed", "", "an object a function of cuBLAS: its calls, not simulated"},
    {"program", "rejected", "", "an object a kernel and reason: launches that never began"},
    {"program", "symbol", "", "the kernel's name, mangled; so each kernel:"},
    {"program", "block_x", "threads", "of its CTAs"},
    {"program", "block_y", "threads", ""},
    {"program", "block_z", "threads", ""},
    {"program", "registers", "", "of a thread"},
    {"program", "shared_bytes", "bytes", "of a CTA"},
    {"program", "executed", "", "launches that nothing is known of but what they executed"},
    {"program", "known", "", "launches that were not executed: their results were there"},
    {"program", "abandoned", "", "launches beside these that did not end within --max-cycles"},
    {"program", "time_share", "ratio", "of the time on the device, of all kernels"},
    {"program", "device_cycles", "cycles", "of all launches, as events of the program see them"},
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
    {"explain", "bound", "", "by n: what bounds it (model/README.md)"},
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
    {"other", "hot", "", "`run --hot`: an object a kernel, over all of its launches:"},
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
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        each(user, &other[i]);
}
