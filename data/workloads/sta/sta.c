/* sta -- static timing analysis of a circuit (Yen 2014, Table 1; CTAs of 6 warps): arrival times
 * level by level from the inputs, required times level by level from the outputs, and every gate's
 * slack.
 *
 * One thread a gate, one launch a level: the gates of other levels leave at once. A module's gates
 * lie together but in no order, so that a warp has a few gates of the level, and each walks its own
 * short lists. */
#include "data/workloads/netlist.h"

#include <math.h>

#define CTA    192
#define DEPTH  12
#define PERIOD 100.0f

struct net { /* as in sta.cu */
    int gate;
    float delay;
};

struct timing {
    struct netlist n;
    float *cell;                       /* a gate's delay: grows with the gates it feeds */
    struct net *in, *out;              /* n.in and n.out with the nets' delays */
    float *arrival, *required, *slack; /* from the device */
};

static void draw_circuit(struct host *h, struct timing *t)
{
    t->n = netlist_new(h, (struct netlist_shape){.modules = (int)h->in->size->param[0],
                                                 .module_gates = 240,
                                                 .depth = DEPTH,
                                                 .fan_in = 2,
                                                 .leave = 0.2,
                                                 .far = 0.3});
    const struct netlist *n = &t->n;
    const float *wire = host_random_floats(h, (size_t)n->nets, 0.1, 0.9);
    t->cell = host_random_floats(h, (size_t)n->gates, 1.0, 2.0);
    t->in = host_new(h, (size_t)n->nets, sizeof *t->in);
    t->out = host_new(h, (size_t)n->nets, sizeof *t->out);
    for (int g = 0; g < n->gates; g++)
        t->cell[g] += 0.1f * (float)(n->out_first[g + 1] - n->out_first[g]);
    for (int k = 0; k < n->nets; k++) {
        t->in[k] = (struct net){n->in[k], wire[k]};
        t->out[k] = (struct net){n->out[k], wire[n->out_net[k]]};
    }
    t->arrival = host_new(h, (size_t)n->gates, sizeof(float));
    t->required = host_new(h, (size_t)n->gates, sizeof(float));
    t->slack = host_new(h, (size_t)n->gates, sizeof(float));
}

struct on_device {
    CUdeviceptr arrival, required, slack, level, cell, in_first, in, out_first, out;
};

static bool copy_in(const struct timing *t, struct on_device *d, struct err *e)
{
    size_t gates = (size_t)t->n.gates * sizeof(int), nets = (size_t)t->n.nets * sizeof(struct net);
    return host_array(&d->in_first, t->n.in_first, gates + sizeof(int), e) &&
           host_array(&d->in, t->in, nets, e) &&
           host_array(&d->out_first, t->n.out_first, gates + sizeof(int), e) &&
           host_array(&d->out, t->out, nets, e) && host_array(&d->cell, t->cell, gates, e) &&
           host_array(&d->level, t->n.level, gates, e) && host_array(&d->arrival, NULL, gates, e) &&
           host_array(&d->required, NULL, gates, e) && host_array(&d->slack, NULL, gates, e);
}

static bool analyse(struct host *h, struct timing *t, struct err *e)
{
    CUfunction forward, backward, slack;
    struct on_device d;
    int gates = t->n.gates, now;
    float period = PERIOD;
    unsigned threads = host_threads(h, CTA), ctas = host_ctas((size_t)gates, threads);
    void *there[] = {&d.arrival, &d.level, &d.cell, &d.in_first, &d.in, &now, &gates};
    void *back[] = {&d.required, &d.level, &d.cell, &d.out_first, &d.out, &now, &period, &gates};
    void *rest[] = {&d.slack, &d.required, &d.arrival, &gates};
    if (!host_kernel(h, "sta_arrive", &forward, e) ||
        !host_kernel(h, "sta_require", &backward, e) || !host_kernel(h, "sta_slack", &slack, e) ||
        !copy_in(t, &d, e))
        return false;
    for (now = 0; now < t->n.depth; now++)
        if (!host_launch(forward, ctas, threads, there, e))
            return false;
    for (now = t->n.depth - 1; now >= 0; now--)
        if (!host_launch(backward, ctas, threads, back, e))
            return false;
    if (!host_launch(slack, ctas, threads, rest, e))
        return false;
    TRY(cuMemcpyDtoH(t->arrival, d.arrival, (size_t)gates * sizeof(float)));
    TRY(cuMemcpyDtoH(t->required, d.required, (size_t)gates * sizeof(float)));
    TRY(cuMemcpyDtoH(t->slack, d.slack, (size_t)gates * sizeof(float)));
    return true;
}

/* From the inputs of each gate in both directions, levels searched for. */
static void reference(const struct timing *t, double *arrival, double *required)
{
    const struct netlist *n = &t->n;
    for (int now = 0; now < n->depth; now++)
        for (int g = 0; g < n->gates; g++) {
            for (int k = n->in_first[g]; n->level[g] == now && k < n->in_first[g + 1]; k++)
                arrival[g] = fmax(arrival[g], arrival[t->in[k].gate] + (double)t->in[k].delay);
            arrival[g] += n->level[g] == now ? (double)t->cell[g] : 0.0;
        }
    for (int g = 0; g < n->gates; g++)
        required[g] = (double)PERIOD;
    for (int now = n->depth - 1; now > 0; now--)
        for (int g = 0; g < n->gates; g++)
            for (int k = n->in_first[g]; n->level[g] == now && k < n->in_first[g + 1]; k++) {
                double *r = &required[t->in[k].gate];
                *r = fmin(*r, required[g] - (double)t->cell[g] - (double)t->in[k].delay);
            }
}

/* Two roundings a level, each at most 2^-24 of PERIOD: 24 of them are 1.4e-6 of it. */
static bool check(struct host *h, const struct timing *t, struct err *e)
{
    size_t n = (size_t)t->n.gates;
    double *arrival = host_new(h, n, sizeof(double)), *required = host_new(h, n, sizeof(double));
    double *slack = host_new(h, n, sizeof(double)), *size = host_new(h, n, sizeof(double));
    reference(t, arrival, required);
    for (size_t g = 0; g < n; g++) {
        slack[g] = required[g] - arrival[g];
        size[g] = (double)PERIOD;
    }
    return host_near(h, &(struct host_floats){"arrival", t->arrival, arrival, size, n, 2e-6}, e) &&
           host_near(h, &(struct host_floats){"required", t->required, required, size, n, 2e-6},
                     e) &&
           host_near(h, &(struct host_floats){"slack", t->slack, slack, size, n, 2e-6}, e);
}

static bool body(struct host *h, struct err *e)
{
    struct timing t;
    draw_circuit(h, &t);
    return analyse(h, &t, e) && (!h->in->verify || check(h, &t, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_sta_ptx[];
extern const struct workload workload_sta;
const struct workload workload_sta = {
    .name = "sta",
    .suite = "Yen",
    .title = "static timing analysis of a circuit, one launch a level",
    .paper_class = "memory-intensive",
    .size = {{"small", {72}, "17280 gates, 1.2 MB"},
             {"medium", {960}, "230400 gates, 17 MB"},
             {"paper", {173}, "41520 gates, 3.0 MB as in Table 1"}},
    .orders = true,
    .any_warps = true,
    .ptx = workload_sta_ptx,
    .run = run,
};
