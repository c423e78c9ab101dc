/* backprop -- one sample trains a neural network of one hidden layer (Awatramani 2015; Kayiran
 * 2013, BP): two kernels, CTAs of 16 x 16 threads, 16 inputs each. The host adds up the CTAs' sums
 * and does the rest of the network, which is small: 16 hidden units and one output. */
#include "data/workloads/bounded.h"

#define HIDDEN   16
#define ROW      (HIDDEN + 1) /* unit 0 is the bias */
#define RATE     0.3f
#define MOMENTUM 0.3f
#define TARGET   0.1f

struct network {
    int inputs;                        /* without the bias */
    float *input, *weight, *change;    /* [inputs + 1], and [inputs + 1][ROW] twice */
    float *sum;                        /* [inputs / HIDDEN][HIDDEN]: of 16 weighted inputs each */
    float out_weight[ROW], delta[ROW]; /* hidden units: weight in the output, error */
};

static struct network make_network(struct host *h, int inputs)
{
    size_t rows = (size_t)inputs + 1;
    struct network n = {inputs,
                        host_random_floats(h, rows, 0.0, 1.0),
                        host_random_floats(h, rows * ROW, -0.01, 0.01),
                        host_random_floats(h, rows * ROW, -0.001, 0.001),
                        host_new(h, (size_t)inputs, sizeof(float)),
                        {0},
                        {0}};
    n.input[0] = 1.0f;
    for (int k = 0; k < ROW; k++)
        n.out_weight[k] = (float)rng_real(&h->rng, -1.0, 1.0);
    return n;
}

/* In double precision: libraries differ in expf's last bit, and a run must not. */
static float squash(float v)
{
    return (float)(1.0 / (1.0 + exp((double)-v)));
}

/* Sums of the CTAs -> hidden units -> the output, and back: the hidden units' errors. */
static void host_part(struct network *n)
{
    float hidden[ROW] = {1.0f}, out = n->out_weight[0];
    for (int k = 1; k < ROW; k++) {
        float sum = n->weight[k];
        for (int cta = 0; cta < n->inputs / HIDDEN; cta++)
            sum += n->sum[cta * HIDDEN + k - 1];
        hidden[k] = squash(sum);
        out += n->out_weight[k] * hidden[k];
    }
    out = squash(out);
    float out_delta = out * (1.0f - out) * (TARGET - out);
    for (int k = 1; k < ROW; k++)
        n->delta[k] = hidden[k] * (1.0f - hidden[k]) * out_delta * n->out_weight[k];
}

static bool check_forward(struct host *h, const struct network *n, struct err *e)
{
    struct bounded *sum = host_new(h, (size_t)n->inputs, sizeof *sum);
    for (int i = 0; i < n->inputs; i++) {
        struct bounded product[HIDDEN];
        for (int k = 0; k < HIDDEN; k++) {
            int from = i / HIDDEN * HIDDEN + k + 1;
            product[k] = bounded_mul(bounded(n->weight[from * ROW + i % HIDDEN + 1]),
                                     bounded(n->input[from]));
        }
        for (int far = 1; far < HIDDEN; far *= 2)
            for (int k = 0; k < HIDDEN; k += 2 * far)
                product[k] = bounded_add(product[k], product[k + far]);
        sum[i] = product[0];
    }
    return bounded_near(h, "sum", n->sum, sum, (size_t)n->inputs, e);
}

/* weight, change: of the device; n: before */
static bool check_adjusted(struct host *h, const struct network *n, const float *weight,
                           const float *change, struct err *e)
{
    size_t all = ((size_t)n->inputs + 1) * ROW;
    struct bounded *w = bounded_from(h, n->weight, all), *c = bounded_from(h, n->change, all);
    for (size_t i = 0; i < all; i++)
        if (i % ROW) {
            struct bounded step = bounded_mul(bounded(RATE), bounded(n->delta[i % ROW]));
            step = bounded_mul(step, bounded(n->input[i / ROW]));
            c[i] = bounded_add(step, bounded_mul(bounded(MOMENTUM), c[i]));
            w[i] = bounded_add(w[i], c[i]);
        }
    return bounded_near(h, "weight", weight, w, all, e) &&
           bounded_near(h, "change", change, c, all, e);
}

struct on_device {
    CUfunction forward, adjust;
    CUdeviceptr input, weight, change, sum, delta;
};

static bool upload(const struct host *h, const struct network *n, struct on_device *d,
                   struct err *e)
{
    size_t inputs = (size_t)n->inputs * sizeof(float);
    size_t rows = inputs + sizeof(float);
    return host_kernel(h, "backprop_forward", &d->forward, e) &&
           host_kernel(h, "backprop_adjust", &d->adjust, e) &&
           host_array(&d->input, n->input, rows, e) &&
           host_array(&d->weight, n->weight, rows * ROW, e) &&
           host_array(&d->change, n->change, rows * ROW, e) &&
           host_array(&d->sum, NULL, inputs, e) && host_array(&d->delta, NULL, sizeof n->delta, e);
}

static bool train(struct network *n, struct on_device *d, struct err *e)
{
    float rate = RATE, momentum = MOMENTUM;
    struct host_grid ctas = {1, (unsigned)(n->inputs / HIDDEN), 1}, cta = {HIDDEN, HIDDEN, 1};
    void *forward[] = {&d->sum, &d->input, &d->weight};
    void *adjust[] = {&d->weight, &d->change, &d->input, &d->delta, &rate, &momentum};
    if (!host_launch_grid(d->forward, ctas, cta, forward, e))
        return false;
    TRY(cuMemcpyDtoH(n->sum, d->sum, (size_t)n->inputs * sizeof *n->sum));
    host_part(n);
    TRY(cuMemcpyHtoD(d->delta, n->delta, sizeof n->delta));
    return host_launch_grid(d->adjust, ctas, cta, adjust, e);
}

static bool body(struct host *h, struct err *e)
{
    struct network n = make_network(h, (int)h->in->size->param[0]);
    struct on_device d;
    size_t all = ((size_t)n.inputs + 1) * ROW, bytes = all * sizeof(float);
    float *weight = host_new(h, all, sizeof *weight), *change = host_new(h, all, sizeof *change);
    if (!upload(h, &n, &d, e) || !train(&n, &d, e))
        return false;
    TRY(cuMemcpyDtoH(weight, d.weight, bytes));
    TRY(cuMemcpyDtoH(change, d.change, bytes));
    return !h->in->verify || (check_forward(h, &n, e) && check_adjusted(h, &n, weight, change, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_backprop_ptx[];
extern const struct workload workload_backprop;
const struct workload workload_backprop = {
    .name = "backprop",
    .suite = "Kayiran, Park, Awatramani",
    .title = "training of a neural network, forward and back",
    .paper_class = "memory-intensive",
    .size = {{"small", {4096}, "4096 inputs"},
             {"medium", {16384}, "16384 inputs"},
             {"paper", {65536}, "65536 inputs, 9 MB"}},
    .ptx = workload_backprop_ptx,
    .run = run,
};
