/* nbf -- non-bonded forces of molecular dynamics (Yen 2014, Table 1: the kernel of GROMOS; CTAs of
 * 6 warps). As GROMOS has it, neighbours are listed by charge groups: here molecules of SITES
 * atoms, all within reach of each other or not at all.
 *
 * The molecules are a film of one layer, numbered brick by brick. A CTA's warps come back again and
 * again to some 60 lines: the positions of its molecules and of those around them, and the lists,
 * which each thread walks word by word. One CTA's lines fit a small L1D; several CTAs' lines drive
 * each other out. */
#include "data/workloads/bounded.h"
#include "data/workloads/lattice.h"

#define CTA    192
#define SITES  3      /* atoms of a molecule, as in nbf.cu */
#define SIGMA6 0.002f /* as there */
#define ARM    0.2    /* from the first atom to the others */
#define RADIUS 1.7    /* of the list */
#define CHARGE 0.4    /* of the others; the first balances them */

struct film {
    struct lattice l;
    int atoms;
    float (*atom)[4];  /* x y z charge */
    float (*force)[4]; /* from the device: x y z 0 */
};

static void place_atoms(struct host *h, struct film *f)
{
    const long *p = h->in->size->param;
    struct lattice_shape s = {.n = {(int)p[0], (int)p[1], 1}, .brick = 2, .jitter = 0.12};
    f->l = lattice_box(h, &s, RADIUS);
    f->atoms = SITES * f->l.g.nodes;
    f->atom = host_new(h, (size_t)f->atoms, sizeof *f->atom);
    f->force = host_new(h, (size_t)f->atoms, sizeof *f->force);
    for (int i = 0; i < f->atoms; i++) {
        int arm = i % SITES;
        for (int d = 0; d < 3; d++) {
            double by = arm ? rng_real(&h->rng, -ARM, ARM) : 0.0;
            f->atom[i][d] = (float)((double)f->l.at[i / SITES][d] + by);
        }
        f->atom[i][3] = (float)(arm ? CHARGE : -CHARGE * (SITES - 1));
    }
}

/* Lists have the order in which a search by cells, in parallel, came upon the neighbours: none. */
static void mix_lists(struct host *h, struct graph *g)
{
    for (int v = 0; v < g->nodes; v++) {
        int from = g->first[v], n = g->first[v + 1] - from;
        rng_shuffle(&h->rng, g->adj + from, (size_t)n, sizeof *g->adj);
    }
}

static bool run_on_device(struct host *h, struct film *f, struct err *e)
{
    CUfunction kernel;
    CUdeviceptr force, atom, first, list;
    const struct graph *g = &f->l.g;
    size_t n = (size_t)f->atoms;
    if (!host_kernel(h, "nbf_force", &kernel, e) ||
        !host_array(&atom, f->atom, n * sizeof *f->atom, e) ||
        !host_array(&first, g->first, ((size_t)g->nodes + 1) * sizeof *g->first, e) ||
        !host_array(&list, g->adj, 2 * (size_t)g->edges * sizeof *g->adj, e) ||
        !host_array(&force, NULL, n * sizeof *f->force, e))
        return false;
    void *args[] = {&force, &atom, &first, &list, &f->atoms};
    if (!host_launch(kernel, host_ctas(n, CTA), CTA, args, e))
        return false;
    TRY(cuMemcpyDtoH(f->force, force, n * sizeof *f->force));
    return true;
}

/* Adds the force of atom q on atom p. */
static void add_pair(const float p[4], const float q[4], struct bounded sum[3])
{
    struct bounded d[3], r2 = {0}, one = bounded(1.0f);
    for (int k = 0; k < 3; k++) {
        d[k] = bounded_sub(bounded(p[k]), bounded(q[k]));
        r2 = bounded_add(r2, bounded_mul(d[k], d[k]));
    }
    struct bounded s2 = bounded_div(one, r2);
    struct bounded s6 = bounded_mul(bounded(SIGMA6), bounded_mul(bounded_mul(s2, s2), s2));
    struct bounded lj =
        bounded_mul(bounded_mul(bounded(48.0f), s6), bounded_sub(s6, bounded(0.5f)));
    struct bounded charges = bounded_mul(bounded(p[3]), bounded(q[3]));
    struct bounded coulomb = bounded_mul(charges, bounded_sqrt(s2));
    struct bounded g = bounded_mul(bounded_add(lj, coulomb), s2);
    for (int k = 0; k < 3; k++)
        sum[k] = bounded_add(sum[k], bounded_mul(g, d[k]));
}

static bool check(struct host *h, const struct film *f, struct err *e)
{
    const struct graph *g = &f->l.g;
    struct bounded(*expected)[4] = host_new(h, (size_t)f->atoms, sizeof *expected);
    for (int i = 0; i < f->atoms; i++)
        for (int k = g->first[i / SITES]; k < g->first[i / SITES + 1]; k++)
            for (int s = 0; s < SITES; s++)
                add_pair(f->atom[i], f->atom[SITES * g->adj[k] + s], expected[i]);
    return bounded_near(h, "force", f->force[0], expected[0], 4 * (size_t)f->atoms, e);
}

static bool body(struct host *h, struct err *e)
{
    struct film f;
    place_atoms(h, &f);
    mix_lists(h, &f.l.g);
    return run_on_device(h, &f, e) && (!h->in->verify || check(h, &f, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_nbf_ptx[];
extern const struct workload workload_nbf;
const struct workload workload_nbf = {
    .name = "nbf",
    .suite = "Yen",
    .title = "non-bonded forces over lists of charge groups",
    .paper_class = "memory-intensive",
    .size = {{"small", {88, 88}, "7744 molecules, 23232 atoms, 1 MB"},
             {"medium", {280, 280}, "78400 molecules, 235200 atoms, 10 MB"},
             {"paper", {220, 216}, "47520 molecules, 142560 atoms, 6.3 MB as in Table 1"}},
    .orders = true,
    .ptx = workload_nbf_ptx,
    .run = run,
};
