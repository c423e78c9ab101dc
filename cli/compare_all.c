#include "cli/compare_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/datadir.h"
#include "cli/explain.h"
#include "cli/forecast.h"
#include "cli/keys.h"
#include "fitter/eval/limits.h"
#include "fitter/eval/tables.h"
#include "fitter/store/profile.h"

static double per_point(double sum, int points)
{
    return points ? sum / points : NAN;
}

struct case_output { /* and what follows from it */
    const struct app_case *of;
    int optimum;
    double ipc_default, ipc_optimum, simulation_seconds, search_seconds;
};
struct choice_output {
    const struct choice *of;
    int exact, near;
    double ipc_error, reads_error;
};

#define CASE(field) OUTPUT_VIA(struct case_output, of, field)
#define ALSO(field) OUTPUT_FIELD(struct case_output, field)
const struct output_row case_rows[] = {
    {.name = "gpu", CASE(gpu)},
    {"command", "l1d_bytes", "bytes", "`compare --all`: of the case", CASE(l1d_bytes)},
    {.name = "target", CASE(target)},
    {.name = "seed", CASE(seed)},
    {"command", "numbering", "", "... of nodes or atoms", CASE(numbering)},
    {"command", "warps", "", "... of a CTA", CASE(warps)},
    {.name = "runs", CASE(runs)},
    {.name = "default_n", CASE(m.n_max)},
    {.name = "optimum_n", ALSO(optimum)},
    {.name = "ipc_default", ALSO(ipc_default)},
    {.name = "ipc_optimum", ALSO(ipc_optimum)},
    {.name = "simulation_seconds", ALSO(simulation_seconds)},
    {.name = "search_seconds", ALSO(search_seconds)},
    {.name = "full_warp_insts", CASE(full_warp_insts)},
    {.name = "search_warp_insts", CASE(search_warp_insts)},
    {.name = NULL}};
#undef CASE
#undef ALSO
#define CHOICE(field) OUTPUT_VIA(struct choice_output, of, field)
#define ALSO(field)   OUTPUT_FIELD(struct choice_output, field)
const struct output_row predictor_name_rows[] =
    OUTPUT_ONE("command", "predictor", "", "... the name of a way to choose",
               OUTPUT_FIELD(struct predictor, name));
const struct output_row case_choice_rows[] = {
    {.name = "n", CHOICE(n)},
    {.name = "ipc", CHOICE(ipc)},
    {.name = "kept", CHOICE(mean.kept)},
    {"command", "kept_once", "ratio", "... kept by the choice of a search by single runs",
     CHOICE(once.kept)},
    {.name = "gain", CHOICE(mean.gain)},
    {"command", "optimum_gain", "ratio", "... of the optimum over n_max",
     CHOICE(mean.optimum_gain)},
    {.name = "answer_seconds", CHOICE(seconds)},
    {"command", "answer_warp_insts", "insts", "... what the answer simulated in detail",
     CHOICE(warp_insts)},
    {"command", "price", "ratio", "... of the answer over one simulation", CHOICE(mean.price)},
    {"command", "search_price", "ratio", "... of the answer over the search",
     CHOICE(mean.search_price)},
    {"command", "exact", "", "... whether, or how often, n is optimum_n", ALSO(exact)},
    {"command", "near", "", "... or next to it", ALSO(near)},
    {.name = "ipc_error", ALSO(ipc_error)},
    {"command", "reads_error", "ratio", "... of the predicted DRAM reads", ALSO(reads_error)},
    {.name = NULL}};

static void output_case(struct output *out, const struct app_case *a)
{
    const int optimum = measured_optimum(&a->m);
    const struct case_output t = {.of = a,
                                  .optimum = optimum,
                                  .ipc_default = a->m.ipc[a->m.n_max],
                                  .ipc_optimum = a->m.ipc[optimum],
                                  .simulation_seconds =
                                      case_has_price(a) ? a->price.simulation_seconds : NAN,
                                  .search_seconds = case_search_seconds(a)};
    output_rows(out, case_rows, &t);
}

static void output_choice(struct output *out, const struct predictor *who, const struct choice *c)
{
    const struct choice_output t = {.of = c,
                                    .exact = c->mean.exact,
                                    .near = c->mean.near,
                                    .ipc_error = per_point(c->mean.ipc_error, c->mean.ipc_points),
                                    .reads_error =
                                        per_point(c->mean.reads_error, c->mean.reads_points)};
    output_rows(out, predictor_name_rows, who);
    output_rows(out, case_choice_rows, &t);
}

/* A row a case and predictor. */
static void output_csv(struct output *out, const struct cross_validation *c)
{
    output_array(out, NULL);
    for (int i = 0; i < c->cases.count; i++)
        for (int k = 0; c->cases.one[i].m.n_max > 0 && k < c->predictors; k++) {
            output_object(out, NULL);
            output_rows(out, fit_gpus_rows, c);
            output_case(out, &c->cases.one[i]);
            output_choice(out, &c->predictor[k], cv_choice(c, i, k));
            output_up(out);
        }
    output_up(out);
}

static void output_predicted(struct output *out, const struct prediction *p, int n_max)
{
    output_reals(out, prediction_rows[PREDICTED_IPC].name, p->ipc, n_max);
    output_reals(out, prediction_rows[PREDICTED_READS].name, p->dram_reads_per_cta, n_max);
    bounds_output(out, bound_rows[0].name, p, n_max);
}

const struct output_row case_array_rows[] = {
    {.name = "ipc", OUTPUT_ARRAY(struct app_case, m.ipc)},
    {"command", "ipc_once", "", "... IPC of one run, unperturbed",
     OUTPUT_ARRAY(struct app_case, once.ipc)},
    {.name = "dram_reads_per_cta", OUTPUT_ARRAY(struct app_case, m.dram_reads_per_cta)},
    {.name = NULL}};
const struct output_row choices_rows[] = OUTPUT_ONE(
    "command", "choices", "", "... an object a way to choose n", .type = OUTPUT_COMPUTED);

static void output_choices(struct output *out, const struct cross_validation *c, int the_case)
{
    output_array(out, choices_rows[0].name);
    for (int k = 0; k < c->predictors; k++) {
        const struct choice *choice = cv_choice(c, the_case, k);
        output_object(out, NULL);
        output_choice(out, &c->predictor[k], choice);
        if (choice->predicts)
            output_predicted(out, &choice->predicted, c->cases.one[the_case].m.n_max);
        output_up(out);
    }
    output_up(out);
}

static void write_cases(struct output *out, const char *name, const void *cross_validation)
{
    const struct cross_validation *c = cross_validation;
    output_array(out, name);
    for (int i = 0; i < c->cases.count; i++) {
        const struct app_case *a = &c->cases.one[i];
        if (a->m.n_max == 0)
            continue;
        output_object(out, NULL);
        output_case(out, a);
        output_rows_by_n(out, case_array_rows, a, a->m.n_max);
        output_choices(out, c, i);
        output_up(out);
    }
    output_up(out);
}

const struct output_row group_rows[] =
    OUTPUT_ONE("command", "group", "", "`compare --all`: name of the group",
               OUTPUT_FIELD(struct case_group, name));

static void output_metrics(struct output *out, const struct cross_validation *c,
                           const struct case_group *g, int predictor)
{
    struct metrics v;
    cv_metrics(c, g, predictor, &v, NULL);
    output_object(out, NULL);
    output_rows(out, group_rows, g);
    output_rows(out, predictor_name_rows, &c->predictor[predictor]);
    for (const struct metric_row *r = metric_rows; r->name; r++) {
        double value;
        memcpy(&value, (const char *)&v + r->off, sizeof value);
        output_real(out, r->name, value, r->help);
    }
    output_up(out);
}

static void write_metrics(struct output *out, const char *name, const void *cross_validation)
{
    const struct cross_validation *c = cross_validation;
    struct case_group *g;
    int groups = cv_groups(c, &g);
    output_array(out, name);
    for (int i = 0; i < groups; i++)
        for (int k = 0; k < c->predictors; k++)
            output_metrics(out, c, &g[i], k);
    output_up(out);
    free(g);
}

static const char *model_text(const void *field)
{
    const struct model_ops *m = *(const struct model_ops *const *)field;
    return m ? m->name : NULL;
}

const struct output_row predictor_rows[] = {
    {.name = "name", OUTPUT_FIELD(struct predictor, name)},
    {.name = "model", OUTPUT_AS(struct predictor, model, model_text)},
    {"command", "fits", "", "... fits to all but the held-out application",
     OUTPUT_FIELD(struct predictor, fits)},
    {"command", "fits_refused", "", "... of these, without a result",
     OUTPUT_FIELD(struct predictor, refused)},
    {.name = NULL}};

static void write_predictors(struct output *out, const char *name, const void *cross_validation)
{
    const struct cross_validation *c = cross_validation;
    output_objects(out, name, predictor_rows, c->predictor, sizeof *c->predictor,
                   (size_t)c->predictors);
}

static const char *gpus_text(const void *field)
{
    return cv_gpus_name(*(const enum cv_gpus *)field);
}

const struct output_row fit_gpus_rows[] = OUTPUT_ONE(
    "command", "fit_gpus", "", "`compare --all`: on which GPUs applications are that fits see",
    OUTPUT_AS(struct cross_validation, gpus, gpus_text));
const struct output_row all_rows[] = {
    {"command", "predictors", "", "... an object a way to choose", .write = write_predictors},
    {"command", "metrics", "", "... an object a group of cases", .write = write_metrics},
    {"command", "cases", "", "... an object an application and L1D size", .write = write_cases},
    {.name = NULL}};

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
        output_rows(&out, fit_gpus_rows, c);
        output_rows(&out, all_rows, c);
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
