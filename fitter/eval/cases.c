#include "fitter/eval/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct case_runs {          /* of one degree */
    struct run_stats plain; /* not perturbed, summed over kernels */
    struct run_stats all;   /* these and all perturbed ones, summed over both */
    uint64_t perturbations; /* bit PROFILE_PERTURBATION + p: it was perturbed by p */
};

static bool is_case(const struct app_case *c, const struct profile_input *in)
{
    return c->seed == in->seed && c->warps == in->warps && strcmp(c->target, in->target) == 0 &&
           strcmp(c->config, in->config) == 0 && strcmp(c->numbering, in->numbering) == 0;
}

/* Rows of one case stand together: it is the last one, or far back. */
static struct app_case *case_of(struct case_set *set, const struct profile_input *in)
{
    for (int i = set->count - 1; i >= 0; i--)
        if (is_case(&set->one[i], in))
            return &set->one[i];
    set->one = xgrow(set->one, (size_t)set->count, sizeof *set->one);
    struct app_case *c = &set->one[set->count++];
    *c = (struct app_case){.l1d_bytes = in->l1d_bytes, .seed = in->seed, .warps = in->warps};
    int name = (int)strcspn(in->target, ":");
    snprintf(c->gpu, sizeof c->gpu, "%s", in->gpu);
    snprintf(c->config, sizeof c->config, "%s", in->config);
    snprintf(c->numbering, sizeof c->numbering, "%s", in->numbering);
    snprintf(c->target, sizeof c->target, "%s", in->target);
    snprintf(c->workload, sizeof c->workload, "%.*s", name, in->target);
    snprintf(c->size, sizeof c->size, "%s", in->target + name + (in->target[name] == ':'));
    c->at = xcalloc(MODEL_N_MAX + 1, sizeof *c->at);
    return c;
}

static void on_sample(void *user, const struct profile_input *in, const struct sample *s)
{
    struct app_case *c = case_of(user, in);
    c->sample = xrealloc(c->sample, (size_t)(c->samples + 1) * sizeof *c->sample);
    c->sample[c->samples++] = *s;
    c->sample_warp_insts += s->window_insts;
    c->full_warp_insts += s->total_warp_insts;
}

static uint64_t run_bit(int perturbation)
{
    return UINT64_C(1) << (PROFILE_PERTURBATION + perturbation);
}

static void on_run(void *user, const struct profile_input *in, struct profile_run run,
                   const struct profile_kernel *k)
{
    struct app_case *c = case_of(user, in);
    if (run.n > MODEL_N_MAX)
        return;
    struct case_runs *at = &c->at[run.n];
    stats_add(&at->all, &k->stats);
    if (run.perturbation == 0)
        stats_add(&at->plain, &k->stats);
    at->perturbations |= run_bit(run.perturbation);
    c->m.n_max = run.n > c->m.n_max ? run.n : c->m.n_max;
}

/* Of an application that was only paid for nothing is known. */
static void on_price(void *user, const struct profile_input *in, const struct profile_price *p)
{
    struct case_set *set = user;
    for (int i = 0; i < set->count; i++)
        if (is_case(&set->one[i], in))
            set->one[i].price = *p;
}

bool case_has_price(const struct app_case *c)
{
    return c->price.simulation_seconds > 0;
}

double case_search_seconds(const struct app_case *c)
{
    if (c->price.search_seconds > 0)
        return c->price.search_seconds;
    return case_has_price(c) ? c->price.simulation_seconds * c->m.n_max : NAN;
}

/* The largest n of any of its kernels, as the samples say. */
static int degrees_of(const struct app_case *c)
{
    double n = c->m.n_max;
    for (int i = 0; i < c->samples; i++)
        n = fmax(n, fmin(c->sample[i].n_max, MODEL_N_MAX));
    return (int)n;
}

/* Every degree with this perturbation. */
static bool all_run(const struct app_case *c, int perturbation, struct err *e)
{
    const int degrees = degrees_of(c);
    char *missing = NULL;
    size_t len;
    FILE *out = open_memstream(&missing, &len);
    for (int n = 1; n <= degrees; n++)
        if (!(c->at[n].perturbations & run_bit(perturbation)))
            fprintf(out, "%s%d", ftell(out) > 0 ? ", " : "", n);
    fclose(out);
    char with[64] = "", how[32] = "";
    if (perturbation != 0) {
        snprintf(with, sizeof with, " with perturbation %d", perturbation);
        snprintf(how, sizeof how, " --perturbed K");
    }
    const bool ok = *missing == 0 ||
                    err_set(e,
                            "%s on %s with %lld bytes of L1D: n = %s was not run%s; `mdpredict "
                            "profile%s` goes on where it was cut off",
                            c->target, c->gpu, (long long)c->l1d_bytes, missing, with, how);
    free(missing);
    return ok;
}

/* Every degree as it is, and with every perturbation that any degree was run with. */
static bool count_runs(struct app_case *c, struct err *e)
{
    uint64_t any = run_bit(0);
    for (int n = 1; n <= MODEL_N_MAX; n++)
        any |= c->at[n].perturbations;
    c->runs = __builtin_popcountll(any);
    bool ok = all_run(c, 0, e);
    for (int p = -PROFILE_PERTURBATION; ok && p <= PROFILE_PERTURBATION; p++)
        ok = !(any & run_bit(p)) || all_run(c, p, e);
    return ok;
}

static void measure(const struct run_stats *s, int n, struct measured *out)
{
    out->n_max = n;
    out->ipc[n] = stats_rate(s, RATE_ipc);
    out->dram_reads_per_cta[n] = stats_rate(s, RATE_dram_reads_per_cta);
}

static bool finish(struct app_case *c, struct err *e)
{
    if (c->m.n_max && !count_runs(c, e))
        return false;
    for (int n = 1, degrees = c->m.n_max; n <= degrees; n++) {
        measure(&c->at[n].all, n, &c->m);
        measure(&c->at[n].plain, n, &c->once);
        c->search_warp_insts += (double)c->at[n].plain.warp_insts;
    }
    if (c->m.n_max && !c->samples)
        return err_set(e, "%s on %s with %lld bytes of L1D: no sample is recorded", c->target,
                       c->gpu, (long long)c->l1d_bytes);
    if (c->m.n_max)
        c->full_warp_insts = (double)c->at[c->m.n_max].plain.warp_insts;
    return true;
}

bool cases_load(struct profile *p, struct case_set *out, struct err *e)
{
    const struct profile_visitor v = {.run = on_run, .price = on_price, .user = out},
                                 samples_only = {.sample = on_sample, .user = out};
    *out = (struct case_set){0};
    bool ok = profile_walk(p, &samples_only, e) && profile_walk_runs(p, &v, e) &&
              profile_walk_prices(p, &v, e);
    for (int i = 0; i < out->count; i++) {
        ok = ok && finish(&out->one[i], e);
        free(out->one[i].at);
        out->one[i].at = NULL;
    }
    if (!ok)
        cases_release(out);
    return ok;
}

/* How many cases of a size were run, and how long they are: their warp instructions, mean. */
static int cases_of(const struct case_set *s, const char *size, double *length)
{
    double insts = 0;
    int n = 0;
    for (int i = 0; i < s->count; i++)
        if (s->one[i].m.n_max > 0 && strcmp(s->one[i].size, size) == 0) {
            insts += s->one[i].full_warp_insts;
            n++;
        }
    *length = n ? insts / n : 0;
    return n;
}

const char *cases_main_size(const struct case_set *s)
{
    const char *main_size = "";
    int most = 0;
    double longest = 0;
    for (int i = 0; i < s->count; i++) {
        double length;
        const int n = cases_of(s, s->one[i].size, &length);
        if (n > most || (n == most && length > longest)) {
            main_size = s->one[i].size;
            most = n;
            longest = length;
        }
    }
    return main_size;
}

void cases_release(struct case_set *s)
{
    for (int i = 0; i < s->count; i++) {
        free(s->one[i].sample);
    }
    free(s->one);
    *s = (struct case_set){0};
}
