#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "cli/commands.h"
#include "cli/forecast.h"
#include "cli/output.h"
#include "fitter/fit/fit.h"
#include "fitter/fit/least_squares.h"
#include "sim/frontend/workload.h"

#define OUTLIERS_FEW 20 /* one step in so many */

struct fitting {
    struct options *o;
    struct coefficients start;
    struct series_set set;
    const char *held; /* workload[:SIZE], suite or size that the fit does not see; NULL: none */
};

static bool is_held(void *user, const struct series *s)
{
    const struct fitting *f = user;
    char name[128];
    const struct workload *w = workload_find(series_workload(s, name));
    return f->held &&
           (strcmp(name, f->held) == 0 || strcmp(s->application, f->held) == 0 ||
            strcmp(series_size(s), f->held) == 0 || (w && workload_in_suite(w, f->held)));
}

static bool is_seen(void *user, const struct series *s)
{
    return !is_held(user, s);
}

static bool fit(struct fitting *f, struct model_fit *out, struct err *e)
{
    struct fit_opts o = {.method = f->o->method,
                         .robust = f->o->robust,
                         .hold = f->o->hold.word,
                         .holds = f->o->hold.n,
                         .idle_stay = f->o->cross_validate,
                         .sees = is_seen,
                         .user = f};
    return fit_run(&f->start, &f->set, &o, out, e);
}

static void percent(struct table *t, double rms)
{
    if (isfinite(rms)) /* of logarithms: as a factor, less 1 */
        table_cell(t, "%.1f %%", 100 * expm1(rms));
    else
        table_cell(t, "-");
}

/* What the coefficients that tell of errors were taken from; empty: none was. */
static char *residuals_text(const struct model_fit *m)
{
    const struct residuals *s = &m->residuals;
    char *ipcs = s->ipcs ? xasprintf("errors: %d IPCs", s->ipcs) : xstrdup("");
    if (s->pairs == 0)
        return ipcs;
    char *text = xasprintf("%s%s%d pairs of degrees, R2 %.3f", ipcs,
                           s->ipcs ? ", " : "errors: ", s->pairs, s->r2);
    free(ipcs);
    return text;
}

/* How far off each stage is: before the fit, after it, and where the fit has not looked. */
static void print_stages(struct fitting *f, const struct model_fit *m, FILE *out)
{
    const bool robust = f->o->robust;
    struct table *t = table_new(robust ? "lrrrrrrr" : "lrrrrrr");
    static const char *const head[] = {"stage",  "steps",    "error", "R2",
                                       "before", "held out", "error", "outliers"};
    for (size_t i = 0; i < sizeof head / sizeof *head - !robust; i++)
        table_cell(t, "%s", head[i]);
    for (int i = 0; i < m->stages; i++) {
        const struct stage_fit *s = &m->stage[i];
        int steps;
        table_cell(t, "%s", s->stage->name);
        table_cell(t, "%d", s->steps);
        percent(t, s->rms);
        table_cell(t, isfinite(s->r2) ? "%.3f" : "-", s->r2);
        percent(t, fit_rms(s->stage, f->start.value, &f->set, is_seen, f, &steps));
        double rms = fit_rms(s->stage, m->coeff.value, &f->set, is_held, f, &steps);
        table_cell(t, "%d", steps);
        percent(t, rms);
        if (robust)
            table_cell(t, "%d", s->left_out);
    }
    table_print(t, out);
    table_free(t);
    char *text = residuals_text(m);
    if (*text)
        fprintf(out, "%s\n", text);
    free(text);
}

/* Where most steps do alike and some otherwise, robust weights fit the former alone. */
static void warn_of_outliers(const struct model_fit *m)
{
    for (int i = 0; i < m->stages; i++) {
        const struct stage_fit *s = &m->stage[i];
        if (s->left_out * OUTLIERS_FEW > s->steps)
            fprintf(stderr,
                    "mdpredict: stage %s: --robust takes %d of %d steps for outliers and leaves "
                    "them out; if they are not wrong, but what some kernels do, fit without it\n",
                    s->stage->name, s->left_out, s->steps);
    }
}

static bool on_bound(const struct param *r, double v)
{
    return v == r->lo || v == r->hi;
}

static void print_coefficients(const struct model_fit *m, FILE *out)
{
    struct table *t = table_new("lrrll");
    static const char *const head[] = {"coefficient", "value", "+-", "unit", "meaning"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    const struct param *r;
    for (int i = 0; (r = coefficient_row(m->coeff.model, i)); i++) {
        const double error = *coefficient_at(m->coeff.model, m->coeff.error, i),
                     value = *coefficient_at(m->coeff.model, m->coeff.value, i);
        table_cell(t, "%s", r->name);
        table_cell(t, "%.5g", value);
        if (error > 0)
            table_cell(t, "%.2g", error);
        else
            table_cell(t, "%s", on_bound(r, value) ? "bound" : "-");
        table_cell(t, "%s", r->unit);
        table_cell(t, "%s", r->help);
    }
    fputc('\n', out);
    table_print(t, out);
    table_free(t);
}

static void write_file(const struct fitting *f, const struct model_fit *m, FILE *out)
{
    char *text = NULL;
    size_t len;
    FILE *describe = open_memstream(&text, &len);
    for (int i = 0; i < m->stages; i++) {
        const struct stage_fit *s = &m->stage[i];
        fprintf(describe, "%s%s: ", i ? "; " : "", s->stage->name);
        if (s->steps > 0)
            fprintf(describe, "%d steps, error %.2f %%, R2 %.3f", s->steps, 100 * expm1(s->rms),
                    s->r2);
        else
            fputs("held", describe);
        if (s->left_out > 0)
            fprintf(describe, ", %d outliers", s->left_out);
    }
    char *errors = residuals_text(m);
    fprintf(describe, "%s%s", *errors && m->stages ? "; " : "", errors);
    free(errors);
    fclose(describe);
    char *source = NULL;
    FILE *from = open_memstream(&source, &len);
    fprintf(from, "%s, %d series", f->o->from, f->set.count);
    if (f->held)
        fprintf(from, ", without %s", f->held);
    for (int i = 0; i < f->o->hold.n; i++)
        fprintf(from, ", %s held", f->o->hold.word[i]);
    fprintf(from, "%s%s%s", f->o->robust ? ", robust" : "", f->o->method ? ", method " : "",
            f->o->method ? f->o->method : "");
    fclose(from);
    coefficients_write(&m->coeff, source, text, out);
    free(source);
    free(text);
}

static bool fit_once(struct fitting *f, struct output *out, struct err *e)
{
    struct model_fit m;
    if (!fit(f, &m, e))
        return false;
    if (strcmp(f->o->output, "-") == 0) {
        print_stages(f, &m, out->text);
        print_coefficients(&m, out->text);
    } else {
        write_file(f, &m, out->text);
        print_stages(f, &m, stdout);
    }
    warn_of_outliers(&m);
    fit_release(&m);
    return true;
}

/* A name each, in the order of the series; the names live in the array. */
static int workload_names(const struct series_set *set, char (**out)[128])
{
    int n = 0;
    char(*all)[128] = xcalloc((size_t)set->count, sizeof *all);
    for (int i = 0; i < set->count; i++) {
        int k = 0;
        series_workload(&set->one[i], all[n]);
        while (strcmp(all[k], all[n]) != 0)
            k++;
        n += k == n;
    }
    *out = all;
    return n;
}

struct validation {
    struct fitting *f;
    struct table *t;            /* owned */
    FILE *notes;                /* printed below it */
    double sum[FIT_STAGES_MAX]; /* by stage: squares, over all workloads */
    int steps[FIT_STAGES_MAX];
};

static struct table *validation_table(const struct model_stage *stage)
{
    char align[FIT_STAGES_MAX * 2 + 2] = "l";
    for (int i = 0; stage[i].name; i++)
        strcat(align, "rr");
    struct table *t = table_new(align);
    table_cell(t, "held out");
    for (int i = 0; stage[i].name; i++) {
        table_cell(t, "steps");
        table_cell(t, "%s", stage[i].name);
    }
    return t;
}

/* A workload by the fit to all the others. */
static bool validate(struct validation *v, const char *name, struct err *e)
{
    struct model_fit m;
    v->f->held = name;
    if (!fit(v->f, &m, e))
        return err_prefix(e, "without %s", name);
    table_cell(v->t, "%s", name);
    for (int i = 0; i < m.stages; i++) {
        const struct stage_fit *s = &m.stage[i];
        int steps;
        double rms = fit_rms(s->stage, m.coeff.value, &v->f->set, is_held, v->f, &steps);
        table_cell(v->t, "%d", steps);
        percent(v->t, rms);
        v->sum[i] += steps ? steps * rms * rms : 0;
        v->steps[i] += steps;
        if (s->idle)
            fprintf(v->notes, "without %s no step of %s depends on %s, which keeps its value\n",
                    name, s->stage->name, s->idle);
    }
    if (m.residuals.idle)
        fprintf(v->notes, "without %s no pair of degrees tells %s, which keeps its value\n", name,
                m.residuals.idle);
    fit_release(&m);
    return true;
}

/* The last row is over all steps of all workloads. What the others don't tell stays as it was, as
 * in compare --all. */
static bool cross_validate(struct fitting *f, struct output *out, struct err *e)
{
    const struct model_stage *stage = f->start.model->stages;
    char(*name)[128], *notes = NULL;
    size_t len;
    struct validation v = {
        .f = f, .t = validation_table(stage), .notes = open_memstream(&notes, &len)};
    const int names = workload_names(&f->set, &name);
    bool ok =
        names > 1 || err_set(e, "%s: only one workload, nothing to fit without it", f->o->from);
    for (int k = 0; ok && k < names; k++)
        ok = validate(&v, name[k], e);
    table_cell(v.t, "all");
    for (int i = 0; stage[i].name; i++) {
        table_cell(v.t, "%d", v.steps[i]);
        percent(v.t, sqrt(v.sum[i] / v.steps[i]));
    }
    fclose(v.notes);
    if (ok) {
        table_print(v.t, out->text);
        fprintf(out->text, "%s%s", *notes ? "\n" : "", notes);
    }
    table_free(v.t);
    free(notes);
    free(name);
    return ok;
}

static bool check(struct fitting *f, struct err *e)
{
    struct options *o = f->o;
    o->bad_usage = true;
    if (!o->from)
        return err_set(e, "fit wants --from FILE; `mdpredict profile` makes one");
    if (o->cross_validate && o->hold_out)
        return err_set(e, "--cross-validate and --hold-out exclude each other");
    if (o->cross_validate && strcmp(o->output, "-") != 0)
        return err_set(e, "--cross-validate makes no coefficients to write to -o %s", o->output);
    if (!ls_method_known(o->method, e))
        return false;
    o->bad_usage = false;
    return true;
}

static bool check_held(struct fitting *f, struct err *e)
{
    f->held = f->o->hold_out;
    for (int i = 0; f->held && i < f->set.count; i++)
        if (is_held(f, &f->set.one[i]))
            return true;
    return !f->held ||
           err_set(e, "%s has no workload[:SIZE], suite or size \"%s\"", f->o->from, f->held);
}

static bool run(struct options *o, struct err *e)
{
    struct fitting f = {.o = o};
    struct output out;
    if (!check(&f, e) || !forecast_model(o, &f.start, e))
        return false;
    bool ok = series_load(o->from, &f.set, e) && check_held(&f, e);
    if (ok) {
        ok = output_open(&out, o, e);
        ok = ok && (o->cross_validate ? cross_validate(&f, &out, e) : fit_once(&f, &out, e));
        ok = output_close(&out, ok, e);
    }
    series_release(&f.set);
    coefficients_release(&f.start);
    return ok;
}

const struct command command_fit = {
    .id = COMMAND_fit,
    .name = "fit",
    .args = "",
    .help = "Fit a model's coefficients to measured series",
    .text =
        "Prints how far off each stage's predicted growth is (root mean square, as a factor), and\n"
        "the coefficients with their standard errors; -o writes both and correlations to a file\n"
        "that --coefficients reads. A CSV file has the columns application, n, dram_reads (of a\n"
        "CTA), miss_rate, mf_latency, cta_cycles; cycles (of the GPU, over all launches), which\n"
        "stages that predict a whole kernel's time need; and what is known of the sample, by its\n"
        "JSON names. A stage whose coefficients are all held is not fitted.",
    .min_args = 0,
    .max_args = 0,
    .run = run,
};
