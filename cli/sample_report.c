#include "cli/sample_report.h"

#include <inttypes.h>
#include <math.h>

#include "base/table.h"

double sample_cost_full_seconds(const struct sample_cost *c)
{
    return c->warp_insts ? c->host_seconds * c->full_warp_insts / (double)c->warp_insts : 0;
}

void sample_cost_output(struct output *out, const struct sample_cost *c)
{
    output_uint(out, "warp_insts", c->warp_insts, NULL);
    output_real(out, "host_seconds", c->host_seconds, NULL);
    output_uint(out, "functional_warp_insts", c->functional_warp_insts, NULL);
    output_real(out, "functional_seconds", c->functional_seconds, NULL);
    output_real(out, "full_warp_insts", c->full_warp_insts, NULL);
    output_uint(out, "replayed_warp_insts", c->replayed_warp_insts, NULL);
    output_real(out, "replay_seconds", c->replay_seconds, NULL);
    output_real(out, "full_seconds_estimated", sample_cost_full_seconds(c), NULL);
}

void sample_cost_print(FILE *out, const struct sample_cost *c)
{
    double share = c->full_warp_insts > 0 ? (double)c->warp_insts / c->full_warp_insts : 0;
    fprintf(out,
            "Cost: %" PRIu64 " warp instructions in detail, %.2f %% of the %.0f of one full "
            "simulation; %.3f s\nof an estimated %.3f s; %.3f s for executing %" PRIu64
            " without timing; %.3f s for\nreplaying %" PRIu64 " of traces.\n",
            c->warp_insts, 100 * share, c->full_warp_insts, c->host_seconds,
            sample_cost_full_seconds(c), c->functional_seconds, c->functional_warp_insts,
            c->replay_seconds, c->replayed_warp_insts);
}

void sample_output(struct output *out, const struct sample *s)
{
    for (const struct sample_row *r = sample_rows; r->name; r++)
        output_real(out, r->name, sample_value(s, r), NULL);
    for (const struct sample_array *a = sample_arrays; a->name; a++)
        output_reals(out, a->name, sample_values(s, a) - 1, a->length);
}

/* A value an element, those of 0 left out; a bucket by its ends: "8-9: 12". */
static void print_array(FILE *out, const struct sample *s, const struct sample_array *a)
{
    const double *v = sample_values(s, a);
    int n = sample_used(s, a);
    fprintf(out, "  %s: %s (%s)\n   ", a->name, a->help, a->unit);
    for (int i = 0; i < n; i++) {
        uint64_t low = a->index == INDEX_BUCKET ? bucket_low(i) : (uint64_t)i + 1;
        uint64_t high = a->index == INDEX_BUCKET ? bucket_low(i + 1) - 1 : low;
        if (v[i] == 0)
            continue;
        fprintf(out, " %" PRIu64, low);
        if (high > low)
            fprintf(out, "-%" PRIu64, high);
        fprintf(out, ": %.6g%s", v[i], i + 1 < n ? "," : "");
    }
    fprintf(out, "%s\n", n ? "" : " none");
}

void sample_print(FILE *out, const struct sample *s)
{
    struct table *t = table_new("lrll");
    fprintf(out, "Kernel %s, ", s->kernel);
    if (s->window_ctas > 1)
        fprintf(out, "mean of %.0f CTAs, each alone on one core:\n", s->window_ctas);
    else
        fprintf(out, "one CTA alone on one core:\n");
    for (const struct sample_row *r = sample_rows; r->name; r++) {
        table_cell(t, "  %s", r->name);
        table_cell(t, "%.6g", sample_value(s, r));
        table_cell(t, "%s", r->unit);
        table_cell(t, "%s", r->help);
    }
    table_print(t, out);
    table_free(t);
    for (const struct sample_array *a = sample_arrays; a->name; a++)
        print_array(out, s, a);
    if (s->window_ctas < 1)
        fprintf(out,
                "The window ended before its CTA did (--max-insts): what was counted until then is "
                "extrapolated,\ntimes %.2f.\n",
                s->extrapolation);
}

bool sample_interval(const struct model_kernels *k, const struct prediction *p, int n, double *low,
                     double *high)
{
    const double deviation = model_deviation(k, p, n);
    const double factor = exp(MODEL_DEVIATIONS_80 * deviation * model_doubt(p, n));
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

void sample_interval_output(struct output *out, const struct model_kernels *k,
                            const struct prediction *p)
{
    double low[MODEL_N_MAX + 1], high[MODEL_N_MAX + 1];
    if (!sample_intervals_known(k, p))
        return;
    for (int n = 1; n <= p->n_max; n++)
        sample_interval(k, p, n, &low[n], &high[n]);
    output_reals(out, "predicted_ipc_low", low, p->n_max);
    output_reals(out, "predicted_ipc_high", high, p->n_max);
}
