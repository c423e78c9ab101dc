/* program_output.c -- what is known of a program's kernels, as JSON or CSV. */
#include <stdlib.h>

#include "cli/answer.h"
#include "cli/degree_report.h"
#include "cli/keys.h"
#include "cli/program.h"
#include "cli/runner.h"

/* Of the launches that were simulated. */
static void output_degrees(struct output *out, const struct program_kernel *k, int n_max)
{
    const struct run_stats **at = xcalloc((size_t)n_max + 1, sizeof *at);
    for (int n = 1; n <= n_max; n++)
        at[n - 1] = &k->at[n].stats;
    degrees_output(out, at, n_max);
    free(at);
}

/* ---- a kernel ---- */
#define OF(field)     OUTPUT_FIELD(struct verdict, field)
#define KERNEL(field) OUTPUT_VIA(struct verdict, k, field)
const struct output_row verdict_rows[] = {
    {.name = "kernel", OF(name)},
    {"program", "symbol", "", "the kernel's name, mangled; so each kernel:", KERNEL(k.name)},
    {"program", "device", "", "on which device, from 0: `--devices`; a kernel has a row for each",
     KERNEL(k.device)},
    {"program", "block_x", "threads", "of its CTAs", KERNEL(k.block[0])},
    {"program", "block_y", "threads", "", KERNEL(k.block[1])},
    {"program", "block_z", "threads", "", KERNEL(k.block[2])},
    {"program", "registers", "", "of a thread", KERNEL(k.regs)},
    {"program", "shared_bytes", "bytes", "of a CTA", KERNEL(k.shared)},
    {.name = "launches", KERNEL(launches)},
    {.name = "detailed", KERNEL(detailed)},
    {.name = "repeated", KERNEL(repeated)},
    {"program", "executed", "", "launches that nothing is known of but what they executed",
     KERNEL(executed)},
    {"program", "known", "", "launches that were not executed: their results were there",
     KERNEL(known)},
    {"program", "abandoned", "", "launches beside these that did not end within --max-cycles",
     KERNEL(abandoned)},
    {"program", "time_share", "ratio", "of the time on the device, of all kernels", OF(share)},
    {"program", "default_cycles", "cycles",
     "of all launches at default_n, simulated or predicted; device_cycles where that is not known",
     OF(cycles)},
    {"program", "device_cycles", "cycles",
     "of all launches, as events of the program see them: of those that were only executed an "
     "estimate",
     KERNEL(cycles)},
    {.name = "total_warp_insts", KERNEL(warp_insts)},
    {.name = "total_thread_insts", KERNEL(thread_insts)},
    {.name = "functional_seconds", KERNEL(seconds)},
    {.name = "n_max", KERNEL(k.n_max)},
    {"program", "limit", "", "what sets n_max", .via = 1 + offsetof(struct verdict, k),
     OUTPUT_AS(struct program_kernel, k.limit, degree_limit_text)},
    {.name = NULL}};

const struct output_row verdict_n_rows[] = {
    {"program", "default_n", "CTAs", "n_max: how many run at once if nothing is set", OF(deflt)},
    {.name = "chosen_n", OF(chosen), .from = 1},
    {.name = NULL}};
const struct output_row verdict_chosen_rows[] = {
    {"program", "gain", "ratio", "of chosen_n over default_n; 0.1: ten per cent", OF(gain)},
    {.name = "how", OF(set)},
    {.name = NULL}};
static const struct output_row verdict_least_rows[] =
    OUTPUT_ONE(.name = "least_n", KERNEL(least), .from = 2);
static const struct output_row verdict_measured_rows[] = {{.name = "optimum_n", OF(optimum)},
                                                          {.name = NULL}};
static const struct output_row verdict_kept_rows[] = OUTPUT_ONE(.name = "kept", OF(kept));

/* ---- runs of each degree ---- */
enum { RUNS_IPC, RUNS_MEAN, RUNS_DEVIATION };
static const struct output_row runs_rows[] = {[RUNS_IPC] = {.name = "ipc"},
                                              [RUNS_MEAN] = {.name = "mean_ipc"},
                                              [RUNS_DEVIATION] = {.name = "ipc_deviation"}};

struct perturbed_run {
    const struct perturbed_runs *of;
    int i;
    double by;
};

static void write_ipc(struct output *out, const char *name, const void *run)
{
    const struct perturbed_run *x = run;
    output_reals(out, name, x->of->ipc[x->i], x->of->n_max);
}

const struct output_row perturbed_run_rows[] = {{"command", "perturbation", "cycles",
                                                 "by which its partition.rop_latency is longer",
                                                 OUTPUT_FIELD(struct perturbed_run, by)},
                                                {.name = "ipc", .write = write_ipc},
                                                {.name = NULL}};

static void write_further(struct output *out, const char *name, const void *runs)
{
    const struct perturbed_runs *p = runs;
    output_array(out, name);
    for (int i = 1; i < p->runs; i++) {
        const struct perturbed_run x = {p, i, p->by[i]};
        output_object(out, NULL);
        output_rows(out, perturbed_run_rows, &x);
        output_up(out);
    }
    output_up(out);
}

const struct output_row perturbed_all_rows[] = {
    {"command", "perturbed", "", "... of a program: an object a further run of all degrees",
     .write = write_further},
    {.name = NULL}};

static void output_runs(struct output *out, const struct perturbed_runs *p)
{
    output_reals(out, runs_rows[RUNS_IPC].name, p->ipc[0], p->n_max);
    if (p->runs < 2)
        return;
    output_reals(out, runs_rows[RUNS_MEAN].name, p->mean, p->n_max);
    output_reals(out, runs_rows[RUNS_DEVIATION].name, p->deviation, p->n_max);
    if (out->format == FORMAT_JSON)
        output_rows(out, perturbed_all_rows, p);
}

static void output_choice(struct output *out, const struct program_result *r,
                          const struct verdict *v)
{
    const struct cta_resources uses = program_resources(&v->k->k);
    output_rows(out, verdict_n_rows, v);
    if (v->chosen) {
        output_rows(out, verdict_chosen_rows, v);
        paste_output(out, &r->cfg->sm, &uses, v->chosen, v->k->k.name);
    }
    output_rows(out, verdict_least_rows, v);
    if (v->measured) {
        const struct perturbed_runs p = program_runs(r, v);
        output_rows(out, verdict_measured_rows, v);
        output_runs(out, &p);
        output_degrees(out, v->k, v->deflt);
    }
    if (v->measured && r->mode == PROGRAM_COMPARE)
        output_rows(out, verdict_kept_rows, v);
    if (v->predicted) {
        const struct model_kernels k = {v->k->sample, v->part, v->k->samples};
        prediction_output(out, &v->p);
        sample_interval_output(out, &k, &v->p);
    }
}

/* The gain itself is among what every command says. */
const struct output_row verdict_gain_rows[] = {
    {"program", "gain_low", "ratio",
     "it lies above this and below the next with a probability of 80 %; null: not known",
     OUTPUT_FIELD(struct gain, low)},
    {"program", "gain_high", "ratio", "", OUTPUT_FIELD(struct gain, high)},
    {.name = NULL}};

static void output_forecast(struct output *out, const struct verdict *v)
{
    const struct gain g = answer_gain(&v->p);
    output_rows(out, verdict_gain_rows, &g);
    answer_output_undecided(out, &v->p);
}

/* Of the cluster with the most work. */
static void write_sample(struct output *out, const char *name, const void *verdict)
{
    const struct program_kernel *k = ((const struct verdict *)verdict)->k;
    int most = 0;
    for (int i = 1; i < k->samples; i++)
        if (k->sample[i].total_warp_insts > k->sample[most].total_warp_insts)
            most = i;
    output_object(out, name);
    sample_output(out, &k->sample[most]);
    output_up(out);
}

/* One a cluster of like launches, each with what is predicted of it. */
static void write_groups(struct output *out, const char *name, const void *verdict)
{
    const struct verdict *v = verdict;
    output_array(out, name);
    for (int i = 0; i < v->k->samples; i++) {
        output_object(out, NULL);
        sample_output(out, &v->k->sample[i]);
        if (v->predicted)
            output_reals(out, prediction_rows[PREDICTED_IPC].name, v->part[i].ipc,
                         v->part[i].n_max);
        output_up(out);
    }
    output_up(out);
}

const struct output_row verdict_sample_rows[] = {
    {"program", "sample", "", "an object: of the group with most warp instructions",
     .write = write_sample},
    {"program", "groups", "", "an object a group of like launches: its sample, its predictions",
     .write = write_groups},
    {.name = NULL}};

/* Of a plain run, which has one degree. */
static const struct output_row degree_n_rows[] = OUTPUT_ONE(.name = "n", .type = OUTPUT_INT);
static const struct output_row degree_time_rows[] =
    OUTPUT_ONE(.name = "host_seconds", OUTPUT_FIELD(struct program_degree, host_seconds));

static void output_degree(struct output *out, const struct program_kernel *k, int n)
{
    output_rows(out, degree_n_rows, &n);
    runner_output_stats(out, &k->at[n].stats);
    output_rows(out, degree_time_rows, &k->at[n]);
}

static void output_kernel(struct output *out, const struct program_result *r,
                          const struct verdict *v)
{
    const struct program_kernel *k = v->k;
    const struct cta_resources uses = program_resources(&k->k);
    int n = program_run_n(k);
    output_object(out, NULL);
    if (out->format == FORMAT_CSV)
        output_rows(out, block_rows, &r->block_size);
    output_rows(out, verdict_rows, v);
    occupancy_output(out, &r->cfg->sm, &uses);
    if (r->mode != PROGRAM_RUN)
        output_choice(out, r, v);
    if (r->mode == PROGRAM_SAMPLE && v->predicted)
        output_forecast(out, v);
    if (r->mode == PROGRAM_RUN && n)
        output_degree(out, k, n);
    if (k->samples > 0 && out->format == FORMAT_JSON)
        output_rows(out, verdict_sample_rows, v);
    struct explanation x;
    if (program_explanation(r, v, &x)) {
        explain_output(out, &x);
        free((void *)x.uses);
    }
    output_up(out);
}

/* ---- the program ---- */
static void write_seconds(struct output *out, const char *name, const void *result)
{
    output_real(out, name, program_device_seconds(result), NULL);
}

#undef OF
#define OF(field)    OUTPUT_FIELD(struct program_result, field)
#define FOUND(field) OUTPUT_VIA(struct program_result, found, field)
const struct output_row program_rows[] = {
    {.name = "target", OF(command)},
    {.name = "gpu", OUTPUT_VIA(struct program_result, o, gpu)},
    {.name = "model", OUTPUT_VIA(struct program_result, model, name)},
    {"program", "exit_code", "", "the program's own", OF(exit_code)},
    {"program", "launches", "", "all of the program; so of each kernel, as are the next two",
     FOUND(launches)},
    {"program", "detailed", "", "of these, sampled or simulated", FOUND(detailed)},
    {"program", "repeated", "", "... executed alone, since one like it was sampled or simulated",
     FOUND(repeated)},
    {"program", "faults", "", "launches that failed", FOUND(faults)},
    {"program", "device_seconds", "s", "of all launches on the GPU: default_cycles of all kernels",
     .write = write_seconds},
    {.name = NULL}};

static const struct output_row effort_rows[] =
    OUTPUT_ONE(.name = "effort", OUTPUT_AS(struct options, effort, answer_effort_text));
static const struct output_row kernels_rows[] = {{.name = "kernels"}};

static void output_program(struct output *out, const struct program_result *r)
{
    output_rows(out, block_rows, &r->block_size);
    output_rows(out, program_rows, r);
    program_notes_output(out, r);
    if (!program_samples(r))
        return;
    output_rows(out, effort_rows, r->o);
    price_output(out, &r->price);
    if (r->mode == PROGRAM_COMPARE)
        price_output_search(out, &r->price);
    sample_cost_output(out, &r->cost);
}

void program_output(struct output *out, const struct program_result *r)
{
    const struct outcome *f = r->found;
    bool csv = out->format == FORMAT_CSV; /* a row a kernel */
    if (!csv) {
        output_object(out, NULL);
        output_program(out, r);
    }
    if (!csv || !r->block_size) /* several sizes: the rows of all are one table */
        output_array(out, csv ? NULL : kernels_rows[0].name);
    for (int i = 0; i < f->kernels; i++)
        if (program_has_row(&f->kernel[i]))
            output_kernel(out, r, &r->v[i]);
    if (!csv || !r->block_size)
        output_up(out);
    if (r->o->hot)
        hot_spots_output(out, &r->hot);
    if (r->o->race)
        races_output(out, f->race, f->races);
    if (!csv)
        output_up(out);
}
