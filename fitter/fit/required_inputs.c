#include "fitter/fit/required_inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step of which everything is 1. */
struct unit_step {
    struct sample sample;
    struct model_state before, now;
};

static double *number_at(void *record, size_t off)
{
    void *at = (char *)record + off;
    return at;
}

static void fill(struct sample *s, const struct sample_array *a, double v)
{
    for (int i = 0; i < SAMPLE_DEGREES; i++)
        number_at(s, a->off)[i] = v;
}

static struct unit_step *new_unit_step(void)
{
    struct unit_step *t = xcalloc(1, sizeof *t);
    for (const struct sample_row *r = sample_rows; r->name; r++)
        *number_at(&t->sample, r->off) = 1;
    for (const struct sample_array *a = sample_arrays; a->name; a++)
        fill(&t->sample, a, 1);
    t->before = t->now = (struct model_state){1, 1, 1, 1, 1};
    return t;
}

static bool gives_a_number(const struct model_stage *stage, const void *coeff,
                           const struct unit_step *t)
{
    const struct model_step step = {.sample = &t->sample,
                                    .part = &t->sample,
                                    .parts = 1,
                                    .before = &t->before,
                                    .now = &t->now,
                                    .n = 2};
    return isfinite(stage->observed(&step)) && isfinite(stage->predicted(coeff, &step));
}

static bool has_state(const struct series_set *set, const struct series_column *c)
{
    for (int i = 0; i < set->count; i++)
        for (int n = 1; n <= set->one[i].n_max; n++)
            if (isfinite(*number_at(&set->one[i].at[n], c->off)))
                return true;
    return false;
}

static bool has_field(const struct series_set *set, const struct sample_row *r)
{
    for (int i = 0; i < set->count; i++)
        if (sample_value(&set->one[i].sample, r) != 0)
            return true;
    return false;
}

static bool has_list(const struct series_set *set, const struct sample_array *a)
{
    for (int i = 0; i < set->count; i++)
        if (sample_used(&set->one[i].sample, a) > 0)
            return true;
    return false;
}

static void name_it(FILE *out, const char *name)
{
    fprintf(out, "%s%s", ftell(out) > 0 ? ", " : "", name);
}

char *required_missing(const struct model_stage *stage, const void *coeff,
                       const struct series_set *set)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    struct unit_step *t = new_unit_step();
    for (const struct series_column *c = series_columns; c->name; c++) {
        *number_at(&t->before, c->off) = *number_at(&t->now, c->off) = NAN;
        if (!gives_a_number(stage, coeff, t) && !has_state(set, c))
            name_it(out, c->name);
        *number_at(&t->before, c->off) = *number_at(&t->now, c->off) = 1;
    }
    for (const struct sample_row *r = sample_rows; r->name; r++) {
        *number_at(&t->sample, r->off) = 0;
        if (!gives_a_number(stage, coeff, t) && !has_field(set, r))
            name_it(out, r->name);
        *number_at(&t->sample, r->off) = 1;
    }
    for (const struct sample_array *a = sample_arrays; a->name; a++) {
        fill(&t->sample, a, 0);
        if (!gives_a_number(stage, coeff, t) && !has_list(set, a))
            name_it(out, a->name);
        fill(&t->sample, a, 1);
    }
    fclose(out);
    free(t);
    return text;
}

bool required_measured(const struct model_stage *stage, const void *coeff,
                       const struct model_step *step)
{
    if (isfinite(stage->predicted(coeff, step)))
        return true;
    struct unit_step *t = new_unit_step();
    struct model_step as_if = *step;
    as_if.sample = as_if.part = &t->sample;
    as_if.parts = 1;
    const bool measured = isfinite(stage->predicted(coeff, &as_if));
    free(t);
    return measured;
}
