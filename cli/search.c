#include "cli/search.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/nowhere.h"
#include "cli/chart.h"
#include "cli/price.h"
#include "cli/result_store.h"
#include "cli/shard.h"
#include "sampler/representative.h"

/* The occupancy limit and the number of CTAs, which only running the host code can tell. */
static bool survey(struct run_plan *plan, int *n_max, struct err *e)
{
    struct run_result r;
    plan->functional = true;
    bool ok = runner_run(plan, &r, e);
    plan->functional = false;
    if (!ok)
        return false;
    *n_max = r.n_max > 0 ? r.n_max : 1; /* nothing fits: the simulation says which kernel and why */
    plan->total_ctas = r.total.ctas;
    run_result_release(&r);
    return true;
}

/* What one search needs. */
struct searching {
    const struct options *o;
    struct run_plan plan;
    struct result_store store, *kept; /* kept: &store; NULL: nothing is recorded */
    struct search *out;
};

static bool start(struct searching *s, const struct options *o, const struct gpu_cfg *cfg,
                  const struct target *t, struct err *e)
{
    s->o = o;
    s->plan = (struct run_plan){
        .target = t, .cfg = cfg, .max_cycles = o->max_cycles, .kernel_output = nowhere_open()};
    s->kept = o->given & OPT(SEARCH_DB) ? &s->store : NULL;
    return !s->kept || result_store_open(s->kept, o, cfg, t, e);
}

static void finish(struct searching *s)
{
    result_store_close(&s->store);
    if (s->plan.kernel_output)
        fclose(s->plan.kernel_output);
}

/* Every degree, perturbed by so many core cycles. */
static bool search_once(struct searching *s, int by, struct run_result **all, struct err *e)
{
    struct gpu_cfg cfg = *s->plan.cfg;
    struct run_plan with = s->plan;
    with.cfg = &cfg;
    gpu_cfg_perturb(&cfg, by);
    s->store.perturbation = by;
    return runner_search(&with, s->out->n_max, s->o->jobs, s->kept, all, e) ||
           (by != 0 && err_prefix(e, "perturbed by %d", by));
}

static bool search_perturbed(struct searching *s, int by, struct err *e)
{
    struct search *out = s->out;
    out->perturbed =
        xrealloc(out->perturbed, (size_t)(out->perturbations + 1) * sizeof *out->perturbed);
    struct perturbed_search *one = &out->perturbed[out->perturbations];
    *one = (struct perturbed_search){.by = by};
    if (!search_once(s, by, &one->all, e))
        return false;
    out->perturbations++;
    return true;
}

static void find_least(struct search *s)
{
    s->least = s->all[0].least > 1 ? s->all[0].least : 1;
    for (int i = 0; i < s->perturbations; i++)
        if (s->perturbed[i].all[0].least > s->least)
            s->least = s->perturbed[i].all[0].least;
}

static bool search_all(struct searching *s, struct err *e)
{
    const double start = price_clock();
    if (!search_once(s, 0, &s->out->all, e))
        return false;
    s->out->seconds = price_clock() - start;
    runner_notes(&s->out->all[0]);
    for (int i = 1; i <= s->o->perturbed; i++)
        if (!search_perturbed(s, gpu_cfg_perturbation(s->plan.cfg, i), e))
            return false;
    find_least(s->out);
    if (s->out->least > 1) {
        char *text = representative_least_text(target_name(s->plan.target), s->out->least);
        fprintf(stderr, "mdpredict: %s\n", text);
        free(text);
    }
    s->out->best = s->out->least - 1;
    for (int n = s->out->least + 1; n <= s->out->n_max; n++)
        if (search_ipc(s->out, n) > search_ipc(s->out, s->out->best + 1))
            s->out->best = n - 1;
    return true;
}

bool search_run(const struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                int n_max, uint64_t total_ctas, struct search *out, struct err *e)
{
    struct searching s = {.out = out};
    *out = (struct search){.n_max = n_max};
    bool ok = start(&s, o, cfg, t, e);
    s.plan.total_ctas = total_ctas;
    ok = ok && (n_max > 0 || survey(&s.plan, &out->n_max, e)) && search_all(&s, e);
    finish(&s);
    return ok;
}

/* Runs of one degree cost about the same at every n. */
static bool search_dealt(struct searching *s, const struct shard *shard, struct err *e)
{
    const int n_max = s->out->n_max, runs = n_max * (s->o->perturbed + 1);
    double *cost = xcalloc((size_t)runs, sizeof *cost);
    bool *mine = xcalloc((size_t)runs, sizeof *mine), ok = true;
    for (int i = 0; i < runs; i++)
        cost[i] = 1;
    shard_deal(shard, cost, runs, mine);
    for (int i = 0; ok && i <= s->o->perturbed; i++) {
        struct run_result *all = NULL;
        s->store.mine = mine + i * n_max;
        ok = search_once(s, i ? gpu_cfg_perturbation(s->plan.cfg, i) : 0, &all, e);
        runner_release(all, ok ? n_max : 0);
    }
    free(cost);
    free(mine);
    return ok;
}

bool search_shard(const struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                  struct err *e)
{
    struct shard shard;
    struct search out = {0};
    struct searching s = {.out = &out};
    bool ok = shard_read(o->shard, &shard, e) && start(&s, o, cfg, t, e) &&
              survey(&s.plan, &out.n_max, e) && search_dealt(&s, &shard, e);
    if (ok)
        fprintf(stderr, "runs: %d done\n", s.store.added);
    finish(&s);
    return ok;
}

void search_release(struct search *s)
{
    runner_release(s->all, s->n_max);
    for (int i = 0; i < s->perturbations; i++)
        runner_release(s->perturbed[i].all, s->n_max);
    free(s->perturbed);
    *s = (struct search){0};
}

double search_run_ipc(const struct search *s, int i, int n)
{
    const struct run_result *all = i ? s->perturbed[i - 1].all : s->all;
    return ratio(all[s->n_max - 1].total.thread_insts, all[n - 1].total.cycles);
}

double search_ipc(const struct search *s, int n)
{
    uint64_t insts = s->all[s->n_max - 1].total.thread_insts, cycles = s->all[n - 1].total.cycles;
    for (int i = 0; i < s->perturbations; i++) {
        insts += s->perturbed[i].all[s->n_max - 1].total.thread_insts;
        cycles += s->perturbed[i].all[n - 1].total.cycles;
    }
    return ratio(insts, cycles);
}

void search_chart(FILE *out, const char *title, const struct search *s, const double *predicted,
                  int chosen)
{
    struct chart_bar *bar = xcalloc((size_t)s->n_max, sizeof *bar);
    for (int n = 1; n <= s->n_max; n++)
        bar[n - 1] = (struct chart_bar){.n = n,
                                        .value = search_ipc(s, n),
                                        .predicted = predicted ? predicted[n] : -1,
                                        .chosen = n == chosen,
                                        .optimum = n - 1 == s->best,
                                        .is_default = n == s->n_max};
    chart_print(out, title, bar, s->n_max, chart_utf8());
    free(bar);
}
