/* program_report.c -- what is known of a program's kernels, as text, JSON or CSV. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/table.h"
#include "cli/chart.h"
#include "cli/explain.h"
#include "cli/program.h"
#include "cli/runner.h"
#include "cli/sample_report.h"

#define NAME_ROOM 56 /* templates have long names; --json has them in full */

static const char *limit_of(const struct verdict *v)
{
    return occ_limit_name(v->k->k.limit);
}

/* The one degree of a plain run. */
static int run_n(const struct program_kernel *k)
{
    int n = 0;
    for (int i = 1; i <= k->k.n_max; i++)
        if (k->at[i].launches)
            n = i;
    return n;
}

static void cells_of_run(struct table *t, const struct verdict *v)
{
    int n = run_n(v->k);
    if (n) {
        table_cell(t, "%d", n);
        table_cell(t, "%.0f", outcome_cycles(v->k, n));
        table_cell(t, "%.2f", program_ipc(v->k, n));
    } else {
        table_cell(t, "-");
        table_cell(t, "-");
        table_cell(t, "-");
    }
}

static void cells_of_choice(struct table *t, const struct program_result *r,
                            const struct verdict *v)
{
    if (!v->chosen) {
        for (int i = 0; i < (r->mode == PROGRAM_COMPARE ? 5 : 3); i++)
            table_cell(t, "-");
        return;
    }
    table_cell(t, "%d", v->chosen);
    if (r->mode == PROGRAM_COMPARE) {
        table_cell(t, "%d", v->optimum);
        table_cell(t, "%.1f %%", 100 * v->kept);
    }
    table_cell(t, "%+.1f %%", 100 * v->gain);
    table_cell(t, "%s", v->set);
}

static struct table *table_of(const struct program_result *r)
{
    static const char *const head[] = {"kernel", "launches", "in detail",
                                       "time",   "limit",    "set by"};
    static const char *const run[] = {"n", "cycles", "IPC"};
    static const char *const choice[] = {"chosen n", "expected gain", "how to set it"};
    static const char *const compare[] = {"chosen n", "optimum n", "kept", "gain over default",
                                          "how to set it"};
    const char *const *more = r->mode == PROGRAM_RUN       ? run
                              : r->mode == PROGRAM_COMPARE ? compare
                                                           : choice;
    int n = r->mode == PROGRAM_COMPARE ? 5 : 3;
    struct table *t = table_new(r->mode == PROGRAM_RUN       ? "lrrrrlrrr"
                                : r->mode == PROGRAM_COMPARE ? "lrrrrlrrrrl"
                                                             : "lrrrrlrrl");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (int i = 0; i < n; i++)
        table_cell(t, "%s",
                   r->mode == PROGRAM_SEARCH && i == 0   ? "best n"
                   : r->mode == PROGRAM_SEARCH && i == 1 ? "gain over default"
                                                         : more[i]);
    return t;
}

static void print_kernels(FILE *out, const struct program_result *r)
{
    struct table *t = table_of(r);
    for (int i = 0; i < r->found->kernels; i++) {
        const struct verdict *v = &r->v[i];
        if (!v->k->launches)
            continue;
        const int *b = v->k->k.block;
        char *name = demangle_fit(v->k->k.name, NAME_ROOM);
        table_cell(t, "%s [%dx%dx%d]", name, b[0], b[1], b[2]);
        free(name);
        table_cell(t, "%llu", (unsigned long long)v->k->launches);
        table_cell(t, "%llu", (unsigned long long)v->k->detailed);
        table_cell(t, "%.1f %%", 100 * v->share);
        table_cell(t, "%d", v->k->k.n_max);
        table_cell(t, "%s", limit_of(v));
        if (r->mode == PROGRAM_RUN)
            cells_of_run(t, v);
        else
            cells_of_choice(t, r, v);
    }
    table_print(t, out);
    table_free(t);
}

/* Of the whole program at n CTAs, each kernel at most its limit; 0: a kernel was not simulated. */
static double whole_ipc(const struct program_result *r, int n)
{
    double cycles = 0, insts = 0;
    for (int i = 0; i < r->found->kernels; i++) {
        const struct verdict *v = &r->v[i];
        if (!v->measured)
            continue;
        cycles += outcome_cycles(v->k, n);
        insts += (double)v->k->thread_insts;
    }
    return cycles > 0 ? insts / cycles : 0;
}

static void print_chart(FILE *out, const struct program_result *r)
{
    struct chart_bar bar[MODEL_N_MAX] = {0};
    int best = 1;
    for (int n = 1; n <= r->n_max && n <= MODEL_N_MAX; n++) {
        bar[n - 1] = (struct chart_bar){
            .n = n, .value = whole_ipc(r, n), .predicted = -1, .is_default = n == r->n_max};
        best = bar[n - 1].value >= bar[best - 1].value ? n : best; /* as the table has it */
    }
    bar[best - 1].optimum = true;
    chart_print(out, "\nIPC of the whole program against n (CTAs at once on each core)", bar,
                r->n_max, chart_utf8());
}

/* A window costs what it does for every kernel; one full simulation, all launches of all. */
static struct sample_cost cost_of(const struct outcome *f)
{
    struct sample_cost c = {0};
    for (int i = 0; i < f->kernels; i++) {
        const struct program_kernel *k = &f->kernel[i];
        c.full_warp_insts += (double)k->warp_insts;
        c.functional_seconds += k->seconds;
        c.functional_warp_insts += k->warp_insts;
        c.warp_insts += k->cost.warp_insts;
        c.functional_warp_insts += k->cost.functional_warp_insts;
        c.host_seconds += k->cost.host_seconds;
        c.functional_seconds += k->cost.functional_seconds;
        c.replayed_warp_insts += k->cost.replayed_warp_insts;
        c.replay_seconds += k->cost.replay_seconds;
    }
    return c;
}

/* Of one kernel, all its groups together; false: it was not asked for, or there is no sample. The
 * caller frees out->uses. */
static bool explanation_of(const struct program_result *r, const struct verdict *v,
                           struct explanation *out)
{
    if (!r->o->explain || !v->predicted || !v->k->launches)
        return false;
    struct cta_resources *uses = xcalloc((size_t)v->k->samples, sizeof *uses);
    for (int i = 0; i < v->k->samples; i++)
        uses[i] = program_resources(&v->k->k);
    *out = (struct explanation){
        .title = v->name,
        .model = r->model,
        .coeff = r->coeff.value,
        .kernels = {.sample = v->k->sample, .prediction = v->part, .kernels = v->k->samples},
        .all = &v->p,
        .uses = uses,
        .sm = &r->cfg->sm};
    return true;
}

static bool samples(const struct program_result *r)
{
    return r->mode == PROGRAM_SAMPLE || r->mode == PROGRAM_COMPARE;
}

void program_print(FILE *out, const struct program_result *r)
{
    const struct outcome *f = r->found;
    uint64_t warp_insts = 0, thread_insts = 0, cycles = 0;
    for (int i = 0; i < f->kernels; i++) {
        warp_insts += f->kernel[i].warp_insts;
        thread_insts += f->kernel[i].thread_insts;
        cycles += f->kernel[i].cycles;
    }
    fprintf(out, "\n%s on %s: %llu launches of %d kernels, %llu in detail, %llu repeated\n",
            r->command, r->o->gpu, (unsigned long long)f->launches, f->kernels,
            (unsigned long long)f->detailed, (unsigned long long)f->repeated);
    fprintf(out, "%llu warp instructions, %llu thread instructions, %.3f ms on the device\n\n",
            (unsigned long long)warp_insts, (unsigned long long)thread_insts,
            (double)cycles / (r->cfg->clock.core * 1e3));
    print_kernels(out, r);
    if (r->mode == PROGRAM_SEARCH || r->mode == PROGRAM_COMPARE)
        print_chart(out, r);
    if (r->o->explain && r->model)
        explain_meanings(out, r->model);
    for (int i = 0; i < f->kernels; i++) {
        struct explanation x;
        if (explanation_of(r, &r->v[i], &x)) {
            explain_print(out, &x);
            free((void *)x.uses);
        }
    }
    if (samples(r)) {
        const struct sample_cost c = cost_of(f);
        fputc('\n', out);
        sample_cost_print(out, &c);
    }
}

static void output_choice(struct output *out, const struct program_result *r,
                          const struct verdict *v)
{
    double ipc[MODEL_N_MAX + 1] = {0};
    output_uint(out, "default_n", (uint64_t)v->deflt, NULL);
    if (v->chosen) {
        output_uint(out, "chosen_n", (uint64_t)v->chosen, NULL);
        output_real(out, "gain", v->gain, NULL);
        output_str(out, "how", v->set, NULL);
    }
    if (v->measured) {
        for (int n = 1; n <= v->deflt && n <= MODEL_N_MAX; n++)
            ipc[n] = program_ipc(v->k, n);
        output_uint(out, "optimum_n", (uint64_t)v->optimum, NULL);
        output_reals(out, "ipc", ipc, v->deflt);
    }
    if (v->measured && r->mode == PROGRAM_COMPARE)
        output_real(out, "kept", v->kept, NULL);
    if (v->predicted) {
        const struct model_kernels k = {v->k->sample, v->part, v->k->samples};
        output_reals(out, "predicted_ipc", v->p.ipc, v->p.n_max);
        sample_interval_output(out, &k, &v->p);
    }
}

/* One a group of like launches, each with what is predicted of it. `sample` is that of the group
 * with the most work. */
static void output_samples(struct output *out, const struct verdict *v)
{
    const struct program_kernel *k = v->k;
    int most = 0;
    for (int i = 1; i < k->samples; i++)
        if (k->sample[i].total_warp_insts > k->sample[most].total_warp_insts)
            most = i;
    output_object(out, "sample");
    sample_output(out, &k->sample[most]);
    output_up(out);
    output_array(out, "groups");
    for (int i = 0; i < k->samples; i++) {
        output_object(out, NULL);
        sample_output(out, &k->sample[i]);
        if (v->predicted)
            output_reals(out, "predicted_ipc", v->part[i].ipc, v->part[i].n_max);
        output_up(out);
    }
    output_up(out);
}

static void output_kernel(struct output *out, const struct program_result *r,
                          const struct verdict *v)
{
    const struct program_kernel *k = v->k;
    int n = run_n(k);
    output_object(out, NULL);
    output_str(out, "kernel", v->name, NULL);
    output_str(out, "symbol", k->k.name, NULL);
    output_uint(out, "block_x", (uint64_t)k->k.block[0], NULL);
    output_uint(out, "block_y", (uint64_t)k->k.block[1], NULL);
    output_uint(out, "block_z", (uint64_t)k->k.block[2], NULL);
    output_uint(out, "registers", (uint64_t)k->k.regs, NULL);
    output_uint(out, "shared_bytes", k->k.shared, NULL);
    output_uint(out, "launches", k->launches, NULL);
    output_uint(out, "detailed", k->detailed, NULL);
    output_uint(out, "repeated", k->repeated, NULL);
    output_uint(out, "executed", k->executed, NULL);
    output_uint(out, "known", k->known, NULL);
    output_real(out, "time_share", v->share, NULL);
    output_uint(out, "device_cycles", k->cycles, NULL);
    output_uint(out, "total_warp_insts", k->warp_insts, NULL);
    output_uint(out, "total_thread_insts", k->thread_insts, NULL);
    output_real(out, "functional_seconds", k->seconds, NULL);
    output_uint(out, "n_max", (uint64_t)k->k.n_max, NULL);
    output_str(out, "limit", limit_of(v), NULL);
    if (r->mode != PROGRAM_RUN)
        output_choice(out, r, v);
    else if (n) {
        output_uint(out, "n", (uint64_t)n, NULL);
        runner_output_stats(out, &k->at[n].stats);
        output_real(out, "host_seconds", k->at[n].host_seconds, NULL);
    }
    if (k->samples > 0 && out->format == FORMAT_JSON)
        output_samples(out, v);
    struct explanation x;
    if (explanation_of(r, v, &x)) {
        explain_output(out, &x);
        free((void *)x.uses);
    }
    output_up(out);
}

void program_output(struct output *out, const struct program_result *r)
{
    const struct outcome *f = r->found;
    bool csv = out->format == FORMAT_CSV; /* a row a kernel */
    if (!csv) {
        output_object(out, NULL);
        output_str(out, "target", r->command, NULL);
        output_str(out, "gpu", r->o->gpu, NULL);
        if (r->model)
            output_str(out, "model", r->model->name, NULL);
        output_uint(out, "exit_code", (uint64_t)r->exit_code, NULL);
        output_uint(out, "launches", f->launches, NULL);
        output_uint(out, "detailed", f->detailed, NULL);
        output_uint(out, "repeated", f->repeated, NULL);
        output_uint(out, "faults", (uint64_t)f->faults, NULL);
        if (samples(r)) {
            const struct sample_cost c = cost_of(f);
            sample_cost_output(out, &c);
        }
    }
    output_array(out, csv ? NULL : "kernels");
    for (int i = 0; i < f->kernels; i++)
        if (f->kernel[i].launches)
            output_kernel(out, r, &r->v[i]);
    output_up(out);
    if (!csv)
        output_up(out);
}
