/* irreg -- the kernel of a solver of partial differential equations on an irregular mesh (Yen 2014,
 * Table 1; CTAs of 6 warps): relaxation sweeps, a launch each.
 *
 * The mesh is of tetrahedra, numbered brick by brick. Each thread walks its node's links word by
 * word, and each lane of a warp does so somewhere else: a warp holds some 28 lines of links until
 * it has read them to their ends, and gathers its neighbours' values from a few more. */
#include "data/workloads/bounded.h"
#include "data/workloads/lattice.h"

#define CTA    192
#define STEP   0.06 /* times at most 14 links: a sweep is a mean with positive weights */
#define UNEVEN 0.3  /* by which weights differ */

struct link { /* as in irreg.cu */
    int node;
    float weight;
};

struct problem {
    struct lattice l;
    int sweeps;
    struct link *links; /* of l.g.first's rows */
    float *x;           /* in: the start; out: from the device */
};

static void draw_problem(struct host *h, struct problem *p)
{
    const long *size = h->in->size->param;
    struct lattice_shape s = {.n = {(int)size[0], (int)size[1], (int)size[2]}};
    s.brick = 4;
    s.jitter = 0.2;
    p->l = lattice_mesh(h, &s);
    p->sweeps = (int)size[3];
    const struct graph *g = &p->l.g;
    const float *weight = host_random_floats(h, (size_t)g->edges, STEP * (1.0 - UNEVEN), STEP);
    p->links = host_new(h, 2 * (size_t)g->edges, sizeof *p->links);
    for (int k = 0; k < 2 * g->edges; k++)
        p->links[k] = (struct link){g->adj[k], weight[g->via[k]]};
    p->x = host_random_floats(h, (size_t)g->nodes, -1.0, 1.0);
}

static bool solve(struct host *h, struct problem *p, struct err *e)
{
    CUfunction kernel;
    CUdeviceptr from, to, first, links;
    const struct graph *g = &p->l.g;
    size_t n = (size_t)g->nodes;
    unsigned threads = host_threads(h, CTA);
    if (!host_kernel(h, "irreg_sweep", &kernel, e) ||
        !host_array(&from, p->x, n * sizeof *p->x, e) ||
        !host_array(&to, NULL, n * sizeof *p->x, e) ||
        !host_array(&first, g->first, (n + 1) * sizeof *g->first, e) ||
        !host_array(&links, p->links, 2 * (size_t)g->edges * sizeof *p->links, e))
        return false;
    for (int sweep = 0; sweep < p->sweeps; sweep++) {
        void *args[] = {&to, &from, &first, &links, (void *)&g->nodes};
        if (!host_launch(kernel, host_ctas(n, threads), threads, args, e))
            return false;
        CUdeviceptr done = to;
        to = from;
        from = done;
    }
    TRY(cuMemcpyDtoH(p->x, from, n * sizeof *p->x));
    return true;
}

static void reference_sweep(const struct problem *p, struct bounded *to, const struct bounded *from)
{
    const struct graph *g = &p->l.g;
    for (int v = 0; v < g->nodes; v++) {
        struct bounded sum = {0};
        for (int k = g->first[v]; k < g->first[v + 1]; k++) {
            const struct link *link = &p->links[k];
            struct bounded off = bounded_sub(from[link->node], from[v]);
            sum = bounded_add(sum, bounded_mul(bounded(link->weight), off));
        }
        to[v] = bounded_add(from[v], sum);
    }
}

static bool body(struct host *h, struct err *e)
{
    struct problem p;
    draw_problem(h, &p);
    size_t n = (size_t)p.l.g.nodes;
    struct bounded *from = bounded_from(h, p.x, n), *to = host_new(h, n, sizeof *to);
    if (!solve(h, &p, e))
        return false;
    if (!h->in->verify)
        return true;
    for (int sweep = 0; sweep < p.sweeps; sweep++) {
        reference_sweep(&p, to, from);
        struct bounded *done = to;
        to = from;
        from = done;
    }
    return bounded_near(h, "x", p.x, from, n, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_irreg_ptx[];
extern const struct workload workload_irreg;
const struct workload workload_irreg = {
    .name = "irreg",
    .suite = "Yen",
    .title = "relaxation of a partial differential equation on an irregular mesh",
    .paper_class = "memory-intensive",
    .size = {{"small", {28, 28, 30, 1}, "23520 nodes, 1 sweep, 2.8 MB"},
             {"medium", {60, 60, 64, 2}, "230400 nodes, 2 sweeps, 28 MB"},
             {"paper", {38, 38, 37, 3}, "53428 nodes, 3 sweeps, 6.4 MB (6.3 in Table 1)"}},
    .orders = true,
    .any_warps = true,
    .ptx = workload_irreg_ptx,
    .run = run,
};
