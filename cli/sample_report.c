#include "cli/sample_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"
#include "cli/keys.h"

#define COST(name_, unit_, help_)                                                  \
    {                                                                              \
        "price", #name_, (unit_), (help_), OUTPUT_FIELD(struct sample_cost, name_) \
    }
const struct output_row sample_cost_rows[] = {
    COST(warp_insts, "insts", "warp instructions simulated in detail"),
    COST(pilot_warp_insts, "insts", "... of these, by pilot simulations"),
    COST(run_warp_insts, "insts", "... by simulations of the whole program"),
    COST(functional_warp_insts, "insts", "... executed without timing"),
    COST(memory_warp_insts, "insts", "... of kernels that measure the GPU's memory, besides"),
    COST(full_warp_insts, "insts", "... of one full simulation, to compare with"),
    COST(functional_seconds, "s", "CPU time of executing without timing"),
    COST(window_seconds, "s", "... of windows"),
    COST(memory_seconds, "s", "... of measuring the GPU's memory"),
    COST(network_seconds, "s", "... of that, of the whole GPU's network, for pilots"),
    COST(pilot_seconds, "s", "... of pilot simulations"),
    COST(run_seconds, "s", "... of simulations of the whole program"),
    {.name = NULL}};

void sample_cost_output(struct output *out, const struct sample_cost *c)
{
    output_rows(out, sample_cost_rows, c);
}

static double each(double seconds, uint64_t insts)
{
    return insts ? seconds / (double)insts : 0;
}

double sample_cost_rate(const struct sample_cost *c, const struct sample_cost *all)
{
    const double own = each(c->window_seconds + c->pilot_seconds + c->run_seconds, c->warp_insts),
                 memory = each(all->memory_seconds, all->memory_warp_insts);
    const bool alone = c->pilot_seconds + c->run_seconds <= 0;
    return alone && memory > 0 ? fmin(own, memory) : own;
}

void sample_cost_price(const struct sample_cost *c, int n_max, struct price *out)
{
    *out =
        (struct price){.warp_insts = (double)c->warp_insts, .full_warp_insts = c->full_warp_insts};
    price_add(out, PRICE_EXECUTION, c->functional_seconds);
    price_add(out, PRICE_WINDOW, c->window_seconds);
    price_add(out, PRICE_MEMORY, c->memory_seconds);
    price_add(out, PRICE_PILOTS, c->pilot_seconds);
    price_add(out, PRICE_RUNS, c->run_seconds);
    price_estimate(out, sample_cost_rate(c, c), n_max);
    out->warp_insts += (double)c->memory_warp_insts;
}

#define PREDICTED(field, unit_, help_)                                                          \
    {                                                                                           \
        "answer", "predicted_" #field, (unit_), (help_), OUTPUT_ARRAY(struct prediction, field) \
    }
const struct output_row prediction_rows[] = {
    [PREDICTED_IPC] = PREDICTED(ipc, "", "array by n: thread instructions a cycle"),
    [PREDICTED_READS] = PREDICTED(dram_reads_per_cta, "requests", "by n: DRAM reads of a CTA"),
    PREDICTED(miss_rate, "ratio",
              "by n: part of the accesses that L1D does not serve; textures count; 1: no L1D"),
    PREDICTED(mf_latency, "cycles", "by n: mean latency of a read"),
    PREDICTED(cta_cycles, "cycles", "by n: of a CTA, from its start to its end"),
    {.name = NULL}};

const double *prediction_values(const struct prediction *p, const struct output_row *r)
{
    return (const double *)(const void *)((const char *)p + r->off);
}

void prediction_output(struct output *out, const struct prediction *p)
{
    output_rows_by_n(out, prediction_rows, p, p->n_max);
}

/* Of what was never taken there is no count. */
static double counted(const struct sample *s, const struct sample_row *r)
{
    const double v = sample_value(s, r);
    return sample_searched(s) && v == 0 && !r->record ? NAN : v;
}

/* NAN: it is not known. */
static void known_cell(struct table *t, const char *format, double v)
{
    char text[32];
    snprintf(text, sizeof text, format, v);
    table_cell(t, "%s", isnan(v) ? "-" : text);
}

void sample_output(struct output *out, const struct sample *s)
{
    for (const struct sample_row *r = sample_rows; r->name; r++)
        output_real(out, r->name, counted(s, r), NULL);
    for (const struct sample_array *a = sample_arrays; a->name; a++)
        output_reals(out, a->name, sample_values(s, a) - 1, SAMPLE_DEGREES);
}

/* A value an element, those of 0 left out. */
static void print_array(FILE *out, const struct sample *s, const struct sample_array *a)
{
    const double *v = sample_values(s, a);
    const int n = sample_used(s, a);
    size_t len;
    char *text = NULL;
    FILE *to = open_memstream(&text, &len);
    BUG_ON(!to, "open_memstream failed");
    fprintf(to, "%s: %s (%s):", a->name, a->help, a->unit);
    for (int i = 0; i < n; i++)
        if (v[i] != 0)
            fprintf(to, " %d: %.6g%s", i + 1, v[i], i + 1 < n ? "," : "");
    fprintf(to, "%s", n ? "" : " none");
    fclose(to);
    fputs("  ", out);
    wrap_print(out, text, 2, 4, WRAP_TABLE);
    free(text);
}

#define HELP_COLUMN 49 /* behind name, value and unit */

static bool skips(const struct sample *s)
{
    bool any = false;
    for (int n = 1; n <= sample_degrees(s); n++)
        any |= sample_skipped(s, n);
    return any;
}

void sample_print(FILE *out, const struct sample *s)
{
    fprintf(out, "\nKernel %s, ", s->kernel);
    const double ctas = s->warp_insts > 0 ? s->window_insts / s->warp_insts : 1;
    if (ctas > 1.5)
        fprintf(out, "mean of %.0f CTAs, each alone on one core:\n", ctas);
    else
        fprintf(out, "%s:\n",
                !sample_searched(s) ? "one CTA alone on one core"
                : !sample_whole(s)  ? "CTAs together, at some degrees"
                : skips(s)          ? "simulated whole at the degrees that may be best"
                                    : "simulated whole at every degree");
    for (const struct sample_row *r = sample_rows; r->name; r++) {
        if (isnan(counted(s, r)))
            continue;
        char *left = xasprintf("  %-22s  %11.6g  %s", r->name, sample_value(s, r), r->unit);
        wrap_beside(out, left, r->help, HELP_COLUMN, WRAP_TABLE);
        free(left);
    }
    for (const struct sample_array *a = sample_arrays; a->name; a++)
        print_array(out, s, a);
    if (ctas < 1 - 1e-9)
        fprintf(out,
                "The window ended before its CTA did (--max-insts): what was counted until then is "
                "extrapolated,\ntimes %.2f.\n",
                1 / ctas);
}

void sample_print_degrees(FILE *out, const struct model_kernels *k, const struct prediction *p)
{
    static const char *const head[] = {"n",          "IPC",       "80 % lie in", "CTA cycles",
                                       "DRAM reads", "miss rate", "latency",     "bound"};
    struct table *t = table_new("rrrrrrrl");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (int n = 1; n <= p->n_max; n++) {
        double low, high;
        table_cell(t, "%d", n);
        table_cell(t, "%.2f", p->ipc[n]);
        if (sample_interval(k, p, n, &low, &high))
            table_cell(t, "%.2f .. %.2f", low, high);
        else
            table_cell(t, "not known");
        known_cell(t, "%.0f", p->cta_cycles[n]);
        known_cell(t, "%.1f", p->dram_reads_per_cta[n]);
        known_cell(t, "%.3f", p->miss_rate[n]);
        known_cell(t, "%.1f", p->mf_latency[n]);
        table_cell(t, "%s%s", p->bound[n], n == p->chosen_n ? "  <- chosen" : "");
    }
    table_print(t, out);
    table_free(t);
}

double sample_deviation(const struct model_kernels *k, const struct prediction *p, int n)
{
    (void)k;
    return p->deviation[n];
}

bool sample_interval(const struct model_kernels *k, const struct prediction *p, int n, double *low,
                     double *high)
{
    const double deviation = sample_deviation(k, p, n);
    const double factor = exp(MODEL_DEVIATIONS_80 * deviation);
    *low = deviation > 0 ? p->ipc[n] / factor : NAN;
    *high = deviation > 0 ? p->ipc[n] * factor : NAN;
    return deviation > 0;
}

bool sample_intervals_known(const struct model_kernels *k, const struct prediction *p)
{
    double low, high;
    bool known = false;
    for (int n = 1; n <= p->n_max; n++)
        known |= sample_interval(k, p, n, &low, &high);
    return known;
}

const struct output_row interval_rows[] = {
    [INTERVAL_LOW] = {"answer", "predicted_ipc_low", "",
                      "array by n: IPC lies above this and below the next with a probability of "
                      "80 %; absent: not known",
                      .type = OUTPUT_BY_N},
    [INTERVAL_HIGH] = {"answer", "predicted_ipc_high", "", "", .type = OUTPUT_BY_N},
    {.name = NULL}};

void sample_interval_output(struct output *out, const struct model_kernels *k,
                            const struct prediction *p)
{
    double low[MODEL_N_MAX + 1], high[MODEL_N_MAX + 1];
    if (!sample_intervals_known(k, p))
        return;
    for (int n = 1; n <= p->n_max; n++)
        sample_interval(k, p, n, &low[n], &high[n]);
    output_reals(out, interval_rows[INTERVAL_LOW].name, low, p->n_max);
    output_reals(out, interval_rows[INTERVAL_HIGH].name, high, p->n_max);
}
