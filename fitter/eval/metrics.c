#include "fitter/eval/metrics.h"

#include <math.h>
#include <stdlib.h>

#define EQUAL 1e-9 /* relative */

const struct metric_row metric_rows[] = {
#define X(name, help) {#name, help, offsetof(struct metrics, name)},
    METRIC_FIELDS(X)
#undef X
        {NULL, NULL, 0}};

static bool is_optimum(const struct measured *m, int n, double best)
{
    return n >= 1 && n <= m->n_max && m->ipc[n] >= best * (1 - EQUAL);
}

static double best_ipc(const struct measured *m)
{
    double best = 0;
    for (int n = 1; n <= m->n_max; n++)
        best = fmax(best, m->ipc[n]);
    return best;
}

int measured_optimum(const struct measured *m)
{
    const double best = best_ipc(m);
    int n = 1;
    while (!is_optimum(m, n, best))
        n++;
    return n;
}

static void add_interval(double predicted, double error, double simulated, struct evaluation *out)
{
    if (!(error > 0))
        return;
    out->interval_points++;
    out->inside += fabs(log(predicted / simulated)) <= MODEL_DEVIATIONS_80 * error;
}

static void add_error(double predicted, double simulated, double *sum, int *points)
{
    if (!(simulated > 0))
        return;
    *sum += fabs(predicted / simulated - 1);
    ++*points;
}

void metrics_evaluate(const struct measured *m, int n, double ipc,
                      const struct prediction *predicted, struct evaluation *out)
{
    const double best = best_ipc(m), deflt = m->ipc[m->n_max];
    *out = (struct evaluation){.has_n = n > 0,
                               .price = NAN,
                               .search_price = NAN,
                               .exact = is_optimum(m, n, best),
                               .kept = ipc / best,
                               .gain = ipc / deflt - 1,
                               .optimum_gain = best / deflt - 1};
    out->near = n > 0 && (out->exact || is_optimum(m, n - 1, best) || is_optimum(m, n + 1, best));
    for (int i = 1; predicted && i <= m->n_max; i++) {
        int at = i < predicted->n_max ? i : predicted->n_max;
        if (!predicted->simulated[at]) {
            add_error(predicted->ipc[at], m->ipc[i], &out->ipc_error, &out->ipc_points);
            add_interval(predicted->ipc[at], predicted->deviation[at], m->ipc[i], out);
        }
        add_error(predicted->dram_reads_per_cta[at], m->dram_reads_per_cta[i], &out->reads_error,
                  &out->reads_points);
    }
}

double geometric_mean(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += log(v[i]);
    return n ? exp(sum / n) : NAN;
}

struct tally {
    int with_n, exact, near;
};

static void count(struct tally *t, const struct evaluation *j)
{
    t->with_n += j->has_n;
    t->exact += j->exact;
    t->near += j->near;
}

/* Of the answers whose price is known, if they have one. */
static void by_price(const struct evaluation *const *j, int n, struct metrics *out)
{
    double *v = xcalloc((size_t)n + 1, 2 * sizeof *v), *search = v + n;
    int known = 0;
    out->price_worst = out->price_long = NAN;
    for (int i = 0; i < n; i++)
        if (j[i]->price > 0 && j[i]->search_price > 0) {
            v[known] = j[i]->price;
            search[known++] = j[i]->search_price;
            out->price_worst = fmax(out->price_worst, j[i]->price);
            if (j[i]->insts > METRICS_LONG)
                out->price_long = fmax(out->price_long, j[i]->price);
        }
    out->price = geometric_mean(v, known);
    out->search_price = geometric_mean(search, known);
    free(v);
}

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* Sums of what is told of the sensitive cases, and of the insensitive ones. */
static void by_curve(const struct evaluation *const *j, int n, struct metrics *out)
{
    struct tally t = {0};
    double gains = 0, optimum_gains = 0;
    out->sensitive = out->insensitive = 0;
    out->insensitive_loss = NAN;
    for (int i = 0; i < n; i++) {
        if (j[i]->optimum_gain > METRICS_SENSITIVE) {
            out->sensitive++;
            count(&t, j[i]);
            gains += j[i]->gain;
            optimum_gains += j[i]->optimum_gain;
        }
        if (j[i]->optimum_gain <= METRICS_INSENSITIVE) {
            out->insensitive++;
            out->insensitive_loss = fmax(out->insensitive_loss, fmax(0, -j[i]->gain));
        }
    }
    out->sensitive_exact = share(t.exact, t.with_n);
    out->sensitive_near = share(t.near, t.with_n);
    out->captured = share(gains, optimum_gains);
}

void metrics_of(const struct evaluation *const *j, int n, struct metrics *out, int *worst)
{
    struct tally t = {0};
    double *v = xcalloc((size_t)n + 1, 3 * sizeof *v), ipc_error = 0, reads_error = 0;
    double *gain = v + n, *optimum_gain = gain + n;
    int ipc_points = 0, reads_points = 0, intervals = 0, inside = 0, least = -1;
    for (int i = 0; i < n; i++) {
        v[i] = j[i]->kept;
        gain[i] = 1 + j[i]->gain;
        optimum_gain[i] = 1 + j[i]->optimum_gain;
        least = least < 0 || v[i] < v[least] ? i : least;
        count(&t, j[i]);
        ipc_error += j[i]->ipc_error;
        ipc_points += j[i]->ipc_points;
        intervals += j[i]->interval_points;
        inside += j[i]->inside;
        reads_error += j[i]->reads_error;
        reads_points += j[i]->reads_points;
    }
    *out = (struct metrics){.cases = n,
                            .kept = geometric_mean(v, n),
                            .worst = least < 0 ? NAN : v[least],
                            .gain = geometric_mean(gain, n) - 1,
                            .optimum_gain = geometric_mean(optimum_gain, n) - 1,
                            .exact = share(t.exact, t.with_n),
                            .near = share(t.near, t.with_n),
                            .ipc_error = share(ipc_error, ipc_points),
                            .inside = share(inside, intervals),
                            .reads_error = share(reads_error, reads_points)};
    by_curve(j, n, out);
    by_price(j, n, out);
    if (worst)
        *worst = least;
    free(v);
}
