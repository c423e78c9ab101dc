/* topk -- the k largest elements of each row and their places, a CTA of 256 threads a row: radix
 * selection with histograms in shared memory, then a sort of the k. The rows are scores of a
 * vocabulary's words, rounded as 16-bit numbers are, so that some are equal. */
#include "data/workloads/host.h"

#define CTA   256
#define STEPS 16 /* scores are multiples of 1 / STEPS */

struct rows {
    int rows, columns, k;
    float *x;     /* [rows][columns] */
    float *value; /* found: [rows][k] */
    int *index;
};

/* Bell-shaped, by a sum of three. */
static float score(struct host *h)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += rng_real(&h->rng, -8.0, 8.0);
    return (float)((double)(int)(sum * STEPS) / STEPS);
}

/* By insertion: element after element into the k best so far. */
static void reference_row(const struct rows *r, const float *x, double *value, int *index)
{
    int have = 0;
    for (int i = 0; i < r->columns; i++) {
        int at = have < r->k ? have++ : r->k;
        for (; at > 0 && value[at - 1] < (double)x[i]; at--)
            if (at < r->k) {
                value[at] = value[at - 1];
                index[at] = index[at - 1];
            }
        if (at < r->k) {
            value[at] = (double)x[i];
            index[at] = i;
        }
    }
}

static bool check(struct host *h, const struct rows *r, struct err *e)
{
    const size_t k = (size_t)r->k, columns = (size_t)r->columns, all = (size_t)r->rows * k;
    double *value = host_new(h, all, sizeof *value);
    int *index = host_new(h, all, sizeof *index);
    for (size_t i = 0; i < (size_t)r->rows; i++)
        reference_row(r, r->x + i * columns, value + i * k, index + i * k);
    return host_same_ints(h, "index", r->index, index, all, e) &&
           host_near(h, &(struct host_floats){"value", r->value, value, NULL, all, 0.0}, e);
}

static bool run_on_device(struct host *h, struct rows *r, struct err *e)
{
    const size_t all = (size_t)r->rows * (size_t)r->columns, best = (size_t)r->rows * (size_t)r->k;
    CUfunction kernel;
    CUdeviceptr x, value, index;
    if (!host_kernel(h, "topk_rows", &kernel, e) || !host_array(&x, r->x, all * sizeof *r->x, e) ||
        !host_array(&value, NULL, best * sizeof *r->value, e) ||
        !host_array(&index, NULL, best * sizeof *r->index, e))
        return false;
    void *args[] = {&value, &index, &x, &r->columns, &r->k};
    if (!host_launch(kernel, (unsigned)r->rows, host_threads(h, CTA), args, e))
        return false;
    TRY(cuMemcpyDtoH(r->value, value, best * sizeof *r->value));
    TRY(cuMemcpyDtoH(r->index, index, best * sizeof *r->index));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct rows r = {.rows = (int)p[0], .columns = (int)p[1], .k = (int)p[2]};
    const size_t all = (size_t)r.rows * (size_t)r.columns, best = (size_t)r.rows * (size_t)r.k;
    r.x = host_new(h, all, sizeof *r.x);
    r.value = host_new(h, best, sizeof *r.value);
    r.index = host_new(h, best, sizeof *r.index);
    for (size_t i = 0; i < all; i++)
        r.x[i] = score(h);
    return run_on_device(h, &r, e) && (!h->in->verify || check(h, &r, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_topk_ptx[];
extern const struct workload workload_topk;
const struct workload workload_topk = {
    .name = "topk",
    .suite = "modern",
    .title = "the k largest elements of rows, radix selection",
    .paper_class = "memory-intensive",
    .size = {{"small", {16, 1000, 20}, "20 of 1000, 16 rows"},
             {"medium", {128, 8192, 50}, "50 of 8192, 128 rows"},
             {"paper", {64, 50257, 50}, "50 of 50257 (GPT-2's words), 64 rows"}},
    .any_warps = true,
    .ptx = workload_topk_ptx,
    .run = run,
};
