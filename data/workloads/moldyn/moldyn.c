/* moldyn -- molecular dynamics of a simple liquid (Yen 2014, Table 1: the force calculation of
 * CHARMM; CTAs of 6 warps): in each time step the forces over neighbour lists, then velocities and
 * positions. The lists' radius has a skin, so that they stay valid for these steps.
 *
 * A cube of molecules numbered brick by brick. Every thread gathers the positions of its
 * neighbours, which the CTA's warps share, and reads its list once, a line a warp. */
#include "data/workloads/bounded.h"
#include "data/workloads/lattice.h"

#include <string.h>

#define CTA    192
#define SIGMA6 0.2f /* as in moldyn.cu */
#define RADIUS 1.6
#define DT     0.002f

struct liquid {
    int molecules, steps, slots; /* the longest list */
    int *count, *list;           /* neighbour k of molecule i is list[k * molecules + i] */
    float *x, *v;                /* positions and velocities, three coordinates a molecule */
};

static void make_lists(struct host *h, struct liquid *q, const struct graph *g)
{
    size_t n = (size_t)q->molecules;
    q->count = host_new(h, n, sizeof *q->count);
    for (int i = 0; i < q->molecules; i++) {
        q->count[i] = g->first[i + 1] - g->first[i];
        q->slots = q->count[i] > q->slots ? q->count[i] : q->slots;
    }
    q->list = host_new(h, (size_t)q->slots * n, sizeof *q->list);
    for (int i = 0; i < q->molecules; i++)
        for (int k = 0; k < q->count[i]; k++)
            q->list[(size_t)k * n + (size_t)i] = g->adj[g->first[i] + k];
}

static void draw_liquid(struct host *h, struct liquid *q)
{
    const long *p = h->in->size->param;
    struct lattice_shape s = {.n = {(int)p[0], (int)p[1], (int)p[2]}, .brick = 4, .jitter = 0.1};
    struct lattice l = lattice_box(h, &s, RADIUS);
    *q = (struct liquid){.molecules = l.g.nodes, .steps = (int)p[3]};
    make_lists(h, q, &l.g);
    q->x = l.at[0];
    q->v = host_random_floats(h, 3 * (size_t)q->molecules, -0.5, 0.5);
}

struct on_device {
    CUfunction force, move;
    CUdeviceptr f, x, v, count, list;
};

static bool copy_in(struct host *h, const struct liquid *q, struct on_device *d, struct err *e)
{
    size_t bytes = (size_t)q->molecules * sizeof(float);
    return host_kernel(h, "moldyn_force", &d->force, e) &&
           host_kernel(h, "moldyn_move", &d->move, e) &&
           host_array(&d->count, q->count, bytes, e) &&
           host_array(&d->list, q->list, bytes * (size_t)q->slots, e) &&
           host_array(&d->x, q->x, 3 * bytes, e) && host_array(&d->v, q->v, 3 * bytes, e) &&
           host_array(&d->f, NULL, 3 * bytes, e);
}

static bool simulate(struct host *h, struct liquid *q, struct err *e)
{
    struct on_device d;
    int coordinates = 3 * q->molecules;
    size_t bytes = (size_t)coordinates * sizeof(float);
    unsigned threads = host_threads(h, CTA);
    float dt = DT;
    void *force[] = {&d.f, &d.x, &d.count, &d.list, &q->molecules};
    void *move[] = {&d.x, &d.v, &d.f, &dt, &coordinates};
    if (!copy_in(h, q, &d, e))
        return false;
    for (int t = 0; t < q->steps; t++)
        if (!host_launch(d.force, host_ctas((size_t)q->molecules, threads), threads, force, e) ||
            !host_launch(d.move, host_ctas((size_t)coordinates, threads), threads, move, e))
            return false;
    TRY(cuMemcpyDtoH(q->x, d.x, bytes));
    TRY(cuMemcpyDtoH(q->v, d.v, bytes));
    return true;
}

/* Adds the force of molecule q on p to sum. */
static void add_pair(const struct bounded p[3], const struct bounded q[3], struct bounded sum[3])
{
    struct bounded d[3], r2 = {0}, one = bounded(1.0f);
    for (int c = 0; c < 3; c++) {
        d[c] = bounded_sub(p[c], q[c]);
        r2 = bounded_add(r2, bounded_mul(d[c], d[c]));
    }
    struct bounded s2 = bounded_div(one, r2);
    struct bounded s6 = bounded_mul(bounded(SIGMA6), bounded_mul(bounded_mul(s2, s2), s2));
    struct bounded steep = bounded_mul(bounded(48.0f), s6);
    struct bounded g = bounded_mul(bounded_mul(steep, bounded_sub(s6, bounded(0.5f))), s2);
    for (int c = 0; c < 3; c++)
        sum[c] = bounded_add(sum[c], bounded_mul(g, d[c]));
}

static void reference_step(const struct liquid *q, struct bounded *x, struct bounded *v,
                           struct bounded *force)
{
    struct bounded dt = bounded(DT);
    memset(force, 0, 3 * (size_t)q->molecules * sizeof *force);
    for (int i = 0; i < q->molecules; i++)
        for (int k = 0; k < q->count[i]; k++) {
            int j = q->list[(size_t)k * (size_t)q->molecules + (size_t)i];
            add_pair(x + 3 * i, x + 3 * j, force + 3 * i);
        }
    for (int i = 0; i < 3 * q->molecules; i++) {
        v[i] = bounded_add(v[i], bounded_mul(dt, force[i]));
        x[i] = bounded_add(x[i], bounded_mul(dt, v[i]));
    }
}

static bool body(struct host *h, struct err *e)
{
    struct liquid q;
    draw_liquid(h, &q);
    size_t n = 3 * (size_t)q.molecules;
    struct bounded *x = bounded_from(h, q.x, n), *v = bounded_from(h, q.v, n);
    if (!simulate(h, &q, e))
        return false;
    if (!h->in->verify)
        return true;
    struct bounded *force = host_new(h, n, sizeof *force);
    for (int t = 0; t < q.steps; t++)
        reference_step(&q, x, v, force);
    return bounded_near(h, "position", q.x, x, n, e) && bounded_near(h, "velocity", q.v, v, n, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_moldyn_ptx[];
extern const struct workload workload_moldyn;
const struct workload workload_moldyn = {
    .name = "moldyn",
    .suite = "Yen",
    .title = "molecular dynamics of a simple liquid over neighbour lists",
    .paper_class = "memory-intensive",
    .size = {{"small", {28, 28, 30, 1}, "23520 molecules, 1 step, 2.9 MB"},
             {"medium", {60, 60, 64, 2}, "230400 molecules, 2 steps, 29 MB"},
             {"paper", {40, 41, 50, 2}, "82000 molecules, 2 steps, 10.2 MB as in Table 1"}},
    .orders = true,
    .any_warps = true,
    .ptx = workload_moldyn_ptx,
    .run = run,
};
