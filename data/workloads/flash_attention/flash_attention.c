/* flash_attention -- causal attention in single precision, tile by tile (Dao and others, NeurIPS
 * 2022): CTAs of 128 threads, 32 queries each, that read keys and values in tiles of 16. Later
 * queries see more keys, so that CTAs differ in length. */
#include "data/workloads/host.h"

#include <math.h>

#define HEAD    64
#define TILE    32 /* queries of a CTA */
#define KEYS    16 /* at a time */
#define THREADS 128
#define U       0x1p-24

struct attention {
    int heads, tokens;
    float *q, *k, *v, *out; /* [heads][tokens][HEAD] */
    double scale, *score;   /* of a query, [tokens] */
};

/* Scores of a query at q against keys at k; the most that one may be off: HEAD + 3 roundings of the
 * products' magnitudes. */
static double scores(const struct attention *a, const float *q, const float *k, double *score,
                     int keys)
{
    double most = 0.0;
    for (int j = 0; j < keys; j++) {
        double sum = 0.0, size = 0.0;
        for (int i = 0; i < HEAD; i++) {
            const double term = (double)q[i] * (double)k[j * HEAD + i];
            sum += term;
            size += fabs(term);
        }
        score[j] = sum * a->scale;
        most = fmax(most, size * a->scale * (HEAD + 3) * U);
    }
    return most;
}

/* One query's output, and how far off the device may be. A weight is relatively off by its score's
 * error and the largest's, and by its own exponential and one a tile: 2 + 1.173 |d| units in the
 * last place each (CUDA C++ Programming Guide, __expf; the d of all add up to no more than twice
 * the scores' range), and half a unit for the rounding of d. Sums round once a key and once a tile.
 */
static void reference_query(const struct attention *a, size_t head, int at, double *y, double *off)
{
    double *score = a->score, sum = 0.0, size[HEAD] = {0.0}, low = INFINITY, high = -INFINITY;
    const float *v = a->v + head;
    const double score_off = scores(a, a->q + head + at * HEAD, a->k + head, score, at + 1);
    for (int j = 0; j <= at; j++) {
        low = fmin(low, score[j]);
        high = fmax(high, score[j]);
    }
    for (int j = 0; j <= at; j++) {
        const double p = exp(score[j] - high);
        sum += p;
        for (int i = 0; i < HEAD; i++) {
            y[i] += p * (double)v[j * HEAD + i];
            size[i] += p * fabs((double)v[j * HEAD + i]);
        }
    }
    const double tiles = (at / TILE + 1) * (TILE / KEYS);
    const double weight_off =
        2.0 * score_off + 2.0 * U * (2.0 * (tiles + 1.0) + 1.673 * 2.0 * (high - low));
    for (int i = 0; i < HEAD; i++) {
        y[i] /= sum;
        off[i] = 2.0 * size[i] / sum * (weight_off + (KEYS * tiles + tiles + 2.0) * U);
    }
}

static bool check(struct host *h, const struct attention *a, struct err *e)
{
    const size_t head = (size_t)a->tokens * HEAD, all = (size_t)a->heads * head;
    double *y = host_new(h, all, sizeof *y), *off = host_new(h, all, sizeof *off);
    for (size_t from = 0; from < all; from += head)
        for (int at = 0; at < a->tokens; at++) {
            const size_t i = from + (size_t)at * HEAD;
            reference_query(a, from, at, y + i, off + i);
        }
    return host_near(h, &(struct host_floats){"out", a->out, y, off, all, 1.01}, e);
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct attention a = {.heads = (int)p[0], .tokens = (int)p[1], .scale = 1.0 / sqrt(HEAD)};
    const size_t all = (size_t)a.heads * (size_t)a.tokens * HEAD, bytes = all * sizeof(float);
    a.q = host_random_floats(h, all, -2.0, 2.0);
    a.k = host_random_floats(h, all, -2.0, 2.0);
    a.v = host_random_floats(h, all, -1.0, 1.0);
    a.out = host_new(h, all, sizeof *a.out);
    a.score = host_new(h, (size_t)a.tokens, sizeof *a.score);
    float scale = (float)a.scale;
    CUfunction kernel;
    CUdeviceptr out, q, k, v;
    struct host_grid ctas = {(unsigned)(a.tokens / TILE), (unsigned)a.heads, 1};
    if (!host_kernel(h, "flash_attention_tile", &kernel, e) || !host_array(&out, NULL, bytes, e) ||
        !host_array(&q, a.q, bytes, e) || !host_array(&k, a.k, bytes, e) ||
        !host_array(&v, a.v, bytes, e))
        return false;
    void *args[] = {&out, &q, &k, &v, &a.tokens, &scale};
    if (!host_launch_grid(kernel, ctas, (struct host_grid){THREADS, 1, 1}, args, e))
        return false;
    TRY(cuMemcpyDtoH(a.out, out, bytes));
    return !h->in->verify || check(h, &a, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_flash_attention_ptx[];
extern const struct workload workload_flash_attention;
const struct workload workload_flash_attention = {
    .name = "flash_attention",
    .suite = "modern",
    .title = "causal attention, tiles of keys in shared memory",
    .paper_class = "compute-intensive",
    .size = {{"small", {4, 64}, "4 heads, 64 tokens"},
             {"medium", {32, 128}, "32 heads, 128 tokens"},
             {"paper", {12, 1024}, "12 heads, 1024 tokens (GPT-2)"}},
    .ptx = workload_flash_attention_ptx,
    .run = run,
};
