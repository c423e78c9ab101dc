#include <stdlib.h>

#include "base/table.h"
#include "cli/commands.h"
#include "cli/explain.h"
#include "cli/forecast.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/refined.h"
#include "cli/sample_report.h"

/* What there is to print: a forecast, and with --explain what a CTA of each kernel takes. */
struct report {
    const struct options *o;
    const struct gpu_cfg *cfg;
    const struct target *target;
    struct forecast f;
    struct cta_resources *uses; /* owned, [f.set.nkernels]; NULL: not asked for */
};

static const struct prediction *prediction_of(const struct forecast *f, int k)
{
    return k < 0 ? &f->all : &f->kernel[k];
}

/* k: of which kernel; -1: of the application. So below. */
static void output_prediction(struct output *out, const struct forecast *f, int k)
{
    const struct prediction *p = prediction_of(f, k);
    const struct model_kernels kernels = forecast_kernels(f, k);
    output_uint(out, "chosen_n", (uint64_t)p->chosen_n, NULL);
    output_reals(out, "predicted_ipc", p->ipc, p->n_max);
    sample_interval_output(out, &kernels, p);
    output_reals(out, "predicted_dram_reads_per_cta", p->dram_reads_per_cta, p->n_max);
    output_reals(out, "predicted_miss_rate", p->miss_rate, p->n_max);
    output_reals(out, "predicted_mf_latency", p->mf_latency, p->n_max);
    output_reals(out, "predicted_cta_cycles", p->cta_cycles, p->n_max);
}

static struct explanation explanation_of(const struct report *r, int k)
{
    return (struct explanation){.title = k < 0 ? target_name(r->target) : r->f.set.kernel[k].kernel,
                                .part = k < 0 ? 0 : (int)r->f.set.kernel[k].part,
                                .model = r->f.model,
                                .coeff = r->f.coeff.value,
                                .kernels = forecast_kernels(&r->f, k),
                                .all = prediction_of(&r->f, k),
                                .uses = r->uses + (k < 0 ? 0 : k),
                                .sm = &r->cfg->sm};
}

static void output_explanation(struct output *out, const struct report *r, int k)
{
    if (!r->uses)
        return;
    const struct explanation x = explanation_of(r, k);
    explain_output(out, &x);
}

static struct sample_cost cost_of(const struct forecast *f)
{
    return (struct sample_cost){.warp_insts = f->set.warp_insts,
                                .functional_warp_insts = f->set.functional_warp_insts,
                                .host_seconds = f->set.host_seconds,
                                .functional_seconds = f->set.functional_seconds,
                                .replayed_warp_insts = f->set.replayed_warp_insts,
                                .replay_seconds = f->set.replay_seconds,
                                .full_warp_insts = f->total_warp_insts};
}

static void print_json(struct output *out, const struct report *r)
{
    const struct forecast *f = &r->f;
    output_object(out, NULL);
    output_str(out, "target", target_name(r->target), NULL);
    output_str(out, "gpu", r->o->gpu, NULL);
    output_str(out, "model", f->model->name, NULL);
    output_prediction(out, f, -1);
    output_uint(out, "n_max", (uint64_t)f->all.n_max, NULL);
    refined_output(out, f);
    const struct sample_cost c = cost_of(f);
    sample_cost_output(out, &c);
    output_explanation(out, r, -1);
    output_array(out, "kernels");
    for (int i = 0; i < f->set.nkernels; i++) {
        output_object(out, NULL);
        output_str(out, "kernel", f->set.kernel[i].kernel, NULL);
        sample_output(out, &f->set.kernel[i]);
        output_prediction(out, f, i);
        output_explanation(out, r, i);
        output_up(out);
    }
    output_up(out);
    output_up(out);
}

/* One row a degree, and what the sample cost in each. */
static void print_csv(struct output *out, const struct forecast *f)
{
    const struct sample_cost c = cost_of(f);
    const struct prediction *p = &f->all;
    const struct model_kernels k = forecast_kernels(f, -1);
    const bool intervals = sample_intervals_known(&k, p);
    double low, high;
    output_array(out, NULL);
    for (int n = 1; n <= p->n_max; n++) {
        output_object(out, NULL);
        output_uint(out, "n", (uint64_t)n, NULL);
        output_real(out, "predicted_ipc", p->ipc[n], NULL);
        if (intervals) {
            sample_interval(&k, p, n, &low, &high);
            output_real(out, "predicted_ipc_low", low, NULL);
            output_real(out, "predicted_ipc_high", high, NULL);
        }
        output_real(out, "predicted_dram_reads_per_cta", p->dram_reads_per_cta[n], NULL);
        output_real(out, "predicted_miss_rate", p->miss_rate[n], NULL);
        output_real(out, "predicted_mf_latency", p->mf_latency[n], NULL);
        output_real(out, "predicted_cta_cycles", p->cta_cycles[n], NULL);
        output_str(out, "bound", p->bound[n], NULL);
        output_uint(out, "chosen", n == p->chosen_n, NULL);
        output_uint(out, "simulated", p->simulated[n], NULL);
        output_uint(out, "tried", p->tried[n], NULL);
        sample_cost_output(out, &c);
        output_up(out);
    }
    output_up(out);
}

static void print_prediction(FILE *out, const struct options *o, const struct forecast *f)
{
    const struct prediction *p = &f->all;
    const struct model_kernels k = forecast_kernels(f, -1);
    struct table *t = table_new("rrrrrrrl");
    static const char *const head[] = {
        "n",         "predicted_ipc", "80 % lie in", "cta_cycles", "dram_reads_per_cta",
        "miss_rate", "mf_latency",    "bound"};
    fprintf(out, "\nPrediction of model %s%s:\n", f->model->name,
            f->set.nkernels > 1 ? " (time over all kernels; the rest are means over CTAs)" : "");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (int n = 1; n <= p->n_max; n++) {
        double low, high;
        table_cell(t, "%d", n);
        table_cell(t, "%.2f", p->ipc[n]);
        if (p->simulated[n])
            table_cell(t, "simulated");
        else if (sample_interval(&k, p, n, &low, &high))
            table_cell(t, "%.2f .. %.2f", low, high);
        else
            table_cell(t, "not known");
        table_cell(t, "%.0f", p->cta_cycles[n]);
        table_cell(t, "%.1f", p->dram_reads_per_cta[n]);
        table_cell(t, "%.3f", p->miss_rate[n]);
        table_cell(t, "%.1f", p->mf_latency[n]);
        table_cell(t, "%s%s", p->bound[n], n == p->chosen_n ? "  <- chosen" : "");
    }
    table_print(t, out);
    table_free(t);
    fprintf(out, "\nChosen: n = %d.\n", p->chosen_n);
    refined_print(out, f);
    if (o->refine && !f->simulations && !f->trials)
        fprintf(out, "Nothing was simulated to refine that: no other degree comes near it.\n");
    const struct sample_cost c = cost_of(f);
    sample_cost_print(out, &c);
}

static void print_text(FILE *out, const struct report *r)
{
    for (int i = 0; i < r->f.set.nkernels; i++)
        sample_print(out, &r->f.set.kernel[i]);
    print_prediction(out, r->o, &r->f);
    if (r->uses)
        explain_meanings(out, r->f.model);
    for (int i = r->f.set.nkernels > 1 ? -1 : 0; r->uses && i < r->f.set.nkernels; i++) {
        const struct explanation x = explanation_of(r, i);
        explain_print(out, &x);
    }
}

static bool find_out(struct options *o, struct report *r, struct err *e)
{
    if (!forecast_run(o, r->target, r->cfg, &r->f, e))
        return false;
    if (!o->explain)
        return true;
    r->uses = xcalloc((size_t)r->f.set.nkernels, sizeof *r->uses);
    return set_degree_look(r->target, r->cfg, r->f.set.kernel, r->f.set.nkernels, r->uses, e);
}

static bool sample_target(struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                          struct err *e)
{
    struct output out;
    struct report r = {.o = o, .cfg = cfg, .target = t};
    bool ok = output_open(&out, o, e) && find_out(o, &r, e);
    if (ok && o->format == FORMAT_JSON)
        print_json(&out, &r);
    else if (ok && o->format == FORMAT_CSV)
        print_csv(&out, &r.f);
    else if (ok)
        print_text(out.text, &r);
    free(r.uses);
    forecast_release(&r.f);
    return output_close(&out, ok, e);
}

static bool run(struct options *o, struct err *e)
{
    if (o->program)
        return program_command(o, PROGRAM_SAMPLE, e);
    struct gpu_cfg cfg;
    struct target *t = options_gpu(o, &cfg, e) ? target_open(o->arg[0], &o->input, e) : NULL;
    bool ok = t && target_has_values(t, "sample", e) && sample_target(o, &cfg, t, e);
    target_free(t);
    return ok;
}

const struct command command_sample = {
    .name = "sample",
    .args = "TARGET",
    .help = "Simulate one CTA of each kernel, predict IPC at every degree, choose one",
    .text = "The rest of TARGET is executed without timing. --csv prints a row a degree.",
    .options = OPTS_OUTPUT | OPTS_GPU | OPTS_PROGRAM | OPTS_INPUT | OPT(MODEL) | OPT(COEFFICIENTS) |
               OPT(CTA) | OPT(REFINE) | OPT(REFINE_INSTS) | OPT(CTAS) | OPT(EXPLAIN) |
               OPT(WARM_UP) | OPT(MAX_INSTS) | OPT(MAX_CYCLES) | OPT(JOBS),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
