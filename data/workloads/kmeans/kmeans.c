/* kmeans -- clustering by k-means (Rodinia's kmeans: Kayiran 2013, Table II; Park 2015, Table 2).
 * The points come as a table of feature vectors and are transposed once; then, until no more than
 * one point in 1000 changes its cluster, the device finds each point's nearest centre and the host
 * moves every centre to the mean of its points.
 *
 * Points lie around as many random places as there are clusters, with a spread that makes clusters
 * overlap; the first points are the first centres. */
#include "data/workloads/host.h"

#include <math.h>
#include <string.h>

#define CTA          256
#define CENTRE_WORDS 4096 /* of kmeans_centre in kmeans.cu */
#define SPREAD       0.25 /* of a feature around its cluster's place; places lie in 0 .. 1 */

struct clustering {
    int points, features, clusters, rounds; /* rounds: at most */
    float *by_point, *by_feature, *centre;  /* centre[cluster][feature] */
    int *nearest, *found;                   /* of the last round, and of this one */
};

static void make_points(struct host *h, struct clustering *c)
{
    size_t f = (size_t)c->features;
    float *place = host_random_floats(h, (size_t)c->clusters * f, 0.0, 1.0);
    c->by_point = host_new(h, (size_t)c->points * f, sizeof *c->by_point);
    for (size_t p = 0; p < (size_t)c->points; p++) {
        size_t at = rng_below(&h->rng, (uint64_t)c->clusters);
        for (size_t i = 0; i < f; i++)
            c->by_point[p * f + i] =
                (float)((double)place[at * f + i] + SPREAD * rng_normal(&h->rng));
    }
}

static double distance2(const struct clustering *c, int point, int cluster)
{
    const float *p = c->by_point + (size_t)point * (size_t)c->features;
    const float *q = c->centre + (size_t)cluster * (size_t)c->features;
    double sum = 0.0;
    for (int i = 0; i < c->features; i++)
        sum += ((double)p[i] - (double)q[i]) * ((double)p[i] - (double)q[i]);
    return sum;
}

/* The chosen centre's distance is the least one, or as good as. All terms of a distance are
 * positive: its relative error is at most (features + 2) units of 2^-24 (difference twice, square,
 * sum), and two distances are compared. */
static bool check_nearest(const struct clustering *c, struct err *e)
{
    double slack = 1.0 + 2 * (c->features + 2) * 0x1p-24 * 1.001;
    for (int p = 0; p < c->points; p++) {
        double least = INFINITY;
        for (int k = 0; k < c->clusters; k++)
            least = fmin(least, distance2(c, p, k));
        int k = c->found[p];
        if (k < 0 || k >= c->clusters || distance2(c, p, k) > least * slack)
            return err_set(e, "kmeans: nearest[%d] is %d, expected a centre as near as any", p, k);
    }
    return true;
}

static bool check_transposed(const struct clustering *c, CUdeviceptr by_feature, struct err *e)
{
    size_t points = (size_t)c->points, features = (size_t)c->features;
    TRY(cuMemcpyDtoH(c->by_feature, by_feature, points * features * sizeof *c->by_feature));
    for (size_t i = 0; i < points * features; i++) {
        float found = c->by_feature[i], expected = c->by_point[i % points * features + i / points];
        if (found != expected)
            return err_set(e, "kmeans: by_feature[%zu] is %g, expected %g", i, (double)found,
                           (double)expected);
    }
    return true;
}

/* Every centre to the mean of its points; one without points stays. Returns how many points changed
 * their cluster. */
static int move_centres(struct host *h, struct clustering *c)
{
    size_t f = (size_t)c->features;
    double *sum = host_new(h, (size_t)c->clusters * f, sizeof *sum);
    int *members = host_new(h, (size_t)c->clusters, sizeof *members), changed = 0;
    for (size_t p = 0; p < (size_t)c->points; p++) {
        size_t k = (size_t)c->found[p];
        changed += c->found[p] != c->nearest[p];
        members[k]++;
        for (size_t i = 0; i < f; i++)
            sum[k * f + i] += (double)c->by_point[p * f + i];
    }
    memcpy(c->nearest, c->found, (size_t)c->points * sizeof *c->found);
    for (size_t i = 0; i < (size_t)c->clusters * f; i++)
        if (members[i / f])
            c->centre[i] = (float)(sum[i] / members[i / f]);
    return changed;
}

static bool run_on_device(struct host *h, struct clustering *c, struct err *e)
{
    size_t points = (size_t)c->points, bytes = points * (size_t)c->features * sizeof(float);
    unsigned threads = host_threads(h, CTA), ctas = host_ctas(points, threads);
    CUfunction transpose, nearest;
    CUdeviceptr by_point, by_feature, found;
    if (!host_kernel(h, "kmeans_transpose", &transpose, e) ||
        !host_kernel(h, "kmeans_nearest", &nearest, e) ||
        !host_array(&by_point, c->by_point, bytes, e) || !host_array(&by_feature, NULL, bytes, e) ||
        !host_array(&found, NULL, points * sizeof(int), e))
        return false;
    void *transpose_args[] = {&by_feature, &by_point, &c->points, &c->features};
    void *nearest_args[] = {&found, &by_feature, &c->points, &c->features, &c->clusters};
    if (!host_launch(transpose, ctas, threads, transpose_args, e) ||
        (h->in->verify && !check_transposed(c, by_feature, e)))
        return false;
    for (int round = 0, changed = c->points; round < c->rounds && changed > c->points / 1000;
         round++) {
        if (!host_symbol(h, "kmeans_centre", c->centre,
                         (size_t)(c->clusters * c->features) * sizeof *c->centre, e) ||
            !host_launch(nearest, ctas, threads, nearest_args, e))
            return false;
        TRY(cuMemcpyDtoH(c->found, found, points * sizeof(int)));
        if (h->in->verify && !check_nearest(c, e))
            return false;
        changed = move_centres(h, c);
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct clustering c = {
        .points = (int)p[0], .features = (int)p[1], .clusters = (int)p[2], .rounds = (int)p[3]};
    size_t all = (size_t)c.points * (size_t)c.features;
    make_points(h, &c);
    c.by_feature = host_new(h, all, sizeof *c.by_feature);
    c.centre = host_new(h, CENTRE_WORDS, sizeof *c.centre);
    memcpy(c.centre, c.by_point, (size_t)(c.clusters * c.features) * sizeof *c.centre);
    c.nearest = host_new(h, (size_t)c.points, sizeof *c.nearest);
    c.found = host_new(h, (size_t)c.points, sizeof *c.found);
    return run_on_device(h, &c, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_kmeans_ptx[];
extern const struct workload workload_kmeans;
const struct workload workload_kmeans = {
    .name = "kmeans",
    .suite = "Kayiran, Park",
    .title = "clustering: transposition, nearest centre of each point",
    .paper_class = "memory-intensive",
    .size = {{"small", {11520, 10, 5, 3}, "11520 points of 10 features, 5 clusters, 3 rounds"},
             {"medium", {61440, 34, 5, 4}, "61440 points of 34 features, 5 clusters, 4 rounds"},
             {"paper", {494020, 34, 5, 3}, "494020 points of 34 features (KDD Cup), 3 rounds"}},
    .any_warps = true,
    .ptx = workload_kmeans_ptx,
    .run = run,
};
