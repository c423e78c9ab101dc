/* program_output.c -- what is known of a program's kernels, as JSON or CSV. */
#include <stdlib.h>

#include "cli/answer.h"
#include "cli/degree_report.h"
#include "cli/program.h"
#include "cli/runner.h"
#include <math.h>

/* Of the launches that were simulated. */
static void output_degrees(struct output *out, const struct program_kernel *k, int n_max)
{
    const struct run_stats **at = xcalloc((size_t)n_max + 1, sizeof *at);
    for (int n = 1; n <= n_max; n++)
        at[n - 1] = &k->at[n].stats;
    degrees_output(out, at, n_max);
    free(at);
}

static void output_choice(struct output *out, const struct program_result *r,
                          const struct verdict *v)
{
    const struct cta_resources uses = program_resources(&v->k->k);
    double ipc[MODEL_N_MAX + 1] = {0};
    output_uint(out, "default_n", (uint64_t)v->deflt, NULL);
    if (v->chosen) {
        output_uint(out, "chosen_n", (uint64_t)v->chosen, NULL);
        output_real(out, "gain", v->gain, NULL);
        output_str(out, "how", v->set, NULL);
        paste_output(out, &r->cfg->sm, &uses, v->chosen, v->k->k.name);
    }
    if (v->k->least > 1)
        output_uint(out, "least_n", (uint64_t)v->k->least, NULL);
    if (v->measured) {
        for (int n = 1; n <= v->deflt && n <= MODEL_N_MAX; n++)
            ipc[n] = program_ipc(v->k, n);
        output_uint(out, "optimum_n", (uint64_t)v->optimum, NULL);
        output_reals(out, "ipc", ipc, v->deflt);
        output_degrees(out, v->k, v->deflt);
    }
    if (v->measured && r->mode == PROGRAM_COMPARE)
        output_real(out, "kept", v->kept, NULL);
    if (v->predicted) {
        const struct model_kernels k = {v->k->sample, v->part, v->k->samples};
        prediction_output(out, &v->p);
        sample_interval_output(out, &k, &v->p);
    }
}

/* The gain itself is among what every command says. */
static void output_forecast(struct output *out, const struct verdict *v)
{
    const struct gain g = answer_gain(&v->p);
    output_real(out, "gain_low", g.known ? g.low : NAN, NULL);
    output_real(out, "gain_high", g.known ? g.high : NAN, NULL);
    answer_output_undecided(out, &v->p);
}

/* One a cluster of like launches, each with what is predicted of it. `sample` is that of the
 * cluster with the most work. */
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
    const struct cta_resources uses = program_resources(&k->k);
    int n = program_run_n(k);
    output_object(out, NULL);
    if (r->block_size && out->format == FORMAT_CSV)
        output_uint(out, "block_size", (uint64_t)r->block_size, NULL);
    output_str(out, "kernel", v->name, NULL);
    output_str(out, "symbol", k->k.name, NULL);
    output_uint(out, "device", (uint64_t)k->k.device, NULL);
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
    output_uint(out, "abandoned", k->abandoned, NULL);
    output_real(out, "time_share", v->share, NULL);
    output_real(out, "default_cycles", v->cycles, NULL);
    output_uint(out, "device_cycles", k->cycles, NULL);
    output_uint(out, "total_warp_insts", k->warp_insts, NULL);
    output_uint(out, "total_thread_insts", k->thread_insts, NULL);
    output_real(out, "functional_seconds", k->seconds, NULL);
    output_uint(out, "n_max", (uint64_t)k->k.n_max, NULL);
    output_str(out, "limit", occ_limit_name(k->k.limit), NULL);
    occupancy_output(out, &r->cfg->sm, &uses);
    if (r->mode != PROGRAM_RUN)
        output_choice(out, r, v);
    if (r->mode == PROGRAM_SAMPLE && v->predicted)
        output_forecast(out, v);
    if (r->mode == PROGRAM_RUN && n) {
        output_uint(out, "n", (uint64_t)n, NULL);
        runner_output_stats(out, &k->at[n].stats);
        output_real(out, "host_seconds", k->at[n].host_seconds, NULL);
    }
    if (k->samples > 0 && out->format == FORMAT_JSON)
        output_samples(out, v);
    struct explanation x;
    if (program_explanation(r, v, &x)) {
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
        if (r->block_size)
            output_uint(out, "block_size", (uint64_t)r->block_size, NULL);
        output_str(out, "target", r->command, NULL);
        output_str(out, "gpu", r->o->gpu, NULL);
        if (r->model)
            output_str(out, "model", r->model->name, NULL);
        output_uint(out, "exit_code", (uint64_t)r->exit_code, NULL);
        output_uint(out, "launches", f->launches, NULL);
        output_uint(out, "detailed", f->detailed, NULL);
        output_uint(out, "repeated", f->repeated, NULL);
        output_uint(out, "faults", (uint64_t)f->faults, NULL);
        output_real(out, "device_seconds", program_device_seconds(r), NULL);
        program_notes_output(out, r);
        if (program_samples(r)) {
            output_str(out, "effort", effort_name(r->o->effort), NULL);
            price_output(out, &r->price);
            if (r->mode == PROGRAM_COMPARE)
                price_output_search(out, &r->price);
            sample_cost_output(out, &r->cost);
        }
    }
    if (!csv || !r->block_size) /* several sizes: the rows of all are one table */
        output_array(out, csv ? NULL : "kernels");
    for (int i = 0; i < f->kernels; i++)
        if (program_has_row(&f->kernel[i]))
            output_kernel(out, r, &r->v[i]);
    if (!csv || !r->block_size)
        output_up(out);
    if (r->o->hot)
        hot_spots_output(out, &r->hot);
    if (r->o->race)
        races_output(out, f->race, f->races);
    if (!csv)
        output_up(out);
}
