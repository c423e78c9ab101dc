#include "fitter/fit/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "fitter/store/profile.h"

static struct series *new_series(struct series_set *set, const char *application)
{
    set->one = xgrow(set->one, (size_t)set->count, sizeof *set->one);
    struct series *s = memset(&set->one[set->count++], 0, sizeof *s);
    snprintf(s->application, sizeof s->application, "%s", application);
    for (int n = 0; n <= MODEL_N_MAX; n++)
        s->at[n] = (struct model_state){NAN, NAN, NAN, NAN, NAN};
    return s;
}

/* A profile that is read. */
struct reading {
    struct series_set *set; /* borrowed */
    char setting[256];      /* of the last series */
    int settings;
};

/* Numbered from 1 on. */
static int setting_of(struct reading *r, const struct profile_input *in)
{
    char last[sizeof r->setting];
    snprintf(last, sizeof last, "%s", r->setting);
    snprintf(r->setting, sizeof r->setting, "%s %lld %s %lld %s", in->config, (long long)in->seed,
             in->numbering, (long long)in->warps, in->target);
    r->settings += strcmp(r->setting, last) != 0;
    return r->settings;
}

static void on_sample(void *user, const struct profile_input *in, const struct sample *sample)
{
    struct reading *r = user;
    struct series_set *set = r->set;
    struct series *s = sample->part > 0 ? &set->one[set->count - 1] : new_series(set, in->target);
    snprintf(s->gpu, sizeof s->gpu, "%s", in->gpu);
    s->setting = setting_of(r, in);
    if (s->parts == 0 || sample->total_warp_insts > s->sample.total_warp_insts)
        s->sample = *sample;
    s->part = xgrow(s->part, (size_t)s->parts, sizeof *s->part);
    s->part[s->parts++] = *sample;
}

static void on_run(void *user, const struct profile_input *in, struct profile_run run,
                   const struct profile_kernel *k)
{
    const struct reading *r = user;
    struct series *s = &r->set->one[r->set->count - 1];
    const int n = run.n;
    (void)in;
    if (n > MODEL_N_MAX || run.perturbation != 0)
        return;
    if (k->kernel_n != n) { /* the kernel's own limit is lower */
        s->beyond[n] = (double)k->stats.cycles;
        return;
    }
    s->at[n] = (struct model_state){.dram_reads = stats_rate(&k->stats, RATE_dram_reads_per_cta),
                                    .miss_rate = stats_rate(&k->stats, RATE_miss_rate),
                                    .mf_latency = stats_rate(&k->stats, RATE_mf_latency),
                                    .cta_cycles = stats_rate(&k->stats, RATE_cta_cycles),
                                    .cycles = (double)k->stats.cycles};
    s->n_max = n > s->n_max ? n : s->n_max;
}

bool series_profile(struct profile *p, struct series_set *out, struct err *e)
{
    struct reading r = {.set = out};
    const struct profile_visitor v = {.sample = on_sample, .run = on_run, .user = &r};
    *out = (struct series_set){0};
    if (profile_walk(p, &v, e))
        return true;
    series_release(out);
    return false;
}

static bool from_profile(const char *path, struct series_set *out, struct err *e)
{
    struct profile *p = profile_open(path, false, e);
    bool ok = p && series_profile(p, out, e);
    profile_close(p);
    return ok;
}

const struct series_column series_columns[SERIES_COLUMNS + 1] = {
    {"dram_reads", offsetof(struct model_state, dram_reads), false, true},
    {"miss_rate", offsetof(struct model_state, miss_rate), false, true},
    {"mf_latency", offsetof(struct model_state, mf_latency), false, true},
    {"cta_cycles", offsetof(struct model_state, cta_cycles), false, false},
    {"cycles", offsetof(struct model_state, cycles), true, false},
    {NULL, 0, false, false}};

static double *number_at(void *record, size_t off)
{
    void *at = (char *)record + off;
    return at;
}

static bool optional_number(const struct csv_table *t, int row, int column, double *out,
                            struct err *e)
{
    return column < 0 || !*csv_text(t, row, column) || csv_number(t, row, column, out, e);
}

static bool csv_arrays(const struct csv_table *t, int row, struct sample *s, struct err *e)
{
    for (const struct sample_array *a = sample_arrays; a->name; a++) {
        int column = csv_find(t, a->name);
        if (column >= 0 && !sample_array_read(s, a, csv_text(t, row, column)))
            return csv_err(t, row, e, "%s: at most %d numbers are wanted, not \"%s\"", a->name,
                           SAMPLE_DEGREES, csv_text(t, row, column));
        for (int i = 0; i < SAMPLE_DEGREES; i++)
            if (sample_values(s, a)[i] < 0)
                return csv_err(t, row, e, "%s: %g can't be negative", a->name,
                               sample_values(s, a)[i]);
    }
    return true;
}

static bool is_state(const char *name)
{
    for (const struct series_column *c = series_columns; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return true;
    return false;
}

static bool csv_sample(const struct csv_table *t, int row, struct sample *s, struct err *e)
{
    int kernel = csv_find(t, "kernel");
    if (kernel >= 0)
        snprintf(s->kernel, sizeof s->kernel, "%s", csv_text(t, row, kernel));
    for (const struct sample_row *r = sample_rows; r->name; r++) {
        double *v = number_at(s, r->off);
        if (!is_state(r->name) && !optional_number(t, row, csv_find(t, r->name), v, e))
            return false;
        if (*v < 0)
            return csv_err(t, row, e, "%s is %g; it can't be negative", r->name, *v);
    }
    return csv_arrays(t, row, s, e);
}

/* What was measured with one CTA a core is the sample's too. */
static void sample_alone(struct series *s)
{
    for (const struct series_column *c = series_columns; c->name; c++)
        for (const struct sample_row *r = sample_rows; r->name; r++) {
            const double v = *number_at(&s->at[1], c->off);
            if (strcmp(c->name, r->name) == 0 && isfinite(v))
                *number_at(&s->sample, r->off) = v;
        }
}

static bool csv_n(const struct csv_table *t, int row, int column, int *out, struct err *e)
{
    double n;
    if (!csv_number(t, row, column, &n, e))
        return false;
    *out = (int)n;
    return (n >= 1 && n <= MODEL_N_MAX && n == floor(n)) ||
           csv_err(t, row, e, "n is %g; allowed: 1..%d", n, MODEL_N_MAX);
}

static bool csv_state(const struct csv_table *t, int row, const int *column, int n,
                      struct series *s, struct err *e)
{
    for (int i = 0; i < SERIES_COLUMNS; i++) {
        const struct series_column *c = &series_columns[i];
        double *v = number_at(&s->at[n], c->off);
        if (!optional_number(t, row, column[i], v, e))
            return false;
        if (*v < 0 || (*v == 0 && !c->zero))
            return csv_err(t, row, e, "%s is %g; it can't be %s", c->name, *v,
                           *v < 0 ? "negative" : "0");
    }
    if (n == 1)
        sample_alone(s);
    s->has[n] = true;
    s->n_max = n > s->n_max ? n : s->n_max;
    return true;
}

/* The last series of the row's application and kernel, unless that has this n: then another one
 * begins, in another setting. NULL: it does. */
static struct series *series_of(const struct csv_table *t, int row, int application, int n,
                                const struct series_set *set)
{
    const int kernel = csv_find(t, "kernel");
    for (int i = set->count - 1; i >= 0; i--) {
        struct series *s = &set->one[i];
        if (strncmp(s->application, csv_text(t, row, application), sizeof s->application - 1) ==
                0 &&
            (kernel < 0 ||
             strncmp(s->sample.kernel, csv_text(t, row, kernel), sizeof s->sample.kernel - 1) == 0))
            return s->has[n] ? NULL : s;
    }
    return NULL;
}

static bool csv_row(const struct csv_table *t, int row, const int *column, struct series_set *set,
                    struct err *e)
{
    int n;
    if (!csv_n(t, row, column[1], &n, e))
        return false;
    struct series *s = series_of(t, row, column[0], n, set);
    if (!s) {
        s = new_series(set, csv_text(t, row, column[0]));
        if (!csv_sample(t, row, &s->sample, e))
            return false;
    }
    return csv_state(t, row, column + 2, n, s, e);
}

static bool from_csv(const char *path, struct series_set *out, struct err *e)
{
    struct csv_table *t = csv_load(path, e);
    int column[2 + SERIES_COLUMNS];
    if (t && csv_find(t, "application") < 0 && csv_find(t, "config") >= 0) {
        csv_table_free(t);
        return err_set(e, "%s: a profile's table, not series; `mdpredict import` reads it", path);
    }
    bool ok = t && csv_need(t, "application", &column[0], e) && csv_need(t, "n", &column[1], e);
    for (int i = 0; ok && i < SERIES_COLUMNS; i++) {
        column[2 + i] = csv_find(t, series_columns[i].name);
        ok = series_columns[i].optional || csv_need(t, series_columns[i].name, &column[2 + i], e);
    }
    for (int row = 0; ok && row < csv_rows(t); row++)
        ok = csv_row(t, row, column, out, e);
    csv_table_free(t);
    return ok;
}

bool series_load(const char *path, struct series_set *out, struct err *e)
{
    size_t len = strlen(path);
    bool csv = len > 4 && strcmp(path + len - 4, ".csv") == 0;
    *out = (struct series_set){0};
    bool ok = csv ? from_csv(path, out, e) : from_profile(path, out, e);
    if (ok && out->count == 0)
        ok = err_set(e, "%s: nothing was measured there", path);
    if (!ok)
        series_release(out);
    return ok;
}

void series_release(struct series_set *s)
{
    for (int i = 0; i < s->count; i++)
        free(s->one[i].part);
    free(s->one);
    *s = (struct series_set){0};
}

const char *series_workload(const struct series *s, char buf[128])
{
    snprintf(buf, 128, "%.*s", (int)strcspn(s->application, ":"), s->application);
    return buf;
}

const char *series_size(const struct series *s)
{
    const size_t name = strcspn(s->application, ":");
    return s->application + name + (s->application[name] == ':');
}

int series_filled(const struct series *s, int most)
{
    const struct sample *k = &s->sample;
    return k->grid_ctas <= 0 || k->cores <= 0 ? most
                                              : (int)fmin(most, ceil(k->grid_ctas / k->cores));
}

bool series_step(const struct series *s, int n, struct model_step *out)
{
    const struct sample *k = &s->sample;
    const bool filled = series_filled(s, n) == n;
    *out = (struct model_step){
        .sample = k, .part = s->parts ? s->part : k, .parts = s->parts ? s->parts : 1, .n = n};
    if (n < 1 || n > s->n_max || !filled)
        return false;
    out->before = &s->at[n - 1]; /* of n = 1: nothing was measured */
    out->now = &s->at[n];
    return true;
}
