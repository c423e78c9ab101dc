/* ssc -- similarity scores of documents by MapReduce (SSC of Kayiran 2013, Table II; He and others,
 * PACT 2008): the cosine between the feature vectors of every two documents, the most similar pairs
 * first. A thread a pair; neighbouring threads read rows of features that are a row apart.
 *
 * A document is about one of a few topics: its words are drawn by Zipf's law from the topic's own
 * order of the features. Features are counts of words, so that sums of their products are exact in
 * single precision; the reference gives the rows length 1 and multiplies them, in double. */
#include "data/workloads/mars.h"

#include <math.h>

#define TOPICS 8

struct documents {
    int n, features, pairs;
    float *count;       /* n rows of features */
    unsigned (*two)[2]; /* all pairs */
};

/* Zipf: rank r has the weight 1 / r; drawn by the integral of 1 / x. */
static int zipf(struct host *h, int n)
{
    const int rank = (int)exp(rng_unit(&h->rng) * log((double)n));
    return rank < n ? rank : n - 1;
}

static struct documents make_documents(struct host *h)
{
    const long *p = h->in->size->param;
    struct documents d = {.n = (int)p[0], .features = (int)p[1]};
    const size_t features = (size_t)d.features;
    int *order = host_new(h, TOPICS * features, sizeof *order);
    d.count = host_new(h, (size_t)d.n * features, sizeof *d.count);
    d.two = host_new(h, (size_t)d.n * (size_t)(d.n - 1) / 2, sizeof *d.two);
    for (int t = 0; t < TOPICS; t++) {
        for (int f = 0; f < d.features; f++)
            order[t * d.features + f] = f;
        rng_shuffle(&h->rng, order + t * d.features, features, sizeof *order);
    }
    for (int i = 0; i < d.n; i++) {
        const int *topic = order + rng_below(&h->rng, TOPICS) * features;
        for (int64_t words = rng_between(&h->rng, 100, 400); words > 0; words--)
            d.count[i * d.features + topic[zipf(h, d.features)]] += 1.0f;
        for (int j = 0; j < i; j++, d.pairs++) {
            d.two[d.pairs][0] = (unsigned)i;
            d.two[d.pairs][1] = (unsigned)j;
        }
    }
    return d;
}

struct result { /* as sorted, and by their index */
    struct mars_pair *sorted;
    float *score;
    unsigned (*two)[2];
};

static bool run_on_device(struct host *h, struct documents *d, struct result *r, struct err *e)
{
    struct mars m = mars_of(h, host_threads(h, (unsigned)h->in->size->param[2]));
    const size_t n = (size_t)d->pairs, row = (size_t)d->features * sizeof(float);
    int keys;
    CUdeviceptr input, values, feature;
    mars_begin(&m, d->pairs);
    void *count[] = {&m.key_at, &m.n};
    if (!host_array(&feature, d->count, (size_t)d->n * row, e) ||
        !host_array(&input, d->two, n * sizeof *d->two, e) ||
        !host_array(&values, NULL, n * sizeof *d->two, e) ||
        !host_array(&m.key_at, NULL, (n + 1) * sizeof(unsigned), e) ||
        !mars_launch(&m, "map_count", n, count, e) || !mars_scan(&m, m.key_at, m.n, &keys, e))
        return false;
    if (h->in->verify && keys != d->pairs)
        return err_set(e, "ssc: %d keys, expected %d", keys, d->pairs);
    if (!mars_pairs(&m, d->pairs, e))
        return false;
    void *map[] = {&m.pairs, &m.keys,      &values, &m.key_at, &input,
                   &feature, &d->features, &m.n,    &m.padded};
    if (!mars_launch(&m, "map", m.padded, map, e) || !mars_sort(&m, e))
        return false;
    TRY(cuMemcpyDtoH(r->sorted, m.pairs, n * sizeof *r->sorted));
    TRY(cuMemcpyDtoH(r->score, m.keys, n * sizeof *r->score));
    TRY(cuMemcpyDtoH(r->two, values, n * sizeof *r->two));
    return true;
}

static double *unit_rows(struct host *h, const struct documents *d)
{
    double *unit = host_new(h, (size_t)d->n * (size_t)d->features, sizeof *unit);
    for (int i = 0; i < d->n; i++) {
        const float *row = d->count + i * d->features;
        double squares = 0.0;
        for (int f = 0; f < d->features; f++)
            squares += (double)row[f] * row[f];
        for (int f = 0; f < d->features; f++)
            unit[i * d->features + f] = row[f] / sqrt(squares);
    }
    return unit;
}

/* Product, root and quotient are rounded once each: below 2 units in the last place. */
static bool check_scores(struct host *h, const struct documents *d, const struct result *r,
                         struct err *e)
{
    const double *unit = unit_rows(h, d);
    double *expected = host_new(h, (size_t)d->pairs, sizeof *expected);
    for (int i = 0; i < d->pairs; i++) {
        const double *a = unit + d->two[i][0] * (size_t)d->features;
        const double *b = unit + d->two[i][1] * (size_t)d->features;
        for (int f = 0; f < d->features; f++)
            expected[i] += a[f] * b[f];
    }
    return host_near(h,
                     &(struct host_floats){.what = "score",
                                           .found = r->score,
                                           .expected = expected,
                                           .size = expected,
                                           .n = (size_t)d->pairs,
                                           .tolerance = 0x1p-22},
                     e);
}

/* Each pair once, with its value, and none after a less similar one. */
static bool check_order(struct host *h, const struct documents *d, const struct result *r,
                        struct err *e)
{
    bool *seen = host_new(h, (size_t)d->pairs, sizeof *seen);
    for (int i = 0; i < d->pairs; i++) {
        const unsigned at = r->sorted[i].index;
        if (at >= (unsigned)d->pairs || seen[at])
            return err_set(e, "ssc: place %d has pair %u, expected each of %d once", i, at,
                           d->pairs);
        seen[at] = true;
        if (r->two[at][0] != d->two[at][0] || r->two[at][1] != d->two[at][1])
            return err_set(e, "ssc: pair %u is of documents %u and %u, expected %u and %u", at,
                           r->two[at][0], r->two[at][1], d->two[at][0], d->two[at][1]);
        const float before = i ? r->score[r->sorted[i - 1].index] : 2.0f;
        if (r->score[at] > before)
            return err_set(e, "ssc: place %d has score %g, expected at most %g", i,
                           (double)r->score[at], (double)before);
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct documents d = make_documents(h);
    const size_t n = (size_t)d.pairs;
    struct result r = {.sorted = host_new(h, n, sizeof *r.sorted),
                       .score = host_new(h, n, sizeof *r.score),
                       .two = host_new(h, n, sizeof *r.two)};
    return run_on_device(h, &d, &r, e) &&
           (!h->in->verify || (check_scores(h, &d, &r, e) && check_order(h, &d, &r, e)));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_ssc_ptx[];
extern const struct workload workload_ssc;
const struct workload workload_ssc = {
    .name = "ssc",
    .suite = "Kayiran",
    .title = "similarity scores of documents by MapReduce: map, sort",
    .paper_class = "memory-intensive",
    .size = {{"small", {40, 32, 64}, "40 documents of 32 features, CTAs of 64"},
             {"medium", {256, 128, 256}, "256 documents of 128 features"},
             {"paper", {512, 128, 256}, "512 documents of 128 features (Mars, small)"}},
    .any_warps = true,
    .ptx = workload_ssc_ptx,
    .run = run,
};
