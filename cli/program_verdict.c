/* program_verdict.c -- from what was simulated and predicted to an n for each kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "cli/program.h"

#define NO_GAIN 0.0005 /* not worth a change */

static double ipc_of(const struct program_kernel *k, double cycles)
{
    return cycles > 0 ? (double)k->thread_insts / cycles : 0;
}

double program_ipc(const struct program_kernel *k, int n)
{
    return ipc_of(k, outcome_cycles(k, n));
}

struct perturbed_runs program_runs(const struct program_result *r, const struct verdict *v)
{
    struct perturbed_runs p = {.n_max = v->deflt, .runs = v->k->perturbed + 1};
    for (int i = 0; i < p.runs; i++) {
        p.by[i] = gpu_cfg_perturbation(r->cfg, i);
        for (int n = 1; n <= p.n_max; n++)
            p.ipc[i][n] = ipc_of(v->k, outcome_run_cycles(v->k, i, n));
    }
    for (int n = 1; n <= p.n_max; n++)
        p.mean[n] = program_ipc(v->k, n);
    perturbed_deviations(&p);
    return p;
}

/* As they are simulated: who waits executes more the longer it does. */
static double thread_insts(const struct program_kernel *k)
{
    double all = 0;
    for (int i = 0; i < k->samples; i++)
        all += k->sample[i].total_thread_insts;
    return all;
}

/* Core cycles of all its launches, at the default n where that is known. */
static double cycles_of(const struct verdict *v)
{
    if (v->measured)
        return outcome_cycles(v->k, v->deflt);
    if (v->predicted && v->p.ipc[v->deflt] > 0)
        return thread_insts(v->k) / v->p.ipc[v->deflt];
    return (double)v->k->cycles;
}

static bool is_measured(const struct program_kernel *k)
{
    for (int n = 1; n <= k->k.n_max; n++)
        if (!k->at[n].launches)
            return false;
    return k->k.n_max > 0;
}

/* Of equals the default, else the smallest. */
static int best(const struct program_kernel *k)
{
    int at = k->k.n_max;
    for (int n = k->least > 1 ? k->least : 1; n < k->k.n_max; n++)
        if (program_ipc(k, n) > program_ipc(k, at))
            at = n;
    return at;
}

static double ratio_of(double a, double b)
{
    return b > 0 ? a / b : 0;
}

struct cta_resources program_resources(const struct record_kernel *k)
{
    return (struct cta_resources){.threads = k->block[0] * k->block[1] * k->block[2],
                                  .regs = k->regs,
                                  .static_shared = k->static_shared,
                                  .all_shared = k->shared,
                                  .n_max = k->n_max,
                                  .limit = k->limit};
}

int program_run_n(const struct program_kernel *k)
{
    int n = 0;
    for (int i = 1; i <= k->k.n_max; i++)
        if (k->at[i].launches)
            n = i;
    return n;
}

bool program_samples(const struct program_result *r)
{
    return r->mode == PROGRAM_SAMPLE || r->mode == PROGRAM_COMPARE;
}

bool program_searched(const struct program_result *r, const struct verdict *v)
{
    return v->measured && r->mode == PROGRAM_SAMPLE;
}

bool program_explanation(const struct program_result *r, const struct verdict *v,
                         struct explanation *out)
{
    if (!(r->o->explain || r->o->html) || !v->predicted || !v->k->launches)
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

static void how_to_set(struct verdict *v, const struct gpu_cfg *cfg)
{
    const struct cta_resources k = program_resources(&v->k->k);
    if (v->chosen != v->deflt && v->gain > -NO_GAIN && v->gain < NO_GAIN)
        snprintf(v->set, sizeof v->set, "as it is");
    else
        set_degree_text(&cfg->sm, &k, v->chosen, v->set);
}

/* Among those that a table shows as it does this one: the names before it, and this. */
static int number_of(const struct program_result *r, char *const *shown, int i)
{
    int number = 1;
    for (int j = 0; j < i; j++) {
        if (strcmp(shown[i], shown[j]) != 0)
            continue;
        if (strcmp(r->v[i].k->k.name, r->v[j].k->k.name) == 0)
            return r->v[j].number;
        if (number <= r->v[j].number)
            number = r->v[j].number + 1;
    }
    return number;
}

static bool is_alone(const struct program_result *r, char *const *shown, int i)
{
    for (int j = 0; j < r->found->kernels; j++)
        if (strcmp(shown[i], shown[j]) == 0 && strcmp(r->v[i].k->k.name, r->v[j].k->k.name) != 0)
            return false;
    return true;
}

/* Templates with different arguments are alike where there is no room for these. */
static void number_alike(struct program_result *r)
{
    const int all = r->found->kernels;
    char **shown = xcalloc((size_t)all, sizeof *shown);
    for (int i = 0; i < all; i++)
        shown[i] = demangle_fit(r->v[i].k->k.name, PROGRAM_NAME_ROOM);
    for (int i = 0; i < all; i++)
        r->v[i].number = number_of(r, shown, i);
    for (int i = 0; i < all; i++)
        if (is_alone(r, shown, i))
            r->v[i].number = 0;
    for (int i = 0; i < all; i++)
        free(shown[i]);
    free(shown);
}

void program_judge(struct program_result *r)
{
    double all = 0;
    number_alike(r);
    for (int i = 0; i < r->found->kernels; i++) {
        struct verdict *v = &r->v[i];
        v->deflt = v->k->k.n_max;
        v->measured = is_measured(v->k);
        v->optimum = v->measured ? best(v->k) : 0;
        v->chosen = v->predicted && !program_searched(r, v) ? v->p.chosen_n : v->optimum;
        v->cycles = cycles_of(v);
        all += v->cycles;
    }
    for (int i = 0; i < r->found->kernels; i++) {
        struct verdict *v = &r->v[i];
        v->share = ratio_of(v->cycles, all);
        if (!v->chosen || r->mode == PROGRAM_RUN)
            continue;
        if (v->measured) {
            v->gain = ratio_of(program_ipc(v->k, v->chosen), program_ipc(v->k, v->deflt)) - 1;
            v->kept = ratio_of(program_ipc(v->k, v->chosen), program_ipc(v->k, v->optimum));
        } else
            v->gain = ratio_of(v->p.ipc[v->chosen], v->p.ipc[v->deflt]) - 1;
        how_to_set(v, r->cfg);
    }
}
