#include "model/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "model/bound.h"

const struct sample_row sample_rows[] = {
#define X(name, unit, help) {#name, unit, help, offsetof(struct sample, name), false},
    SAMPLE_FIELDS(X)
#undef X
#define X(name, unit, help) {#name, unit, help, offsetof(struct sample, name), true},
        SAMPLE_RECORD(X)
#undef X
            {NULL, NULL, NULL, 0, false}};

const struct sample_array sample_arrays[] = {
#define X(name, unit, help) {#name, unit, help, offsetof(struct sample, name), false},
    SAMPLE_ARRAYS(X)
#undef X
#define X(name, unit, help) {#name, unit, help, offsetof(struct sample, name), true},
        SAMPLE_RECORD_ARRAYS(X)
#undef X
            {NULL, NULL, NULL, 0, false}};

bool sample_searched(const struct sample *s)
{
    return s->warp_insts <= 0;
}

bool sample_whole(const struct sample *s)
{
    const int most = sample_degrees(s);
    bool all = sample_searched(s) && s->window_insts <= 0;
    for (int n = 1; n <= most; n++)
        all &= s->pilot_cycles[n - 1] > 0;
    return all;
}

static bool all_are(const struct sample *s, int n, bool (*is)(const struct sample *))
{
    for (int i = 0; i < n; i++)
        if (!is(&s[i]))
            return false;
    return true;
}

bool samples_searched(const struct sample *s, int n)
{
    return all_are(s, n, sample_searched);
}

bool samples_whole(const struct sample *s, int n)
{
    return all_are(s, n, sample_whole);
}

bool sample_leaves_out_waiting(const struct sample *s)
{
    return !sample_searched(s) && s->fewest_ctas > 0;
}

int sample_least(const struct sample *s)
{
    return (int)fmax(1, fmin(s->fewest_ctas, sample_degrees(s)));
}

bool sample_skipped(const struct sample *s, int n)
{
    return sample_whole(s) && n > sample_least(s) && n <= sample_degrees(s) &&
           s->pilot_cycles[n - 1] > 0 && s->pilot_insts[n - 1] <= 0;
}

static double search_seconds(const struct sample *s)
{
    const int most = sample_degrees(s);
    double sum = 0;
    int skipped = 0;
    for (int n = 1; n <= most; n++) {
        sum += s->pilot_seconds[n - 1];
        skipped += sample_skipped(s, n);
    }
    return sum * most / (most - skipped);
}

double samples_search_seconds(const struct sample *s, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += search_seconds(&s[i]);
    return sum;
}

int sample_degrees(const struct sample *s)
{
    const double share = ceil(sample_share(s) - 1e-9);
    return (int)fmax(1, fmin(fmin(share, s->n_max), SAMPLE_DEGREES));
}

double sample_share(const struct sample *s)
{
    return s->cores > 0 ? s->grid_ctas / s->cores : 0;
}

double sample_issue_limit(const struct sample *s)
{
    const double lanes = s->warp_insts > 0 ? s->thread_insts / s->warp_insts : 0;
    return fmin(s->cores, s->grid_ctas) * s->schedulers * lanes;
}

double sample_miss_rate(const struct sample *s)
{
    const double accesses = s->l1d_accesses + fmax(0, s->dram_reads - s->l1d_misses);
    if (s->l1d_lines <= 0)
        return 1;
    return accesses > 0 ? s->dram_reads / accesses : 0;
}

double sample_value(const struct sample *s, const struct sample_row *r)
{
    const void *at = (const char *)s + r->off;
    return *(const double *)at;
}

const double *sample_values(const struct sample *s, const struct sample_array *a)
{
    const void *at = (const char *)s + a->off;
    return at;
}

bool sample_bounds_ok(const struct sample *s)
{
    for (int i = 0; i < SAMPLE_DEGREES; i++)
        if (bound_of_number(s->pilot_bound[i]) != s->pilot_bound[i])
            return false;
    return true;
}

int sample_used(const struct sample *s, const struct sample_array *a)
{
    const double *v = sample_values(s, a);
    int n = SAMPLE_DEGREES;
    while (n && v[n - 1] == 0)
        n--;
    return n;
}

char *sample_array_text(const struct sample *s, const struct sample_array *a)
{
    const double *v = sample_values(s, a);
    const int n = sample_used(s, a);
    char *text = xcalloc((size_t)n + 1, NUM_TEXT + 1), *at = text, one[NUM_TEXT];
    for (int i = 0; i < n; i++) {
        num_text(v[i], one);
        char *whole = strstr(one, ".0"); /* counts, mostly: "12", not "12.0" */
        if (whole && !whole[2])
            *whole = 0;
        at = stpcpy(stpcpy(at, i ? " " : ""), one);
    }
    return text;
}

bool sample_array_read(struct sample *s, const struct sample_array *a, const char *text)
{
    void *to = (char *)s + a->off;
    double *v = to;
    int n = 0;
    memset(v, 0, (size_t)SAMPLE_DEGREES * sizeof *v);
    char *copy = xstrdup(text), *rest = copy;
    bool ok = true;
    for (char *one; ok && (one = strsep(&rest, " "));)
        if (*one)
            ok = n < SAMPLE_DEGREES && num_real(one, &v[n++]);
    free(copy);
    return ok;
}
