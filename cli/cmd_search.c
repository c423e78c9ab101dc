#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"
#include "cli/block_sizes.h"
#include "cli/commands.h"
#include "cli/keys.h"
#include "cli/page.h"
#include "cli/perturbed_report.h"
#include "cli/program.h"
#include "cli/search.h"
#include "cli/shard.h"

struct result { /* on its way out */
    struct output out;
    struct page page;
    struct block_choices blocks;
};

static struct perturbed_runs runs_of(const struct search *s)
{
    struct perturbed_runs p = {.n_max = s->n_max, .runs = s->perturbations + 1};
    for (int i = 0; i < p.runs; i++) {
        p.by[i] = i ? s->perturbed[i - 1].by : 0;
        for (int n = 1; n <= p.n_max; n++)
            p.ipc[i][n] = search_run_ipc(s, i, n);
    }
    for (int n = 1; n <= p.n_max; n++)
        p.mean[n] = search_ipc(s, n);
    perturbed_deviations(&p);
    return p;
}

/* What every degree has been counted to, beyond the table. */
static void print_counters(FILE *out, const struct search *s)
{
    for (int i = 0; i < s->n_max; i++) {
        struct output fields = {.format = FORMAT_TEXT, .text = out, .fields = table_new("lrl")};
        fprintf(out, "\nn = %d:\n", i + 1);
        output_object(&fields, NULL);
        runner_output_stats(&fields, &s->all[i].total);
        output_up(&fields);
        table_free(fields.fields);
    }
}

static void print_text(FILE *out, const struct options *o, const char *target,
                       const struct search *s)
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
        table_cell(t, "%.2f", search_run_ipc(s, 0, i + 1));
        table_cell(t, "%.0f", stats_rate(st, RATE_cta_cycles));
        table_cell(t, "%.3f", stats_rate(st, RATE_miss_rate));
        table_cell(t, "%llu", (unsigned long long)st->dram_reads);
        table_cell(t, "%.1f", stats_rate(st, RATE_mf_latency));
    }
    table_print(t, out);
    table_free(t);
    if (s->perturbations) {
        const struct perturbed_runs p = runs_of(s);
        fputc('\n', out);
        perturbed_print(out, &p, o->counters);
    }
    char *title = xasprintf("\n%s of %s against n (CTAs at once on each core)",
                            s->perturbations ? "Mean IPC" : "IPC", target);
    search_chart(out, title, s, NULL, 0);
    free(title);
    if (o->counters)
        print_counters(out, s);
}

struct degree_output {
    const struct search *of;
    const struct perturbed_runs *runs;
    int n;
    double growth; /* Yen, equation 2; there is none at n = 1 */
    double mean_ipc, deviation;
};

static void write_perturbed(struct output *out, const char *name, const void *degree)
{
    const struct degree_output *d = degree;
    double ipc[GPU_CFG_PERTURBATIONS + 1];
    for (int i = 1; i < d->runs->runs; i++)
        ipc[i] = d->runs->ipc[i][d->n];
    output_reals(out, name, ipc, d->runs->runs - 1);
}

const struct output_row search_rows[] = {
    {.name = "least_n", OUTPUT_VIA(struct degree_output, of, least), .from = 2},
    {"command", "dr_inc_rate", "ratio",
     "`search`: DRAM reads of a CTA over those at n - 1; null at 1",
     OUTPUT_FIELD(struct degree_output, growth)},
    {.name = NULL}};
const struct output_row perturbed_rows[] = {
    {"command", "perturbed_ipc", "", "`search --perturbed`: array of the IPC of each further run",
     .write = write_perturbed},
    {"command", "mean_ipc", "", "... of all runs", OUTPUT_FIELD(struct degree_output, mean_ipc)},
    {"command", "ipc_deviation", "", "... the standard deviation",
     OUTPUT_FIELD(struct degree_output, deviation)},
    {.name = NULL}};

static struct degree_output degree_of(const struct search *s, const struct perturbed_runs *p, int n)
{
    struct degree_output d = {.of = s,
                              .runs = p,
                              .n = n,
                              .growth = NAN,
                              .mean_ipc = p->mean[n],
                              .deviation = p->deviation[n]};
    if (n > 1)
        d.growth = stats_rate(&s->all[n - 1].total, RATE_dram_reads_per_cta) /
                   stats_rate(&s->all[n - 2].total, RATE_dram_reads_per_cta);
    return d;
}

/* An object a degree. block_size: 0 unless several are searched. */
static void describe(struct output *out, const struct options *o, const struct run_plan *plan,
                     const struct search *s, int block_size)
{
    const struct perturbed_runs p = runs_of(s);
    for (int n = 1; n <= s->n_max; n++) {
        const struct degree_output d = degree_of(s, &p, n);
        output_object(out, NULL);
        output_rows(out, block_rows, &block_size);
        runner_output(out, o->gpu, plan, &s->all[n - 1]);
        output_rows(out, search_rows, &d);
        if (s->perturbations)
            output_rows(out, perturbed_rows, &d);
        output_up(out);
    }
}

/* A target at its own block size (0) or at another. */
static bool search_blocks(struct options *o, const struct gpu_cfg *cfg, int block_size,
                          struct result *r, struct err *e)
{
    struct search s = {0};
    struct target_input in = o->input;
    in.block_size = block_size;
    struct target *t = target_open(o->arg[0], &in, e);
    const struct run_plan plan = {.target = t, .cfg = cfg};
    const bool ok = t && search_run(o, cfg, t, 0, 0, &s, e);
    if (ok && r->out.format == FORMAT_TEXT) {
        if (block_size)
            fprintf(r->out.text, "Blocks of %d threads:\n\n", block_size);
        print_text(r->out.text, o, target_name(t), &s);
        if (block_size)
            fputc('\n', r->out.text);
    } else if (ok) {
        describe(&r->out, o, &plan, &s, block_size);
    }
    if (ok && page_output(&r->page))
        describe(page_output(&r->page), o, &plan, &s, block_size);
    if (ok && block_size)
        block_choices_add(&r->blocks, block_choose(cfg, target_name(t), block_size, &s));
    search_release(&s);
    target_free(t);
    return ok;
}

static bool search_target(struct options *o, const struct gpu_cfg *cfg, struct err *e)
{
    struct result r = {0};
    bool ok = output_open(&r.out, o, e) && page_open(&r.page, o, e);
    struct output *all[] = {&r.out, page_output(&r.page)};
    for (int i = 0; ok && i < 2; i++)
        if (all[i] && all[i]->format != FORMAT_TEXT)
            output_array(all[i], NULL);
    ok = ok && (o->block_sizes.n || search_blocks(o, cfg, 0, &r, e));
    for (int i = 0; ok && i < o->block_sizes.n; i++)
        ok = search_blocks(o, cfg, (int)o->block_sizes.v[i], &r, e);
    for (int i = 0; ok && i < 2; i++)
        if (all[i] && all[i]->format != FORMAT_TEXT)
            output_up(all[i]);
    if (ok && o->format == FORMAT_TEXT)
        block_choices_print(r.out.text, &r.blocks);
    block_choices_free(&r.blocks);
    ok = page_close(&r.page, ok, e);
    return output_close(&r.out, ok, e);
}

/* A part of it, recorded. */
static bool search_part(struct options *o, const struct gpu_cfg *cfg, struct err *e)
{
    struct target *t = target_open(o->arg[0], &o->input, e);
    const bool ok = t && search_shard(o, cfg, t, e);
    target_free(t);
    return ok;
}

static bool check_blocks(struct options *o, struct err *e)
{
    o->bad_usage = o->block_sizes.n && o->given & (OPT(SEARCH_DB) | OPT(HTML) | OPT(WARPS));
    return !o->bad_usage || err_set(e, "--block-sizes: without --db, --html and --warps-per-cta");
}

static bool check_shard(struct options *o, struct err *e)
{
    struct shard s;
    o->bad_usage = true;
    if (o->program && o->given & (OPT(SEARCH_DB) | OPT(SHARD)))
        return err_set(e, "--db, --shard: runs of bundled workloads alone are recorded");
    if (o->shard && !(o->given & OPT(SEARCH_DB)))
        return err_set(e, "--shard: with --db FILE, which keeps its runs");
    if (o->shard && o->given & (OPTS_OUTPUT | OPT(HTML) | OPT(COUNTERS)))
        return err_set(e, "--shard prints nothing: a part is no search");
    if (!shard_read(o->shard, &s, e))
        return false;
    o->bad_usage = false;
    return true;
}

static bool run(struct options *o, struct err *e)
{
    if (!page_check(o, e) || !check_shard(o, e) || !check_blocks(o, e))
        return false;
    if (o->program)
        return program_command(o, PROGRAM_SEARCH, e);
    struct gpu_cfg cfg;
    return options_gpu(o, &cfg, e) &&
           (o->shard ? search_part(o, &cfg, e) : search_target(o, &cfg, e));
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
        "deviation, and JSON has every one's perturbed_ipc. The optimum is the best mean.\n"
        "--db FILE keeps the runs of a workload. With --shard I/N too a part of them is run and\n"
        "recorded, nothing printed; `merge` puts N such files together, and a search with that\n"
        "file as --db prints all of it. --block-sizes 64,128,256 searches at each of these block\n"
        "sizes and says which takes the fewest cycles: launches of a launch file that say "
        "`threads`\n"
        "in place of `grid`; a program that takes its block size from MDPREDICT_BLOCK_SIZE.",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
