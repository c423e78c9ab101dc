/* nn -- a neural network that reads handwritten digits (NN of Kayiran 2013, Table II; in
 * GPGPU-Sim's ISPASS 2009 suite, 28 digits at once): four launches, one a layer. CTAs have 13 x 13
 * and 5 x 5 threads in the layers of maps, and one thread in the others.
 *
 * Digits are drawn of seven strokes, each a little out of place; weights are random. The reference
 * goes the other way round: every unit adds its share to all that it leads to, in double precision,
 * and the sums of magnitudes say what single precision may be off by. */
#include "data/workloads/host.h"

#include <math.h>

#define WINDOW 5
#define SIDE   29 /* of an image */
#define LAYERS 4
#define DIGITS 10

struct layer {
    const char *kernel;
    int maps, side;             /* units: maps x side x side; side 1: each is connected with all */
    int below_maps, below_side; /* the layer before */
    int inputs;                 /* of a unit, without its bias */
    float *weight;              /* [maps][1 + inputs] */
    float *found;               /* [images][units]: from the device */
    double *expected, *off, *size; /* likewise; off: by how much; size: sums of magnitudes */
};

struct network {
    int images;
    struct layer layer[1 + LAYERS]; /* the first: the images */
};

static int units(const struct layer *l)
{
    return l->maps * l->side * l->side;
}

struct stroke {
    double x[2], y[2];
};

/* Strokes of a seven-part display; which digit has them: bit i of its mask the i-th. */
static const struct stroke strokes[7] = {
    {{9, 19}, {5, 5}},  {{19, 19}, {5, 14}}, {{19, 19}, {14, 23}}, {{9, 19}, {23, 23}},
    {{9, 9}, {14, 23}}, {{9, 9}, {5, 14}},   {{9, 19}, {14, 14}},
};
static const unsigned digit_strokes[DIGITS] = {0x3f, 0x06, 0x5b, 0x4f, 0x66,
                                               0x6d, 0x7d, 0x07, 0x7f, 0x6f};

static double distance(const struct stroke *s, double x, double y)
{
    const double dx = s->x[1] - s->x[0], dy = s->y[1] - s->y[0];
    double t = ((x - s->x[0]) * dx + (y - s->y[0]) * dy) / (dx * dx + dy * dy);
    t = fmin(fmax(t, 0.0), 1.0);
    return hypot(x - s->x[0] - t * dx, y - s->y[0] - t * dy);
}

/* White is -1, black 1, as far as a pen of width 3 reaches. */
static void draw(struct rng *r, unsigned mask, float *image)
{
    struct stroke own[7];
    for (int i = 0; i < 7; i++)
        for (int end = 0; end < 2; end++) {
            own[i].x[end] = strokes[i].x[end] + rng_real(r, -1.5, 1.5);
            own[i].y[end] = strokes[i].y[end] + rng_real(r, -1.5, 1.5);
        }
    for (int p = 0; p < SIDE * SIDE; p++) {
        double near = SIDE;
        for (int i = 0; i < 7; i++)
            if (mask >> i & 1)
                near = fmin(near, distance(&own[i], p % SIDE, p / SIDE));
        image[p] = (float)(1.0 - 2.0 * fmin(fmax(near - 1.0, 0.0), 1.0));
    }
}

static void make_network(struct host *h, struct network *n)
{
    for (int i = 0; i <= LAYERS; i++) {
        struct layer *l = &n->layer[i];
        const size_t all = (size_t)n->images * (size_t)units(l);
        l->found = host_new(h, all, sizeof *l->found);
        l->expected = host_new(h, all, sizeof *l->expected);
        l->off = host_new(h, all, sizeof *l->off);
        l->size = host_new(h, all, sizeof *l->size);
        if (i == 0)
            continue;
        l->below_maps = l[-1].maps, l->below_side = l[-1].side;
        l->inputs = l->side > 1 ? l->below_maps * WINDOW * WINDOW : units(&l[-1]);
        const size_t weights = (size_t)l->maps * (size_t)(1 + l->inputs);
        l->weight = host_new(h, weights, sizeof *l->weight);
        for (size_t k = 0; k < weights; k++)
            l->weight[k] = (float)(rng_normal(&h->rng) / sqrt(l->inputs));
    }
    for (int i = 0; i < n->images; i++) {
        const unsigned mask = digit_strokes[rng_below(&h->rng, DIGITS)];
        draw(&h->rng, mask, n->layer[0].found + i * SIDE * SIDE);
    }
}

static void add(struct layer *l, int to, double weight, double from, double off)
{
    l->expected[to] += weight * from;
    l->size[to] += fabs(weight * from);
    l->off[to] += fabs(weight) * off;
}

/* Unit (m, x, y) of the layer below, of one image: its share in all units of map `map` above, which
 * begin at `to`. */
static void lead_on(struct layer *l, int to, int map, const int at[3], const double value[2])
{
    const float *w = l->weight + map * (1 + l->inputs) + 1;
    const int m = at[0], x = at[1], y = at[2], from = (m * l->below_side + y) * l->below_side + x;
    if (l->side == 1) {
        add(l, to, (double)w[from], value[0], value[1]);
        return;
    }
    for (int i = y % 2; i < WINDOW && i <= y; i += 2)
        for (int k = x % 2; k < WINDOW && k <= x; k += 2) {
            const int above_y = (y - i) / 2, above_x = (x - k) / 2;
            if (above_y < l->side && above_x < l->side)
                add(l, to + above_y * l->side + above_x, (double)w[(m * WINDOW + i) * WINDOW + k],
                    value[0], value[1]);
        }
}

/* A sum of n products is off by n + 1 roundings of its magnitude at most, and the squashing, whose
 * slope is at most 1.144, by 2^-20: the exponential and the quotient are off by 2^-22 of 2 each. */
static void squash_all(struct layer *l, int from, int n)
{
    for (int u = from; u < from + n; u++) {
        l->off[u] += (l->inputs + 1) * 0x1p-24 * l->size[u];
        l->off[u] = 1.144 * l->off[u] + 0x1p-20;
        l->expected[u] = 1.7159 * tanh(l->expected[u] * 2.0 / 3.0);
    }
}

static void expect_layer(struct layer *l, int image)
{
    const struct layer *below = l - 1;
    const int own = image * units(l), area = l->side * l->side;
    for (int map = 0; map < l->maps; map++)
        for (int u = 0; u < area; u++)
            add(l, own + map * area + u, (double)l->weight[map * (1 + l->inputs)], 1.0, 0.0);
    for (int u = 0; u < units(below); u++) {
        const int side = below->side, at[3] = {u / (side * side), u % side, u / side % side};
        const int from = image * units(below) + u;
        const double value[2] = {below->expected[from], below->off[from]};
        for (int map = 0; map < l->maps; map++)
            lead_on(l, own + map * area, map, at, value);
    }
    squash_all(l, own, units(l));
}

static bool check(struct host *h, struct network *n, struct err *e)
{
    struct layer *first = &n->layer[0];
    for (int i = 0; i < n->images * units(first); i++)
        first->expected[i] = (double)first->found[i];
    for (int i = 1; i <= LAYERS; i++) {
        struct layer *l = &n->layer[i];
        for (int image = 0; image < n->images; image++)
            expect_layer(l, image);
        const struct host_floats f = {
            l->kernel, l->found, l->expected, l->off, (size_t)n->images * (size_t)units(l), 1.01};
        if (!host_near(h, &f, e))
            return false;
    }
    return true;
}

static bool run_layer(struct host *h, const struct network *n, struct layer *l, CUdeviceptr *below,
                      struct err *e)
{
    const size_t all = (size_t)n->images * (size_t)units(l) * sizeof(float);
    const size_t weights = (size_t)l->maps * (size_t)(1 + l->inputs) * sizeof(float);
    const unsigned side = (unsigned)l->side;
    CUfunction kernel;
    CUdeviceptr out, weight;
    if (!host_kernel(h, l->kernel, &kernel, e) || !host_array(&out, NULL, all, e) ||
        !host_array(&weight, l->weight, weights, e))
        return false;
    void *args[] = {&out, below, &weight, &l->inputs}; /* the layers of maps know their inputs */
    if (!host_launch_grid(kernel, (struct host_grid){(unsigned)l->maps, (unsigned)n->images, 1},
                          (struct host_grid){side, side, 1}, args, e))
        return false;
    TRY(cuMemcpyDtoH(l->found, out, all));
    *below = out;
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct network n = {.images = (int)p[0],
                        .layer = {{.maps = 1, .side = SIDE},
                                  {.kernel = "nn_first", .maps = 6, .side = 13},
                                  {.kernel = "nn_second", .maps = (int)p[1], .side = 5},
                                  {.kernel = "nn_third", .maps = (int)p[2], .side = 1},
                                  {.kernel = "nn_fourth", .maps = DIGITS, .side = 1}}};
    CUdeviceptr below;
    make_network(h, &n);
    if (!host_array(&below, n.layer[0].found, (size_t)n.images * SIDE * SIDE * sizeof(float), e))
        return false;
    for (int i = 1; i <= LAYERS; i++)
        if (!run_layer(h, &n, &n.layer[i], &below, e))
            return false;
    return !h->in->verify || check(h, &n, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_nn_ptx[];
extern const struct workload workload_nn;
const struct workload workload_nn = {
    .name = "nn",
    .suite = "Kayiran",
    .title = "a convolutional neural network that reads digits",
    .paper_class = "compute-intensive",
    .size = {{"small", {3, 8, 20}, "3 digits; 8 maps in the second layer, 20 units in the third"},
             {"medium", {6, 50, 100}, "6 digits; 50 maps, 100 units"},
             {"paper", {28, 50, 100}, "28 digits (ISPASS 2009); 50 maps, 100 units"}},
    .ptx = workload_nn_ptx,
    .run = run,
};
