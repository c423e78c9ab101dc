#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "cli/commands.h"
#include "cli/program.h"
#include "cli/search.h"

static void row_of_runs(struct table *t, int by, const struct run_result *all, int n_max)
{
    table_cell(t, by ? "%+d" : "%d", by);
    for (int i = 0; i < n_max; i++)
        table_cell(t, "%.2f", stats_rate(&all[i].total, RATE_ipc));
}

/* A row a perturbation; then what there is over all of them. */
static void print_perturbed(FILE *out, const struct search *s)
{
    char *align = xcalloc((size_t)s->n_max + 2, 1);
    memset(align, 'r', (size_t)s->n_max + 1);
    struct table *t = table_new(align);
    free(align);
    table_cell(t, "perturbed by");
    for (int n = 1; n <= s->n_max; n++)
        table_cell(t, "n = %d", n);
    row_of_runs(t, 0, s->all, s->n_max);
    for (int i = 0; i < s->perturbations; i++)
        row_of_runs(t, s->perturbed[i].by, s->perturbed[i].all, s->n_max);
    table_cell(t, "mean");
    for (int n = 1; n <= s->n_max; n++)
        table_cell(t, "%.2f", search_ipc(s, n));
    table_cell(t, "deviation");
    for (int n = 1; n <= s->n_max; n++)
        table_cell(t, "%.1f %%", 100 * search_deviation(s, n) / search_ipc(s, n));
    table_cell(t, "kept");
    for (int n = 1; n <= s->n_max; n++)
        table_cell(t, "%.1f %%", 100 * search_ipc(s, n) / search_ipc(s, s->best + 1));
    fputs("\nIPC of each run; what those of one degree differ by is chance\n", out);
    table_print(t, out);
    table_free(t);
}

static void print_text(FILE *out, const char *target, const struct search *s)
{
    struct table *t = table_new("rrrrrrr");
    static const char *const head[] = {"n",         "cycles",     "ipc",       "cta_cycles",
                                       "miss_rate", "dram_reads", "mf_latency"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (int i = 0; i < s->n_max; i++) {
        const struct run_stats *st = &s->all[i].total;
        table_cell(t, "%d", s->all[i].n);
        table_cell(t, "%llu", (unsigned long long)st->cycles);
        table_cell(t, "%.2f", stats_rate(st, RATE_ipc));
        table_cell(t, "%.0f", stats_rate(st, RATE_cta_cycles));
        table_cell(t, "%.3f", stats_rate(st, RATE_miss_rate));
        table_cell(t, "%llu", (unsigned long long)st->dram_reads);
        table_cell(t, "%.1f", stats_rate(st, RATE_mf_latency));
    }
    table_print(t, out);
    table_free(t);
    if (s->perturbations)
        print_perturbed(out, s);
    char *title = xasprintf("\n%s of %s against n (CTAs at once on each core)",
                            s->perturbations ? "Mean IPC" : "IPC", target);
    search_chart(out, title, s, NULL, 0);
    free(title);
}

/* Yen, equation 2; there is none at n = 1. */
static double dr_inc_rate(const struct search *s, int i)
{
    if (i == 0)
        return NAN;
    double before = stats_rate(&s->all[i - 1].total, RATE_dram_reads_per_cta);
    return stats_rate(&s->all[i].total, RATE_dram_reads_per_cta) / before;
}

static void output_perturbed(struct output *out, const struct search *s, int n)
{
    double *ipc = xcalloc((size_t)s->perturbations + 1, sizeof *ipc);
    for (int i = 0; i < s->perturbations; i++)
        ipc[i + 1] = stats_rate(&s->perturbed[i].all[n - 1].total, RATE_ipc);
    output_reals(out, "perturbed_ipc", ipc, s->perturbations);
    output_real(out, "mean_ipc", search_ipc(s, n), NULL);
    output_real(out, "ipc_deviation", search_deviation(s, n), NULL);
    free(ipc);
}

static bool search_target(struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                          struct err *e)
{
    struct output out;
    struct search s = {0};
    bool ok = output_open(&out, o, e) && search_run(o, cfg, t, 0, 0, &s, e);
    if (ok && o->format == FORMAT_TEXT)
        print_text(out.text, target_name(t), &s);
    else if (ok) {
        struct run_plan plan = {.target = t, .cfg = cfg};
        output_array(&out, NULL);
        for (int i = 0; i < s.n_max; i++) {
            output_object(&out, NULL);
            runner_output(&out, o->gpu, &plan, &s.all[i]);
            output_real(&out, "dr_inc_rate", dr_inc_rate(&s, i), NULL);
            if (s.perturbations)
                output_perturbed(&out, &s, i + 1);
            output_up(&out);
        }
        output_up(&out);
    }
    search_release(&s);
    return output_close(&out, ok, e);
}

static bool run(struct options *o, struct err *e)
{
    if (o->program)
        return program_command(o, PROGRAM_SEARCH, e);
    struct gpu_cfg cfg;
    struct target *t = options_gpu(o, &cfg, e) ? target_open(o->arg[0], &o->input, e) : NULL;
    bool ok = t && search_target(o, &cfg, t, e);
    target_free(t);
    return ok;
}

const struct command command_search = {
    .id = COMMAND_search,
    .name = "search",
    .args = "TARGET",
    .help = "Simulate TARGET at every degree from 1 to the occupancy limit",
    .text =
        "Draws IPC against n; --json prints an array of what `run --json` prints, by n,\n"
        "and dr_inc_rate, the growth of dram_reads_per_cta from n - 1. --perturbed K tells how\n"
        "much is chance: partition.rop_latency is 1 cycle longer, 1 shorter, 2 longer, ... (or\n"
        "as many clocks of L2); mean_ipc is over the cycles of all runs, ipc_deviation a standard\n"
        "deviation, and JSON has every one's perturbed_ipc. The optimum is the best mean.",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
