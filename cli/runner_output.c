/* runner_output.c -- the result of one degree, in every format; counters and rates of whatever has
 * any. */
#include <string.h>

#include "cli/degree_report.h"
#include "cli/keys.h"
#include "cli/runner.h"

static void output_stats(struct output *out, const struct run_stats *s,
                         bool (*leave_out)(const char *name))
{
    for (const struct stat_row *r = run_counter_rows; r->name; r++) {
        uint64_t v;
        if (leave_out && leave_out(r->name))
            continue;
        memcpy(&v, (const char *)s + r->off, sizeof v);
        output_uint(out, r->name, v, r->help);
    }
    for (const struct stat_row *r = run_rate_rows; r->name; r++)
        if (!leave_out || !leave_out(r->name))
            output_real(out, r->name, stats_rate(s, (enum run_rate)r->off), r->help);
}

/* A core has no part in these. */
static bool is_shared(const char *name)
{
    static const char *const prefixes[] = {"dram_", "l2_", "icnt_", "row_", "miss_rate"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

void runner_output_stats(struct output *out, const struct run_stats *s)
{
    output_stats(out, s, NULL);
}

/* A result and what it is of. A pointer that is NULL: there is nothing to say of that. */
struct run_output {
    const char *target, *gpu;
    const struct target_input *input; /* of workloads: a launch file says itself what runs */
    const struct run_plan *plan;
    const struct run_result *all, *timed; /* timed: not executed alone */
};
struct launch_output {
    int launch;
    const struct launch_result *all, *timed;
};

static const struct output_row executed_rows[] = {
    {.name = "warp_insts",
     .help = "executed warp instructions",
     OUTPUT_FIELD(struct run_stats, warp_insts)},
    {.name = "thread_insts",
     .help = "active lanes summed over warp instructions",
     OUTPUT_FIELD(struct run_stats, thread_insts)},
    {.name = "ctas", .help = "completed CTAs", OUTPUT_FIELD(struct run_stats, ctas)},
    {.name = NULL}};

static void output_counts(struct output *out, const struct run_plan *p, const struct run_stats *s)
{
    if (p->functional)
        output_rows(out, executed_rows, s);
    else
        output_stats(out, s, NULL);
}

static void output_sched_counts(struct output *out, const struct sched_counts *c)
{
    for (const struct sched_count *r = c->row; r < c->row + c->n; r++) {
        const struct sched_counter_row *of = &sched_counter_rows[r->what];
        if (r->share)
            output_real(out, of->name, sched_count_value(r), of->help);
        else
            output_uint(out, of->name, r->n, of->help);
    }
}

static const struct output_row launch_rows[] = {
    {.name = "kernel", OUTPUT_VIA(struct launch_output, all, kernel)},
    {.name = "launch", OUTPUT_FIELD(struct launch_output, launch)},
    {.name = "n", OUTPUT_VIA(struct launch_output, timed, n)},
    {.name = "n_max", OUTPUT_VIA(struct launch_output, timed, uses.n_max)},
    {.name = "limit",
     .via = 1 + offsetof(struct launch_output, timed),
     OUTPUT_AS(struct launch_result, uses.limit, degree_limit_text)},
    {.name = NULL}};
static const struct output_row launch_time_rows[] =
    OUTPUT_ONE(.name = "host_seconds", OUTPUT_FIELD(struct launch_result, host_seconds));

static void output_launch(struct output *out, const struct run_plan *p,
                          const struct launch_result *l, int number)
{
    output_object(out, NULL);
    output_rows(out, launch_rows, &(struct launch_output){number, l, p->functional ? NULL : l});
    if (!p->functional) {
        occupancy_output(out, &p->cfg->sm, &l->uses);
        paste_output(out, &p->cfg->sm, &l->uses, l->n, l->kernel);
    }
    output_counts(out, p, &l->stats);
    output_rows(out, launch_time_rows, l);
    output_up(out);
}

static void write_launches(struct output *out, const char *name, const void *output)
{
    const struct run_output *t = output;
    output_array(out, name);
    for (int i = 0; i < t->all->launches; i++)
        output_launch(out, t->plan, &t->all->launch[i], i);
    output_up(out);
}

const struct output_row core_rows[] = OUTPUT_ONE(
    "command", "core", "", "`run --per-core`: its number, in `cores`", .type = OUTPUT_INT);

static void write_cores(struct output *out, const char *name, const void *output)
{
    const struct run_result *r = ((const struct run_output *)output)->all;
    if (!r->core)
        return;
    output_array(out, name);
    for (int i = 0; i < r->cores; i++) {
        output_object(out, NULL);
        output_rows(out, core_rows, &i);
        output_stats(out, &r->core[i], is_shared);
        output_up(out);
    }
    output_up(out);
}

const struct output_row run_rows[] = {
    {.name = "target", .help = "what was run", OUTPUT_FIELD(struct run_output, target)},
    {.name = "gpu", .help = "on what", OUTPUT_FIELD(struct run_output, gpu)},
    {"command", "seed", "", "of the workload's input", OUTPUT_VIA(struct run_output, input, seed)},
    {"command", "order", "", "numbering of its nodes or atoms",
     OUTPUT_VIA(struct run_output, input, order)},
    {.name = "warps_per_cta",
     .help = "as asked for; 0: the workload's own",
     OUTPUT_VIA(struct run_output, input, warps)},
    {"command", "n", "CTAs", "CTAs at once on each core", OUTPUT_VIA(struct run_output, timed, n)},
    {.name = "n_max", .help = "the occupancy limit", OUTPUT_VIA(struct run_output, timed, n_max)},
    {.name = "launches", .help = "kernel launches", OUTPUT_VIA(struct run_output, all, launches)},
    {.name = NULL}};
const struct output_row run_end_rows[] = {
    {"command", "host_seconds", "s", "CPU time of the simulation alone",
     OUTPUT_VIA(struct run_output, all, host_seconds)},
    {.name = "kernels", .write = write_launches},
    {"command", "cores", "", "`run --per-core`: an object a core, of statistics",
     .write = write_cores},
    {.name = NULL}};

void runner_output(struct output *out, const char *gpu, const struct run_plan *p,
                   const struct run_result *r)
{
    struct target_input in;
    const struct run_output t = {.target = target_name(p->target),
                                 .gpu = gpu,
                                 .input = target_input_of(p->target, &in) ? &in : NULL,
                                 .plan = p,
                                 .all = r,
                                 .timed = p->functional ? NULL : r};
    output_rows(out, run_rows, &t);
    output_counts(out, p, &r->total);
    output_sched_counts(out, &r->sched);
    output_rows(out, run_end_rows, &t);
}
