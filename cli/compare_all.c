#include "cli/compare_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/datadir.h"
#include "cli/forecast.h"
#include "fitter/eval/limits.h"
#include "fitter/eval/tables.h"
#include "fitter/store/profile.h"

static double per_point(double sum, int points)
{
    return points ? sum / points : NAN;
}

static void output_case(struct output *out, const struct app_case *a)
{
    output_str(out, "gpu", a->gpu, NULL);
    output_uint(out, "l1d_bytes", (uint64_t)a->l1d_bytes, NULL);
    output_str(out, "target", a->target, NULL);
    output_uint(out, "seed", (uint64_t)a->seed, NULL);
    output_str(out, "numbering", a->numbering, NULL);
    output_uint(out, "warps", (uint64_t)a->warps, NULL);
    output_uint(out, "runs", (uint64_t)a->runs, NULL);
    output_uint(out, "default_n", (uint64_t)a->m.n_max, NULL);
    output_uint(out, "optimum_n", (uint64_t)measured_optimum(&a->m), NULL);
    output_real(out, "ipc_default", a->m.ipc[a->m.n_max], NULL);
    output_real(out, "ipc_optimum", a->m.ipc[measured_optimum(&a->m)], NULL);
    output_real(out, "simulation_seconds", case_has_price(a) ? a->price.simulation_seconds : NAN,
                NULL);
    output_real(out, "search_seconds", case_search_seconds(a), NULL);
    output_real(out, "full_warp_insts", a->full_warp_insts, NULL);
    output_real(out, "search_warp_insts", a->search_warp_insts, NULL);
}

static void output_choice(struct output *out, const struct predictor *who, const struct choice *c)
{
    output_str(out, "predictor", who->name, NULL);
    output_uint(out, "n", (uint64_t)c->n, NULL);
    output_real(out, "ipc", c->ipc, NULL);
    output_real(out, "kept", c->mean.kept, NULL);
    output_real(out, "kept_once", c->once.kept, NULL);
    output_real(out, "gain", c->mean.gain, NULL);
    output_real(out, "optimum_gain", c->mean.optimum_gain, NULL);
    output_real(out, "answer_seconds", c->seconds, NULL);
    output_real(out, "answer_warp_insts", c->warp_insts, NULL);
    output_real(out, "price", c->mean.price, NULL);
    output_real(out, "search_price", c->mean.search_price, NULL);
    output_uint(out, "exact", c->mean.exact, NULL);
    output_uint(out, "near", c->mean.near, NULL);
    output_real(out, "ipc_error", per_point(c->mean.ipc_error, c->mean.ipc_points), NULL);
    output_real(out, "reads_error", per_point(c->mean.reads_error, c->mean.reads_points), NULL);
}

/* A row a case and predictor. */
static void output_csv(struct output *out, const struct cross_validation *c)
{
    output_array(out, NULL);
    for (int i = 0; i < c->cases.count; i++)
        for (int k = 0; c->cases.one[i].m.n_max > 0 && k < c->predictors; k++) {
            output_object(out, NULL);
            output_str(out, "fit_gpus", cv_gpus_name(c->gpus), NULL);
            output_case(out, &c->cases.one[i]);
            output_choice(out, &c->predictor[k], cv_choice(c, i, k));
            output_up(out);
        }
    output_up(out);
}

static void output_cases(struct output *out, const struct cross_validation *c)
{
    output_array(out, "cases");
    for (int i = 0; i < c->cases.count; i++) {
        const struct app_case *a = &c->cases.one[i];
        if (a->m.n_max == 0)
            continue;
        output_object(out, NULL);
        output_case(out, a);
        output_reals(out, "ipc", a->m.ipc, a->m.n_max);
        output_reals(out, "ipc_once", a->once.ipc, a->m.n_max);
        output_reals(out, "dram_reads_per_cta", a->m.dram_reads_per_cta, a->m.n_max);
        output_array(out, "choices");
        for (int k = 0; k < c->predictors; k++) {
            const struct choice *choice = cv_choice(c, i, k);
            output_object(out, NULL);
            output_choice(out, &c->predictor[k], choice);
            if (choice->predicts) {
                output_reals(out, "predicted_ipc", choice->predicted.ipc, a->m.n_max);
                output_reals(out, "predicted_dram_reads_per_cta",
                             choice->predicted.dram_reads_per_cta, a->m.n_max);
                output_array(out, "bound");
                for (int n = 1; n <= a->m.n_max; n++)
                    output_str(out, NULL, choice->predicted.bound[n], NULL);
                output_up(out);
            }
            output_up(out);
        }
        output_up(out);
        output_up(out);
    }
    output_up(out);
}

static void output_metrics(struct output *out, const struct cross_validation *c)
{
    struct case_group *g;
    int groups = cv_groups(c, &g);
    output_array(out, "metrics");
    for (int i = 0; i < groups; i++)
        for (int k = 0; k < c->predictors; k++) {
            struct metrics v;
            cv_metrics(c, &g[i], k, &v, NULL);
            output_object(out, NULL);
            output_str(out, "group", g[i].name, NULL);
            output_str(out, "predictor", c->predictor[k].name, NULL);
            for (const struct metric_row *r = metric_rows; r->name; r++) {
                double value;
                memcpy(&value, (const char *)&v + r->off, sizeof value);
                output_real(out, r->name, value, r->help);
            }
            output_up(out);
        }
    output_up(out);
    free(g);
}

static void output_predictors(struct output *out, const struct cross_validation *c)
{
    output_array(out, "predictors");
    for (int k = 0; k < c->predictors; k++) {
        const struct predictor *who = &c->predictor[k];
        output_object(out, NULL);
        output_str(out, "name", who->name, NULL);
        output_str(out, "model", who->model ? who->model->name : NULL, NULL);
        output_uint(out, "fits", (uint64_t)who->fits, NULL);
        output_uint(out, "fits_refused", (uint64_t)who->refused, NULL);
        output_up(out);
    }
    output_up(out);
}

static bool output_all(struct options *o, const struct cross_validation *c, struct err *e)
{
    struct output out;
    if (!output_open(&out, o, e))
        return false;
    if (o->format == FORMAT_TEXT) {
        tables_print(out.text, c);
        if (o->explain)
            limits_print(out.text, c);
    } else if (o->format == FORMAT_CSV) {
        output_csv(&out, c);
    } else {
        output_object(&out, NULL);
        output_str(&out, "fit_gpus", cv_gpus_name(c->gpus), NULL);
        output_predictors(&out, c);
        output_metrics(&out, c);
        output_cases(&out, c);
        output_up(&out);
    }
    return output_close(&out, true, e);
}

static struct profile *open_profile(const struct options *o, struct err *e)
{
    if (o->given & OPT(PROFILE))
        return profile_open(o->db, false, e);
    char *data = datadir(e), *folder = data ? xasprintf("%s/profiles", data) : NULL;
    struct profile *p = folder ? profile_open_csv(folder, e) : NULL;
    free(folder);
    free(data);
    return p;
}

static bool known_models(struct options *o, struct err *e)
{
    for (int i = 0; i < o->models.n; i++)
        if (!forecast_find_model(o, o->models.word[i], e))
            return false;
    return true;
}

static bool validate(struct options *o, struct err *e)
{
    struct cross_validation c;
    struct cv_opts co = {.model = o->models.word, .models = o->models.n, .jobs = o->jobs};
    o->bad_usage = !cv_gpus_find(o->fit_gpus, &co.gpus);
    if (o->bad_usage)
        return err_set(e, "--fit-gpus wants same, other or all, not \"%s\"", o->fit_gpus);
    struct profile *p = open_profile(o, e);
    bool ok = p && cv_run(p, &co, &c, e);
    profile_close(p);
    if (!ok)
        return false;
    ok = (!o->plots || compare_plot(&c, o->plots, e)) && output_all(o, &c, e);
    cv_release(&c);
    return ok;
}

bool compare_all(struct options *o, struct err *e)
{
    bool made = false;
    if (!known_models(o, e) || !output_can_write(o->output, e))
        return false;
    const bool ok = (!o->plots || compare_plots_ready(o->plots, &made, e)) && validate(o, e);
    if (!ok && made)
        rmdir(o->plots); /* unless something is in it */
    return ok;
}
