/* `mdpredict fit --from CSV`: what every model's stages need fits in a file. */
#include "base/num.h"
#include "tests/fitter/synthetic.h"
#include "tests/suite.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/t_fit_csv.XXXXXX";

/* An empty cell: not measured. */
static void put(FILE *out, double v)
{
    char text[NUM_TEXT];
    fprintf(out, ",%s", v > 0 ? num_text(v, text) : "");
}

static bool is_state(const char *name)
{
    bool found = false;
    for (const struct series_column *c = series_columns; c->name; c++)
        found |= strcmp(c->name, name) == 0;
    return found;
}

static void write_heading(FILE *out)
{
    fputs("application,n", out);
    for (const struct series_column *c = series_columns; c->name; c++)
        fprintf(out, ",%s", c->name);
    for (const struct sample_row *r = sample_rows; r->name; r++)
        if (!is_state(r->name))
            fprintf(out, ",%s", r->name);
    for (const struct sample_array *a = sample_arrays; a->name; a++)
        fprintf(out, ",%s", a->name);
    fputc('\n', out);
}

static void write_row(const struct series *s, int number, int n, FILE *out)
{
    fprintf(out, "k%d:small,%d", number, n);
    for (const struct series_column *c = series_columns; c->name; c++) {
        double v;
        memcpy(&v, (const char *)&s->at[n] + c->off, sizeof v);
        put(out, v);
    }
    for (const struct sample_row *r = sample_rows; r->name; r++)
        if (!is_state(r->name))
            put(out, sample_value(&s->sample, r));
    for (const struct sample_array *a = sample_arrays; a->name; a++) {
        char *text = sample_array_text(&s->sample, a);
        fprintf(out, ",%s", text);
        free(text);
    }
    fputc('\n', out);
}

static void write_series(const struct series_set *set, const char *path)
{
    FILE *out = fopen(path, "w");
    write_heading(out);
    for (int i = 0; i < set->count; i++)
        for (int n = 1; n <= set->one[i].n_max; n++)
            write_row(&set->one[i], i, n, out);
    fclose(out);
}

/* From the model's defaults: what is bundled comes from one profile or another. */
static int fit(const struct model_ops *m, const char *csv, const char *cfg)
{
    struct coefficients start;
    char *from = xasprintf("%s.start", cfg);
    FILE *out = fopen(from, "w");
    coefficients_init(&start, m);
    coefficients_write(&start, "", "", out);
    coefficients_release(&start);
    fclose(out);
    const char *mdpredict = getenv("MDPREDICT");
    char *command = xasprintf("%s fit --model %s --from %s --coefficients %s -o %s >/dev/null",
                              mdpredict ? mdpredict : "./mdpredict", m->name, csv, from, cfg);
    const int status = system(command);
    unlink(from);
    free(from);
    free(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect_same(const struct coefficients *truth, const struct model_ops *m,
                        const char *cfg)
{
    struct coefficients c;
    struct err e = {""};
    const bool ok = coefficients_load(&c, m, cfg, &e);
    CU_ASSERT_STRING_EQUAL(e.msg, "");
    if (!ok)
        return;
    for (const struct model_stage *s = m->stages; s->name; s++)
        for (const char *const *name = s->coeff; *name; name++)
            CU_ASSERT_DOUBLE_EQUAL(get(&c, *name), get(truth, *name), 1e-6);
    coefficients_release(&c);
}

static void every_models_coefficients_come_back_from_a_file(void)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    char *csv = xasprintf("%s/s.csv", folder), *cfg = xasprintf("%s/c.cfg", folder);
    for (int i = 0; model_at(i); i++) {
        const struct known *k = known_of(model_at(i));
        CU_ASSERT_PTR_NOT_NULL_FATAL(k);
        struct coefficients truth;
        k->truth(&truth);
        struct series_set set = k->series(&truth);
        write_series(&set, csv);
        CU_ASSERT_EQUAL(fit(k->model, csv, cfg), 0);
        expect_same(&truth, k->model, cfg);
        series_release(&set);
        coefficients_release(&truth);
    }
    unlink(csv);
    unlink(cfg);
    rmdir(folder);
    free(csv);
    free(cfg);
}

SUITE("fit from CSV", T(every_models_coefficients_come_back_from_a_file))
