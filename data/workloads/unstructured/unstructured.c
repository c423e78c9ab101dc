/* unstructured -- fluid dynamics on an unstructured mesh (Yen 2014, Table 1; CTAs of 6 warps): time
 * steps, a launch each, that carry density, momentum and energy along with the flow (upwind,
 * through the faces between nodes) and let them diffuse. The flow is given.
 *
 * The mesh is of triangles, numbered in bricks larger than a CTA: a warp's lanes have their
 * neighbours in some 25 lines, and load one quantity after another from them. The first load
 * misses; the others find its lines only while few other warps have loaded in between. */
#include "data/workloads/bounded.h"
#include "data/workloads/lattice.h"

#include <math.h>

#define CTA       192
#define VARS      5 /* as in unstructured.cu: density, momentum (3), energy */
#define DIFFUSION 0.05

struct face { /* as in unstructured.cu */
    int node;
    float inflow;
};

struct fluid {
    struct lattice l;
    int steps;
    int slots;          /* the most faces of a node */
    int *count;         /* faces of a node */
    struct face *faces; /* face k of node v is faces[k * nodes + v] */
    float (*state)[VARS];
};

/* A vortex around the mesh's middle, in node spacings a time step; slow enough that a node never
 * takes more than it holds. */
static double flow_along(const struct fluid *f, const double middle[2], int from, int to)
{
    const float *a = f->l.at[from], *b = f->l.at[to];
    double x = ((double)a[0] + (double)b[0]) / 2 - middle[0];
    double y = ((double)a[1] + (double)b[1]) / 2 - middle[1];
    double along[2] = {(double)b[0] - (double)a[0], (double)b[1] - (double)a[1]};
    return 0.1 * (x * along[1] - y * along[0]) / (1.0 + hypot(x, y));
}

static void make_faces(struct host *h, struct fluid *f, const double middle[2])
{
    const struct graph *g = &f->l.g;
    size_t nodes = (size_t)g->nodes;
    f->count = host_new(h, nodes, sizeof *f->count);
    for (size_t v = 0; v < nodes; v++) {
        f->count[v] = g->first[v + 1] - g->first[v];
        f->slots = f->count[v] > f->slots ? f->count[v] : f->slots;
    }
    f->faces = host_new(h, (size_t)f->slots * nodes, sizeof *f->faces);
    for (int v = 0; v < g->nodes; v++)
        for (int k = 0; k < f->count[v]; k++) {
            int from = g->adj[g->first[v] + k];
            double inflow = fmax(0.0, flow_along(f, middle, from, v)) + DIFFUSION;
            f->faces[(size_t)k * nodes + (size_t)v] = (struct face){from, (float)inflow};
        }
}

static void draw_fluid(struct host *h, struct fluid *f)
{
    const long *p = h->in->size->param;
    struct lattice_shape s = {.n = {(int)p[0], (int)p[1], 1}, .brick = 20, .jitter = 0.2};
    *f = (struct fluid){.l = lattice_mesh(h, &s), .steps = (int)p[2]};
    make_faces(h, f, (double[]){(double)p[0] / 2, (double)p[1] / 2});
    f->state = (void *)host_random_floats(h, (size_t)f->l.g.nodes * VARS, 0.5, 1.5);
}

static bool simulate(struct host *h, struct fluid *f, struct err *e)
{
    CUfunction kernel;
    CUdeviceptr state, next, count, faces;
    const struct graph *g = &f->l.g;
    size_t n = (size_t)g->nodes;
    if (!host_kernel(h, "unstructured_step", &kernel, e) ||
        !host_array(&state, f->state, n * sizeof *f->state, e) ||
        !host_array(&next, NULL, n * sizeof *f->state, e) ||
        !host_array(&count, f->count, n * sizeof *f->count, e) ||
        !host_array(&faces, f->faces, n * (size_t)f->slots * sizeof *f->faces, e))
        return false;
    for (int t = 0; t < f->steps; t++) {
        void *args[] = {&next, &state, &count, &faces, (void *)&g->nodes};
        if (!host_launch(kernel, host_ctas(n, CTA), CTA, args, e))
            return false;
        CUdeviceptr done = next;
        next = state;
        state = done;
    }
    TRY(cuMemcpyDtoH(f->state, state, n * sizeof *f->state));
    return true;
}

static void reference_step(const struct fluid *f, struct bounded (*to)[VARS],
                           struct bounded (*from)[VARS])
{
    for (int v = 0; v < f->l.g.nodes; v++)
        for (int c = 0; c < VARS; c++) {
            struct bounded sum = {0}, all = {0};
            for (int k = 0; k < f->count[v]; k++) {
                const struct face *face = &f->faces[(size_t)k * (size_t)f->l.g.nodes + (size_t)v];
                struct bounded share = bounded(face->inflow);
                all = bounded_add(all, share);
                sum = bounded_add(sum, bounded_mul(share, from[face->node][c]));
            }
            struct bounded stays = bounded_sub(bounded(1.0f), all);
            to[v][c] = bounded_add(bounded_mul(stays, from[v][c]), sum);
        }
}

static bool body(struct host *h, struct err *e)
{
    struct fluid f;
    draw_fluid(h, &f);
    size_t n = (size_t)f.l.g.nodes;
    struct bounded(*from)[VARS] = (void *)bounded_from(h, f.state[0], n * VARS);
    struct bounded(*to)[VARS] = host_new(h, n, sizeof *to), (*done)[VARS];
    if (!simulate(h, &f, e))
        return false;
    if (!h->in->verify)
        return true;
    for (int t = 0; t < f.steps; t++) {
        reference_step(&f, to, from);
        done = to;
        to = from;
        from = done;
    }
    return bounded_near(h, "state", f.state[0], from[0], n * VARS, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_unstructured_ptx[];
extern const struct workload workload_unstructured;
const struct workload workload_unstructured = {
    .name = "unstructured",
    .suite = "Yen",
    .title = "fluid dynamics on an unstructured mesh of triangles",
    .paper_class = "memory-intensive",
    .size = {{"small", {152, 154, 1}, "23408 nodes, 1 step, 2.2 MB"},
             {"medium", {480, 480, 1}, "230400 nodes, 1 step, 21 MB"},
             {"paper", {330, 336, 2}, "110880 nodes, 2 steps, 10.2 MB as in Table 1"}},
    .orders = true,
    .ptx = workload_unstructured_ptx,
    .run = run,
};
