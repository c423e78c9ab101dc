#include <string.h>

#include "base/table.h"
#include "cli/commands.h"
#include "cli/forecast.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/sample_report.h"

static void output_prediction(struct output *out, const struct prediction *p)
{
    output_uint(out, "chosen_n", (uint64_t)p->chosen_n, NULL);
    output_reals(out, "predicted_ipc", p->ipc, p->n_max);
    output_reals(out, "predicted_dram_reads_per_cta", p->dram_reads_per_cta, p->n_max);
    output_reals(out, "predicted_miss_rate", p->miss_rate, p->n_max);
    output_reals(out, "predicted_mf_latency", p->mf_latency, p->n_max);
    output_reals(out, "predicted_cta_cycles", p->cta_cycles, p->n_max);
}

static struct sample_cost cost_of(const struct forecast *f)
{
    return (struct sample_cost){.warp_insts = f->set.warp_insts,
                                .functional_warp_insts = f->set.functional_warp_insts,
                                .host_seconds = f->set.host_seconds,
                                .functional_seconds = f->set.functional_seconds,
                                .full_warp_insts = f->total_warp_insts};
}

static void print_json(struct output *out, const struct options *o, const struct target *t,
                       const struct forecast *f)
{
    output_object(out, NULL);
    output_str(out, "target", target_name(t), NULL);
    output_str(out, "gpu", o->gpu, NULL);
    output_str(out, "model", f->model->name, NULL);
    output_prediction(out, &f->all);
    output_uint(out, "n_max", (uint64_t)f->all.n_max, NULL);
    const struct sample_cost c = cost_of(f);
    sample_cost_output(out, &c);
    output_array(out, "kernels");
    for (int i = 0; i < f->set.nkernels; i++) {
        output_object(out, NULL);
        output_str(out, "kernel", f->set.kernel[i].kernel, NULL);
        sample_output(out, &f->set.kernel[i]);
        output_prediction(out, &f->kernel[i]);
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
    output_array(out, NULL);
    for (int n = 1; n <= p->n_max; n++) {
        output_object(out, NULL);
        output_uint(out, "n", (uint64_t)n, NULL);
        output_real(out, "predicted_ipc", p->ipc[n], NULL);
        output_real(out, "predicted_dram_reads_per_cta", p->dram_reads_per_cta[n], NULL);
        output_real(out, "predicted_miss_rate", p->miss_rate[n], NULL);
        output_real(out, "predicted_mf_latency", p->mf_latency[n], NULL);
        output_real(out, "predicted_cta_cycles", p->cta_cycles[n], NULL);
        output_str(out, "bound", p->bound[n], NULL);
        output_uint(out, "chosen", n == p->chosen_n, NULL);
        sample_cost_output(out, &c);
        output_up(out);
    }
    output_up(out);
}

static void print_prediction(FILE *out, const struct forecast *f)
{
    const struct prediction *p = &f->all;
    struct table *t = table_new("rrrrrrl");
    static const char *const head[] = {
        "n",         "predicted_ipc", "cta_cycles", "dram_reads_per_cta",
        "miss_rate", "mf_latency",    "bound"};
    fprintf(out, "\nPrediction of model %s%s:\n", f->model->name,
            f->set.nkernels > 1 ? " (time over all kernels; the rest are means over CTAs)" : "");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (int n = 1; n <= p->n_max; n++) {
        table_cell(t, "%d", n);
        table_cell(t, "%.2f", p->ipc[n]);
        table_cell(t, "%.0f", p->cta_cycles[n]);
        table_cell(t, "%.1f", p->dram_reads_per_cta[n]);
        table_cell(t, "%.3f", p->miss_rate[n]);
        table_cell(t, "%.1f", p->mf_latency[n]);
        table_cell(t, "%s%s", p->bound[n], n == p->chosen_n ? "  <- chosen" : "");
    }
    table_print(t, out);
    table_free(t);
    fprintf(out, "\nChosen: n = %d.\n", p->chosen_n);
    const struct sample_cost c = cost_of(f);
    sample_cost_print(out, &c);
}

static bool sample_target(struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                          struct err *e)
{
    struct output out;
    struct forecast f = {0};
    bool ok = output_open(&out, o, e) && forecast_run(o, t, cfg, &f, e);
    if (ok && o->format == FORMAT_JSON)
        print_json(&out, o, t, &f);
    else if (ok && o->format == FORMAT_CSV)
        print_csv(&out, &f);
    else if (ok) {
        for (int i = 0; i < f.set.nkernels; i++)
            sample_print(out.text, &f.set.kernel[i]);
        print_prediction(out.text, &f);
    }
    forecast_release(&f);
    return output_close(&out, ok, e);
}

static bool run(struct options *o, struct err *e)
{
    if (o->program)
        return program_command(o, PROGRAM_SAMPLE, e);
    struct gpu_cfg cfg;
    struct target *t = options_gpu(o, &cfg, e) ? target_open(o->arg[0], &o->input, e) : NULL;
    bool ok = t && sample_target(o, &cfg, t, e);
    target_free(t);
    return ok;
}

const struct command command_sample = {
    .name = "sample",
    .args = "TARGET",
    .help = "Simulate one CTA of each kernel, predict IPC at every degree, choose one",
    .text = "The rest of TARGET is executed without timing. --csv prints a row a degree.",
    .options = OPTS_OUTPUT | OPTS_GPU | OPTS_PROGRAM | OPTS_INPUT | OPT(MODEL) | OPT(COEFFICIENTS) |
               OPT(CTA) | OPT(CTAS) | OPT(WARM_UP) | OPT(MAX_INSTS) | OPT(MAX_CYCLES),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
