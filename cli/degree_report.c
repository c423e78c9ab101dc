#include "cli/degree_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"

const struct degree_key degree_keys[] = {
    {"occupancy", "threads_per_cta", "threads", ""},
    {"occupancy", "registers_per_thread", "registers", ""},
    {"occupancy", "shared_bytes_per_cta", "bytes", "static and dynamic"},
    {"occupancy", "core_ctas", "CTAs", "that a core has slots for"},
    {"occupancy", "core_threads", "threads", "of a core"},
    {"occupancy", "core_registers", "registers", "of a core"},
    {"occupancy", "core_shared_bytes", "bytes", "of a core"},
    {"occupancy", "fit_slots", "CTAs", "that would fit if nothing but CTA slots were scarce"},
    {"occupancy", "fit_threads", "CTAs", "... but threads"},
    {"occupancy", "fit_registers", "CTAs", "... but registers; null: a CTA takes none"},
    {"occupancy", "fit_shared", "CTAs", "... but shared memory; null: a CTA takes none"},
    {"occupancy", "limit", "", "which of these is the least, and sets n_max"},
    {.name = NULL}};

static void output_fit(struct output *out, const char *name, int fit)
{
    if (fit == INT32_MAX)
        output_real(out, name, NAN, NULL);
    else
        output_uint(out, name, (uint64_t)fit, NULL);
}

void occupancy_output(struct output *out, const struct sm_cfg *c, const struct cta_resources *k)
{
    int fit[OCC_LIMITS];
    if (out->format != FORMAT_JSON || k->threads < 1)
        return;
    occupancy_fits(c, k->threads, k->regs, (int)k->all_shared, fit);
    output_object(out, "occupancy");
    output_uint(out, "threads_per_cta", (uint64_t)k->threads, NULL);
    output_uint(out, "registers_per_thread", (uint64_t)k->regs, NULL);
    output_uint(out, "shared_bytes_per_cta", k->all_shared, NULL);
    output_uint(out, "core_ctas", (uint64_t)c->max_ctas, NULL);
    output_uint(out, "core_threads", (uint64_t)c->max_threads, NULL);
    output_uint(out, "core_registers", (uint64_t)c->registers, NULL);
    output_uint(out, "core_shared_bytes", (uint64_t)c->shared_bytes, NULL);
    output_fit(out, "fit_slots", fit[OCC_SLOTS]);
    output_fit(out, "fit_threads", fit[OCC_THREADS]);
    output_fit(out, "fit_registers", fit[OCC_REGISTERS]);
    output_fit(out, "fit_shared", fit[OCC_SHARED]);
    output_str(out, "limit", occ_limit_name(k->limit), NULL);
    output_up(out);
}

static void output_lines(struct output *out, const char *name, char **line, int lines)
{
    output_array(out, name);
    for (int i = 0; i < lines; i++) {
        output_str(out, NULL, line[i], NULL);
        free(line[i]);
    }
    output_up(out);
}

void paste_output(struct output *out, const struct sm_cfg *c, const struct cta_resources *k, int n,
                  const char *kernel)
{
    char *line[SET_DEGREE_LINES];
    if (out->format != FORMAT_JSON || k->threads < 1)
        return;
    char *name = demangle_short(kernel);
    char *carveout = set_degree_carveout(c, k, n, name);
    output_lines(out, "paste", line, set_degree_lines(c, k, n, name, line));
    output_str(out, "carveout", carveout, NULL);
    output_lines(out, "one_more", line, set_degree_lines(c, k, k->n_max + 1, name, line));
    free(carveout);
    free(name);
}

void degrees_output(struct output *out, const struct run_stats *const *at, int n_max)
{
    if (out->format != FORMAT_JSON)
        return;
    double *v = xcalloc((size_t)n_max + 1, sizeof *v);
    output_object(out, "degrees");
    for (const struct stat_row *r = run_counter_rows; r->name; r++) {
        output_array(out, r->name);
        for (int n = 1; n <= n_max; n++) {
            uint64_t count;
            memcpy(&count, (const char *)at[n - 1] + r->off, sizeof count);
            output_uint(out, NULL, count, NULL);
        }
        output_up(out);
    }
    for (const struct stat_row *r = run_rate_rows; r->name; r++) {
        for (int n = 1; n <= n_max; n++)
            v[n] = stats_rate(at[n - 1], (enum run_rate)r->off);
        output_reals(out, r->name, v, n_max);
    }
    output_up(out);
    free(v);
}
