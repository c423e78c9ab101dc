/* euler -- an Euler solver on an unstructured mesh (Yen 2014, Table 1; CTAs of 6 warps): in each
 * time step the fluxes through the edges' faces, then the nodes.
 *
 * The mesh is of tetrahedra, numbered brick by brick, its edges sorted by their lower ends: a warp
 * of edges shares a few lower ends, and gathers the upper ones' states from lines all around. */
#include "data/workloads/bounded.h"
#include "data/workloads/lattice.h"

#include <math.h>
#include <string.h>

#define CTA     192
#define VARS    5    /* as in euler.cu: density, momentum (3), energy */
#define GAMMA_1 0.4f /* as there */
#define SPEED   2.0f /* as there */
#define DT      0.05f

struct edge { /* as in euler.cu */
    int from, to;
    float n[3];
};

struct gas {
    struct lattice l;
    int steps;
    struct edge *edges;
    int *links; /* of l.g.first's rows: an edge; -1 - edge at its upper end */
    float (*state)[VARS];
};

/* Normals along the edges: a median dual's are nearly so. */
static void make_edges(struct host *h, struct gas *g)
{
    const struct graph *m = &g->l.g;
    g->edges = host_new(h, (size_t)m->edges, sizeof *g->edges);
    for (int e = 0; e < m->edges; e++) {
        int from = m->edge[e][0], to = m->edge[e][1];
        g->edges[e].from = from;
        g->edges[e].to = to;
        for (int d = 0; d < 3; d++)
            g->edges[e].n[d] = 0.1f * (g->l.at[to][d] - g->l.at[from][d]);
    }
    g->links = host_new(h, 2 * (size_t)m->edges, sizeof *g->links);
    for (int v = 0; v < m->nodes; v++)
        for (int k = m->first[v]; k < m->first[v + 1]; k++)
            g->links[k] = m->adj[k] > v ? m->via[k] : -1 - m->via[k];
}

static void draw_gas(struct host *h, struct gas *g)
{
    const long *p = h->in->size->param;
    struct lattice_shape s = {.n = {(int)p[0], (int)p[1], (int)p[2]}, .brick = 4, .jitter = 0.2};
    *g = (struct gas){.l = lattice_mesh(h, &s), .steps = (int)p[3]};
    make_edges(h, g);
    g->state = host_new(h, (size_t)g->l.g.nodes, sizeof *g->state);
    for (int v = 0; v < g->l.g.nodes; v++) {
        static const double mean[VARS] = {1.0, 0.3, 0.0, 0.0, 2.5};
        for (int c = 0; c < VARS; c++)
            g->state[v][c] = (float)(mean[c] + rng_real(&h->rng, -0.05, 0.05));
    }
}

struct on_device {
    CUfunction flux, update;
    CUdeviceptr fluxes, state, edges, first, links;
};

static bool copy_in(struct host *h, const struct gas *g, struct on_device *d, struct err *e)
{
    size_t nodes = (size_t)g->l.g.nodes, edges = (size_t)g->l.g.edges;
    return host_kernel(h, "euler_flux", &d->flux, e) &&
           host_kernel(h, "euler_update", &d->update, e) &&
           host_array(&d->fluxes, NULL, edges * VARS * sizeof(float), e) &&
           host_array(&d->state, g->state, nodes * sizeof *g->state, e) &&
           host_array(&d->edges, g->edges, edges * sizeof *g->edges, e) &&
           host_array(&d->first, g->l.g.first, (nodes + 1) * sizeof(int), e) &&
           host_array(&d->links, g->links, 2 * edges * sizeof *g->links, e);
}

static bool simulate(struct host *h, struct gas *g, struct err *e)
{
    struct on_device d;
    int nodes = g->l.g.nodes, edges = g->l.g.edges;
    unsigned threads = host_threads(h, CTA);
    float dt = DT;
    void *flux[] = {&d.fluxes, &d.state, &d.edges, &edges};
    void *update[] = {&d.state, &d.fluxes, &d.first, &d.links, &dt, &nodes};
    if (!copy_in(h, g, &d, e))
        return false;
    for (int t = 0; t < g->steps; t++)
        if (!host_launch(d.flux, host_ctas((size_t)edges, threads), threads, flux, e) ||
            !host_launch(d.update, host_ctas((size_t)nodes, threads), threads, update, e))
            return false;
    TRY(cuMemcpyDtoH(g->state, d.state, (size_t)nodes * sizeof *g->state));
    return true;
}

struct side { /* a state seen from a face */
    struct bounded u[VARS], v, p;
};

static struct bounded sum_of_3(const struct bounded a[3], const struct bounded b[3])
{
    struct bounded xy = bounded_add(bounded_mul(a[0], b[0]), bounded_mul(a[1], b[1]));
    return bounded_add(xy, bounded_mul(a[2], b[2]));
}

static struct side look(const struct bounded u[VARS], const struct bounded n[3])
{
    struct side s;
    memcpy(s.u, u, sizeof s.u);
    s.v = bounded_div(sum_of_3(u + 1, n), u[0]);
    struct bounded half = bounded_mul(bounded(0.5f), sum_of_3(u + 1, u + 1));
    s.p = bounded_mul(bounded(GAMMA_1), bounded_sub(u[4], bounded_div(half, u[0])));
    return s;
}

/* Adds dt times the flux through the edge's face to the sum of one end, and takes it from the
 * other; in the order of edges, which is that of every node's links. */
static void add_flux(const struct edge *edge, struct bounded (*state)[VARS],
                     struct bounded (*sum)[VARS])
{
    struct bounded n[3] = {bounded(edge->n[0]), bounded(edge->n[1]), bounded(edge->n[2])};
    struct bounded damp = bounded_mul(bounded(SPEED), bounded_sqrt(sum_of_3(n, n)));
    struct side a = look(state[edge->from], n), b = look(state[edge->to], n);
    struct bounded p = bounded_add(a.p, b.p), dt = bounded(DT);
    for (int c = 0; c < VARS; c++) {
        struct bounded fa = bounded_mul(c == 4 ? bounded_add(a.u[c], a.p) : a.u[c], a.v);
        struct bounded fb = bounded_mul(c == 4 ? bounded_add(b.u[c], b.p) : b.u[c], b.v);
        struct bounded f = bounded_add(fa, fb);
        if (c >= 1 && c <= 3)
            f = bounded_add(f, bounded_mul(p, n[c - 1]));
        f = bounded_sub(f, bounded_mul(damp, bounded_sub(b.u[c], a.u[c])));
        sum[edge->from][c] = bounded_add(sum[edge->from][c], bounded_mul(dt, f));
        sum[edge->to][c] = bounded_sub(sum[edge->to][c], bounded_mul(dt, f));
    }
}

static bool check(struct host *h, const struct gas *g, struct bounded (*state)[VARS], struct err *e)
{
    size_t n = (size_t)g->l.g.nodes;
    struct bounded(*sum)[VARS] = host_new(h, n, sizeof *sum);
    for (int t = 0; t < g->steps; t++) {
        memset(sum, 0, n * sizeof *sum);
        for (int k = 0; k < g->l.g.edges; k++)
            add_flux(&g->edges[k], state, sum);
        for (size_t v = 0; v < n; v++)
            for (int c = 0; c < VARS; c++)
                state[v][c] = bounded_sub(state[v][c], sum[v][c]);
    }
    return bounded_near(h, "state", g->state[0], state[0], n * VARS, e);
}

static bool body(struct host *h, struct err *e)
{
    struct gas g;
    draw_gas(h, &g);
    struct bounded *start = bounded_from(h, g.state[0], (size_t)g.l.g.nodes * VARS);
    return simulate(h, &g, e) &&
           (!h->in->verify || check(h, &g, (struct bounded(*)[VARS])start, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_euler_ptx[];
extern const struct workload workload_euler;
const struct workload workload_euler = {
    .name = "euler",
    .suite = "Yen",
    .title = "Euler solver on an unstructured mesh of tetrahedra",
    .paper_class = "memory-intensive",
    .size = {{"small", {16, 16, 16, 1}, "4096 nodes, 25695 edges, 1 step, 1.3 MB"},
             {"medium", {30, 30, 33, 2}, "29700 nodes, 196565 edges, 2 steps, 10 MB"},
             {"paper",
              {29, 29, 30, 2},
              "25230 nodes, 166461 edges, 2 steps, 8.6 MB (8.5 in Table 1)"}},
    .orders = true,
    .any_warps = true,
    .ptx = workload_euler_ptx,
    .run = run,
};
