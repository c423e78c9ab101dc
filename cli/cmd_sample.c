#include <stdlib.h>

#include "base/wrap.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/forecast.h"
#include "cli/kernel_notes.h"
#include "cli/keys.h"
#include "cli/page.h"
#include "cli/program.h"
#include "cli/sample_report.h"

/* What there is to print: a forecast, and what a CTA of each kernel takes. */
struct report {
    const struct options *o;
    const struct gpu_cfg *cfg;
    const struct target *target;
    struct forecast f;
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
    answer_output(out, p);
    sample_interval_output(out, &kernels, p);
    prediction_output(out, p);
}

static struct explanation explanation_of(const struct report *r, int k)
{
    return (struct explanation){.title = k < 0 ? target_name(r->target) : r->f.set.kernel[k].kernel,
                                .part = k < 0 ? 0 : (int)r->f.set.kernel[k].part,
                                .model = r->f.model,
                                .coeff = r->f.coeff.value,
                                .kernels = forecast_kernels(&r->f, k),
                                .all = prediction_of(&r->f, k),
                                .uses = r->f.set.uses + (k < 0 ? 0 : k),
                                .sm = &r->cfg->sm};
}

static void output_explanation(struct output *out, const struct report *r, int k)
{
    if (!r->o->explain && !r->o->html)
        return;
    const struct explanation x = explanation_of(r, k);
    explain_output(out, &x);
}

enum { N_MAX, KERNELS, KERNEL };

static void write_kernels(struct output *out, const char *name, const void *report)
{
    const struct report *r = report;
    const struct forecast *f = &r->f;
    output_array(out, name);
    for (int i = 0; i < f->set.nkernels; i++) {
        output_object(out, NULL);
        output_row(out, &forecast_rows[KERNEL], &f->set.kernel[i]);
        sample_output(out, &f->set.kernel[i]);
        output_prediction(out, f, i);
        output_explanation(out, r, i);
        output_up(out);
    }
    output_up(out);
}

const struct output_row forecast_rows[] = {
    [N_MAX] = {"answer", "n_max", "CTAs", "the largest n that fits",
               OUTPUT_FIELD(struct report, f.all.n_max)},
    [KERNELS] = {"answer", "kernels", "", "an object a kernel: its predictions, and its sample",
                 .write = write_kernels},
    [KERNEL] = {"answer", "kernel", "", "its name", OUTPUT_FIELD(struct sample, kernel)},
    {.name = NULL}};

static void print_json(struct output *out, const struct report *r)
{
    const struct forecast *f = &r->f;
    const struct query of = {target_name(r->target), r->o->gpu, f->model->name, r->o->effort};
    output_object(out, NULL);
    output_rows(out, query_rows, &of);
    output_prediction(out, f, -1);
    output_row(out, &forecast_rows[N_MAX], r);
    price_output(out, &f->price);
    sample_cost_output(out, &f->set.cost);
    output_explanation(out, r, -1);
    output_row(out, &forecast_rows[KERNELS], r);
    output_up(out);
}

struct degree_row { /* a row of CSV */
    int n, chosen;
    const char *bound;
};
enum { CSV_N, CSV_BOUND, CSV_CHOSEN };
static const struct output_row csv_rows[] = {
    [CSV_N] = {.name = "n", OUTPUT_FIELD(struct degree_row, n)},
    [CSV_BOUND] = {.name = "bound", OUTPUT_FIELD(struct degree_row, bound)},
    [CSV_CHOSEN] = {.name = "chosen", OUTPUT_FIELD(struct degree_row, chosen)}};

static void print_degree(struct output *out, const struct forecast *f, int n)
{
    const struct prediction *p = &f->all;
    const struct model_kernels k = forecast_kernels(f, -1);
    const struct degree_row d = {.n = n, .chosen = n == p->chosen_n, .bound = p->bound[n]};
    const struct output_row *r = prediction_rows;
    double low, high;
    output_object(out, NULL);
    output_row(out, &csv_rows[CSV_N], &d);
    output_real(out, r->name, prediction_values(p, r)[n], NULL);
    if (sample_intervals_known(&k, p)) {
        sample_interval(&k, p, n, &low, &high);
        output_real(out, interval_rows[INTERVAL_LOW].name, low, NULL);
        output_real(out, interval_rows[INTERVAL_HIGH].name, high, NULL);
    }
    while ((++r)->name)
        output_real(out, r->name, prediction_values(p, r)[n], NULL);
    output_row(out, &csv_rows[CSV_BOUND], &d);
    output_row(out, &csv_rows[CSV_CHOSEN], &d);
    price_output(out, &f->price);
    sample_cost_output(out, &f->set.cost);
    output_up(out);
}

/* One row a degree, and what the sample cost in each. */
static void print_csv(struct output *out, const struct forecast *f)
{
    output_array(out, NULL);
    for (int n = 1; n <= f->all.n_max; n++)
        print_degree(out, f, n);
    output_up(out);
}

static void print_text(FILE *out, const struct report *r)
{
    const struct explanation all = explanation_of(r, -1);
    answer_print(out, &(struct answer){.of = &all,
                                       .price = &r->f.price,
                                       .gpu = r->o->gpu,
                                       .effort = r->o->effort,
                                       .every_kernel = r->o->explain});
    if (r->o->explain)
        explain_meanings(out, r->f.model);
    for (int i = r->f.set.nkernels > 1 ? -1 : 0; r->o->explain && i < r->f.set.nkernels; i++) {
        const struct explanation x = explanation_of(r, i);
        explain_print(out, &x);
    }
    for (int i = 0; r->o->counters && i < r->f.set.nkernels; i++)
        sample_print(out, &r->f.set.kernel[i]);
    if (!r->o->explain && !r->o->counters) {
        fputc('\n', out);
        wrap_print(out, "--explain: every degree, and why; --counters: what was counted.", 0, 4,
                   WRAP_SCREEN);
    }
}

static bool sample_target(struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                          struct err *e)
{
    struct output out;
    struct page page = {0};
    struct report r = {.o = o, .cfg = cfg, .target = t};
    bool ok = output_open(&out, o, e) && page_open(&page, o, e) && forecast_run(o, t, cfg, &r.f, e);
    if (ok)
        price_end(&r.f.price, 0);
    if (ok && o->format == FORMAT_JSON)
        print_json(&out, &r);
    else if (ok && o->format == FORMAT_CSV)
        print_csv(&out, &r.f);
    else if (ok)
        print_text(out.text, &r);
    if (ok && page_output(&page))
        print_json(page_output(&page), &r);
    forecast_release(&r.f);
    if (ok) {
        struct kernel_notes notes = {0};
        kernel_notes_add_all(&notes, t, &cfg->sm);
        kernel_notes_print(&notes);
    }
    ok = page_close(&page, ok, e);
    return output_close(&out, ok, e);
}

static bool run(struct options *o, struct err *e)
{
    if (!page_check(o, e))
        return false;
    if (o->program)
        return program_command(o, PROGRAM_SAMPLE, e);
    struct gpu_cfg cfg;
    struct target *t = options_gpu(o, &cfg, e) ? target_open(o->arg[0], &o->input, e) : NULL;
    bool ok = t && sample_target(o, &cfg, t, e);
    target_free(t);
    return ok;
}

const struct command command_sample = {
    .id = COMMAND_sample,
    .name = "sample",
    .args = "TARGET",
    .help = "Simulate one CTA of each kernel, predict IPC at every degree, choose one",
    .text =
        "Says which n is best, what it gains, how to set it, what bounds the kernel, and what the\n"
        "answer cost. The rest of TARGET is executed without timing; --effort and --budget say\n"
        "what may be simulated besides. Of a kernel whose CTAs wait for each other all of\n"
        "them, or the first ones, are simulated at some degrees. With --effort window one is,\n"
        "and how long it waits is not known. A launch that takes no longer at every degree\n"
        "than its sample is simulated, unless --effort window or --budget is given. --csv\n"
        "prints a row a degree.",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
